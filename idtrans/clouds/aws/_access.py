"""Everything one principal may do: identity, resource and boundary policies put together as AWS evaluates them.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, cast

from idtrans.algebra import (
    ALWAYS,
    ANY_TEXT,
    NOTHING,
    Access,
    AllOf,
    AnyOf,
    Box,
    Condition,
    Except,
    Gate,
    Language,
    Opaque,
    all_of,
    exact,
)
from idtrans.clouds.aws._access_points import point_gates
from idtrans.clouds.aws._compile import symbol
from idtrans.clouds.aws._guardrails import guardrails
from idtrans.clouds.aws._holders import BOUNDARY, IDENTITY, UNREAD, Holder, carried, holder_of, pseudo_policy
from idtrans.clouds.aws._index import CLOUD, Index, Named, index_of, parties
from idtrans.clouds.aws._key_grants import is_grant
from idtrans.clouds.aws._principals import PartyKind
from idtrans.clouds.aws._service_facts import beyond_policies
from idtrans.clouds.aws._sides import resource_gate
from idtrans.model.entities import Policy
from idtrans.model.values import Effect, Layer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from idtrans.clouds.aws._compile import Rule
    from idtrans.model.estate import Estate
    from idtrans.model.spans import Source

_FREE: Final = frozenset({PartyKind.IDENTITY, PartyKind.SESSION, PartyKind.EVERYONE})
"""Parties whose grants no boundary and no session policy limits, in the account of the resource.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html#policy-eval-denyallow
"""
_OTHERS: Final = frozenset({PartyKind.SERVICE, PartyKind.FEDERATED, PartyKind.CANONICAL})
"""Parties that are no identities of an account: a resource policy alone decides on them."""


@dataclass(frozen=True, slots=True)
class _Direct:
    """What resource policies grant a principal without help of its identity policies."""

    limited: tuple[Access, ...]
    free: tuple[Access, ...]


def access(principal: str, estate: Estate) -> Access:
    """Return everything a principal may do, as far as the estate tells."""
    memo = cast("dict[str, Access]", estate.memo.setdefault((CLOUD, "access"), {}))
    if principal not in memo:
        memo[principal] = _access(principal, index_of(estate), estate)
    return memo[principal]


def _access(principal: str, index: Index, estate: Estate) -> Access:
    policy = pseudo_policy(principal, index)
    if policy is not None:
        return _document(policy, principal, index)
    holder = holder_of(principal, index)
    named = holder.named(index)
    direct = _direct(holder, named, index)
    if holder.account is None:
        base: Access = _any(*direct.limited, *direct.free)
        rails = guardrails(holder, index, estate)
        return _except(_all(base, *rails.gates, *point_gates(holder, index)), [*_denies(holder, index), *rails.denies])
    if index.bare:
        rails = guardrails(holder, index, estate)
        unstated = _all(_unstated(holder), resource_gate(holder, named, index))
        base = _all(_any(*_stated(holder, named), unstated), *rails.gates, *point_gates(holder, index))
        return beyond_policies(_except(base, [*_denies(holder, index), *rails.denies]))
    return beyond_policies(_identity(holder, index, estate, direct, named))


def _identity(holder: Holder, index: Index, estate: Estate, direct: _Direct, named: list[Named]) -> Access:
    allows = [_box(rule, holder.language) for rule in carried(holder, index, IDENTITY) if rule.effect is Effect.ALLOW]
    limits = _limits(holder, index)
    own = _all(_any(*allows), *limits, resource_gate(holder, named, index))
    base = _any(own, _all(_any(*direct.limited), *limits), *direct.free)
    rails = guardrails(holder, index, estate)
    carried_denies = [
        _box(rule, holder.language)
        for layer in (IDENTITY, BOUNDARY, Layer.SESSION)
        for rule in carried(holder, index, layer)
        if rule.effect is Effect.DENY
    ]
    return _except(
        _all(base, *rails.gates, *point_gates(holder, index)), [*carried_denies, *_denies(holder, index), *rails.denies]
    )


def _stated(holder: Holder, named: list[Named]) -> list[Box]:
    """Return what resource policies state for a principal, where nothing is known but these documents."""
    found = []
    for each in named:
        if each.rule.effect is Effect.DENY:
            continue
        delegated = each.party.kind is PartyKind.ACCOUNT and not holder.root
        foreign = each.account not in {None, holder.account} and not is_grant(each.policy.id)
        needs_more = delegated or foreign or each.party.kind is PartyKind.CANONICAL
        unread = Opaque(f"{UNREAD}{holder.id}", f"the identity policies of `{holder.id}` were not read")
        found.append(_box(each.rule, each.principals & holder.language, (unread,) if needs_more else ()))
    return found


def _unstated(holder: Holder) -> Box:
    """Return what a principal may hold by identity policies that no document has; the root user holds everything."""
    unread = Opaque(
        f"identity policies of {holder.id} allow it", f"the identity policies of `{holder.id}` were not read"
    )
    name = "the root user of the account" if holder.root else "identity policies"
    return Box(
        Effect.ALLOW,
        IDENTITY.value,
        holder.language,
        ANY_TEXT,
        ANY_TEXT,
        ALWAYS if holder.root else unread,
        name,
    )


def _limits(holder: Holder, index: Index) -> list[Gate]:
    found: list[Gate] = []
    for layer, name in ((BOUNDARY, "permissions boundary"), (Layer.SESSION, "session policy")):
        if not holder.has(layer, index):
            continue
        allows = [_box(rule, holder.language) for rule in carried(holder, index, layer) if rule.effect is Effect.ALLOW]
        found.append(Gate(f"{name} of {holder.id}", layer.value, _any(*allows)))
    return found


def _direct(holder: Holder, named: list[Named], index: Index) -> _Direct:
    limited: list[Access] = []
    free: list[Access] = []
    for each in named:
        if each.rule.effect is Effect.DENY or not _grants_alone(holder, each):
            continue
        box = _box(each.rule, each.principals & holder.language, _owner_doubt(holder, each, index))
        (limited if each.party.kind is PartyKind.ROLE else free).append(box)
    return _Direct(tuple(limited), tuple(free))


def _grants_alone(holder: Holder, named: Named) -> bool:
    kind = named.party.kind
    if holder.account is None:
        return kind is PartyKind.EVERYONE or kind in _OTHERS
    if kind is not PartyKind.ROLE and kind not in _FREE:
        return False
    return named.account in {None, holder.account} or is_grant(named.policy.id)


def _owner_doubt(holder: Holder, named: Named, index: Index) -> tuple[Condition, ...]:
    """Return what must hold for a resource policy to grant something by itself."""
    found: list[Condition] = []
    if index.bare:
        return ()
    if not named.placed:
        found.append(_unplaced(named.policy))
    if holder.account is not None and named.account is None:
        text = f"the resource of {symbol(named.policy)} is in account {holder.account}"
        found.append(Opaque(text, "the account that owns the resource is not stated"))
    return tuple(found)


def _denies(holder: Holder, index: Index) -> list[Access]:
    """Return what resource policies deny, one shared part for each key that names the principal."""
    found = [part for key in holder.keys if (part := _denied_by(key, index)) != NOTHING]
    if holder.bounded:
        # NotPrincipal with Deny always denies principals that have a permissions boundary.
        # https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html
        rules = (each.rule for key in holder.keys for each in index.named.get(key, ()))
        denies = (rule for rule in rules if rule.effect is Effect.DENY)
        found += [_box(rule, holder.language) for rule in denies if rule.statement.not_principals is not None]
    return found


def _denied_by(key: str, index: Index) -> Access:
    if key not in index.denies:
        index.denies[key] = AnyOf(
            tuple(
                _box(each.rule, each.principals, () if each.placed or index.bare else (_unplaced(each.policy),))
                for each in index.named.get(key, ())
                if each.rule.effect is Effect.DENY
            )
        )
    return index.denies[key]


def _unplaced(policy: Policy) -> Condition:
    return Opaque(f"{symbol(policy)} belongs to the resource", "its resource is not stated")


def _document(policy: Policy, principal: str, index: Index) -> Access:
    """Return what a document without owner says by itself; with a Principal element, for whom it says it."""
    allows: list[Access] = []
    denies: list[Box] = []
    for rule in index.compiled(policy):
        for each, language in _document_parties(policy, rule, principal):
            (allows if rule.effect is Effect.ALLOW else denies).append(_box(each, language))
    denying = all(rule.effect is Effect.DENY for rule in index.compiled(policy))
    if denying and (policy.layer is Layer.SCP or policy.layer is Layer.RCP):
        allows.append(_full_access(policy.layer, principal, policy.source))
    return _except(_any(*allows), denies)


def _full_access(layer: Layer, principal: str, source: Source) -> Box:
    """Return the policy that stands beside one that only denies: without it, the level would let nothing pass.

    https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_scps_evaluation.html
    """
    scp = layer is Layer.SCP
    name = "the policy FullAWSAccess beside it" if scp else "the policy RCPFullAWSAccess beside it"
    language = exact(principal) if scp else ANY_TEXT
    return Box(Effect.ALLOW, layer.value, language, ANY_TEXT, ANY_TEXT, ALWAYS, name, source)


def _document_parties(policy: Policy, rule: Rule, principal: str) -> list[tuple[Rule, Language]]:
    if policy.layer not in {Layer.RESOURCE, Layer.TRUST, Layer.RCP, Layer.ENDPOINT}:
        return [(rule, exact(principal))]
    return [(each, language) for each, _, language in parties(rule)]


def _box(rule: Rule, principals: Language, conditions: tuple[Condition, ...] = ()) -> Box:
    box = rule.box(principals)
    return replace(box, condition=all_of(box.condition, *conditions)) if conditions else box


def _any(*parts: Access) -> Access:
    kept = tuple(part for part in parts if part != NOTHING)
    return kept[0] if len(kept) == 1 else AnyOf(kept)


def _all(first: Access, *gates: Access) -> Access:
    if first == NOTHING or not gates:
        return first
    return AllOf((first, *gates))


def _except(base: Access, denies: Sequence[Access]) -> Access:
    return Except(base, AnyOf(tuple(denies))) if denies else base
