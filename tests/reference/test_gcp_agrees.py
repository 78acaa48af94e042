"""The compiled engine answers for Google Cloud as the definitional evaluator does.

Where the reference says `unknown`, the engine may still know better: one unknown thing can stand in several places, and
then all ways in which it can turn out must lead to the answer of the engine. A failure prints the smallest world that
still fails. Decide by the vendor's pages who is wrong, mend that, and save the world in `vectors/gcp/`.
"""

from __future__ import annotations

import copy
import json
import os
from functools import partial
from pathlib import Path
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any

import pytest

from tests.reference import gcp
from tests.reference.worlds_gcp import ask, draw_world

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Json = dict[str, Any]

FUZZ = os.environ.get("IDTRANS_HYPOTHESIS") == "fuzz"
SHARDS = 20
WORLDS = 2_000 if FUZZ else 150
"""Worlds of each shard; the shards run side by side."""
FIRST_SEED = SystemRandom().randrange(1 << 40) if FUZZ else 0
NOTICED_WITHIN = 3_000
DEPTH = 8
"""Unknowns of a world that are tried in all ways."""
VECTORS = sorted((Path(__file__).parent / "vectors" / "gcp").glob("*.json"))
OUTCOMES = {gcp.ALLOW, gcp.EXPLICIT_DENY, gcp.IMPLICIT_DENY, gcp.UNKNOWN}
DENIED = {gcp.EXPLICIT_DENY, gcp.IMPLICIT_DENY}


def world_of(seed: int) -> Json:
    return draw_world(Random(seed))


def agrees(world: Json, answer: str) -> bool:
    """Tell whether an answer of the engine is right by the reference."""
    expected, unknowns = gcp.answer(world)
    if answer == expected:
        return True
    # A deny rule that applies however the unknown turns out is an explicit deny, even where nothing is granted.
    if expected not in (gcp.UNKNOWN, gcp.IMPLICIT_DENY) or not unknowns:
        return False
    outcomes = _outcomes(world, {})
    return outcomes <= DENIED if answer == gcp.IMPLICIT_DENY else outcomes == {answer}


def _outcomes(world: Json, assume: Json) -> set[str]:
    """Return the answers in all ways in which what is not known may turn out, one unknown after the other."""
    found, unknowns = gcp.answer(world, assume)
    open_ = sorted(unknowns - assume.keys())
    if found in (gcp.ALLOW, gcp.EXPLICIT_DENY) or not open_ or len(assume) == DEPTH:
        return {found}
    ways = (True, False, gcp.ERROR) if open_[0].startswith("cel:") else (True, False)
    return {each for way in ways for each in _outcomes(world, assume | {open_[0]: way})}


def shown(world: Json) -> str:
    """Return the smallest world that fails with the same two answers, as text."""
    both = (gcp.decide(world), ask(world))
    small = shrink(world, lambda other: both == (gcp.decide(other), ask(other)))
    return f"the reference says {both[0]}, the engine {both[1]}: {json.dumps(small, indent=1)}"


def shrink(world: Json, fails: Callable[[Json], bool]) -> Json:
    """Return a smaller world that fails too; no part of a list can be taken away from it."""
    smaller = True
    while smaller:
        smaller = False
        for candidate in _smaller(world):
            if fails(candidate):
                world, smaller = candidate, True
                break
    return world


def _smaller(world: Json) -> Iterator[Json]:
    for part in ("allow", "deny", "bound"):
        for number, entry in enumerate(world[part]):
            yield _changed(world, part, partial(_drop, number))
            for key, value in entry.items():
                if key == "condition" and value is not None:
                    yield _changed(world, part, partial(_uncondition, number))
                for place in range(len(value) if isinstance(value, list) and len(value) > 1 else 0):
                    yield _changed(world, part, partial(_shorten, number, key, place))
    for part in ("groups", "roles"):
        for key in world[part]:
            yield _changed(world, part, partial(_drop, key))


def _drop(key: Any, found: Any) -> None:
    found.pop(key)


def _uncondition(number: int, found: Any) -> None:
    found[number].update(condition=None)


