"""Delegations to another tenant (Azure Lighthouse): what its principals hold, as if it were assigned to them.

https://learn.microsoft.com/azure/lighthouse/concepts/architecture
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.clouds.azure._parse_roles import UNREAD, assignment
from idtrans.clouds.azure._records import Record, record_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from idtrans.model.documents import Hints, Json, Unsupported
    from idtrans.model.entities import Entity

TYPE: Final = "microsoft.managedservices/registrationassignments"
"""Type of a delegation of a subscription or a resource group."""

_SUFFIX: Final = "/providers/microsoft.managedservices/"
_WRITE: Final = "Microsoft.Authorization/roleAssignments/write"
_ASSIGNED: Final = "@Request[Microsoft.Authorization/roleAssignments:RoleDefinitionId]"
_ELIGIBLE: Final = "Microsoft.Authorization/roleEligibilitySchedules"


def delegation(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:
    """Yield an assignment for each authorization of a delegation, active or eligible."""
    path = record.text("id") or ""
    cut = path.lower().rfind(_SUFFIX)
    definition = record_of(record.get("registrationdefinition"), record.at("registrationdefinition"))
    if cut < 0 or definition is None or not definition.stated("authorizations"):
        yield record.unsupported(
            "the authorizations of a delegation to another tenant are not stated: read it with them"
        )
        return
    title = definition.text("registrationdefinitionname") or record.text("name") or "another tenant"
    for name, kind in (("authorizations", None), ("eligibleauthorizations", _ELIGIBLE)):
        for number, (item, source) in enumerate(definition.items(name)):
            each = record_of(item, source)
            if each is None:
                yield record.unsupported(UNREAD)
                continue
            fields: dict[str, Json] = {
                **each.fields,
                "scope": path[:cut] or "/",
                "principalname": each.text("principaliddisplayname"),
                "id": f"{path}#{kind or 'active'}-{number}",
                "description": f"delegated to {title}",
                "type": kind,
                "condition": _condition(each),
            }
            yield from assignment(Record(fields, _places(each, fields), each.source, each.clashes), hints)


def _places(record: Record, fields: Mapping[str, Json]) -> dict[str, tuple[str, ...]]:
    return {**dict.fromkeys(fields, ()), **record.places}


def _condition(record: Record) -> str | None:
    """Return what `User Access Administrator` is limited to: assigning listed roles to managed identities.

    https://learn.microsoft.com/azure/lighthouse/how-to/deploy-policy-remediation
    """
    listed = record.texts("delegatedroledefinitionids")
    if not listed:
        return None
    roles = ", ".join(text.rstrip("/").rpartition("/")[2] for text in listed)
    return f"(!(ActionMatches{{'{_WRITE}'}})) OR ({_ASSIGNED} ForAnyOfAnyValues:GuidEquals {{{roles}}})"
