"""Roles and limits that differ where neither side says who holds anything.

A role grants nothing until somebody holds it, and a limit takes nothing from those who hold nothing. Files that state
nothing else say nothing about access, so that "no new access" would be true of any two of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from idtrans.model.entities import (
    AccessRule,
    Boundary,
    BoundaryBinding,
    DenyAssignment,
    PermissionBlock,
    RoleBinding,
    RoleDefinition,
)
from idtrans.model.estate import Estate
from idtrans.model.findings import NotEvaluated
from idtrans.model.spans import NOWHERE
from idtrans.model.values import Effect

_Limit = AccessRule | Boundary | BoundaryBinding | DenyAssignment


def unheld(old: Estate, new: Estate, cloud: str) -> Iterator[NotEvaluated]:
    """Yield the roles of NEW that may hold more than in OLD, and limits that are other ones, if nobody holds a role."""
    sides = tuple([each for each in side.entities if each.cloud == cloud] for side in (old, new))
    if any(isinstance(each, RoleBinding) for side in sides for each in side):
        return
    before, after = sides
    roles = {each.id: each for each in before if isinstance(each, RoleDefinition)}
    for each in after:
        if isinstance(each, RoleDefinition) and not _no_more(each, roles.get(each.id)):
            yield NotEvaluated(
                each.source, f"what the role `{each.name}` holds differs, and neither side says who has it"
            )
    for one, other in ((before, after), (after, before)):
        limits = [each for each in other if isinstance(each, _Limit)]
        known = {replace(each, source=NOWHERE) for each in limits}
        rules = [each for each in limits if isinstance(each, AccessRule)]
        for each in one:
            if not isinstance(each, _Limit) or not _limits(each, gone=one is before):
                continue
            if replace(each, source=NOWHERE) not in known and not any(_as_strict(rule, each) for rule in rules):
                yield NotEvaluated(each.source, f"the limit `{each.id}` differs, and neither side says who holds what")


def _as_strict(rule: AccessRule, before: _Limit) -> bool:
    """Tell whether a rule surely denies all that another one did."""
    return (
        isinstance(before, AccessRule)
        and (rule.effect, rule.layer, rule.scope) == (before.effect, before.layer, before.scope)
        and (rule.condition, rule.doubts) == (before.condition, before.doubts)
        and set(rule.principals) >= set(before.principals)
        and set(rule.permissions) >= set(before.permissions)
        and set(rule.excluded_principals) <= set(before.excluded_principals)
        and set(rule.excluded_permissions) <= set(before.excluded_permissions)
    )


def _limits(entity: _Limit, *, gone: bool) -> bool:
    """Tell whether access may grow when an entity goes, or comes: a further boundary adds resources to the first."""
    if isinstance(entity, Boundary | BoundaryBinding):
        return True
    return gone and (isinstance(entity, DenyAssignment) or entity.effect is Effect.DENY)


def _no_more(role: RoleDefinition, before: RoleDefinition | None) -> bool:
    """Tell whether a role surely holds nothing that it did not hold before."""
    if before is None or not before.complete or not role.complete:
        return before is not None and replace(role, source=NOWHERE) == replace(before, source=NOWHERE)
    return all(any(_within(block, other) for other in before.blocks) for block in role.blocks)


def _within(block: PermissionBlock, other: PermissionBlock) -> bool:
    return (
        set(block.actions) <= set(other.actions)
        and set(block.data_actions) <= set(other.data_actions)
        and set(block.not_actions) >= set(other.not_actions)
        and set(block.not_data_actions) >= set(other.not_data_actions)
        and block.condition == other.condition
    )
