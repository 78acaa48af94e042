"""Paths to documents, with everything that went wrong on the way."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from idtrans.documents._decode import decode, is_data_name
from idtrans.documents._discover import discover
from idtrans.documents._faults import NotTextError
from idtrans.documents._found import Candidate, Skipped
from idtrans.documents._limits import LIMITS, Limits
from idtrans.model.documents import Document, Hints
from idtrans.model.errors import DocumentError
from idtrans.model.pausing import paused_gc


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything that a list of paths gave."""

    documents: tuple[Document, ...]
    errors: tuple[DocumentError, ...]
    skipped: tuple[Skipped, ...]


def read(
    paths: Sequence[str | os.PathLike[str]],
    *,
    hints: Hints | None = None,
    limits: Limits = LIMITS,
    stdin: bytes | None = None,
) -> Reading:
    """Return the documents under the paths; a broken file never stops the others.

    A file inside a folder that is no JSON, YAML or CSV and does not call itself so (a picture, a script) is skipped;
    when the user named it, it is an error.

    Raises:
        DataError: an `estate.yaml` breaks its schema.
    """
    documents: list[Document] = []
    errors: list[DocumentError] = []
    skipped: list[Skipped] = []
    with paused_gc():
        for found in discover(paths, hints=hints, limits=limits, stdin=stdin):
            result = _document(found, limits) if isinstance(found, Candidate) else found
            match result:
                case Document():
                    documents.append(result)
                case Skipped():
                    skipped.append(result)
                case _:
                    errors.append(result)
    return Reading(tuple(documents), tuple(errors), tuple(skipped))


def _document(found: Candidate, limits: Limits) -> Document | Skipped | DocumentError:
    try:
        data = found.load(limits)
        return decode(data, found.path, hints=found.hints, explicit=found.explicit, limits=limits)
    except NotTextError as error:
        if found.explicit or is_data_name(found.path):
            return error
        return Skipped(found.path, f"not JSON, YAML or CSV: {error.message}")
    except DocumentError as error:
        return error
