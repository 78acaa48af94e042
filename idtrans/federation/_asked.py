"""Tokens asked for by name, for any issuer that a table describes, as an intent that admits no others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product
from typing import TYPE_CHECKING, Final

from idtrans.algebra import exact
from idtrans.catalog import Slot, issuer, issuer_of, issuers
from idtrans.federation._asked_reach import report_of
from idtrans.federation._github_names import base_name, read_name
from idtrans.federation._split import Parts, split
from idtrans.federation._walk import Values, sample
from idtrans.model.errors import UsageError
from idtrans.model.intents import ClaimPin, FederationIntent
from idtrans.model.values import Reach, rank

if TYPE_CHECKING:
    from idtrans.catalog import Issuer, Part, Shape, Template, Wanted

MOST_COMBINATIONS: Final = 100
"""Ways of choosing one value for each part after which asking is refused."""
_STAR: Final = "*"
_UNFIT: Final = re.compile(r"[\x00-\x1f\x7f*?\"'`\\$\u0085\u2028\u2029]")
"""What quotes, expands or matches in a shell, a policy or a pattern."""

Chosen = Mapping[str, str]
"""Components and their values."""


@dataclass(frozen=True, slots=True)
class AskedTokens:
    """Which tokens of one kind of issuer are to be let in, in the issuer's own words."""

    kind: str
    parts: Mapping[str, tuple[str, ...]]
    """Parts that are named, such as `project`, each with its alternatives."""
    any_part: frozenset[str] = frozenset()
    """Parts that may be anything, asked for on purpose."""
    issuer: str | None = None
    """URL, where the table does not know it."""
    audience: str | None = None
    name: str | None = None
    reach: Reach = Reach.WORKLOAD
    """The widest reach that is accepted; parts that may be anything widen it up to a tenant."""


def asked_intent(asked: AskedTokens) -> FederationIntent:
    """Return the intent to let in the tokens that are asked for, and no others.

    Raises:
        UsageError: the kind or a part is not known, a value cannot be meant, something is missing, or more would get
            in than was asked for.
    """
    table, wanted = _table(asked.kind)
    chosen = _combinations(asked, table, wanted)
    open_ = wanted.open | {slot for name in asked.any_part for slot in _slots(_part(name, wanted).value)}
    url = _url(asked, table, wanted, chosen)
    shapes = [_shapes(each, open_, table, wanted) for each in chosen]
    subjects = dict.fromkeys(
        _subject(shape, each) for each, found in zip(chosen, shapes, strict=True) for shape in found
    )
    pins = _pins(chosen, [shape for found in shapes for shape in found], wanted)
    words = [value for values in asked.parts.values() for value in values[:1]]
    intent = FederationIntent(
        issuer=url,
        issuer_kind=asked.kind,
        name=read_name(asked.name) if asked.name is not None else base_name(asked.kind, *words[-2:]),
        subjects=tuple(subjects),
        pins=pins,
        audience=asked.audience or _filled(wanted.audience, chosen),
    )
    return _within(intent, asked)


def _table(kind: str) -> tuple[Issuer, Wanted]:
    found = issuer(kind)
    if found is None or found.wanted is None:
        known = ", ".join(f"`{each.kind}`" for each in issuers() if each.wanted is not None)
        raise UsageError(f"`{kind}` is no issuer whose tokens can be asked for", advice=f"the issuers are {known}")
    return found, found.wanted


def _part(name: str, wanted: Wanted) -> Part:
    found = wanted.part(name)
    if found is None:
        known = "; ".join(f"`{part.name}`: {part.help}" for part in wanted.parts)
        raise UsageError(f"`{name}` is no part of these tokens", advice=f"the parts are {known}")
    return found


def _combinations(asked: AskedTokens, table: Issuer, wanted: Wanted) -> list[Chosen]:
    """Return every way of choosing one value for each part, as components, with the usual values of the others."""
    choices = []
    for name, texts in asked.parts.items():
        part = _part(name, wanted)
        choices.append([_read(text, part, table) for text in dict.fromkeys(texts)])
    total = 1
    for choice in choices:
        total *= len(choice)
    if total > MOST_COMBINATIONS:
        raise UsageError(f"the parts have {total} combinations", advice=f"{MOST_COMBINATIONS} is the most")
    usual = wanted.defaults.items()
    return [dict(chain(usual, *(each.items() for each in chosen))) for chosen in product(*choices)]


def _read(text: str, part: Part, table: Issuer) -> Chosen:
    """Return the components of a value. Raises `UsageError` for one that no token has."""
    products = split(exact(text), part.value, table).products if not _UNFIT.search(text) else ()
    words = [_words(parts, table) for parts in products]
    if len(words) != 1 or text != text.strip():
        shown = text if len(text) <= 80 else f"{text[:80]}..."  # noqa: PLR2004 - a line
        raise UsageError(f"`{shown}` is no `{part.name}` of {table.title}", advice=f"give the {part.help}")
    return words[0]


def _words(parts: Parts, table: Issuer) -> Chosen:
    values = {name: sample(Values(language, table.components[name].alphabet)) for name, language in parts.items()}
    return {name: text for name, text in values.items() if text is not None}


