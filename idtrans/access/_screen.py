"""Who could possibly do an action to a resource: most principals of an estate are ruled out without being asked.

The statements that grant are kept by their actions and resources, so that what thousands of principals share is looked
at once for a question.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

from idtrans.algebra import Language, Resources, grants
from idtrans.ports import Narrowing

if TYPE_CHECKING:
    from idtrans.algebra import Access
    from idtrans.model.decisions import Request
    from idtrans.model.estate import Estate
    from idtrans.ports import Cloud


@dataclass(slots=True)
class Screen:
    """The statements that grant anything to anybody."""

    principals: tuple[str, ...]
    statements: dict[Language, dict[Resources, list[int]]] = field(default_factory=lambda: defaultdict(dict))
    """Positions of principals by the actions and resources of the statements that they have."""
    open: list[int] = field(default_factory=list)
    """Positions of principals that no statement limits."""

    def possible(self, request: Request) -> list[str]:
        """Return the principals with a statement about the action and resource of a request, in order.

        A request about some resource or other is about another one for each principal, so all resources count.
        """
        found = set(self.open)
        wide = request.asked is not None or "*" in request.resource
        for actions, resources in self.statements.items():
            if actions.matches(request.action):
                for texts, positions in resources.items():
                    if wide or _may_hold(texts, request.resource):
                        found.update(positions)
        return [self.principals[position] for position in sorted(found)]


def access_about(cloud: Cloud, request: Request, estate: Estate) -> Access:
    """Return what the principal of a request may do, at least all that is about the request."""
    if isinstance(cloud, Narrowing):
        return cloud.about(request, estate)
    return cloud.access(request.principal, estate)


def possible(cloud: Cloud, request: Request, estate: Estate) -> list[str]:
    """Return the principals with a statement about the action and resource of a request, in order."""
    if not isinstance(cloud, Narrowing):
        return screen_of(cloud, estate).possible(request)
    return [
        principal
        for principal in cloud.concerned(request, estate)
        if grants(cloud.about(replace(request, principal=principal), estate)) != ()
    ]


def screen_of(cloud: Cloud, estate: Estate) -> Screen:
    """Return the screen of an estate, made once."""
    key = (cloud.name, "screen")
    if key not in estate.memo:
        estate.memo[key] = _build(cloud, estate)
    return cast("Screen", estate.memo[key])


def _build(cloud: Cloud, estate: Estate) -> Screen:
    screen = Screen(cloud.principals(estate))
    for position, principal in enumerate(screen.principals):
        boxes = grants(cloud.access(principal, estate))
        if boxes is None:
            screen.open.append(position)
            continue
        for box in boxes:
            screen.statements[box.actions].setdefault(box.resources, []).append(position)
    return screen


def _may_hold(resources: Resources, resource: str) -> bool:
    """Tell whether resources hold a resource, whatever their variables stand for."""
    if isinstance(resources, Language):
        return resources.matches(resource)
    if isinstance(resources, tuple):
        return any(_may_hold(part, resource) for part in resources)
    return resources.negated or resources.widest().matches(resource)
