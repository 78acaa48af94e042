"""The other side of a request: what the account and the policy of a resource must say beside an identity policy.

In one account an identity policy is enough, except for KMS keys and role trusts, whose own policy must let the account
in; across accounts both sides must allow.
https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic-cross-account.html
https://docs.aws.amazon.com/kms/latest/developerguide/key-policies.html
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from idtrans.algebra import (
    ANY_TEXT,
    AnyOf,
    Box,
    Gate,
    Language,
    Opaque,
    all_of,
    arn_glob,
    exact,
    glob,
    one_of,
    union,
)
from idtrans.clouds.aws._arns import read_arn
from idtrans.clouds.aws._compile import owner_language
from idtrans.clouds.aws._principals import PartyKind
from idtrans.model.values import Effect, Layer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.clouds.aws._holders import Holder
    from idtrans.clouds.aws._index import Index, Named

_ASSUME: Final = glob("sts:AssumeRole*", fold=True)
_FEW: Final = 20
"""As many statements that differ in their resource alone are kept apart, so that reasons can name them."""
_KMS: Final = glob("kms:*", fold=True)
_ELSEWHERE: Final = Opaque(
    "the policy of the resource in the other account allows it",
    "the policy of a resource in another account was not read",
)


def resource_gate(holder: Holder, named: list[Named], index: Index) -> Gate:
    """Return the requests that the side of the resource leaves to the identity policies of a holder."""
    account = holder.account or ""
    if account not in index.sides:
        index.sides[account] = tuple(_shared(account, index))
    parts = (*index.sides[account], *_crossed(holder, named))
    return Gate("the side of the resource", "resource", AnyOf(parts))


def _shared(account: str, index: Index) -> Iterator[Box]:
    """Yield what is the same for all identities of an account."""
    yield from _local(account, index)
    yield from _delegated(account, index)
    yield from _unowned(account, index)
    unowned = union(map(owner_language, _owners_without_account(index)))
    known = union(owner_language(owner) for owner in _foreign_owners(account, index))
    foreign = ~(_in_account(account, index) | unowned) - known
    yield Box(Effect.ALLOW, "resource", ANY_TEXT, ANY_TEXT, foreign, _ELSEWHERE, "the other account")


@lru_cache(maxsize=4096)
def in_account(account: str) -> Language:
    """Return the resources whose ARN names an account, or none."""
    named = (arn_glob(f"arn:*:*:*:{owner}:*") for owner in (account, "", "aws"))
    return union((*named, exact("*")))


def _in_account(account: str, index: Index) -> Language:
    others = [resource for resource, owner in index.owners.items() if owner != account]
    others += _owners_without_account(index)
    local = in_account(account)
    return local - union(map(owner_language, others)) if others else local


def _local(account: str, index: Index) -> list[Box]:
    """Return what an identity policy decides alone: all but the keys and roles whose own policy must agree."""
    local = _in_account(account, index)
    keys, roles = _strict(account, index, Layer.RESOURCE), _strict(account, index, Layer.TRUST)
    strict = [(actions, owners) for actions, owners in ((_KMS, keys), (_ASSUME, roles)) if owners]
    free = ~union(actions for actions, _ in strict) if strict else ANY_TEXT
    name = "resources of the account itself"
    found = [Box(Effect.ALLOW, "resource", ANY_TEXT, free, local, name=name)]
    for actions, owners in strict:
        found.append(Box(Effect.ALLOW, "resource", ANY_TEXT, actions, local - one_of(owners), name=name))
    return found


def _strict(account: str, index: Index, layer: Layer) -> list[str]:
    owners = (policy.owner for policy in index.layers.get(layer, ()))
    return [
        owner
        for owner in owners
        if isinstance(owner, str) and index.account(owner) == account and (layer is Layer.TRUST or is_key(owner))
    ]


def is_key(resource: str) -> bool:
    """Tell whether a resource is a KMS key."""
    arn = read_arn(resource)
    return arn is not None and arn.service == "kms"


def _unowned(account: str, index: Index) -> list[Box]:
    """Return what an identity policy may decide alone on resources of which the account is not known."""
    found = []
    for owner in _owners_without_account(index):
        unclear = Opaque(f"{owner} is in account {account}", "the account that owns the resource is not stated")
        found.append(Box(Effect.ALLOW, "resource", ANY_TEXT, ANY_TEXT, owner_language(owner), unclear, "its account"))
    return found


def _owners_without_account(index: Index) -> list[str]:
    owners = {policy.owner for policy in index.layers.get(Layer.RESOURCE, ())}
    return sorted(owner for owner in owners if isinstance(owner, str) and index.account(owner) is None)


def _foreign_owners(account: str, index: Index) -> list[str]:
    layers = (Layer.RESOURCE, Layer.TRUST)
    owners = {policy.owner for layer in layers for policy in index.layers.get(layer, ())}
    return sorted(owner for owner in owners if isinstance(owner, str) and index.account(owner) not in {None, account})


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