def _url(asked: AskedTokens, table: Issuer, wanted: Wanted, chosen: Sequence[Chosen]) -> str:
    url = asked.issuer or _filled(wanted.issuer, chosen)
    if url is None:
        raise UsageError(f"the issuer of {table.title} is not known", advice="give its URL with `--issuer`")
    match = issuer_of(url, table.kind)
    if match.spelled is not None:
        raise UsageError(f"no token says that its issuer is `{url}`", advice=f"write `{match.spelled}`")
    if match.issuer.kind != table.kind:
        advice = f"ask for `{match.issuer.kind}`, or give another URL"
        raise UsageError(f"`{url}` is an issuer of kind `{match.issuer.kind}`, not `{table.kind}`", advice=advice)
    return url


def _filled(template: Template | None, chosen: Sequence[Chosen]) -> str | None:
    """Return the one text that a template has in all combinations, `None` where a component is not named."""
    if template is None or any(slot not in values for slot in _slots(template) for values in chosen):
        return None
    texts = {_text(template, values) for values in chosen}
    if len(texts) > 1:
        shown = ", ".join(f"`{text}`" for text in sorted(texts))
        raise UsageError(f"one trust has one issuer and audience, these are {shown}", advice="ask for each by itself")
    return texts.pop()


def _shapes(values: Chosen, open_: Iterable[str], table: Issuer, wanted: Wanted) -> list[Shape]:
    """Return the shapes whose subjects say most of what is named. Raises `UsageError` when something is missing."""
    named = values.keys()
    candidates = [shape for shape in table.shapes if wanted.shape in {None, shape.name}]
    complete = [shape for shape in candidates if _slots(_sub(shape)) <= named | set(open_)]
    if not complete:
        lacking = min((sorted(_slots(_sub(shape)) - named - set(open_)) for shape in candidates), key=len)
        parts = [part.name for part in wanted.parts if _slots(part.value) & set(lacking)]
        advice = " or ".join(f"`--part {name}=...`" for name in parts) or "name another part"
        raise UsageError(f"the subject of {table.title} also says `{lacking[0]}`", advice=f"give {advice}")
    most = max(len(_slots(_sub(shape)) & named) for shape in complete)
    best = [shape for shape in complete if len(_slots(_sub(shape)) & named) == most]
    if not most:
        raise UsageError(f"nothing says which tokens of {table.title} are meant", advice="name a part with `--part`")
    return best


def _subject(shape: Shape, values: Chosen) -> str:
    return "".join(values.get(part.component, _STAR) if isinstance(part, Slot) else part for part in _sub(shape))


def _pins(chosen: Sequence[Chosen], shapes: Sequence[Shape], wanted: Wanted) -> tuple[ClaimPin, ...]:
    """Return the tests of claims that say what no subject says."""
    said = set.intersection(*(_slots(_sub(shape)) for shape in shapes))
    elsewhere = _slots(wanted.issuer or ()) | _slots(wanted.audience or ())
    found: dict[str, dict[str, None]] = {}
    for values in chosen:
        for name in [name for name in values if name not in said | elsewhere | wanted.defaults.keys()]:
            claim = _claim(name, shapes)
            if claim is not None:
                found.setdefault(claim, {})[_text(_one(claim, shapes), values)] = None
            else:
                raise UsageError(f"no claim of these tokens says `{name}`", advice="leave it out")
    return tuple(ClaimPin(claim, tuple(texts)) for claim, texts in found.items())


def _claim(component: str, shapes: Sequence[Shape]) -> str | None:
    """Return a claim of all shapes that consists of a component, with literals at most around it."""
    for name in shapes[0].claims:
        claims = [shape.claims[name] for shape in shapes if name in shape.claims]
        templates = [claim.templates[0] for claim in claims if len(claim.templates) == 1]
        alone = len(templates) == len(shapes) and all(_slots(template) == {component} for template in templates)
        if alone and name not in {"sub", "aud"}:
            return name
    return None


def _one(claim: str, shapes: Sequence[Shape]) -> Template:
    return shapes[0].claims[claim].templates[0]


def _within(intent: FederationIntent, asked: AskedTokens) -> FederationIntent:
    """Return the intent with its reach. Raises `UsageError` when that is wider than what is accepted."""
    accepted = max(asked.reach, Reach.TENANT if asked.any_part else asked.reach, key=rank)
    reach = report_of(intent).reach
    if rank(reach) <= rank(accepted):
        return replace(intent, reach=reach)
    if rank(reach) >= rank(Reach.PLATFORM):
        raise UsageError("strangers would get in", advice="name the part that says whose the tokens are")
    advice = f"name another part, or accept that with `--reach {reach.value}`"
    raise UsageError(f"a whole {reach.value} would get in, and a {accepted.value} was asked for", advice=advice)


def _sub(shape: Shape) -> Template:
    return shape.claims["sub"].templates[0]


def _slots(template: Template) -> set[str]:
    return {part.component for part in template if isinstance(part, Slot)}


def _text(template: Template, values: Chosen) -> str:
    return "".join(values[part.component] if isinstance(part, Slot) else part for part in template)
