"""Closed worlds: an estate in which the facts of some queries hold and nothing exists that is not stated.

Queries whose facts agree share a world, so that what it compiles to is compiled once.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final, cast

from idtrans.clouds.aws._arns import account_of, is_account, read_arn
from idtrans.clouds.aws._facts import acting, resource_account
from idtrans.clouds.aws._guardrails import EVERYWHERE, is_level
from idtrans.clouds.aws._holders import holder_of
from idtrans.clouds.aws._ids import principal
from idtrans.clouds.aws._index import CLOUD, index_of
from idtrans.clouds.aws._org_words import status
from idtrans.clouds.aws._organizations import organizations_of
from idtrans.clouds.aws._parse_document import DEFAULT_VERSION
from idtrans.clouds.aws._parse_identity import named_identity
from idtrans.model.entities import Attachment, Container, Policy, Principal, PrincipalKind, Resource
from idtrans.model.spans import NOWHERE
from idtrans.model.values import UNKNOWN, Layer

if TYPE_CHECKING:
    from idtrans.clouds.aws._index import Index
    from idtrans.clouds.aws._organizations import Organizations
    from idtrans.model.entities import Entity
    from idtrans.model.estate import Estate
    from idtrans.ports import Query

_ORGANIZATION: Final = "organization"
"""Container of all levels that policies name, and of all accounts."""
_CARRIED: Final = frozenset({Layer.IDENTITY, Layer.BOUNDARY})
_OF_ORGANIZATIONS: Final = frozenset({Layer.SCP, Layer.RCP})
_Facts = dict[tuple[str, str], str | bool | None]
"""What must be the same for queries to share a world."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """One query, read."""

    caller: str
    carrier: str
    account: str | None
    resource: str
    """What a policy of the resource belongs to: the bucket of an object, else the resource itself."""
    resource_account: str | None
    facts: _Facts


@dataclass(slots=True)
class _World:
    """Queries that share an estate."""

    facts: _Facts = field(default_factory=dict)
    asked: dict[int, _Asked] = field(default_factory=dict)
    """Queries by their position."""

    def fits(self, asked: _Asked) -> bool:
        return all(self.facts.get(name, value) == value for name, value in asked.facts.items())


def worlds(estate: Estate, queries: Sequence[Query]) -> tuple[Estate, ...]:
    """Return for each query the estate that it is asked of when nothing exists but what is stated.

    Raises:
        UsageError: a principal cannot be read, or the facts of a query cannot hold.
    """
    index = index_of(estate)
    found: list[_World] = []
    for position, query in enumerate(queries):
        asked = _read(query, index, estate)
        world = next((world for world in found if world.fits(asked)), None)
        if world is None:
            world = _World()
            found.append(world)
        world.facts |= asked.facts
        world.asked[position] = asked
    placed: dict[int, Estate] = {}
    for world in found:
        closed = _closed(estate, index, world)
        placed |= dict.fromkeys(world.asked, closed)
    return tuple(placed[position] for position in range(len(queries)))


def _read(query: Query, index: Index, estate: Estate) -> _Asked:
    caller = acting(principal(query.principal, estate), query)
    holder = holder_of(caller, index)
    resource = _owner_of(query.resource)
    stated = resource_account(query)
    facts: _Facts = {("account of", resource): stated}
    if any(index.layers.get(layer) for layer in (Layer.SCP, Layer.RCP, Layer.ENDPOINT)):
        keys = {key.lower() for key in query.context}
        linked = query.facts.get("service_linked_role") is True
        known = organizations_of(estate)
        managed = _manages(query, holder.account, known)
        outside = query.facts.get("organization") is False
        owner = stated or index.stated(resource) or holder.account
        facts["applies", Layer.SCP] = not (linked or managed or outside)
        facts["applies", Layer.RCP] = not (
            linked or (owner is not None and _manages(query, owner, known, holder.account))
        )
        facts["passes", Layer.ENDPOINT] = "aws:sourcevpce" not in keys
    return _Asked(caller, holder.carrier, holder.account, resource, stated or account_of(query.resource), facts)


def _manages(query: Query, account: str | None, known: Organizations, caller: str | None = None) -> bool:
    """Tell whether an account is the management account of its organisation, which the policies of it spare.

    https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_scps.html
    """
    if "management_account" not in query.facts:
        return account is not None and known.manages(account)
    stated = query.facts["management_account"]
    if stated is True:
        return caller is None or account == caller
    return stated is not False and stated == account


def _owner_of(resource: str) -> str:
    arn = read_arn(resource)
    in_bucket = arn is not None and arn.service == "s3" and not arn.account
    return resource.partition("/")[0] if in_bucket else resource


def _closed(estate: Estate, index: Index, world: _World) -> Estate:
    """Return the estate of a world; equal worlds of an estate, which several suites may ask of, are one."""
    memo = cast("dict[Hashable, Estate]", estate.memo.setdefault((CLOUD, "worlds"), {}))
    asked = ((one.caller, one.carrier, one.resource, one.resource_account) for one in world.asked.values())
    key = (frozenset(world.facts.items()), frozenset(asked))
    if key not in memo:
        memo[key] = _close(estate, index, world)
    return memo[key]


def _close(estate: Estate, index: Index, world: _World) -> Estate:
    stated = tuple(_stated(estate, index, world))
    kept: list[Entity] = []
    hung = organizations_of(estate)
    for entity in estate.entities:
        if isinstance(entity, Policy) and entity.cloud == CLOUD:
            if entity.id not in hung.placed or entity.owner is not UNKNOWN:
                kept += _placed(entity, index, world, estate)
        elif isinstance(entity, Container) and entity.attributes:
            kept.append(_silenced(entity))
        elif not (isinstance(entity, Attachment) and entity.layer in _OF_ORGANIZATIONS):
            kept.append(entity)
    for policy in (policy for store in (hung.placed, hung.unread) for found in store.values() for policy in found):
        kept += _placed(policy, index, world, estate)
    return replace(estate, entities=(*stated, *kept), memo={})


def _silenced(container: Container) -> Container:
    """Return a level that says nothing of the policies that may hang on it: only those that are stated exist."""
    silent = {status(layer) for layer in _OF_ORGANIZATIONS}
    return replace(
        container, attributes={name: text for name, text in container.attributes.items() if name not in silent}
    )


def _stated(estate: Estate, index: Index, world: _World) -> Iterator[Entity]:
    """Yield what the queries state, before all that the documents do."""
    asked = list(world.asked.values())
    for (name, resource), account in world.facts.items():
        if name == "account of" and isinstance(account, str):
            yield Resource(CLOUD, resource, "resource", NOWHERE, account)
    for carrier in dict.fromkeys(each.carrier for each in asked):
        known = index.principals.get(carrier)
        if known is None or known.policies is UNKNOWN:
            yield from _silent_identity(carrier)
    if index.layers.get(Layer.SCP):
        yield from _levels(estate, index, {each.account for each in asked if each.account is not None})
    yield from _silent(index, asked)


def _silent_identity(carrier: str) -> Iterator[Principal]:
    """Yield an identity that no document describes: it holds what other documents give it, and nothing else."""
    arn = read_arn(carrier)
    if arn is not None and (arn.service, arn.kind) == ("sts", "federated-user"):
        yield Principal(CLOUD, carrier, PrincipalKind.FEDERATED, NOWHERE, arn.account)
    yield from named_identity(carrier, NOWHERE)


def _levels(estate: Estate, index: Index, accounts: set[str]) -> Iterator[Container]:
    """Yield the levels that service control policies name and no document places: they are above every account."""
    owners = [policy.owner for policy in index.layers[Layer.SCP] if isinstance(policy.owner, str)]
    stated = {*estate.parents, *estate.parents.values()}
    levels = [owner for owner in dict.fromkeys(owners) if not is_account(owner) and owner not in stated]
    chain = [*(level for level in levels if level != _ORGANIZATION), _ORGANIZATION]
    for level, above in pairwise(chain):
        yield Container(CLOUD, level, "level", NOWHERE, above)
    tops = {_top(account, estate) for account in accounts | set(filter(is_account, owners))}
    for top in sorted(tops):
        yield Container(CLOUD, top, "account" if is_account(top) else "level", NOWHERE, chain[0])


def _top(account: str, estate: Estate) -> str:
    seen = {account}
    while (parent := estate.parents.get(account)) is not None and parent not in seen:
        seen.add(parent)
        account = parent
    return account


def _silent(index: Index, asked: Iterable[_Asked]) -> Iterator[Policy]:
    """Yield an empty policy for each resource of another account that has none: it lets nobody in."""
    owners = {policy.owner for layer in (Layer.RESOURCE, Layer.TRUST) for policy in index.layers.get(layer, ())}
    if UNKNOWN in owners:
        return
    for each in asked:
        account = each.resource_account or index.stated(each.resource)
        if each.account is not None and account not in {None, each.account} and each.resource not in owners:
            owners.add(each.resource)
            name = f"{each.resource}#resource/none"
            yield Policy(CLOUD, name, Layer.RESOURCE, each.resource, DEFAULT_VERSION, (), NOWHERE)


def _placed(policy: Policy, index: Index, world: _World, estate: Estate) -> Iterable[Policy]:
    """Return a policy as it stands in a world: for whom it is, once each; nothing where it does not apply."""
    if policy.layer is UNKNOWN or policy.owner is None:
        return (policy,)
    if world.facts.get(("applies", policy.layer), True) is False:
        return ()
    if policy.owner is UNKNOWN:
        return _given(policy, _unowned(policy.layer, world))
    owner = policy.owner
    if policy.layer in _CARRIED:
        owner = holder_of(owner, index).carrier
    elif policy.layer is Layer.RESOURCE:
        owner = _owner_of(owner)
    elif policy.layer is Layer.RCP:
        owner = owner if is_account(owner) or is_level(owner, estate) else EVERYWHERE
    elif world.facts.get(("passes", policy.layer)) is True:
        owner = EVERYWHERE
    return (policy if owner == policy.owner else replace(policy, owner=owner),)


def _given(policy: Policy, owners: Iterable[str]) -> list[Policy]:
    return [replace(policy, id=f"{owner}#{policy.id}", owner=owner) for owner in dict.fromkeys(owners)]


def _unowned(layer: Layer, world: _World) -> Iterator[str]:
    """Yield whose a policy is that does not say so: of every query."""
    if layer is Layer.SCP:
        yield _ORGANIZATION
    elif layer in {Layer.RCP, Layer.ENDPOINT}:
        yield EVERYWHERE
    for each in world.asked.values():
        if layer in _CARRIED and each.account is not None:
            yield each.carrier
        elif layer is Layer.SESSION:
            yield each.caller
        elif layer in {Layer.RESOURCE, Layer.TRUST}:
            yield each.resource
