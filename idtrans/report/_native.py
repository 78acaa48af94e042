"""Native objects as the vendor's own JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from idtrans.model.artifacts import Native
    from idtrans.model.documents import Json


def native(entry: Native) -> str:
    """Return the JSON text of one native object, indented."""
    return json_text(entry.content)


def json_text(content: Json) -> str:
    """Return indented JSON in plain ASCII, so that no character of a name can steer a terminal."""
    return json.dumps(content, indent=2, ensure_ascii=True) + "\n"
