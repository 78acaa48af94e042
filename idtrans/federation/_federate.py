"""Writing keyless trust for several clouds, each checked by reading it back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from idtrans.catalog import issuer
from idtrans.federation._asked_aws import AWS_NATIVE
from idtrans.federation._asked_losses import name_losses
from idtrans.federation._github import KIND, github_losses
from idtrans.federation._judge import judge
from idtrans.federation._workflow import github_workflow
from idtrans.model.artifacts import Emission, Loss, LossEffect
from idtrans.model.documents import Unsupported
from idtrans.model.errors import InternalError, UsageError
from idtrans.model.estate import Estate
from idtrans.model.intents import FederationIntent, Names
from idtrans.model.values import Reach, rank
from idtrans.ports import TrustKind

if TYPE_CHECKING:
    from idtrans.ports import Cloud, Trust


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
    _check_taken(intent, cloud.name)
    asked = replace(intent, audience=intent.audience or _audience(intent, cloud.name))
    emission = cloud.emit_federation(asked, names)
    reach = _reach(asked, cloud, emission)
    if rank(reach) > rank(intent.reach):
        _refuse_dropped(intent, cloud.name, emission)
        raise InternalError(f"the trust for `{cloud.name}` reaches `{reach}`, and `{intent.reach}` was asked for")
    if reach is Reach.DEAD:
        raise InternalError(f"the trust for `{cloud.name}` lets nobody in")
    common = github_losses(intent) if intent.issuer_kind == KIND else name_losses(intent)
    return FederationTarget(cloud.name, reach, emission, (*common, *emission.losses))


def _check_taken(intent: FederationIntent, cloud: str) -> None:
    table = issuer(intent.issuer_kind)
    if table is not None and table.wanted is not None and cloud in table.wanted.refused_by:
        raise UsageError(f"`{cloud}` takes no tokens of {table.title}", advice="assume the role directly")


def _audience(intent: FederationIntent, cloud: str) -> str | None:
    """Return the audience that tokens of the issuer have for a cloud, where that is not the cloud's own default."""
    table = issuer(intent.issuer_kind)
    return table.audiences.get(cloud) if table is not None else None


def _refuse_dropped(intent: FederationIntent, cloud: str, emission: Emission) -> None:
    """Refuse an intent that rests on claims which the cloud does not test."""
    dropped = [loss.feature for loss in emission.losses if loss.effect is LossEffect.DROP and "claim" in loss.feature]
    if dropped:
        raise UsageError(
            f"`{cloud}` does not test what keeps others out: {', '.join(dropped)}",
            advice=f"name what the subject says, or accept more than a {intent.reach}",
        )


def _reach(intent: FederationIntent, cloud: Cloud, emission: Emission) -> Reach:
    """Return the reach of what was written, as the cloud's own reader and the judge see it."""
    read = tuple(cloud.reread(emission.natives))
    entities = tuple(entity for entity in read if not isinstance(entity, Unsupported))
    unread = tuple(entity for entity in read if isinstance(entity, Unsupported))
    estate = Estate(entities, datetime.fromtimestamp(0, UTC), unread)
    found = cloud.trusts(estate)
    reaches = [judge(trust, kind=intent.issuer_kind).reach for trust in found if _is_meant(trust, intent)]
    if not reaches:
        raise InternalError(f"the trust for `{cloud.name}` is not found when it is read back")
    return max(reaches, key=rank)


def _is_meant(trust: Trust, intent: FederationIntent) -> bool:
    """Tell whether a trust is of an intent's issuer, or of the account whose callers it is about."""
    if intent.issuer_kind == AWS_NATIVE:
        return trust.kind is TrustKind.ACCOUNT and f"::{trust.outside_account}:" in intent.issuer
    return trust.issuer == intent.issuer
