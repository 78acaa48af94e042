"""Replies that come in pages: one object, or a list of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from idtrans.clouds.aws._parse_state import Parsed, Parsing, unsupported
from idtrans.clouds.aws._parse_values import shown
from idtrans.model.documents import Json
from idtrans.model.spans import Source

_MORE: Final = ("IsTruncated", "Truncated", "NextToken", "nextToken", "NextMarker", "Marker")
"""Keys that say that more pages follow; the command line prints `NextToken` where it was told to stop early."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a reply."""

    raw: dict[str, Json]
    source: Source


def pages_of(parsing: Parsing) -> Iterator[Page]:
    """Yield the pages of a document that are objects."""
    content, source = parsing.document.content, parsing.document.source
    if isinstance(content, dict):
        yield Page(content, source)
    elif isinstance(content, list):
        for number, item in enumerate(content):
            if isinstance(item, dict):
                yield Page(item, source.at(number))


def section_items(page: Page, section: str) -> Iterator[tuple[Source, Json]]:
    """Yield the items of one list of a page with their places."""
    items = page.raw.get(section)
    if isinstance(items, list):
        below = page.source.at(section)
        for number, item in enumerate(items):
            yield below.at(number), item


def is_truncated(pages: list[Page]) -> bool:
    """Tell whether pages are missing at the end."""
    return bool(pages) and any(pages[-1].raw.get(mark) not in (None, False, "") for mark in _MORE)


def page_faults(parsing: Parsing, sections: tuple[str, ...]) -> Parsed:
    """Yield notes on what is no page, on sections that are no lists, and on pages that are missing at the end."""
    content, source = parsing.document.content, parsing.document.source
    if not isinstance(content, dict | list):
        yield unsupported(f"{shown(content)} is no reply of the command line", source)
    for number, item in enumerate(content if isinstance(content, list) else ()):
        if not isinstance(item, dict):
            yield unsupported(f"{shown(item)} is no page of a reply", source.at(number))
    pages = list(pages_of(parsing))
    for page in pages:
        yield from _section_faults(page, sections)
    for mark in _MORE if pages else ():
        if pages[-1].raw.get(mark) not in (None, False, ""):
            yield unsupported("the reply is truncated: later pages are missing", pages[-1].source.at(mark))
            break


def _section_faults(page: Page, sections: tuple[str, ...]) -> Parsed:
    for section in sections:
        value = page.raw.get(section, [])
        if not isinstance(value, list):
            yield unsupported(f"`{section}` is {shown(value)}, not a list", page.source.at(section))
