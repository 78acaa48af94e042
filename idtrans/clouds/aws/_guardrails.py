"""Organisation policies and endpoint policies: further gates, certain only where it is known that they apply.

https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_scps_evaluation.html
https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_rcps.html
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Final, cast

from idtrans.algebra import (
    ALWAYS,
    ANY_TEXT,
    AnyOf,
    Box,
    Condition,
    Gate,
    Language,
    Opaque,
    Quantifier,
    Test,
    Truth,
    all_of,
    any_of,
    exact,
    negate,
    one_of,
    opaques,
)
from idtrans.catalog import aws_rcp_services
from idtrans.clouds.aws._arns import is_account
from idtrans.clouds.aws._compile import actions_language, symbol, title
from idtrans.clouds.aws._index import CLOUD, parties
from idtrans.model.documents import Unsupported
from idtrans.model.values import Effect, Layer

if TYPE_CHECKING:
    from idtrans.clouds.aws._compile import Rule
    from idtrans.clouds.aws._holders import Holder
    from idtrans.clouds.aws._index import Index
    from idtrans.model.entities import Policy
    from idtrans.model.estate import Estate

_SERVICE_LINKED: Final = ":role/aws-service-role/"
_BEYOND_RCPS: Final = exact("kms:RetireGrant", fold=True)
"""https://docs.aws.amazon.com/kms/latest/developerguide/resource-control-policies.html."""
EVERYWHERE: Final = "*"
"""Owner of guardrails that are known to apply to every request."""
_UNPLACED: Final = {
    Layer.SCP: "it is not stated which accounts this service control policy is attached to",
    Layer.RCP: "it is not stated which resources this resource control policy covers",
    Layer.ENDPOINT: "it is not known whether the request passes the endpoint of this policy",
}
"""Why a policy of a layer may or may not apply to a request."""


@dataclass(frozen=True, slots=True)
class Rails:
    """What limits a principal beside its own policies."""

    gates: tuple[Gate, ...] = ()
    denies: tuple[Box, ...] = ()


def guardrails(holder: Holder, index: Index, estate: Estate) -> Rails:
    """Return the gates and denies of organisation and endpoint policies for a principal."""
    gates: list[Gate] = []
    denies: list[Box] = []
    if holder.account is not None and _SERVICE_LINKED not in holder.carrier:
        _add_placed(holder, index, _levels(holder.account, estate), (gates, denies))
    for policy in _beside(holder, index, estate):
        applies = _applies(policy, estate)
        gates.append(_tentative_gate(policy, holder, index, applies))
        denies += _tentative_denies(policy, holder, index, applies)
    return Rails(tuple(gates), tuple(denies))


def unplaced(holder: Holder, index: Index, estate: Estate) -> list[Policy]:
    """Return the guardrails of which it is not known whether they apply to the requests of a principal."""
    return [policy for policy in _beside(holder, index, estate) if opaques(_applies(policy, estate))]


def is_level(name: str, estate: Estate) -> bool:
    """Tell whether the estate knows what is below a unit, or above an account."""
    return name in estate.parents or name in estate.parents.values()


def _applies(policy: Policy, estate: Estate) -> Condition:
    """Return which requests a guardrail is about, beside what its statements say."""
    owner = _owner(policy)
    if owner == EVERYWHERE:
        return ALWAYS
    if owner is not None and policy.layer is Layer.ENDPOINT:
        return Test("aws:sourcevpce", Quantifier.ONE, exact(owner.rpartition("/")[2]), label="aws:SourceVpce")
    if owner is not None and policy.layer is Layer.RCP and is_account(owner):
        return _of_accounts(exact(owner), Truth.FALSE)
    if owner is not None and policy.layer is Layer.RCP and is_level(owner, estate):
        return _below(owner, estate)
    return Opaque(f"{symbol(policy)} applies", _UNPLACED[_layer(policy)])


def _below(level: str, estate: Estate) -> Condition:
    """Return which requests are about resources below a level: that is not known for accounts that have none above."""
    memo = cast("dict[str, Condition]", estate.memo.setdefault((CLOUD, "below levels"), {}))
    if level not in memo:
        accounts = [name for name in estate.parents if is_account(name)]
        inside = one_of(account for account in accounts if level in _levels(account, estate))
        unclear = Opaque(f"the account of the resource is below {level}", "nothing says what is above that account")
        memo[level] = any_of(
            _of_accounts(inside, Truth.FALSE), all_of(_of_accounts(~one_of(accounts), Truth.TRUE), unclear)
        )
    return memo[level]


