"""Grants written as a managed policy and its attachment.

https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_managed-vs-inline.html
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from idtrans.catalog import aws_action
from idtrans.clouds.aws._arns import Arn, read_arn
from idtrans.clouds.aws._emit_names import as_terraform, iam_name, label, placeholders
from idtrans.clouds.aws._resource_types import Part, parts_of_action
from idtrans.clouds.aws._scopes import OBJECT_STORE
from idtrans.model.artifacts import Argv, Emission, JsonArgument, JsonEncode, Native, Reference, TerraformBlock
from idtrans.model.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.model.documents import Json
    from idtrans.ports import GrantPlan, RoleUse

_LIST: Final = frozenset({"s3:listbucket", "s3:listbucketversions"})
"""Actions on a bucket whose `s3:prefix` key says below which prefix they list."""
_ATTACH: Final = {"user": ("attach-user-policy", "--user-name"), "role": ("attach-role-policy", "--role-name")}
_ATTACH_GROUP: Final = ("attach-group-policy", "--group-name")


def emit_grants(plan: GrantPlan) -> Emission:
    """Return a plan as one policy document with the narrowest resources that each action takes.

    Raises:
        UsageError: a condition is not written in the policy language.
    """
    document = {"Version": "2012-10-17", "Statement": _statements(plan)}
    name = iam_name(plan.name)
    natives = (Native("aws.identity-policy", name, document),)
    commands = _commands(plan.principal, name, document)
    return Emission(natives, commands, _terraform(plan.principal, name, document), (), placeholders(natives, commands))


def _statements(plan: GrantPlan) -> list[Json]:
    groups: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for use in plan.uses:
        for permission in use.permissions:
            for resource, condition in _targets(use, permission, plan.principal):
                groups[resource, condition][permission] = None
    return [_statement(list(actions), resource, condition) for (resource, condition), actions in groups.items()]


def _statement(actions: list[str], resource: str, condition: str) -> Json:
    statement: dict[str, Json] = {"Effect": "Allow", "Action": actions, "Resource": resource}
    if condition:
        statement["Condition"] = json.loads(condition)
    return statement


def _targets(use: RoleUse, permission: str, principal: str) -> Iterable[tuple[str, str]]:
    """Yield the resources that an action needs in a statement, each with its condition as JSON text."""
    blocks = _condition(use)
    known = aws_action(permission)
    if known is not None and not known.resources:
        yield "*", _dump(blocks)
        return
    if use.scope.kind != OBJECT_STORE or "bucket" not in use.scope.parts:
        yield use.scope.native if read_arn(use.scope.native) is not None else "*", _dump(blocks)
        return
    bucket = f"arn:{_partition(principal)}:s3:::{use.scope.parts['bucket']}"
    prefix = use.scope.parts.get("prefix", "")
    parts = parts_of_action(permission) or frozenset(Part)
    if Part.BUCKET in parts:
        limited = prefix and permission.lower() in _LIST
        yield bucket, _dump(_with_prefix(blocks, prefix) if limited else blocks)
    if Part.OBJECT in parts:
        yield f"{bucket}/{prefix}*", _dump(blocks)


def _condition(use: RoleUse) -> dict[str, Json]:
    if not use.condition:
        return {}
    try:
        blocks = json.loads(use.condition)
    except ValueError:
        blocks = None
    if not isinstance(blocks, dict):
        raise UsageError(f"`{use.condition}` is no condition block of AWS", advice="write it as a JSON object")
    return blocks


def _with_prefix(blocks: dict[str, Json], prefix: str) -> dict[str, Json]:
    listed = blocks.get("StringLike")
    merged = {**(listed if isinstance(listed, dict) else {}), "s3:prefix": [f"{prefix}*"]}
    return {**blocks, "StringLike": merged}


def _dump(blocks: dict[str, Json]) -> str:
    return json.dumps(blocks, sort_keys=True) if blocks else ""


def _partition(principal: str) -> str:
    arn = read_arn(principal)
    return arn.partition if arn is not None else "aws"


def _holder(principal: str) -> tuple[tuple[str, str], str]:
    """Return the command that attaches a policy to a principal, and the name it takes."""
    arn = read_arn(principal)
    if arn is None:
        return _ATTACH["role"], principal if principal.startswith("<") else "<AWS_ROLE_NAME>"
    if arn.kind == "assumed-role":
        return _ATTACH["role"], arn.second
    return _ATTACH_GROUP if arn.kind == "group" else _ATTACH.get(arn.kind, _ATTACH["role"]), arn.name


def _account(arn: Arn | None) -> str:
    return arn.account if arn is not None and arn.account else "<AWS_ACCOUNT_ID>"


def _commands(principal: str, name: str, document: Json) -> tuple[Argv, ...]:
    (command, option), holder = _holder(principal)
    policy = f"arn:{_partition(principal)}:iam::{_account(read_arn(principal))}:policy/{name}"
    create = ("aws", "iam", "create-policy", "--policy-name", name, "--policy-document", JsonArgument(document))
    attach = ("aws", "iam", command, option, holder, "--policy-arn", policy)
    return Argv(create, "create the policy"), Argv(attach, "give it to the principal")


def _terraform(principal: str, name: str, document: Json) -> tuple[TerraformBlock, ...]:
    (command, _), holder = _holder(principal)
    kind = command.removeprefix("attach-").removesuffix("-policy")
    block = label(name)
    policy = TerraformBlock(
        "resource", ("aws_iam_policy", block), {"name": name, "policy": JsonEncode(as_terraform(document))}
    )
    attachment = TerraformBlock(
        "resource",
        (f"aws_iam_{kind}_policy_attachment", block),
        {kind: holder, "policy_arn": Reference(f"aws_iam_policy.{block}.arn")},
    )
    return policy, attachment
