"""Names in what is emitted: placeholders, Terraform labels, policy names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from idtrans.model.artifacts import Argv, JsonArgument, Native

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from idtrans.model.artifacts import TerraformValue
    from idtrans.model.documents import Json

_PLACEHOLDER: Final = re.compile(r"<[A-Z][A-Z0-9_]*>")
_NAME_LENGTH: Final = 64


def iam_name(text: str) -> str:
    """Return a name that IAM accepts for policies and roles.

    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
    """
    return re.sub(r"[^A-Za-z0-9+=,.@_-]+", "-", text).strip("-")[:_NAME_LENGTH] or "idtrans"


def label(text: str) -> str:
    """Return a Terraform identifier."""
    cleaned = re.sub(r"[^a-z0-9_]+", "_", text.lower()).strip("_") or "this"
    return cleaned if cleaned[0].isalpha() else f"_{cleaned}"


def as_terraform(value: Json) -> TerraformValue:
    """Return a JSON value as a Terraform value: lists become tuples."""
    if isinstance(value, dict):
        return {str(key): as_terraform(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return tuple(map(as_terraform, value))
    found: TerraformValue = value
    return found


def placeholders(natives: Iterable[Native], commands: Iterable[Argv]) -> tuple[str, ...]:
    """Return the placeholders of what is emitted, in order of first use."""
    texts = [text for native in natives for text in _texts(native.content)]
    for command in commands:
        for word in command.words:
            texts += _texts(word.content) if isinstance(word, JsonArgument) else [word]
    return tuple(dict.fromkeys(match for text in texts for match in _PLACEHOLDER.findall(text)))


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from (key, *_texts(item))
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
