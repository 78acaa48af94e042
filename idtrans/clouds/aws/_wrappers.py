"""Where the command line's replies hold their policy documents.

One reply a row: `aws s3api get-bucket-policy`, `aws iam get-role-policy`, `aws organizations describe-policy`, ...
https://docs.aws.amazon.com/cli/latest/reference/
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from idtrans.clouds.aws._parse_values import name_of
from idtrans.clouds.aws._resource_replies import REPLY_SIGNS, held, is_document
from idtrans.model.documents import Json
from idtrans.model.values import Layer


class Holds(Enum):
    """What a place in a document holds."""

    POLICY = "policy"
    ROLE = "role"
    """The description of a role, with its trust policy."""


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A policy document, or the description of a role, in its wrapper."""

    value: Json
    place: tuple[str | int, ...] = ()
    """Object keys and list indexes that lead to it."""
    holds: Holds = Holds.POLICY
    layer: Layer | None = None
    """Layer, where the wrapper tells it."""
    name: str | None = None
    owner: str | None = None
    """ARN of the owner, or its qualified name such as `role/deploy`."""
    id: str | None = None
    """ARN of a policy of an organisation, which its attachments name."""
    in_force: bool = True
    """False for a version of a managed policy that is not its default one."""


_NAMED_OWNERS: Final = {"RoleName": "role", "UserName": "user", "GroupName": "group"}
_ORGANIZATION_TYPES: Final = {"SERVICE_CONTROL_POLICY": Layer.SCP, "RESOURCE_CONTROL_POLICY": Layer.RCP}
_BLANK_REPLY: Final = frozenset({"Policy", "PolicyName", "RevisionId"})


def unwrap(content: Json) -> tuple[Wrapped, ...]:
    """Return the policies and roles that a reply, or a list of replies, holds; nothing for any other content."""
    if isinstance(content, list):
        return tuple(
            replace(found, place=(number, *found.place))
            for number, item in enumerate(content)
            if isinstance(item, dict)
            for found in unwrap(item)
        )
    if not isinstance(content, dict) or WRAPPER_SIGNS.isdisjoint(content):
        return ()
    for reader in _READERS:
        found = tuple(reader(content))
        if found:
            return found
    return ()


def holds_policy(content: Json) -> bool:
    """Tell whether a reply, or one in a list of replies, holds a policy or a role."""
    replies = content if isinstance(content, list) else [content]
    return any(unwrap(reply) for reply in replies if isinstance(reply, dict))


def _bare(content: dict[str, Json]) -> Iterator[Wrapped]:
    if "Statement" in content:
        yield Wrapped(content)


def _role(content: dict[str, Json]) -> Iterator[Wrapped]:
    """`aws iam get-role`, `list-roles`, and one role of those."""
    if "AssumeRolePolicyDocument" in content:
        yield Wrapped(content, (), Holds.ROLE)
    role = content.get("Role")
    if isinstance(role, dict) and "AssumeRolePolicyDocument" in role:
        yield Wrapped(role, ("Role",), Holds.ROLE)
    roles = content.get("Roles")
    if isinstance(roles, list) and any(isinstance(item, dict) and "AssumeRolePolicyDocument" in item for item in roles):
        for number, item in enumerate(roles):
            yield Wrapped(item, ("Roles", number), Holds.ROLE)


def _inline(content: dict[str, Json]) -> Iterator[Wrapped]:
    """`aws iam get-role-policy`, `get-user-policy`, `get-group-policy`, `create-policy` input."""
    if "PolicyDocument" in content:
        named = ((kind, name_of(content.get(key))) for key, kind in _NAMED_OWNERS.items())
        owner = next((f"{kind}/{name}" for kind, name in named if name), None)
        name = name_of(content.get("PolicyName"))
        yield Wrapped(content["PolicyDocument"], ("PolicyDocument",), name=name, owner=owner)


def _version(content: dict[str, Json]) -> Iterator[Wrapped]:
    """`aws iam get-policy-version`."""
    version = content.get("PolicyVersion")
    if isinstance(version, dict) and "Document" in version:
        place = ("PolicyVersion", "Document")
        yield Wrapped(version["Document"], place, in_force=version.get("IsDefaultVersion") is not False)


def _policy(content: dict[str, Json]) -> Iterator[Wrapped]:
    """`aws s3api get-bucket-policy`, `aws kms get-key-policy`, `aws organizations describe-policy`, ..."""
    if "Policy" not in content:
        return
    policy = content["Policy"]
    name = name_of(content.get("PolicyName"))
    if isinstance(policy, dict) and "Content" in policy:
        summary = policy.get("PolicySummary")
        summary = summary if isinstance(summary, dict) else {}
        layer = _ORGANIZATION_TYPES.get(str(summary.get("Type")))
        named = (name_of(summary.get("Arn")) or name_of(summary.get("Id"))) if layer is not None else None
        name = name_of(summary.get("Name"))
        yield Wrapped(policy["Content"], ("Policy", "Content"), layer=layer, name=name, id=named)
    elif is_document(policy) or (not policy and _BLANK_REPLY.issuperset(content)):
        yield Wrapped(policy, ("Policy",), name=name)


def _resource_policy(content: dict[str, Json]) -> Iterator[Wrapped]:
    """Replies about one resource, or a list of them, which hold its policy."""
    best: dict[tuple[str | int, ...], Wrapped] = {}
    for found in held(content):
        known = best.get(found.place)
        if known is None or known.owner is None:
            best[found.place] = Wrapped(found.value, found.place, layer=Layer.RESOURCE, owner=found.owner)
    yield from best.values()


_READERS: Final[tuple[Callable[[dict[str, Json]], Iterator[Wrapped]], ...]] = (
    _bare,
    _role,
    _inline,
    _version,
    _resource_policy,
    _policy,
)
WRAPPER_SIGNS: Final = REPLY_SIGNS | {
    "Statement",
    "AssumeRolePolicyDocument",
    "Role",
    "Roles",
    "PolicyDocument",
    "PolicyVersion",
    "Policy",
}
"""Keys, one of which every reply that holds a policy or a role has."""
