"""The compiled engine answers on Azure as the definitional evaluator does, on random worlds and on those that differed.

Where the reference says `unknown`, the engine may still know better: one unknown thing can stand in several places, and
then all ways in which it can turn out must lead to the answer of the engine.

A failure prints the smallest world that still fails. Decide by the vendor's pages who is wrong, mend that, and save the
world in `vectors/azure/`.
"""

from __future__ import annotations

import copy
import itertools
import json
import os
from pathlib import Path
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any

import pytest

from tests.reference import azure
from tests.reference.worlds_azure import ask, draw_world

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Json = dict[str, Any]

FUZZ = os.environ.get("IDTRANS_HYPOTHESIS") == "fuzz"
SHARDS = 20
WORLDS = 5_000 if FUZZ else 150
"""Worlds of each shard; the shards run side by side."""
FIRST_SEED = SystemRandom().randrange(1 << 40) if FUZZ else 0
NOTICED_WITHIN = 6_000
VECTORS = sorted((Path(__file__).parent / "vectors" / "azure").glob("*.json"))


def world_of(seed: int) -> Json:
    return draw_world(Random(seed))


def agrees(world: Json, answer: str) -> bool:
    """Tell whether an answer of the engine is right by the reference."""
    expected, unknowns = azure.answer(world)
    if answer == expected:
        return True
    if expected != azure.UNKNOWN or not unknowns:
        return False
    names = sorted(unknowns)[:8]
    outcomes = {
        azure.answer(world, dict(zip(names, truths, strict=True)))[0]
        for truths in itertools.product((True, False), repeat=len(names))
    }
    if answer == azure.IMPLICIT_DENY:
        return outcomes <= {azure.IMPLICIT_DENY, azure.EXPLICIT_DENY}
    return outcomes == {answer}


def smaller(world: Json) -> Iterator[Json]:
    """Yield the worlds that lack one part."""
    for section in ("assignments", "denies"):
        for number in range(len(world[section])):
            yield _without(world, (section,), number)
            if world[section][number]["condition"] is not None:
                yield _replaced(world, (section, number, "condition"), None)
    for role, blocks in world["roles"].items():
        for number, block in enumerate(blocks):
            yield _without(world, ("roles", role), number)
            yield from (_without(world, ("roles", role, number), name) for name in block)
    for place in (("accounts",), ("keyed",), ("parents",), ("request", "context")):
        yield from (_without(world, place, name) for name in _at(world, place))


def _without(world: Json, path: tuple[Any, ...], last: Any) -> Json:
    copied = copy.deepcopy(world)
    del _at(copied, path)[last]
    return copied


def _replaced(world: Json, path: tuple[Any, ...], value: Any) -> Json:
    copied = copy.deepcopy(world)
    _at(copied, path[:-1])[path[-1]] = value
    return copied


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for part in path:
        value = value[part]
    return value


def shrink(world: Json, fails: Callable[[Json], bool]) -> Json:
    found: Json | None = world
    while found is not None:
        world = found
        found = next((candidate for candidate in smaller(world) if fails(candidate)), None)
    return world


def shown(world: Json) -> str:
    """Return the smallest world that fails with the same two answers, as text."""
    both = (azure.decide(world), ask(world))
    small = shrink(world, lambda other: both == (azure.decide(other), ask(other)))
    return f"the reference says {both[0]}, the engine {both[1]}: {json.dumps(small, indent=1)}"


@pytest.mark.hypothesis
@pytest.mark.parametrize("shard", range(SHARDS))
def test_random_worlds(shard):
    first = FIRST_SEED + shard * WORLDS
    for seed in range(first, first + WORLDS):
        world = world_of(seed)
        if not agrees(world, ask(world)):
            pytest.fail(f"seed {seed}: {shown(world)}")


