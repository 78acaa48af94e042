"""Ways into an identity: who can ask for it, whom its trusts let in, who impersonates it, and who is a member."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeVar

from idtrans.access._can import who_can
from idtrans.algebra import ALWAYS, describe
from idtrans.model.decisions import Hop, HopKind, Outcome
from idtrans.model.entities import BindingState, Container, Membership, Principal, Resource, RoleBinding
from idtrans.model.spans import NOWHERE
from idtrans.model.values import Reach
from idtrans.ports import Assuming, Impersonator, Query

if TYPE_CHECKING:
    from idtrans.model.decisions import Decision
    from idtrans.model.estate import Estate
    from idtrans.ports import Cloud, Impersonation, Trust, Truster

_T = TypeVar("_T")
_MOST_KEPT: Final = 100_000
"""How many links are remembered; beyond, it starts anew."""


@dataclass
class Ways:
    """What an estate says about becoming each of its identities."""

    estate: Estate
    clouds: Mapping[str, Cloud]
    trusters: Mapping[str, Truster]
    reach: Callable[[Trust], Reach]
    """How far the tokens of an issuer carry that a trust admits."""
    speakers: Callable[[Trust], Iterable[str]] = lambda _: ()
    """Identities of the estate that get tokens of an issuer which a trust admits."""
    _found: dict[str, tuple[Hop, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _kept: int = field(default=0, init=False, repr=False, compare=False)

    def into(self, target: str) -> tuple[Hop, ...]:
        """Return every way into an identity, from one party each. Many questions lead to the same identities."""
        found = self._found.get(target)
        if found is None:
            if self._kept >= _MOST_KEPT:
                self._found.clear()
                self._kept = 0
            found = self._found[target] = tuple(self._into(target))
            self._kept += 1 + len(found)
        return found

    def _into(self, target: str) -> Iterator[Hop]:
        yield from self._allowed(target)
        for trust in self._trusts.get(target, ()):
            yield from self._trusted(trust)
        for place in (target, *self._above(target)):
            yield from (_impersonated(entry, target) for entry in self._impersonations.get(place, ()))
        for entry in self._members.get(target, ()):
            yield Hop(entry.member, target, HopKind.MEMBER_OF, "membership", entry.source)

    def holders(self, place: str) -> Iterator[Hop]:
        """Yield who holds a role on a place, or on a container of it."""
        for scope in (place, *self._above(place)):
            for binding in self._bindings.get(scope, ()):
                eligible = binding.state is BindingState.ELIGIBLE
                condition = "the assignment is activated" if eligible else binding.condition
                outcome = Outcome.ALLOW if condition is None else Outcome.CONDITIONAL
                role = binding.role_name or binding.role
                for member in binding.members:
                    yield Hop(member, place, HopKind.HOLDS, role, binding.source, outcome, condition)

    def _allowed(self, target: str) -> Iterator[Hop]:
        """Yield the principals that the cloud lets ask for the identity."""
        for name, cloud in self.clouds.items():
            if not isinstance(cloud, Assuming) or target not in self._principals[name]:
                continue
            for action, resource in cloud.assuming(target, self.estate):
                answer = who_can(cloud, self.estate, Query("", action, resource))
                yield from (_asked(decision, target, action) for decision in (*answer.allowed, *answer.unknown))

    def _trusted(self, trust: Trust) -> Iterator[Hop]:
        """Yield whom a trust lets in that no decision speaks of: issuers, services and outsiders."""
        reach = self.reach(trust) if trust.issuer is not None else trust.reach
        if reach is Reach.DEAD:
            return
        always = trust.admits == ALWAYS
        outcome = Outcome.ALLOW if always else Outcome.UNKNOWN if reach is Reach.UNKNOWN else Outcome.CONDITIONAL
        condition = None if always else describe(trust.admits)
        if trust.issuer is not None:
            yield Hop(trust.issuer, trust.target, HopKind.FEDERATES, "token", trust.source, outcome, condition, reach)
            for each in self.speakers(trust):
                yield Hop(each, trust.target, HopKind.FEDERATES, "token", trust.source, outcome, condition)
        source: object = self.clouds.get(trust.cloud)
        asked = source if isinstance(source, Assuming) else None
        for party in trust.parties:
            if asked is None or not asked.speaks_for(party, self.estate):
                yield Hop(party, trust.target, HopKind.CAN_ASSUME, "trust", trust.source, outcome, condition, reach)

    @cached_property
    def _principals(self) -> dict[str, frozenset[str]]:
        return {name: frozenset(cloud.principals(self.estate)) for name, cloud in self.clouds.items()}

    @cached_property
    def _trusts(self) -> dict[str, list[Trust]]:
        return _grouped((trust.target, trust) for source in self._sources() for trust in source.trusts(self.estate))

    @cached_property
    def _impersonations(self) -> dict[str, list[Impersonation]]:
        found = (each for each in self._sources() if isinstance(each, Impersonator))
        return _grouped((entry.target, entry) for each in found for entry in each.impersonations(self.estate))

    @cached_property
    def _members(self) -> dict[str, list[Membership]]:
        return _grouped((entry.group, entry) for entry in self.estate.of(Membership))

    @cached_property
    def _bindings(self) -> dict[str, list[RoleBinding]]:
        return _grouped((each.scope, each) for each in self.estate.of(RoleBinding) if isinstance(each.scope, str))

    @cached_property
    def _parents(self) -> dict[str, str]:
        found = {each.id: each.parent for each in self.estate.of(Container) if each.parent is not None}
        inside: tuple[Principal | Resource, ...] = (*self.estate.of(Principal), *self.estate.of(Resource))
        return {**{each.id: each.container for each in inside if each.container is not None}, **found}

    def _above(self, target: str) -> list[str]:
        """Return the containers above an identity, nearest first; a hierarchy that runs in a circle ends."""
        found: list[str] = []
        place = self._parents.get(target)
        while place is not None and place not in found:
            found.append(place)
            place = self._parents.get(place)
        return found

    def _sources(self) -> Iterable[Truster]:
        return ({**self.trusters, **self.clouds}[name] for name in sorted({*self.trusters, *self.clouds}))


def _asked(decision: Decision, target: str, action: str) -> Hop:
    """Return a decision on becoming an identity as a link, stated where the identity's own policy lets it."""
    stated = sorted(decision.reasons, key=lambda reason: reason.layer != "resource")
    source = stated[0].source if stated else NOWHERE
    party = decision.request.principal
    return Hop(party, target, HopKind.CAN_ASSUME, action, source, decision.outcome, decision.condition)


def _impersonated(entry: Impersonation, target: str) -> Hop:
    outcome = Outcome.ALLOW if entry.condition is None else Outcome.CONDITIONAL
    found = outcome if entry.sure else Outcome.UNKNOWN
    return Hop(entry.party, target, HopKind.CAN_ASSUME, entry.permission, entry.source, found, entry.condition)


def _grouped(pairs: Iterable[tuple[str, _T]]) -> dict[str, list[_T]]:
    found: dict[str, list[_T]] = defaultdict(list)
    for key, value in pairs:
        found[key].append(value)
    return dict(found)
