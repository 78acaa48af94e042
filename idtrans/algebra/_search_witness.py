"""From the end of a branch to a request that people recognise: known actions, on resources they can be about."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

from idtrans.algebra._condition import ACTION, FIXED_KEYS, PRINCIPAL, RESOURCE
from idtrans.algebra._search_values import ANYTHING, Rules, Wish, common_member
from idtrans.algebra._text import Language
from idtrans.model.decisions import Knowledge, Request
from idtrans.model.errors import BudgetExceededError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from idtrans.algebra._search_actions import Roster
    from idtrans.algebra._search_domain import Domain
    from idtrans.algebra._sets import ValueSet

_ACTIONS_TRIED = 16
"""Actions for which a fitting resource is looked for at the end of one branch."""

Values = dict[str, tuple[str, ...]]
"""Values by key; none for an absent key."""


class Witnesses:
    """Makes requests in a domain. It helps to choose among possible requests and never decides whether there is one."""

    def __init__(self, domain: Domain, rules: Rules, roster: Roster) -> None:
        """Take the known actions of the domain as a roster, which several searches share."""
        self._domain = domain
        self._rules = rules
        self._roster = roster

    def actions(self, wishes: Sequence[Wish], near: str = "") -> Iterator[str]:
        """Yield known actions that fulfil the wishes, from the place of a text on through the alphabet."""
        found = self._roster.all
        for wish in wishes:
            if isinstance(wish.accepted, Language):
                found &= self._roster.among(wish.accepted)
        for action in self._roster.picked(found, self._roster.place(near) if near else 0):
            if all(wish.is_fulfilled((action,), self._rules) for wish in wishes):
                yield action

    def is_unlisted(self, action: str) -> bool:
        """Tell whether actions are listed, and this one is not among them."""
        return bool(self._roster.names) and action not in self._roster

    def fitting(self, values: Values, wishes: Mapping[str, Sequence[Wish]]) -> Request | None:
        """Return a request whose resource fits its action; `None` when no action that was tried has one."""
        hint = self._domain.resource_hint
        if hint is None:
            return self.request(values)
        chosen = (values.get(ACTION) or (ANYTHING,))[0]
        others = islice(self.actions(wishes.get(ACTION, ()), chosen), _ACTIONS_TRIED)
        regions = [wish.accepted for wish in wishes.get(RESOURCE, ()) if wish.accepted is not None]
        for action in dict.fromkeys(chain((chosen,), others)):
            resources = hint(action)
            if resources is None:
                return self.request({**values, ACTION: (action,)})
            resource = _member([*regions, resources])
            if resource is not None:
                return self.request({**values, ACTION: (action,), RESOURCE: (resource,)})
        return None

    def request(self, values: Values) -> Request:
        """Return the request with these values, those that follow from its principal added."""
        fixed = {key: (values.get(key) or (ANYTHING,))[0] for key in FIXED_KEYS}
        context = {key: found for key, found in values.items() if found and key not in fixed}
        if self._domain.derive is not None:
            context = {key: found for key, found in context.items() if key not in self._domain.derived}
            context.update(self._domain.derive(fixed[PRINCIPAL]))
        return Request(fixed[PRINCIPAL], fixed[ACTION], fixed[RESOURCE], context, Knowledge.CLOSED)


def _member(sets: Sequence[ValueSet]) -> str | None:
    try:
        return common_member(RESOURCE, sets)
    except BudgetExceededError:
        return None
