"""Shapes: what an object is, told by its fields and never by the name of its file."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from idtrans.clouds.azure._parse_delegations import TYPE as DELEGATION
from idtrans.clouds.azure._parse_keyed import keyed_type
from idtrans.clouds.azure._records import Record, record_of, rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from idtrans.model.documents import Document

ASSIGNMENTS = "azure.role-assignments"
DIRECTORY_ASSIGNMENTS = "azure.directory-role-assignments"
DIRECTORY_ROLES = "azure.directory-roles"
DIRECTORY_DEFINITIONS = "azure.directory-role-definitions"
APP_ROLES = "azure.app-role-assignments"
UNITS = "azure.administrative-units"
AZUREHOUND = "azure.azurehound"
POLICIES = "azure.policy-assignments"
CLASSIC = "azure.classic-administrators"
DENIES = "azure.deny-assignments"
DELEGATIONS = "azure.delegations"
DEFINITIONS = "azure.role-definitions"
FEDERATED = "azure.federated-credentials"
APPLICATIONS = "azure.applications"
APP_CREDENTIALS = "azure.app-credentials"
IDENTITIES = "azure.managed-identities"
STORAGE = "azure.storage-accounts"
KEYED_RESOURCES = "azure.resources-with-keys"
CONTAINERS = "azure.containers"
GROUPS = "azure.groups"
DIRECTORY_OBJECTS = "azure.directory-objects"

_LOOKED_AT = 50
_ASSIGNMENT_TYPES = (
    "/roleassignments",
    "/roleassignmentscheduleinstances",
    "/roleeligibilityscheduleinstances",
    "/roleassignmentschedules",
    "/roleeligibilityschedules",
)
_APP_LISTS = frozenset({"passwordcredentials", "keycredentials", "federatedidentitycredentials"})
_APP_SIGNS = _APP_LISTS | {"serviceprincipaltype", "signinaudience"}
_STORAGE_SIGNS = frozenset(
    {"allowblobpublicaccess", "allowsharedkeyaccess", "networkruleset", "networkacls", "primaryendpoints"}
)
_CONTAINER_TYPES = (
    "microsoft.management/managementgroups",
    "/providers/microsoft.management/managementgroups",
    "microsoft.resources/subscriptions",
    "/subscriptions",
)


def recognise(document: Document) -> str | None:
    """Return the shape of the first object that has one, or the shape that the hints name."""
    named = document.hints.kind
    if named is not None and document.hints.cloud in {None, "azure"}:
        full = named if named.startswith("azure.") else f"azure.{named}"
        if full in SHAPES:
            return full
    for value, source in islice(rows(document), _LOOKED_AT):
        record = record_of(value, source)
        shape = shape_of(record) if record is not None else None
        if shape is not None:
            return shape
    return None


def shape_of(record: Record) -> str | None:
    """Return the shape of one object, `None` when it is none of Azure's."""
    return next((shape for shape, holds in SHAPES.items() if holds(record)), None)


def _type(record: Record) -> str:
    return (record.text("type") or "").lower()


def _odata(record: Record) -> str:
    return (record.text("@odata.type") or "").lower()


def _is_azurehound(record: Record) -> bool:
    kind = record.text("kind") or ""
    return kind[:2] == "AZ" and isinstance(record.get("data"), dict)


def _is_policy(record: Record) -> bool:
    stated = record.stated("policydefinitionid") and (record.stated("enforcementmode") or record.stated("notscopes"))
    return stated or _type(record) == "microsoft.authorization/policyassignments"


def _is_deny(record: Record) -> bool:
    return _type(record).endswith("/denyassignments") or record.stated("denyassignmentname")


def _is_classic(record: Record) -> bool:
    named = (record.text("roledefinitionid") or "").lower().startswith("na(classic")
    return named or _type(record).endswith("/classicadministrators")


def _is_directory_assignment(record: Record) -> bool:
    return record.stated("directoryscopeid") and record.stated("principalid")


def _is_directory_role(record: Record) -> bool:
    return record.stated("roletemplateid") and not record.stated("principalid")


def _is_directory_definition(record: Record) -> bool:
    return isinstance(record.get("rolepermissions"), list)


def _is_app_role(record: Record) -> bool:
    return all(map(record.stated, ("approleid", "principalid", "resourceid")))


def _is_unit(record: Record) -> bool:
    return _odata(record).endswith(".administrativeunit") or record.stated("ismembermanagementrestricted")


def _is_assignment(record: Record) -> bool:
    typed = _type(record).startswith("microsoft.authorization/") and _type(record).endswith(_ASSIGNMENT_TYPES)
    return typed or (record.stated("roledefinitionid") and (record.stated("principalid") or record.stated("objectid")))


def _is_definition(record: Record) -> bool:
    if _type(record) == "microsoft.authorization/roledefinitions":
        return True
    permissions = isinstance(record.get("permissions"), list) and record.stated("rolename")
    flat = record.stated("actions") or record.stated("dataactions")
    return permissions or (record.stated("assignablescopes") and (flat or record.stated("permissions")))


def _is_federated(record: Record) -> bool:
    wanted = record.stated("subject") or record.stated("claimsmatchingexpression")
    return record.stated("issuer") and record.stated("audiences") and wanted


def _is_application(record: Record) -> bool:
    return record.stated("appid") and any(map(record.stated, _APP_SIGNS))


def _is_identity(record: Record) -> bool:
    return _type(record) == "microsoft.managedidentity/userassignedidentities"


def _is_app_credential(record: Record) -> bool:
    return record.stated("keyid") and (record.stated("enddatetime") or record.stated("enddate"))


def _is_storage(record: Record) -> bool:
    if _type(record) == "microsoft.storage/storageaccounts":
        return True
    path = (record.text("id") or "").lower()
    inside = "/providers/microsoft.storage/storageaccounts/" in path
    return not _type(record) and inside and any(map(record.stated, _STORAGE_SIGNS))


def _is_container(record: Record) -> bool:
    return _type(record) in _CONTAINER_TYPES or record.stated("managementgroupancestorschain")


def _is_group(record: Record) -> bool:
    return isinstance(record.get("members"), list) and (
        _odata(record).endswith(".group") or record.stated("securityenabled") or record.stated("mailenabled")
    )


def _is_directory_object(record: Record) -> bool:
    named = record.stated("userprincipalname") or record.stated("securityenabled")
    return record.text("id") is not None and (_odata(record).startswith("#microsoft.graph.") or named)


SHAPES: dict[str, Callable[[Record], bool]] = {
    AZUREHOUND: _is_azurehound,
    DENIES: _is_deny,
    DELEGATIONS: lambda record: _type(record) == DELEGATION,
    CLASSIC: _is_classic,
    POLICIES: _is_policy,
    DIRECTORY_ASSIGNMENTS: _is_directory_assignment,
    DIRECTORY_DEFINITIONS: _is_directory_definition,
    DIRECTORY_ROLES: _is_directory_role,
    APP_ROLES: _is_app_role,
    UNITS: _is_unit,
    ASSIGNMENTS: _is_assignment,
    DEFINITIONS: _is_definition,
    FEDERATED: _is_federated,
    APPLICATIONS: _is_application,
    IDENTITIES: _is_identity,
    APP_CREDENTIALS: _is_app_credential,
    STORAGE: _is_storage,
    KEYED_RESOURCES: lambda record: keyed_type(record) is not None,
    CONTAINERS: _is_container,
    GROUPS: _is_group,
    DIRECTORY_OBJECTS: _is_directory_object,
}
"""Shape names with what tells them, most telling first."""
