"""What can be wrong inside a text, and how it becomes an error with file, line and column."""

from __future__ import annotations

from dataclasses import dataclass

from idtrans.model.errors import DocumentError
from idtrans.model.spans import Source

_EXCERPT = 24


class Fault(Exception):  # noqa: N818 - never leaves this room: it becomes a DocumentError
    """A text that cannot be decoded, with the character at which it goes wrong."""

    def __init__(self, reason: str, index: int, *, advice: str | None = None) -> None:
        """Keep the reason, the character index and what to do about it."""
        super().__init__(reason)
        self.reason = reason
        self.index = index
        self.advice = advice


class NotTextError(DocumentError):
    """A file that is no JSON, YAML or CSV at all. Inside a folder it is skipped and listed."""


@dataclass(frozen=True, slots=True)
class Spot:
    """An origin that is one place in a file, for files that could not be decoded."""

    path: str
    at_line: int
    column: int
    """One-based column, in characters."""

    def line(self, pointer: str) -> int | None:  # noqa: ARG002 - the protocol's signature
        """Return the line of the place."""
        return self.at_line


def spot(path: str, text: str, index: int) -> Spot:
    """Return the place of a character, counting line feeds."""
    index = min(max(index, 0), len(text))
    return Spot(path, text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index))


def document_error(fault: Fault, path: str, text: str, *, kind: type[DocumentError] = DocumentError) -> DocumentError:
    """Return the error that a person sees for a fault in the text of a file."""
    place = spot(path, text, fault.index)
    message = f"{fault.reason}, at line {place.at_line}, column {place.column}"
    return kind(message, source=Source(place), advice=fault.advice)


def shown(text: str) -> str:
    """Quote the beginning of an offending text in backticks, with nothing that could steer a terminal."""
    head = text[:_EXCERPT].splitlines()[0] if text.strip() else ""
    safe = "".join(char if char.isprintable() and char != "`" else "?" for char in head)
    return f"`{safe}`"
