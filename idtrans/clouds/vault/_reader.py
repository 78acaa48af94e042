"""The Vault reader: documents to entities, and what the engines ask of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.clouds.vault import _credentials, _parse, _shapes, _trusts
from idtrans.clouds.vault._names import NAME

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.model.documents import Document, Unsupported
    from idtrans.model.entities import Entity
    from idtrans.model.estate import Estate
    from idtrans.ports import Impersonation, Trust


class Vault:
    """Vault's auth methods, policies and secrets engines. A reader, not a cloud: it has no resources of its own."""

    @property
    def name(self) -> str:
        """`vault`."""
        return NAME

    def recognise(self, document: Document) -> str | None:
        """Return the shape of a document, such as `vault.jwt-role`, or `None`."""
        return _shapes.recognise(document)

    def parse(self, document: Document, shape: str) -> Iterable[Entity | Unsupported]:
        """Yield everything a recognised document states."""
        return _parse.parse(document, shape)

    def trusts(self, estate: Estate) -> tuple[Trust, ...]:
        """Return who outside can log in to each role."""
        return _trusts.trusts(estate)

    def impersonations(self, estate: Estate) -> tuple[Impersonation, ...]:
        """Return which role obtains which cloud credentials, and whose these are."""
        return _credentials.impersonations(estate)


READER: Final = Vault()
"""The one instance; readers are stateless."""
