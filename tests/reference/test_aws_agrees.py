"""The compiled engine answers as the definitional evaluator does, on random worlds and on those that once differed.

Where the reference says `unknown`, the engine may still know better: one unknown thing can stand in several places, and
then all ways in which it can turn out must lead to the answer of the engine.

A failure prints the smallest world that still fails. Decide by the vendor's pages who is wrong, mend that, and save the
world in `vectors/`.
"""

from __future__ import annotations

import ast
import copy
import itertools
import json
import os
import sys
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

import pytest

from tests.reference import aws
from tests.reference.shrink import shrink
from tests.reference.worlds import draw_world
from tests.reference.worlds_estate import ask

Json = dict[str, Any]

FUZZ = os.environ.get("IDTRANS_HYPOTHESIS") == "fuzz"
SHARDS = 40
WORLDS = 5_000 if FUZZ else 500
"""Worlds of each shard; the shards run side by side."""
FIRST_SEED = SystemRandom().randrange(1 << 40) if FUZZ else 0
NOTICED_WITHIN = 4_000
VECTORS = sorted((Path(__file__).parent / "vectors").glob("*.json"))


def world_of(seed: int) -> Json:
    return draw_world(Random(seed))


def agrees(world: Json, answer: str) -> bool:
    """Tell whether an answer of the engine is right by the reference."""
    expected, unknowns = aws.answer(world)
    if answer == expected:
        return True
    if expected != aws.UNKNOWN or not unknowns:
        return False
    names = sorted(unknowns)[:8]
    outcomes = {
        aws.answer(world, dict(zip(names, truths, strict=True)))[0]
        for truths in itertools.product((True, False), repeat=len(names))
    }
    if answer == aws.IMPLICIT_DENY:
        return outcomes <= {aws.IMPLICIT_DENY, aws.EXPLICIT_DENY}
    return outcomes == {answer}


def shown(world: Json) -> str:
    """Return the smallest world that fails with the same two answers, as text."""
    both = (aws.decide(world), ask(world))
    small = shrink(world, lambda other: both == (aws.decide(other), ask(other)))
    return f"the reference says {both[0]}, the engine {both[1]}: {json.dumps(small, indent=1)}"


@pytest.mark.hypothesis
@pytest.mark.parametrize("shard", range(SHARDS))
def test_random_worlds(shard):
    first = FIRST_SEED + shard * WORLDS
    for seed in range(first, first + WORLDS):
        world = world_of(seed)
        if not agrees(world, ask(world)):
            pytest.fail(f"seed {seed}: {shown(world)}")


def test_random_worlds_have_every_answer_and_every_layer():
    worlds = [world_of(seed) for seed in range(500)]
    answers = [aws.decide(world) for world in worlds]
    for answer in (aws.ALLOW, aws.EXPLICIT_DENY, aws.IMPLICIT_DENY, aws.UNKNOWN):
        assert answers.count(answer) >= 20
    layers = {policy["layer"] for world in worlds for policy in world["policies"]}
    assert {"identity", "boundary", "session", "resource", "trust", "scp", "rcp", "endpoint"} == layers


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_vectors(path):
    vector = json.loads(path.read_text(encoding="utf-8"))
    assert vector["expected"] == aws.decide(vector["world"])
    assert vector["expected"] == ask(vector["world"])


