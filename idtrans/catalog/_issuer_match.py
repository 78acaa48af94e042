"""Whose tokens a URL stands for, also when it is spelled as no token spells it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache

from idtrans.algebra import exact
from idtrans.catalog._issuers import Deployment, Issuer, IssuerMatch, Tenancy, issuer, issuers


@lru_cache(maxsize=16_384)
def issuer_of(url: str, kind: str | None = None) -> IssuerMatch:
    """Return the issuer behind a URL, compared verbatim; the generic issuer when no file describes it.

    With a kind, a URL that is otherwise not known is taken for an instance of that kind, where kinds have instances.
    """
    found = _known(url)
    if found is not None:
        return found
    for meant in _spellings(url):
        nearest = _known(meant)
        if nearest is not None:
            return IssuerMatch(nearest.issuer, nearest.tenancy, meant)
    named = issuer(kind) if kind is not None else None
    if named is not None and named.instances:
        return IssuerMatch(named, Tenancy.PRIVATE)
    # No token's issuer has blanks around it, whoever that is.
    spelled = url.strip() if url != url.strip() else None
    return next(
        IssuerMatch(each, form.tenancy, spelled) for each in issuers() for form in each.deployments if form.url == "*"
    )


def _known(url: str) -> IssuerMatch | None:
    literal = _literals().get(url)
    if literal is not None:
        return literal
    for each, form in _forms():
        named = form.named(url)
        if named is not None:
            return IssuerMatch(_limited(each, tuple(named.items())), form.tenancy)
    return None


@lru_cache(maxsize=4096)
def _limited(each: Issuer, named: tuple[tuple[str, str], ...]) -> Issuer:
    """Return an issuer whose tokens say what its URL says, such as the organization that it is the issuer of."""
    limits = {name: exact(value, fold=True) for name, value in named if name in each.components}
    if not limits:
        return each
    shapes = tuple(replace(shape, limits={**limits, **shape.limits}) for shape in each.shapes)
    own = each.customised
    if own is not None:
        own = replace(own, shape=replace(own.shape, limits={**limits, **own.shape.limits}))
    return replace(each, shapes=shapes, customised=own)


@cache
def _literals() -> Mapping[str, IssuerMatch]:
    """Return the issuers of literal URLs. One is nearer than a form that happens to cover it."""
    return {
        form.url: IssuerMatch(each, form.tenancy) for each in issuers() for form in each.deployments if form.literal
    }


@cache
def _forms() -> tuple[tuple[Issuer, Deployment], ...]:
    found = [(each, form) for each in issuers() for form in each.deployments if not form.literal and form.url != "*"]
    # The more of a form is written out, the less it covers.
    return tuple(sorted(found, key=lambda one: -len(re.sub(r"\{\w+\}", "", one[1].url))))


def _spellings(url: str) -> Iterator[str]:
    """Yield what a URL was probably meant to be: without blanks, in small letters, with or without a slash, secure."""
    trimmed = url.strip().rstrip("/")
    scheme, mark, rest = trimmed.partition("://")
    if not mark or scheme.lower() not in {"http", "https"}:
        return
    host, slash, path = rest.partition("/")
    for name in dict.fromkeys((host, host.lower())):
        for each in dict.fromkeys((path, path.lower())):
            meant = f"https://{name}{slash}{each}"
            yield from (text for text in (meant, f"{meant}/") if text != url)
