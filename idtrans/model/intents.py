"""Intents: what is wanted, in no cloud's words. Translation and federation read and write these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from idtrans.model.spans import NOWHERE, Source
from idtrans.model.values import Reach


@dataclass(frozen=True, slots=True)
class Scope:
    """What a capability is wanted on: a neutral kind and its parts, such as `object-store` `{bucket: my-bucket}`."""

    kind: str
    native: str
    """The scope as the source cloud writes it."""
    parts: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Parts by name: `bucket`, `prefix`, `account`, `container`, `project`, ..."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """One capability on one scope under one condition."""

    capability: str
    scope: Scope
    condition: str | None = None
    """Condition in the source's words; `None` for always."""
    source: Source = NOWHERE


@dataclass(frozen=True, slots=True)
class AccessIntent:
    """What one principal is meant to be able to do."""

    principal: str
    principal_kind: str
    wanted: tuple[Wanted, ...]
    residue: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    """Permissions by service that no capability explains."""


@dataclass(frozen=True, slots=True)
class ClaimPin:
    """A claim of the token must have exactly one of these values."""

    claim: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FederationIntent:
    """Which tokens of one issuer are to be let in."""

    issuer: str
    """Issuer URL, verbatim: slashes matter."""
    issuer_kind: str
    """Name of the issuer table, such as `github`."""
    name: str
    """Base name for what is created, such as `app-prod`."""
    subjects: tuple[str, ...]
    """Alternatives for `sub`, literal, or with `*` where the caller asked for breadth."""
    pins: tuple[ClaimPin, ...] = ()
    """Further claims, all of which must hold; emitters drop what their cloud cannot test and say so."""
    audience: str | None = None
    """`None`: the default audience of the target cloud."""
    reach: Reach = Reach.WORKLOAD
    """The widest reach that was asked for; wider output is an internal error."""


@dataclass(frozen=True, slots=True)
class Names:
    """Names the user gave for things in the target cloud, by key; what is missing becomes a placeholder."""

    values: Mapping[str, str] = field(default_factory=dict, hash=False)

    def get(self, key: str) -> str:
        """Return the given name, or the placeholder `<KEY>`."""
        return self.values.get(key) or f"<{key.upper().replace('-', '_')}>"
