"""Test files to suites: what each states, checked against the schema, with its places."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from idtrans.access import Case, Token
from idtrans.model.errors import DataError
from idtrans.ports import Query

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import BaseModel, ValidationError

    from idtrans.api._suite_schema import CaseEntry, DocumentEntry
    from idtrans.model.documents import Document, Hints, Json
    from idtrans.model.spans import Source

_ADVICE = "a test file holds `documents` and `cases`, or is a list of such objects"


@dataclass(frozen=True, slots=True)
class Suite:
    """One suite of a file."""

    file: Document
    source: Source
    pointer: str
    """Where the suite stands in the content of the file."""
    documents: tuple[DocumentEntry, ...]
    cases: tuple[Case, ...]
    door: str | None
    """The target that all cases are about, where they are about tokens and one target."""

    def said(self, entry: DocumentEntry) -> Hints:
        """Return what is said of a document; one that says of nobody whose it is, is of the door."""
        hints = entry.hints()
        if hints.principal is not None or hints.resource is not None or hints.scope is not None:
            return hints
        return replace(hints, principal=self.door)


def suites(file: Document) -> tuple[Suite, ...]:
    """Return the suites of a test file.

    Raises:
        DataError: the file breaks the schema; the source is the place of the first offence.
    """
    for problem in file.problems[:1]:
        raise DataError(problem.reason, source=problem.source, advice=_ADVICE)
    if isinstance(file.content, list):
        return tuple(_suite(file, item, str(number)) for number, item in enumerate(file.content))
    return (_suite(file, file.content),)


def _suite(file: Document, content: Json, *place: str) -> Suite:
    from pydantic import ValidationError

    from idtrans.api._suite_schema import SuiteEntry

    source = file.source.at(*place)
    if not isinstance(content, dict):
        raise DataError("not a suite of policy tests", source=source, advice=_ADVICE)
    try:
        entry = SuiteEntry.model_validate(content)
    except ValidationError as error:
        raise _schema_error(source, error, SuiteEntry) from error
    cases = tuple(_cases(entry.cases, source))
    doors = {case.question.target if isinstance(case.question, Token) else None for case in cases}
    door = doors.pop() if len(doors) == 1 else None
    return Suite(file, source, "".join(f"/{token}" for token in place), entry.documents, cases, door)


def _cases(entries: tuple[CaseEntry, ...], source: Source) -> Iterator[Case]:
    for number, entry in enumerate(entries):
        question: Query | Token
        if entry.target is not None:
            question = Token(entry.target, entry.claims or {})
        else:
            question = Query(
                entry.caller(),
                entry.action or "",
                entry.resource or "",
                entry.keys(),
                closed=True,
                plane=entry.plane,
                facts=entry.facts(),
            )
        name = entry.name if entry.name is not None else f"case {number + 1}"
        yield Case(name, source.at("cases", number), entry.expect, question)


def _schema_error(suite: Source, error: ValidationError, schema: type[BaseModel]) -> DataError:
    first = error.errors(include_url=False)[0]
    tokens = [token for token in first["loc"] if isinstance(token, int) or "[" not in token]
    source = suite.at(*tokens)
    while source.line is None and tokens:
        tokens.pop()
        source = suite.at(*tokens)
    name = ".".join(map(str, first["loc"])) or "the suite"
    if first["type"] == "extra_forbidden":
        return DataError(
            f"unknown key `{first['loc'][-1]}`", source=source, advice=f"known: {_known(first['loc'], schema)}"
        )
    message = first["msg"].removeprefix("Value error, ")
    if first["type"] == "value_error":
        return DataError(message, source=source)
    return DataError(f"`{name}` is not valid: {message[:1].lower()}{message[1:]}", source=source)


def _known(place: tuple[int | str, ...], schema: type[BaseModel]) -> str:
    """Return the keys that may stand where an unknown one does."""
    from idtrans.api._suite_schema import CaseEntry, DocumentEntry

    inner: dict[int | str, type[BaseModel]] = {"cases": CaseEntry, "documents": DocumentEntry}
    return ", ".join((inner.get(place[0], schema) if len(place) > 1 else schema).model_fields)
