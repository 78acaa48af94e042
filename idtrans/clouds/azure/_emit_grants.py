"""Write a plan as role assignments, with custom roles where no predefined one fits."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from idtrans.algebra import STAR, Quantifier, Test, all_of, pieces
from idtrans.clouds.azure._emit_names import finish, label, slug, subscription_of
from idtrans.clouds.azure._limits import written
from idtrans.clouds.azure._names import NAME, PREFIX, guid
from idtrans.clouds.azure._operations import OperationPlane, bare, plane_of
from idtrans.clouds.azure._shapes import ASSIGNMENTS, DEFINITIONS
from idtrans.model.artifacts import Argv, Emission, JsonArgument, Native, Reference, TerraformBlock
from idtrans.model.errors import UsageError
from idtrans.ports import OBJECT

if TYPE_CHECKING:
    from idtrans.model.artifacts import TerraformValue
    from idtrans.model.documents import Json
    from idtrans.ports import GrantPlan, RoleUse

_VERSION: Final = "2.0"
_OBJECT_PLACEHOLDER: Final = "<AZURE_PRINCIPAL_OBJECT_ID>"
_ROOT: Final = "/providers/Microsoft.Authorization/roleDefinitions"


@dataclass(frozen=True, slots=True)
class _Role:
    """A role that is assigned: where it comes from and how it is named."""

    id: str
    name: str
    custom: bool
    label: str


@dataclass(frozen=True, slots=True)
class _Holder:
    """Whom a role is assigned to, in the ways that the targets ask for."""

    object_id: str
    user: str | None
    """User name, where the object id is not known."""


def emit_grants(plan: GrantPlan) -> Emission:
    """Write each use of a plan as a role assignment.

    Raises:
        UsageError: a prefix cannot be said in a condition, or the scope is around subscriptions.
    """
    for use in plan.uses:
        if "management_group" in use.scope.parts:
            advice = "map it to a subscription or a resource group"
            raise UsageError(
                f"no role is assigned on `{use.scope.native}`: what lies in it is not known", advice=advice
            )
    holder = _holder(plan.principal)
    natives: list[Native] = []
    commands: list[Argv] = []
    terraform: list[TerraformBlock] = []
    if holder.user is not None:
        terraform.append(
            TerraformBlock("data", ("azuread_user", label(plan.name)), {"user_principal_name": holder.user})
        )
    for number, use in enumerate(plan.uses, start=1):
        name = plan.name if len(plan.uses) == 1 else f"{plan.name}-{number}"
        role = _role(use, name)
        if role.custom:
            definition = _definition(use, role)
            natives.append(Native(DEFINITIONS, f"{slug(name)}-role", definition))
            commands.append(_define(use, role))
            terraform.append(_define_block(use, role))
        condition = _condition(use)
        natives.append(Native(ASSIGNMENTS, f"{slug(name)}-assignment", _assignment(use, role, holder, condition)))
        commands.append(_assign(use, role, holder, condition))
        terraform.append(_assign_block(use, role, _principal_value(plan, holder), condition, name))
    return finish(Emission(tuple(natives), tuple(commands), tuple(terraform)))


def _holder(principal: str) -> _Holder:
    bare_id = principal[len(PREFIX) :] if principal[: len(PREFIX)].lower() == PREFIX else principal
    spelled = guid(bare_id)
    if spelled is not None or bare_id.startswith("<"):
        return _Holder(spelled or bare_id, None)
    return _Holder(_OBJECT_PLACEHOLDER, bare_id)


def _role(use: RoleUse, name: str) -> _Role:
    from idtrans.catalog import builtin_role

    if use.role is None:
        title = slug(name)
        # The same plan gives the same role, so that writing it twice changes nothing.
        return _Role(
            str(uuid.uuid5(uuid.NAMESPACE_URL, f"{use.scope.native}#{title}")), title, custom=True, label=label(name)
        )
    known = builtin_role(NAME, use.role)
    if known is not None:
        return _Role(known.id, known.name, custom=False, label=label(name))
    return _Role(guid(use.role) or "<AZURE_ROLE_DEFINITION_ID>", use.role, custom=False, label=label(name))


def _permissions(use: RoleUse) -> dict[str, list[str]]:
    """Return the permissions of a use by list, in the spelling without planes."""
    lists: dict[str, list[str]] = {"actions": [], "notActions": [], "dataActions": [], "notDataActions": []}
    for permission in use.permissions:
        operation = bare(permission)
        plane = permission.partition(":")[0] if operation != permission else plane_of(operation.lower())
        lists["dataActions" if plane == OperationPlane.DATA else "actions"].append(operation)
    return lists


def _definition(use: RoleUse, role: _Role) -> Json:
    return {
        "id": f"{subscription_of(use.scope.native)}{_ROOT}/{role.id}",
        "name": role.id,
        "type": "Microsoft.Authorization/roleDefinitions",
        "roleName": role.name,
        "roleType": "CustomRole",
        "description": _description(use),
        "permissions": [_permissions(use)],
        "assignableScopes": [subscription_of(use.scope.native)],
    }


def _description(use: RoleUse) -> str:
    return f"Gives {', '.join(use.capabilities)} and nothing else."


def _define(use: RoleUse, role: _Role) -> Argv:
    lists = {f"{name[0].upper()}{name[1:]}": names for name, names in _permissions(use).items()}
    body: Json = {
        "Name": role.name,
        "IsCustom": True,
        "Description": _description(use),
        **lists,
        "AssignableScopes": [subscription_of(use.scope.native)],
    }
    words = ("az", "role", "definition", "create", "--role-definition", JsonArgument(body))
    return Argv(words, why="no predefined role gives exactly this")


def _define_block(use: RoleUse, role: _Role) -> TerraformBlock:
    from idtrans.model.artifacts import NestedBlock

    lists = _permissions(use)
    given: dict[str, TerraformValue] = {
        "actions": tuple(lists["actions"]),
        "data_actions": tuple(lists["dataActions"]),
    }
    scope = subscription_of(use.scope.native)
    body: dict[str, TerraformValue] = {
        "name": role.name,
        "scope": scope,
        "description": _description(use),
        "permissions": NestedBlock(given),
        "assignable_scopes": (scope,),
    }
    return TerraformBlock("resource", ("azurerm_role_definition", role.label), body)


def _assignment(use: RoleUse, role: _Role, holder: _Holder, condition: str | None) -> Json:
    found: Json = {
        "principalId": holder.object_id,
        "roleDefinitionId": f"{subscription_of(use.scope.native)}{_ROOT}/{role.id}",
        "roleDefinitionName": role.name,
        "scope": use.scope.native,
    }
    if holder.user is not None:
        found["principalName"] = holder.user
    if condition is not None:
        found |= {"condition": condition, "conditionVersion": _VERSION}
    return found


def _assign(use: RoleUse, role: _Role, holder: _Holder, condition: str | None) -> Argv:
    whom: tuple[str, ...] = (
        ("--assignee", holder.user) if holder.user is not None else ("--assignee-object-id", holder.object_id)
    )
    if whom == ("--assignee-object-id", _OBJECT_PLACEHOLDER):
        # A new identity is not found by looking it up: https://learn.microsoft.com/azure/role-based-access-control/troubleshooting
        whom = (*whom, "--assignee-principal-type", "ServicePrincipal")
    named = role.name if role.custom or guid(role.id) is None else role.id
    words: tuple[str, ...] = (*whom, "--role", named, "--scope", use.scope.native)
    if condition is not None:
        words = (*words, "--condition", condition, "--condition-version", _VERSION)
    return Argv(("az", "role", "assignment", "create", *words), why=f"assigns {role.name}")


def _principal_value(plan: GrantPlan, holder: _Holder) -> TerraformValue:
    if holder.user is not None:
        return Reference(f"data.azuread_user.{label(plan.name)}.object_id")
    return holder.object_id


def _assign_block(
    use: RoleUse, role: _Role, principal: TerraformValue, condition: str | None, name: str
) -> TerraformBlock:
    body: dict[str, TerraformValue] = {"scope": use.scope.native}
    if role.custom:
        body["role_definition_id"] = Reference(f"azurerm_role_definition.{role.label}.role_definition_resource_id")
    elif guid(role.id) is not None:
        body["role_definition_id"] = f"{subscription_of(use.scope.native)}{_ROOT}/{role.id}"
    else:
        body["role_definition_name"] = role.name
    body["principal_id"] = principal
    if condition is not None:
        body |= {"condition": condition, "condition_version": _VERSION}
    return TerraformBlock("resource", ("azurerm_role_assignment", label(name)), body)


def _condition(use: RoleUse) -> str | None:
    """Return the condition of an assignment: that of the capability, the limit, and the prefix of the scope."""
    prefix = use.scope.parts.get("prefix")
    limit = use.limit
    if prefix:
        if not prefix.isprintable() or any(character in prefix for character in "'\\*?"):
            raise UsageError(
                f"the prefix `{prefix}` cannot be written in a condition", advice="use a container of its own"
            )
        limit = all_of(limit, Test(OBJECT, Quantifier.ONE, pieces((prefix, STAR))))
    texts = [text for text in (use.condition, written(limit)) if text]
    return " AND ".join(f"({text})" for text in texts) if len(texts) > 1 else next(iter(texts), None)
