"""The symbolic reading of access: does one expression grant what another does not, and which request shows it."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from idtrans.algebra._access import AnyOf, boxes, with_conditions
from idtrans.algebra._condition import (
    ACTION,
    ALWAYS,
    FIXED_KEYS,
    PRINCIPAL,
    RESOURCE,
    Condition,
    Opaque,
    Test,
    all_of,
    negate,
)
from idtrans.algebra._condition_shape import rewrite
from idtrans.algebra._condition_template import Template
from idtrans.algebra._evaluate import holds
from idtrans.algebra._search_actions import roster_of
from idtrans.algebra._search_atoms import Atom, Atoms, condition_of
from idtrans.algebra._search_bindings import Binding, bind, bindings
from idtrans.algebra._search_branches import Contents, Grant, grants
from idtrans.algebra._search_domain import DEFAULT_BUDGET, Budget, Difference, Domain, Status, Unsure
from idtrans.algebra._search_formula import Formula, Kind, join, literals, opposite, refuse
from idtrans.algebra._search_plain import plainer
from idtrans.algebra._search_sieve import Reach, Sieve, is_plainly_within
from idtrans.algebra._search_solve import Clock, Model, Solver
from idtrans.algebra._search_values import Rules
from idtrans.algebra._search_witness import Witnesses
from idtrans.algebra._truth import Truth
from idtrans.model.decisions import Request
from idtrans.model.errors import BudgetExceededError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.algebra._access import Access, Box

_MANY = 16
"""Statements on both sides beyond which a few of them at a time are put to the question before all are."""
_ROUNDS = 8
"""Times that this is done."""
_REPLAYS = 16
"""Requests of one search that are evaluated before it is given up."""


def difference(
    new: Access, old: Access, *, budget: Budget = DEFAULT_BUDGET, domain: Domain | None = None
) -> Difference:
    """Return whether `new` grants a request that `old` does not, with the first one found.

    The budget holds for each statement of `new`. A request counts when `new` surely grants it and `old` surely does
    not; it was evaluated on both sides. EMPTY is sure; what is neither is UNKNOWN.
    """
    unsure: list[Unsure] = []
    for answer in _answers(new, old, _Terms(budget, domain or Domain(), Contents())):
        if answer.status is Status.WITNESS:
            return Difference(Status.WITNESS, answer.witness, answer.box, tuple(unsure))
        unsure += answer.unsure
    return Difference(Status.UNKNOWN if unsure else Status.EMPTY, unsure=tuple(unsure))


def differences(
    new: Access,
    old: Access,
    *,
    budget: Budget = DEFAULT_BUDGET,
    domain: Domain | None = None,
    contents: Contents | None = None,
) -> tuple[Difference, ...]:
    """Return one answer for each statement of `new` that grants something, in order; see `difference`.

    Those who ask about many expressions with parts in common hand over `contents` each time.
    """
    return tuple(_answers(new, old, _Terms(budget, domain or Domain(), contents or Contents())))


class _Terms(NamedTuple):
    """How a comparison is made."""

    budget: Budget
    domain: Domain
    contents: Contents


def _answers(new: Access, old: Access, terms: _Terms) -> Iterator[Difference]:
    domain = terms.domain
    comparison = _Comparison(_settled(old, domain), terms)
    for grant in grants(_settled(new, domain)):
        yield comparison.answer(grant)


def _settled(access: Access, domain: Domain) -> Access:
    """Return access in which the free symbols that are taken to hold do."""
    assumed = domain.assumed
    if assumed is None:
        return access

    def settle(leaf: Condition) -> Condition:
        return ALWAYS if isinstance(leaf, Opaque) and assumed(leaf) else leaf

    return with_conditions(access, lambda condition: condition if condition is ALWAYS else rewrite(condition, settle))


class _Comparison:
    """The statements of a new expression against one old expression."""

    def __init__(self, old: Access, terms: _Terms) -> None:
        self._old = old
        self._budget, self._domain, self._contents = terms
        self._kept: dict[int, list[Grant]] = {}
        for grant in grants(old):
            if grant.box is not None:
                self._kept.setdefault(self._contents.number(grant.box), []).append(grant)
        self._no_more: dict[tuple[int, int], bool] = {}
        self._sieve = Sieve()
        self._atoms = Atoms(self._domain)
        self._roster = roster_of(self._domain.actions)

    def answer(self, grant: Grant) -> Difference:
        """Return whether a statement grants what the old expression does not."""
        if self._is_kept(grant):
            return Difference(Status.EMPTY, box=grant.box)
        try:
            found = self._ask(grant)
        except BudgetExceededError as error:
            found = f"too large: {error.message}"
        if found is None:
            return Difference(Status.EMPTY, box=grant.box)
        if isinstance(found, Request):
            shown = plainer(found, self._domain, lambda tried: self._shows(tried, grant))
            return Difference(Status.WITNESS, shown, grant.box)
        return Difference(Status.UNKNOWN, box=grant.box, unsure=(Unsure(grant.box, found),))

    def _is_kept(self, grant: Grant) -> bool:
        """Tell whether an equal statement stood in the old expression, within no more limits than now."""
        same = [] if grant.box is None else self._kept.get(self._contents.number(grant.box), [])
        for kept in same:
            pair = (id(kept.limits), id(grant.limits))
            if pair not in self._no_more:
                self._no_more[pair] = kept.limits <= grant.limits
            if self._no_more[pair]:
                return True
        return False

    def _ask(self, grant: Grant) -> Request | str | None:
        """Return a request that shows a difference, `None` when there is surely none, else why that is not known."""
        if grant.box is None:
            return self._search(grant, grant.access, self._old)
        reach = self._sieve.reach(grant.box)
        granted, old = self._sieve.sift(grant.access, reach), self._sieve.sift(self._old, reach)
        if is_plainly_within(grant.box, old):
            return None
        near = None
        with suppress(BudgetExceededError):
            near = self._near(grant, grant.box, AnyOf((old, granted)))
        return near or self._search(grant, granted, old)

    def _search(self, grant: Grant, granted: Access, old: Access) -> Request | str | None:
        clock = Clock(self._budget)
        held = self._atoms.held
        formula = join(Kind.AND, (held(granted), opposite(held(old))))
        first = next(self._models(self._atoms, formula, clock, loose=True), None)
        if first is None:
            return None
        if self._shows(first.request, grant):
            return first.request
        question = all_of(condition_of(granted), negate(condition_of(old)))
        for binding in bindings(question, first.request, self._domain):
            atoms, sure = (self._atoms, formula) if not binding else self._bound(question, binding)
            for model in islice(self._models(atoms, sure, clock, loose=False), _REPLAYS):
                request = _with(model.request, binding, self._domain)
                if self._shows(request, grant):
                    return request
        return _doubt([self._atoms.atom(literal) for literal in sorted(first.literals, key=abs)], self._domain)

    def _near(self, grant: Grant, box: Box, around: Access) -> Request | None:
        """Return a request that shows a difference from many others, looked for among few of them at a time.

        Statements of which none holds the request that is found cannot rule it out; those that do are put to the
        question one after the other. `None` settles nothing.
        """
        if next(islice(boxes(around), _MANY, None), None) is None:
            return None
        left_out: dict[int, Box] = {}
        for _ in range(_ROUNDS):
            formula = join(
                Kind.AND, (self._atoms.held(box), opposite(self._atoms.held(AnyOf(tuple(left_out.values())))))
            )
            model = next(self._models(self._atoms, formula, Clock(self._budget), loose=False), None)
            if model is None:
                return None
            if self._shows(model.request, grant):
                return model.request
            others = boxes(self._sieve.sift(around, Reach.at(model.request)))
            met = {
                id(other): other for other in others if other is not box and holds(other, model.request) is Truth.TRUE
            }
            if met.keys() <= left_out.keys():
                return None
            left_out |= met
        return None

    def _bound(self, question: Condition, binding: Binding) -> tuple[Atoms, Formula]:
        atoms = Atoms(self._domain)
        return atoms, atoms.formula(bind(question, binding))

    def _models(self, atoms: Atoms, formula: Formula, clock: Clock, *, loose: bool) -> Iterator[Model]:
        """Yield requests that fulfil a formula; when it is not loose, without counting on anything unclear."""
        used = {abs(literal): atoms.atom(literal) for literal in literals(formula)}
        rules = Rules.of(self._domain, [atom for atom in used.values() if isinstance(atom, Test)], loose=loose)
        if not loose:
            formula = refuse(formula, frozenset(number for number, atom in used.items() if _is_unclear(atom)))
        return Solver(atoms, rules, Witnesses(self._domain, rules, self._roster), clock).models(formula)

    def _shows(self, request: Request, grant: Grant) -> bool:
        """Tell whether a request is surely granted now and surely was not before."""
        reach = Reach.at(request)
        granted, old = self._sieve.sift(grant.access, reach), self._sieve.sift(self._old, reach)
        return holds(granted, request) is Truth.TRUE and holds(old, request) is Truth.FALSE


def _is_unclear(atom: Atom) -> bool:
    return isinstance(atom, Opaque) or (isinstance(atom, Test) and isinstance(atom.values, Template))


def _with(request: Request, binding: Binding, domain: Domain) -> Request:
    """Return a request that has the values of a binding as well, and what follows from its principal."""
    given = {key: value for key, value in binding.items() if value is not None}
    principal = given.get(PRINCIPAL, request.principal)
    context = {key: values for key, values in request.context.items() if key not in domain.derived}
    context.update({key: (value,) for key, value in given.items() if key not in FIXED_KEYS})
    if domain.derive is not None:
        context.update(domain.derive(principal))
    action, resource = given.get(ACTION, request.action), given.get(RESOURCE, request.resource)
    return Request(principal, action, resource, context, request.knowledge)


def _doubt(atoms: list[Atom], domain: Domain) -> str:
    """Return why the tests of a request that may show a difference leave it open."""
    opaque = [f"`{atom.text}`" for atom in atoms if isinstance(atom, Opaque)]
    if opaque:
        return f"depends on {', '.join(opaque)}, which is not understood"
    tests = [atom for atom in atoms if isinstance(atom, Test)]
    read = {key for test in tests if isinstance(test.values, Template) for key in test.values.keys}
    if read:
        return f"depends on the values of {', '.join(f'`{key}`' for key in sorted(read))} in patterns"
    follows = {test.key for test in tests} & domain.derived
    if follows:
        return f"depends on {', '.join(f'`{key}`' for key in sorted(follows))}, which follow from the principal"
    return "depends on a rule that the vendor does not state"
