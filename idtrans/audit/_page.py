"""A rule's file as text: front matter, sections and fenced inputs, each with its line."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import Final

from idtrans.model.errors import DataError
from idtrans.model.spans import Source

SECTIONS: Final = ("What it finds", "Why it matters", "Example", "Use instead", "References")
"""Sections of every page, in this order."""

_MARK: Final = "+++"
_LANGUAGES: Final = ("csv", "json", "yaml")
_FENCE: Final = re.compile(r"(`{3,})(.*)")


@dataclass(frozen=True, slots=True)
class PageOrigin:
    """A rule file that can say on which line a key of its front matter stands."""

    path: str
    text: str

    @property
    def lines(self) -> list[str]:
        """Lines as an editor counts them."""
        return self.text.split("\n")

    def line(self, pointer: str) -> int | None:
        """Return the line of a key of the front matter by pointer, or the line that a pointer `#N` counts."""
        last = pointer.rpartition("/")[2]
        if last.startswith("#"):
            return int(last[1:])
        lines = self.lines
        end = lines.index(_MARK, 1) if _MARK in lines[1:] else len(lines)
        key = re.compile(rf"\s*\[?(?:\w+\.)*[\"']?{re.escape(last)}[\"']?\s*[=.\]]")
        return next((number for number, line in enumerate(lines[:end], 1) if key.match(line)), 1)


@dataclass(frozen=True, slots=True)
class Snippet:
    """A fenced input of a page."""

    language: str
    hints: tuple[tuple[str, str], ...]
    """What its info string says about it, by the names of `estate.yaml`."""
    text: str
    line: int
    """Line of the opening fence."""
    group: str
    """Heading of level three that it stands under, or empty. Snippets of one group are one input."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a page."""

    title: str
    text: str
    snippets: tuple[Snippet, ...]

    @property
    def first_paragraph(self) -> str:
        """The text up to the first empty line, as one line."""
        return " ".join(self.text.strip().partition("\n\n")[0].split())


@dataclass(frozen=True, slots=True)
class Page:
    """A rule file, taken apart."""

    origin: PageOrigin
    front_matter: str
    body: str
    sections: tuple[Section, ...]

    def section(self, title: str) -> Section:
        """Return a section by its title, which is one of `SECTIONS`."""
        return self.sections[SECTIONS.index(title)]


def read_page(text: str, path: str) -> Page:
    """Take a rule file apart.

    Raises:
        DataError: no front matter, a section missing or out of order, a fenced input missing, open or of no known
            language.
    """
    text = text.replace("\r\n", "\n").removesuffix("\n")
    origin = PageOrigin(path, text)
    lines = origin.lines
    if lines[0] != _MARK or _MARK not in lines[1:]:
        advice = "open the file with TOML between two lines of `+++`"
        raise DataError("no front matter", source=Source(origin, "/#1"), advice=advice)
    end = lines.index(_MARK, 1)
    reader = _Reader(origin)
    for number, line in enumerate(lines[end + 1 :], end + 2):
        reader.take(number, line)
    return Page(origin, "\n".join(lines[1:end]), "\n".join(lines[end + 1 :]).strip(), reader.finish())


class _Reader:
    """Reads the lines below the front matter one by one."""

    def __init__(self, origin: PageOrigin) -> None:
        self._origin = origin
        self._sections: list[tuple[str, list[str], list[Snippet]]] = []
        self._group = ""
        self._fence = ""
        """The backticks that opened a fence; empty outside."""
        self._opening = (0, "")
        self._inside: list[str] = []

    def take(self, number: int, line: str) -> None:
        fence = _FENCE.fullmatch(line.rstrip())
        if self._fence:
            self._take_inside(line)
        elif fence is not None:
            self._fence, self._opening, self._inside = fence[1], (number, fence[2].strip()), []
        elif line.startswith("## "):
            self._open_section(number, line.removeprefix("## ").strip())
        elif line.startswith("### "):
            self._group = line.removeprefix("### ").strip()
        if self._sections and not line.startswith("## "):
            self._sections[-1][1].append(line)

    def _take_inside(self, line: str) -> None:
        if line.rstrip() == self._fence:
            if self._sections:
                self._sections[-1][2].append(self._snippet())
            self._fence = ""
        else:
            self._inside.append(line)

    def _open_section(self, number: int, title: str) -> None:
        expected = SECTIONS[len(self._sections)] if len(self._sections) < len(SECTIONS) else None
        if title != expected:
            wanted = f"`## {expected}` is expected here" if expected else "the page ends with `## References`"
            raise self._error(number, f"section `{title}` is not in its place", wanted)
        self._sections.append((title, [], []))
        self._group = ""

    def _snippet(self) -> Snippet:
        number, info = self._opening
        try:
            language, *words = shlex.split(info) or [""]
        except ValueError as error:
            raise self._error(number, "a quote in the line that opens the fence is not closed", None) from error
        pairs = [word.partition("=") for word in words]
        wrong = [word for word, (key, equals, _) in zip(words, pairs, strict=True) if not (key and equals)]
        if wrong:
            raise self._error(number, f"`{wrong[0]}` does not say anything about the input", "write `key=value`")
        hints = tuple((key, value) for key, _, value in pairs)
        return Snippet(language, hints, "\n".join(self._inside) + "\n", number, self._group)

    def finish(self) -> tuple[Section, ...]:
        if self._fence:
            raise self._error(self._opening[0], "the fence that opens here is not closed", None)
        if len(self._sections) < len(SECTIONS):
            missing = SECTIONS[len(self._sections)]
            advice = f"add `## {missing}`"
            raise self._error(len(self._origin.lines), f"section `{missing}` is missing", advice)
        sections = tuple(Section(title, "\n".join(text), tuple(snippets)) for title, text, snippets in self._sections)
        for section in (sections[SECTIONS.index("Example")], sections[SECTIONS.index("Use instead")]):
            self._check_snippets(section)
        return sections

    def _check_snippets(self, section: Section) -> None:
        if not section.snippets:
            last = len(self._origin.lines)
            raise self._error(last, f"section `{section.title}` has no fenced input", "the inputs are the rule's tests")
        for snippet in section.snippets:
            if snippet.language not in _LANGUAGES:
                advice = f"one of {', '.join(_LANGUAGES)}"
                raise self._error(snippet.line, f"a fenced input cannot be read as `{snippet.language}`", advice)

    def _error(self, number: int, message: str, advice: str | None) -> DataError:
        return DataError(message, source=Source(self._origin, f"/#{number}"), advice=advice)
