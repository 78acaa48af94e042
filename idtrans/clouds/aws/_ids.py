"""Canonical ids, and requests in canonical form."""

from __future__ import annotations

import re
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, cast

from idtrans.catalog import aws_action
from idtrans.clouds.aws._access import access
from idtrans.clouds.aws._access_points import point_keys
from idtrans.clouds.aws._arns import account_of, is_account, is_unique_id, read_arn
from idtrans.clouds.aws._facts import acting, fact_keys
from idtrans.clouds.aws._holders import PSEUDO
from idtrans.clouds.aws._index import CLOUD, Index, index_of
from idtrans.clouds.aws._keys import organization_keys, principal_keys
from idtrans.clouds.aws._principals import ANONYMOUS
from idtrans.clouds.aws._some_resource import STAR, some_resource, stands_for_some
from idtrans.model.decisions import Knowledge, Request
from idtrans.model.entities import PrincipalKind
from idtrans.model.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from idtrans.model.estate import Estate
    from idtrans.ports import Query

_PREFIXES: Final = ("arn:", "service:", PSEUDO, "federated:", "canonical:")
_SERVICE: Final = re.compile(r"(?:[a-z0-9-]{1,63}\.){1,6}(?:amazonaws\.com(?:\.cn)?|amazon\.com)")
"""A service as policies spell it, which is a principal as `service:NAME` is.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html#principal-services
"""
_ACTION: Final = re.compile(r"[A-Za-z0-9-]+:[A-Za-z0-9]+")
_SHOWN: Final = {
    name.lower(): name
    for name in (
        "aws:CurrentTime",
        "aws:EpochTime",
        "aws:MultiFactorAuthAge",
        "aws:MultiFactorAuthPresent",
        "aws:PrincipalAccount",
        "aws:PrincipalArn",
        "aws:PrincipalIsAWSService",
        "aws:PrincipalOrgID",
        "aws:PrincipalOrgPaths",
        "aws:PrincipalServiceName",
        "aws:PrincipalType",
        "aws:RequestedRegion",
        "aws:ResourceAccount",
        "aws:ResourceOrgID",
        "aws:ResourceOrgPaths",
        "aws:SecureTransport",
        "aws:SourceAccount",
        "aws:SourceArn",
        "aws:SourceIp",
        "aws:SourceOrgID",
        "aws:SourceVpc",
        "aws:SourceVpce",
        "aws:TagKeys",
        "aws:UserAgent",
        "aws:ViaAWSService",
        "aws:userid",
        "aws:username",
        "sts:ExternalId",
        "sts:RoleSessionName",
        "sts:SourceIdentity",
        "kms:CallerAccount",
        "s3:ResourceAccount",
    )
}
_TAGS: Final = {
    "aws:principaltag/": "aws:PrincipalTag/",
    "aws:requesttag/": "aws:RequestTag/",
    "aws:resourcetag/": "aws:ResourceTag/",
}


def owns(principal: str) -> bool:
    """Tell whether an id has the form of an AWS principal."""
    stated = principal == ANONYMOUS or principal.startswith(_PREFIXES) or _SERVICE.fullmatch(principal) is not None
    return stated or is_account(principal) or is_unique_id(principal)


def principal(text: str, estate: Estate) -> str:
    """Return the canonical id of a principal.

    Raises:
        UsageError: no or several principals have this name.
    """
    index = index_of(estate)
    if text in index.principals:
        return text
    found = index.aliases.get(text, ())
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"`{text}` names {len(found)} principals", advice=f"use one of {', '.join(sorted(found))}")
    if is_account(text):
        return f"arn:aws:iam::{text}:root"
    if _SERVICE.fullmatch(text):
        return f"service:{text}"
    if owns(text) and not is_unique_id(text):
        return text
    advice = "write an ARN, `service:NAME` or `anonymous`"
    raise UsageError(f"`{text}` is no AWS principal of this input", advice=advice)


def request(query: Query, estate: Estate) -> Request:
    """Return a request with its principal, action and keys in canonical form, and with all that follows from them.

    A resource `*` stands for the star itself where an action takes nothing else, and else for some resource: then the
    request is about one on which the answer is best.

    Raises:
        UsageError: the principal, the action or the resource cannot be one.
    """
    caller = acting(principal(query.principal, estate), query)
    if not _ACTION.fullmatch(query.action):
        raise UsageError(f"`{query.action}` is no AWS action", advice="write it like `s3:GetObject`, without wildcards")
    if query.resource != "*" and read_arn(query.resource) is None:
        raise UsageError(f"`{query.resource}` is no AWS resource", advice="write an ARN, or `*`")
    found = _request(query, caller, query.resource, estate)
    if query.resource == STAR and stands_for_some(found.action):
        return some_resource(access(caller, estate), found, lambda resource: _request(query, caller, resource, estate))
    return found


