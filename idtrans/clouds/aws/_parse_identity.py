"""Users, groups and roles as the account dump and `aws iam get-role` describe them, with the policies they carry.

https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetAccountAuthorizationDetails.html
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from idtrans.clouds.aws._arns import Arn, is_account, read_arn
from idtrans.clouds.aws._parse_document import Belonging, PolicyText, read_policy, unreadable, write_policy
from idtrans.clouds.aws._parse_state import CLOUD, Parsed, Parsing, account_id, unsupported
from idtrans.clouds.aws._parse_values import as_text, name_of, shown
from idtrans.model.documents import Json, Unsupported
from idtrans.model.entities import Attachment, Membership, Principal, PrincipalKind, Resource
from idtrans.model.spans import Source
from idtrans.model.values import UNKNOWN, Layer, Unknown

_KINDS: Final = {"user": PrincipalKind.USER, "group": PrincipalKind.GROUP, "role": PrincipalKind.ROLE}


@dataclass(frozen=True, slots=True)
class _Form:
    """Where the description of one kind of identity holds what."""

    kind: str
    name: str
    unique_id: str
    inline: str


_USER: Final = _Form("user", "UserName", "UserId", "UserPolicyList")
_GROUP: Final = _Form("group", "GroupName", "GroupId", "GroupPolicyList")
_ROLE: Final = _Form("role", "RoleName", "RoleId", "RolePolicyList")


@dataclass(frozen=True, slots=True)
class _Described:
    """The description of one identity, with its ARN."""

    raw: dict[str, Json]
    source: Source
    arn: str
    read: Arn


@dataclass(frozen=True, slots=True)
class Groups:
    """ARNs of the groups of a dump by account and name: a user's groups are listed by name alone."""

    arns: Mapping[tuple[str, str], str]


def parse_user(parsing: Parsing, raw: Json, source: Source, groups: Groups) -> Parsed:
    """Yield a user with its tags, groups, policies and boundary."""
    user = _described(raw, source, _USER)
    if user is None:
        yield _nameless(raw, _USER, source)
        return
    yield from _identity(parsing, user, _USER)
    for place, name in _items(user.raw, "GroupList", source):
        yield from _membership(user, name, place, groups)


def parse_group(parsing: Parsing, raw: Json, source: Source) -> Parsed:
    """Yield a group with its policies."""
    group = _described(raw, source, _GROUP)
    if group is None:
        yield _nameless(raw, _GROUP, source)
        return
    yield from _identity(parsing, group, _GROUP)


def parse_role(parsing: Parsing, raw: Json, source: Source) -> Parsed:
    """Yield a role with its trust policy, tags, policies, boundary and instance profiles."""
    role = _described(raw, source, _ROLE)
    if role is None:
        yield _nameless(raw, _ROLE, source)
        return
    yield from _identity(parsing, role, _ROLE)
    yield from write_policy(
        _trust(parsing, role), Belonging(f"{role.arn}#trust", Layer.TRUST, role.arn, name_of(role.raw.get("RoleName")))
    )
    for place, profile in _items(role.raw, "InstanceProfileList", source):
        yield from _instance_profile(role, profile, place)


def named_identity(arn: str, source: Source) -> Iterator[Principal]:
    """Yield the user, group or role that an IAM ARN names; nothing for any other ARN."""
    read = read_arn(arn)
    if read is not None and read.service == "iam" and read.kind in _KINDS:
        yield Principal(CLOUD, arn, _KINDS[read.kind], source, account_id(arn), read.name, aliases_of(read))


def identity_of(account: str | None, qualified: str) -> str | Unknown:
    """Return the ARN of an identity that is given as `user/ana`; UNKNOWN when its account is not known.

    Its path is not known either: the ARN has none, and is an alias of the real one.
    """
    return f"arn:aws:iam::{account}:{qualified}" if account is not None and is_account(account) else UNKNOWN


def aliases_of(arn: Arn, unique_id: str | None = None) -> tuple[str, ...]:
    """Return other spellings of an identity: qualified name, ARN without the path, unique id.

    Names are unique in an account whatever their path.
    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html
    """
    qualified = f"{arn.kind}/{arn.name}"
    found = [qualified]
    if arn.resource != qualified:
        found.append(f"arn:{arn.partition}:{arn.service}:{arn.region}:{arn.account}:{qualified}")
    if unique_id is not None:
        found.append(unique_id)
    return tuple(found)


def _described(raw: Json, source: Source, form: _Form) -> _Described | None:
    """Return a description with its ARN, `None` when it has none of its kind."""
    arn = name_of(raw.get("Arn")) if isinstance(raw, dict) else None
    read = read_arn(arn) if arn is not None else None
    if arn is None or read is None or (read.service, read.kind) != ("iam", form.kind):
        return None
    return _Described(raw, source, arn, read)


def _nameless(raw: Json, form: _Form, source: Source) -> Unsupported:
    return unsupported(f"{form.kind} {shown(raw)} has no `Arn` of a {form.kind}", source)


