"""Where a fact came from: a file, a place in it, a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class Origin(Protocol):
    """A document that can say on which line one of its values stands."""

    @property
    def path(self) -> str:
        """POSIX path relative to the input root, or `-` for standard input."""
        ...

    def line(self, pointer: str) -> int | None:
        """One-based line of the value at a JSON pointer (RFC 6901), `None` when it cannot be told."""
        ...


@dataclass(frozen=True, slots=True)
class Place:
    """An origin without text: what generated or in-memory documents use."""

    path: str
    """Name shown to people, such as `<memory>` or `emitted:trust-policy.json`."""

    def line(self, pointer: str) -> int | None:  # noqa: ARG002 - the protocol's signature
        """Return `None`: there is no text to count lines in."""
        return None


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """One value in one document. Lines are looked up only when somebody asks for them.

    Two sources are equal when path and pointer are equal.
    """

    origin: Origin
    pointer: str = ""
    """JSON pointer (RFC 6901) of the value; empty for the whole document."""

    @property
    def path(self) -> str:
        """POSIX path of the document, relative to the input root."""
        return self.origin.path

    @property
    def line(self) -> int | None:
        """One-based line, `None` when the origin has no text."""
        return self.origin.line(self.pointer)

    def at(self, *tokens: str | int) -> Source:
        """Return the source of a value below this one, by object keys and list indexes."""
        if len(tokens) == 1 and isinstance(tokens[0], int):
            return Source(self.origin, f"{self.pointer}/{tokens[0]}")
        tail = "".join([f"/{token}" if isinstance(token, int) else f"/{escape_token(token)}" for token in tokens])
        return Source(self.origin, self.pointer + tail)

    def __eq__(self, other: object) -> bool:
        """Compare path and pointer."""
        if not isinstance(other, Source):
            return NotImplemented
        return (self.path, self.pointer) == (other.path, other.pointer)

    def __hash__(self) -> int:
        """Hash path and pointer."""
        return hash((self.path, self.pointer))

    def __str__(self) -> str:
        """Render `path:line`, or `path#pointer` without a line, or the path alone for a whole document without one."""
        line = self.line
        if line is not None:
            return f"{self.path}:{line}"
        return f"{self.path}#{self.pointer}" if self.pointer else self.path


NOWHERE = Source(Place("<none>"))
"""Source of facts that no document states, such as defaults."""


def escape_token(token: str) -> str:
    """Escape one object key for use in a JSON pointer (RFC 6901, section 3)."""
    return token.replace("~", "~0").replace("/", "~1")