def _request(query: Query, caller: str, resource: str, estate: Estate) -> Request:
    known = aws_action(query.action)
    context = {**_time_keys(estate.now), **_resource_keys(resource, estate), **principal_keys(caller, estate)}
    context |= point_keys(resource, index_of(estate))
    context |= fact_keys(query)
    context |= _account_keys(query.action, caller, context.get("aws:resourceaccount", ()))
    context |= {key.lower(): tuple(values) for key, values in query.context.items()}
    return Request(
        caller,
        known.name if known is not None else query.action,
        resource,
        MappingProxyType(context),
        Knowledge.CLOSED if query.closed else Knowledge.OPEN,
    )


def _account_keys(action: str, caller: str, owner: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return what two services call the account of the caller, and that of the resource.

    https://docs.aws.amazon.com/kms/latest/developerguide/conditions-kms.html#conditions-kms-caller-account
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/amazon-s3-policy-keys.html#example-object-resource-account
    """
    match action.lower().partition(":")[0]:
        case "kms" if (account := account_of(caller)) is not None:
            return {"kms:calleraccount": (account,)}
        case "s3" if owner:
            return {"s3:resourceaccount": owner}
        case _:
            return {}


def shown(request: Request) -> Request:
    """Return a request with action and keys spelled as AWS does, without the keys that are known to be absent."""
    known = aws_action(request.action)
    context = {_shown_key(key): values for key, values in request.context.items() if values}
    return Request(
        request.principal,
        known.name if known is not None else request.action,
        request.asked or request.resource,
        MappingProxyType(context),
        request.knowledge,
        request.asked,
    )


@lru_cache(maxsize=4096)
def _shown_key(key: str) -> str:
    for lowered, spelled in _TAGS.items():
        if key.startswith(lowered):
            return spelled + key[len(lowered) :]
    return _SHOWN.get(key, key)


@lru_cache(maxsize=64)
def _time_keys(moment: datetime) -> Mapping[str, tuple[str, ...]]:
    return {
        "aws:currenttime": (moment.isoformat().replace("+00:00", "Z"),),
        "aws:epochtime": (str(int(moment.timestamp())),),
    }


def _resource_keys(resource: str, estate: Estate) -> dict[str, tuple[str, ...]]:
    account = index_of(estate).account(resource) if resource != "*" else None
    if account is None:
        return {}
    return {"aws:resourceaccount": (account,)} | organization_keys(account, "resource", estate)


def principals(estate: Estate) -> tuple[str, ...]:
    """Return every principal that holds access or could, sorted; groups hold none by themselves."""
    key = (CLOUD, "principals")
    if key not in estate.memo:
        estate.memo[key] = _principals(index_of(estate))
    return cast("tuple[str, ...]", estate.memo[key])


def _principals(index: Index) -> tuple[str, ...]:
    groups = {group for found in index.groups.values() for group in found}
    groups |= {entity.id for entity in index.principals.values() if entity.kind is PrincipalKind.GROUP}
    holders = {owner for owner, _ in (*index.owned, *index.attached) if _is_identity(owner)}
    found = (set(index.principals) | holders | set(index.groups) | _named(index)) - groups
    return (*sorted(found), *(f"{PSEUDO}{number}" for number in range(1, len(index.documents) + 1)))


def _is_identity(owner: str) -> bool:
    arn = read_arn(owner)
    return arn is not None and arn.service in {"iam", "sts"} and arn.kind in {"user", "role", "assumed-role"}


def _named(index: Index) -> set[str]:
    """Return whom resource and trust policies name."""
    found: set[str] = set()
    for each in (named for store in (index.named, index.delegations) for group in store.values() for named in group):
        party = each.party
        if party.key == "*":
            found.add(ANONYMOUS)
        elif is_account(party.id):
            found |= set() if party.id in index.accounts else {f"arn:aws:iam::{party.id}:root"}
        elif owns(party.id) and not is_unique_id(party.id):
            found.add(party.id)
    return found
