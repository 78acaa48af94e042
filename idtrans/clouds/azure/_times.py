"""Times, as Azure's tools print them."""

from __future__ import annotations

import re
from datetime import UTC, datetime


def moment(text: str | None) -> datetime | None:
    """Return a point in time from ISO 8601 text, UTC when it names no zone; `None` for anything else."""
    if text is None:
        return None
    try:
        # Graph writes seven digits of a second, more than Python reads before 3.12.
        found = datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", text))
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
