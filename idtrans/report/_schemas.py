"""The JSON outputs as pydantic models: what is rendered is checked against them, and `docs/schemas/` is made of them.

Imported only when JSON is asked for.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Severity = Literal["critical", "high", "medium", "low", "info"]
Confidence = Literal["high", "medium", "low"]
Outcome = Literal["allow", "explicit-deny", "implicit-deny", "conditional", "unknown"]
Reach = Literal["dead", "workload", "project", "tenant", "platform", "anyone", "unknown"]
Verdict = Literal["exact", "exact-with-parts", "approximate", "narrower", "broader", "refused"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Place(_Part):
    """Where something stands: a POSIX path relative to the input root, a line, a JSON pointer (RFC 6901)."""

    path: str
    line: int | None
    pointer: str


class Unread(_Part):
    """Something that was not understood or could not be judged, and why."""

    path: str
    line: int | None
    pointer: str
    reason: str


class Change(_Part):
    """A request that one side allows and the other does not, and the statement that makes the difference."""

    cloud: str
    principal: str
    action: str
    resource: str
    context: dict[str, list[str]]
    statement: str
    source: Place | None
    also: list[str]


class Diff(_Part):
    """Output of `idtrans diff`."""

    schema_: Literal["idtrans/diff/v1"] = Field(alias="schema")
    verdict: Literal["no-new-access", "new-access", "unknown"]
    new: list[Change]
    removed: list[Change]
    not_evaluated: list[Unread]


class Finding(_Part):
    """One defect; the fingerprint is its identity."""

    rule: str
    severity: Severity
    confidence: Confidence
    title: str
    message: str
    cloud: str
    subject: str
    evidence: dict[str, Any]
    locations: list[Place]
    fingerprint: str
    remediation: str
    state: Literal["new", "baseline", "suppressed"]


class Findings(_Part):
    """Output of `idtrans audit`."""

    schema_: Literal["idtrans/findings/v1"] = Field(alias="schema")
    findings: list[Finding]
    not_evaluated: list[Unread]
    summary: dict[str, int]


class Issuer(_Part):
    """Who vouches for a token; `url` is the trusted party where no issuer does."""

    kind: str
    url: str
    tenancy: str


class Note(_Part):
    """A remark with a stable code."""

    code: str
    message: str


class Trust(_Part):
    """Who can use one trust."""

    target: str
    cloud: str
    kind: str
    issuer: Issuer
    reach: Reach
    provider_reach: Reach | None
    pinned_by: str
    admits: list[str]
    outsiders: list[dict[str, Any]]
    notes: list[Note]
    source: Place | None
    further_sources: list[Place | None]


class Token(_Part):
    """What a token gets."""

    admitted: Literal["yes", "no", "unknown"]
    reasons: list[str]


class Trusts(_Part):
    """Output of `idtrans trust`."""

    schema_: Literal["idtrans/trust/v1"] = Field(alias="schema")
    trusts: list[Trust]
    token: Token | None
    not_evaluated: list[Unread]


class Artifact(_Part):
    """One text to save or to run."""

    kind: str
    name: str
    format: Literal["native", "cli", "terraform"]
    content: str


class Loss(_Part):
    """One feature that the target says differently."""

    feature: str
    effect: Literal["narrow", "widen", "drop", "split"]
    why: str


class TranslationSource(_Part):
    """Where a grant was read."""

    cloud: str
    path: str


class Grant(_Part):
    """What is granted in the target; `role` is empty where it is a list of permissions."""

    principal: str
    role: str | None
    resource: str
    condition: str | None


class Extra(_Part):
    """A permission that the target gives beyond what was asked for."""

    permission: str
    plane: str


class Capability(_Part):
    """How well the target says one capability."""

    id: str
    resource: str
    condition: str | None
    verdict: Verdict
    missing: list[str]
    extra: list[Extra]
    reasons: list[str]


class Denial(_Part):
    """How well the target denies one capability that the source denies; `target` is `null` where it is not denied."""

    id: str
    resource: str
    condition: str | None
    verdict: Verdict
    permissions: list[str]
    target: str | None
    limit: str | None
    reasons: list[str]


class Residue(_Part):
    """Permissions that no capability explains."""

    service: str
    permissions: list[str]


class Search(_Part):
    """How many sets of roles were looked at, how many may be for one scope, and whether none gives less for sure."""

    nodes: int
    limit: int
    complete: bool


class Translated(_Part):
    """The translation of one principal."""

    source: TranslationSource
    principal: str
    target: str
    verdict: Verdict
    reasons: list[str]
    grants: list[Grant]
    capabilities: list[Capability]
    denials: list[Denial]
    residue: list[Residue]
    artifacts: list[Artifact]
    placeholders: list[str]
    losses: list[Loss]
    search: Search


class TrustSource(_Part):
    """A trust as it was read: who is obtained with tokens of which issuer, `null` where that is not known."""

    cloud: str
    path: str
    principal: str
    issuer: str | None


class TranslatedTrust(_Part):
    """A trust in the words of another cloud; `reach` is of what was written, `null` where nothing was."""

    source: TrustSource
    target: str
    verdict: Verdict
    reach: Reach | None
    losses: list[Loss]
    artifacts: list[Artifact]
    placeholders: list[str]


class Translation(Translated):
    """Output of `idtrans translate` for one principal."""

    schema_: Literal["idtrans/translation/v1"] = Field(alias="schema")
    trusts: list[TranslatedTrust]


class Translations(_Part):
    """Output of `idtrans translate` for several principals."""

    schema_: Literal["idtrans/translations/v1"] = Field(alias="schema")
    translations: list[Translated]
    trusts: list[TranslatedTrust]
    not_evaluated: list[Unread]


class Pin(_Part):
    """A claim that must have one of some values."""

    claim: str
    values: list[str]


class FederationIntent(_Part):
    """Which tokens are to be let in."""

    issuer: str
    issuer_kind: str
    name: str
    subjects: list[str]
    pins: list[Pin]
    audience: str | None
    reach: Reach


class FederationTarget(_Part):
    """A federation intent as one cloud says it."""

    cloud: str
    reach: Reach
    artifacts: list[Artifact]
    placeholders: list[str]
    losses: list[Loss]


class Federation(_Part):
    """Output of `idtrans federate`."""

    schema_: Literal["idtrans/federation/v1"] = Field(alias="schema")
    intent: FederationIntent
    targets: list[FederationTarget]
    workflow: str
