"""The automata of single patterns and word lists, run without ever being built.

A pattern runs as a bit mask of the places in it that the text read so far can have reached. When a run of anything
(`*`) is reached, the earlier places are dropped: whatever they still accept, the run accepts too. A single pattern
therefore has about as many states as it has characters.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from idtrans.algebra._text_fold import fold_char, fold_text, spellings

if TYPE_CHECKING:
    from collections.abc import Iterable

SEPARATOR: Final = ":"
"""What a wildcard in one of the first five fields of an ARN never matches."""


class Wildcard(Enum):
    """A wildcard between the literal pieces of a pattern."""

    STAR = "*"
    ONE_CHAR = "?"

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        """Render as in patterns."""
        return self.value


STAR: Final = Wildcard.STAR
"""Any run of characters, including none."""

ONE_CHAR: Final = Wildcard.ONE_CHAR
"""Exactly one character."""

Tokens = tuple[str | Wildcard, ...]
"""A pattern: literal texts and wildcards, normalised by `tokens_of`."""


S = TypeVar("S")


class Machine(Protocol[S]):
    """A deterministic automaton whose states are computed when they are asked for."""

    @property
    def start(self) -> S:
        """The state before the first character."""
        ...

    def step(self, state: S, char: str) -> S:
        """Return the state after one more character."""
        ...

    def accepts(self, state: S) -> bool:
        """Tell whether the text read so far is in the language."""
        ...

    def fate(self, state: S) -> bool | None:
        """Return what holds for every continuation: `True` accepted, `False` refused, `None` not settled."""
        ...

    def letters(self, state: S) -> frozenset[str]:
        """Return the characters that can lead elsewhere than a character that the pattern does not name."""
        ...


def tokens_of(parts: Iterable[str | Wildcard]) -> Tokens:
    """Normalise a pattern: literals joined, empty ones dropped, and in a run of wildcards one star, at its end."""
    out: list[str | Wildcard] = []
    for part in parts:
        last = out[-1] if out else None
        if isinstance(part, str):
            if isinstance(last, str):
                out[-1] = last + part
            elif part:
                out.append(part)
        elif last is not STAR:
            out.append(part)
        elif part is ONE_CHAR:
            out[-1:] = [ONE_CHAR, STAR]
    return tuple(out)


class PatternMachine:
    """The automaton of a pattern, or of several fields joined by colons of which only the last is free to cross one."""

    start: Final = 1

    def __init__(self, fields: tuple[Tokens, ...], *, fold: bool) -> None:
        """Lay the characters of the pattern out on bits; bit n of a mask means that n of them are matched."""
        self._fold = fold
        self._named: dict[str, int] = {}
        self._places: dict[int, str] = {}
        self._any = self._inside = self._runs = self._inner_runs = 0
        bit = 0
        for number, tokens in enumerate(fields, 1):
            bit = self._lay(tokens, bit, last=number == len(fields))
            if number < len(fields):
                bit = self._name(SEPARATOR, bit)
        self._end = bit

    def _lay(self, tokens: Tokens, bit: int, *, last: bool) -> int:
        for token in tokens:
            if isinstance(token, str):
                for char in fold_text(token) if self._fold else token:
                    bit = self._name(char, bit)
            elif token is STAR:
                self._runs |= (1 << bit) if last else 0
                self._inner_runs |= 0 if last else (1 << bit)
            else:
                self._any |= (1 << bit) if last else 0
                self._inside |= 0 if last else (1 << bit)
                bit += 1
        return bit

    def _name(self, char: str, bit: int) -> int:
        self._named[char] = self._named.get(char, 0) | (1 << bit)
        self._places[bit] = char
        return bit + 1

    def step(self, state: int, char: str) -> int:
        """Return the mask after one more character."""
        char = fold_char(char) if self._fold else char
        hits, runs = self._named.get(char, 0) | self._any, self._runs
        if char != SEPARATOR:
            hits |= self._inside
            runs |= self._inner_runs
        after = ((state & hits) << 1) | (state & runs)
        reached = after & (self._runs | self._inner_runs)
        if reached:
            place = reached.bit_length() - 1
            after = after >> place << place
        return after

    def accepts(self, state: int) -> bool:
        """Tell whether the whole pattern is matched."""
        return bool(state >> self._end & 1)

    def fate(self, state: int) -> bool | None:
        """Settle a mask that is empty, or that stands in a star at the end."""
        if not state:
            return False
        return True if self.accepts(state) and self._runs >> self._end & 1 else None

    def letters(self, state: int) -> frozenset[str]:
        """Return the characters that the places reached so far name."""
        found = {SEPARATOR} if state & (self._inside | self._inner_runs) else set()
        while state:
            place = state.bit_length() - 1
            state ^= 1 << place
            if place in self._places:
                found.add(self._places[place])
        return _all_spellings(found) if self._fold else frozenset(found)

    def matches(self, text: str) -> bool:
        """Run a whole text."""
        state = self.start
        for char in text:
            state = self.step(state, char)
            if not state:
                return False
        return self.accepts(state)


@dataclass(frozen=True, slots=True)
class WordsMachine:
    """The automaton of a word list. A state is the text read so far, or `None` when no word starts with it."""

    words: tuple[str, ...]
    """Sorted, and folded when `fold` is set."""
    fold: bool

    @property
    def start(self) -> str | None:
        """The empty text."""
        return "" if self.words else None

    def step(self, state: str | None, char: str) -> str | None:
        """Return the longer text while some word starts with it."""
        if state is None:
            return None
        text = state + (fold_char(char) if self.fold else char)
        at = bisect_left(self.words, text)
        return text if at < len(self.words) and self.words[at].startswith(text) else None

    def accepts(self, state: str | None) -> bool:
        """Tell whether the text read is a word."""
        if state is None:
            return False
        at = bisect_left(self.words, state)
        return at < len(self.words) and self.words[at] == state

    def fate(self, state: str | None) -> bool | None:
        """Settle the state that no word starts with."""
        return False if state is None else None

    def letters(self, state: str | None) -> frozenset[str]:
        """Return the next characters of the words that start with the text read, by jumps over the sorted list."""
        found: set[str] = set()
        if state is not None:
            at = bisect_left(self.words, state)
            if at < len(self.words) and self.words[at] == state:
                at += 1
            while at < len(self.words) and self.words[at].startswith(state):
                char = self.words[at][len(state)]
                found.add(char)
                at = len(self.words) if char == "\U0010ffff" else bisect_left(self.words, state + chr(ord(char) + 1))
        return _all_spellings(found) if self.fold else frozenset(found)


def _all_spellings(folded: Iterable[str]) -> frozenset[str]:
    return frozenset(spelling for char in folded for spelling in spellings(char))
