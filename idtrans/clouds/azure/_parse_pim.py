"""Privileged Identity Management: whether an assignment is eligible or active, and from when to when.

https://learn.microsoft.com/rest/api/authorization/role-eligibility-schedule-instances
https://learn.microsoft.com/rest/api/authorization/role-assignment-schedule-instances
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from idtrans.clouds.azure._times import moment
from idtrans.model.entities import BindingState

if TYPE_CHECKING:
    from datetime import datetime

    from idtrans.clouds.azure._records import Record

_TIMES: Final = ("startdatetime", "enddatetime")
_SETTLED: Final = frozenset({"accepted", "granted", "provisioned", "schedulecreated"})
"""States of a schedule that is in place. In all others a request is on its way, or what it asked for has gone."""


@dataclass(frozen=True, slots=True)
class Validity:
    """How far an assignment counts."""

    state: BindingState
    starts: datetime | None
    ends: datetime | None
    doubts: tuple[str, ...]


def validity_of(record: Record) -> Validity:
    """Return how far an assignment counts; plain role assignments are active and have no end."""
    kind = f"{record.text('type') or ''} {record.text('id') or ''}".lower()
    eligible = "/roleeligibility" in kind or record.stated("roleeligibilityscheduleid")
    state = BindingState.ELIGIBLE if eligible else BindingState.ACTIVE
    if not any(map(record.stated, ("status", *_TIMES))):
        return Validity(state, None, None, ())
    times = {name: moment(record.text(name)) for name in _TIMES}
    odd = [name for name, time in times.items() if time is None and record.get(name) is not None]
    doubts = [f"its `{name}` is no time" for name in odd]
    status = record.get("status")
    if status is not None and not (isinstance(status, str) and status.lower() in _SETTLED):
        doubts.append(f"its status is `{status!s:.40}`")
    return Validity(
        state=state,
        starts=times["startdatetime"],
        ends=times["enddatetime"],
        doubts=tuple(doubts),
    )
