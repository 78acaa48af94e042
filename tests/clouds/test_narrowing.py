"""What is about a request decides it as the whole does, and nobody but those that are named holds anything about it."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest

from idtrans.access import who_can
from idtrans.algebra import decide, grants
from idtrans.clouds.azure import CLOUD as AZURE
from idtrans.clouds.gcp import CLOUD as GCP
from idtrans.model.decisions import Outcome
from idtrans.ports import Narrowing, Query
from tests.reference import worlds_azure, worlds_gcp

if TYPE_CHECKING:
    from idtrans.algebra import Access
    from idtrans.model.decisions import Request
    from idtrans.model.estate import Estate
    from idtrans.ports import Cloud

WORLDS = 60


def azure(seed: int) -> tuple[Estate, Query]:
    world = worlds_azure.draw_world(Random(seed))
    asked = world["request"]
    principal = f"entra:{worlds_azure.IDS[asked['principal']]}"
    return worlds_azure.estate_of(world), Query(principal, asked["action"], asked["resource"])


def gcp(seed: int) -> tuple[Estate, Query]:
    world = worlds_gcp.draw_world(Random(seed))
    asked = world["request"]
    return worlds_gcp.estate_of(world), Query(asked["principal"], asked["permission"], asked["resource"])


CLOUDS = {"azure": (AZURE, azure), "gcp": (GCP, gcp)}


@pytest.mark.parametrize("name", CLOUDS)
def test_what_is_about_a_request_decides_it(name: str) -> None:
    cloud, draw = CLOUDS[name]
    assert isinstance(cloud, Narrowing)
    outcomes: set[Outcome] = set()
    for seed in range(WORLDS):
        estate, query = draw(seed)
        request = cloud.request(query, estate)
        for principal in cloud.principals(estate):
            asked = replace(request, principal=principal)
            whole, narrow = (decide(held, asked) for held in _held(cloud, principal, asked, estate))
            assert (whole.outcome, whole.condition) == (narrow.outcome, narrow.condition), (seed, principal)
            # What shuts out grants that are about something else explains nothing.
            assert whole.outcome is Outcome.IMPLICIT_DENY or whole.reasons == narrow.reasons, (seed, principal)
            outcomes.add(whole.outcome)
    assert {Outcome.ALLOW, Outcome.IMPLICIT_DENY, Outcome.EXPLICIT_DENY, Outcome.UNKNOWN} <= outcomes


def _held(cloud: Cloud, principal: str, asked: Request, estate: Estate) -> tuple[Access, Access]:
    assert isinstance(cloud, Narrowing)
    return cloud.access(principal, estate), cloud.about(asked, estate)


@pytest.mark.parametrize("name", CLOUDS)
def test_all_who_may_are_concerned(name: str) -> None:
    cloud, draw = CLOUDS[name]
    assert isinstance(cloud, Narrowing)
    narrowed = 0
    for seed in range(WORLDS):
        estate, query = draw(seed)
        request, every = cloud.request(query, estate), cloud.principals(estate)
        concerned = cloud.concerned(request, estate)
        assert sorted(concerned) == list(concerned)
        narrowed += len(concerned) < len(every)
        holding = {each for each in every if grants(cloud.about(replace(request, principal=each), estate)) != ()}
        assert holding <= set(concerned), seed
    assert narrowed > 0


@pytest.mark.parametrize("name", CLOUDS)
def test_who_can_finds_everybody_who_may(name: str) -> None:
    cloud, draw = CLOUDS[name]
    for seed in range(WORLDS // 3):
        estate, query = draw(seed)
        answer = who_can(cloud, estate, query)
        found = [each.request.principal for each in (*answer.allowed, *answer.unknown)]
        assert sorted(_may(cloud, estate, query)) == sorted(found), seed
        assert len(cloud.principals(estate)) == answer.examined


def _may(cloud: Cloud, estate: Estate, query: Query) -> list[str]:
    denied = (Outcome.IMPLICIT_DENY, Outcome.EXPLICIT_DENY)
    every = cloud.principals(estate)
    requests = [cloud.request(replace(query, principal=principal), estate) for principal in every]
    decided = [decide(cloud.access(request.principal, estate), request) for request in requests]
    return [each for each, decision in zip(every, decided, strict=True) if decision.outcome not in denied]
