"""Files to an estate: each document is offered to every reader, and what none understands is kept and named."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from idtrans.api._clouds import readers
from idtrans.model.documents import Hints, Unsupported
from idtrans.model.errors import DocumentError, UnrecognisedError
from idtrans.model.estate import Estate, InputFile
from idtrans.model.spans import Place, Source

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from idtrans.model.documents import Document
    from idtrans.model.entities import Entity
    from idtrans.ports import Reader

_SUPPORTED = "`idtrans --help` and the documentation list what is read; a `kind` in `estate.yaml` says what a file is"


def load(
    paths: Sequence[str | os.PathLike[str]],
    *,
    now: datetime | None = None,
    hints: Hints | None = None,
    stdin: bytes | None = None,
) -> Estate:
    """Return everything that the files and folders state; `-` stands for the bytes of `stdin`.

    A broken or unrecognised file never stops the others: it stands in `estate.errors`. Files in folders that are no
    input stand in `estate.inputs` without a shape. `now` is the time that ages are counted from, by default the
    current time; `hints` say whose a document is that does not say so itself.

    Raises:
        DataError: an `estate.yaml` breaks its schema.
    """
    from idtrans import documents

    loading = Loading()
    with documents.paused_gc():
        reading = documents.read(paths, hints=hints, stdin=stdin)
        for document in reading.documents:
            take(loading, document, readers())
    loading.errors += reading.errors
    loading.inputs += [InputFile(left.path, None, explicit=False, reason=left.reason) for left in reading.skipped]
    if not loading.errors and not any(entry.shape for entry in loading.inputs):
        place = Source(Place(", ".join(str(path) for path in paths) or "input"))
        loading.errors.append(UnrecognisedError("nothing here is recognised", source=place, advice=_SUPPORTED))
    return Estate(
        entities=tuple(loading.entities),
        now=now or datetime.now(UTC),
        unsupported=tuple(dict.fromkeys(loading.unsupported)),
        inputs=tuple(loading.inputs),
        errors=tuple(loading.errors),
    )


@dataclass(slots=True)
class Loading:
    """What has been read so far."""

    entities: list[Entity] = field(default_factory=list)
    unsupported: list[Unsupported] = field(default_factory=list)
    inputs: list[InputFile] = field(default_factory=list)
    errors: list[DocumentError] = field(default_factory=list)


def take(loading: Loading, document: Document, known: Mapping[str, Reader]) -> None:
    """Read one document with the reader that claims it, and add what it states.

    A file without content that was named is an error whatever it was said to be: it may have been cut off.
    """
    if document.content is None and document.explicit and document.problems:
        loading.errors.append(DocumentError(document.problems[0].reason, source=document.source))
        return
    claims = [(reader, shape) for reader in known.values() if (shape := reader.recognise(document)) is not None]
    if len(claims) == 1:
        reader, shape = claims[0]
        loading.unsupported += [replace(problem, cloud=problem.cloud or reader.name) for problem in document.problems]
        loading.inputs.append(InputFile(document.origin.path, shape, document.explicit))
        _sort(loading, reader, document, shape)
        return
    reason = None
    if claims:
        names = " and ".join(f"`{shape}`" for _, shape in claims)
        reason = f"it can be read as {names}, and nothing says which"
        loading.unsupported.append(Unsupported(reason, document.source))
    elif document.explicit:
        message = "not a kind of document that is recognised"
        loading.errors.append(UnrecognisedError(message, source=document.source, advice=_SUPPORTED))
    loading.inputs.append(InputFile(document.origin.path, None, document.explicit, reason))


def _sort(loading: Loading, reader: Reader, document: Document, shape: str) -> None:
    stated = list(reader.parse(document, shape))
    loading.unsupported += [each for each in stated if isinstance(each, Unsupported)]
    loading.entities += [each for each in stated if not isinstance(each, Unsupported)]
