"""Remarks on a trust that its reach alone does not say. Their codes are stable."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from idtrans.algebra import Test, leaves
from idtrans.catalog import AudienceFrom, Basis, Level, Presence, Tenancy
from idtrans.federation._claims import AUDIENCE, SUBJECT
from idtrans.federation._reach import PinnedBy, basis, pinned_by
from idtrans.model.values import Reach, rank
from idtrans.ports import Note

if TYPE_CHECKING:
    from idtrans.catalog import Issuer, IssuerMatch, ValueRemark
    from idtrans.federation._boxes import Box
    from idtrans.federation._claims import Alternative, Requirement
    from idtrans.ports import Trust

_NO_SUBJECT: Final = "an alternative restricts neither the subject nor a claim that says as much"
_AUDIENCES: Final = frozenset({"sts.amazonaws.com", "sts.amazonaws.com.cn", "api://AzureADTokenExchange"})
"""Audiences that clouds ask for, whoever issues the token."""
_GITHUB: Final = "github"
_WORKFLOW: Final = "job_workflow_ref"
_NAMED: Final = ("owner", "repo")
_DASHED: Final = re.compile(r"[^@]*-[0-9]{5,}")
"""A name with an id after a dash, as the subjects with ids were first announced."""


@dataclass(frozen=True, slots=True)
class Solution:
    """Everything worked out about one condition of a trust."""

    match: IssuerMatch
    alternatives: tuple[Alternative, ...]
    boxes: tuple[Box, ...]
    """What tokens of the usual shapes get in, or customised ones when nothing else does."""
    strangers: tuple[Box, ...]
    """Customised subjects of strangers that get in."""
    customised_only: bool
    reach: Reach

    @property
    def tenancy(self) -> Tenancy:
        """Who gets tokens of the issuer."""
        return self.match.tenancy


def notes_of(found: Solution) -> Iterator[Note]:
    """Yield the remarks on a solution."""
    yield from _on_doubts(found)
    yield from _on_strangers(found)
    yield from _on_claims(found.alternatives, found.match.issuer)
    yield from _on_format(found)
    if found.match.issuer.kind == _GITHUB:
        yield from _on_workflow(found.alternatives)
        yield from _on_ids(found)
    if rank(found.reach) < rank(Reach.TENANT):
        yield from _on_values(found)
    if found.match.spelled is not None:
        yield Note("ISSUER_MISMATCH", f"tokens say `{found.match.spelled}`, and issuers are compared to the letter")


def sorted_notes(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Return notes by code; of equal codes the first given stays, unless the messages differ."""
    return tuple(sorted(dict.fromkeys(notes), key=lambda note: (note.code, note.message)))


def provider_note(reach: Reach, provider_reach: Reach | None) -> Iterator[Note]:
    """Yield the remark on a provider that lets strangers in where only the binding keeps them out."""
    if provider_reach is None or rank(reach) >= rank(Reach.PLATFORM) or rank(provider_reach) < rank(Reach.PLATFORM):
        return
    yield Note("PROVIDER_OPEN", "the provider takes tokens of strangers; only the binding keeps them out")


def _on_doubts(found: Solution) -> Iterator[Note]:
    doubtful: list[Alternative | Box] = [*found.alternatives, *found.boxes, *found.strangers]
    unread = sorted({text for one in doubtful for text in one.unread})
    for text in unread:
        yield Note("UNREAD_CONDITION", f"{text} was not understood and is taken to hold")
    if any(one.capped for one in doubtful):
        yield Note("TOO_LARGE", "the condition has too many cases; the reach may be less than reported")


def _on_strangers(found: Solution) -> Iterator[Note]:
    if found.strangers:
        yield Note("STRANGER_CUSTOM_SUBJECT", "strangers can give their subjects a form that gets in")
    if found.customised_only:
        yield Note("CUSTOM_SUBJECT_ONLY", "only tokens with a customised subject get in")
    if any(box.shape.guest for box in found.boxes):
        yield Note("GUEST_ACCESS", "guests get in without logging in")
    if any(box.shape.unreviewed for box in found.boxes) and found.reach is Reach.WORKLOAD:
        yield Note("PULL_REQUEST", "every pull request from a branch of the repository gets in, before any review")
    if rank(found.reach) < rank(Reach.TENANT) or not found.boxes or found.tenancy is not Tenancy.SHARED:
        return
    if all(_WORKFLOW in box.tested and SUBJECT not in box.tested for box in found.boxes):
        yield Note("WORKFLOW_ONLY", "whoever may call the reusable workflow gets in")


def _on_workflow(alternatives: Iterable[Alternative]) -> Iterator[Note]:
    """Yield the remark on a test that takes a reusable workflow from whatever ref of its repository."""
    for alternative in alternatives:
        required = alternative.claims.get(_WORKFLOW)
        if required is not None and required.restricts and required.single.members() is None:
            yield Note("WORKFLOW_REF_OPEN", "the reusable workflow may come from any branch that matches")


