"""An intent as a condition over claims: what any cloud that says all of it would admit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.algebra import Condition, Quantifier, Test, all_of, glob, one_of, union
from idtrans.federation._claims import SUBJECT
from idtrans.federation._judge import judge
from idtrans.model.spans import NOWHERE
from idtrans.ports import Trust, TrustKind

if TYPE_CHECKING:
    from idtrans.federation._report import TrustReport
    from idtrans.model.intents import FederationIntent


def condition_of_intent(intent: FederationIntent) -> Condition:
    """Return the condition that an intent stands for: one of its subjects, and every pin."""
    patterns = union(map(glob, intent.subjects))
    pins = (Test(pin.claim, Quantifier.ONE, one_of(pin.values)) for pin in intent.pins)
    return all_of(Test(SUBJECT, Quantifier.ONE, patterns), *pins)


def report_of(intent: FederationIntent) -> TrustReport:
    """Return who an intent lets in, before any cloud has to say it."""
    trust = Trust("", TrustKind.WEB_IDENTITY, intent.name, intent.issuer, condition_of_intent(intent), NOWHERE)
    return judge(trust, kind=intent.issuer_kind)
