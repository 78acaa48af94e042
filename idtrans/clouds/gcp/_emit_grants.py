"""Writing access: bindings as JSON, as gcloud commands and as Terraform."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from idtrans.algebra import STAR, Quantifier, Test, all_of, pieces
from idtrans.clouds.gcp._emit_places import WAYS, block_of, command_of
from idtrans.clouds.gcp._emit_text import label, placeholders, role_id
from idtrans.clouds.gcp._limits import expression
from idtrans.clouds.gcp._names import BUCKETS, CONTAINER, bucket_of, full_name, scope_name
from idtrans.clouds.gcp._shapes import ROLES, SEARCH
from idtrans.model.artifacts import (
    Argv,
    Emission,
    Native,
    NestedBlock,
    Reference,
    TerraformBlock,
    TerraformValue,
)
from idtrans.model.documents import Json
from idtrans.model.errors import UsageError
from idtrans.ports import OBJECT, GrantPlan, RoleUse

_PROJECT: Final = "<GCP_PROJECT_ID>"
_MEMBER_BLOCKS: Final = {
    "projects": ("google_project_iam_member", "project"),
    "folders": ("google_folder_iam_member", "folder"),
    "organizations": ("google_organization_iam_member", "org_id"),
}


@dataclass(frozen=True, slots=True)
class _Grant:
    """One binding to be written."""

    use: RoleUse
    scope: str
    role: str
    label: str
    condition: str | None
    custom: str | None
    """Id of the custom role, `None` when a predefined role is used."""
    title: str


def emit_grants(plan: GrantPlan) -> Emission:
    """Write one binding for each use, and a custom role where no predefined one is named.

    Raises:
        UsageError: a scope is neither a bucket nor a project, folder or organization.
    """
    found = [_grant(plan, use, number) for number, use in enumerate(plan.uses)]
    natives = tuple(_natives(plan, found))
    commands = tuple(command for grant in found for command in _commands(plan, grant))
    blocks = tuple(block for grant in found for block in _blocks(plan, grant))
    return Emission(natives, commands, blocks, (), placeholders(natives, commands, blocks))


def _grant(plan: GrantPlan, use: RoleUse, number: int) -> _Grant:
    scope = scope_name(use.scope.native)
    if bucket_of(scope) is None and not CONTAINER.fullmatch(scope) and use.scope.kind not in WAYS:
        raise UsageError(
            f"a role cannot be written on `{use.scope.native}`", advice="name a bucket, project, folder or organization"
        )
    bucket = bucket_of(scope)
    if bucket is not None:
        # The allow policy of an object's place is the one of its bucket; the condition narrows it to the objects.
        scope = f"{BUCKETS}{bucket}"
    custom = role_id(f"{plan.name}_{number + 1}" if number else plan.name) if use.role is None else None
    return _Grant(
        use=use,
        scope=scope,
        role=use.role or f"projects/{_PROJECT}/roles/{custom}",
        label=label(f"{plan.name}_{number + 1}" if len(plan.uses) > 1 else plan.name),
        condition=_limit(use, bucket),
        custom=custom,
        title=plan.name,
    )


def _limit(use: RoleUse, bucket: str | None) -> str | None:
    """Return the limit of a use with the prefix of its scope, as an expression."""
    prefix = use.scope.parts.get("prefix") if bucket is not None else None
    limit = all_of(use.limit, Test(OBJECT, Quantifier.ONE, pieces((prefix, STAR)))) if prefix else use.limit
    texts = [text for text in (use.condition, expression(limit, bucket, use.permissions)) if text]
    return " && ".join(f"({text})" for text in texts) if len(texts) > 1 else next(iter(texts), None)


def _condition(grant: _Grant) -> dict[str, str]:
    return {"title": grant.title, "expression": grant.condition or ""}


def _natives(plan: GrantPlan, found: list[_Grant]) -> Iterator[Native]:
    results: list[Json] = []
    for grant in found:
        binding: dict[str, Json] = {"role": grant.role, "members": [plan.principal]}
        if grant.condition is not None:
            binding["condition"] = _condition(grant)
        version = 3 if grant.condition is not None else 1
        results.append({"resource": full_name(grant.scope), "policy": {"version": version, "bindings": [binding]}})
    if results:
        yield Native(SEARCH, "iam-bindings", results)
    roles: list[Json] = [
        {"name": grant.role, "title": grant.custom, "stage": "GA", "includedPermissions": list(grant.use.permissions)}
        for grant in found
        if grant.custom is not None
    ]
    if roles:
        yield Native(ROLES, "custom-roles", roles)


def _commands(plan: GrantPlan, grant: _Grant) -> Iterator[Argv]:
    if grant.custom is not None:
        yield Argv(
            (
                *("gcloud", "iam", "roles", "create", grant.custom, f"--project={_PROJECT}", f"--title={grant.custom}"),
                *(f"--permissions={','.join(grant.use.permissions)}", "--stage=GA"),
            ),
            "no predefined role holds exactly these permissions",
        )
    tail = (f"--member={plan.principal}", f"--role={grant.role}", _condition_flag(grant))
    bucket = bucket_of(grant.scope)
    if bucket is not None:
        yield Argv(("gcloud", "storage", "buckets", "add-iam-policy-binding", f"gs://{bucket}", *tail))
        return
    place = command_of(grant.use.scope)
    if place is not None:
        yield Argv(("gcloud", *place, *tail))
        return
    kind, _, name = grant.scope.partition("/")
    group = ("resource-manager", "folders") if kind == "folders" else (kind,)
    yield Argv(("gcloud", *group, "add-iam-policy-binding", name, *tail))


def _condition_flag(grant: _Grant) -> str:
    if grant.condition is None:
        # Without it gcloud asks back when the policy has conditional bindings already.
        return "--condition=None"
    delimiter = next(mark for mark in ("^:::^", "^;;^", "^@@@^", "^|~|^") if mark.strip("^") not in grant.condition)
    return f"--condition={delimiter}title={grant.title}{delimiter.strip('^')}expression={grant.condition}"


def _blocks(plan: GrantPlan, grant: _Grant) -> Iterator[TerraformBlock]:
    role: TerraformValue = grant.role
    if grant.custom is not None:
        body: dict[str, TerraformValue] = {
            "project": _PROJECT,
            "role_id": grant.custom,
            "title": grant.custom,
            "permissions": tuple(grant.use.permissions),
        }
        yield TerraformBlock("resource", ("google_project_iam_custom_role", grant.label), body)
        role = Reference(f"google_project_iam_custom_role.{grant.label}.name")
    kind, place = _place(grant)
    member: dict[str, TerraformValue] = {**place, "role": role, "member": plan.principal}
    if grant.condition is not None:
        member["condition"] = NestedBlock({**_condition(grant)})
    yield TerraformBlock("resource", (kind, grant.label), member)


def _place(grant: _Grant) -> tuple[str, Mapping[str, str]]:
    """Return the type of the block that writes a binding, and the arguments that say on what."""
    bucket = bucket_of(grant.scope)
    if bucket is not None:
        return "google_storage_bucket_iam_member", {"bucket": bucket}
    resource = block_of(grant.use.scope)
    if resource is not None:
        return resource
    level, _, name = grant.scope.partition("/")
    kind, target = _MEMBER_BLOCKS[level]
    return kind, {target: name}