def _on_ids(found: Solution) -> Iterator[Note]:
    """Yield remarks on ids that stand in the subject and decide nothing, and on ids in a form that was never used."""
    if not any(SUBJECT in one.claims and one.claims[SUBJECT].restricts for one in found.alternatives):
        return
    tested = [box for box in found.boxes if SUBJECT in box.tested]
    if any(box.shape.format == "immutable" and _basis(box, found) is Basis.NAMES for box in tested):
        yield Note("OPEN_IDS", "ids are asked for in the subject, but any id gets in")
    if any(all(map(box.fixed, _NAMED)) and _dashed(box) for box in tested):
        yield Note("DASHED_IDS", "ids follow a name after `@`; after `-` they are a part of the name")


def _basis(box: Box, found: Solution) -> Basis | None:
    return basis(box, Level.TENANT if found.tenancy is Tenancy.SHARED else Level.PROJECT)


def _dashed(box: Box) -> bool:
    values = (box.values(name).language.members() or frozenset() for name in _NAMED)
    return all(any(_DASHED.fullmatch(value) for value in each) for each in values)


def _on_claims(alternatives: Sequence[Alternative], issuer: Issuer) -> Iterator[Note]:
    for alternative in alternatives:
        if alternative.sure and not tests_subject(alternative, issuer):
            yield Note("NO_SUBJECT", f"{_NO_SUBJECT}{_audience_says(alternative, issuer)}")
        for name, required in sorted(alternative.claims.items()):
            if required.absent and _can_lack(name, issuer):
                yield Note("ABSENT_CLAIM", f"a token without the claim `{name}` passes its test")
        audience = alternative.claims.get(AUDIENCE)
        if audience is not None and _like_subject(audience, issuer):
            yield Note("SUBJECT_UNDER_AUD", "the audience is tested against what looks like a subject")
        subject = alternative.claims.get(SUBJECT)
        if subject is not None and _like_audience(subject, issuer):
            yield Note("AUDIENCE_UNDER_SUB", "the subject is tested against what looks like an audience")


def _audience_says(alternative: Alternative, issuer: Issuer) -> str:
    chosen = AUDIENCE in alternative.claims and issuer.audience_from is AudienceFrom.CALLER
    return ", and whoever asks for a token chooses its audience" if chosen else ""


def tests_subject(alternative: Alternative, issuer: Issuer) -> bool:
    """Tell whether an alternative restricts the subject or a claim that is made of what says whose a token is."""
    pins = {name for pin in issuer.pins if pin.level is not Level.WORKLOAD for name in pin.components}
    for name, required in alternative.claims.items():
        if not required.restricts:
            continue
        claims = [claim for shape in issuer.shapes if (claim := shape.claim(name)) is not None]
        slots = {part.component for c in claims for t in c.templates for part in t if not isinstance(part, str)}
        if name == SUBJECT or slots & pins:
            return True
    return False


def _can_lack(name: str, issuer: Issuer) -> bool:
    claims = [shape.claim(name) for shape in issuer.shapes]
    return any(claim is None or claim.presence is not Presence.ALWAYS for claim in claims)


def _like_subject(audience: Requirement, issuer: Issuer) -> bool:
    texts = audience.single.members() or ()
    heads = {t[0] for shape in issuer.shapes for t in shape.claims[SUBJECT].templates if isinstance(t[0], str)}
    return any(text.startswith(head) for text in texts for head in heads)


def _like_audience(subject: Requirement, issuer: Issuer) -> bool:
    texts = subject.single.members() or ()
    return any(text in _AUDIENCES or text in issuer.audiences.values() for text in texts)


def audience_notes(trust: Trust) -> Iterator[Note]:
    """Yield the remark on a provider that takes tokens for several audiences where the trust does not choose one."""
    audiences = {audience.removeprefix("https:") for audience in trust.audiences}
    tested = any(isinstance(leaf, Test) and leaf.key == AUDIENCE for leaf in leaves(trust.admits))
    if len(audiences) > 1 and not tested:
        shown = ", ".join(f"`{audience}`" for audience in sorted(audiences))
        yield Note("SEVERAL_AUDIENCES", f"tokens meant for any of {shown} get in")


def _on_values(found: Solution) -> Iterator[Note]:
    for remark in found.match.issuer.remarks:
        if any(_admits_value(box, remark) for box in found.boxes):
            yield Note(remark.code, remark.message)


def _admits_value(box: Box, remark: ValueRemark) -> bool:
    return box.values(remark.component).language.matches(remark.value)


def _on_format(found: Solution) -> Iterator[Note]:
    if (
        pinned_by((*found.boxes, *found.strangers), found.tenancy) in {PinnedBy.NAMES, PinnedBy.MIXED}
        and found.tenancy is Tenancy.SHARED
    ):
        yield Note("MUTABLE_NAME", "names can be given up and taken by somebody else; ids cannot")
    tested = [box for box in found.boxes if SUBJECT in box.tested and box.subject is None]
    if rank(found.reach) >= rank(Reach.PLATFORM):
        return
    if tested and {box.shape.format for box in tested} == {"names"}:
        yield Note(
            "LEGACY_SUBJECT_ONLY",
            "tokens of repositories created, renamed or transferred since 2026-07-15 carry ids in their subject and "
            "do not get in",
        )
