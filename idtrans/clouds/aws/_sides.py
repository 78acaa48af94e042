"""The other side of a request: what the account and the policy of a resource must say beside an identity policy.

In one account an identity policy is enough, except for KMS keys and role trusts, whose own policy must let the account
in; across accounts both sides must allow.
https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic-cross-account.html
https://docs.aws.amazon.com/kms/latest/developerguide/key-policies.html
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from idtrans.algebra import (
    ANY_TEXT,
    AnyOf,
    Box,
    Gate,
    Language,
    Opaque,
    all_of,
    glob,
    one_of,
    union,
)
from idtrans.clouds.aws._arns import read_arn
from idtrans.clouds.aws._compile import owner_language
from idtrans.clouds.aws._owners import owners_of
from idtrans.clouds.aws._principals import PartyKind
from idtrans.clouds.aws._session_requests import ON_ROLES
from idtrans.model.values import Effect, Layer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.clouds.aws._holders import Holder
    from idtrans.clouds.aws._index import Index, Named

_FEW: Final = 20
"""As many statements that differ in their resource alone are kept apart, so that reasons can name them."""
_SIDE: Final = "the side of the resource"
_KMS: Final = glob("kms:*", fold=True)
_ELSEWHERE: Final = Opaque(
    "the policy of the resource in the other account allows it",
    "the policy of a resource in another account was not read",
)


def resource_gate(holder: Holder, named: list[Named], index: Index) -> Gate:
    """Return the requests that the side of the resource leaves to the identity policies of a holder."""
    account = holder.account or ""
    if account not in index.sides:
        index.sides[account] = Gate(_SIDE, "resource", AnyOf(tuple(_shared(account, index))))
    shared = index.sides[account]
    crossed = _crossed(holder, named)
    return Gate(_SIDE, "resource", AnyOf((shared.part, *crossed))) if crossed else shared


def _shared(account: str, index: Index) -> Iterator[Box]:
    """Yield what is the same for all identities of an account."""
    yield from _local(account, index)
    yield from _delegated(account, index)
    yield from _unowned(account, index)
    foreign = owners_of(index).foreign(account)
    yield Box(Effect.ALLOW, "resource", ANY_TEXT, ANY_TEXT, foreign, _ELSEWHERE, "the other account")


def _local(account: str, index: Index) -> list[Box]:
    """Return what an identity policy decides alone: all but the keys and roles whose own policy must agree."""
    owners = owners_of(index)
    local = owners.local(account)
    keys = [owner for owner in owners.resources.get(account, ()) if is_key(owner)]
    strict = [(actions, strict) for actions, strict in ((_KMS, keys), (ON_ROLES, owners.roles.get(account))) if strict]
    free = ~union(actions for actions, _ in strict) if strict else ANY_TEXT
    name = "resources of the account itself"
    found = [Box(Effect.ALLOW, "resource", ANY_TEXT, free, local, name=name)]
    for actions, resources in strict:
        found.append(Box(Effect.ALLOW, "resource", ANY_TEXT, actions, local - one_of(resources), name=name))
    return found


def is_key(resource: str) -> bool:
    """Tell whether a resource is a KMS key."""
    arn = read_arn(resource)
    return arn is not None and arn.service == "kms"


def _unowned(account: str, index: Index) -> list[Box]:
    """Return what an identity policy may decide alone on resources of which the account is not known."""
    found = []
    for owner in owners_of(index).unknown:
        unclear = Opaque(f"{owner} is in account {account}", "the account that owns the resource is not stated")
        found.append(Box(Effect.ALLOW, "resource", ANY_TEXT, ANY_TEXT, owner_language(owner), unclear, "its account"))
    return found


def _delegated(account: str, index: Index) -> Iterator[Box]:
    """Yield what keys and roles of an account leave to its identity policies; many alike become one."""
    alike: dict[tuple[object, ...], list[Box]] = defaultdict(list)
    for each in index.delegations.get(account, ()):
        if each.policy.layer is Layer.TRUST or is_key(str(each.policy.owner)):
            box = each.rule.box(each.principals)
            alike[box.actions, box.condition, box.layer, isinstance(box.resources, Language)].append(box)
    for boxes in alike.values():
        sets = [box.resources for box in boxes if isinstance(box.resources, Language)]
        if len(boxes) > _FEW and sets:
            yield replace(
                boxes[0], resources=union(sets), name=f"the {boxes[0].layer} policies of {len(boxes)} resources"
            )
        else:
            yield from boxes


def _crossed(holder: Holder, named: list[Named]) -> list[Box]:
    """Return what resources of other accounts grant this principal, its account or everyone."""
    found = []
    for each in named:
        if each.rule.effect is Effect.DENY or not each.placed or each.account == holder.account:
            continue
        box = each.rule.box(each.principals & holder.language)
        if each.party.kind is PartyKind.CANONICAL:
            reason = "a canonical user id does not tell whose it is"
            unclear = Opaque(f"{each.party.id} is the account of the caller", reason)
            box = replace(box, principals=holder.language, condition=all_of(box.condition, unclear))
        found.append(box)
    return found
