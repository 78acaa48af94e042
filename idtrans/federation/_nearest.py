"""Dead trusts: what would have worked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from idtrans.algebra import Language, glob, one_of, union
from idtrans.federation._boxes import solve
from idtrans.federation._claims import SUBJECT, Alternative, Requirement
from idtrans.federation._report import Nearest
from idtrans.federation._tokens import example_of

if TYPE_CHECKING:
    from idtrans.catalog import Issuer

MOST_REPAIRS: Final = 200
"""Repairs that are tried for one trust."""


@dataclass(frozen=True, slots=True)
class _Repair:
    alternative: Alternative
    why: str


def nearest(alternatives: Iterable[Alternative], issuer: Issuer) -> Nearest | None:
    """Return a subject that a small repair would let in, `None` when no repair helps."""
    tried = 0
    for alternative in alternatives:
        for repair in _repairs(alternative, issuer):
            tried += 1
            if tried > MOST_REPAIRS:
                return None
            subject = _example(repair.alternative, issuer)
            if subject is not None:
                return Nearest(subject, repair.why)
    return None


def _repairs(alternative: Alternative, issuer: Issuer) -> Iterator[_Repair]:
    subject = alternative.claims.get(SUBJECT)
    words = subject.single.members() if subject is not None else None
    for language, why in _languages(sorted(words or ()), issuer):
        claims = {**alternative.claims, SUBJECT: Requirement(language)}
        yield _Repair(replace(alternative, claims=claims), why)
    for name in alternative.claims:
        kept = {other: required for other, required in alternative.claims.items() if other != name}
        yield _Repair(replace(alternative, claims=kept), f"no token of {issuer.title} meets the test of `{name}`")


def _languages(words: list[str], issuer: Issuer) -> Iterator[tuple[Language, str]]:
    if not words:
        return
    starred = [word for word in words if "*" in word or "?" in word]
    if starred:
        why = f"`*` and `?` stand for themselves in `{starred[0]}`; use an operator that reads patterns"
        yield union(map(glob, starred)), why
    for mistake in issuer.mistakes:
        mended = [word.replace(mistake.wrong, mistake.right) for word in words if mistake.wrong in word]
        if mended:
            yield one_of(mended), mistake.why
    yield one_of(words, fold=True), "upper and lower case are told apart"


def _example(alternative: Alternative, issuer: Issuer) -> str | None:
    for shape in issuer.shapes:
        for box in solve(alternative, shape, issuer):
            subject = example_of(box)
            if subject is not None:
                return subject
    return None
