"""Files that steer a question and are no part of the estate: baselines, suppressions, maps, claims."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from idtrans.model.errors import DataError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from idtrans.model.documents import Document, Json


def read_file(path: str | os.PathLike[str]) -> Document:
    """Return one document.

    Raises:
        DocumentError: it cannot be read or decoded.
        UsageError: the path is no single file.
    """
    from idtrans.documents import read

    reading = read([path])
    if reading.errors:
        raise reading.errors[0]
    if len(reading.documents) != 1 or not reading.documents[0].explicit:
        raise UsageError(f"`{os.fspath(path)}` is not one file")
    return reading.documents[0]


def read_claims(path: str | os.PathLike[str]) -> Mapping[str, Json]:
    """Return the claims of a token from a JSON file.

    Raises:
        DataError: it holds no JSON object.
        DocumentError: it cannot be read or decoded.
    """
    document = read_file(path)
    if not isinstance(document.content, dict):
        advice = 'write the claims as one object, such as `{"iss": ..., "sub": ..., "aud": ...}`'
        raise DataError("not the claims of a token", source=document.source, advice=advice)
    return document.content
