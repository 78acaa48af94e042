"""Pages in HTML: one file that loads nothing and runs nothing."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from idtrans.report._page import Bullets, Code, Facts, Heading, Name, Table
from idtrans.report._safe import safe

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from idtrans.report._page import Block, Cell, Page

_STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th { white-space: nowrap; }
td { min-width: 8rem; }
th, td { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); padding: .4rem .6rem; text-align: left;
  vertical-align: top; overflow-wrap: anywhere; }
code { font: .87em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); overflow-x: auto; padding: .8rem; }
dt { font-weight: 600; } dd { margin: 0 0 .3rem 1rem; }
"""
_BREAK: Final = "<br>"
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def html(page: Page) -> str:
    """Return a page as a whole HTML document. Nothing in it is loaded from anywhere, and no script may run."""
    title = next((block.text for block in page if isinstance(block, Heading)), "idtrans")
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{_text(title)}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
    ]
    lines += [line for block in page for line in _block(block)]
    return "\n".join([*lines, "</body>", "</html>", ""])


def _block(block: Block) -> Iterable[str]:
    if isinstance(block, Heading):
        return (f"<h{block.level}>{_prose(block.text)}</h{block.level}>",)
    if isinstance(block, Facts):
        rows = (f"<dt>{_text(label)}</dt><dd>{_cells(cells, ' ')}</dd>" for label, cells in block.rows)
        return ("<dl>", *rows, "</dl>")
    if isinstance(block, Bullets):
        return ("<ul>", *(f"<li>{_cells(cells, ' ')}</li>" for cells in block.items), "</ul>")
    if isinstance(block, Table):
        return _table(block)
    return (f"<pre><code>{_code(block)}</code></pre>",)


def _table(table: Table) -> Iterator[str]:
    yield "<table>"
    yield f"<thead><tr>{''.join(f'<th>{_text(name)}</th>' for name in table.head)}</tr></thead>"
    yield "<tbody>"
    for row in table.rows:
        yield f"<tr>{''.join(f'<td>{_cells(cells, _BREAK)}</td>' for cells in row)}</tr>"
    yield "</tbody></table>"


def _cells(cells: Iterable[Cell], between: str) -> str:
    return between.join(_span(cell.text) if isinstance(cell, Name) else _prose(cell) for cell in cells)


def _prose(text: str) -> str:
    """Return text with what is in backticks as code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return _text(text)
    return "".join(_span(part) if number % 2 and part else _text(part) for number, part in enumerate(parts))


def _span(text: str) -> str:
    return f"<code>{_text(text)}</code>"


def _text(text: str) -> str:
    return escape(safe(text))


def _code(block: Code) -> str:
    return escape("\n".join(safe(line) for line in block.text.split("\n")))
