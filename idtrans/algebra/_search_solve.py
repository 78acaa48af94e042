"""The search itself: branching on literals, with unit propagation and one question for each key.

Literals on actions are tried first, then those on principals, then those of the shortest clause. A branch that ends
with nothing left to fulfil gives a request; when all branches end otherwise, no request fulfils the formula.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from time import thread_time
from typing import TYPE_CHECKING, NamedTuple

from idtrans.algebra._condition import ACTION, PRINCIPAL, RESOURCE
from idtrans.algebra._search_formula import (
    Constant,
    Formula,
    Group,
    Kind,
    assume,
    clauses,
    join,
    literals,
    resolve,
    units,
)
from idtrans.algebra._search_values import Rules, Wish, values_for
from idtrans.algebra._search_witness import Witnesses
from idtrans.model.errors import BudgetExceededError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from idtrans.algebra._search_atoms import Atoms
    from idtrans.algebra._search_domain import Budget
    from idtrans.model.decisions import Request

_EARLY = {ACTION: 0, PRINCIPAL: 1}
_LATE = 2
_CLAUSES_OF_STEP = 16
"""Clauses that are gone through at the cost of one literal."""


class Model(NamedTuple):
    """A request that fulfils a formula, and the literals that it was made for."""

    request: Request
    literals: frozenset[int]


class Clock:
    """What is left of a budget."""

    def __init__(self, budget: Budget) -> None:
        """Start to run."""
        self._steps = budget.steps
        self._deadline = thread_time() + budget.seconds

    def tick(self, steps: int = 1) -> None:
        """Spend steps; raise `BudgetExceededError` when nothing is left."""
        self._steps -= steps
        if self._steps < 0 or thread_time() > self._deadline:
            raise BudgetExceededError("the question is too large")


@dataclass(frozen=True, slots=True)
class _Branch:
    """A formula that remains, and what was chosen on the way to it."""

    formula: Formula
    chosen: Mapping[str, frozenset[int]]
    """Literals by key."""
    values: Mapping[str, tuple[str, ...]]
    """Values by key that fulfil the chosen literals."""
    free: frozenset[int] = frozenset()
    """Chosen literals on what was not understood."""


class Solver:
    """Finds requests that fulfil a formula."""

    def __init__(self, atoms: Atoms, rules: Rules, witnesses: Witnesses, clock: Clock) -> None:
        """Take the tests from `atoms` and the time from `clock`."""
        self._atoms = atoms
        self._rules = rules
        self._witnesses = witnesses
        self._clock = clock
        self._cache: dict[frozenset[int], tuple[str, ...] | None] = {}

    def models(self, formula: Formula) -> Iterator[Model]:
        """Yield requests that fulfil the formula, those with a known action and a fitting resource first.

        Raises `BudgetExceededError` when the budget ends before the search does.
        """
        stack = self._roots(formula)
        later: deque[_Branch] = deque()
        odd: list[_Branch] = []
        while stack or later:
            branch = stack.pop() if stack else later.popleft()
            if branch.formula is not Constant.TRUE:
                for child in self._children(branch):
                    (later if self._turns_odd(branch, child) else stack).append(child)
                continue
            wishes = {key: self._wishes(chosen) for key, chosen in branch.chosen.items()}
            request = self._witnesses.fitting(dict(branch.values), wishes)
            if request is None:
                odd.append(branch)
            else:
                yield Model(request, _chosen(branch))
        for branch in odd:
            yield Model(self._witnesses.request(dict(branch.values)), _chosen(branch))

    def _roots(self, formula: Formula) -> list[_Branch]:
        root = self._settle(_Branch(resolve(formula), {}, {}))
        pruned = None if root is None else self._settle(self._prune(root))
        return [] if pruned is None else [pruned]

    def _children(self, branch: _Branch) -> Iterator[_Branch]:
        """Yield branches that together hold what a branch holds; the last one is tried first.

        Where one of several bodies of tests must hold, such as the denies of the old side, each is a branch: it brings
        an action, a resource and more at once. Else the next literal fails in one branch and holds in the other.
        """
        clause = self._next_bodies(branch.formula)
        if clause is not None:
            rest = join(Kind.AND, clauses(branch.formula) - {clause})
            for member in clause.members:
                child = self._settle(replace(branch, formula=join(Kind.AND, (rest, member))))
                pruned = None if child is None else self._settle(self._prune(child))
                if pruned is not None:
                    yield pruned
            return
        literal = self._next_literal(branch.formula)
        for chosen in (-literal, literal):
            formula = join(Kind.AND, (assume(branch.formula, {chosen}), chosen))
            child = self._settle(replace(branch, formula=formula))
            if child is not None:
                yield child

    def _next_bodies(self, formula: Formula) -> Group | None:
        """Return the shortest clause with an alternative that asks for an action among other things."""
        found = [
            clause
            for clause in clauses(formula)
            if isinstance(clause, Group) and any(map(self._is_body, clause.members))
        ]
        return min(found, key=lambda clause: (len(clause.members), sorted(literals(clause))), default=None)

    def _is_body(self, formula: Formula) -> bool:
        if not isinstance(formula, Group) or formula.kind is not Kind.AND:
            return False
        return any(self._is_about_action(member) for member in formula.members)

    def _is_about_action(self, formula: Formula) -> bool:
        wish = self._atoms.wish(formula) if isinstance(formula, int) else None
        return wish is not None and wish.key == ACTION

    def _turns_odd(self, branch: _Branch, child: _Branch) -> bool:
        """Tell whether a branch has just lost the last known action."""
        before, after = branch.values.get(ACTION), child.values.get(ACTION)
        return before != after and after is not None and self._witnesses.is_unlisted(after[0])

    def _settle(self, branch: _Branch) -> _Branch | None:
        """Choose all literals that stand alone; return `None` when they cannot hold together."""
        chosen, values, free = dict(branch.chosen), dict(branch.values), set(branch.free)
        formula = branch.formula
        while found := units(formula):
            self._clock.tick(len(clauses(formula)) // _CLAUSES_OF_STEP)
            added: dict[str, list[int]] = {}
            for literal in found:
                self._clock.tick()
                wish = self._atoms.wish(literal)
                if wish is None:
                    free.add(literal)
                else:
                    added.setdefault(wish.key, []).append(literal)
            for key in sorted(added):
                chosen[key] = chosen.get(key, frozenset()).union(added[key])
                fitting = self._values(chosen[key], self._wishes(added[key]), values.get(key))
                if fitting is None:
                    return None
                values[key] = fitting
            formula = assume(formula, found)
        return None if formula is Constant.FALSE else _Branch(formula, chosen, values, frozenset(free))

    def _prune(self, branch: _Branch) -> _Branch:
        """Put in the literals that follow from the chosen ones on the same key."""
        implied = set()
        for number in {abs(literal) for literal in literals(branch.formula)}:
            for literal in (number, -number):
                wish = self._atoms.wish(literal)
                if wish is None or wish.key not in branch.chosen:
                    break
                key = wish.key
                if self._values(branch.chosen[key] | {literal}, [wish], branch.values[key]) is None:
                    implied.add(-literal)
                    break
        return replace(branch, formula=assume(branch.formula, implied))

    def _values(
        self, chosen: frozenset[int], added: Sequence[Wish], before: tuple[str, ...] | None
    ) -> tuple[str, ...] | None:
        """Return values for all chosen literals of a key; `before` fulfils all but those that were added."""
        # Two patterns with variables can exclude each other though some values seem to fulfil both.
        plain = all(wish.pattern is None for wish in added)
        if before is not None and plain and all(wish.is_fulfilled(before, self._rules) for wish in added):
            return before
        if chosen not in self._cache:
            self._clock.tick()
            self._cache[chosen] = self._fresh_values(added[0].key, self._wishes(chosen))
        return self._cache[chosen]

    def _fresh_values(self, key: str, wishes: list[Wish]) -> tuple[str, ...] | None:
        known = next(self._witnesses.actions(wishes), None) if key == ACTION else None
        return values_for(key, wishes, self._rules) if known is None else (known,)

    def _wishes(self, chosen: Iterable[int]) -> list[Wish]:
        found = map(self._atoms.wish, sorted(chosen, key=abs))
        return [wish for wish in found if wish is not None]

    def _next_literal(self, formula: Formula) -> int:
        """Return the literal to branch on."""
        orders = []
        for clause in clauses(formula):
            members = literals(clause)
            orders += [(*self._order(literal, len(members)), literal) for literal in members]
        return min(orders)[-1]

    def _order(self, literal: int, size: int) -> tuple[int, int, int]:
        """Return the rank of a literal in a clause of this size; the lowest is tried first."""
        wish = self._atoms.wish(literal)
        key = None if wish is None else wish.key
        within = 2 if key is None else int(key != RESOURCE)
        return (_LATE if key is None else _EARLY.get(key, _LATE), size, within)


def _chosen(branch: _Branch) -> frozenset[int]:
    return branch.free.union(*branch.chosen.values())
