"""Ten thousand differences between AWS managed policies, whose answers follow from how the pairs are made.

A policy grants nothing beyond itself in another order, beyond itself joined with another, or beyond itself with a
statement more; a statement about a service that it does not know is new, and so is what a deny had taken away. Every
witness is evaluated on both sides and is about a resource that its action can be about.
"""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from idtrans.algebra import ANY_TEXT, Language, Status, decide, difference
from idtrans.clouds.aws import CLOUD
from idtrans.clouds.aws._actions import resource_hint
from idtrans.model.decisions import Outcome
from idtrans.model.estate import Estate
from tests.clouds.aws.builders import NOW, allow, deny, lower

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.algebra import Access, Difference

SLICES = 8
"""Parts that run on their own, so that they can run side by side."""
ME = "policy:#1"
ELSEWHERE = allow("idtrans-test:Probe", "arn:aws:idtrans-test:eu-west-1:111122223333:probe/1")
"""About a service that AWS does not have, so that no policy names it."""
Statements = list[dict[str, Any]]


@cache
def _policies() -> list[tuple[str, Statements]]:
    managed = pytest.importorskip("moto.iam.aws_managed_policies", reason="moto, which carries the policies, is absent")
    data = json.loads(managed.aws_managed_policies_data)
    found = []
    for name in sorted(data):
        statements = data[name]["Document"]["Statement"]
        found.append((name, statements if isinstance(statements, list) else [statements]))
    return found


def _estate(statements: Statements) -> Estate:
    return Estate(tuple(lower(*statements)), NOW)


def _beyond(new: Statements, old: Statements) -> Difference:
    """Return what NEW grants beyond OLD, after the witness was evaluated on both sides."""
    before, after = _estate(old), _estate(new)
    granted, known = CLOUD.access(ME, after), CLOUD.access(ME, before)
    found = difference(granted, known, domain=CLOUD.domain(after))
    if found.witness is not None:
        assert (Outcome.ALLOW, True) == _replayed(found, granted, known)
    return found


def _replayed(found: Difference, granted: Access, known: Access) -> tuple[Outcome, bool]:
    assert found.witness is not None
    denied = decide(known, found.witness).outcome in {Outcome.EXPLICIT_DENY, Outcome.IMPLICIT_DENY}
    return decide(granted, found.witness).outcome, denied


def _listed(statement: dict[str, Any]) -> list[str]:
    actions = statement.get("Action", [])
    return [actions] if isinstance(actions, str) else actions


def _plain(statements: Statements) -> str | None:
    """Return an action that the policy grants on everything, whatever the request, `None` when there is none."""
    if any(statement["Effect"] == "Deny" for statement in statements):
        return None
    for statement in statements:
        if statement.get("Resource") in ("*", ["*"]) and "Condition" not in statement:
            exact = [action for action in _listed(statement) if "*" not in action and "?" not in action]
            if exact:
                return exact[-1]
    return None


def _names_services(statements: Statements) -> bool:
    """Tell whether every statement is about services that it names."""
    return all("NotAction" not in one and "*" not in map(_service, _listed(one)) for one in statements)


def _service(action: str) -> str:
    return action.partition(":")[0]


def _subsets(statements: Statements, other: Statements, random: Random) -> Iterator[tuple[Statements, Statements]]:
    """Yield pairs of which the first grants nothing beyond the second."""
    shuffled = random.sample(statements, len(statements))
    yield [*shuffled, statements[0]], statements
    yield [entry for entry in statements if entry is not statements[-1]] or [deny("*")], _without_denies(statements)
    yield statements, _without_denies([*other, *statements])
    yield statements, [*_without_denies(statements), ELSEWHERE]
    yield [*statements, deny("*", "arn:aws:s3:::closed/*")], statements


def _without_denies(statements: Statements) -> Statements:
    return [entry for entry in statements if entry["Effect"] == "Allow"] or [allow("*")]


@pytest.mark.parametrize("part", range(SLICES))
def test_no_policy_grants_beyond_what_holds_it(part) -> None:
    policies = _policies()
    random, asked = Random(part), 0
    for position in range(part, len(policies), SLICES):
        name, statements = policies[position]
        other = policies[(position * 7 + 1) % len(policies)][1]
        for new, old in _subsets(statements, other, random):
            assert (name, Status.EMPTY, ()) == (name, (found := _beyond(new, old)).status, found.unsure)
            asked += 1
    assert asked >= 5 * (len(policies) // SLICES)


@pytest.mark.parametrize("part", range(SLICES))
def test_what_is_added_is_found(part) -> None:
    named = [(name, statements) for name, statements in _policies()[part::SLICES] if _names_services(statements)]
    assert len(named) > 150
    for name, statements in named:
        assert (name, Status.WITNESS) == (name, _beyond([*statements, ELSEWHERE], statements).status)


@pytest.mark.parametrize("part", range(SLICES))
def test_what_a_deny_had_taken_away_is_found_on_a_resource_that_fits(part) -> None:
    asked = 0
    for name, statements in _policies()[part::SLICES]:
        action = _plain(statements)
        if action is None:
            continue
        asked += 1
        found = _beyond(statements, [*statements, deny(action)])
        assert (name, Status.WITNESS) == (name, found.status)
        assert found.witness is not None
        assert found.box is not None
        hint: Language | None = resource_hint(found.witness.action)
        # A statement about some resources may name none that its action can be about.
        fits = hint is None or hint.matches(found.witness.resource)
        assert fits or found.box.resources != ANY_TEXT, (name, found.witness)
        assert action.lower() == found.witness.action.lower()
    assert asked > 50
