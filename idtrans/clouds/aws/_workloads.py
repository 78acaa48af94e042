"""Execution roles: roles that services of AWS assume for the workloads they run.

https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_create_for-service.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.clouds.aws._emit_names import as_terraform, iam_name, label, placeholders
from idtrans.clouds.aws._trusts import trusts
from idtrans.model.artifacts import Argv, Emission, JsonArgument, JsonEncode, Native, Reference, TerraformBlock
from idtrans.ports import TrustKind, Workload, WorkloadIdentity, WorkloadKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from idtrans.model.artifacts import TerraformValue
    from idtrans.model.documents import Json
    from idtrans.model.estate import Estate
    from idtrans.model.intents import Names

_SERVICES: Final[Mapping[str, WorkloadKind]] = {
    "lambda.amazonaws.com": WorkloadKind.FUNCTION,
    "ec2.amazonaws.com": WorkloadKind.INSTANCE,
    "ecs-tasks.amazonaws.com": WorkloadKind.CONTAINER,
    "build.apprunner.amazonaws.com": WorkloadKind.CONTAINER,
    "tasks.apprunner.amazonaws.com": WorkloadKind.CONTAINER,
}
_OF_KIND: Final[Mapping[WorkloadKind, str]] = {
    WorkloadKind.FUNCTION: "lambda.amazonaws.com",
    WorkloadKind.INSTANCE: "ec2.amazonaws.com",
    WorkloadKind.CONTAINER: "ecs-tasks.amazonaws.com",
}
_REMARKS: Final = (
    "an AWS account stands for the project or subscription: a role is used by workloads of its own account alone",
    "a new role is not known everywhere at once: what is told that it cannot be assumed is to be tried again",
)


def workload(principal: str, estate: Estate) -> Workload | None:
    """Return what runs as a role, by the services that may assume it."""
    parties = [
        party.removeprefix("service:")
        for trust in trusts(estate)
        if trust.target == principal and trust.kind is TrustKind.SERVICE
        for party in trust.parties
    ]
    kinds = tuple(dict.fromkeys(_SERVICES[party] for party in parties if party in _SERVICES))
    return Workload(kinds) if kinds else None


def emit_identity(used: Workload, name: str, names: Names) -> WorkloadIdentity:
    """Return a role that services may assume, and what makes workloads use it."""
    # The policy of the grants has the plain name.
    role = iam_name(f"{name}-role")
    services = [_OF_KIND[kind] for kind in used.kinds] or [names.get("aws-service-principal")]
    arn = f"arn:aws:iam::{names.get('aws-account-id')}:role/{role}"
    trust: Json = {
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Principal": {"Service": services}, "Action": "sts:AssumeRole"}],
    }
    create = ("aws", "iam", "create-role", "--role-name", role, "--assume-role-policy-document", JsonArgument(trust))
    block = TerraformBlock(
        "resource",
        ("aws_iam_role", label(role)),
        {"name": role, "assume_role_policy": JsonEncode(as_terraform(trust))},
    )
    natives, commands = (Native("aws.trust-policy", f"{role}-trust", trust),), (Argv(create, "create the role"),)
    created = Emission(natives, commands, (block,), (), placeholders(natives, commands))
    attach = tuple(command for kind in used.kinds for command in _attach(kind, role, arn, names))
    blocks = tuple(block for kind in used.kinds for block in _blocks(kind, role))
    attached = Emission((), attach, blocks, (), placeholders((), attach))
    return WorkloadIdentity(arn, created, attached, Reference(f"aws_iam_role.{label(role)}.name"), role, _REMARKS)


def _attach(kind: WorkloadKind, role: str, arn: str, names: Names) -> Iterator[Argv]:
    if kind is WorkloadKind.FUNCTION:
        function = names.get("aws-function")
        update = ("aws", "lambda", "update-function-configuration", "--function-name", function, "--role", arn)
        yield Argv(update, "make the function run as the role")
    if kind is WorkloadKind.INSTANCE:
        profile = ("--instance-profile-name", role)
        yield Argv(("aws", "iam", "create-instance-profile", *profile), "instances take a role by a profile")
        yield Argv(("aws", "iam", "add-role-to-instance-profile", *profile, "--role-name", role))
        instance = ("--instance-id", names.get("aws-instance-id"), "--iam-instance-profile", f"Name={role}")
        yield Argv(("aws", "ec2", "associate-iam-instance-profile", *instance), "make the instance run as the role")
    if kind is WorkloadKind.CONTAINER:
        words = ("aws", "ecs", "register-task-definition", "--family", names.get("aws-task-family"))
        task = ("--task-role-arn", arn, "--container-definitions", names.get("aws-container-definitions"))
        yield Argv((*words, *task), "make the task run as the role")


def _blocks(kind: WorkloadKind, role: str) -> Iterator[TerraformBlock]:
    block = label(role)
    if kind is WorkloadKind.INSTANCE:
        body: dict[str, TerraformValue] = {"name": role, "role": Reference(f"aws_iam_role.{block}.name")}
        yield TerraformBlock("resource", ("aws_iam_instance_profile", block), body)
        return
    value = Reference(f"aws_iam_role.{block}.arn")
    yield TerraformBlock("output", (f"{block}_{kind.value}_role_arn",), {"value": value})