def _shorten(number: int, key: str, place: int, found: Any) -> None:
    found[number][key].pop(place)


def _changed(world: Json, part: str, change: Callable[[Any], object]) -> Json:
    copied = copy.deepcopy(world)
    change(copied[part])
    return copied


@pytest.mark.hypothesis
@pytest.mark.parametrize("shard", range(SHARDS))
def test_random_worlds(shard):
    first = FIRST_SEED + shard * WORLDS
    for seed in range(first, first + WORLDS):
        world = world_of(seed)
        if not agrees(world, ask(world)):
            pytest.fail(f"seed {seed}: {shown(world)}")


def test_random_worlds_have_every_answer():
    answers = [gcp.decide(world_of(seed)) for seed in range(900)]
    assert OUTCOMES == {answer for answer in OUTCOMES if answers.count(answer) >= 40}


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_vectors(path):
    vector = json.loads(path.read_text(encoding="utf-8"))
    assert vector["expected"] == gcp.decide(vector["world"])
    assert vector["expected"] == ask(vector["world"])


# -- planted errors: each mistake that implementations make must show in the random worlds ---------------------------


def _spelled_as_written(text):
    return text


def _first_label(permission, text, case, right=gcp.is_named):
    return right(permission.replace("resourcemanager.", "nothing."), text, case)


def _no_groups_of_permissions(permission, text, case, right=gcp.is_named):
    return "*" not in text and right(permission, text, case)


def _verb_groups_are_ignored(permission, text, case, right=gcp.is_named):
    return "/*." not in text and right(permission, text, case)


def _unreadable_permissions_deny_nothing(permission, text, case, right=gcp.is_named):
    return right(permission, text, case) is True


def _unreadable_members_are_nobody(me, text, case, right=gcp.is_member):
    return False if text in ("usr:ana@example.com", "robot:x") else right(me, text, case)


def _no_inheritance(resource, scope, case):
    return gcp.number(scope, case) == gcp.number(resource, case)


def _unknown_parents_are_no_parents(resource, scope, case, right=gcp.lies_in):
    return right(resource, scope, case) is True


def _numbers_and_ids_differ(name, case):
    return name


def _no_exceptions(rule, case, right=gcp.rule_denies):
    return right(rule | {"exceptions": []}, case)


def _no_spared_permissions(rule, case, right=gcp.rule_denies):
    return right(rule | {"spared": []}, case)


def _failing_deny_conditions_spare(text, case, *, failing, right=gcp.met):
    return right(text, case, failing=False)


def _failing_conditions_count_as_met(text, case, *, failing, right=gcp.met):
    return right(text, case, failing=True)


def _conditions_are_ignored(text, case, *, failing):
    return True


def _boundaries_intersect(case, right=gcp.boundary_passes):
    passes = [right(_of(case, {"bound": [each]})) for each in case.world["bound"]]
    return gcp.all3(passes)


def _of(case, change):
    return gcp.Case(case.world | change, case.assume)


def _unknown_groups_are_empty(me, group, case, right=gcp.in_group):
    return right(me, group, case) is True


def _direct_members_only(me, group, case, right=gcp.in_group):
    members = case.world["groups"].get(group)
    return right(me, group, case) if members is None else me in members


def _agents_are_accounts(me, text, case, right=gcp.in_container):
    return right(me, text.partition("/type/")[0], case)


def _pools_are_signed_in(me, text, case, right=gcp.is_member):
    return text == "allAuthenticatedUsers" or right(me, text, case)


def _deleted_come_back(me, text, case, right=gcp.is_member):
    return right(me, text.removeprefix("deleted:").partition("?")[0], case)


def _unknown_roles_hold_nothing(role, permission, case):
    return permission in case.world["roles"].get(role, [])


def _errors_win(kind, values, right=gcp.connected):
    return gcp.ERROR if gcp.ERROR in values else right(kind, values)


def _errors_are_false(kind, values, right=gcp.connected):
    return right(kind, [False if value == gcp.ERROR else value for value in values])


def _sunday_is_seven(moment, name, zone="UTC", right=gcp.part_of_time):
    found = right(moment, name, zone)
    return 7 if name == "getDayOfWeek" and found == 0 else found


