"""Propositional formulas over numbered literals, in negation normal form.

A literal is a non-zero number: the atom of that number, or with a minus sign its negation.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class Constant(Enum):
    """A formula without literals."""

    TRUE = "true"
    FALSE = "false"

    __hash__ = object.__hash__


class Kind(IntEnum):
    """How the members of a group are joined.

    A number, whose hash is the same in every run: sets of formulas then have one order, and so has a search.
    """

    AND = 0
    OR = 1


@dataclass(frozen=True, slots=True)
class Group:
    """At least two members, none of them a constant or a group of the same kind."""

    kind: Kind
    members: frozenset[Formula]


Formula = Constant | int | Group
"""Any formula."""

_NEUTRAL = {Kind.AND: Constant.TRUE, Kind.OR: Constant.FALSE}
_DUAL = {Kind.AND: Kind.OR, Kind.OR: Kind.AND}
_ABSORBING = {Kind.AND: Constant.FALSE, Kind.OR: Constant.TRUE}


def join(kind: Kind, parts: Iterable[Formula]) -> Formula:
    """Return the conjunction or disjunction: flattened, without constants; a literal beside its negation settles it."""
    absorbing, neutral = _ABSORBING[kind], _NEUTRAL[kind]
    members: set[Formula] = set()
    for part in parts:
        if part is absorbing:
            return part
        if isinstance(part, Group) and part.kind is kind:
            members |= part.members
        elif part is not neutral:
            members.add(part)
    for part in members:
        if isinstance(part, int) and -part in members:
            return absorbing
    if not members:
        return neutral
    return members.pop() if len(members) == 1 else Group(kind, frozenset(members))


def assume(formula: Formula, held: frozenset[int] | set[int]) -> Formula:
    """Return the formula with these literals put in as true."""
    if isinstance(formula, int):
        if formula in held:
            return Constant.TRUE
        return Constant.FALSE if -formula in held else formula
    if isinstance(formula, Constant):
        return formula
    absorbing = _ABSORBING[formula.kind]
    parts = []
    for member in formula.members:
        part = assume(member, held)
        if part is absorbing:
            return absorbing
        parts.append(part)
    return join(formula.kind, parts)


def opposite(formula: Formula) -> Formula:
    """Return the negation."""
    if isinstance(formula, int):
        return -formula
    if isinstance(formula, Constant):
        return Constant.FALSE if formula is Constant.TRUE else Constant.TRUE
    members = [-member if isinstance(member, int) else opposite(member) for member in formula.members]
    return Group(_DUAL[formula.kind], frozenset(members))


def resolve(formula: Formula) -> Formula:
    """Return an equal formula without those alternatives in clauses whose negation is itself a clause."""
    known = clauses(formula)
    refuted = {opposite(clause) for clause in known}
    parts: list[Formula] = []
    for clause in known:
        if isinstance(clause, Group):
            parts.append(join(clause.kind, [part for part in clause.members if part not in refuted]))
        else:
            parts.append(clause)
    return join(Kind.AND, parts)


def refuse(formula: Formula, atoms: frozenset[int]) -> Formula:
    """Return the formula that counts on neither these atoms nor their negations."""
    if isinstance(formula, int):
        return Constant.FALSE if abs(formula) in atoms else formula
    if isinstance(formula, Constant):
        return formula
    return join(formula.kind, [refuse(member, atoms) for member in formula.members])


def units(formula: Formula) -> frozenset[int]:
    """Return the literals that every solution holds because they stand alone."""
    return frozenset(part for part in clauses(formula) if isinstance(part, int))


def clauses(formula: Formula) -> frozenset[Formula]:
    """Return the members of a conjunction, or the formula itself."""
    if isinstance(formula, Group) and formula.kind is Kind.AND:
        return formula.members
    return frozenset((formula,))


def literals(formula: Formula) -> frozenset[int]:
    """Return all literals that occur."""
    if isinstance(formula, int):
        return frozenset((formula,))
    if isinstance(formula, Constant):
        return frozenset()
    return frozenset().union(*map(literals, formula.members))
