"""Issuers of tokens: who shares them, what their tokens look like, and which parts of a token say whose it is.

The words: a *component* is a variable part of a token, such as the owner of a repository; a *claim* is a text made of
literals and components; a *shape* is one sort of token, in which every claim has a template or does not occur.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache

from idtrans.algebra import ANY_TEXT, Language, glob


class Tenancy(StrEnum):
    """Who gets tokens of one issuer."""

    SHARED = "shared"
    """Anybody with an account at the issuer."""
    TENANT = "tenant"
    """One customer of a shared service, named in the issuer's URL."""
    PRIVATE = "private"
    """Whoever runs the issuer."""


class Level(StrEnum):
    """How much of a token's origin a component says. Members go from wide to narrow."""

    TENANT = "tenant"
    PROJECT = "project"
    WORKLOAD = "workload"


class Basis(StrEnum):
    """What a pin rests on: an id is never given out twice, a name can be given up and taken by somebody else."""

    IDS = "ids"
    NAMES = "names"


class Presence(StrEnum):
    """Whether a token has a claim."""

    ALWAYS = "always"
    OPTIONAL = "optional"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Alphabet:
    """The characters of a component: some only, or all but some."""

    only: frozenset[str] | None = None
    never: frozenset[str] = frozenset()
    empty: bool = False
    """Whether the component may be the empty text."""


@dataclass(frozen=True, slots=True)
class Component:
    """One variable part of a token."""

    name: str
    alphabet: Alphabet
    values: Language = ANY_TEXT
    """What the value is limited to, beside its alphabet."""
    samples: tuple[str, ...] = ()
    """Values for examples, of strangers to everybody."""
    example: str | None = None
    """Value for examples of one's own tokens; `None` to take a sample."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Stands for a component in a template."""

    component: str


Template = tuple[str | Slot, ...]
"""Literals and slots, such as `("repo:", Slot("owner"), "/", Slot("repo"))`."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim in one shape of token."""

    name: str
    presence: Presence
    templates: tuple[Template, ...]
    """One for each value; several for a claim that is a list."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One sort of token."""

    name: str
    claims: Mapping[str, Claim] = field(hash=False)
    format: str = ""
    """How the subject names its owner: `names`, `immutable`, or empty where there is one way."""
    limits: Mapping[str, Language] = field(default_factory=dict, hash=False)
    """Components that have fewer values in this shape."""
    workload: bool = False
    """Whether the shape itself says which workload of a project it is."""
    guest: bool = False
    """Whether anybody gets such a token without an account."""
    unreviewed: bool = False
    """Whether it is handed to changes that nobody has looked at."""

    def claim(self, name: str) -> Claim | None:
        """Return a claim, `None` for one that the issuer's file does not list."""
        found = self.claims.get(name)
        if found is not None:
            return found
        families = (family for family in self.claims if family.endswith("*") and name.startswith(family[:-1]))
        family = next(families, None)
        return self.claims[family] if family is not None else None


@dataclass(frozen=True, slots=True)
class Pin:
    """Components each of which, when it has one value, says where a token is from."""

    level: Level
    basis: Basis
    components: tuple[str, ...]
    beside: tuple[str, ...] = ()
    """Components of which one must have one value too, such as the owner beside the name of a repository."""


@dataclass(frozen=True, slots=True)
class Customised:
    """Subjects that every tenant may put together from keys, joined by colons, in any order."""

    shape: Shape
    """The token around such a subject; its `sub` has no template."""
    keys: Mapping[str, tuple[Template, ...]] = field(hash=False)
    first: str | None = None
    """The key that always comes first."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A subject that people write and no token has."""

    wrong: str
    right: str
    why: str


@dataclass(frozen=True, slots=True)
class ValueRemark:
    """A remark on trusts that are tight and let in a certain value of a component."""

    component: str
    value: str
    code: str
    message: str


