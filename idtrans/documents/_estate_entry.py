"""The schema of one entry of `estate.yaml`. Imported only when there is one: it loads pydantic."""

from __future__ import annotations

from datetime import UTC, datetime

from pydantic import BaseModel, ConfigDict, Field

from idtrans.model.documents import Hints
from idtrans.model.values import Layer


class EstateEntry(BaseModel):
    """What a manifest says about one file."""

    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True)

    path: str = Field(min_length=1)
    kind: str | None = None
    cloud: str | None = None
    layer: Layer | None = None
    principal: str | None = None
    resource: str | None = None
    scope: str | None = None
    account: str | None = None
    ancestors: tuple[str, ...] = ()
    collected_at: datetime | None = None

    def hints(self) -> Hints:
        """Return the entry as hints; a time without a zone is UTC."""
        collected_at = self.collected_at
        if collected_at is not None and collected_at.tzinfo is None:
            collected_at = collected_at.replace(tzinfo=UTC)
        values = self.model_dump(exclude={"path", "collected_at"})
        return Hints(collected_at=collected_at, **values)
