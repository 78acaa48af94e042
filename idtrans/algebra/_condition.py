"""Conditions: Boolean expressions over the context keys of a request, as immutable data.

A condition is built by a cloud's adapter, which alone knows the vendor's operators: it hands over the set of values
that an operator accepts, the quantifier for keys of many values, and what a missing key yields. Adapters limit the
nesting of what they parse; the functions of this package recurse as deep as a condition is nested.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Final

from idtrans.algebra._truth import Truth

if TYPE_CHECKING:
    from idtrans.algebra._condition_template import Template
    from idtrans.algebra._sets import ValueSet
    from idtrans.algebra._text import Language

PRINCIPAL: Final = "principal"
"""Key of the principal id of a request. Always present, one value."""
ACTION: Final = "action"
"""Key of the action of a request. Always present, one value."""
RESOURCE: Final = "resource"
"""Key of the resource id of a request. Always present, one value."""
FIXED_KEYS: Final = (ACTION, PRINCIPAL, RESOURCE)
"""The keys that every request has."""


class Quantifier(StrEnum):
    """How the values of a key are compared with a set."""

    ONE = "one"
    """The key has one value; a request that gives more leaves the test UNKNOWN."""
    ANY = "any"
    """At least one of the values is in the set."""
    ALL = "all"
    """Every value is in the set."""


@dataclass(frozen=True, slots=True)
class Always:
    """Holds for every request."""

    def __reduce__(self) -> str:
        """Copy and pickle as the constant, so that there is only one."""
        return "ALWAYS"


@dataclass(frozen=True, slots=True)
class Never:
    """Holds for no request."""

    def __reduce__(self) -> str:
        """Copy and pickle as the constant, so that there is only one."""
        return "NEVER"


@dataclass(frozen=True, slots=True)
class Test:
    """Compares the values of one key with a set."""

    __test__: ClassVar[bool] = False  # tells pytest that this is not a test class

    key: str
    """Name in the canonical spelling of the adapter; AWS keys in lower case."""
    quantifier: Quantifier
    values: ValueSet | Template
    missing: Truth = Truth.FALSE
    """What the test yields when the key is absent or has no values; with ALL usually TRUE."""
    label: str = ""
    """How people spell the key; empty for the key itself."""
    alien: Truth = Truth.FALSE
    """What a value yields that is not of the kind of the set, such as `abc` for numbers."""


@dataclass(frozen=True, slots=True)
class Has:
    """The key is present and has at least one value."""

    key: str
    label: str = ""
    """How people spell the key; empty for the key itself."""


@dataclass(frozen=True, slots=True)
class Both:
    """Holds when all parts hold. Build it with `all_of`, which simplifies."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """Holds when some part holds. Build it with `any_of`, which simplifies."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Negation:
    """Holds when the part does not. Build it with `negate`, which simplifies."""

    part: Condition


@dataclass(frozen=True, slots=True)
class Opaque:
    """Something that was not understood: a free symbol. Equal texts are the same symbol, whatever the reason."""

    text: str
    reason: str = ""
    """One lower-case sentence on why it was not understood."""

    def __eq__(self, other: object) -> bool:
        """Compare the texts."""
        return self.text == other.text if isinstance(other, Opaque) else NotImplemented

    def __hash__(self) -> int:
        """Hash the text."""
        return hash((Opaque, self.text))


@dataclass(frozen=True, slots=True, eq=False)
class Choice(Opaque):
    """A test of many values against many patterns of which some have variables: decided once these have values.

    Until then it is a free symbol, whose text tells all that it compares.
    """

    key: str = ""
    quantifier: Quantifier = Quantifier.ALL
    patterns: tuple[Language | Template, ...] = ()
    negated: bool = False
    """Whether the set holds the texts that no pattern matches."""
    missing: Truth = Truth.FALSE


Condition = Always | Never | Test | Has | Both | Either | Negation | Opaque
"""Any condition."""

ALWAYS: Final = Always()
"""The condition that holds for every request."""
NEVER: Final = Never()
"""The condition that holds for no request."""


def all_of(*parts: Condition) -> Condition:
    """Return the conjunction, flattened, without duplicates and constants; contradictions become NEVER."""
    parts = tuple(part for part in parts if part is not ALWAYS)
    if len(parts) <= 1:
        return parts[0] if parts else ALWAYS
    members = _flatten(parts, Both)
    kept = tuple(part for part in members if part != ALWAYS)
    if NEVER in members or any(negate(part) in members for part in kept):
        return NEVER
    return _join(kept, Both, ALWAYS)


def any_of(*parts: Condition) -> Condition:
    """Return the disjunction, flattened, without duplicates and constants; tautologies become ALWAYS."""
    parts = tuple(part for part in parts if part is not NEVER)
    if len(parts) <= 1:
        return parts[0] if parts else NEVER
    members = _flatten(parts, Either)
    kept = tuple(part for part in members if part != NEVER)
    if ALWAYS in members or any(negate(part) in members for part in kept):
        return ALWAYS
    return _join(kept, Either, NEVER)


def negate(part: Condition) -> Condition:
    """Return the condition that holds exactly when the part does not."""
    match part:
        case Always():
            return NEVER
        case Never():
            return ALWAYS
        case Negation(inner):
            return inner
        case _:
            return Negation(part)


def simplify(condition: Condition) -> Condition:
    """Rebuild a condition with `all_of`, `any_of` and `negate`; equal for every request."""
    match condition:
        case Both(parts):
            return all_of(*map(simplify, parts))
        case Either(parts):
            return any_of(*map(simplify, parts))
        case Negation(part):
            return negate(simplify(part))
        case _:
            return condition


def _flatten(parts: tuple[Condition, ...], kind: type[Both | Either]) -> dict[Condition, None]:
    """Return the members in order, each once."""
    members: dict[Condition, None] = {}
    for part in parts:
        members.update(dict.fromkeys(part.parts if isinstance(part, kind) else (part,)))
    return members


def _join(kept: tuple[Condition, ...], kind: type[Both | Either], empty: Condition) -> Condition:
    """Return the members without those that another member makes needless (absorption)."""
    dual = Either if kind is Both else Both
    alone = set(kept)
    needed = tuple(part for part in kept if not (isinstance(part, dual) and alone.intersection(part.parts)))
    if not needed:
        return empty
    return needed[0] if len(needed) == 1 else kind(needed)
