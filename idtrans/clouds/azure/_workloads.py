"""Managed identities: what functions, machines and containers run as.

https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/overview
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.clouds.azure._emit_names import finish, label, slug
from idtrans.clouds.azure._index import index_of
from idtrans.model.artifacts import Argv, Emission, Reference, TerraformBlock
from idtrans.model.entities import PrincipalKind
from idtrans.ports import Workload, WorkloadIdentity, WorkloadKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.model.estate import Estate
    from idtrans.model.intents import Names

PRINCIPAL: Final = "<AZURE_PRINCIPAL_OBJECT_ID>"
"""Placeholder of the object id that a new identity gets."""
_LONGEST: Final = 128
_REMARKS: Final = (
    "a subscription stands for the account or project: a managed identity lies in a resource group of one directory",
    f"`{PRINCIPAL}` is known when the identity is created; a grant that does not find it is to be tried again",
)


def workload(principal: str, estate: Estate) -> Workload | None:
    """Return that workloads run as a service principal; what runs is not stated by its assignments."""
    return Workload() if index_of(estate).kind(principal) is PrincipalKind.SERVICE_IDENTITY else None


def emit_identity(used: Workload, name: str, names: Names) -> WorkloadIdentity:
    """Return a user-assigned managed identity, and what makes workloads run as it."""
    identity, group = slug(name)[:_LONGEST], names.get("azure-resource-group")
    place = ("--name", identity, "--resource-group", group)
    commands = (
        Argv(("az", "identity", "create", *place), "create the identity"),
        Argv(
            ("az", "identity", "show", *place, "--query", "principalId", "--output", "tsv"),
            f"prints what stands for {PRINCIPAL} below",
        ),
    )
    block = TerraformBlock(
        "resource",
        ("azurerm_user_assigned_identity", label(identity)),
        {"name": identity, "resource_group_name": group, "location": names.get("azure-location")},
    )
    path = f"/subscriptions/{names.get('azure-subscription-id')}/resourceGroups/{group}"
    resource = f"{path}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{identity}"
    attach = tuple(command for kind in used.kinds for command in _attach(kind, resource, group, names))
    value = Reference(f"azurerm_user_assigned_identity.{label(identity)}.id")
    outputs = (TerraformBlock("output", (f"{label(identity)}_id",), {"value": value}),)
    return WorkloadIdentity(
        PRINCIPAL,
        finish(Emission((), commands, (block,))),
        finish(Emission((), attach, outputs)),
        Reference(f"azurerm_user_assigned_identity.{label(identity)}.principal_id"),
        PRINCIPAL,
        _REMARKS,
    )


def _attach(kind: WorkloadKind, resource: str, group: str, names: Names) -> Iterator[Argv]:
    if kind is WorkloadKind.FUNCTION:
        place = ("--name", names.get("azure-function-app"), "--resource-group", group)
        words = ("az", "functionapp", "identity", "assign", *place, "--identities", resource)
        yield Argv(words, "let the function run as the identity")
    if kind is WorkloadKind.INSTANCE:
        place = ("--name", names.get("azure-vm"), "--resource-group", group)
        yield Argv(("az", "vm", "identity", "assign", *place, "--identities", resource), "let the machine run as it")
    if kind is WorkloadKind.CONTAINER:
        place = ("--name", names.get("azure-container-app"), "--resource-group", group)
        words = ("az", "containerapp", "identity", "assign", *place, "--user-assigned", resource)
        yield Argv(words, "let the container run as the identity")
