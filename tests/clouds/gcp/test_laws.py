"""Laws of the stages, asked of the symbolic search over random worlds."""

from __future__ import annotations

from random import Random

import pytest

from idtrans.algebra import Status, decide, difference
from idtrans.clouds.gcp import CLOUD
from idtrans.model.decisions import Outcome
from tests.reference.worlds_gcp import draw_world, estate_of

SEEDS = range(60)


def access(world):
    estate = estate_of(world)
    return CLOUD.access(world["request"]["principal"], estate), CLOUD.domain(estate)


def gained(new, old):
    (after, domain), (before, _) = access(new), access(old)
    return difference(after, before, domain=domain)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_deny_rule_never_gives_and_a_binding_never_takes(seed):
    world = draw_world(Random(seed))
    assert Status.WITNESS is not gained(world, {**world, "deny": []}).status
    assert Status.WITNESS is not gained({**world, "allow": world["allow"][1:]}, world).status


@pytest.mark.parametrize("seed", SEEDS)
def test_a_boundary_that_grows_takes_nothing(seed):
    world = draw_world(Random(seed))
    grown = {
        name: {**boundary, "resources": ["organizations/9", *boundary["resources"]]}
        for name, boundary in world["boundaries"].items()
    }
    assert Status.WITNESS is not gained(world, {**world, "boundaries": grown}).status
    assert Status.WITNESS is not gained(world, {**world, "bound": []}).status


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_gained_by_no_change_or_another_order(seed):
    world = draw_world(Random(seed))
    turned = {**world, **{part: world[part][::-1] for part in ("allow", "deny", "bound")}}
    assert Status.WITNESS is not gained(world, turned).status
    same = gained(world, world)
    assert Status.EMPTY is same.status


@pytest.mark.parametrize("seed", SEEDS)
def test_witnesses_replay(seed):
    world = draw_world(Random(seed))
    (new, domain), (old, _) = access({**world, "deny": []}), access(world)
    found = difference(new, old, domain=domain)
    if found.witness is not None:
        assert Outcome.ALLOW is decide(new, found.witness).outcome
        assert Outcome.ALLOW is not decide(old, found.witness).outcome