def _months_count_from_one(moment, name, zone="UTC", right=gcp.part_of_time):
    found = right(moment, name, zone)
    return found + 1 if name == "getMonth" else found


def _zones_are_ignored(moment, name, zone="UTC", right=gcp.part_of_time):
    return right(moment, name)


def _missing_tags_fail(name, values, case, right=gcp.resource_function):
    tagged = name.startswith(("matchTag", "hasTagKey")) and values[0] not in case.request["tags"]
    return gcp.ERROR if tagged else right(name, values, case)


def _names_everywhere(name, case, right=gcp.attribute):
    return gcp.full_name(case).removeprefix("//").partition("/")[2] if name == "resource.name" else right(name, case)


PLANTED = {
    "principals are compared as written": ("spelled", _spelled_as_written),
    "services have one name": ("is_named", _first_label),
    "groups of permissions are ignored": ("is_named", _no_groups_of_permissions),
    "groups of verbs are ignored": ("is_named", _verb_groups_are_ignored),
    "unreadable permissions deny nothing": ("is_named", _unreadable_permissions_deny_nothing),
    "unreadable members are nobody": ("is_member", _unreadable_members_are_nobody),
    "nothing is inherited": ("lies_in", _no_inheritance),
    "unknown parents are no parents": ("lies_in", _unknown_parents_are_no_parents),
    "project ids and numbers differ": ("number", _numbers_and_ids_differ),
    "exceptions are ignored": ("rule_denies", _no_exceptions),
    "excepted permissions are ignored": ("rule_denies", _no_spared_permissions),
    "deny rules are ignored": ("rule_denies", lambda _rule, _case: False),
    "a deny condition that fails spares": ("met", _failing_deny_conditions_spare),
    "a condition that fails grants": ("met", _failing_conditions_count_as_met),
    "conditions are ignored": ("met", _conditions_are_ignored),
    "boundaries are ignored": ("boundary_passes", lambda _case: True),
    "boundaries intersect": ("boundary_passes", _boundaries_intersect),
    "every permission can be blocked": ("can_block", lambda versions, _case: bool(versions)),
    "members that were not supplied are none": ("in_group", _unknown_groups_are_empty),
    "groups hold direct members alone": ("in_group", _direct_members_only),
    "service agents are service accounts": ("in_container", _agents_are_accounts),
    "pool identities are signed in": ("is_member", _pools_are_signed_in),
    "deleted principals come back": ("is_member", _deleted_come_back),
    "roles that are not known hold nothing": ("role_holds", _unknown_roles_hold_nothing),
    "an error always wins": ("connected", _errors_win),
    "an error is false": ("connected", _errors_are_false),
    "Sunday is seven": ("part_of_time", _sunday_is_seven),
    "months count from one": ("part_of_time", _months_count_from_one),
    "time zones are ignored": ("part_of_time", _zones_are_ignored),
    "a tag that is missing is an error": ("resource_function", _missing_tags_fail),
    "all services have names": ("attribute", _names_everywhere),
}


@pytest.fixture(scope="session")
def right_answers():
    """Worlds with the right answers, which the engine gives too."""
    return [(world, gcp.answer(world)[0]) for world in map(world_of, range(NOTICED_WITHIN))]


@pytest.mark.xdist_group("planted-gcp")
@pytest.mark.parametrize("name", PLANTED)
def test_the_random_worlds_notice_a_planted_error(monkeypatch, right_answers, name):
    place, mistake = PLANTED[name]
    monkeypatch.setattr(gcp, place, mistake)
    assert any(expected != gcp.decide(world) for world, expected in right_answers)


def test_the_reducer_keeps_what_matters_alone():
    world = next(world for world in map(world_of, range(NOTICED_WITHIN)) if gcp.decide(world) == gcp.EXPLICIT_DENY)
    small = shrink(world, lambda other: gcp.decide(other) == gcp.EXPLICIT_DENY)
    assert (0, 1, 0) == (len(small["allow"]), len(small["deny"]), len(small["bound"]))
