"""Walking a text language inside an alphabet: is there a value, exactly one, which one, and how does it begin?"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from time import process_time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from idtrans.algebra import Automaton, Language, Wildcard
from idtrans.model.errors import BudgetExceededError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from idtrans.catalog import Alphabet

MOST_STATES: Final = 2_000
"""States after which a walk gives up; what it asked is then answered in the unsafe direction."""

_READABLE: Final = "xyzwvutsrqponmlkjihgfedcba0123456789XYZWVUTSRQPONMLKJIHGFEDCBA-_"


_MOST_SECONDS: Final = 60.0
"""Processor time of one question, far beyond what its steps take."""


@dataclass(slots=True)
class _Meter:
    """What is left for the question that is being answered."""

    steps: int
    end: float
    """Processor time at which it ends all the same."""


_METER: Final[ContextVar[_Meter | None]] = ContextVar("meter", default=None)


@contextmanager
def limited(steps: int) -> Iterator[None]:
    """End all walks inside after some steps, with a `BudgetExceededError`.

    Steps and not seconds, so that a busy machine gives the same answers.
    """
    token = _METER.set(_Meter(steps, process_time() + _MOST_SECONDS))
    try:
        yield
    finally:
        _METER.reset(token)


def spend(steps: int) -> None:
    """Count some steps. Raises `BudgetExceededError` when nothing is left."""
    meter = _METER.get()
    if meter is None:
        return
    meter.steps -= steps
    if meter.steps < 0 or process_time() > meter.end:
        raise BudgetExceededError("the patterns of the trust are too many to be taken apart within the limits")


class Step(NamedTuple):
    """One way on from a state."""

    char: str
    """A character, or one of many that lead to the same state."""
    many: bool
    state: Any


@dataclass(frozen=True, slots=True)
class Values:
    """The values that a component may have: a language inside an alphabet."""

    language: Language
    alphabet: Alphabet


@dataclass(frozen=True, slots=True)
class Map:
    """The part of an automaton that an alphabet leaves, and the places in it from which a value can be completed.

    A place is a state with whether a character was read: the start does not accept where a value may not be empty.
    """

    start: tuple[Hashable, bool]
    steps: dict[tuple[Hashable, bool], tuple[Step, ...]]
    ends: frozenset[tuple[Hashable, bool]]
    live: frozenset[tuple[Hashable, bool]]
    complete: bool


def steps(automaton: Automaton, state: Any, alphabet: Alphabet) -> Iterator[Step]:  # noqa: ANN401 - the algebra's state
    """Yield the ways on from a state, without those that lead to plain refusal."""
    choices = _choices(automaton.letters(state), alphabet)
    spend(len(choices) * automaton.breadth(state))
    for char, many in choices:
        after = automaton.step(state, char)
        if after is not False:
            yield Step(char, many, after)


@lru_cache(maxsize=16384)
def is_empty(values: Values) -> bool:
    """Tell whether there is no value; `False` when that takes too long to tell."""
    words = values.language.members()
    if words is not None:
        return not any(admits_letters(values.alphabet, word) for word in words)
    found = map_of(values)
    return found.complete and found.start not in found.live


def is_fixed(values: Values) -> bool:
    """Tell whether there is one value, up to upper and lower case."""
    words = values.language.members()
    if words is not None:
        return len({word.lower() for word in words if admits_letters(values.alphabet, word)}) == 1
    found = map_of(values)
    if not found.complete or found.start not in found.live:
        return False
    places = {found.start}
    for _ in range(len(found.steps) + 1):
        if places & found.ends:
            return not any(_ways_on(found, place) for place in places)
        ways = [step for place in places for step in _ways_on(found, place)]
        if len({step.char.lower() for step in ways}) > 1 or any(step.many for step in ways):
            return False
        places = {(step.state, True) for step in ways}
    return False


@lru_cache(maxsize=16384)
def sample(values: Values, preferred: tuple[str, ...] = ()) -> str | None:
    """Return a value: the first of some preferred ones that is a member, else a shortest one."""
    for text in preferred:
        if values.language.matches(text) and admits_letters(values.alphabet, text):
            return text
    least = _least(values)
    if least is not None:
        return least
    return _shortest(map_of(values))


def _shortest(found: Map) -> str | None:
    if found.start not in found.live:
        return None
    parents: dict[tuple[Hashable, bool], tuple[tuple[Hashable, bool], str] | None] = {found.start: None}
    queue = [found.start]
    for place in queue:
        if place in found.ends:
            return _word(parents, place)
        for step in _ways_on(found, place):
            if (step.state, True) not in parents:
                parents[step.state, True] = (place, step.char)
                queue.append((step.state, True))
    return None


@lru_cache(maxsize=16384)
def literal_start(values: Values) -> str:
    """Return the text that every value begins with."""
    least = _least(values)
    if least is not None:
        return least
    found = map_of(values)
    place, start = found.start, ""
    while found.complete and place not in found.ends and len(start) <= len(found.steps):
        ways = _ways_on(found, place)
        if len(ways) != 1 or ways[0].many:
            break
        start += ways[0].char
        place = (ways[0].state, True)
    return start


def _least(values: Values) -> str | None:
    """Return the text that a language of one word, or of one beginning, holds and all its values begin with."""
    listed = values.language.forms()
    if listed is None or listed.negated or listed.fold:
        return None
    match (*((word,) for word in listed.words), *listed.patterns):
        case ((str(text),),) | ((str(text), Wildcard.STAR),) if admits_letters(values.alphabet, text):
            return text
        case _:
            return None


def admits_letters(alphabet: Alphabet, text: str) -> bool:
    """Tell whether a text is written in an alphabet."""
    if not text:
        return alphabet.empty
    letters = set(text)
    return not letters & alphabet.never and (alphabet.only is None or letters <= alphabet.only)


@lru_cache(maxsize=16384)
def map_of(values: Values) -> Map:
    """Explore the language once."""
    automaton = values.language.automaton()
    start = (automaton.start, values.alphabet.empty)
    found: dict[tuple[Hashable, bool], tuple[Step, ...]] = {}
    queue = [] if automaton.start is False else [start]
    seen = set(queue)
    for place in queue:
        found[place] = tuple(steps(automaton, place[0], values.alphabet))
        after = dict.fromkeys((step.state, True) for step in found[place] if (step.state, True) not in seen)
        seen.update(after)
        queue += after
        if len(seen) > MOST_STATES:
            break
    ends = frozenset(place for place in seen if place[1] and automaton.accepts(place[0]))
    # An open edge of a walk that was cut short may lead anywhere.
    open_edge = seen - found.keys()
    return Map(start, found, ends, _live(found, set(ends) | open_edge), complete=not open_edge)


def _live(
    found: dict[tuple[Hashable, bool], tuple[Step, ...]], live: set[tuple[Hashable, bool]]
) -> frozenset[tuple[Hashable, bool]]:
    before: dict[tuple[Hashable, bool], list[tuple[Hashable, bool]]] = {}
    for place, ways in found.items():
        for step in ways:
            before.setdefault((step.state, True), []).append(place)
    queue = list(live)
    for place in queue:
        fresh = [one for one in before.get(place, ()) if one not in live]
        live.update(fresh)
        queue += fresh
    return frozenset(live)


def _ways_on(found: Map, place: tuple[Hashable, bool]) -> list[Step]:
    return [step for step in found.steps.get(place, ()) if (step.state, True) in found.live]


def _word(parents: dict[tuple[Hashable, bool], tuple[tuple[Hashable, bool], str] | None], end: Any) -> str:  # noqa: ANN401
    chars: list[str] = []
    link = parents[end]
    while link is not None:
        place, char = link
        chars.append(char)
        link = parents[place]
    return "".join(reversed(chars))


@lru_cache(maxsize=16384)
def _choices(letters: frozenset[str], alphabet: Alphabet) -> tuple[tuple[str, bool], ...]:
    """Return the characters to try: each that is named, and one for all others."""
    if alphabet.only is not None:
        others = sorted(alphabet.only - letters)
        named = sorted(letters & alphabet.only, key=_lower_first)
        rest = [(others[0], len(others) > 1)] if others else []
    else:
        named = sorted(letters - alphabet.never, key=_lower_first)
        other = next((char for char in _READABLE if char not in letters and char not in alphabet.never), "¡")
        while other in letters or other in alphabet.never:
            other = chr(ord(other) + 1)
        rest = [(other, True)]
    return (*((char, False) for char in named), *rest)


def _lower_first(char: str) -> tuple[bool, str]:
    return char.isupper(), char
