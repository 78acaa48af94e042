"""Writing keyless trust for several clouds, each checked by reading it back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from idtrans.federation._github import KIND, github_losses
from idtrans.federation._judge import judge
from idtrans.federation._workflow import github_workflow
from idtrans.model.artifacts import Emission, Loss
from idtrans.model.documents import Unsupported
from idtrans.model.errors import InternalError, UsageError
from idtrans.model.estate import Estate
from idtrans.model.intents import FederationIntent, Names
from idtrans.model.values import Reach, rank

if TYPE_CHECKING:
    from idtrans.ports import Cloud


@dataclass(frozen=True, slots=True)
class FederationTarget:
    """An intent as one cloud says it."""

    cloud: str
    reach: Reach
    """Reach of what was written, read back."""
    emission: Emission
    losses: tuple[Loss, ...]
    """What the intent costs everywhere, then what this cloud cannot say."""


@dataclass(frozen=True, slots=True)
class FederationResult:
    """An intent as each cloud says it, and the workflow that uses it."""

    intent: FederationIntent
    targets: tuple[FederationTarget, ...]
    workflow: str
    """YAML; empty for issuers that have no workflows."""


def federate(
    intent: FederationIntent, clouds: Mapping[str, Cloud], targets: Iterable[str], names: Names
) -> FederationResult:
    """Return the trust for each target cloud, with its reach as read back.

    Raises:
        UsageError: a target is not among the clouds, or its cloud cannot say the intent without admitting more.
        InternalError: what was written admits more than was asked for, or nobody.
    """
    written = tuple(_write(intent, _cloud(clouds, target), names) for target in dict.fromkeys(targets))
    emissions = {target.cloud: target.emission for target in written}
    is_github = intent.issuer_kind == KIND
    return FederationResult(intent, written, github_workflow(intent, emissions, names) if is_github else "")


def _cloud(clouds: Mapping[str, Cloud], target: str) -> Cloud:
    found = clouds.get(target)
    if found is None:
        known = ", ".join(f"`{name}`" for name in sorted(clouds))
        raise UsageError(f"`{target}` is not a cloud", advice=f"the clouds are {known}")
    return found


def _write(intent: FederationIntent, cloud: Cloud, names: Names) -> FederationTarget:
    emission = cloud.emit_federation(intent, names)
    reach = _reach(intent, cloud, emission)
    if rank(reach) > rank(intent.reach):
        raise InternalError(f"the trust for `{cloud.name}` reaches `{reach}`, and `{intent.reach}` was asked for")
    if reach is Reach.DEAD:
        raise InternalError(f"the trust for `{cloud.name}` lets nobody in")
    common = github_losses(intent) if intent.issuer_kind == KIND else ()
    return FederationTarget(cloud.name, reach, emission, (*common, *emission.losses))


def _reach(intent: FederationIntent, cloud: Cloud, emission: Emission) -> Reach:
    """Return the reach of what was written, as the cloud's own reader and the judge see it."""
    read = tuple(cloud.reread(emission.natives))
    entities = tuple(entity for entity in read if not isinstance(entity, Unsupported))
    unread = tuple(entity for entity in read if isinstance(entity, Unsupported))
    estate = Estate(entities, datetime.fromtimestamp(0, UTC), unread)
    reaches = [judge(trust).reach for trust in cloud.trusts(estate) if trust.issuer == intent.issuer]
    if not reaches:
        raise InternalError(f"the trust for `{cloud.name}` is not found when it is read back")
    return max(reaches, key=rank)