def _identity(parsing: Parsing, described: _Described, form: _Form) -> Parsed:
    raw, arn, source = described.raw, described.arn, described.source
    yield from parsing.account(arn, source)
    tags, faults = _tags(raw, source, arn)
    yield Principal(
        CLOUD,
        arn,
        _KINDS[form.kind],
        source,
        account_id(arn),
        name_of(raw.get(form.name)) or described.read.name,
        aliases_of(described.read, name_of(raw.get(form.unique_id))),
        tags,
    )
    yield from faults
    yield from _inline(parsing, described, form)
    yield from _attached(raw, source, arn)


def _trust(parsing: Parsing, role: _Described) -> PolicyText:
    key = "AssumeRolePolicyDocument"
    if key in role.raw:
        return read_policy(parsing, role.raw[key], role.source.at(key))
    return unreadable(role.source, "the role is described without its trust policy")


def _instance_profile(role: _Described, profile: Json, place: Source) -> Parsed:
    arn = name_of(profile.get("Arn")) if isinstance(profile, dict) else None
    if arn is None:
        yield unsupported(f"instance profile {shown(profile)} has no `Arn`", place, role.arn)
        return
    name = name_of(profile.get("InstanceProfileName"))
    yield Resource(CLOUD, arn, "instance-profile", place, account_id(arn), name, {"role": role.arn})


def _tags(raw: dict[str, Json], source: Source, arn: str) -> tuple[dict[str, str], list[Unsupported]]:
    """Return tags by key, which conditions read as `aws:PrincipalTag/KEY`, and notes on those that are none."""
    tags: dict[str, str] = {}
    faults: list[Unsupported] = []
    for place, item in _items(raw, "Tags", source):
        key = as_text(item.get("Key")) if isinstance(item, dict) else None
        value = as_text(item.get("Value", "")) if isinstance(item, dict) else None
        if key is None or value is None:
            faults.append(unsupported(f"tag {shown(item)} is no pair of `Key` and `Value`", place, arn))
        else:
            tags[key] = value
    return tags, faults


def _membership(user: _Described, name: Json, place: Source, groups: Groups) -> Parsed:
    read = user.read
    if not isinstance(name, str) or not name:
        yield unsupported(f"group {shown(name)} is no group name", place, user.arn)
        return
    group = groups.arns.get((read.account, name))
    if group is None:
        group = f"arn:{read.partition}:iam::{read.account}:group/{name}"
        yield unsupported(f"group {shown(name)} is not described: what it grants is not known", place, user.arn)
    yield Membership(CLOUD, user.arn, group, place)


def _inline(parsing: Parsing, described: _Described, form: _Form) -> Parsed:
    arn = described.arn
    for number, (place, item) in enumerate(_items(described.raw, form.inline, described.source), start=1):
        name = name_of(item.get("PolicyName")) if isinstance(item, dict) else None
        if isinstance(item, dict) and "PolicyDocument" in item:
            text = read_policy(parsing, item["PolicyDocument"], place.at("PolicyDocument"))
        else:
            text = unreadable(place, f"inline policy {shown(item)} has no `PolicyDocument`")
        belonging = Belonging(f"{arn}#identity/{name or number}", Layer.IDENTITY, arn, name)
        yield from write_policy(text, belonging)


def _attached(raw: dict[str, Json], source: Source, arn: str) -> Parsed:
    for place, item in _items(raw, "AttachedManagedPolicies", source):
        yield from parse_attached(item, place, arn)
    boundary = raw.get("PermissionsBoundary")
    if boundary is not None:
        policy = name_of(boundary.get("PermissionsBoundaryArn")) if isinstance(boundary, dict) else None
        yield from _attachment(policy, boundary, source.at("PermissionsBoundary"), arn, Layer.BOUNDARY)


def parse_attached(item: Json, place: Source, arn: str) -> Parsed:
    """Yield that a managed policy, as a list describes it, is attached to an identity."""
    policy = name_of(item.get("PolicyArn")) if isinstance(item, dict) else None
    yield from _attachment(policy, item, place, arn, Layer.IDENTITY)


def _attachment(policy: str | None, item: Json, place: Source, arn: str, layer: Layer) -> Parsed:
    """Yield an attachment; one that names no policy is tied to its own text, so that it is missed, not forgotten."""
    if policy is None:
        yield unsupported(f"attached policy {shown(item)} has no ARN", place, arn)
    yield Attachment(CLOUD, policy or json.dumps(item, sort_keys=True), arn, layer, place)


def _items(raw: dict[str, Json], key: str, source: Source) -> Iterator[tuple[Source, Json]]:
    """Yield the items of a list with their places. A value that is no list counts as its only item."""
    value = raw.get(key)
    if value is None:
        return
    below = source.at(key)
    if not isinstance(value, list):
        yield below, value
        return
    for number, item in enumerate(value):
        yield below.at(number), item
