"""The schema of a map file. Imported only when there is one: it loads pydantic."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

_STRICT = ConfigDict(extra="forbid", frozen=True, strict=True)


class PairEntry(BaseModel):
    """One id of the source and what stands in its place in the target."""

    model_config = _STRICT

    from_: str = Field(alias="from", min_length=1)
    to: str = Field(min_length=1)


class MapEntry(BaseModel):
    """A map file."""

    model_config = _STRICT

    version: Literal[1]
    principals: list[PairEntry] = []
    scopes: list[PairEntry] = []
    resources: list[PairEntry] = []
