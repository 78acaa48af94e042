"""Policy unit tests: the documents of each suite become one estate, and every case is asked of it."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from idtrans.api._clouds import cloud_of, readers
from idtrans.api._load import Loading, take
from idtrans.api._trusts import token_at
from idtrans.model.errors import DataError, DocumentError, IdtransError, UsageError
from idtrans.model.estate import Estate
from idtrans.model.suites import CaseResult, SuitesAnswer

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from idtrans.api._suite_files import Suite
    from idtrans.api._suite_schema import DocumentEntry
    from idtrans.model.documents import Document, Hints

_UNREAD = "a document of the suite could not be read"


def run_suites(
    paths: Sequence[str | os.PathLike[str]], *, now: datetime | None = None, stdin: bytes | None = None
) -> SuitesAnswer:
    """Return the result of every case of some test files; `-` stands for the bytes of `stdin`.

    A file that cannot be read, or a document of a suite, stands in `errors` and stops no other; the cases of a suite
    with such a document fail. Keys that a case does not give are absent; `now` is the time of requests that do not
    say theirs, by default the current time.
    """
    from idtrans import documents

    bench = _Bench(now or datetime.now(UTC))
    results: list[CaseResult] = []
    errors: list[IdtransError] = []
    with documents.paused_gc():
        for path in paths:
            reading = documents.read([path], stdin=stdin)
            errors += reading.errors
            for file in reading.documents:
                try:
                    results += _results(file, _folder(path, file), bench)
                except DataError as error:
                    errors.append(error)
    errors += bench.errors
    if not results and not errors:
        errors.append(UsageError(f"no policy test in {', '.join(f'`{os.fspath(path)}`' for path in paths)}"))
    return SuitesAnswer(tuple(results), tuple(dict.fromkeys(errors)))


def _folder(path: str | os.PathLike[str], file: Document) -> Path:
    """Return the folder that paths in a test file are relative to."""
    given = Path(path)
    return (given / file.origin.path if given.is_dir() else given).parent


def _results(file: Document, folder: Path, bench: _Bench) -> Iterator[CaseResult]:
    from idtrans import access
    from idtrans.api._suite_files import suites

    doors = access.Doors(cloud_of, token_at)
    for suite in suites(file):
        estate = bench.estate(suite, folder)
        if estate.errors:
            yield from (access.failed(case, _UNREAD) for case in suite.cases)
        else:
            yield from access.run(suite.cases, estate, doors)


@dataclass(slots=True)
class _Bench:
    """What the suites of a run share: equal documents are read once, and equal estates compiled once."""

    now: datetime
    read: dict[Hashable, Loading] = field(default_factory=dict)
    """What documents state, by what they say and what is said of them."""
    estates: dict[Hashable, Estate] = field(default_factory=dict)
    errors: list[DocumentError] = field(default_factory=list)

    def estate(self, suite: Suite, folder: Path) -> Estate:
        """Return everything that the documents of a suite state."""
        entries = [(number, entry) for number, entry in enumerate(suite.documents) if _exists(entry)]
        keys = tuple(_key(suite, entry, folder) for _, entry in entries)
        found = self.estates.get(keys)
        if found is None:
            parts = [self._part(key, suite, entry, folder) for key, entry in zip(keys, entries, strict=True)]
            found = self.estates[keys] = Estate(
                entities=tuple(entity for part in parts for entity in part.entities),
                now=self.now,
                unsupported=tuple(dict.fromkeys(problem for part in parts for problem in part.unsupported)),
                inputs=tuple(entry for part in parts for entry in part.inputs),
                errors=tuple(error for part in parts for error in part.errors),
            )
            self.errors += found.errors
        return found

    def _part(self, key: Hashable, suite: Suite, entry: tuple[int, DocumentEntry], folder: Path) -> Loading:
        part = self.read.get(key)
        if part is None:
            part = self.read[key] = _load(suite, entry, folder)
        return part


def _key(suite: Suite, entry: DocumentEntry, folder: Path) -> Hashable:
    """Return what tells documents apart: where they stand or what they say, and what is said of them."""
    told = str(folder / entry.path) if entry.path is not None else json.dumps(entry.inline)
    return entry.path is None, told, suite.said(entry)


def _exists(entry: DocumentEntry) -> bool:
    return entry.path is not None or entry.inline is not None


def _load(suite: Suite, entry: tuple[int, DocumentEntry], folder: Path) -> Loading:
    """Read one document of a suite, given by path or inline."""
    from idtrans import documents

    number, stated = entry
    loading = Loading()
    if stated.path is not None:
        reading = documents.read([folder / stated.path], hints=suite.said(stated))
        loading.errors += reading.errors
        found: Sequence[Document] = reading.documents
    else:
        found = _inline(loading, suite, number, suite.said(stated))
    for document in found:
        take(loading, document, readers())
    return loading


def _inline(loading: Loading, suite: Suite, number: int, hints: Hints) -> list[Document]:
    from idtrans import documents

    pointer = f"{suite.pointer}/documents/{number}/inline"
    try:
        opened = documents.embedded(suite.file, pointer, url_encoded=documents.Decoding.BY_SHAPE)
    except DocumentError as error:
        loading.errors.append(error)
        return []
    return [replace(opened, hints=hints, explicit=True)]
