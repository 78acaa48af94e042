"""Resources whose keys open their data: whether they accept keys is all that is read of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.clouds.azure._names import NAME, scope_id
from idtrans.clouds.azure._scopes import container, containers
from idtrans.model.entities import Resource
from idtrans.model.values import UNKNOWN, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.catalog import KeyedType
    from idtrans.clouds.azure._records import Record
    from idtrans.model.documents import Hints, Unsupported
    from idtrans.model.entities import Entity

KEYED: Final = "keyed-resource"
"""Kind of the resources."""
ACCEPTED: Final = "acceptsKeys"
"""Setting that says whether a resource accepts its keys."""


def keyed_type(record: Record) -> KeyedType | None:
    """Return what is known of the keys of an object, `None` for one of another type, or that says nothing of keys."""
    from idtrans.catalog import keyed_types

    path = (record.text("id") or "").lower().rstrip("/")
    provider, found, rest = path.rpartition("/providers/")[2].partition("/")
    kind = f"{provider}/{rest.partition('/')[0]}" if found and rest.count("/") == 1 else ""
    for known in keyed_types():
        if kind == known.type and (known.off or known.on) and record.stated((known.off or known.on or "").lower()):
            return known
    return None


def keyed_resource(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:  # noqa: ARG001 - parsers are called alike
    """Yield a resource with whether it accepts its keys. `null` means the default."""
    known, path = keyed_type(record), scope_id(record.text("id") or "")
    if known is None or path is None:
        yield record.unsupported("a resource with keys has no readable id")
        return
    accepted = _accepted(record, known)
    if accepted is UNKNOWN:
        yield record.unsupported(f"`{known.off or known.on}` cannot be read", subject=path)
    yield Resource(
        cloud=NAME,
        id=path,
        kind=KEYED,
        source=record.source,
        container=container(path),
        name=record.text("name") or path.rsplit("/", 1)[-1],
        settings={ACCEPTED: accepted},
    )
    yield from containers(path, record.at("id"))


def _accepted(record: Record, known: KeyedType) -> bool | Unknown:
    value = record.get((known.off or known.on or "").lower())
    if value is None:
        # Keys are accepted unless they are refused; an admin user is off unless it is on.
        return known.off is not None
    if not isinstance(value, bool):
        return UNKNOWN
    return not value if known.off is not None else value