def test_the_reference_shares_nothing_with_the_engine():
    tree = ast.parse(Path(aws.__file__).read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


# -- planted errors: each mistake that implementations make must show in the random worlds ----------------------------


def _yes(*_):
    return True


def _no(*_):
    return False


def _none(*_):
    return []


def _aliens_meet_negated(name, wanted, value, *rest, right=aws.value_holds):
    return True if aws.is_negated(name) and not aws.is_value(name, value) else right(name, wanted, value, *rest)


def _absent_key_fails_negated(name, quantifier, *, if_exists):
    return if_exists or quantifier == "ForAllValues"


def _absent_key_fails_all_values(name, quantifier, *, if_exists):
    return if_exists or (aws.is_negated(name) and not quantifier)


def _absent_key_ignores_if_exists(name, quantifier, *, if_exists):
    return quantifier == "ForAllValues" or (aws.is_negated(name) and not quantifier)


def _absent_key_negates_any_value(name, quantifier, *, if_exists):
    return if_exists or quantifier == "ForAllValues" or aws.is_negated(name)


def _not_action_is_action(statement, action):
    patterns = aws.listed(statement.get("Action", statement.get("NotAction")))
    return any(aws.like(aws.wild(pattern.lower()), action.lower()) for pattern in patterns)


def _actions_have_case(statement, action):
    element = "NotAction" if "NotAction" in statement else "Action"
    found = any(aws.like(aws.wild(pattern), action) for pattern in aws.listed(statement[element]))
    return found is (element == "Action")


def _not_resource_is_resource(statement, version, case, right=aws.resource_matches):
    renamed = {"Resource" if name == "NotResource" else name: value for name, value in statement.items()}
    return right(renamed, version, case)


def _negated_values_are_alternatives(name, wanted, value, version, case):
    found = [aws.compare(name, text, value, version, case) for text in wanted]
    return aws.any3(aws.not3(each) if aws.is_negated(name) else each for each in found)


def _star_in_string_equals(plain, *rest, right=aws.compare_texts):
    return right(plain.replace("StringEquals", "StringLike"), *rest)


def _case_always_matters(plain, *rest, right=aws.compare_texts):
    return right(plain.removesuffix("IgnoreCase"), *rest)


def _unknown_operator_is_skipped(written, *rest, right=aws.condition_holds):
    return True if "Matches" in written else right(written, *rest)


def _unknown_operator_fails(written, *rest, right=aws.condition_holds):
    return False if "Matches" in written else right(written, *rest)


def _keys_have_case(written, key, *rest, right=aws.condition_holds):
    return right(written, f"{key} " if key.isupper() else key, *rest)


def _no_session_by_role(entry, who, right=aws.naming):
    found = right(entry, who)
    return None if found == "role" and who.kind == "session" else found


def _account_is_its_root_user(entry, who, right=aws.naming):
    found = right(entry, who)
    return None if found == "account" and who.kind != "root" else found


def _account_grants_alone(entry, who, right=aws.naming):
    found = right(entry, who)
    return "caller" if found == "account" else found


def _role_grant_is_free(entry, who, right=aws.naming):
    found = right(entry, who)
    return "caller" if found == "role" else found


def _session_arn_as_principal_arn(case, right=aws.context_of):
    found = right(case)
    return found | ({"aws:principalarn": [case.who.id]} if case.who.kind == "session" else {})


def _no_layer(layer):
    def carries(policy, case, wanted, right=aws.carries):
        return wanted != layer and right(policy, case, wanted)

    return carries


def _no_groups(policy, case, layer):
    return policy["layer"] == layer and policy["owner"] in {case.carrier, case.who.id}


def _one_level_is_enough(case, right=aws.service_control_allows):
    levels = aws.levels_of(case.who.account, case.world)
    scps = [policy for policy in case.world["policies"] if policy["layer"] == "scp" and policy["level"] in levels]
    allowed = [aws.allows(policy, case) for policy in scps]
    return True if not scps or not aws.has_service_control(case) else aws.any3(allowed)


def _unreadable_is_skipped(statement, policy, *rest, right=aws.matches):
    return False if aws.is_unreadable(statement, policy) else right(statement, policy, *rest)


def _resource_control_is_everywhere(policy, case, right=aws.applies):
    return right(policy | {"level": None} if policy["layer"] == "rcp" and case.closed else policy, case)


def _resource_control_reaches_all_services(case, right=aws.has_resource_control):
    service, _, name = case.request["action"].partition(":")
    spared = service.lower() not in case.world["rcp_services"]
    if not spared:
        return right(case)
    case.request = case.request | {"action": f"s3:{name}"}
    found = right(case)
    case.request = case.world["request"]
    return found


def _management_account_is_limited(case):
    return case.who.account is not None and not aws.is_service_linked(case)


def _session_policies_are_shared(policy, case, layer, right=aws.carries):
    if layer == policy["layer"] == "session" and case.who.kind == "session":
        return aws.read_principal(policy["owner"]).role == case.who.role
    return right(policy, case, layer)


def _null_means_no(found, wanted, case, right=aws.null_holds):
    return aws.not3(right(found, wanted, case))


def _arns_are_plain_texts(pattern, text):
    return aws.like(pattern, text)


PLANTED = {
    "an absent key fails a negated operator": ("when_missing", _absent_key_fails_negated),
    "an absent key fails ForAllValues": ("when_missing", _absent_key_fails_all_values),
    "IfExists is ignored": ("when_missing", _absent_key_ignores_if_exists),
    "an absent key passes a negated ForAnyValue": ("when_missing", _absent_key_negates_any_value),
    "NotAction is read as Action": ("action_matches", _not_action_is_action),
    "case of actions matters": ("action_matches", _actions_have_case),
    "NotResource is read as Resource": ("resource_matches", _not_resource_is_resource),
    "negated values are alternatives": ("value_holds", _negated_values_are_alternatives),
    "StringEquals takes wildcards": ("compare_texts", _star_in_string_equals),
    "IgnoreCase is ignored": ("compare_texts", _case_always_matters),
    "variables are resolved in old documents": ("resolves_variables", _yes),
    "variables are never resolved": ("resolves_variables", _no),
    "an unknown operator is skipped": ("condition_holds", _unknown_operator_is_skipped),
    "an unknown operator fails": ("condition_holds", _unknown_operator_fails),
    "a statement that cannot be read is skipped": ("matches", _unreadable_is_skipped),
    "case of keys matters": ("condition_holds", _keys_have_case),
    "Null is read the other way round": ("null_holds", _null_means_no),
    "wildcards of ARNs cross fields": ("arn_like", _arns_are_plain_texts),
    "an explicit deny is skipped": ("explicitly_denied", _no),
    "boundaries are ignored": ("carries", _no_layer("boundary")),
    "session policies are ignored": ("carries", _no_layer("session")),
    "session policies of one session limit all": ("carries", _session_policies_are_shared),
    "groups are ignored": ("carries", _no_groups),
    "service control policies are ignored": ("has_service_control", _no),
    "one level of service control is enough": ("service_control_allows", _one_level_is_enough),
    "service-linked roles are limited": ("is_service_linked", _no),
    "resource control policies are ignored": ("has_resource_control", _no),
    "resource control policies cover all accounts": ("applies", _resource_control_is_everywhere),
    "resource control policies reach all services": ("has_resource_control", _resource_control_reaches_all_services),
    "the management account is limited": ("has_service_control", _management_account_is_limited),
    "endpoint policies are ignored": ("endpoint_allows", _yes),
    "a role does not name its sessions": ("naming", _no_session_by_role),
    "an account is its root user alone": ("naming", _account_is_its_root_user),
    "an account is granted without identity policies": ("naming", _account_grants_alone),
    "a grant to a role is not limited": ("naming", _role_grant_is_free),
    "keys and trusts leave it to identity policies": ("needs_own_policy", _no),
    "one side is enough across accounts": ("granted_across_accounts", aws.granted_within_account),
    "aws:PrincipalArn is the ARN of the session": ("context_of", _session_arn_as_principal_arn),
    "NotPrincipal denies nobody": ("not_principal_matches", _no),
    "tags and source identities need no permission": ("also_needed", _none),
    "what is no number is not a certain number": ("value_holds", _aliens_meet_negated),
}


@pytest.fixture(scope="session")
def right_answers():
    """Worlds with the right answers, which the engine gives too."""
    return [(world, aws.answer(world)[0]) for world in map(world_of, range(NOTICED_WITHIN))]


@pytest.mark.xdist_group("planted")
@pytest.mark.parametrize("name", PLANTED)
def test_the_random_worlds_notice_a_planted_error(monkeypatch, right_answers, name):
    place, mistake = PLANTED[name]
    monkeypatch.setattr(aws, place, mistake)
    assert any(expected != aws.decide(world) for world, expected in right_answers)


# -- the reducer --------------------------------------------------------------------------------


def test_the_reducer_keeps_what_matters_alone():
    world = next(
        world for world in map(world_of, range(NOTICED_WITHIN)) if aws.decide(world) == aws.ALLOW and _is_mixed(world)
    )
    before = copy.deepcopy(world)
    small = shrink(world, lambda other: aws.decide(other) == aws.ALLOW)
    assert before == world
    assert aws.ALLOW == aws.decide(small)
    assert sum(map(_size, small["policies"])) < sum(map(_size, world["policies"]))
    assert not any(aws.decide(_drop(small, number)) == aws.ALLOW for number in range(len(small["policies"])))


def _is_mixed(world: Json) -> bool:
    return len(world["policies"]) > 2 and sum(map(_size, world["policies"])) > 5


def _size(policy: Json) -> int:
    return len(aws.listed(policy["document"]["Statement"]))


def _drop(world: Json, number: int) -> Json:
    return world | {"policies": [*world["policies"][:number], *world["policies"][number + 1 :]]}
