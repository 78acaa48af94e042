"""Resource policies that let outsiders in.

https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from idtrans.algebra import NOTHING, AnyOf, Except, Status, difference
from idtrans.catalog import aws_built_in_issuers
from idtrans.clouds.aws._arns import read_arn
from idtrans.clouds.aws._breadth import Breadth, breadth
from idtrans.clouds.aws._index import CLOUD, Index, index_of, parties
from idtrans.clouds.aws._operators import Sense
from idtrans.clouds.aws._parse_acl import is_list
from idtrans.clouds.aws._planes import worst
from idtrans.clouds.aws._principals import PartyKind
from idtrans.clouds.aws._resource_types import foreign_to
from idtrans.clouds.aws._services import service_reach
from idtrans.clouds.aws._sharing import shared
from idtrans.model.entities import Resource
from idtrans.model.facts import ExposureFact
from idtrans.model.values import Effect, Layer, Reach

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.algebra import Language
    from idtrans.clouds.aws._compile import Rule
    from idtrans.clouds.aws._principals import Party
    from idtrans.model.entities import Policy
    from idtrans.model.estate import Estate

_KINDS: Final = {"s3": "bucket", "sqs": "queue", "sns": "topic", "kms": "key", "secretsmanager": "secret"}
_STARTS: Final = {PartyKind.EVERYONE: Reach.ANYONE, PartyKind.CANONICAL: Reach.UNKNOWN}
_TRANSPORT: Final = frozenset({"aws:principaltype", "aws:securetransport", "s3:tlsversion"})
"""Keys that every caller with credentials can satisfy."""


def exposures(estate: Estate) -> tuple[ExposureFact, ...]:
    """Return what resource policies open to outsiders, one fact for each statement and party."""
    index = index_of(estate)
    resources: dict[str, list[Resource]] = defaultdict(list)
    for resource in estate.of(Resource, CLOUD):
        resources[resource.id].append(resource)
    found = (fact for policy in index.layers.get(Layer.RESOURCE, ()) for fact in _of_policy(policy, index, resources))
    return (*found, *shared(estate, frozenset(index.accounts)))


def _of_policy(policy: Policy, index: Index, resources: dict[str, list[Resource]]) -> Iterable[ExposureFact]:
    named = [(each, party, language) for rule in index.compiled(policy) for each, party, language in parties(rule)]
    denies = [(rule, party, language) for rule, party, language in named if rule.effect is Effect.DENY]
    subject = policy.owner if isinstance(policy.owner, str) else policy.id
    account = index.account(subject)
    of_list = is_list(policy.id)
    described = resources.get(subject, [])
    for rule, party, language in named:
        if rule.effect is Effect.DENY or _closed(rule, language, denies):
            continue
        found = _breadth(rule, party, denies, _own(policy, index))
        if found is None or (of_list and party.kind is PartyKind.SERVICE):
            # Logs are delivered to buckets of the same account alone.
            continue
        if party.kind is not PartyKind.SERVICE and index.blocks.closes(policy, rule.statement, account):
            continue
        fact = _fact(rule, party, found.reach, subject, described, conditional=_conditional(rule, denies))
        names = party.kind in _ACCOUNT_KINDS or bool(found.accounts)
        yield replace(fact, names_outsider=names, through="acl" if of_list else "policy")


def _fact(
    rule: Rule, party: Party, reach: Reach, subject: str, described: list[Resource], *, conditional: bool
) -> ExposureFact:
    plane, use = worst(rule.statement, rule.doubts, foreign_to(subject))
    arn = read_arn(subject)
    kind = described[0].kind if described else _KINDS.get(arn.service if arn else "", "resource")
    listed = rule.statement.actions or tuple(f"not {action}" for action in rule.statement.not_actions or ())
    return ExposureFact(
        CLOUD, subject, rule.source, kind, reach, party.id, "policy", " ".join(listed), plane, use, conditional
    )


def _own(policy: Policy, index: Index) -> frozenset[str] | None:
    """Return the accounts that are no outsiders, `None` when none is known."""
    account = index.account(policy.owner) if isinstance(policy.owner, str) else None
    own = frozenset(index.accounts) | (frozenset({account}) if account is not None else frozenset())
    return own or None


def _breadth(
    rule: Rule, party: Party, denies: list[tuple[Rule, Party, Language]], own: frozenset[str] | None
) -> Breadth | None:
    """Return how far outside a statement reaches for one party, `None` for not at all."""
    if rule.doubts:
        return Breadth(Reach.UNKNOWN)
    start = _start(party, own)
    if start is None or start is Reach.UNKNOWN:
        return None if start is None else Breadth(start)
    found = breadth(start, rule.statement.conditions)
    for deny, other, _ in denies:
        if other.kind is PartyKind.EVERYONE and len(deny.statement.conditions) == 1 and _covers(deny, rule):
            spared = breadth(found.reach, deny.statement.conditions, sense=Sense.NEGATED)
            found = Breadth(spared.reach, spared.accounts or found.accounts, found.source_fixed)
    if found.accounts is not None and own is not None and found.accounts <= own:
        return None
    if party.kind is PartyKind.SERVICE and found.source_fixed and not found.accounts:
        return None
    return found


def _start(party: Party, own: frozenset[str] | None) -> Reach | None:
    """Return how far a party alone reaches."""
    if party.kind in _ACCOUNT_KINDS:
        if own is None:
            return Reach.UNKNOWN
        outside = Reach.TENANT if party.kind is PartyKind.ACCOUNT else Reach.WORKLOAD
        return None if party.account in own else outside
    if party.kind is PartyKind.SERVICE:
        return Reach.PLATFORM if service_reach(party.id) is Reach.PLATFORM else None
    if party.kind is PartyKind.FEDERATED:
        # Whoever opens an account with a built-in provider calls: S3 names such a policy as public.
        return Reach.ANYONE if party.id.removeprefix("federated:") in aws_built_in_issuers() else None
    return _STARTS.get(party.kind)


_ACCOUNT_KINDS: Final = frozenset({PartyKind.ACCOUNT, PartyKind.ROLE, PartyKind.SESSION, PartyKind.IDENTITY})
"""Parties that belong to an account."""


def _covers(deny: Rule, allow: Rule) -> bool:
    """Tell whether a deny speaks of everything that an allow does, its condition aside."""
    if deny.doubts:
        return False
    wide = replace(deny, condition=allow.condition).box()
    return difference(allow.box(), wide).status is Status.EMPTY


def _closed(rule: Rule, language: Language, denies: list[tuple[Rule, Party, Language]]) -> bool:
    """Tell whether denies surely take away all that a statement opens."""
    if not denies or rule.doubts:
        return False
    taken = AnyOf(tuple(deny.box(principals) for deny, _, principals in denies))
    return difference(Except(rule.box(language), taken), NOTHING).status is Status.EMPTY


def _conditional(rule: Rule, denies: list[tuple[Rule, Party, Language]]) -> bool:
    tests = [*rule.statement.conditions]
    tests += [
        test for deny, _, _ in denies if deny.actions.overlaps(rule.actions) for test in deny.statement.conditions
    ]
    return any(test.key.lower() not in _TRANSPORT for test in tests)
