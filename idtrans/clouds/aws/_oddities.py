"""Remarks on a request that change no answer: odd names, and statements that may not say what they seem to.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_resource.html
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from idtrans.algebra import arn_glob, boxes, glob
from idtrans.catalog import action_remark
from idtrans.clouds.aws._access import access
from idtrans.clouds.aws._compile import actions_language
from idtrans.clouds.aws._holders import holder_of
from idtrans.clouds.aws._index import CLOUD, index_of
from idtrans.clouds.aws._misfits import misfits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from idtrans.model.decisions import Request
    from idtrans.model.entities import PolicyStatement
    from idtrans.model.estate import Estate
    from idtrans.model.spans import Source

CROSSING: Final = "colon-crossing"
"""Code of the remark that a `*` in an early field of an ARN would match more, were the ARN compared as plain text."""
MISSING: Final = "no-identity"
"""Code of the remark that a principal does not exist."""
MISFIT: Final = "no-match"
"""Code of the remark that a condition never matches."""
_FIELDS: Final = 6


@dataclass(frozen=True, slots=True)
class _Odd:
    """What is odd about a statement, whatever is asked."""

    statement: PolicyStatement
    crossing: tuple[str, ...]
    """Resource patterns with a field before the last that ends in `*`."""
    misfits: tuple[str, ...]

    def is_about(self, action: str) -> bool:
        """Tell whether the statement is about an action."""
        if self.statement.not_actions is not None:
            return not actions_language(self.statement.not_actions).matches(action)
        return actions_language(self.statement.actions or ()).matches(action)

    def remarks(self, resource: str) -> Iterator[str]:
        """Yield what is to be said where the statement is about a resource."""
        for text in self.crossing:
            if glob(text).matches(resource) and not arn_glob(text).matches(resource):
                yield (
                    f"{CROSSING}: `{text}` is compared field by field and leaves `{resource}` out; "
                    "compared as plain text, it would match"
                )
        for text in self.misfits:
            yield f"{MISFIT}: {text}"


def oddities(request: Request, estate: Estate) -> tuple[str, ...]:
    """Return that the action is retired or misspelt, and what is odd about statements on it for the principal."""
    found = [remark for remark in (action_remark(request.action),) if remark is not None]
    index = index_of(estate)
    if request.principal not in index.principals:
        carrier = holder_of(request.principal, index).carrier
        if index.is_missing(carrier):
            found.append(f"{MISSING}: `{carrier}` is not among the identities that its account lists")
    said: dict[Source, tuple[str, ...]] = {}
    for odd in _odd_statements(estate):
        if odd.is_about(request.action) and (texts := tuple(odd.remarks(request.resource))):
            said[odd.statement.source] = texts
    if said:
        own = access(request.principal, estate)
        sources = [box.source for box in boxes(own) if box.source in said and box.principals.matches(request.principal)]
        found += [text for source in dict.fromkeys(sources) for text in said[source]]
    return tuple(dict.fromkeys(found))


def _odd_statements(estate: Estate) -> Iterable[_Odd]:
    """Return the statements of an estate about which anything is odd; few, and looked for once."""
    memo = cast("dict[str, list[_Odd]]", estate.memo.setdefault((CLOUD, "odd statements"), {}))
    if "" not in memo:
        policies = (policy for group in index_of(estate).layers.values() for policy in group)
        statements = (statement for policy in policies for statement in policy.statements if not statement.doubts)
        every = (_Odd(each, _crossing(each), misfits(each.conditions)) for each in statements)
        memo[""] = [odd for odd in every if odd.crossing or odd.misfits]
    return memo[""]


def _crossing(statement: PolicyStatement) -> tuple[str, ...]:
    listed = (*(statement.resources or ()), *(statement.not_resources or ()))
    return tuple(text for text in listed if "*" in text and text != "*" and _ends_early(text))


def _ends_early(text: str) -> bool:
    fields = text.split(":", _FIELDS - 1)
    return any(field.endswith("*") for field in fields[1:-1]) and "${" not in text
