"""From access expressions to formulas: each different test is one numbered atom."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from idtrans.algebra._access import Access, AllOf, AnyOf, Box, Except, Gate
from idtrans.algebra._condition import (
    ACTION,
    ALWAYS,
    FIXED_KEYS,
    PRINCIPAL,
    RESOURCE,
    Always,
    Both,
    Condition,
    Either,
    Has,
    Negation,
    Never,
    Opaque,
    Quantifier,
    Test,
    all_of,
    any_of,
    negate,
)
from idtrans.algebra._condition_template import Template
from idtrans.algebra._evaluate import resource_condition
from idtrans.algebra._search_formula import Constant, Formula, Kind, join, opposite
from idtrans.algebra._search_values import Wish
from idtrans.algebra._text import ANY_TEXT
from idtrans.algebra._truth import Truth

if TYPE_CHECKING:
    from collections.abc import Hashable

    from idtrans.algebra._search_domain import Domain
    from idtrans.algebra._text import Language

Atom = Test | Has | Opaque
"""What a literal can be about."""

_DUAL = {Quantifier.ONE: Quantifier.ONE, Quantifier.ANY: Quantifier.ALL, Quantifier.ALL: Quantifier.ANY}


def condition_of(access: Access) -> Condition:
    """Return the requests of an expression as one condition on principal, action, resource and context."""
    match access:
        case Box():
            principals = Test(PRINCIPAL, Quantifier.ONE, access.principals)
            actions = Test(ACTION, Quantifier.ONE, access.actions)
            return all_of(principals, actions, resource_condition(access), access.condition)
        case Gate(part=part):
            return condition_of(part)
        case AnyOf(parts):
            return any_of(*map(condition_of, parts))
        case AllOf(parts):
            return all_of(*map(condition_of, parts))
        case Except(base, minus):
            return all_of(condition_of(base), negate(condition_of(minus)))


class Atoms:
    """Numbers the tests of one question. Equal tests have equal numbers, opposite ones opposite numbers."""

    def __init__(self, domain: Domain) -> None:
        """Start without atoms."""
        self._domain = domain
        self._numbers: dict[Hashable, int] = {}
        self._atoms: list[Atom] = []
        self._wishes: dict[int, Wish | None] = {}
        self._boxes: dict[int, tuple[Box, Formula]] = {}

    def atom(self, literal: int) -> Atom:
        """Return what a literal or its negation is about."""
        return self._atoms[abs(literal) - 1]

    def wish(self, literal: int) -> Wish | None:
        """Return what a literal asks of its key; `None` for what was not understood."""
        if literal not in self._wishes:
            atom = self.atom(literal)
            self._wishes[literal] = None if isinstance(atom, Opaque) else Wish.of(atom, wanted=literal > 0)
        return self._wishes[literal]

    def held(self, access: Access) -> Formula:
        """Return the requests of an expression as a formula: the same as that of its condition, and built faster."""
        match access:
            case Box():
                found = self._boxes.get(id(access))
                if found is None:
                    # The statement is kept, so that no other one can have its place in memory.
                    found = self._boxes[id(access)] = (access, self._box(access))
                return found[1]
            case Gate(part=part):
                return self.held(part)
            case AnyOf(parts):
                return join(Kind.OR, map(self.held, parts))
            case AllOf(parts):
                return join(Kind.AND, map(self.held, parts))
            case Except(base, minus):
                return join(Kind.AND, (self.held(base), opposite(self.held(minus))))

    def _box(self, box: Box) -> Formula:
        resources = box.resources if isinstance(box.resources, tuple) else (box.resources,)
        alternatives = [self._within(RESOURCE, values) for values in resources]
        parts = (
            self._within(PRINCIPAL, box.principals),
            self._within(ACTION, box.actions),
            alternatives[0] if len(alternatives) == 1 else join(Kind.OR, alternatives),
        )
        return join(Kind.AND, parts if box.condition is ALWAYS else (*parts, self.formula(box.condition)))

    def _within(self, key: str, values: Language | Template) -> Formula:
        if values is ANY_TEXT or values == ANY_TEXT:
            return Constant.TRUE
        return self._literal(Test(key, Quantifier.ONE, values))

    def formula(self, condition: Condition, *, negated: bool = False) -> Formula:
        """Return a condition, or its negation, as a formula."""
        match condition:
            case Always():
                return Constant.FALSE if negated else Constant.TRUE
            case Never():
                return Constant.TRUE if negated else Constant.FALSE
            case Negation(part):
                return self.formula(part, negated=not negated)
            case Both(parts):
                return join(Kind.OR if negated else Kind.AND, [self.formula(part, negated=negated) for part in parts])
            case Either(parts):
                return join(Kind.AND if negated else Kind.OR, [self.formula(part, negated=negated) for part in parts])
            case _:
                literal = self._literal(condition)
                return -literal if negated else literal

    def _literal(self, atom: Atom) -> int:
        sign = 1
        if isinstance(atom, Test | Has) and atom.key in self._domain.derived and self._domain.inverse is not None:
            principals = self._domain.inverse(atom)
            atom = atom if principals is None else Test(PRINCIPAL, Quantifier.ONE, principals)
        if isinstance(atom, Test) and isinstance(atom.values, Template) and atom.values.negated:
            sign, atom = -1, _opposite(atom, atom.values)
        meaning = _meaning(atom)
        number = self._numbers.get(meaning)
        if number is None:
            self._atoms.append(atom)
            number = self._numbers[meaning] = len(self._atoms)
        return sign * number


def _meaning(atom: Atom) -> Hashable:
    """Return what tells atoms of different meaning apart: how a key is spelled does not."""
    if isinstance(atom, Test):
        missing = Truth.FALSE if atom.key in FIXED_KEYS else atom.missing
        return (atom.key, atom.quantifier, atom.values, missing)
    return atom.key if isinstance(atom, Has) else atom


def _opposite(test: Test, template: Template) -> Test:
    """Return the test with the opposite answer for every request."""
    return replace(
        test,
        quantifier=_DUAL[test.quantifier],
        values=replace(template, negated=False),
        missing=~test.missing,
    )
