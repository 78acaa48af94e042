"""Resources whose keys open their data, and what is known of whether they accept them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from idtrans.algebra import STAR, Language, Opaque, Wildcard, pieces
from idtrans.clouds.azure._parse_storage import SERVICES
from idtrans.clouds.azure._scopes import level

if TYPE_CHECKING:
    from idtrans.catalog import KeyedType

STORAGE: Final = "microsoft.storage/storageaccounts"
"""The type whose services accept keys or not one by one."""
WHOLE: Final = ""
"""Service of a resource that accepts keys or not as a whole."""


@dataclass(frozen=True, slots=True)
class Keyed:
    """A type of resource, its keys, and what they open."""

    type: str
    what: str
    listings: tuple[str, ...]
    """Operations of the action dimension that hand out a key, or something that was made with one."""
    opens: tuple[tuple[str, tuple[str, ...]], ...]
    """Data actions by service."""
    shows: tuple[str, ...]
    """Operations on data, to show what a key opens."""
    unsure: Opaque
    """Holds where a resource accepts its keys of which that is not stated."""

    @property
    def root(self) -> str:
        """The type of the outermost resource."""
        return "/".join(self.type.split("/")[:2])

    @property
    def everything(self) -> tuple[str, ...]:
        """Every data action that keys open."""
        return tuple(name for _, names in self.opens for name in names)

    def inside(self) -> Language:
        """Return what lies in resources of the type."""
        return _inside(self.type)

    def reaches(self, scope: str) -> bool:
        """Tell whether a scope holds resources of the type as a whole, or is one."""
        provider, *types = self.type.split("/")
        head, found, tail = scope.partition(f"/providers/{provider}/")
        if not found:
            return level(scope) != "resource"
        parts = tail.split("/")
        return bool(head) and len(parts) % 2 == 0 and parts[::2] == types[: len(parts) // 2]

    def handed_out(self, given: Language) -> tuple[str, ...]:
        """Return the operations among some that hand out keys."""
        return tuple(name for name in self.listings if given.matches(name))


@cache
def keyed() -> tuple[Keyed, ...]:
    """Return all types of resources whose keys open their data."""
    from idtrans.catalog import keyed_types

    return (_storage(), *map(_keyed, keyed_types()))


def _storage() -> Keyed:
    listings = ("listkeys", "regeneratekey", "listaccountsas", "listservicesas")
    shows = (
        "blobservices/containers/blobs/read",
        "fileservices/fileshares/files/read",
        "queueservices/queues/messages/read",
        "tableservices/tables/entities/read",
    )
    return Keyed(
        STORAGE,
        "account keys",
        tuple(f"control:{STORAGE}/{name}/action" for name in listings),
        tuple((service, (f"{STORAGE}/{service}services/*",)) for service in SERVICES),
        tuple(f"data:{STORAGE}/{name}" for name in shows),
        Opaque("the storage account accepts its account keys", "whether shared keys are turned off is not stated"),
    )


def _keyed(known: KeyedType) -> Keyed:
    setting = known.off or known.on
    reason = f"`{setting}` of the resource is not stated" if setting else "no property that is read here tells it"
    return Keyed(
        known.type,
        known.what,
        tuple(f"control:{name}" for name in known.lists),
        ((WHOLE, known.opens),),
        (f"data:{known.shows}",),
        Opaque(f"{known.what} are accepted", reason),
    )


@cache
def _inside(kind: str) -> Language:
    provider, first, *rest = kind.split("/")
    parts: list[str | Wildcard] = [STAR, f"/providers/{provider}/{first}/", STAR]
    for name in rest:
        parts += [f"/{name}/", STAR]
    return pieces(parts)
