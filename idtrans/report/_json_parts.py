"""Pieces that several JSON outputs share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import TYPE_CHECKING

from idtrans.model.spans import NOWHERE
from idtrans.report._artifacts import artifacts

if TYPE_CHECKING:
    from idtrans.model.artifacts import Artifact, ArtifactFormat, Emission, Loss
    from idtrans.model.decisions import Reason
    from idtrans.model.documents import Json, Unsupported
    from idtrans.model.findings import NotEvaluated
    from idtrans.model.spans import Source


def place(source: Source) -> Json:
    """Return path, line and pointer of a source."""
    return {"path": source.path, "line": source.line, "pointer": source.pointer}


def place_or_none(source: Source) -> Json:
    """Return a source, `None` for what no document states."""
    return None if source == NOWHERE else place(source)


def reason(entry: Reason) -> Json:
    """Return a statement that took part in a decision."""
    return {
        "layer": entry.layer,
        "effect": entry.effect.value,
        "statement": entry.statement,
        "source": place_or_none(entry.source),
        "why": entry.why,
    }


def unread(entries: Iterable[NotEvaluated | Unsupported]) -> Json:
    """Return what was not understood, with its places."""
    return [{**place(entry.source), "reason": entry.reason} for entry in entries]


def artifact(entry: Artifact) -> Json:
    """Return one rendered artifact."""
    return {"kind": entry.kind, "name": entry.name, "format": entry.format.value, "content": entry.content}


def emitted(emission: Emission, form: ArtifactFormat, losses: Iterable[Loss]) -> Json:
    """Return the artifacts and placeholders of an emission, with all that it loses."""
    return {
        "artifacts": [artifact(entry) for entry in artifacts(emission, form)],
        "placeholders": list(emission.placeholders),
        "losses": [loss(entry) for entry in losses],
    }


def loss(entry: Loss) -> Json:
    """Return one loss."""
    return {"feature": entry.feature, "effect": entry.effect.value, "why": entry.why}


def plain(value: object) -> Json:
    """Return any value of the model as JSON: members of enumerations by value, sets sorted, the unknown as text."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {_key(key): plain(item) for key, item in sorted(value.items(), key=lambda entry: _key(entry[0]))}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((plain(item) for item in value), key=str)
    if isinstance(value, str):
        return whole(value)
    return value if value is None or isinstance(value, bool | int | float) else str(value)


def whole(text: str) -> str:
    """Return a text that every JSON reader accepts: lone surrogates become U+FFFD."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _key(key: object) -> str:
    return whole(str(key.value if isinstance(key, Enum) else key))
