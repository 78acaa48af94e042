"""Who could possibly do an action to a resource: most principals of an estate are ruled out without being asked.

The statements that grant are kept by their actions and resources, so that what thousands of principals share is looked
at once for a question, and what is about other services or resources not at all.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from idtrans.algebra import Language, Resources, Shelf, grants, heads_of_texts
from idtrans.ports import Narrowing

if TYPE_CHECKING:
    from idtrans.algebra import Access
    from idtrans.model.decisions import Request
    from idtrans.model.estate import Estate
    from idtrans.ports import Cloud


@dataclass(frozen=True, slots=True)
class _Deeds:
    """Statements with the same actions."""

    actions: Language
    holders: list[tuple[Resources, list[int]]]
    """Their resources, and the positions of the principals that have them."""
    shelf: Shelf[tuple[Resources, list[int]]]
    """The same by what the resources start with."""


@dataclass(frozen=True, slots=True)
class Screen:
    """The statements that grant anything to anybody."""

    principals: tuple[str, ...]
    statements: Shelf[_Deeds]
    """By what their actions start with."""
    open: list[int]
    """Positions of principals that no statement limits."""

    def possible(self, request: Request) -> list[str]:
        """Return the principals with a statement about the action and resource of a request, in order.

        A request about some resource or other is about another one for each principal, so all resources count.
        """
        found = set(self.open)
        wide = request.asked is not None or "*" in request.resource
        for deeds in self.statements.about(request.action):
            if deeds.actions.matches(request.action):
                for texts, positions in deeds.holders if wide else deeds.shelf.about(request.resource):
                    if wide or _may_hold(texts, request.resource):
                        found.update(positions)
        return [self.principals[position] for position in sorted(found)]


def access_about(cloud: Cloud, request: Request, estate: Estate) -> Access:
    """Return what the principal of a request may do, at least all that is about the request."""
    if _narrows(type(cloud)):
        return cast("Narrowing", cloud).about(request, estate)
    return cloud.access(request.principal, estate)


def possible(cloud: Cloud, request: Request, estate: Estate) -> list[str]:
    """Return the principals with a statement about the action and resource of a request, in order."""
    if not _narrows(type(cloud)):
        return screen_of(cloud, estate).possible(request)
    narrowing = cast("Narrowing", cloud)
    return [
        principal
        for principal in narrowing.concerned(request, estate)
        if grants(narrowing.about(replace(request, principal=principal), estate)) != ()
    ]


def screen_of(cloud: Cloud, estate: Estate) -> Screen:
    """Return the screen of an estate, made once."""
    key = (cloud.name, "screen")
    if key not in estate.memo:
        estate.memo[key] = _build(cloud, estate)
    return cast("Screen", estate.memo[key])


def _build(cloud: Cloud, estate: Estate) -> Screen:
    principals = cloud.principals(estate)
    statements: dict[Language, dict[Resources, list[int]]] = defaultdict(dict)
    open_: list[int] = []
    for position, principal in enumerate(principals):
        boxes = grants(cloud.access(principal, estate))
        if boxes is None:
            open_.append(position)
            continue
        for box in boxes:
            statements[box.actions].setdefault(box.resources, []).append(position)
    deeds = (_deeds(actions, list(held.items())) for actions, held in statements.items())
    return Screen(principals, Shelf((heads_of_texts(each.actions), each) for each in deeds), open_)


def _deeds(actions: Language, holders: list[tuple[Resources, list[int]]]) -> _Deeds:
    return _Deeds(actions, holders, Shelf((heads_of_texts(held[0]), held) for held in holders))


@lru_cache(maxsize=16)
def _narrows(kind: type) -> bool:
    """Tell whether a kind of cloud narrows: to ask an object takes as long as to decide a request."""
    return issubclass(kind, Narrowing)


def _may_hold(resources: Resources, resource: str) -> bool:
    """Tell whether resources hold a resource, whatever their variables stand for."""
    if isinstance(resources, Language):
        return resources.matches(resource)
    if isinstance(resources, tuple):
        return any(_may_hold(part, resource) for part in resources)
    return resources.negated or resources.widest().matches(resource)
