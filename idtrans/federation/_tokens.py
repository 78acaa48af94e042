"""Example tokens out of boxes."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from idtrans.algebra import ANY_TEXT, Language, exact
from idtrans.catalog import Component, Issuer, Level, Presence, Slot, Template
from idtrans.federation._claims import AUDIENCE, ISSUER, SUBJECT
from idtrans.federation._walk import Values, literal_start, sample

if TYPE_CHECKING:
    from idtrans.federation._boxes import Box

Claims = Mapping[str, str | tuple[str, ...]]
"""Claims of a token by name; a tuple is a list."""


class Who(Enum):
    """Whose token an example is."""

    OWN = "own"
    STRANGER = "stranger"
    ANOTHER = "another"
    """A stranger of another tenant."""


def outsiders_of(box: Box, issuer: str) -> tuple[Claims, ...]:
    """Return tokens of two strangers of different tenants out of a box that fixes no tenant."""
    first = fill(box, {}, who=Who.STRANGER) if box.subject != () else None
    if first is None:
        return ()
    pins = [name for pin in box.issuer.pins_of(Level.TENANT) for name in pin.components]
    others = {name: ~exact(first[name], fold=True) for name in pins if not box.fixed(name)}
    second = fill(box, others, who=Who.ANOTHER)
    return tuple(token_of(box, values, issuer) for values in (first, second) if values is not None)


def example_of(box: Box, who: Who = Who.OWN) -> str | None:
    """Return the subject of a token out of a box."""
    values = fill(box, {}, who=who) if box.subject != () else None
    return _subject(box, values) if values is not None else None


def fill(box: Box, also: Mapping[str, Language], *, who: Who) -> dict[str, str] | None:
    """Return a value for every component, `None` when some component has none; `also` narrows components further."""
    values: dict[str, str] = {}
    for name, component in box.issuer.components.items():
        found = _value(box, component, also.get(name, ANY_TEXT), who)
        if found is None:
            return None
        values[name] = found
    return values


def token_of(box: Box, values: Mapping[str, str], issuer: str) -> Claims:
    """Return the claims of a token: issuer, subject, audience, what is tested, and what says whose it is."""
    token: dict[str, str | tuple[str, ...]] = {ISSUER: issuer, SUBJECT: _subject(box, values)}
    pins = {name for pin in box.issuer.pins if pin.level is not Level.WORKLOAD for name in pin.components}
    for name, claim in box.shape.claims.items():
        telling = claim.presence is Presence.ALWAYS and len(claim.templates) == 1 and _slots(claim.templates[0]) <= pins
        if name == SUBJECT or not claim.templates or not (name in box.tested or telling or name == AUDIENCE):
            continue
        texts = tuple(_text(template, values) for template in claim.templates)
        token[name] = texts[0] if len(texts) == 1 else texts
    for name in sorted(box.tested - token.keys()):
        family = box.shape.claim(name)
        if family is not None and family.templates:
            token[name] = _text(family.templates[0], values)
    return token


def _value(box: Box, component: Component, also: Language, who: Who) -> str | None:
    if component.name not in box.parts and also == ANY_TEXT:
        return _free(box.issuer, component.name, who)
    known = box.values(component.name)
    return _chosen(component, Values(known.language & also, known.alphabet), who, limited=component.name in box.parts)


@lru_cache(maxsize=4096)
def _free(issuer: Issuer, name: str, who: Who) -> str | None:
    """Return a value of a component that nothing limits: the same for every box of an issuer."""
    component = issuer.components[name]
    return _chosen(component, Values(component.values, component.alphabet), who, limited=False)


def _chosen(component: Component, values: Values, who: Who, *, limited: bool) -> str | None:
    order = {
        Who.OWN: (component.example, *component.samples) if component.example is not None else component.samples,
        Who.STRANGER: component.samples,
        Who.ANOTHER: component.samples[1:] + component.samples[:1],
    }[who]
    start = literal_start(values) if limited else ""
    if start:
        joint = "-" if start[-1].isalnum() else ""
        order += tuple(start + joint + text.rpartition("/")[2] for text in order)
    return sample(values, order)


def _subject(box: Box, values: Mapping[str, str]) -> str:
    template = box.subject if box.subject is not None else box.shape.claims[SUBJECT].templates[0]
    return _text(template, values)


def _text(template: Template, values: Mapping[str, str]) -> str:
    return "".join(values[part.component] if isinstance(part, Slot) else part for part in template)


def _slots(template: Template) -> set[str]:
    return {part.component for part in template if isinstance(part, Slot)}
