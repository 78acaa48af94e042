from __future__ import annotations

import pytest

from idtrans.algebra import (
    ALWAYS,
    ANY_TEXT,
    EVERYTHING,
    NOTHING,
    PRINCIPAL,
    RESOURCE,
    STAR,
    AllOf,
    AnyOf,
    Box,
    Budget,
    Domain,
    Except,
    Gate,
    Has,
    IpSet,
    Opaque,
    Quantifier,
    Status,
    Template,
    Test,
    Truth,
    Unsure,
    Variable,
    all_of,
    any_of,
    difference,
    differences,
    evaluate,
    exact,
    glob,
    negate,
    one_of,
    prefix,
)
from idtrans.model.decisions import Knowledge, Request
from idtrans.model.values import Effect

ONE, ANY, ALL = Quantifier
EMPTY, WITNESS, UNKNOWN = Status


def allow(actions="s3:Get*", resources=ANY_TEXT, condition=ALWAYS, name="", principals=ANY_TEXT):
    return Box(Effect.ALLOW, "identity", principals, glob(actions, fold=True), resources, condition, name)


def deny(actions="s3:*", resources=ANY_TEXT, condition=ALWAYS, name=""):
    return Box(Effect.DENY, "identity", ANY_TEXT, glob(actions, fold=True), resources, condition, name)


def on(key, values, quantifier=ONE, missing=Truth.FALSE):
    return Test(key, quantifier, values, missing)


def check(new, old, **options):
    """Return the answer after replaying its witness."""
    answer = difference(new, old, **options)
    if answer.witness is not None:
        assert Truth.TRUE is evaluate(new, answer.witness).truth
        assert Truth.FALSE is evaluate(old, answer.witness).truth
        assert Knowledge.CLOSED is answer.witness.knowledge
    assert (answer.witness is not None) is (answer.status is WITNESS)
    return answer


IS = {text: on("k", exact(text)) for text in "ab"}
HOME = Template(("home/", Variable("user"), "/", STAR))


@pytest.mark.parametrize(
    ("new", "old", "status"),
    [
        (NOTHING, NOTHING, EMPTY),
        (EVERYTHING, EVERYTHING, EMPTY),
        (EVERYTHING, NOTHING, WITNESS),
        (EVERYTHING, allow("*"), EMPTY),
        (allow("*"), EVERYTHING, EMPTY),
        (allow(), allow(), EMPTY),
        (allow(), allow("s3:*"), EMPTY),
        (allow("s3:*"), allow(), WITNESS),
        (allow("S3:GET*"), allow("s3:get*"), EMPTY),
        (allow(resources=glob("b/*")), allow(resources=glob("b*")), EMPTY),
        (allow(resources=glob("b*")), allow(resources=glob("b/*")), WITNESS),
        (allow(principals=exact("x")), allow(principals=one_of(("x", "y"))), EMPTY),
        (allow(principals=one_of(("x", "y"))), allow(principals=exact("x")), WITNESS),
        (allow(condition=IS["a"]), allow(), EMPTY),
        (allow(), allow(condition=IS["a"]), WITNESS),
        (allow(condition=IS["a"]), allow(condition=IS["b"]), WITNESS),
        (allow(), AnyOf((allow(condition=IS["a"]), allow(condition=negate(IS["a"])))), EMPTY),
        (allow(), AnyOf((allow(condition=Has("k")), allow(condition=negate(Has("k"))))), EMPTY),
        (allow(), AnyOf((allow(condition=IS["a"]), allow(condition=on("k", ~exact("a"))))), WITNESS),
        (Except(allow("s3:*"), deny("s3:Put*")), allow("s3:*"), EMPTY),
        (allow("s3:*"), Except(allow("s3:*"), deny("s3:Put*")), WITNESS),
        (allow(), Except(allow("s3:*"), deny("s3:Put*")), EMPTY),
        (Except(allow("*"), deny("s3:*")), Except(allow("*"), deny("s3:Put*")), EMPTY),
        (Except(allow("*"), deny("s3:Put*")), Except(allow("*"), deny("s3:*")), WITNESS),
        (AllOf((allow("s3:*"), allow("s?:Get*"))), allow(), EMPTY),
        (allow(), AllOf((allow("s3:*"), Gate("limit", "scp", allow("*:Put*")))), WITNESS),
        (AllOf((EVERYTHING, allow())), allow("s3:*"), EMPTY),
        (AllOf((AnyOf((EVERYTHING, allow())), EVERYTHING)), allow("s3:*"), WITNESS),
    ],
)
def test_plain_questions(new, old, status):
    assert status is check(new, old).status


