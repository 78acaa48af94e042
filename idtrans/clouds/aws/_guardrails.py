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
from idtrans.clouds.aws._organizations import organizations_of
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
    if holder.account is not None and not _spared(holder, estate):
        _add_placed(holder, index, _levels(holder.account, estate), (gates, denies))
    for policy in _beside(holder, index, estate):
        applies = _applies(policy, estate)
        gates.append(_tentative_gate(policy, holder, index, applies))
        denies += _tentative_denies(policy, holder, index, applies)
    return Rails(tuple(gates), tuple(denies))


def _spared(holder: Holder, estate: Estate) -> bool:
    """Tell whether the service control policies of an organisation leave a principal alone.

    https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_scps.html
    """
    if _SERVICE_LINKED in holder.carrier:
        return True
    return holder.account is not None and organizations_of(estate).manages(holder.account)


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
        known = organizations_of(estate)
        accounts = [name for name in {**estate.parents, **known.kinds} if is_account(name)]
        # What is in the management account is beyond resource control policies.
        # https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_rcps.html
        inside = one_of(name for name in accounts if level in _levels(name, estate) and not known.manages(name))
        accounts = [name for name in accounts if name in estate.parents or known.outside(name, level)]
        if known.lists_all(level):
            memo[level] = _of_accounts(inside, Truth.FALSE)
            return memo[level]
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
    if holder.account is not None and not _spared(holder, estate):
        found += [policy for policy in _afloat(index, estate) if _may_limit(policy, holder.account, estate)]
    return found


def _afloat(index: Index, estate: Estate) -> list[Policy]:
    """Return the service control policies that may limit accounts of which it is not known what is above them."""
    memo = cast("dict[str, list[Policy]]", estate.memo.setdefault((CLOUD, "policies afloat"), {}))
    if "" not in memo:
        known = {*estate.parents, *estate.parents.values()}
        described = organizations_of(estate)
        memo[""] = [
            policy
            for policy in index.layers.get(Layer.SCP, ())
            if (owner := _owner(policy)) not in known
            or (not is_account(owner) and described.organization(owner) is not None)
        ]
    return memo[""]


def _may_limit(policy: Policy, account: str, estate: Estate) -> bool:
    """Tell whether a policy that no known level above an account has may be above it all the same."""
    known = organizations_of(estate)
    owner, levels = _owner(policy), _levels(account, estate)
    if owner is None:
        return not all(known.listed(level, Layer.SCP) for level in levels if not level.startswith("o-"))
    if owner in levels or is_account(owner):
        return False
    if known.is_complete(account) and known.organization(owner) is not None:
        return False
    return not known.outside(account, owner)


def doubts(holder: Holder, index: Index, estate: Estate) -> list[Unsupported]:
    """Return the same as report entries, and what was not read of the levels above the account."""
    found = [_doubt(policy, holder.id) for policy in unplaced(holder, index, estate)]
    if holder.account is None or _spared(holder, estate):
        return found
    known = organizations_of(estate)
    for level in _levels(holder.account, estate):
        for policy in (*known.unread.get(level, ()), *known.unlisted.get(level, ())):
            found += [Unsupported(reason, policy.source, CLOUD, holder.id) for reason in policy.statements[0].doubts]
    return found


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
    for level in levels:
        for policy in index.owned.get((level, Layer.SCP), ()):
            by_level[level] += index.compiled(policy)
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
