"""The automaton of a whole text language: what is left to match after the text read so far.

A state is a Boolean combination of the states of the atoms, in which every atom that is settled (accepts or refuses
whatever follows) has become a constant. `True` and `False` are therefore states of their own, and most states that mean
the same are the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from idtrans.algebra._text_nodes import Atom, Every, Group, Node, Not
from idtrans.algebra._text_walk import explore, unnamed

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from idtrans.algebra._text_machine import Machine

FRESH: Final = "\U0010ffff"
"""Stands for every character that a state does not name. `Automaton.fresh` gives a readable one."""


class Leaf(NamedTuple):
    """An atom that is not settled."""

    number: int
    inner: Hashable
    positive: bool


class Branch(NamedTuple):
    """Several residues, at least two."""

    every: bool
    parts: frozenset[Residue]


Residue = Leaf | Branch
State = bool | Residue
"""What is still to be matched: hashable, and equal when built of equal parts."""


@dataclass(frozen=True, slots=True)
class Automaton:
    """A deterministic automaton, computed as far as it is walked. Equal when built from the same language."""

    node: Node
    start: State = field(init=False, repr=False, compare=False)
    """The state before the first character."""
    _atoms: dict[Atom, int] = field(init=False, repr=False, compare=False, default_factory=dict)
    _machines: list[Machine[Any]] = field(init=False, repr=False, compare=False, default_factory=list)
    _dead: dict[State, bool] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Enter the language."""
        object.__setattr__(self, "start", self._enter(self.node))

    def step(self, state: State, char: str) -> State:
        """Return the state after one more character."""
        if isinstance(state, bool):
            return state
        if isinstance(state, Leaf):
            number, inner, positive = state
            machine = self._machines[number]
            after = machine.step(inner, char)
            fate = machine.fate(after)
            return Leaf(number, after, positive) if fate is None else fate is positive
        return _branch(every=state.every, parts=[self.step(part, char) for part in state.parts])

    def run(self, text: str, state: State | None = None) -> State:
        """Return the state after a whole text, from the start or from another state."""
        state = self.start if state is None else state
        for char in text:
            state = self.step(state, char)
        return state

    def accepts(self, state: State) -> bool:
        """Tell whether the text read so far is in the language."""
        if isinstance(state, bool):
            return state
        if isinstance(state, Leaf):
            return self._machines[state.number].accepts(state.inner) is state.positive
        answers = (self.accepts(part) for part in state.parts)
        return all(answers) if state.every else any(answers)

    def letters(self, state: State) -> frozenset[str]:
        """Return the characters that can lead elsewhere than a fresh one does."""
        if isinstance(state, bool):
            return frozenset()
        if isinstance(state, Leaf):
            return self._machines[state.number].letters(state.inner)
        return frozenset().union(*map(self.letters, state.parts))

    def breadth(self, state: State) -> int:
        """Return how many patterns read the next character, as a measure of what a step costs."""
        return sum(map(self.breadth, state.parts)) if isinstance(state, Branch) else 1

    def fresh(self, state: State) -> str:
        """Return a readable character that the state does not name."""
        return unnamed(self.letters(state))

    def is_total(self, state: State) -> bool:
        """Tell whether everything is accepted from here; `False` when that is not plain to see."""
        return state is True

    def is_dead(self, state: State) -> bool:
        """Tell whether nothing can be accepted any more.

        Raises `BudgetExceededError` when that cannot be told within the budget.
        """
        if isinstance(state, bool):
            return not state
        if state not in self._dead:
            self._settle(state)
        return self._dead[state]

    def _settle(self, state: State) -> None:
        found = explore(self, state, known=self._dead)
        if found.end is None:
            self._dead.update(dict.fromkeys(found.parents, True))
            return
        at: State | None = found.end
        while at is not None:
            self._dead[at] = False
            at = found.parents[at][0]

    def _enter(self, node: Node) -> State:
        if isinstance(node, Group):
            return _branch(every=isinstance(node, Every), parts=[self._enter(part) for part in node.parts])
        atom = cast("Atom", node.atom if isinstance(node, Not) else node)
        if atom not in self._atoms:
            self._atoms[atom] = len(self._machines)
            self._machines.append(atom.machine())
        number = self._atoms[atom]
        return self._leaf(number, self._machines[number].start, positive=atom is node)

    def _leaf(self, number: int, inner: Hashable, *, positive: bool) -> State:
        fate = self._machines[number].fate(inner)
        return Leaf(number, inner, positive) if fate is None else fate is positive


@dataclass(frozen=True, slots=True)
class Passage:
    """The texts that lead an automaton from one state to another."""

    automaton: Automaton
    start: State
    end: State

    @property
    def folds(self) -> bool:
        """Whether the automaton's language folds."""
        return self.automaton.node.folds

    @property
    def caseless(self) -> bool:
        """Whether the automaton's language is caseless."""
        return self.automaton.node.caseless

    def matches(self, text: str) -> bool:
        """Walk the text."""
        return self.automaton.run(text, self.start) == self.end

    def machine(self) -> Machine[Any]:
        """Return itself: the automaton with another start and another end."""
        return cast("Machine[State]", self)

    def step(self, state: State, char: str) -> State:
        """Return the automaton's next state."""
        return self.automaton.step(state, char)

    def accepts(self, state: State) -> bool:
        """Tell whether the end is reached."""
        return state == self.end

    def fate(self, state: State) -> bool | None:
        """Settle the two states that are never left."""
        return state is self.end if isinstance(state, bool) else None

    def letters(self, state: State) -> frozenset[str]:
        """Return the automaton's letters."""
        return self.automaton.letters(state)


@lru_cache(maxsize=1024)
def automaton_of(node: Node) -> Automaton:
    """Return the automaton of a language, the same one while it is remembered."""
    return Automaton(node)


def _branch(*, every: bool, parts: Iterable[State]) -> State:
    left: set[Residue] = set()
    for part in parts:
        if isinstance(part, bool):
            if part is not every:
                return part
        elif isinstance(part, Branch) and part.every is every:
            left |= part.parts
        else:
            left.add(part)
    if len(left) > 1:
        return Branch(every, frozenset(left))
    return left.pop() if left else every