class AudienceFrom(StrEnum):
    """Who says for whom a token is."""

    CALLER = "caller"
    """Whoever asks for the token: an audience then keeps no stranger out."""
    ISSUER = "issuer"
    """The issuer."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Part:
    """What a user names to say which tokens are meant, such as a project."""

    name: str
    value: Template
    """The value in terms of components, such as a group and a project joined by a slash."""
    help: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """How tokens of an issuer are asked for by name."""

    parts: tuple[Part, ...]
    issuer: Template | None = None
    """The URL, where it is known or made of components."""
    audience: Template | None = None
    """The audience of every token, where the issuer decides on it."""
    shape: str | None = None
    """The only shape that is asked for."""
    open: frozenset[str] = frozenset()
    """Components that need not be named: they tell runs apart, not workloads."""
    defaults: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Components and their usual values."""
    refused_by: frozenset[str] = frozenset()
    """Clouds that take no tokens of the issuer, whatever a trust says."""

    def part(self, name: str) -> Part | None:
        """Return the part of a name, `None` when there is none."""
        return next((part for part in self.parts if part.name == name), None)


@dataclass(frozen=True, slots=True)
class Deployment:
    """One form of an issuer's URL. `{name}` in it stands for any text without a slash; a lone `*` is any URL."""

    url: str
    tenancy: Tenancy

    @property
    def literal(self) -> bool:
        """Whether the form is one URL."""
        return "{" not in self.url and self.url != "*"

    def named(self, url: str) -> Mapping[str, str] | None:
        """Return what a URL has in the places of the form, `None` when it does not have the form, to the letter."""
        found = _url_pattern(self.url).fullmatch(url)
        return found.groupdict() if found is not None else None


@dataclass(frozen=True, slots=True, eq=False)
class Issuer:
    """Everything known about the tokens of one kind of issuer."""

    kind: str
    title: str
    deployments: tuple[Deployment, ...]
    components: Mapping[str, Component]
    shapes: tuple[Shape, ...]
    pins: tuple[Pin, ...]
    references: tuple[str, ...]
    audiences: Mapping[str, str] = field(default_factory=dict)
    """Default audience by cloud."""
    customised: Customised | None = None
    mistakes: tuple[Mistake, ...] = ()
    certain: bool = True
    """False where strangers cannot be told from friends: what is not tied to one subject is then UNKNOWN."""
    remarks: tuple[ValueRemark, ...] = ()
    instances: bool = False
    """Whether anybody may run an issuer of this kind, at a URL that says nothing of it."""
    audience_from: AudienceFrom = AudienceFrom.UNKNOWN
    wanted: Wanted | None = None

    def pins_of(self, level: Level) -> tuple[Pin, ...]:
        """Return the pins of a level, ids before names."""
        return tuple(pin for basis in Basis for pin in self.pins if (pin.level, pin.basis) == (level, basis))


@dataclass(frozen=True, slots=True)
class IssuerMatch:
    """The issuer behind a URL."""

    issuer: Issuer
    tenancy: Tenancy
    spelled: str | None = None
    """The URL as tokens say it, when the one that was asked for differs from it and so matches no token."""


def issuers() -> tuple[Issuer, ...]:
    """Return all known issuers, sorted by kind; `generic` is one of them. Raises `DataError` for a broken file."""
    from idtrans.catalog._issuer_files import read_issuers

    return read_issuers()


def issuer(kind: str) -> Issuer | None:
    """Return the issuer of a kind, such as `github`, `None` when there is none."""
    return next((each for each in issuers() if each.kind == kind), None)


def values_like(patterns: tuple[str, ...]) -> Language:
    """Return the union of some globs."""
    found = glob(patterns[0])
    for pattern in patterns[1:]:
        found |= glob(pattern)
    return found


@cache
def _url_pattern(url: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", url)
    return re.compile("".join(f"(?P<{part}>[^/]+)" if at % 2 else re.escape(part) for at, part in enumerate(parts)))