def test_wrong_order_of_gates_changes_nothing():
    one, two = AnyOf((allow("s3:*"), allow("ec2:*"))), AnyOf((allow("*:Get*"),))
    assert EMPTY is check(AllOf((one, two)), AllOf((two, one))).status
    assert EMPTY is check(Except(AllOf((one, two)), deny()), Except(AllOf((two, one)), deny())).status


def test_the_same_statement_under_fewer_limits_is_compared():
    access = Except(allow("s3:*"), AnyOf((deny("s3:Put*"), Gate("more", "identity", AnyOf((deny("s3:Delete*"),))))))
    assert WITNESS is check(Except(allow("s3:*"), deny("s3:Put*")), access).status
    assert EMPTY is check(access, Except(allow("s3:*"), deny("s3:Put*"))).status


def test_one_answer_for_each_new_statement():
    new = AnyOf(
        (allow(name="kept"), allow("s3:Put*", name="added"), allow("s3:List*", condition=Opaque("x"), name="odd"))
    )
    answers = differences(new, allow(name="before"))
    assert [("kept", EMPTY), ("added", WITNESS), ("odd", UNKNOWN)] == [
        (one.box and one.box.name, one.status) for one in answers
    ]
    first = difference(new, allow())
    assert ("added", WITNESS, ()) == (first.box and first.box.name, first.status, first.unsure)


def test_what_is_unsure_stays_beside_a_witness():
    odd = allow("s3:List*", condition=Opaque("x"))
    answer = check(AnyOf((odd, allow("s3:Put*"))), NOTHING)
    assert WITNESS is answer.status
    assert [Unsure(odd, "depends on `x`, which is not understood")] == list(answer.unsure)


@pytest.mark.parametrize(
    ("new", "old", "status"),
    [
        (Opaque("x"), Opaque("x"), EMPTY),
        (Opaque("x"), ALWAYS, EMPTY),
        (ALWAYS, Opaque("x"), UNKNOWN),
        (Opaque("x"), Opaque("y"), UNKNOWN),
        (all_of(Opaque("x"), IS["a"]), Opaque("x"), EMPTY),
        (Opaque("x"), all_of(Opaque("x"), IS["a"]), UNKNOWN),
        (any_of(Opaque("x"), IS["a"]), all_of(Opaque("x"), IS["b"]), WITNESS),
        (any_of(IS["a"], IS["b"]), any_of(IS["a"], all_of(IS["b"], Opaque("x"))), UNKNOWN),
    ],
)
def test_what_is_not_understood(new, old, status):
    # Another resource keeps the statements apart: equal ones would be skipped.
    assert status is check(allow(condition=new, resources=glob("b/*")), allow(condition=old)).status


@pytest.mark.parametrize(
    ("new", "old", "status"),
    [
        (HOME, HOME, EMPTY),
        (HOME, glob("home/*"), EMPTY),
        (HOME, glob("home/*/*"), EMPTY),
        (HOME, glob("home/a/*"), WITNESS),
        (glob("home/*"), HOME, WITNESS),
        (Template(("home/", Variable("user"), "/x")), HOME, EMPTY),
        ((exact("q"), HOME), HOME, WITNESS),
        (Template((Variable("user"),)), exact("fixed"), WITNESS),
        (Template(("a", Variable("user", "b")), fold=True), exact("ab"), WITNESS),
        (Template(("a", Variable("user", "b"))), Template(("a", Variable("user"))), WITNESS),
        (Template((Variable("u"), "/", Variable("v"))), Template((Variable("v"), "/", Variable("u"))), WITNESS),
    ],
)
def test_variables(new, old, status):
    assert status is check(allow(resources=new), allow("s3:*", resources=old)).status


def test_a_deny_on_a_fixed_text_meets_a_variable():
    new = allow(resources=HOME)
    old = Except(allow(resources=HOME), deny(resources=glob("home/alice/*")))
    answer = check(new, old)
    assert ("alice",) == answer.witness.context["user"]


def test_a_variable_is_given_a_text_where_that_helps():
    witness = check(allow(resources=HOME), allow("s3:*", resources=glob("q*"))).witness
    assert ("x",) == witness.context["user"]
    assert "home/x/" == witness.resource


