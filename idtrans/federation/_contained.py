"""Does one trust admit no token that another refuses? Decided over the tokens that the issuer can emit.

Audiences are left out: each cloud asks for its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.algebra import ALWAYS, Both, Condition, Either, Has, Test, all_of, any_of
from idtrans.catalog import issuer_of
from idtrans.federation._boxes import Box, solve
from idtrans.federation._claims import AUDIENCE, Alternative, Reading, alternatives
from idtrans.federation._customised import Seeking, customised_boxes
from idtrans.federation._walk import limited
from idtrans.model.errors import BudgetExceededError

if TYPE_CHECKING:
    from idtrans.ports import Trust

MOST_STEPS = 400_000
"""Steps of walks after which a trust is taken not to be contained."""


def is_contained(inner: Trust, outer: Trust, *, kind: str | None = None) -> bool:
    """Tell whether every token that one trust admits is admitted by another of the same issuer.

    What was not understood, or takes too many steps, makes the answer no.
    """
    if inner.issuer is None or inner.issuer != outer.issuer:
        return False
    try:
        with limited(MOST_STEPS):
            return not any(_boxes(one, inner.issuer, kind) for one in _beyond(inner, outer))
    except BudgetExceededError:
        return False


def _beyond(inner: Trust, outer: Trust) -> list[Alternative]:
    """Return the ways in which a token gets in at the inner trust and not at the outer one."""
    admitted = alternatives(without_audience(inner.admits), Reading(inner.issuer or "", inner.claims))
    refused = alternatives(without_audience(outer.admits), Reading(outer.issuer or "", outer.claims), holds=False)
    return [both for one in admitted for other in refused if (both := one & other) is not None]


def _boxes(alternative: Alternative, issuer: str, kind: str | None) -> list[Box]:
    table = issuer_of(issuer, kind).issuer
    found = [box for shape in table.shapes for box in solve(alternative, shape, table)]
    return found or customised_boxes(alternative, table, Seeking.ALL)


def without_audience(condition: Condition) -> Condition:
    """Return a condition whose tests of the audience hold. What is negated stays as it is."""
    match condition:
        case Both(parts):
            return all_of(*map(without_audience, parts))
        case Either(parts):
            return any_of(*map(without_audience, parts))
        case Test(key=key) | Has(key=key) if key in {AUDIENCE, "oaud"}:
            return ALWAYS
        case _:
            return condition
