"""Cutting a language of claim texts into components, along a template: exact, as a finite union of products."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from idtrans.algebra import ANY_TEXT, Automaton, Language, Wildcard, leading, pieces, union
from idtrans.catalog import Component, Slot
from idtrans.federation._cut import Cut, cut, text_of
from idtrans.federation._walk import MOST_STATES, Values, is_empty, is_fixed, spend, steps
from idtrans.model.errors import BudgetExceededError

if TYPE_CHECKING:
    from idtrans.catalog import Alphabet, Issuer, Template

MOST_PARTS: Final = 256
"""Products after which a split gives up and calls the claim free."""
MOST_LISTED: Final = 4_096
"""Words and patterns of one list after which it is not looked at, which admits more."""
MOST_HARD: Final = 128
"""The same for patterns that need an automaton."""

Parts = Mapping[str, Language]
"""Components and the values they are limited to; what is not named is free."""


@dataclass(frozen=True, slots=True)
class Split:
    """The texts of a language that a template can make."""

    products: tuple[Parts, ...]
    capped: bool = False
    """Whether there were too many, and the one product stands for more than the language holds."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a template has led."""

    state: Any
    """The automaton's state."""
    parts: Parts


@dataclass(frozen=True, slots=True)
class Tail:
    """What stands behind a component in a template."""

    literal: str
    last: bool
    """Whether the text ends after it."""


@lru_cache(maxsize=16384)
def split(language: Language, template: Template, issuer: Issuer) -> Split:
    """Return the products of component values whose texts the language holds."""
    listed = language.forms()
    if listed is None or listed.negated or listed.fold:
        return _split(language, template, issuer)
    tokens = [*((word,) for word in listed.words), *listed.patterns]
    hard = sum(text_of(each) is None for each in tokens)
    if len(tokens) > MOST_LISTED or hard > MOST_HARD:
        return Split(({},), capped=True)
    found = [_split_one(each, template, issuer) for each in tokens]
    return Split(tuple(parts for one in found for parts in one.products), any(one.capped for one in found))


def _split_one(tokens: tuple[str | Wildcard, ...], template: Template, issuer: Issuer) -> Split:
    text = text_of(tokens)
    found = cut(text, template, issuer) if text is not None else None
    if found is None:
        return _split(pieces(tokens), template, issuer)
    met = [_met(one, issuer) for one in found]
    return Split(tuple(parts for parts in met if parts is not None))


def _met(found: Cut, issuer: Issuer) -> Parts | None:
    """Return components that have all the values of their places, `None` when one has none."""
    parts: Parts | None = {}
    for name, languages in found.items():
        for language in languages:
            parts = meet(parts, issuer.components[name], language) if parts is not None else None
    return parts


def run(automaton: Automaton, state: Any, text: str) -> Any:  # noqa: ANN401 - the algebra's state
    """Return the state after a literal, `False` as soon as it is refused."""
    for char in text:
        if state is False:
            break
        state = automaton.step(state, char)
    return state


def is_dead(automaton: Automaton, state: Any) -> bool:  # noqa: ANN401 - the algebra's state
    """Tell whether a state leads nowhere; `False` when that takes too long to tell."""
    try:
        return automaton.is_dead(state)
    except BudgetExceededError:
        return False


def advance(
    automaton: Automaton, progress: Progress, template: Template, issuer: Issuer, *, whole: bool = False
) -> list[Progress] | None:
    """Return where a template leads from a state, without dead ends; `None` past the limit.

    With `whole` the text must end where the template does.
    """
    current = [progress]
    for number, part in enumerate(template):
        if isinstance(part, str):
            # The literal after a slot was looked at when the slot was filled.
            if number == 0:
                current = [Progress(run(automaton, one.state, part), one.parts) for one in current]
        else:
            after = template[number + 1] if number + 1 < len(template) else ""
            literal = after if isinstance(after, str) else ""
            tail = Tail(literal, last=whole and number + 1 + bool(literal) == len(template))
            filled = [_fill(automaton, one, issuer.components[part.component], tail) for one in current]
            current = [progress for several in filled if several is not None for progress in several]
            if None in filled or len(current) > MOST_PARTS:
                return None
        current = [one for one in current if one.state is not False and not is_dead(automaton, one.state)]
    return [one for one in current if automaton.accepts(one.state)] if whole else current


def _split(language: Language, template: Template, issuer: Issuer) -> Split:
    words = language.members()
    if words is not None and len(template) == 1 and isinstance(template[0], Slot):
        # The value is the whole text: nothing to cut.
        parts = meet({}, issuer.components[template[0].component], language)
        return Split((parts,) if parts is not None else ())
    automaton = language.automaton()
    ends = advance(automaton, Progress(automaton.start, {}), template, issuer, whole=True)
    return Split(tuple(end.parts for end in ends)) if ends is not None else Split(({},), capped=True)


def _fill(automaton: Automaton, progress: Progress, component: Component, tail: Tail) -> list[Progress] | None:
    """Return the states after a component and the literal behind it, with the values that lead there."""
    ends = _ends(automaton, progress.state, component.alphabet)
    if ends is None:
        return None
    onward: dict[Any, list[Language | None]] = {}
    for end in ends:
        spend(len(tail.literal) + 1)
        after = run(automaton, end, tail.literal)
        if after is not False and (automaton.accepts(after) if tail.last else not is_dead(automaton, after)):
            onward.setdefault(after, []).append(_between(automaton, progress.state, end))
    found = []
    for after, languages in onward.items():
        for language in _merged(languages, component):
            narrowed = _limited(progress.parts, component, language)
            if narrowed is not None:
                found.append(Progress(after, narrowed))
    return found


def _limited(parts: Parts, component: Component, language: Language | None) -> Parts | None:
    """Return the same as `meet` for a language that some value of the component was seen to lead through."""
    if language is None or component.name in parts or component.values != ANY_TEXT:
        return meet(parts, component, language)
    return {**parts, component.name: language}


def _merged(languages: list[Language | None], component: Component) -> list[Language | None]:
    """Join ways to one state, unless each of them is a single value.

    Single values must stay apart: a list of two repositories is tight, `app?` is not.
    """
    if len(languages) == 1:
        return languages
    whole = [language for language in languages if language is not None]
    if len(whole) < len(languages):
        return [None]
    if all(is_fixed(Values(language, component.alphabet)) for language in whole):
        return languages
    return [union(whole)]


def _between(automaton: Automaton, start: Any, end: Any) -> Language | None:  # noqa: ANN401 - the algebra's states
    return None if start is True and end is True else leading(automaton, start, end)


def meet(parts: Parts, component: Component, language: Language | None) -> Parts | None:
    """Return parts with one component narrowed, `None` when it has no value left."""
    if language is None:
        return parts
    known = parts.get(component.name)
    narrowed = language & (known if known is not None else component.values)
    if is_empty(Values(narrowed, component.alphabet)):
        return None
    return {**parts, component.name: narrowed}


@lru_cache(maxsize=16384)
def _ends(automaton: Automaton, start: Any, alphabet: Alphabet) -> tuple[Any, ...] | None:  # noqa: ANN401 - the algebra's states
    """Return the states that values in an alphabet can lead to, `None` when there are too many."""
    queue: list[Any] = [start]
    seen: set[Any] = {start}
    again = alphabet.empty
    for state in queue:
        for step in steps(automaton, state, alphabet):
            again = again or step.state == start
            if step.state not in seen:
                seen.add(step.state)
                queue.append(step.state)
        if len(seen) > MOST_STATES:
            return None
    return tuple(queue if again else queue[1:])
