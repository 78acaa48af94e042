"""Does NEW grant anything that OLD does not? Asked for every principal of either side, in both directions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from idtrans.algebra import Contents, Status, differences
from idtrans.diff._unheld import unheld
from idtrans.model.diffs import Change, DiffReport, DiffVerdict
from idtrans.model.documents import Bearing
from idtrans.model.findings import NotEvaluated

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from idtrans.algebra import Difference
    from idtrans.model.documents import Unsupported
    from idtrans.model.estate import Estate
    from idtrans.model.spans import Source
    from idtrans.ports import Cloud


def diff(old: Estate, new: Estate, clouds: Mapping[str, Cloud]) -> DiffReport:
    """Return what NEW grants beyond OLD and what it no longer grants, each with a request that shows it.

    Equal access in another order, other wording or other documents is no difference. A statement that could not be
    compared, and a document of NEW that was not understood, stand in `not_evaluated` and forbid "no new access".
    """
    gained, lost = _Side(), _Side()
    for _, cloud in sorted(clouds.items()):
        contents = Contents()
        changed = [
            principal
            for principal in sorted({*cloud.principals(old), *cloud.principals(new)})
            if contents.number(cloud.access(principal, old)) != contents.number(cloud.access(principal, new))
        ]
        for pair, side in (((old, new), gained), ((new, old), lost)) if changed else ():
            domain = cloud.domain(pair[1])
            for principal in changed:
                before, after = (cloud.access(principal, estate) for estate in pair)
                for difference in differences(after, before, domain=domain, contents=contents):
                    _note(difference, side, cloud, principal, pair[1])
        gained.unsure.extend(unheld(old, new, cloud.name))
    not_evaluated = tuple({*gained.unsure, *_misread(old, new)})
    if gained.changes:
        verdict = DiffVerdict.NEW_ACCESS
    else:
        verdict = DiffVerdict.UNKNOWN if not_evaluated else DiffVerdict.NO_NEW_ACCESS
    ordered = tuple(sorted(not_evaluated, key=lambda entry: (str(entry.source), entry.reason)))
    return DiffReport(verdict, tuple(gained.changes.values()), tuple(lost.changes.values()), ordered)


@dataclass(slots=True)
class _Side:
    """What was found in one direction."""

    changes: dict[tuple[str, str, Source], Change] = field(default_factory=dict)
    unsure: list[NotEvaluated] = field(default_factory=list)


def _note(difference: Difference, side: _Side, cloud: Cloud, principal: str, new: Estate) -> None:
    if difference.status is Status.WITNESS:
        _add(side, _change(cloud, difference), principal)
    side.unsure.extend(
        NotEvaluated(unsure.box.source if unsure.box is not None else _nowhere(new), unsure.reason)
        for unsure in difference.unsure
    )


def _nowhere(estate: Estate) -> Source:
    return estate.entities[0].source


def _change(cloud: Cloud, difference: Difference) -> Change:
    witness, box = difference.witness, difference.box
    if witness is None or box is None:
        message = "a difference with a witness names its statement"
        raise AssertionError(message)
    return Change(cloud.name, cloud.shown(witness), box.name, box.source)


def _add(side: _Side, change: Change, principal: str) -> None:
    """Report one statement once, however many principals it reaches."""
    key = (change.cloud, change.statement, change.source)
    first = side.changes.setdefault(key, change)
    if first is not change and principal != first.witness.principal:
        side.changes[key] = replace(first, also=(*first.also, principal))


def _misread(old: Estate, new: Estate) -> Iterable[NotEvaluated]:
    """What NEW states that was not understood, unless OLD states the same."""
    known = {_essence(entry) for entry in old.unsupported}
    open_ = (entry for entry in new.unsupported if entry.bearing is Bearing.ACCESS)
    return (NotEvaluated(entry.source, entry.reason) for entry in open_ if _essence(entry) not in known)


def _essence(entry: Unsupported) -> tuple[str, str]:
    return (entry.reason, entry.source.pointer)
