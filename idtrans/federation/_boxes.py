"""Boxes: tokens of one shape whose components are each in a set of values. A trust admits a union of boxes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from idtrans.algebra import ANY_TEXT
from idtrans.catalog import Claim, Issuer, Presence, Shape, Template
from idtrans.federation._split import Parts, Split, split
from idtrans.federation._walk import Values, is_empty, is_fixed, spend

if TYPE_CHECKING:
    from idtrans.federation._claims import Alternative, Requirement

MOST_BOXES: Final = 2_000
"""Boxes of one alternative and shape after which a requirement is left out, which admits more."""

_STEPS_OF_BOX: Final = 8
"""What it costs to narrow a box, in steps of a walk."""


@dataclass(frozen=True, slots=True, eq=False)
class Box:
    """Tokens that are admitted. Boxes are told apart by identity, so that what is found of one can be kept."""

    issuer: Issuer
    shape: Shape
    parts: Parts = field(default_factory=dict)
    """Components that are limited, by name."""
    tested: frozenset[str] = frozenset()
    """Claims that are tested and present."""
    absent: frozenset[str] = frozenset()
    """Claims that must be missing."""
    unread: frozenset[str] = frozenset()
    capped: bool = False
    subject: Template | None = None
    """Template of a customised subject."""

    @property
    def sure(self) -> bool:
        """Whether the box holds no token that is refused for a reason that was not understood."""
        return not self.unread and not self.capped

    def values(self, component: str) -> Values:
        """Return the values that a component may have."""
        known = self.issuer.components[component]
        return Values(self.parts.get(component, known.values), known.alphabet)

    def fixed(self, component: str) -> bool:
        """Tell whether a component has one value, up to upper and lower case."""
        return component in self.parts and _is_fixed(self.values(component))


def solve(alternative: Alternative, shape: Shape, issuer: Issuer) -> list[Box]:
    """Return the boxes of a shape that meet all requirements of an alternative."""
    boxes = [Box(issuer, shape, dict(shape.limits), unread=alternative.unread, capped=alternative.capped)]
    for name, required in alternative.claims.items():
        claim = shape.claim(name)
        boxes = [after for box in boxes for after in _require(box, name, claim, required)]
        if len(boxes) > MOST_BOXES:
            return [Box(issuer, shape, dict(shape.limits), unread=alternative.unread, capped=True)]
    return boxes


def narrow(box: Box, parts: Parts) -> Box | None:
    """Return the tokens of a box that also have these parts, `None` when there are none."""
    spend(_STEPS_OF_BOX)
    met = dict(box.parts)
    for name, language in parts.items():
        if name in met and met[name] != language:
            met[name] &= language
            if is_empty(Values(met[name], box.issuer.components[name].alphabet)):
                return None
        else:
            met[name] = language
    return replace(box, parts=met)


def _require(box: Box, name: str, claim: Claim | None, required: Requirement) -> Iterable[Box]:
    if claim is None:
        yield replace(box, unread=box.unread | {f"claim `{name}`"})
        return
    if required.absent and claim.presence is not Presence.ALWAYS:
        yield replace(box, absent=box.absent | {name})
    if claim.presence is Presence.NEVER or not claim.templates:
        if claim.presence is not Presence.NEVER:
            yield box
        return
    present = replace(box, tested=box.tested | {name})
    yield from _present(present, claim, required)


def _present(box: Box, claim: Claim, required: Requirement) -> Iterable[Box]:
    if len(claim.templates) == 1:
        yield from _meet(box, [split(required.single, claim.templates[0], box.issuer)])
        return
    boxes = [box]
    if required.every != ANY_TEXT:
        for template in claim.templates:
            boxes = [b for one in boxes for b in _meet(one, [split(required.every, template, box.issuer)])]
    for some in required.some:
        cuts = [split(some, template, box.issuer) for template in claim.templates]
        boxes = [b for one in boxes for b in _meet(one, cuts)]
    yield from boxes


def _meet(box: Box, cuts: Iterable[Split]) -> Iterable[Box]:
    for cut in cuts:
        for parts in cut.products:
            met = narrow(replace(box, capped=box.capped or cut.capped), parts)
            if met is not None:
                yield met


_is_fixed = lru_cache(maxsize=16384)(is_fixed)
