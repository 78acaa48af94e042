"""What a principal is denied, statement by statement and scope by scope, for translation.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic_AccessPolicyLanguage_Interplay.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.algebra import ALWAYS, NO_TEXT, Language, all_of, describe
from idtrans.clouds.aws import _guardrails
from idtrans.clouds.aws._actions import unlisted
from idtrans.clouds.aws._conditions import words
from idtrans.clouds.aws._holders import holder_of, pseudo_policy
from idtrans.clouds.aws._holdings import everywhere, rules_of, scopes_of, unclear
from idtrans.clouds.aws._index import index_of
from idtrans.clouds.aws._patterns import VARIABLES_VERSION, resource_pattern
from idtrans.clouds.aws._resource_types import useless_on
from idtrans.ports import Denial, Holding, Overlap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.algebra import Box
    from idtrans.clouds.aws._compile import Rule
    from idtrans.model.estate import Estate


def denials(principal: str, estate: Estate) -> tuple[Denial, ...]:
    """Return the denies of the policies of a principal, and those of its organisation that name every resource."""
    index = index_of(estate)
    _, denies = rules_of(principal, index)
    clear = (rule for rule in denies if not unclear(rule) and not _only_clear_text(rule))
    found = [each for rule in clear for each in _of(principal, rule)]
    if pseudo_policy(principal, index) is None:
        rails = _guardrails.guardrails(holder_of(principal, index), index, estate)
        found += [_of_box(principal, box) for box in rails.denies if everywhere(box)]
    return tuple(found)


def _of(principal: str, rule: Rule) -> Iterator[Denial]:
    text = words(rule.statement.conditions)
    unknown = unlisted(rule.statement.actions or ())
    for scope, condition, shown in scopes_of(rule):
        permissions = rule.actions - useless_on(scope, rule.actions)
        if permissions.members() == frozenset() or permissions == NO_TEXT:
            continue
        written = " and ".join(part for part in (text, shown) if part) or None
        limit = all_of(rule.condition, condition)
        holding = Holding(principal, permissions, scope, limit, rule.source, condition_text=written, unlisted=unknown)
        yield Denial(rule.name, holding)


def _of_box(principal: str, box: Box) -> Denial:
    text = None if box.condition == ALWAYS else describe(box.condition)
    return Denial(box.name, Holding(principal, box.actions, "*", box.condition, box.source, condition_text=text))


def overlap(denied: str, held: str) -> Overlap:
    """Return what two patterns of resources have in common."""
    outer, inner = resource_pattern(denied, VARIABLES_VERSION), resource_pattern(held, VARIABLES_VERSION)
    if not isinstance(outer, Language) or not isinstance(inner, Language):
        return Overlap.UNKNOWN
    if inner.issubset(outer):
        return Overlap.WHOLE
    return Overlap.PART if inner.overlaps(outer) else Overlap.NOTHING


def _only_clear_text(deny: Rule) -> bool:
    """Tell whether a deny is about requests without TLS alone, which no other cloud accepts at all."""
    tests = deny.statement.conditions
    return len(tests) == 1 and tests[0].key.lower() == "aws:securetransport" and tests[0].values == ("false",)
