"""Replies of the command line, read as a user's files are."""

from __future__ import annotations

from typing import Any

from idtrans.clouds.aws import CLOUD
from idtrans.model.documents import Document, Format, Hints, Unsupported
from idtrans.model.entities import Entity
from idtrans.model.spans import Place


def shape(content: Any, **hints: Any) -> str | None:
    return CLOUD.recognise(Document(Place("reply.json"), Format.JSON, content, Hints(**hints)))


def read(content: Any, **hints: Any) -> list[Entity | Unsupported]:
    document = Document(Place("reply.json"), Format.JSON, content, Hints(**hints))
    found = CLOUD.recognise(document)
    assert found is not None
    return list(CLOUD.parse(document, found))


def entities(content: Any, **hints: Any) -> list[Entity]:
    return [found for found in read(content, **hints) if not isinstance(found, Unsupported)]


def reasons(content: Any, **hints: Any) -> list[str]:
    return [found.reason for found in read(content, **hints) if isinstance(found, Unsupported)]
