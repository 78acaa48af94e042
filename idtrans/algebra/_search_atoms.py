"""From access expressions to formulas: each different test is one numbered atom."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from idtrans.algebra._access import Access, AllOf, AnyOf, Box, Except, Gate
from idtrans.algebra._condition import (
    ACTION,
    FIXED_KEYS,
    PRINCIPAL,
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
from idtrans.algebra._search_formula import Constant, Formula, Kind, join
from idtrans.algebra._search_values import Wish
from idtrans.algebra._truth import Truth

if TYPE_CHECKING:
    from idtrans.algebra._search_domain import Domain

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
        self._numbers: dict[Atom, int] = {}
        self._atoms: list[Atom] = []
        self._wishes: dict[int, Wish | None] = {}

    def atom(self, literal: int) -> Atom:
        """Return what a literal or its negation is about."""
        return self._atoms[abs(literal) - 1]

    def wish(self, literal: int) -> Wish | None:
        """Return what a literal asks of its key; `None` for what was not understood."""
        if literal not in self._wishes:
            atom = self.atom(literal)
            self._wishes[literal] = None if isinstance(atom, Opaque) else Wish.of(atom, wanted=literal > 0)
        return self._wishes[literal]

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
        if isinstance(atom, Test):
            atom = _plain(atom)
            if isinstance(atom.values, Template) and atom.values.negated:
                sign, atom = -1, _opposite(atom, atom.values)
        elif isinstance(atom, Has):
            atom = replace(atom, label="")
        if atom not in self._numbers:
            self._atoms.append(atom)
            self._numbers[atom] = len(self._atoms)
        return sign * self._numbers[atom]


def _plain(test: Test) -> Test:
    """Return a test without what does not change its meaning."""
    missing = Truth.FALSE if test.key in FIXED_KEYS else test.missing
    return replace(test, label="", missing=missing)


def _opposite(test: Test, template: Template) -> Test:
    """Return the test with the opposite answer for every request."""
    return replace(
        test,
        quantifier=_DUAL[test.quantifier],
        values=replace(template, negated=False),
        missing=~test.missing,
    )
