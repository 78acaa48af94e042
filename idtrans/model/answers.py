"""Answers that put the results of several rooms together, in the form that reports render."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from idtrans.model.artifacts import ArtifactFormat, Emission, Loss
from idtrans.model.documents import Unsupported
from idtrans.model.findings import AuditReport
from idtrans.model.intents import FederationIntent
from idtrans.model.spans import Source
from idtrans.model.translations import Translation, TranslationSource
from idtrans.model.values import Reach, Severity, Unknown, Verdict


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark with a stable code."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class TrustAnswer:
    """Who on Earth can use one trust."""

    cloud: str
    kind: str
    """`web-identity`, `saml`, `cross-account` or `service`."""
    target: str
    """Id of what is obtained, as people of the cloud write it."""
    source: Source
    reach: Reach
    issuer_kind: str = "none"
    issuer: str = ""
    """Issuer URL, or the trusted party where no issuer vouches for it."""
    tenancy: str = "none"
    """`shared`, `tenant`, `private` or `none`."""
    provider_reach: Reach | Unknown | None = None
    """What the provider alone would let in, where the cloud has such a stage."""
    pinned_by: str = "none"
    """`ids`, `names`, `mixed` or `none`."""
    admits: tuple[str, ...] = ()
    """Examples of subjects that get in."""
    outsiders: tuple[Mapping[str, object], ...] = field(default=(), hash=False)
    """Claims of strangers of different tenants that get in."""
    remarks: tuple[Remark, ...] = ()
    further_sources: tuple[Source, ...] = ()
    """Where else it is stated."""


class Admission(StrEnum):
    """Whether a token gets in."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class TokenAnswer:
    """What one token gets."""

    admitted: Admission
    """The best that any of the trusts gives it."""
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TrustsAnswer:
    """Every trust of an estate, and what a token gets when one was shown."""

    trusts: tuple[TrustAnswer, ...]
    token: TokenAnswer | None = None
    unsupported: tuple[Unsupported, ...] = ()
    """What was not understood in the input and could hide a trust."""


@dataclass(frozen=True, slots=True)
class FederationPart:
    """A federation intent as one cloud says it."""

    cloud: str
    reach: Reach
    """Who gets in, judged on what was written."""
    emission: Emission
    losses: tuple[Loss, ...] = ()
    """What the intent costs everywhere, and what this cloud cannot say."""


@dataclass(frozen=True, slots=True)
class FederationAnswer:
    """A federation intent for several clouds, with the workflow that uses it."""

    intent: FederationIntent
    parts: tuple[FederationPart, ...]
    workflow: str
    """The job that uses it, as YAML."""
    form: ArtifactFormat = ArtifactFormat.NATIVE
    """How the artifacts are to be written out."""


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One audit rule in a list."""

    id: str
    title: str
    severity: Severity
    clouds: tuple[str, ...]
    fact: str
    """Kind of the facts that it looks at."""


@dataclass(frozen=True, slots=True)
class RulesAnswer:
    """Every rule that an audit would run."""

    rules: tuple[RuleLine, ...]


@dataclass(frozen=True, slots=True)
class RulePage:
    """The page of one rule."""

    id: str
    text: str
    """Markdown, without the front matter."""


class Held(StrEnum):
    """How much of a capability a role gives."""

    FULL = "full"
    PART = "part"
    NONE = "none"
    UNKNOWN = "unknown"
    NO_COUNTERPART = "no-counterpart"


@dataclass(frozen=True, slots=True)
class CapabilityLine:
    """One capability and how each cloud says it."""

    id: str
    title: str
    effect: str
    plane: str
    permissions: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    """Permissions that it needs, by cloud, as the vendor writes them."""
    without: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Clouds that cannot say it, and why."""
    held: Mapping[str, Held] = field(default_factory=dict, hash=False)
    """How much of it each of the roles gives that were compared."""


@dataclass(frozen=True, slots=True)
class CapabilitiesAnswer:
    """Everything that translation can recognise."""

    capabilities: tuple[CapabilityLine, ...]
    compared: tuple[str, ...] = ()
    """Roles and managed policies that were compared, in the order asked for."""


@dataclass(frozen=True, slots=True)
class CatalogLine:
    """What is known of the roles of one cloud."""

    cloud: str
    roles: int
    complete: int
    """Roles of which every permission is known."""
    built_in: int
    built_in_as_of: str
    """Day of the vendor's list that the built-in roles were taken from."""
    supplied: int
    """Roles of the catalogue file."""


@dataclass(frozen=True, slots=True)
class CatalogAnswer:
    """How complete and how old the catalogue of roles is."""

    clouds: tuple[CatalogLine, ...]
    path: str | None = None
    """The catalogue file; `None` when none is in use."""
    imported: str | None = None
    age_days: int | None = None
    operations: int = 0
    """Operations whose plane the file states."""


@dataclass(frozen=True, slots=True)
class CloudCount:
    """What one cloud's documents gave."""

    cloud: str
    documents: int
    principals: int
    grants: int
    trusts: int
    credentials: int
    resources: int


@dataclass(frozen=True, slots=True)
class GraphCount:
    """How many nodes and edges of each kind a graph has."""

    nodes: Mapping[str, int] = field(default_factory=dict, hash=False)
    edges: Mapping[str, int] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class TranslatedTrust:
    """A trust in the tokens of an issuer, said in another cloud."""

    source: TranslationSource
    """Where the trust was read."""
    principal: str
    """Who is obtained by a token in the source."""
    issuer: str
    """URL of the issuer; empty where the input does not say it."""
    target: str
    """Name of the target cloud."""
    verdict: Verdict
    reach: Reach | None = None
    """Who can use what was written, read back; `None` where nothing was."""
    emissions: tuple[Emission, ...] = ()
    """What is to be applied, each by itself; none when the translation is refused."""
    losses: tuple[Loss, ...] = ()

    @property
    def placeholders(self) -> tuple[str, ...]:
        """What is to be filled in before anything of it can be applied."""
        return tuple(dict.fromkeys(name for each in self.emissions for name in each.placeholders))


@dataclass(frozen=True, slots=True)
class TranslationsAnswer:
    """The translation of every principal that was asked for, and of every trust that gives one of them away."""

    translations: tuple[Translation, ...]
    unsupported: tuple[Unsupported, ...] = ()
    """What was not understood in the input and could be part of a grant."""
    form: ArtifactFormat = ArtifactFormat.NATIVE
    """How the artifacts are to be written out."""
    trusts: tuple[TranslatedTrust, ...] = ()


@dataclass(frozen=True, slots=True)
class Demonstration:
    """Everything that `idtrans demo` shows."""

    clouds: tuple[CloudCount, ...]
    graph: GraphCount
    audit: AuditReport
    fact_kinds: Mapping[str, str]
    """Kind of the facts that each rule looks at, by rule id."""
    translations: TranslationsAnswer
    federation: FederationAnswer
