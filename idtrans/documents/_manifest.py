"""`estate.yaml`: what a folder says about the files in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING

from idtrans.documents._decode import decode
from idtrans.documents._faults import shown
from idtrans.documents._found import Candidate
from idtrans.documents._limits import Limits
from idtrans.model.documents import Document, Hints, Json
from idtrans.model.errors import DataError, DocumentError

if TYPE_CHECKING:
    from pydantic import ValidationError

MANIFEST = "estate.yaml"
"""Name of the manifest of a folder."""

_UNSTATED = Hints()


def parse_manifest(manifest: Candidate, limits: Limits) -> Mapping[str, tuple[Hints, ...]]:
    """Return the hints of each file that a manifest lists, by path relative to the manifest's folder.

    A file may be listed more than once, for a policy that hangs in several places.

    Raises:
        DataError: the manifest cannot be read or breaks its schema: no list, an unknown key, a path outside.
    """
    try:
        document = decode(manifest.load(limits), manifest.path, limits=limits)
    except DocumentError as error:
        raise DataError(error.message, source=error.source, advice=error.advice) from error
    for problem in document.problems[:1]:
        raise DataError(problem.reason, source=problem.source)
    if not isinstance(document.content, list):
        raise DataError("an estate manifest is a list of entries with a `path`", source=document.source)
    listed: dict[str, tuple[Hints, ...]] = {}
    for index, entry in enumerate(document.content):
        name, hints = _entry(document, index, entry)
        listed[name] = (*listed.get(name, ()), hints)
    return listed


def merged(over: Hints, under: Hints) -> Hints:
    """Return the hints of `over`, with those of `under` where `over` says nothing."""
    names = [hint.name for hint in fields(Hints)]
    stated = {name: getattr(over, name) for name in names if getattr(over, name) != getattr(_UNSTATED, name)}
    return Hints(**({name: getattr(under, name) for name in names} | stated))


def _entry(document: Document, index: int, entry: Json) -> tuple[str, Hints]:
    from pydantic import ValidationError

    from idtrans.documents._estate_entry import EstateEntry

    try:
        parsed = EstateEntry.model_validate(entry)
    except ValidationError as error:
        raise _schema_error(document, index, error) from error
    path = PurePosixPath(parsed.path)
    windows = PureWindowsPath(parsed.path)
    if path.is_absolute() or windows.drive or "\\" in parsed.path or ".." in path.parts:
        source = document.source.at(index, "path")
        advice = "list files of this folder, with `/` between folders"
        raise DataError(f"path {shown(parsed.path)} leaves the folder", source=source, advice=advice)
    return path.as_posix(), parsed.hints()


def _schema_error(document: Document, index: int, error: ValidationError) -> DataError:
    first = error.errors(include_url=False)[0]
    tokens = first["loc"]
    source = document.source.at(index, *tokens)
    if source.line is None:
        source = document.source.at(index)
    name = shown(".".join(map(str, tokens)) if tokens else f"entry {index + 1}")
    if first["type"] == "extra_forbidden":
        from idtrans.documents._estate_entry import EstateEntry

        return DataError(f"unknown key {name}", source=source, advice=f"known: {', '.join(EstateEntry.model_fields)}")
    message = first["msg"][:1].lower() + first["msg"][1:]
    return DataError(f"{name} is not valid: {message}", source=source)
