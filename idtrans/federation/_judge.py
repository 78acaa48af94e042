"""Who on Earth can use a trust?"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from idtrans.catalog import Issuer, Tenancy, issuer_of
from idtrans.federation._admits import admits
from idtrans.federation._boxes import MOST_BOXES, Box, solve
from idtrans.federation._claims import ISSUER, SUBJECT, Alternative, Reading, alternatives_of
from idtrans.federation._customised import Seeking, customised_boxes
from idtrans.federation._nearest import nearest
from idtrans.federation._notes import Solution, audience_notes, notes_of, provider_note, sorted_notes, tests_subject
from idtrans.federation._reach import PinnedBy, Pinning, pinned_by, pinning, verdict, widest
from idtrans.federation._report import Nearest, TrustReport
from idtrans.federation._tokens import Claims, Who, example_of, outsiders_of
from idtrans.federation._walk import limited
from idtrans.model.answers import Admission
from idtrans.model.errors import BudgetExceededError, InternalError
from idtrans.model.values import UNKNOWN, Reach, Unknown, rank
from idtrans.ports import Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from idtrans.algebra import Condition
    from idtrans.ports import Trust

MOST_EXAMPLES: Final = 3
MOST_STEPS: Final = 400_000
"""Steps of walks after which a trust is too large to judge."""
_MOST_TRIED: Final = 50
"""Boxes that examples are taken from."""


def judge(trust: Trust, *, kind: str | None = None) -> TrustReport:
    """Return who can use a trust, with examples and remarks.

    With the kind of its issuer, a URL that is otherwise not known is taken for an instance of that kind.

    The reach is an upper bound: what was not understood is taken to hold, and where that decides between friends and
    strangers the reach is UNKNOWN. Raises `InternalError` when an example of a stranger's token fails to get in.
    """
    if trust.issuer is None:
        return _without_issuer(trust)
    try:
        with limited(MOST_STEPS):
            return _with_issuer(trust, kind)
    except BudgetExceededError as error:
        match = issuer_of(trust.issuer, kind)
        note = Note("TOO_LARGE", error.message)
        return _unknown(trust, match.issuer.kind, match.tenancy.value, (*trust.notes, note))


def _without_issuer(trust: Trust) -> TrustReport:
    reach = trust.reach or Reach.UNKNOWN
    open_ = rank(reach) >= rank(Reach.PLATFORM)
    return replace(
        _unknown(trust, "none", "none", trust.notes),
        reach=reach,
        pinning=Pinning.OPEN if open_ else Pinning.FIXED,
        tests_subject=UNKNOWN if reach is Reach.UNKNOWN else not open_,
    )


def _unknown(trust: Trust, kind: str, tenancy: str, notes: Iterable[Note]) -> TrustReport:
    provider_reach = Reach.UNKNOWN if trust.provider_admits is not None else None
    return TrustReport(
        kind, tenancy, Reach.UNKNOWN, provider_reach, PinnedBy.NONE, Pinning.OPEN, UNKNOWN, notes=sorted_notes(notes)
    )


def _with_issuer(trust: Trust, kind: str | None) -> TrustReport:
    found = _solve(trust, trust.admits, kind)
    provider_reach = _solve(trust, trust.provider_admits, kind).reach if trust.provider_admits is not None else None
    tenancy, boxes = found.tenancy, (*found.boxes, *found.strangers)
    own = (*notes_of(found), *provider_note(found.reach, provider_reach), *audience_notes(trust))
    said = {note.code for note in trust.notes}
    return TrustReport(
        issuer_kind=found.match.issuer.kind,
        tenancy=tenancy.value,
        reach=found.reach,
        provider_reach=provider_reach,
        pinned_by=pinned_by(boxes, tenancy),
        pinning=pinning(boxes, tenancy),
        tests_subject=_tests_subject(found),
        admits=_examples(boxes, tenancy),
        outsiders=_outsiders(trust, found),
        nearest=_nearest(trust, found) if found.reach is Reach.DEAD else None,
        notes=sorted_notes((*trust.notes, *(note for note in own if note.code not in said))),
    )


def _solve(trust: Trust, condition: Condition, kind: str | None) -> Solution:
    return _solution(condition, Reading(trust.issuer or "", trust.claims, trust.audiences), kind)


@lru_cache(maxsize=4096)
def _solution(condition: Condition, reading: Reading, kind: str | None) -> Solution:
    match = issuer_of(reading.issuer, kind)
    alternatives = alternatives_of(condition, reading)
    if match.spelled is not None:
        return Solution(match, alternatives, (), (), customised_only=False, reach=Reach.DEAD)
    boxes = _usual(alternatives, match.issuer)
    strangers: list[Box] = []
    only = False
    if match.tenancy is Tenancy.SHARED and rank(widest(boxes, match.tenancy)) < rank(Reach.PLATFORM):
        strangers = _customised(alternatives, match.issuer, Seeking.STRANGERS)
    if not boxes:
        only = True
        boxes = strangers or _customised(alternatives, match.issuer, Seeking.ALL)
    reach = widest([*boxes, *strangers], match.tenancy)
    return Solution(
        match, alternatives, tuple(boxes), tuple(strangers), customised_only=only and bool(boxes), reach=reach
    )


def _usual(alternatives: Sequence[Alternative], issuer: Issuer) -> list[Box]:
    boxes: list[Box] = []
    for one in alternatives:
        if len(boxes) > MOST_BOXES:
            return [*boxes, Box(issuer, issuer.shapes[0], capped=True)]
        boxes += (box for shape in issuer.shapes for box in solve(one, shape, issuer))
    return boxes


def _customised(alternatives: Sequence[Alternative], issuer: Issuer, seeking: Seeking) -> list[Box]:
    return [box for one in alternatives for box in customised_boxes(one, issuer, seeking)]


def _tests_subject(found: Solution) -> bool | Unknown:
    if not found.alternatives:
        return True
    issuer = found.match.issuer
    open_ = [one for one in found.alternatives if not tests_subject(one, issuer)]
    if not open_:
        return True
    return False if any(one.sure for one in open_) else UNKNOWN


def _widest_first(boxes: Sequence[Box], tenancy: Tenancy) -> list[Box]:
    return sorted(boxes, key=lambda box: (-rank(verdict(box, tenancy).reach), not box.sure))


def _examples(boxes: Sequence[Box], tenancy: Tenancy) -> tuple[str, ...]:
    subjects: dict[str, None] = {}
    for box in _widest_first(boxes, tenancy)[:_MOST_TRIED]:
        wide = rank(verdict(box, tenancy).reach) >= rank(Reach.PLATFORM)
        subject = example_of(box, Who.STRANGER if wide else Who.OWN)
        if subject is not None:
            subjects[subject] = None
        if len(subjects) == MOST_EXAMPLES:
            break
    return tuple(subjects)


def _outsiders(trust: Trust, found: Solution) -> tuple[Claims, ...]:
    """Return tokens of two strangers, each let in by the concrete reading too."""
    for box in _widest_first([*found.boxes, *found.strangers], found.tenancy)[:_MOST_TRIED]:
        if rank(verdict(box, found.tenancy).reach) < rank(Reach.PLATFORM):
            break
        tokens = outsiders_of(box, trust.issuer or "")
        answers = [admits(trust, token).admitted for token in tokens]
        if Admission.NO not in answers and tokens:
            return tokens
        if tokens and box.sure:
            raise InternalError(f"a stranger's token with the subject `{tokens[0][SUBJECT]}` does not replay")
    return ()


def _nearest(trust: Trust, found: Solution) -> Nearest | None:
    issuer = found.match.issuer
    if found.match.spelled is not None:
        return _repaired(found.alternatives, issuer, f"the issuer is spelled `{found.match.spelled}`")
    if found.alternatives or trust.claims is None:
        return nearest(found.alternatives, issuer)
    wider = alternatives_of(trust.admits, Reading(trust.issuer or "", None, trust.audiences))
    unseen = sorted({name for one in wider for name in one.claims} - trust.claims) or [ISSUER]
    return _repaired(wider, issuer, f"the cloud does not see the claim `{unseen[0]}` of this issuer")


def _repaired(alternatives: Sequence[Alternative], issuer: Issuer, why: str) -> Nearest | None:
    boxes = (box for one in alternatives for shape in issuer.shapes for box in solve(one, shape, issuer))
    subject = next(filter(None, map(example_of, boxes)), None)
    return Nearest(subject, why) if subject is not None else None