def test_random_worlds_have_every_answer():
    answers = [azure.decide(world_of(seed)) for seed in range(1000)]
    wanted = (azure.ALLOW, azure.EXPLICIT_DENY, azure.IMPLICIT_DENY, azure.UNKNOWN)
    assert all(answers.count(answer) >= 30 for answer in wanted)


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_vectors(path):
    vector = json.loads(path.read_text(encoding="utf-8"))
    assert vector["expected"] == azure.decide(vector["world"])
    assert vector["expected"] == ask(vector["world"])


# -- planted errors: each mistake that implementations make must show in the random worlds ----------------------------


def _never(*_):
    return False


def _deny_without(part, value):
    def applies(deny, plane, case, right=azure.deny_applies):
        return right(deny | {part: value}, plane, case)

    return applies


def _gives_without_condition(block, plane, case, right=azure.gives):
    return right(block | {"condition": None}, plane, case)


def _assignment_without(part, value):
    def gives(assignment, plane, case, right=azure.assignment_gives):
        return right(assignment | {part: value}, plane, case)

    return gives


def _not_actions_deny(plane, case, right=azure.denied_in):
    left_out = azure.LISTS[plane][1]
    held = [each for each in case.world["assignments"] if azure.is_principal(each["principal"], case) is True]
    blocks = [block for each in held for block in case.world["roles"].get(each["role"], [])]
    return right(plane, case) or any(azure.matches(block.get(left_out, []), case.action) for block in blocks)


def _no_segments(path, scope):
    return path.startswith(scope)


def _case_matters(patterns, action):
    return any(azure.like(pattern, action, "*") for pattern in patterns)


def _star_stops_at_slash(patterns, action, right=azure.matches):
    kept = [each for each in patterns if "*" not in each or each.count("/") == action.count("/")]
    return right(kept, action)


def _direct_groups_only(group, world):
    return {group}


def _unknown_members_are_none(name, case, right=azure.is_principal):
    return right(name, case) or False


def _unknown_members_are_all(name, case, right=azure.is_principal):
    return right(name, case) is not False


def _no_hierarchy(written, case):
    return azure.is_below(case.resource, azure.path_of(written))


def _unknown_place_is_outside(written, case, right=azure.contains):
    return right(written, case) or False


def _both_planes(block, plane, case, right=azure.gives):
    return azure.any3([right(block, name, case) for name in azure.LISTS])


def _absent_fails(left, how, right):
    return False


def _absent_negative_holds(left, how, right):
    return how.negative


def _any_is_all(written, right=azure.operator_of):
    found = right(written)
    return found._replace(left=all, right=all) if found and found.left else found


def _all_is_any(written, right=azure.operator_of):
    found = right(written)
    return found._replace(left=any, right=any) if found and found.left else found


def _negative_of_the_whole(left, how, right, *, one_right, whole=azure.compare_values):
    found = whole(left, how._replace(negative=False), right, one_right=one_right)
    return azure.not3(found) if how.negative else found


def _null_means_off(account, service, case, right=azure.accepts):
    known = {azure.path_of(name): each for name, each in case.world["accounts"].items()}.get(account)
    return False if known is not None and known["shared"] is None else right(account, service, case)


def _services_are_ignored(account, service, case, right=azure.accepts):
    return right(account, "no", case)


def _key_of_a_container(resource):
    return resource if azure.STORAGE in resource else None


def _other_keys_are_never_refused(keys, case, right=azure.by_other_key):
    case.world = case.world | {"keyed": dict.fromkeys(case.world["keyed"], not keys.refused_by)}
    return right(keys, case)


def _null_refuses(keys, case, right=azure.by_other_key):
    stated = {name: True if value is None else value for name, value in case.world["keyed"].items()}
    case.world = case.world | {"keyed": stated}
    return right(keys, case)


def _read_only_keys_write(keys, case, right=azure.by_other_key):
    return right(keys._replace(opens=("*",)), case)


def _keys_of_a_part_open_the_whole(keys, case, right=azure.by_other_key):
    whole = keys._replace(kind="/".join(keys.kind.split("/")[:2]))
    return azure.any3([right(keys, case), right(whole, case)])


