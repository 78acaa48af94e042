r"""Pages in GitHub Flavored Markdown.

Prose has every character that means something escaped, and names stand in code spans, so that nothing that comes from
outside becomes a link, an image, markup or a row of its own.
https://github.github.com/gfm/#backslash-escapes, https://github.github.com/gfm/#code-spans
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Final

from idtrans.report._page import Bullets, Facts, Heading, Name, Table
from idtrans.report._safe import safe

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.report._page import Block, Cell, Page

_MARKUP: Final = re.compile(r"[!#$&*<>@\[\\\]^_`{|}~]|:(?=//)|(?<=mailto):|(?<=xmpp):|(?<=www)\.|^[-+=]")
"""What starts markup, wherever it stands or at the start of a line; addresses become links without any."""
_EMPTY: Final = "(empty)"
_NUMBERED: Final = re.compile(r"^(\d+)([.)])")
_TICKS: Final = re.compile("`+")


def markdown(page: Page) -> str:
    """Return a page as Markdown."""
    return "\n".join(chain.from_iterable((*_block(block), "") for block in page))


def _block(block: Block) -> Iterable[str]:
    if isinstance(block, Heading):
        return (f"{'#' * block.level} {_prose(block.text)}",)
    if isinstance(block, Facts):
        return [f"* **{_prose(label)}:** {_line(cells)}" for label, cells in block.rows]
    if isinstance(block, Bullets):
        return [f"* {_line(cells)}" for cells in block.items]
    if isinstance(block, Table):
        return _table(block)
    fence = "`" * max(3, _longest(block.text) + 1)
    return (f"{fence}{block.language}", *_lines(block.text), fence)


def _table(table: Table) -> Iterable[str]:
    yield _row(map(_prose, table.head))
    yield _row("---" for _ in table.head)
    for row in table.rows:
        # A bar would end the cell, even in a code span: https://github.github.com/gfm/#example-200
        yield _row("<br>".join(_cell(cell, bar=r"\|") for cell in cells) for cells in row)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _line(cells: Iterable[Cell]) -> str:
    return " ".join(_cell(cell) for cell in cells)


def _cell(cell: Cell, bar: str = "|") -> str:
    if isinstance(cell, Name):
        return _span(cell.text).replace("|", bar)
    return _prose(cell) if cell.strip() else _EMPTY


def _span(text: str) -> str:
    """Return a code span; its fence is longer than any run of backticks in it."""
    shown = safe(text) if text.strip() else _EMPTY
    fence = "`" * (_longest(shown) + 1)
    gap = " " if shown.startswith(("`", " ")) or shown.endswith(("`", " ")) else ""
    return f"{fence}{gap}{shown}{gap}{fence}"


def _prose(text: str) -> str:
    """Return text with what is in backticks as code spans, and nothing else that means anything."""
    parts = safe(text).split("`")
    if len(parts) % 2 == 0:
        return _escaped(safe(text))
    return "".join(_span(part) if number % 2 and part else _escaped(part) for number, part in enumerate(parts))


def _escaped(text: str) -> str:
    return _NUMBERED.sub(r"\1\\\2", _MARKUP.sub(r"\\\g<0>", text))


def _longest(text: str) -> int:
    return max(map(len, _TICKS.findall(text)), default=0)


def _lines(text: str) -> list[str]:
    return [safe(line) if not line.isprintable() else line for line in text.rstrip("\n").split("\n")]
