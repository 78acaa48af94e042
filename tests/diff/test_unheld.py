"""Roles and limits that differ, in files that say of nobody what is held."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from idtrans.diff._unheld import unheld
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
from idtrans.model.spans import NOWHERE
from idtrans.model.values import Effect
from tests.fakes import source

if TYPE_CHECKING:
    from idtrans.model.entities import Entity

ROLE = RoleDefinition("gcp", "r", "Reader", (PermissionBlock(actions=("a.get", "a.list")),), NOWHERE)
DENY = AccessRule("gcp", "d", Effect.DENY, "deny policy", "projects/p", ("all",), ("a/x.get", "a/x.list"), NOWHERE)
BOUND = Boundary("gcp", "b", ("projects/p",), "1", NOWHERE)
BOUND_TO = BoundaryBinding("gcp", "bb", "b", "everybody", NOWHERE)
TAKEN = DenyAssignment("azure", "t", "T", (PermissionBlock(actions=("*/delete",)),), ("all",), (), "/", NOWHERE)


def having(*actions: str, without: tuple[str, ...] = (), data: tuple[str, ...] = ()) -> RoleDefinition:
    return replace(ROLE, blocks=(PermissionBlock(actions=actions, not_actions=without, data_actions=data),))


def reasons(old: tuple[Entity, ...], new: tuple[Entity, ...], cloud: str = "gcp") -> list[str]:
    now = datetime(2026, 11, 1, tzinfo=UTC)
    return [each.reason for each in unheld(Estate(old, now), Estate(new, now), cloud)]


@pytest.mark.parametrize(
    ("old", "new", "open_"),
    [
        (ROLE, ROLE, False),
        (ROLE, replace(ROLE, source=source("other.json")), False),
        (ROLE, having("a.list", "a.get"), False),
        (ROLE, having("a.get"), False),
        (ROLE, having("a.get", "a.list", "a.delete"), True),
        (ROLE, having("a.get", data=("a.read",)), True),
        (having("*"), having("*", without=("a.delete",)), False),
        (having("*", without=("a.delete",)), having("*"), True),
        (ROLE, replace(ROLE, blocks=(replace(ROLE.blocks[0], condition="c"),)), True),
        (ROLE, replace(ROLE, id="other"), True),
        (replace(ROLE, complete=False), replace(ROLE, complete=False), False),
        (replace(ROLE, complete=False), having("a.get"), True),
    ],
)
def test_roles_that_nobody_is_known_to_have(old: RoleDefinition, new: RoleDefinition, *, open_: bool) -> None:
    assert open_ == bool(reasons((old,), (new,)))


@pytest.mark.parametrize(
    ("old", "new", "count"),
    [
        ((DENY,), (DENY,), 0),
        ((DENY,), (replace(DENY, id="renamed", permissions=(*DENY.permissions, "a/x.delete")),), 0),
        ((DENY,), (replace(DENY, permissions=("a/x.get",)),), 1),
        ((DENY,), (replace(DENY, excluded_principals=("ana",)),), 1),
        ((DENY,), (replace(DENY, condition="c"),), 1),
        ((DENY,), (), 1),
        ((), (DENY,), 0),
        ((BOUND, BOUND_TO), (BOUND, BOUND_TO), 0),
        ((BOUND, BOUND_TO), (BOUND,), 1),
        ((BOUND,), (BOUND, BOUND_TO), 1),
        ((BOUND,), (replace(BOUND, resources=("organizations/9",)),), 2),
        ((replace(DENY, effect=Effect.ALLOW),), (), 0),
    ],
)
def test_limits_of_what_nobody_is_known_to_hold(old: tuple[Entity, ...], new: tuple[Entity, ...], count: int) -> None:
    assert count == len(reasons(old, new))


@pytest.mark.parametrize(("old", "new", "count"), [((TAKEN,), (), 1), ((), (TAKEN,), 0), ((TAKEN,), (TAKEN,), 0)])
def test_deny_assignments(old: tuple[Entity, ...], new: tuple[Entity, ...], count: int) -> None:
    assert count == len(reasons(old, new, "azure"))
    assert [] == reasons(old, new)


def test_where_roles_are_bound_access_itself_is_compared() -> None:
    held = RoleBinding("gcp", "x", "r", ("ana",), "projects/p", NOWHERE)
    assert [] == reasons((ROLE, DENY, held), (having("*"),))
    assert [] == reasons((ROLE, DENY), (having("*"), held))
