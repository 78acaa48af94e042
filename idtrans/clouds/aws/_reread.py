"""Emitted objects, read back by the reader of this cloud: what is written is checked by what is understood of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from idtrans.clouds.aws._arns import read_arn
from idtrans.clouds.aws._index import CLOUD
from idtrans.clouds.aws._parse import parse
from idtrans.clouds.aws._shapes import recognise
from idtrans.model.artifacts import Native
from idtrans.model.documents import Document, Format, Hints, Json, Unsupported
from idtrans.model.entities import Entity
from idtrans.model.errors import InternalError
from idtrans.model.spans import Place

_PROVIDER: Final = "aws.open-id-connect-provider"


def reread(natives: Sequence[Native]) -> Iterator[Entity | Unsupported]:
    """Yield what emitted objects state.

    Raises:
        InternalError: an object is not one that the reader recognises.
    """
    trusted = [provider for native in natives for provider in _providers(native.content)]
    for native in natives:
        resource = next(iter(trusted), None) if native.kind == _PROVIDER else None
        hints = Hints(kind=native.kind, cloud=CLOUD, resource=resource)
        document = Document(Place(f"emitted:{native.name}.json"), Format.JSON, native.content, hints)
        shape = recognise(document)
        if shape is None:
            raise InternalError(f"the emitted object `{native.name}` of kind `{native.kind}` is not recognised")
        yield from parse(document, shape)


def _providers(content: Json) -> Iterator[str]:
    """Yield the OIDC providers that an emitted trust policy names."""
    statements = content.get("Statement", ()) if isinstance(content, dict) else ()
    for statement in statements:
        provider = statement.get("Principal", {}).get("Federated") if isinstance(statement, dict) else None
        if isinstance(provider, str) and read_arn(provider) is not None:
            yield provider
