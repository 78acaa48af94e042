"""Small texts that emitters share: labels, ids and the placeholders that are left for the user."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from idtrans.model.artifacts import (
    Argv,
    JsonArgument,
    JsonEncode,
    Native,
    NestedBlock,
    TerraformBlock,
)

_PLACEHOLDER: Final = re.compile(r"<[A-Z][A-Z0-9_]*>")
_NOT_LABEL: Final = re.compile(r"[^a-z0-9]+")
_SHORTEST, _LONGEST = 4, 32


def label(name: str) -> str:
    """Return a name as a Terraform label: letters, digits and underscores, not starting with a digit."""
    found = _NOT_LABEL.sub("_", name.lower()).strip("_") or "access"
    return found if found[0].isalpha() else f"x_{found}"


def pool_id(name: str, ending: str = "") -> str:
    """Return a name as the id of a pool or provider: 4 to 32 lower-case letters, digits and hyphens.

    https://cloud.google.com/iam/docs/reference/rest/v1/projects.locations.workloadIdentityPools/create
    """
    found = _NOT_LABEL.sub("-", name.lower()).strip("-")
    # The prefix `gcp-` is reserved, and ids start with a letter.
    if not found or not found[0].isalpha() or found.startswith("gcp-"):
        found = f"id-{found}".strip("-")
    found = found[: _LONGEST - len(ending)].rstrip("-") + ending
    return found if len(found) >= _SHORTEST else f"{found}-pool"


def role_id(name: str) -> str:
    """Return a name as the id of a custom role: letters, digits, dots and underscores."""
    return (re.sub(r"[^A-Za-z0-9_.]+", "_", name).strip("_") or "idtrans")[:64]


def placeholders(
    natives: Iterable[Native], commands: Iterable[Argv], blocks: Iterable[TerraformBlock]
) -> tuple[str, ...]:
    """Return the placeholders in what was written, in order of first use."""
    parts = [
        [native.content for native in natives],
        [(command.words, command.stdin) for command in commands],
        [block.body for block in blocks],
    ]
    return tuple(dict.fromkeys(found for text in _texts(parts) for found in _PLACEHOLDER.findall(text)))


def _texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case JsonArgument(content) | JsonEncode(content):
            yield from _texts(content)
        case NestedBlock(body):
            yield from _texts(body)
        case Mapping():
            yield from _texts(tuple(value.values()))
        case list() | tuple():
            for inner in value:
                yield from _texts(inner)
