"""What an intent costs whichever cloud it is written for, where its issuer is described by a table."""

from __future__ import annotations

from idtrans.catalog import Basis, Level, Tenancy, issuer_of
from idtrans.federation._asked_reach import report_of
from idtrans.federation._reach import PinnedBy
from idtrans.model.artifacts import Loss, LossEffect
from idtrans.model.intents import FederationIntent


def name_losses(intent: FederationIntent) -> tuple[Loss, ...]:
    """Return the loss of resting on names where a shared issuer has ids that nobody else can ever get."""
    match = issuer_of(intent.issuer, intent.issuer_kind)
    has_ids = any(pin.basis is Basis.IDS for pin in match.issuer.pins_of(Level.TENANT))
    if match.tenancy is not Tenancy.SHARED or not has_ids:
        return ()
    if report_of(intent).pinned_by not in {PinnedBy.NAMES, PinnedBy.MIXED}:
        return ()
    why = "whoever takes a name in the subject once it is given up gets in; ids are never reused"
    return (Loss("name instead of id", LossEffect.WIDEN, why),)