def test_variables_in_conditions_on_many_values():
    template = Template(("team-", Variable("team")))
    new = allow(condition=on("tags", template, ANY))
    assert WITNESS is check(new, NOTHING).status
    assert EMPTY is check(new, allow("s3:*", condition=on("tags", prefix("team-"), ANY))).status
    negated = Template(("team-", Variable("team")), negated=True)
    everyone = AnyOf((new, allow(condition=on("tags", negated, ALL, Truth.TRUE))))
    assert EMPTY is check(allow(), everyone).status


def test_variables_without_a_value_that_helps_are_unknown():
    # The value would have to be equal to a text that it is a part of.
    new = allow(resources=Template((Variable("u"), Variable("u"))), condition=on(RESOURCE, one_of(("xy", "yx"))))
    answer = check(new, NOTHING)
    assert UNKNOWN is answer.status
    assert "depends on the values of `u` in patterns" == answer.unsure[0].reason


@pytest.mark.parametrize(
    ("new", "old", "status"),
    [
        (on("m", exact("a"), ANY), on("m", one_of("ab"), ANY), EMPTY),
        (on("m", exact("a"), ANY), on("m", exact("a"), ALL, Truth.TRUE), WITNESS),
        (on("m", exact("a"), ALL, Truth.TRUE), on("m", exact("a"), ANY), WITNESS),
        (all_of(on("m", exact("a"), ALL, Truth.TRUE), Has("m")), on("m", exact("a"), ANY), EMPTY),
        (all_of(on("m", exact("a"), ANY), on("m", exact("b"), ANY)), NOTHING, WITNESS),
        (all_of(on("m", exact("a"), ANY), on("m", exact("b"), ALL, Truth.TRUE)), NOTHING, EMPTY),
        (all_of(on("m", exact("a"), ANY), on("m", exact("b"))), NOTHING, EMPTY),
        (on("m", exact("a"), ANY), any_of(on("m", exact("a")), on("m", ~exact("a"), ANY)), EMPTY),
    ],
)
def test_many_values(new, old, status):
    before = old if old is NOTHING else allow("s3:*", condition=old)
    assert status is check(allow(condition=new), before).status


def test_a_key_with_one_value_cannot_hold_two():
    new = allow(condition=all_of(on("m", exact("a"), ANY), on("m", exact("b"), ANY)))
    assert EMPTY is check(new, NOTHING, domain=Domain(multivalued=frozenset())).status
    assert ("a", "b") == check(new, NOTHING, domain=Domain(multivalued=frozenset(("m",)))).witness.context["m"]
    assert EMPTY is check(new, NOTHING, domain=Domain(single="m".__eq__)).status
    assert ("a", "b") == check(new, NOTHING, domain=Domain(single="k".__eq__)).witness.context["m"]


def test_a_required_key_is_never_absent():
    new, old = allow(), AnyOf((allow(condition=IS["a"]), allow(condition=on("k", ~exact("a")))))
    assert EMPTY is check(new, old, domain=Domain(required=frozenset(("k",)))).status


def test_addresses():
    inside, wide = IpSet.of(["10.1.0.0/16"]), IpSet.of(["10.0.0.0/8"])
    assert EMPTY is check(allow(condition=on("ip", inside)), allow("s3:*", condition=on("ip", wide))).status
    assert WITNESS is check(allow(condition=on("ip", wide)), allow("s3:*", condition=on("ip", inside))).status
    assert EMPTY is check(allow(condition=on("ip", ~wide)), allow("s3:*", condition=on("ip", ~inside))).status


def test_a_key_of_two_kinds():
    address = on("ip", IpSet.of(["10.0.0.0/8"]))
    both = all_of(address, on("ip", prefix("10.")))
    assert WITNESS is check(allow(condition=both), NOTHING).status
    answer = check(allow(condition=all_of(address, on("ip", prefix("11.")))), NOTHING)
    assert UNKNOWN is answer.status
    assert "too large: `ip` is compared as ip and as text" == answer.unsure[0].reason


def test_an_unclear_answer_for_an_absent_key():
    unclear = on("k", glob("a*"), missing=Truth.UNKNOWN)
    assert UNKNOWN is check(allow(condition=all_of(unclear, negate(Has("k")))), NOTHING).status
    assert WITNESS is check(allow(condition=unclear), NOTHING).status


def test_the_budget():
    new = allow(resources=glob("b*"))
    answer = check(new, allow(resources=glob("?*")), budget=Budget(steps=1))
    assert UNKNOWN is answer.status
    assert "too large: the question is too large" == answer.unsure[0].reason
    assert UNKNOWN is check(new, allow(resources=glob("?*")), budget=Budget(seconds=-1)).status


