"""Who on Earth can use the trusts of an estate, and what one token gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.api._clouds import cloud_named, cloud_of, clouds, trusters
from idtrans.api._names import GivenNames
from idtrans.model.answers import Admission, Remark, TokenAnswer, TrustAnswer, TrustsAnswer
from idtrans.model.errors import UsageError
from idtrans.model.values import rank
from idtrans.ports import TrustKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from idtrans.federation import TrustReport, TrustTranslation
    from idtrans.model.documents import Json
    from idtrans.model.estate import Estate
    from idtrans.ports import Trust

NEAREST = "NEAREST_SUBJECT"
"""Code of the remark that says what a dead trust was probably meant to let in."""


def trust(estate: Estate, *, claims: Mapping[str, Json] | None = None) -> TrustsAnswer:
    """Return who can use each trust of an estate, the widest reach first.

    With the claims of a token, also whether any trust lets it in, and why or why not.
    """
    from idtrans.federation import judge

    found = list(_trusts(estate))
    answers = [_answer(each, judge(each)) for each in found]
    answers.sort(key=lambda answer: (-rank(answer.reach), answer.cloud, answer.target, answer.issuer))
    return TrustsAnswer(
        trusts=tuple(answers),
        token=None if claims is None else _token(found, claims),
        unsupported=estate.unsupported,
    )


def translate_trusts(
    estate: Estate, target: str, *, names: Mapping[str, str] | None = None, allow_broader: bool = False
) -> tuple[TrustTranslation, ...]:
    """Return each trust of the other clouds in the words of one, with a verdict and what is lost.

    A translation that would let in more is refused unless `allow_broader`. What `names` do not name becomes a
    placeholder.

    Raises:
        UsageError: there is no such cloud, or a name fits nothing.
    """
    from idtrans.federation import Broader
    from idtrans.federation import translate_trusts as say

    given = GivenNames(names)
    broader = Broader.ALLOW if allow_broader else Broader.REFUSE
    of_clouds = [each for each in _trusts(estate) if each.cloud in clouds()]
    found = say(of_clouds, clouds(), cloud_named(target).name, given.names(), broader=broader)
    if any(each.emissions for each in found):
        given.check()
    return found


def token_at(estate: Estate, target: str, claims: Mapping[str, Json]) -> TokenAnswer:
    """Return whether the trusts of one target let a token in, and why or why not.

    Raises:
        UsageError: no document says whom the target trusts.
    """
    found = [each for each in _trusts(estate) if each.target == target] or _called(estate, target)
    if not found:
        raise UsageError(f"no document says whom `{target}` trusts", advice="give its trust, or the id it has there")
    return _token(found, claims)


def _called(estate: Estate, target: str) -> list[Trust]:
    """Return the trusts of a target that is called by another of its names."""
    cloud = cloud_of(target, estate)
    canonical = cloud.principal(target, estate)
    return [each for each in cloud.trusts(estate) if each.target == canonical]


def _trusts(estate: Estate) -> Iterator[Trust]:
    for source in trusters().values():
        yield from source.trusts(estate)


def _answer(each: Trust, report: TrustReport) -> TrustAnswer:
    remarks = [Remark(note.code, note.message) for note in report.notes]
    if report.nearest is not None:
        remarks.append(Remark(NEAREST, f"`{report.nearest.subject}` would get in: {report.nearest.why}"))
    return TrustAnswer(
        cloud=each.cloud,
        kind=each.kind.value,
        target=each.target,
        source=each.source,
        reach=report.reach,
        issuer_kind=report.issuer_kind,
        issuer=each.issuer or ", ".join(each.parties),
        tenancy=report.tenancy,
        provider_reach=report.provider_reach,
        pinned_by=report.pinned_by.value,
        admits=report.admits,
        outsiders=tuple(report.outsiders),
        remarks=tuple(remarks),
        further_sources=each.further_sources,
    )


def _token(found: list[Trust], claims: Mapping[str, Json]) -> TokenAnswer:
    """Return the best that any trust gives a token, with the reasons of the trusts that give it just that."""
    from idtrans.federation import admits

    takes = [each for each in found if each.issuer is not None or each.kind is TrustKind.WEB_IDENTITY]
    answers = [(each, admits(each, claims)) for each in takes]
    for admission in (Admission.YES, Admission.UNKNOWN, Admission.NO):
        reasons = [
            f"{each.target}: {reason}"
            for each, answer in answers
            if answer.admitted.value == admission.value
            for reason in answer.reasons
        ]
        if reasons:
            return TokenAnswer(admission, tuple(reasons))
    return TokenAnswer(Admission.NO, ("no trust of the input takes tokens",))