def _keys_obey_data_denies(case, right=azure.by_key):
    return azure.all3([right(case), azure.not3(azure.denied_in(azure.DATA, case))])


PLANTED = {
    "deny assignments are ignored": ("denied_in", _never),
    "audited denies block": ("deny_applies", _deny_without("effect", None)),
    "excluded principals are denied": ("deny_applies", _deny_without("excluded", [])),
    "denies always reach children": ("deny_applies", _deny_without("children", True)),
    "denies never reach children": ("deny_applies", _deny_without("children", False)),
    "conditions of denies are ignored": ("deny_applies", _deny_without("condition", None)),
    "conditions of assignments are ignored": ("assignment_gives", _assignment_without("condition", None)),
    "conditions of permission objects are ignored": ("gives", _gives_without_condition),
    "eligible is active": ("assignment_gives", _assignment_without("eligible", False)),
    "the start is ignored": ("assignment_gives", _assignment_without("starts", None)),
    "the end is ignored": ("assignment_gives", _assignment_without("ends", None)),
    "notActions deny": ("denied_in", _not_actions_deny),
    "the planes are one": ("gives", _both_planes),
    "scopes are plain prefixes": ("is_below", _no_segments),
    "case of operations matters": ("matches", _case_matters),
    "a star stops at a slash": ("matches", _star_stops_at_slash),
    "groups in groups are ignored": ("nested", _direct_groups_only),
    "unknown members are nobody": ("is_principal", _unknown_members_are_none),
    "unknown members are everybody": ("is_principal", _unknown_members_are_all),
    "management groups contain nothing": ("contains", _no_hierarchy),
    "an unknown place is outside": ("contains", _unknown_place_is_outside),
    "AND binds like OR": ("is_ambiguous", _never),
    "attributes have case": ("attribute_key", lambda text: text),
    "an absent attribute fails a negative operator": ("when_absent", _absent_fails),
    "an absent attribute passes a negative operator": ("when_absent", _absent_negative_holds),
    "any is read as all": ("operator_of", _any_is_all),
    "all is read as any": ("operator_of", _all_is_any),
    "negation is taken of the whole comparison": ("compare_values", _negative_of_the_whole),
    "keys are ignored": ("by_key", _never),
    "null turns keys off": ("accepts", _null_means_off),
    "keys of services are ignored": ("accepts", _services_are_ignored),
    "a role on a container gets the key": ("account_of", _key_of_a_container),
    "keys obey denies of data": ("by_key", _keys_obey_data_denies),
    "only storage has keys": ("by_other_key", _never),
    "other keys are never refused": ("by_other_key", _other_keys_are_never_refused),
    "null refuses other keys": ("by_other_key", _null_refuses),
    "read-only keys write": ("by_other_key", _read_only_keys_write),
    "keys of a part open the whole": ("by_other_key", _keys_of_a_part_open_the_whole),
}


@pytest.fixture(scope="session")
def right_answers():
    """Worlds with the right answers, which the engine gives too."""
    return [(world, azure.answer(world)[0]) for world in map(world_of, range(NOTICED_WITHIN))]


@pytest.mark.xdist_group("planted")
@pytest.mark.parametrize("name", PLANTED)
def test_the_random_worlds_notice_a_planted_error(monkeypatch, right_answers, name):
    place, mistake = PLANTED[name]
    monkeypatch.setattr(azure, place, mistake)
    assert any(expected != azure.decide(world) for world, expected in right_answers)


def test_the_reducer_keeps_what_matters_alone():
    world = next(world for world in map(world_of, range(1000)) if azure.decide(world) == azure.ALLOW)
    small = shrink(world, lambda other: azure.decide(other) == azure.ALLOW)
    assert azure.ALLOW == azure.decide(small)
    assert len(small["assignments"]) == 1
    assert [] == small["denies"]
