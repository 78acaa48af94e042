"""The catalogue of roles and operations: completing it from the vendors' own lists, and how complete it is."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from idtrans.api._clouds import clouds, readers
from idtrans.model.answers import CatalogAnswer, CatalogLine
from idtrans.model.entities import RoleDefinition
from idtrans.model.errors import UnrecognisedError, UsageError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from idtrans.model.documents import Document

_ADVICE = "give it the JSON of `gcloud iam roles describe`, `az role definition list` or `az provider operation list`"


def use_catalog(path: str | os.PathLike[str] | None) -> None:
    """Let every look-up read a catalogue file; `None` goes back to the built-in facts.

    Raises:
        DataError: the file cannot be read, or is no catalogue.
    """
    from idtrans import catalog

    catalog.use_catalog(Path(path) if path is not None else None)


def import_catalog(
    paths: Sequence[str | os.PathLike[str]], *, now: datetime | None = None, stdin: bytes | None = None
) -> str:
    """Return the text of a catalogue file with every complete role and operation of the vendors that files list.

    Raises:
        DocumentError: a file cannot be read, or lists neither roles nor operations.
        UsageError: nothing complete was found.
    """
    from idtrans import catalog, documents

    reading = documents.read(paths, stdin=stdin)
    if reading.errors:
        raise reading.errors[0]
    roles: list[RoleDefinition] = []
    operations: dict[str, str] = {}
    for document in reading.documents:
        found = catalog.provider_operations(document.content)
        if found is not None:
            operations.update(found)
        else:
            roles += _roles(document)
    usable = [role for role in roles if role.complete and not role.custom]
    if not usable and not operations:
        message = "nothing here lists the permissions of a predefined role"
        raise UsageError(message, advice="`gcloud iam roles list` prints names alone; `describe` prints permissions")
    return catalog.write_catalog(usable, operations, now or datetime.now(UTC))


def _roles(document: Document) -> Iterator[RoleDefinition]:
    for reader in readers().values():
        shape = reader.recognise(document)
        if shape is not None:
            yield from (each for each in reader.parse(document, shape) if isinstance(each, RoleDefinition))
            return
    if document.explicit:
        raise UnrecognisedError("it lists neither roles nor operations", source=document.source, advice=_ADVICE)


def catalog_status(*, now: datetime | None = None) -> CatalogAnswer:
    """Return what is known of the roles of each cloud, and how old that is.

    Raises:
        DataError: a role file breaks its schema.
    """
    from idtrans import catalog

    moment, supplied = now or datetime.now(UTC), catalog.supplied()
    lines = []
    for cloud in clouds():
        known, own = catalog.builtin_roles(cloud), catalog.known_by_itself(cloud)
        as_of = catalog.roles_as_of(cloud)
        if not known:
            continue
        lines.append(
            CatalogLine(
                cloud=cloud,
                roles=len(known),
                complete=sum(role.complete for role in known),
                built_in=len(own),
                built_in_as_of=as_of.isoformat() if as_of is not None else "unknown",
                supplied=len(supplied.roles.get(cloud, {})) if supplied is not None else 0,
            )
        )
    if supplied is None:
        return CatalogAnswer(tuple(lines))
    imported = supplied.imported if supplied.imported.tzinfo else supplied.imported.replace(tzinfo=UTC)
    age = (moment - imported).days
    return CatalogAnswer(tuple(lines), supplied.path, imported.isoformat(), age, len(supplied.operations))