def _of_accounts(accounts: Language, missing: Truth) -> Condition:
    return Test("aws:resourceaccount", Quantifier.ONE, accounts, missing, "aws:ResourceAccount")


def _beside(holder: Holder, index: Index, estate: Estate) -> list[Policy]:
    """Return the guardrails that no known level above the account of a principal has."""
    found = [*index.layers.get(Layer.ENDPOINT, ())]
    if _SERVICE_LINKED in holder.carrier:
        # Service-linked roles are beyond the policies of an organisation.
        return found
    found += index.layers.get(Layer.RCP, ())
    if holder.account is not None:
        levels = _levels(holder.account, estate)
        known = {*levels, *estate.parents, *estate.parents.values()}
        found += [policy for policy in index.layers.get(Layer.SCP, ()) if _owner(policy) not in known]
    return found


def doubts(holder: Holder, index: Index, estate: Estate) -> list[Unsupported]:
    """Return the same as report entries."""
    return [_doubt(policy, holder.id) for policy in unplaced(holder, index, estate)]


def _doubt(policy: Policy, subject: str) -> Unsupported:
    reason = f"`{title(policy)}` may limit access: {_UNPLACED[_layer(policy)]}"
    return Unsupported(reason, policy.source, "aws", subject)


def _layer(policy: Policy) -> Layer:
    return Layer(policy.layer.value)


def _owner(policy: Policy) -> str | None:
    return policy.owner if isinstance(policy.owner, str) else None


def _levels(account: str, estate: Estate) -> list[str]:
    """Return an account and the units above it, as far as the estate knows them."""
    found = [account]
    while (parent := estate.parents.get(found[-1])) is not None and parent not in found:
        found.append(parent)
    return found


def _add_placed(holder: Holder, index: Index, levels: list[str], rails: tuple[list[Gate], list[Box]]) -> None:
    """Add the service control policies of the levels above an account: each level must allow."""
    by_level: dict[str, list[Rule]] = defaultdict(list)
    for policy in index.layers.get(Layer.SCP, ()):
        owner = _owner(policy)
        if owner in levels and owner is not None:
            by_level[owner] += index.compiled(policy)
    gates, denies = rails
    for level, rules in by_level.items():
        allows = tuple(rule.box(holder.language) for rule in rules if rule.effect is Effect.ALLOW)
        gates.append(Gate(f"service control policies of {level}", Layer.SCP.value, AnyOf(allows)))
        denies += [rule.box(holder.language) for rule in rules if rule.effect is Effect.DENY]


def _tentative_gate(policy: Policy, holder: Holder, index: Index, applies: Condition) -> Gate:
    layer = _layer(policy)
    name = title(policy)
    allows = [
        box for rule in index.compiled(policy) if rule.effect is Effect.ALLOW for box in _boxes(rule, holder, policy)
    ]
    bypass = Box(Effect.ALLOW, layer.value, ANY_TEXT, ANY_TEXT, ANY_TEXT, negate(applies), name, policy.source)
    if layer is Layer.RCP:
        # `RCPFullAWSAccess` cannot be detached, so an allow statement is not needed.
        bypass = replace(bypass, condition=ALWAYS)
    return Gate(name, layer.value, AnyOf((*allows, bypass)), policy.source)


def _tentative_denies(policy: Policy, holder: Holder, index: Index, applies: Condition) -> list[Box]:
    return [
        replace(box, condition=all_of(box.condition, applies))
        for rule in index.compiled(policy)
        if rule.effect is Effect.DENY
        for box in _boxes(rule, holder, policy)
    ]


@cache
def _within_rcps() -> Language:
    """Return the actions that resource control policies can deny."""
    services = aws_rcp_services()
    reached = ANY_TEXT if services is None else actions_language(tuple(f"{name}:*" for name in sorted(services)))
    return reached - _BEYOND_RCPS


def _boxes(rule: Rule, holder: Holder, policy: Policy) -> list[Box]:
    """Return a rule for the principal, where it names it; service control policies mean everyone."""
    if policy.layer is Layer.SCP:
        return [rule.box(holder.language)]
    if policy.layer is Layer.RCP:
        rule = replace(rule, actions=rule.actions & _within_rcps())
    return [each.box(language & holder.language) for each, _, language in parties(rule)]
