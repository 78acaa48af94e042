"""Reader: recognises documents by shape and parses them to entities."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from idtrans.model.documents import Document, Unsupported
from idtrans.model.entities import Entity


class Reader(Protocol):
    """One source of documents, such as a cloud."""

    @property
    def name(self) -> str:
        """Name that entities carry, such as `aws`."""
        ...

    def recognise(self, document: Document) -> str | None:
        """Return the name of the document's shape, such as `aws.credential-report`, or `None`.

        Decides by the content's shape and by explicit hints (kind, layer), never by the file's name.
        """
        ...

    def parse(self, document: Document, shape: str) -> Iterable[Entity | Unsupported]:
        """Yield everything a recognised document states. What is not understood is yielded as `Unsupported`."""
        ...
