"""Walking an automaton breadth first, under a budget."""

from __future__ import annotations

from dataclasses import dataclass
from time import thread_time
from typing import TYPE_CHECKING, Final

from idtrans.model.errors import BudgetExceededError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from idtrans.algebra._text_automaton import Automaton, State

_READABLE: Final = "xyzwvutsrqponmlkjihgfedcba0123456789XYZWVUTSRQPONMLKJIHGFEDCBA-_"

_CLOCK_EVERY: Final = 64
"""States between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class TextBudget:
    """What one question about texts may cost."""

    states: int = 10_000
    steps: int = 400_000
    """Characters that are tried, each counted once for every pattern that reads it."""
    seconds: float = 10.0
    """Processor time, far beyond what the steps take: steps end a walk at the same place on any machine."""


TEXT_BUDGET: Final = TextBudget()
"""The budget of every question that names no other."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """What a walk has seen: each state with the state and character that led there, in breadth-first order."""

    parents: dict[State, tuple[State | None, str]]
    end: State | None
    """The first state that accepts, `None` when there is none."""

    def word(self) -> str | None:
        """Return the text that leads to the end."""
        if self.end is None:
            return None
        chars: list[str] = []
        state, char = self.parents[self.end]
        while state is not None:
            chars.append(char)
            state, char = self.parents[state]
        return "".join(reversed(chars))


def explore(
    automaton: Automaton,
    start: State,
    *,
    budget: TextBudget = TEXT_BUDGET,
    known: Mapping[State, bool] | None = None,
) -> Exploration:
    """Walk until a state accepts. `known` says of states whether they are dead; a live one ends the walk too.

    Raises `BudgetExceededError` when the budget is used up first.
    """
    known = known or {}
    deadline = thread_time() + budget.seconds
    steps = 0
    parents: dict[State, tuple[State | None, str]] = {start: (None, "")}
    queue = [start]
    for number, state in enumerate(queue):
        if automaton.accepts(state) or known.get(state) is False:
            return Exploration(parents, state)
        letters = automaton.letters(state)
        steps += (len(letters) + 1) * automaton.breadth(state)
        if len(queue) > budget.states or steps > budget.steps:
            message = f"a question about texts needs more than {budget.states} states or {budget.steps} steps"
            raise BudgetExceededError(message)
        if number % _CLOCK_EVERY == 0 and thread_time() > deadline:
            raise BudgetExceededError(f"a question about texts needs more than {budget.seconds} seconds")
        for char in (*sorted(letters), unnamed(letters)):
            after = automaton.step(state, char)
            if after is not False and after not in parents and not known.get(after, False):
                parents[after] = (state, char)
                queue.append(after)
    return Exploration(parents, None)


def unnamed(named: frozenset[str]) -> str:
    """Return a character outside a set, a readable one if there is one."""
    for char in _READABLE:
        if char not in named:
            return char
    code = 0xA1
    while chr(code) in named:
        code += 1
    return chr(code)
