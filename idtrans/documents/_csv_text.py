"""CSV text to rows, with the line on which each row begins."""

from __future__ import annotations

import csv
import io
from array import array
from collections import Counter
from dataclasses import dataclass

from idtrans.documents._faults import Fault, shown
from idtrans.documents._limits import Limits
from idtrans.documents._pointers import list_index, pointer_tokens


@dataclass(frozen=True, slots=True)
class CsvRows:
    """The rows under a header line."""

    header: list[str]
    rows: list[dict[str, str]]
    lines: array[int]
    """One-based line on which each row begins."""


@dataclass(frozen=True, slots=True, eq=False)
class CsvOrigin:
    """Origin over CSV text: the first token of a pointer is the row, counted from 0 after the header."""

    path: str
    lines: array[int]

    def line(self, pointer: str) -> int | None:
        """Return the line of a row, or of the header for the whole document."""
        tokens = pointer_tokens(pointer)
        if not tokens:
            return 1 if tokens == [] else None
        index = list_index(tokens[0])
        return self.lines[index] if index is not None and index < len(self.lines) else None


def parse_csv(text: str, limits: Limits) -> CsvRows:
    """Return the rows of a CSV text with a header line; every row has as many fields as the header.

    Raises:
        Fault: broken quoting, a row of another length, or a limit exceeded.
    """
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] = []
    rows: list[dict[str, str]] = []
    lines = array("Q")
    line = 1
    try:
        for fields in reader:
            if not header:
                header = fields
            elif fields:
                _check_row(fields, header, text, line)
                rows.append(dict(zip(header, fields, strict=True)))
                lines.append(line)
                _check_count(len(rows) * len(header), text, line, limits)
            line = reader.line_num + 1
    except csv.Error as error:
        raise Fault(f"broken CSV: {error}", _line_start(text, line)) from error
    return CsvRows(header, rows, lines)


def repeated_columns(header: list[str]) -> list[str]:
    """Return the names that head more than one column."""
    return [name for name, times in Counter(header).items() if times > 1]


def _check_row(fields: list[str], header: list[str], text: str, line: int) -> None:
    if len(fields) != len(header):
        reason = f"broken CSV: row {shown(','.join(fields))} has {len(fields)} fields, the header has {len(header)}"
        raise Fault(reason, _line_start(text, line))


def _check_count(values: int, text: str, line: int, limits: Limits) -> None:
    if values > limits.max_values:
        reason = f"more values than the limit of {limits.max_values} (`max_values`)"
        raise Fault(reason, _line_start(text, line), advice=limits.advice("max_values"))


def _line_start(text: str, line: int) -> int:
    index = 0
    for _ in range(line - 1):
        index = text.find("\n", index) + 1
        if index == 0:
            return len(text)
    return index
