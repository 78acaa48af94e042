"""From the end of a branch to a request that people recognise: known actions, on resources they can be about."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

from idtrans.algebra._condition import ACTION, FIXED_KEYS, PRINCIPAL, RESOURCE, Test
from idtrans.algebra._search_values import ANYTHING, Rules, Wish, accepted_by, common_member, satisfies
from idtrans.model.decisions import Knowledge, Request
from idtrans.model.errors import BudgetExceededError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from idtrans.algebra._search_domain import Domain
    from idtrans.algebra._sets import ValueSet

_COMPARISONS = 20_000
"""Spent at most on finding known actions for one question."""
_ACTIONS_TRIED = 16
"""Actions for which a fitting resource is looked for at the end of one branch."""

Values = dict[str, tuple[str, ...]]
"""Values by key; none for an absent key."""


class Witnesses:
    """Makes requests in a domain. It helps to choose among possible requests and never decides whether there is one."""

    def __init__(self, domain: Domain, rules: Rules) -> None:
        """Start with all known actions."""
        self._domain = domain
        self._rules = rules
        self._listed = frozenset(domain.actions)
        self._known = domain.actions
        self._left = _COMPARISONS

    def narrow(self, wishes: Sequence[Wish]) -> None:
        """Keep the known actions that fulfil wishes which every request of the question has to fulfil."""
        self._known = tuple(self.actions(wishes))

    def actions(self, wishes: Sequence[Wish]) -> Iterator[str]:
        """Yield known actions that fulfil the wishes, as long as the allowance lasts."""
        for action in self._known:
            if self._left < 0:
                return
            self._left -= 1 + len(wishes)
            if all(satisfies(wish, (action,), self._rules) for wish in wishes):
                yield action

    def is_unlisted(self, action: str) -> bool:
        """Tell whether actions are listed, and this one is not among them."""
        return bool(self._listed) and self._left >= 0 and action not in self._listed

    def fitting(self, values: Values, wishes: Mapping[str, Sequence[Wish]]) -> Request | None:
        """Return a request whose resource fits its action; `None` when no action that was tried has one."""
        hint = self._domain.resource_hint
        chosen = values.get(ACTION) or tuple(islice(self.actions(()), 1)) or (ANYTHING,)
        if hint is None:
            return self.request({**values, ACTION: chosen})
        regions = list(_regions(wishes.get(RESOURCE, ())))
        for action in dict.fromkeys(chain(chosen, islice(self.actions(wishes.get(ACTION, ())), _ACTIONS_TRIED))):
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


def _regions(wishes: Iterable[Wish]) -> Iterator[ValueSet]:
    for test, wanted in wishes:
        accepted = accepted_by(test, wanted=wanted) if isinstance(test, Test) else None
        if accepted is not None:
            yield accepted


def _member(sets: Sequence[ValueSet]) -> str | None:
    try:
        return common_member(RESOURCE, sets)
    except BudgetExceededError:
        return None
