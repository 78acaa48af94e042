"""Writing deny policies: as JSON, as gcloud commands and as Terraform.

A deny policy is attached to a project, folder or organization, names principals and permissions in the spelling of
version 2, and its conditions know the tags of resources alone.
https://cloud.google.com/iam/docs/deny-overview
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

from idtrans.algebra import Always, Condition, Never, Opaque, Test, describe
from idtrans.clouds.gcp import _ids
from idtrans.clouds.gcp._emit_text import label, placeholders
from idtrans.clouds.gcp._limits import expression, fit
from idtrans.clouds.gcp._names import CONTAINER, container_of, full_name, scope_name
from idtrans.clouds.gcp._shapes import DENIES
from idtrans.model.artifacts import Argv, Emission, JsonArgument, Native, NestedBlock, TerraformBlock, TerraformValue
from idtrans.model.documents import Json
from idtrans.model.errors import UsageError
from idtrans.model.intents import Names
from idtrans.ports import RESOURCE_TAG, GrantPlan, PlacedDenial, RoleUse

_HOST: Final = "cloudresourcemanager.googleapis.com"
_LONGEST: Final = 63
_NOT_ID: Final = re.compile(r"[^a-z0-9.]+")
_SPELLED: Final = (
    ("user:", "principal://goog/subject/"),
    ("group:", "principalSet://goog/group/"),
    ("serviceAccount:", "principal://iam.googleapis.com/projects/-/serviceAccounts/"),
)
_ALL: Final = {"allUsers": "principalSet://goog/public:all"}


def place_denial(use: RoleUse, names: Names) -> PlacedDenial:
    """Return the project, folder or organization that a deny policy is attached to.

    Raises:
        UsageError: a permission is not known to be one that deny policies take.
    """
    from idtrans.catalog import deniable

    for permission in use.permissions:
        if permission not in deniable():
            raise UsageError(f"deny policies are not known to take `{permission}`")
    name = scope_name(use.scope.native)
    if CONTAINER.fullmatch(name):
        return PlacedDenial(use.scope)
    project = container_of(name) or f"projects/{names.get('gcp-project-id')}"
    scope = _ids.scope(full_name(project), "account")
    if scope is None:
        raise UsageError(f"`{use.scope.native}` lies in no project")
    return PlacedDenial(scope, f"deny policies are attached to projects, so that all of `{project}` is denied")


def fit_denial(leaf: Condition, permission: str) -> Condition:
    """Return a leaf of a limit as deny conditions can carry it: tests of the tags of resources."""
    if isinstance(leaf, Always | Never | Opaque):
        return leaf
    if isinstance(leaf, Test) and not leaf.key.startswith(RESOURCE_TAG):
        found = fit(leaf, permission)
        return found if isinstance(found, Always | Never) else Opaque(describe(leaf), "deny conditions know tags alone")
    return fit(leaf, permission)


def emit_denials(plan: GrantPlan) -> Emission:
    """Return a plan as deny policies, one for each project, folder or organization.

    Raises:
        UsageError: deny policies cannot name the principal.
    """
    principal = _denied(plan.principal)
    points: dict[str, list[RoleUse]] = {}
    for use in plan.uses:
        points.setdefault(scope_name(use.scope.native), []).append(use)
    natives: list[Native] = []
    commands: list[Argv] = []
    blocks: list[TerraformBlock] = []
    for number, (point, uses) in enumerate(points.items(), start=1):
        name = plan.name if len(points) == 1 else f"{plan.name}-{number}"
        rules = [rule for limit in dict.fromkeys(use.limit for use in uses) for rule in _rules(principal, uses, limit)]
        natives.append(Native(DENIES, name, _policy(point, name, rules)))
        commands.append(_command(point, name, rules))
        blocks.append(_block(point, name, rules))
    return Emission(tuple(natives), tuple(commands), tuple(blocks), (), placeholders(natives, commands, blocks))


def _denied(principal: str) -> str:
    """Return a member as deny policies write it.

    https://cloud.google.com/iam/docs/principal-identifiers
    """
    if principal in _ALL:
        return _ALL[principal]
    for start, spelled in _SPELLED:
        if principal.startswith(start):
            return spelled + principal.removeprefix(start)
    if principal.startswith(("principal://", "principalSet://", "<")):
        return principal
    raise UsageError(f"deny policies cannot name `{principal}`", advice="map it to a user or a service account")


def _rules(principal: str, uses: list[RoleUse], limit: Condition) -> Iterator[dict[str, Json]]:
    from idtrans.catalog import deniable

    same = [use for use in uses if use.limit == limit]
    names = dict.fromkeys(deniable()[permission] for use in same for permission in use.permissions)
    rule: dict[str, Json] = {"deniedPrincipals": [principal], "deniedPermissions": list(names)}
    text = expression(limit, None, tuple(names))
    if text is not None:
        rule["denialCondition"] = {"title": "tags", "expression": text}
    yield rule


def _id(name: str) -> str:
    """Return a name as the id of a policy: 3 to 63 lower-case letters, digits, hyphens and dots, a letter first."""
    found = _NOT_ID.sub("-", name.lower()).strip("-.")
    return (found if found[:1].isalpha() else f"deny-{found}")[:_LONGEST].rstrip("-.")


def _point(point: str) -> str:
    """Return the name of what a policy is attached to, as names of policies hold it."""
    # Placeholders stay as they are, so that they can be found and replaced.
    return quote(f"{_HOST}/{point}", safe="<>")


def _policy(point: str, name: str, rules: list[dict[str, Json]]) -> Json:
    return {
        "name": f"policies/{_point(point)}/denypolicies/{_id(name)}",
        "displayName": _id(name),
        "rules": [{"denyRule": rule} for rule in rules],
    }


def _command(point: str, name: str, rules: list[dict[str, Json]]) -> Argv:
    words = (
        *("gcloud", "iam", "policies", "create", _id(name), "--kind=denypolicies"),
        *(f"--attachment-point={_HOST}/{point}", "--policy-file=/dev/stdin"),
    )
    body: Json = {"displayName": _id(name), "rules": [{"denyRule": rule} for rule in rules]}
    return Argv(words, "deny it whatever else is granted, before anything is granted", JsonArgument(body))


def _block(point: str, name: str, rules: list[dict[str, Json]]) -> TerraformBlock:
    body: dict[str, TerraformValue] = {
        "parent": _point(point),
        "name": _id(name),
        "display_name": _id(name),
        "rules": tuple(NestedBlock({"deny_rule": NestedBlock(_deny_rule(rule))}) for rule in rules),
    }
    return TerraformBlock("resource", ("google_iam_deny_policy", label(name)), body)


def _deny_rule(rule: dict[str, Json]) -> dict[str, TerraformValue]:
    body: dict[str, TerraformValue] = {
        "denied_principals": tuple(rule["deniedPrincipals"]),
        "denied_permissions": tuple(rule["deniedPermissions"]),
    }
    if "denialCondition" in rule:
        body["denial_condition"] = NestedBlock(dict(rule["denialCondition"]))
    return body