ACTIONS = ("ec2:RunInstances", "s3:GetBucketAcl", "s3:GetObject", "s3:PutObject")


def kinds_of_resource(action):
    return {"s3:GetObject": glob("object/*"), "s3:GetBucketAcl": glob("bucket/*")}.get(action)


@pytest.mark.parametrize(
    ("new", "old", "action"),
    [
        (allow("s3:*"), allow("s3:Get*"), "s3:PutObject"),
        (allow("s3:g*"), allow("s3:*Object"), "s3:GetBucketAcl"),
        (allow("*"), allow("s3:*"), "ec2:RunInstances"),
        (allow("s3:*"), AnyOf((allow("s3:GetObject"), allow("s3:PutObject"))), "s3:GetBucketAcl"),
        (allow("*"), AnyOf(tuple(allow(action) for action in ACTIONS)), "x"),
        (EVERYTHING, NOTHING, "x"),
    ],
)
def test_witnesses_take_known_actions(new, old, action):
    assert action == check(new, old, domain=Domain(actions=ACTIONS)).witness.action


@pytest.mark.parametrize(
    ("new", "old", "action", "resource"),
    [
        (allow("s3:Get*"), NOTHING, "s3:GetBucketAcl", "bucket/"),
        (allow("s3:Get*", glob("object*")), NOTHING, "s3:GetObject", "object/"),
        (allow("s3:Get*"), AnyOf((allow("s3:*", glob("bucket*")), allow("s3:GetX"))), "s3:GetObject", "object/"),
        (allow("s3:*"), allow("s3:Get*"), "s3:PutObject", "x"),
        (allow("s3:GetObject", glob("q*")), NOTHING, "s3:GetObject", "q"),
    ],
)
def test_witnesses_take_fitting_resources(new, old, action, resource):
    domain = Domain(actions=ACTIONS, resource_hint=kinds_of_resource)
    witness = check(new, old, domain=domain).witness
    assert (action, resource) == (witness.action, witness.resource)


def name_of(principal):
    kind, _, name = principal.partition("/")
    return {"name": (name,)} if kind == "user" else {}


def users(test):
    if isinstance(test, Has):
        return prefix("user/")
    names = test.values.members()
    return None if names is None else one_of(f"user/{name}" for name in names)


NAMES = Domain(derived=frozenset(("name",)), derive=name_of, inverse=users)


def test_keys_that_follow_from_the_principal():
    alice = allow(condition=on("name", exact("alice")))
    assert "user/alice" == check(alice, NOTHING, domain=NAMES).witness.principal
    assert EMPTY is check(alice, allow("s3:*", principals=exact("user/alice")), domain=NAMES).status
    assert WITNESS is check(allow(), allow(condition=Has("name")), domain=NAMES).status
    assert EMPTY is check(allow(principals=exact("role/x"), condition=Has("name")), NOTHING, domain=NAMES).status


def test_keys_that_follow_in_a_way_that_cannot_be_said():
    answer = check(allow(principals=glob("user/*"), condition=on("name", glob("?b"))), NOTHING, domain=NAMES)
    assert UNKNOWN is answer.status
    assert "depends on `name`, which follow from the principal" == answer.unsure[0].reason
    assert EMPTY is check(allow(condition=on("name", glob("?b"))), allow("s3:*"), domain=NAMES).status


def test_variables_that_follow_from_the_principal():
    home = Template(("home/", Variable("name")))
    witness = check(allow(resources=home), allow("s3:*", resources=exact("home/x")), domain=NAMES).witness
    assert witness.principal.startswith("user/")
    fixed = allow(principals=one_of(("user/alice", "user/bob")), resources=home)
    answer = check(fixed, allow("s3:*", resources=exact("home/bob")), domain=NAMES)
    assert ("user/alice", "home/alice") == (answer.witness.principal, answer.witness.resource)


def test_a_variable_that_reads_the_principal():
    own = Template(("of/", Variable(PRINCIPAL)))
    answer = check(allow(resources=own, principals=glob("p*")), NOTHING)
    assert f"of/{answer.witness.principal}" == answer.witness.resource


def test_a_witness_says_no_more_than_it_must():
    condition = all_of(IS["a"], any_of(on("z", exact("1")), negate(Has("z"))))
    assert (
        Request("x", "s3:get", "x", {"k": ("a",)}, Knowledge.CLOSED)
        == check(allow(condition=condition), NOTHING).witness
    )
