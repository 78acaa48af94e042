"""The schema of one suppression. Imported only when there is one: it loads pydantic."""

from __future__ import annotations

from datetime import date

from pydantic import BaseModel, ConfigDict, Field


class SuppressionEntry(BaseModel):
    """What a person writes to accept a defect. The reason is not optional."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rule: str = Field(min_length=1)
    reason: str = Field(min_length=1)
    subject: str | None = Field(default=None, min_length=1)
    fingerprint: str | None = Field(default=None, pattern=r"^[0-9a-f]{32}$")
    expires: date | None = None
