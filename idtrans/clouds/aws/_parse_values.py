"""Plain values as AWS documents hold them: texts, lists of texts, dates, tags; and templates that stand in for them."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Final

from idtrans.model.documents import Json

_MAX_SHOWN: Final = 80
_REFERENCE: Final = re.compile(r"\$\{([^{}]*)\}?")
# A key prefix, one colon and a key name; or an escaped character. CloudFormation's `AWS::Region` has two colons.
_POLICY_VARIABLE: Final = re.compile(r"\s*[\w.\-/]+:[^:\s].*|[*?$]", re.ASCII | re.DOTALL)
_INTRINSIC: Final = re.compile(r"Ref|(?:Fn::|!)\w+", re.ASCII)


class Variables(Enum):
    """Whether a text may hold policy variables such as `${aws:username}`."""

    ALLOWED = "allowed"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of a value that is a text or a list of texts."""

    values: tuple[str, ...]
    doubts: tuple[str, ...] = ()


def shown(value: Json) -> str:
    """Return a value in backticks, shortened, for use in a message."""
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    text = "".join(letter if letter.isprintable() else " " for letter in text[: _MAX_SHOWN + 1]).replace("`", "'")
    return f"`{text[:_MAX_SHOWN]}...`" if len(text) > _MAX_SHOWN else f"`{text}`"


def as_text(value: Json) -> str | None:
    """Return a text, a number or a truth value as the text that AWS stores for it; `None` for anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float) and math.isfinite(value):
        return str(int(value)) if value.is_integer() else repr(value)
    return None


def name_of(value: Json) -> str | None:
    """Return a text that is not empty, `None` for anything else."""
    return value if isinstance(value, str) and value else None


def texts(value: Json, what: str, variables: Variables) -> Texts:
    """Read a text or a list of texts. What is no text, or what a template has yet to fill in, is doubted and kept."""
    items = value if isinstance(value, list) else [value]
    if not items:
        return Texts((), (f"`{what}` is an empty list",))
    if len(items) == 1 and isinstance(items[0], str) and "${" not in items[0]:
        return Texts((items[0],))
    found: list[str] = []
    doubts: list[str] = []
    for item in items:
        text = as_text(item)
        if text is None:
            found.append(json.dumps(item, sort_keys=True, default=str))
            unknown = "is not resolved" if is_intrinsic(item) else "is no text"
            doubts.append(f"{shown(item)} in `{what}` {unknown}")
            continue
        found.append(text)
        if has_reference(text, variables):
            doubts.append(f"{shown(text)} in `{what}` is not resolved")
    return Texts(tuple(found), tuple(doubts))


def is_intrinsic(value: Json) -> bool:
    """Tell whether a value is a CloudFormation function call, in its long form or as a YAML tag.

    https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference.html
    """
    return isinstance(value, dict) and len(value) == 1 and all(_INTRINSIC.fullmatch(str(key)) for key in value)


def has_reference(text: str, variables: Variables) -> bool:
    """Tell whether a text holds a `${...}` that a template engine has yet to replace."""
    if "${" not in text:
        return False
    if variables is Variables.NONE:
        return True
    return any(_POLICY_VARIABLE.fullmatch(match[1]) is None for match in _REFERENCE.finditer(text))


def as_date(value: Json) -> datetime | None:
    """Read an ISO 8601 time or seconds since 1970, `None` for anything else. A time without a zone is UTC."""
    try:
        if isinstance(value, str):
            found = datetime.fromisoformat(value.strip())
        elif isinstance(value, int | float) and not isinstance(value, bool):
            found = datetime.fromtimestamp(value, UTC)
        else:
            return None
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None
