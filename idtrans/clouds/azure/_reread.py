"""Read back what was emitted, with the reader that reads everybody's documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.clouds.azure._parse import parse
from idtrans.model.documents import Document, Format, Unsupported
from idtrans.model.spans import Place

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from idtrans.model.artifacts import Native
    from idtrans.model.entities import Entity


def reread(natives: Sequence[Native]) -> Iterator[Entity | Unsupported]:
    """Yield what emitted objects state. All federated credentials among them are those of one identity."""
    kinds: dict[str, list[Native]] = {}
    for native in natives:
        kinds.setdefault(native.kind, []).append(native)
    for kind, group in kinds.items():
        content = [native.content for native in group]
        yield from parse(Document(Place(f"emitted:{kind}"), Format.JSON, content), kind)
