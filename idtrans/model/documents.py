"""Documents as the readers see them: decoded values with positions, hints and what was not understood."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from idtrans.model.spans import Origin, Source
from idtrans.model.values import Layer

Json = Any
"""A decoded JSON value: `dict`, `list`, `str`, `int`, `float`, `bool` or `None`."""


class Format(StrEnum):
    """The notation a document was written in."""

    JSON = "json"
    NDJSON = "ndjson"
    YAML = "yaml"
    CSV = "csv"
    HCL = "hcl"
    """A policy of Vault."""


@dataclass(frozen=True, slots=True)
class Hints:
    """What a manifest entry or a command-line flag says about a document. Nothing is guessed from its name."""

    kind: str | None = None
    cloud: str | None = None
    layer: Layer | None = None
    principal: str | None = None
    resource: str | None = None
    scope: str | None = None
    account: str | None = None
    ancestors: tuple[str, ...] = ()
    collected_at: datetime | None = None


class Bearing(StrEnum):
    """Whether what was met could change who may do what."""

    ACCESS = "access"
    NOTHING = "nothing"
    """It is odd, such as a policy without statements, and leaves nothing open."""


@dataclass(frozen=True, slots=True)
class Unsupported:
    """Something that was met and not understood. It travels to the report and can make an answer UNKNOWN."""

    reason: str
    """One lower-case sentence that quotes the offending text in backticks."""
    source: Source
    cloud: str | None = None
    subject: str | None = None
    """Id of the principal or resource whose access it could change; `None` when that is not known."""
    bearing: Bearing = Bearing.ACCESS


@dataclass(frozen=True, slots=True)
class Document:
    """One decoded document.

    NDJSON content is the list of its lines' values; CSV content is a list of `{column: text}` rows;
    HCL content is the text, whose pointers are `/LINE`, counted from 0.
    """

    origin: Origin
    format: Format
    content: Json
    hints: Hints = field(default_factory=Hints)
    problems: tuple[Unsupported, ...] = ()
    """Oddities met while decoding, such as duplicate keys (all values are kept where they can be)."""
    explicit: bool = True
    """Whether the user named the file itself, and not a folder that holds it."""
    pointer: str = ""
    """Where the document stands in its file: empty, or the pointer of the value that carries it."""

    @property
    def source(self) -> Source:
        """Source of the whole document."""
        return Source(self.origin, self.pointer)


def member_names(content: Json) -> frozenset[str]:
    """Return the keys of an object, or of all objects in a list: what tells at once that a document is none of ours."""
    if isinstance(content, dict):
        return frozenset(content)
    if isinstance(content, list):
        return frozenset().union(*(item for item in content if isinstance(item, dict)))
    return frozenset()
