"""When an assignment is in force: eligible ones once activated, those of limited time within it.

https://learn.microsoft.com/entra/id-governance/privileged-identity-management/pim-how-to-activate-role
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.algebra import Condition, Quantifier, Test, TimeSet, all_of, exact
from idtrans.model.entities import BindingState

if TYPE_CHECKING:
    from datetime import datetime

    from idtrans.model.entities import RoleBinding

ACTIVATED: Final = "@pim[activated]"
"""Key that is `true` for a request made after the holder activated its eligible assignments. Absent unless given."""
NOW: Final = "@environment[utcnow]"
"""Key of the time of a request."""

_ACTIVATION: Final = Test(ACTIVATED, Quantifier.ONE, exact("true"), label="@PIM[activated]")


def in_force(binding: RoleBinding) -> Condition:
    """Return on what it depends that an assignment counts."""
    parts: list[Condition] = []
    if binding.state is BindingState.ELIGIBLE:
        parts.append(_ACTIVATION)
    if binding.starts is not None:
        parts.append(_time(TimeSet.at_least(instant(binding.starts))))
    if binding.ends is not None:
        parts.append(_time(TimeSet.below(instant(binding.ends))))
    return all_of(*parts)


def instant(moment: datetime) -> str:
    """Return a time as requests spell it."""
    return moment.isoformat().replace("+00:00", "Z")


def _time(times: TimeSet) -> Test:
    return Test(NOW, Quantifier.ONE, times, label="@Environment[UtcNow]")
