"""The schema of a capability file. Imported only when capabilities are loaded: it loads pydantic."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from idtrans.model.values import Plane, Use

_STRICT = ConfigDict(extra="forbid", frozen=True)


class ApartEntry(BaseModel):
    """How to keep out a capability that shares its permissions with this one."""

    model_config = _STRICT

    capability: str
    condition: str = Field(min_length=1)


class ColumnEntry(BaseModel):
    """How one cloud says a capability."""

    model_config = _STRICT

    permissions: list[str] = []
    optional: list[str] = []
    parts: list[str] = []
    bounded: list[str] = []
    roles: list[str] = []
    levels: list[str] = []
    apart: list[ApartEntry] = []
    variant: str | None = None
    unsafe: str | None = None
    no_counterpart: str | None = None

    @model_validator(mode="after")
    def _either(self) -> ColumnEntry:
        if bool(self.permissions) == (self.no_counterpart is not None):
            message = "a column has permissions, or says why there is no counterpart"
            raise ValueError(message)
        if self.permissions and not self.levels:
            message = "a column says at which levels a grant can stand"
            raise ValueError(message)
        return self


class CapabilityEntry(BaseModel):
    """One file of `rules/capabilities`."""

    model_config = _STRICT

    id: str = Field(pattern=r"^[a-z0-9]+(\.[a-z0-9]+)+$")
    title: str = Field(min_length=1)
    plane: Plane
    effect: Use
    family: str = Field(min_length=1)
    scope: Literal[
        "account",
        "certificate",
        "cluster",
        "dataset",
        "function",
        "key",
        "log",
        "object-store",
        "parameter",
        "queue",
        "registry",
        "secret",
        "service-account",
        "stream",
        "table",
        "topic",
        "vm",
    ]
    parts: list[str] = []
    synonyms: list[str] = []
    note: str = ""
    aws: ColumnEntry
    gcp: ColumnEntry
    azure: ColumnEntry
