"""The credential report: CSV rows, or the reply to get-credential-report that carries them.

https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_getting-report.html
"""

from __future__ import annotations

import base64
import binascii
import csv
import io
from dataclasses import dataclass
from typing import Final

from idtrans.clouds.aws._arns import read_arn
from idtrans.clouds.aws._embedded import TextSource
from idtrans.clouds.aws._parse_identity import aliases_of
from idtrans.clouds.aws._parse_state import CLOUD, Parsed, Parsing, account_id, unsupported
from idtrans.clouds.aws._parse_values import name_of, shown
from idtrans.clouds.aws._report_cells import ROOT_SLOTS, USER_SLOTS, parse_slot
from idtrans.clouds.aws._shapes import is_report_reply
from idtrans.model.documents import Json
from idtrans.model.entities import Principal, PrincipalKind
from idtrans.model.spans import Source
from idtrans.model.values import UNKNOWN

_MORE: Final = "additional_credentials_info"
"""Column that speaks of credentials beyond those that have columns of their own."""


@dataclass(frozen=True, slots=True)
class _Row:
    cells: Json
    source: Source


def parse_report(parsing: Parsing) -> Parsed:
    """Yield every user of the report, the root user among them, with the credentials that exist."""
    yield from parsing.hinted_account()
    content, source = parsing.document.content, parsing.document.source
    for number, item in enumerate(content if isinstance(content, list) else [content]):
        place = source.at(number) if isinstance(content, list) else source
        if isinstance(item, dict) and is_report_reply(item):
            yield from _parse_reply(parsing, item, place)
        else:
            yield from _parse_row(parsing, _Row(item, place))
    yield from _missing_columns(parsing)


def _parse_reply(parsing: Parsing, reply: dict[str, Json], source: Source) -> Parsed:
    place = TextSource(source.origin, source.at("Content").pointer)
    try:
        rows = list(csv.DictReader(io.StringIO(_report_text(reply["Content"]), newline=""), strict=True))
    except (binascii.Error, ValueError, csv.Error):
        yield unsupported("the content of the credential report is not the base64 of a CSV text", place)
        return
    if not rows:
        yield unsupported("the credential report has no rows", place)
    for row in rows:
        yield from _parse_row(parsing, _Row({key: cell for key, cell in row.items() if key is not None}, place))


def _missing_columns(parsing: Parsing) -> Parsed:
    """Yield a note when the rows leave out columns, so that credentials may exist that they do not show."""
    content = parsing.document.content
    first = content[0] if isinstance(content, list) and content else content
    if isinstance(first, dict) and "arn" in first:
        missing = [column for slot in USER_SLOTS for column in slot.columns if column not in first]
        if missing:
            listed = ", ".join(f"`{column}`" for column in missing)
            yield unsupported(f"the credential report leaves out {listed}", parsing.document.source)


def _report_text(content: str) -> str:
    """Return the CSV of a reply. Some clients have decoded it already."""
    text = content.lstrip()
    if text.startswith("user,"):
        return text
    return base64.b64decode("".join(text.split()), validate=True).decode("utf-8-sig")


def _parse_row(parsing: Parsing, row: _Row) -> Parsed:
    arn = name_of(row.cells.get("arn")) if isinstance(row.cells, dict) else None
    read = read_arn(arn) if arn is not None else None
    if arn is None or read is None or read.kind not in {"user", "root"}:
        yield unsupported(f"credential report row {shown(row.cells)} has no ARN of a user", row.source)
        return
    yield from parsing.account(arn, row.source)
    name = name_of(row.cells.get("user")) or read.name
    aliases = aliases_of(read) if read.kind == "user" else ()
    yield Principal(CLOUD, arn, PrincipalKind.USER, row.source, account_id(arn), name, aliases, policies=UNKNOWN)
    for slot in ROOT_SLOTS if read.kind == "root" else USER_SLOTS:
        yield from parse_slot(row.cells, slot, arn, row.source)
    more = row.cells.get(_MORE, "N/A")
    if more not in ("N/A", ""):
        yield unsupported(f"more credentials than the report describes: {shown(more)}", row.source, arn)
