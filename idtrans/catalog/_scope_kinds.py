"""How each cloud writes the kinds of resources that grants can stand on, from `rules/scope-kinds.toml`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from idtrans.model.data import rules_dir
from idtrans.model.errors import DataError
from idtrans.model.spans import Place, Source

if TYPE_CHECKING:
    from collections.abc import Mapping

_PART: Final = re.compile(r"\{([a-z_]+)\}")
NAME: Final = "name"
"""Part of every kind that is the resource itself."""

CALLED_ALIKE: Final = frozenset(
    {"dataset", "function", "parameter", "queue", "registry", "secret", "stream", "table", "topic"}
)
"""Kinds whose resources people name, so that they are taken to be called alike in every cloud."""


@dataclass(frozen=True, slots=True)
class ScopeKind:
    """One kind of resource as one cloud writes it."""

    kind: str
    patterns: tuple[str, ...]
    """Texts with parts in braces; the first is the one that is written."""

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of what is written, in order."""
        return tuple(_PART.findall(self.patterns[0]))

    def read(self, text: str) -> Mapping[str, str] | None:
        """Return the parts of a text of this kind, `None` for any other text, and for one with wildcards."""
        for pattern in self.patterns:
            found = _expression(pattern).fullmatch(text)
            if found is not None:
                parts = found.groupdict()
                plain = not any(mark in value for value in parts.values() for mark in "*?$")
                return parts if plain else None
        return None

    def write(self, parts: Mapping[str, str]) -> str:
        """Return the text for some parts. Raises `KeyError` for one that is missing."""
        return _PART.sub(lambda found: parts[found[1]], self.patterns[0])


def scope_kind_names() -> tuple[str, ...]:
    """Return the names of all kinds, sorted. Raises `DataError` for a broken file."""
    return tuple(sorted({kind for cloud in ("aws", "azure", "gcp") for kind in scope_kinds(cloud)}))


@cache
def scope_kinds(cloud: str) -> Mapping[str, ScopeKind]:
    """Return the kinds of resources of a cloud by name.

    Raises:
        DataError: the file cannot be read, or a pattern has no `{name}`.
    """
    try:
        with (rules_dir() / "scope-kinds.toml").open("rb") as file:
            content = tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise DataError(f"the file cannot be read: {error}", source=_SOURCE) from error
    for kind, entry in content.items():
        for pattern in (pattern for patterns in entry.values() for pattern in patterns):
            if f"{{{NAME}}}" not in pattern:
                raise DataError(f"the pattern `{pattern}` of `{kind}` has no name", source=_SOURCE)
    return {kind: ScopeKind(kind, tuple(entry[cloud])) for kind, entry in content.items() if cloud in entry}


_SOURCE: Final = Source(Place("rules/scope-kinds.toml"))


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    pieces = _PART.split(pattern)
    # Names may hold slashes where nothing follows them; what they lie in may not.
    text = "".join(
        f"(?P<{piece}>{'[^:]+' if piece == NAME and number == len(pieces) - 2 else '[^/:]+'})"
        if number % 2
        else re.escape(piece)
        for number, piece in enumerate(pieces)
    )
    return re.compile(text.replace("(?P<region>[^/:]+)", "(?P<region>[^/:]*)"), re.IGNORECASE)
