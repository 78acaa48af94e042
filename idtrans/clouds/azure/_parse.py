"""From a recognised document to what it states: each object by its own shape."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from idtrans.clouds.azure import (
    _parse_azurehound,
    _parse_classic,
    _parse_containers,
    _parse_credentials,
    _parse_delegations,
    _parse_denies,
    _parse_directory,
    _parse_entra,
    _parse_keyed,
    _parse_policies,
    _parse_roles,
    _parse_storage,
    _shapes,
)
from idtrans.clouds.azure._names import NAME
from idtrans.clouds.azure._parse_plain import PlainAssignments
from idtrans.clouds.azure._records import record_of, rows
from idtrans.clouds.azure._scopes import ROOT
from idtrans.model.documents import Unsupported
from idtrans.model.entities import Container, Principal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from idtrans.clouds.azure._records import Record
    from idtrans.model.documents import Document, Hints, Json
    from idtrans.model.entities import Entity
    from idtrans.model.spans import Source

_PARSERS: dict[str, Callable[[Record, Hints], Iterator[Entity | Unsupported]]] = {
    _shapes.ASSIGNMENTS: _parse_roles.assignment,
    _shapes.DIRECTORY_ASSIGNMENTS: _parse_entra.role_assignment,
    _shapes.DIRECTORY_DEFINITIONS: _parse_entra.role_definition,
    _shapes.DIRECTORY_ROLES: _parse_entra.directory_role,
    _shapes.APP_ROLES: _parse_entra.app_role,
    _shapes.UNITS: _parse_entra.administrative_unit,
    _shapes.AZUREHOUND: _parse_azurehound.row,
    _shapes.POLICIES: _parse_policies.policy_assignment,
    _shapes.CLASSIC: _parse_classic.administrator,
    _shapes.DENIES: _parse_denies.deny,
    _shapes.DELEGATIONS: _parse_delegations.delegation,
    _shapes.DEFINITIONS: _parse_roles.definition,
    _shapes.FEDERATED: _parse_credentials.federated,
    _shapes.APPLICATIONS: _parse_credentials.application,
    _shapes.APP_CREDENTIALS: _parse_credentials.app_credential,
    _shapes.IDENTITIES: _parse_credentials.identity,
    _shapes.STORAGE: _parse_storage.storage_account,
    _shapes.KEYED_RESOURCES: _parse_keyed.keyed_resource,
    _shapes.CONTAINERS: _parse_containers.resource_container,
    _shapes.GROUPS: _parse_directory.group,
    _shapes.DIRECTORY_OBJECTS: _parse_directory.directory_object,
}


def parse(document: Document, shape: str) -> Iterator[Entity | Unsupported]:
    """Yield everything a document states, containers and principals once each.

    A query may return objects of several kinds: each is read by its own shape, by that of the document when it has
    none of its own.
    """
    yield from document.problems
    seen: set[object] = set()
    found: Iterable[Iterable[Entity | Unsupported]] = _parse_rows(document, shape)
    if shape == _shapes.AZUREHOUND:
        found = (_parse_azurehound.counted(chain.from_iterable(found)),)
    for stated in found:
        for item in stated:
            identity_of = _IDENTITIES.get(type(item))
            if identity_of is not None:
                identity = identity_of(item)
                if identity in seen:
                    continue
                seen.add(identity)
            yield item


def _parse_rows(document: Document, shape: str) -> Iterator[Iterable[Entity | Unsupported]]:
    """Yield for each row what it states."""
    named = document.hints.kind is not None
    plain = PlainAssignments()
    for value, source in rows(document):
        found = plain.read(value, source) if not named else None
        if found is not None:
            yield found
            continue
        record = record_of(value, source)
        if record is None:
            yield (_unread(value, source, shape),)
        else:
            kind = shape if named else _shapes.shape_of(record) or shape
            yield _PARSERS[kind](record, document.hints)


def _unread(value: Json, source: Source, shape: str) -> Unsupported:
    """Return what is said of a row that is no object. An assignment may give anybody, or deny, anything anywhere."""
    if shape == _shapes.ASSIGNMENTS:
        return Unsupported(_parse_roles.UNREAD, source, cloud=NAME)
    if shape == _shapes.DENIES:
        return Unsupported("a deny assignment is no object", source, cloud=NAME, subject=ROOT)
    return Unsupported(f"an object was expected, not `{value!r:.60}`", source, cloud=NAME)


def _of_container(item: Container) -> tuple[object, ...]:
    return (item.id, item.parent, item.name)


def _of_principal(item: Principal) -> tuple[object, ...]:
    return (item.id, item.kind, item.aliases, tuple(item.attributes.items()))


_IDENTITIES: Final[dict[type, Callable[[Any], tuple[object, ...]]]] = {
    Container: _of_container,
    Principal: _of_principal,
}
"""What tells repeated containers and principals apart; all else is never dropped."""
