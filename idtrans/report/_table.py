"""Rows with their columns below each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.report._safe import safe

if TYPE_CHECKING:
    from collections.abc import Sequence


def table(rows: Sequence[Sequence[str]], *, indent: str = "") -> list[str]:
    """Return a line for each row, every cell made safe; the last column is not padded."""
    shown = [[safe(cell) for cell in row] for row in rows]
    count = max(map(len, shown), default=0)
    widths = [max(len(row[column]) for row in shown if column < len(row)) for column in range(count)]
    return [indent + "  ".join(cell.ljust(widths[column]) for column, cell in enumerate(row)).rstrip() for row in shown]


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun, in the singular or plural."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def some(lines: Sequence[str], most: int, *, more: str) -> list[str]:
    """Return the first lines, and how many more there are; `more` names what they are, in the plural."""
    if len(lines) <= most:
        return list(lines)
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    return [*lines[:most], f"{indent}... and {len(lines) - most} more {more}; `--format json` lists all"]
