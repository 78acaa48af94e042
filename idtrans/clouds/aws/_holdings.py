"""What a principal holds, statement by statement and scope by scope, for translation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from idtrans.algebra import (
    ALWAYS,
    ANY_TEXT,
    RESOURCE,
    Box,
    Condition,
    Language,
    Quantifier,
    Template,
    Test,
    all_of,
    boxes,
    negate,
    opaques,
    union,
)
from idtrans.clouds.aws import _guardrails
from idtrans.clouds.aws._actions import unlisted
from idtrans.clouds.aws._compile import Rule
from idtrans.clouds.aws._conditions import words
from idtrans.clouds.aws._holders import BOUNDARY, Holder, carried, documents, holder_of, missing, pseudo_policy
from idtrans.clouds.aws._index import CLOUD, Index, index_of
from idtrans.clouds.aws._patterns import resource_pattern
from idtrans.clouds.aws._principals import ANONYMOUS
from idtrans.clouds.aws._resource_types import useless_on
from idtrans.model.documents import Unsupported
from idtrans.model.values import Effect, Layer
from idtrans.ports import Holding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.model.estate import Estate

_CARRIED = (Layer.IDENTITY, Layer.BOUNDARY, Layer.SESSION)


def holdings(principal: str, estate: Estate) -> tuple[Holding, ...]:
    """Return the permissions of a principal by scope, minus what boundaries and unconditional denies surely take."""
    index = index_of(estate)
    allows, denies = rules_of(principal, index)
    bounds = _bounds(principal, index)
    found = [holding for rule in allows for holding in _of_rule(principal, rule, denies, bounds)]
    held = [holding for holding in found if holding.permissions.members() != frozenset()]
    unsure = [f"{rule.name} denies part of what is held" for rule in denies if unclear(rule)]
    if pseudo_policy(principal, index) is None:
        holder = holder_of(principal, index)
        unsure += [entry.reason for entry in _guardrails.doubts(holder, index, estate)]
        rails = _guardrails.guardrails(holder, index, estate)
        return tuple(replace(each, unsure=(*unsure, *_limits(each.permissions, rails))) for each in held)
    return tuple(replace(each, unsure=tuple(unsure)) for each in held)


def _limits(permissions: Language, rails: _guardrails.Rails) -> Iterable[str]:
    """Yield the gates and denies of the organisation that may stop some of a set of permissions."""
    for gate in rails.gates:
        free = [box for box in boxes(gate.part) if box.condition == ALWAYS and box.resources in (ANY_TEXT, (ANY_TEXT,))]
        if not permissions.issubset(union(box.actions for box in free)):
            yield f"{gate.name} may limit what is held"
    for box in rails.denies:
        if not everywhere(box) and box.actions.overlaps(permissions):
            yield f"{box.name} may deny part of what is held"


def unclear(deny: Rule) -> bool:
    """Tell whether it is not understood what a deny takes away, or when."""
    return bool(deny.doubts) or bool(opaques(deny.condition))


def everywhere(box: Box) -> bool:
    """Tell whether a deny of an organisation is understood and about every resource."""
    return box.resources in (ANY_TEXT, (ANY_TEXT,)) and not opaques(box.condition)


def rules_of(principal: str, index: Index) -> tuple[list[Rule], list[Rule]]:
    """Return what allows a principal something, and what denies it something."""
    policy = pseudo_policy(principal, index)
    if policy is not None:
        # What names its principals is held by those.
        rules = [rule for rule in index.compiled(policy) if _is_unowned(rule)]
    else:
        holder = holder_of(principal, index)
        rules = list(carried(holder, index, Layer.IDENTITY))
        rules += [named.rule for named in holder.named(index) if _names(holder, named.party.id, named.rule)]
        rules += [
            rule for layer in _CARRIED[1:] for rule in carried(holder, index, layer) if rule.effect is Effect.DENY
        ]
    allows = [rule for rule in rules if rule.effect is Effect.ALLOW]
    return allows, [rule for rule in rules if rule.effect is Effect.DENY]


def _is_unowned(rule: Rule) -> bool:
    return rule.statement.principals is None and rule.statement.not_principals is None


def _names(holder: Holder, party: str, rule: Rule) -> bool:
    """Tell whether a resource policy grants to the principal itself, or denies it."""
    everyone = party == "*" and holder.id == ANONYMOUS
    return everyone or rule.effect is Effect.DENY or party in {holder.id, holder.carrier}


def _bounds(principal: str, index: Index) -> list[list[Rule]]:
    if pseudo_policy(principal, index) is not None:
        return []
    holder = holder_of(principal, index)
    layers = [layer for layer in (BOUNDARY, Layer.SESSION) if holder.has(layer, index)]
    return [list(carried(holder, index, layer)) for layer in layers]


def _of_rule(principal: str, rule: Rule, denies: list[Rule], bounds: list[list[Rule]]) -> Iterable[Holding]:
    text = "; ".join(rule.doubts) or words(rule.statement.conditions)
    unknown = unlisted(rule.statement.actions or ())
    for scope, condition, shown in scopes_of(rule):
        permissions = rule.actions - useless_on(scope, rule.actions)
        for deny in denies:
            if deny.condition == ALWAYS and _covers(deny, scope):
                permissions -= deny.actions
        for bound in bounds:
            allowed = (each for each in bound if each.effect is Effect.ALLOW and each.condition == ALWAYS)
            permissions &= union(each.actions for each in allowed if _covers(each, scope))
        written = " and ".join(part for part in (text, shown) if part) or None
        yield Holding(
            principal,
            permissions,
            scope,
            all_of(rule.condition, condition),
            rule.source,
            condition_text=written,
            unlisted=unknown,
        )


def scopes_of(rule: Rule) -> list[tuple[str, Condition, str | None]]:
    """Return each scope of a rule with what NotResource leaves out of it, as condition and in words."""
    statement = rule.statement
    if statement.not_resources is None:
        return [(text, ALWAYS, None) for text in statement.resources or ("*",)]
    left_out = f"resource is not {' | '.join(statement.not_resources)}"
    sets = rule.resources if isinstance(rule.resources, tuple) else (rule.resources,)
    tests = [Test(RESOURCE, Quantifier.ONE, values) for values in sets]
    return [("*", negate(all_of(*map(negate, tests))), left_out)]


def _covers(rule: Rule, scope: str) -> bool:
    """Tell whether the resources of a rule surely hold all of a scope."""
    asked = resource_pattern(scope, "")
    sets = rule.resources if isinstance(rule.resources, tuple) else (rule.resources,)
    plain = union(values for values in sets if not isinstance(values, Template))
    return isinstance(asked, Language) and asked.issubset(plain)


def doubts(principal: str, estate: Estate) -> tuple[Unsupported, ...]:
    """Return what was not understood about a principal."""
    memo = cast("dict[str, tuple[Unsupported, ...]]", estate.memo.setdefault((CLOUD, "doubts"), {}))
    if principal not in memo:
        memo[principal] = _doubts(principal, index_of(estate), estate)
    return memo[principal]


def _doubts(principal: str, index: Index, estate: Estate) -> tuple[Unsupported, ...]:
    allows, denies = rules_of(principal, index)
    unread = _unread(principal, index)
    found = [
        Unsupported(f"{rule.name}: {reason}", rule.source, CLOUD, principal)
        for rule in (*allows, *denies)
        for reason in rule.doubts
        if rule not in unread
    ]
    if pseudo_policy(principal, index) is None:
        found += _around(principal, index, estate)
    return tuple(dict.fromkeys(found))


def _unread(principal: str, index: Index) -> list[Rule]:
    """Return what stands for policies that were not read."""
    if pseudo_policy(principal, index) is not None:
        return []
    holder = holder_of(principal, index)
    found = (policy for layer in _CARRIED for policy in documents(holder, index, layer))
    return [rule for rule in found if isinstance(rule, Rule) and rule.doubts]


def _around(principal: str, index: Index, estate: Estate) -> list[Unsupported]:
    holder = holder_of(principal, index)
    unread = [missing(rule, principal, index) for rule in _unread(principal, index)]
    said = [entry for entry in estate.unsupported if entry.subject == principal]
    return [*unread, *_guardrails.doubts(holder, index, estate), *said]
