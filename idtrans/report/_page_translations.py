"""Translations side by side: what is held in one cloud, and what says it in the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.model.artifacts import ArtifactFormat
from idtrans.model.values import UNKNOWN
from idtrans.report._artifacts import artifacts
from idtrans.report._page import Block, Bullets, Cell, Code, Facts, Heading, Name, Page, Table
from idtrans.report._table import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from idtrans.model.answers import TranslatedTrust, TranslationsAnswer
    from idtrans.model.artifacts import Emission, Loss
    from idtrans.model.translations import CapabilityVerdict, DenialVerdict, Extra, Searched, TargetGrant, Translation

_LANGUAGES = {ArtifactFormat.NATIVE: "json", ArtifactFormat.CLI: "sh", ArtifactFormat.TERRAFORM: "hcl"}
_NOTHING: tuple[Cell, ...] = ("-",)


def translations_page(answer: TranslationsAnswer) -> Page:
    """Return every translation with what stands for what, its verdict, what is lost, and what to apply."""
    blocks: list[Block] = [Heading(1, "Translation")]
    total = [counted(len(answer.translations), "principal"), counted(len(answer.trusts), "trust")]
    blocks.append(Facts((("Covers", (" and ".join(total),)),)))
    for entry in answer.translations:
        blocks += _translation(entry, answer.form)
    for trust in answer.trusts:
        blocks += _trust(trust, answer.form)
    if answer.unsupported:
        blocks.append(Heading(2, "Not understood"))
        blocks.append(Bullets(tuple((each.reason, Name(str(each.source))) for each in answer.unsupported)))
    return tuple(blocks)


def _translation(entry: Translation, form: ArtifactFormat) -> Iterator[Block]:
    source, target = entry.source.cloud, entry.target
    yield Heading(2, f"`{entry.principal}`: from {source} to {target}")
    holders = tuple(dict.fromkeys(grant.principal for grant in entry.grants))
    yield Facts(
        (
            ("Verdict", (entry.verdict.value,)),
            ("Read from", (Name(entry.source.path),)),
            ("Principal there", _names(holders)),
            ("Searched", (_searched(entry.searched),)),
        )
    )
    if entry.reasons:
        yield from (Heading(3, "What to know"), Bullets(tuple((reason,) for reason in entry.reasons)))
    if entry.capabilities:
        yield from (Heading(3, "Side by side"), _side_by_side(entry))
    if entry.denials:
        yield from (Heading(3, "Denied"), _denied(entry))
    if entry.residue:
        head = ("Service", f"Permissions of {source} that are not carried over")
        rows = tuple(((Name(each.service),), _names(each.permissions)) for each in entry.residue)
        yield from (Heading(3, "Not carried over"), Table(head, rows))
    yield from _losses(entry.losses)
    yield from _placeholders(entry.placeholders)
    yield from _artifacts((entry.emission,), form)


def _searched(entry: Searched) -> str:
    ended = "" if entry.complete else ", and more there were: others may give less beside"
    return f"{counted(entry.nodes, 'set')} of roles, of {entry.limit} that may be for one scope{ended}"


def _side_by_side(entry: Translation) -> Table:
    head = (f"Held in {entry.source.cloud}", f"Said in {entry.target}", "Verdict", "Missing", "Also given, by plane")
    return Table(head, tuple(_capability(each, entry.grants) for each in entry.capabilities))


def _capability(entry: CapabilityVerdict, grants: Sequence[TargetGrant]) -> tuple[tuple[Cell, ...], ...]:
    said = tuple(cell for grant in grants if entry.id in grant.capabilities for cell in _grant(grant))
    return (
        _place(entry.id, entry.resource, entry.condition),
        said or _NOTHING,
        (entry.verdict.value, *entry.reasons),
        _names(entry.missing),
        tuple(cell for extra in entry.extra for cell in _extra(extra)) or _NOTHING,
    )


def _grant(grant: TargetGrant) -> tuple[Cell, ...]:
    return _place(grant.role or "a role of its own, listed below", grant.resource, grant.condition)


def _extra(extra: Extra) -> tuple[Cell, ...]:
    plane = "unknown" if extra.plane is UNKNOWN else extra.plane.value
    return (Name(f"{extra.permission} ({plane})"),)


def _place(what: str, where: str, condition: str | None) -> tuple[Cell, ...]:
    when = () if condition is None else (f"when {condition}",)
    return (Name(what), Name(where), *when)


def _denied(entry: Translation) -> Table:
    head = (f"Denied in {entry.source.cloud}", f"Denied in {entry.target}", "Verdict")
    return Table(head, tuple(_denial(each) for each in entry.denials))


def _denial(entry: DenialVerdict) -> tuple[tuple[Cell, ...], ...]:
    there: tuple[Cell, ...] = ("not denied",)
    if entry.target is not None:
        when = () if entry.limit is None else (f"when {entry.limit}",)
        there = (*_names(entry.permissions), Name(entry.target), *when)
    return (_place(entry.id, entry.resource, entry.condition), there, (entry.verdict.value, *entry.reasons))


def _trust(entry: TranslatedTrust, form: ArtifactFormat) -> Iterator[Block]:
    yield Heading(2, f"Trust of `{entry.principal}`: from {entry.source.cloud} to {entry.target}")
    reach = "nobody: nothing is written" if entry.reach is None else entry.reach.value
    yield Facts(
        (
            ("Verdict", (entry.verdict.value,)),
            ("Read from", (Name(entry.source.path),)),
            ("Tokens of", (Name(entry.issuer) if entry.issuer else "an issuer that is not known",)),
            ("Reach of what is written", (reach,)),
        )
    )
    yield from _losses(entry.losses)
    yield from _placeholders(entry.placeholders)
    yield from _artifacts(entry.emissions, form)


def _losses(entries: Sequence[Loss]) -> Iterator[Block]:
    if entries:
        rows = tuple(((each.feature,), (each.effect.value,), (each.why,)) for each in entries)
        yield from (Heading(3, "Ledger of losses"), Table(("What", "Effect", "Why"), rows))


def _placeholders(entries: Sequence[str]) -> Iterator[Block]:
    if entries:
        yield Heading(3, "To be filled in before anything can be applied")
        yield Bullets(tuple((Name(each),) for each in entries))


def _artifacts(emissions: Iterable[Emission], form: ArtifactFormat) -> Iterator[Block]:
    written = [each for emission in emissions for each in artifacts(emission, form)]
    for each in written:
        yield from (Heading(3, f"`{each.name}`"), Code(_LANGUAGES[form], each.content))


def _names(texts: Sequence[str]) -> tuple[Cell, ...]:
    return tuple(map(Name, texts)) or _NOTHING
