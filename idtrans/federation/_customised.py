"""Subjects that tenants put together themselves: which of them does a trust let in?

A stranger may give the own subject any keys in any order, so a pattern is safe only where every way to spell it fixes
the tenant. https://docs.github.com/en/actions/reference/security/oidc#customizing-the-token-claims
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from idtrans.algebra import STAR, Automaton, Language, exact, pieces
from idtrans.catalog import Customised, Level, Slot
from idtrans.federation._boxes import Box, narrow, solve
from idtrans.federation._claims import SUBJECT, Alternative
from idtrans.federation._reach import basis
from idtrans.federation._split import Parts, Progress, advance, split
from idtrans.federation._walk import Values, admits_letters, is_fixed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.catalog import Issuer, Template

MOST_KEYS: Final = 4
"""Keys of one subject that are tried."""
MOST_STEPS: Final = 1_000
"""Beginnings of subjects that are kept for one alternative."""
MOST_TRIED: Final = 200
"""Beginnings of subjects that are continued with every key."""
_BETWEEN: Final = ":"
"""What stands between two keys of a subject."""
_EVERYTHING: Final = True
"""The state of an automaton from which every text is accepted."""


class Seeking(Enum):
    """Which customised subjects are wanted."""

    STRANGERS = "strangers"
    """One whose tenant is not fixed."""
    ALL = "all"


@dataclass(frozen=True, slots=True)
class _Begun:
    """A subject of which some keys are chosen."""

    state: Any
    box: Box
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Search:
    """What stays the same while subjects are put together."""

    automaton: Automaton
    rules: Customised
    seeking: Seeking


def customised_boxes(alternative: Alternative, issuer: Issuer, seeking: Seeking) -> list[Box]:
    """Return boxes of customised subjects that an alternative admits.

    A box that is cut off by the limits is marked `capped`.
    """
    rules = issuer.customised
    required = alternative.claims.get(SUBJECT)
    if rules is None or required is None:
        return []
    if seeking is Seeking.STRANGERS and _is_settled(required.single, rules, issuer):
        return []
    automaton = required.single.automaton()
    found = []
    for base in solve(alternative, rules.shape, issuer):
        box = replace(base, subject=())
        if seeking is Seeking.ALL or basis(box, Level.TENANT) is None:
            found += _search(_Search(automaton, rules, seeking), box)
    return found


def _is_settled(language: Language, rules: Customised, issuer: Issuer) -> bool:
    """Tell whether every text that is listed names the tenant at its beginning or its end, whichever key that is."""
    listed = language.forms()
    if listed is None or listed.negated or listed.fold:
        return False
    patterns = (*((word,) for word in listed.words), *listed.patterns)
    heads = {tokens[0] if isinstance(tokens[0], str) else "" for tokens in patterns}
    told = {head: _is_told(head, rules, issuer) for head in heads}
    return all(
        told[tokens[0] if isinstance(tokens[0], str) else ""]
        or (isinstance(tokens[-1], str) and _is_told_last(tokens[-1], rules, issuer))
        for tokens in patterns
    )


def _is_told(head: str, rules: Customised, issuer: Issuer) -> bool:
    first = (rules.first,) if rules.first is not None else tuple(rules.keys)
    tenants = _tenants(issuer)
    return all(_names_tenant(head, template, tenants, issuer) for key in first for template in rules.keys[key])


def _is_told_last(tail: str, rules: Customised, issuer: Issuer) -> bool:
    tenants = _tenants(issuer)
    return all(_ends_in_tenant(tail, each, tenants, issuer) for several in rules.keys.values() for each in several)


@lru_cache(maxsize=64)
def _tenants(issuer: Issuer) -> frozenset[str]:
    return frozenset(name for pin in issuer.pins_of(Level.TENANT) for name in pin.components)


def _names_tenant(head: str, template: Template, tenants: frozenset[str], issuer: Issuer) -> bool:
    """Tell whether texts that begin so name their tenant in the first component of a template, or never fit it."""
    start = template[0] if isinstance(template[0], str) else ""
    if not head.startswith(start):
        return not start.startswith(head)
    slot = next((part for part in template if isinstance(part, Slot)), None)
    if slot is None or slot.component not in tenants:
        return False
    rest = head.removeprefix(start)
    # The value ends inside of the beginning.
    return any(not admits_letters(issuer.components[slot.component].alphabet, char) for char in rest)


def _ends_in_tenant(tail: str, template: Template, tenants: frozenset[str], issuer: Issuer) -> bool:
    """Tell whether texts that end so name their tenant in a template that comes last, or never have it there."""
    colons = [at for at, char in enumerate(tail) if char == _BETWEEN]
    ends = [pieces((STAR, tail)), *(exact(tail[at + 1 :]) for at in colons if at + 1 < len(tail))]
    cuts = [split(end, template, issuer) for end in ends]
    named = (any(_is_fixed(parts, name, issuer) for name in tenants) for each in cuts for parts in each.products)
    return not any(each.capped for each in cuts) and all(named)


def _is_fixed(parts: Parts, name: str, issuer: Issuer) -> bool:
    return name in parts and is_fixed(Values(parts[name], issuer.components[name].alphabet))


def _search(search: _Search, box: Box) -> list[Box]:
    automaton = search.automaton
    queue = [_Begun(automaton.start, box)]
    reached: dict[Any, list[frozenset[str]]] = {}
    found: list[Box] = []
    for tried, begun in enumerate(queue):
        if tried > MOST_TRIED or len(queue) > MOST_STEPS:
            return [*found, _cut_short(box, found, search)]
        for after in _continue(automaton, begun, search.rules):
            own = basis(after.box, Level.TENANT) is not None
            if (own and search.seeking is Seeking.STRANGERS) or _is_covered(after, box, reached):
                continue
            if automaton.accepts(after.state):
                found.append(after.box)
                if basis(after.box, Level.PROJECT) is None:
                    # Strangers are sought first, so nothing wider can follow.
                    return found
            queue += [after] if len(after.keys) < MOST_KEYS and after.state is not _EVERYTHING else []
    return found


def _cut_short(box: Box, found: list[Box], search: _Search) -> Box:
    """Return what stands for the subjects that were not tried.

    Own subjects are sought only where no stranger has one, so that the tenant is the most that is left open.
    """
    if search.seeking is Seeking.STRANGERS or not found:
        return replace(box, capped=True)
    tenants = _tenants(box.issuer)
    parts = {name: language for name, language in found[0].parts.items() if name in tenants or name in box.parts}
    return replace(found[0], parts=parts, capped=True)


def _is_covered(after: _Begun, box: Box, reached: dict[Any, list[frozenset[str]]]) -> bool:
    """Tell whether the same state was reached with fewer components narrowed, and remember this way to it."""
    fixed = {f"{name} is fixed" for name in after.box.parts if after.box.fixed(name)}
    narrowed = {name for name, language in after.box.parts.items() if box.parts.get(name) != language} | fixed
    ways = reached.setdefault(after.state, [])
    if any(way <= narrowed for way in ways):
        return True
    ways.append(frozenset(narrowed))
    return False


def _continue(automaton: Automaton, begun: _Begun, rules: Customised) -> Iterator[_Begun]:
    first = (rules.first,) if rules.first is not None and not begun.keys else tuple(rules.keys)
    for key in first:
        if key in begun.keys:
            continue
        for template in rules.keys[key]:
            full = _joined(_BETWEEN, template) if begun.keys else template
            progress = advance(automaton, Progress(begun.state, {}), full, begun.box.issuer)
            if progress is None:
                # Too many ways to fill the template: any continuation may be accepted.
                yield _Begun(_EVERYTHING, replace(begun.box, capped=True), (*begun.keys, key))
                continue
            for one in progress:
                box = narrow(begun.box, one.parts)
                if box is not None:
                    subject = (*(begun.box.subject or ()), *full)
                    yield _Begun(one.state, replace(box, subject=subject), (*begun.keys, key))


def _joined(separator: str, template: Template) -> Template:
    first, *rest = template
    return (separator + first, *rest) if isinstance(first, str) else (separator, first, *rest)
