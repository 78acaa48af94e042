"""The condition of a trust as alternatives: what each asks of the claims of one token."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from idtrans.algebra import (
    ANY_TEXT,
    NO_TEXT,
    Always,
    Both,
    Condition,
    Either,
    Has,
    Language,
    Negation,
    Never,
    NumberSet,
    Opaque,
    Quantifier,
    Template,
    Test,
    Truth,
    describe,
    exact,
    one_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_ALTERNATIVES: Final = 512
"""Alternatives after which part of the condition is left out, which admits more."""

ISSUER: Final = "iss"
AUDIENCE: Final = "aud"
SUBJECT: Final = "sub"


@dataclass(frozen=True, slots=True)
class Requirement:
    """What one claim must be."""

    every: Language = ANY_TEXT
    """What each of its values must be in."""
    some: tuple[Language, ...] = ()
    """Sets in each of which some value must be."""
    absent: bool = False
    """Whether the claim may be missing."""

    @property
    def single(self) -> Language:
        """What the value of a claim that has one must be in."""
        language = self.every
        for some in self.some:
            language &= some
        return language

    @property
    def restricts(self) -> bool:
        """Whether some value is refused, other than the empty one."""
        return self.single not in {ANY_TEXT, ~exact("")}

    def __and__(self, other: Requirement) -> Requirement:
        """Return what meets both."""
        some = tuple(dict.fromkeys((*self.some, *other.some)))
        return Requirement(self.every & other.every, some, self.absent and other.absent)


@dataclass(frozen=True, slots=True)
class Alternative:
    """Requirements that must all hold."""

    claims: Mapping[str, Requirement] = field(default_factory=dict)
    unread: frozenset[str] = frozenset()
    """What was not understood, and is taken to hold."""
    capped: bool = False
    """Whether something was left out because there was too much of it."""

    @property
    def sure(self) -> bool:
        """Whether everything was understood and kept."""
        return not self.unread and not self.capped

    def __and__(self, other: Alternative) -> Alternative | None:
        """Return what meets both, `None` when that is plainly nothing."""
        claims = dict(self.claims)
        for name, requirement in other.claims.items():
            claims[name] = claims[name] & requirement if name in claims else requirement
            if claims[name].single == NO_TEXT and not claims[name].absent:
                return None
        return Alternative(claims, self.unread | other.unread, self.capped or other.capped)


@dataclass(frozen=True, slots=True)
class Reading:
    """What is known about the tokens whose claims a condition tests."""

    issuer: str
    claims: frozenset[str] | None = None
    """Claims that can be tested at all; `None` for all."""
    audiences: tuple[str, ...] = ()
    """Audiences that the provider accepts; empty when not known."""


def alternatives_of(condition: Condition, reading: Reading) -> tuple[Alternative, ...]:
    """Return the alternatives of a condition, with the audiences that the provider accepts."""
    found = alternatives(condition, reading)
    if reading.audiences:
        known = Alternative({AUDIENCE: Requirement(one_of(reading.audiences))})
        met = [one & known for one in found]
        found = [one for one in met if one is not None]
    return tuple(found)


def alternatives(condition: Condition, reading: Reading, *, holds: bool = True) -> list[Alternative]:
    """Return the alternatives under which a condition holds, or does not."""
    match condition:
        case Negation(part):
            return alternatives(part, reading, holds=not holds)
        case Both(parts) | Either(parts):
            found = [alternatives(part, reading, holds=holds) for part in parts]
            conjoined = isinstance(condition, Both) is holds
            return _all_of(found) if conjoined else _any_of(found)
        case Always() | Never():
            return [Alternative()] if isinstance(condition, Always) is holds else []
        case Opaque(text):
            return [Alternative(unread=frozenset({text}))]
        case Has(key):
            required = Requirement() if holds else Requirement(NO_TEXT, absent=True)
            return _known(key, required, reading)
        case Test():
            return _test(condition, reading, holds=holds)


def _test(test: Test, reading: Reading, *, holds: bool) -> list[Alternative]:
    language = _language(test)
    if language is None:
        return [Alternative(unread=frozenset({describe(test)}))]
    absent = test.missing is not (Truth.FALSE if holds else Truth.TRUE)
    # "Every value is" and "some value is not" are each other's opposite.
    every = (test.quantifier is Quantifier.ALL) is holds
    wanted = language if holds else ~language
    required = Requirement(wanted, absent=absent) if every else Requirement(some=(wanted,), absent=absent)
    found = _known(test.key, required, reading)
    doubtful = test.missing is Truth.UNKNOWN
    return [replace(one, unread=one.unread | {describe(test)}) for one in found] if doubtful else found


def _language(test: Test) -> Language | None:
    values = test.values
    if isinstance(values, Language):
        return values
    if isinstance(values, Template):
        return None
    if isinstance(values, NumberSet):
        member = values.witness()
        if member is not None and values == NumberSet.equal(member):
            return exact(member)
    return None


def _known(key: str, required: Requirement, reading: Reading) -> list[Alternative]:
    """Decide what needs no token: the issuer's name, and claims that the cloud never sees."""
    if reading.claims is not None and key not in reading.claims:
        return [Alternative()] if required.absent else []
    if key == ISSUER:
        return [Alternative()] if required.single.matches(reading.issuer) else []
    return [Alternative({key: required})]


def _any_of(found: Iterable[list[Alternative]]) -> list[Alternative]:
    joined = [one for several in found for one in several]
    if len(joined) <= MOST_ALTERNATIVES:
        return joined
    return [Alternative(capped=True)]


def _all_of(found: Iterable[list[Alternative]]) -> list[Alternative]:
    # Short lists first: they make long ones shorter, and what is left out past the limit is the longest.
    met = [Alternative()]
    for several in sorted(found, key=len):
        if len(met) * len(several) > MOST_ALTERNATIVES * 4:
            met = [replace(one, capped=True) for one in met]
            continue
        met = [both for one in met for other in several if (both := one & other) is not None]
    return met
