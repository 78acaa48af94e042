from __future__ import annotations

import pytest

from idtrans.algebra import (
    ALWAYS,
    ANY_TEXT,
    EVERYTHING,
    NEVER,
    NOTHING,
    RESOURCE,
    AllOf,
    AnyOf,
    Box,
    Except,
    Gate,
    Has,
    IpSet,
    Opaque,
    Quantifier,
    Template,
    Test,
    Truth,
    Variable,
    all_of,
    any_of,
    boxes,
    decide,
    describe,
    evaluate,
    exact,
    glob,
    negate,
    to_ast,
)
from idtrans.model.decisions import Knowledge, Outcome, Reason, Request
from idtrans.model.spans import Place, Source
from idtrans.model.values import Effect

HERE = Source(Place("policy.json"), "/Statement/0")
MFA = Test("mfa", Quantifier.ONE, exact("true"), label="aws:MultiFactorAuthPresent")
NETWORK = Test("ip", Quantifier.ONE, IpSet.of(["10.0.0.0/8"]), label="aws:SourceIp")


def allow(actions="s3:Get*", resources=ANY_TEXT, condition=ALWAYS, name="allow", principals=ANY_TEXT):
    return Box(Effect.ALLOW, "identity", principals, glob(actions), resources, condition, name, HERE)


def deny(actions="s3:*", resources=ANY_TEXT, condition=ALWAYS, name="deny"):
    return Box(Effect.DENY, "identity", ANY_TEXT, glob(actions), resources, condition, name, HERE)


def ask(action="s3:GetObject", resource="bucket/a", knowledge=Knowledge.OPEN, **context):
    return Request("alice", action, resource, {key: (value,) for key, value in context.items()}, knowledge)


def names(decision):
    return [reason.statement for reason in decision.reasons]


@pytest.mark.parametrize(
    ("access", "request_", "outcome", "reasons"),
    [
        (NOTHING, ask(), Outcome.IMPLICIT_DENY, []),
        (EVERYTHING, ask(), Outcome.ALLOW, []),
        (allow(), ask(), Outcome.ALLOW, ["allow"]),
        (allow(), ask("s3:PutObject"), Outcome.IMPLICIT_DENY, []),
        (allow(resources=glob("other/*")), ask(), Outcome.IMPLICIT_DENY, []),
        (allow(principals=exact("bob")), ask(), Outcome.IMPLICIT_DENY, []),
        (allow(resources=(exact("other"), glob("bucket/*"))), ask(), Outcome.ALLOW, ["allow"]),
        (Except(allow(), deny()), ask(), Outcome.EXPLICIT_DENY, ["deny"]),
        (Except(NOTHING, deny()), ask(), Outcome.EXPLICIT_DENY, ["deny"]),
        (Except(allow(), deny(condition=MFA)), ask(mfa="false"), Outcome.ALLOW, ["allow"]),
        (Except(allow(), deny("s3:Put*")), ask(), Outcome.ALLOW, ["allow"]),
        (AllOf((allow(name="one"), allow(name="two"))), ask(), Outcome.ALLOW, ["one", "two"]),
        (AnyOf((Except(allow(name="one"), deny()), allow(name="two"))), ask(), Outcome.ALLOW, ["one", "two"]),
        (Except(allow(), AnyOf((deny(name="x"), deny(name="y", condition=MFA)))), ask(), Outcome.EXPLICIT_DENY, ["x"]),
    ],
)
def test_outcomes_and_what_decided(access, request_, outcome, reasons):
    decision = decide(access, request_)
    assert (outcome, reasons) == (decision.outcome, names(decision))
    assert request_ == decision.request


def test_a_reason_says_where():
    assert (Reason("identity", Effect.ALLOW, "allow", HERE),) == decide(allow(), ask()).reasons


def test_a_residual_says_what_it_depends_on():
    decision = decide(allow(condition=all_of(NETWORK, MFA)), ask(mfa="true"))
    assert Outcome.CONDITIONAL is decision.outcome
    assert "aws:SourceIp in `10.0.0.0/8`" == decision.condition
    assert to_ast(NETWORK) == decision.residual
    assert ["depends on aws:SourceIp in `10.0.0.0/8`"] == [reason.why for reason in decision.reasons]
    assert () == decision.notes


def test_the_same_request_closed_is_denied_with_the_reason():
    decision = decide(allow(condition=all_of(NETWORK, MFA)), ask(knowledge=Knowledge.CLOSED, mfa="true"))
    assert Outcome.IMPLICIT_DENY is decision.outcome
    assert ["needs aws:SourceIp in `10.0.0.0/8`, aws:SourceIp is absent"] == [reason.why for reason in decision.reasons]


def test_near_misses_say_what_the_request_has():
    condition = all_of(any_of(MFA, Test("age", Quantifier.ONE, exact("5"))), Has("z"))
    expected = (
        "needs aws:MultiFactorAuthPresent is `true` or age is `5`, aws:MultiFactorAuthPresent is `false` and age is `7`"
    )
    assert expected == decide(allow(condition=condition), ask(mfa="false", age="7", z="1")).reasons[0].why


def test_near_misses_that_contradict_themselves():
    assert "needs never, which never holds" == decide(allow(condition=NEVER), ask()).reasons[0].why


def test_conflicting_parts_are_shown_whole():
    condition = all_of(any_of(MFA, Has("a")), any_of(negate(MFA), Has("a")))
    decision = decide(allow(condition=condition), ask(knowledge=Knowledge.OPEN, a=""))
    assert Outcome.ALLOW is decision.outcome
    denied = decide(allow(condition=condition), Request("alice", "s3:GetObject", "r", {"a": ()}))
    assert Outcome.IMPLICIT_DENY is denied.outcome
    assert "aws:MultiFactorAuthPresent is not given" in str(denied.reasons[0].why)


def test_what_was_not_understood_makes_the_answer_unknown():
    odd = Opaque("StringWeird", "no such operator")
    decision = decide(allow(condition=odd), ask())
    assert (Outcome.UNKNOWN, ("`StringWeird`: no such operator",)) == (decision.outcome, decision.notes)
    assert () == decide(allow(condition=Opaque("x")), ask()).notes
    assert Outcome.UNKNOWN is decide(Except(allow(), deny(condition=odd)), ask()).outcome
    assert Outcome.UNKNOWN is decide(allow(condition=odd), ask(knowledge=Knowledge.CLOSED)).outcome


@pytest.mark.parametrize(
    ("access", "outcome"),
    [
        (AnyOf((allow(), allow(condition=Opaque("x")))), Outcome.ALLOW),
        (Except(allow(condition=Opaque("x")), deny()), Outcome.EXPLICIT_DENY),
        (allow("s3:Put*", condition=Opaque("x")), Outcome.IMPLICIT_DENY),
        (AnyOf((allow(condition=Opaque("x")), allow(condition=negate(Opaque("x"))))), Outcome.ALLOW),
    ],
)
def test_what_cannot_change_the_answer_does_not(access, outcome):
    assert outcome is decide(access, ask()).outcome


def test_a_shut_gate_is_named():
    access = AllOf((allow(), Gate("policies of ou-1", "scp", allow("ec2:*"), HERE), Gate("root", "scp", allow())))
    decision = decide(access, ask())
    assert Outcome.IMPLICIT_DENY is decision.outcome
    assert (Reason("scp", Effect.DENY, "policies of ou-1", HERE, "lets nothing of this pass"),) == decision.reasons


def test_what_a_role_leaves_out_is_named_but_is_no_deny():
    left_out = allow("s3:GetObject", name="notActions")
    decision = decide(Except(allow(), left_out), ask())
    assert (Outcome.IMPLICIT_DENY, ["notActions"]) == (decision.outcome, names(decision))
    assert decision.reasons[0].why is not None
    assert [] == names(decide(Except(allow("ec2:*"), left_out), ask()))


def test_variables_in_resources():
    home = Template(("bucket/", Variable("user")))
    assert Outcome.ALLOW is decide(allow(resources=home), ask(user="a")).outcome
    assert Outcome.IMPLICIT_DENY is decide(allow(resources=home), ask(user="b")).outcome
    open_ = evaluate(allow(resources=home), ask())
    assert (Truth.UNKNOWN, Test(RESOURCE, Quantifier.ONE, home)) == (open_.truth, open_.residual)
    assert "resource is `bucket/${user}`" == describe(open_.residual)


def test_all_statements_of_an_expression():
    access = Except(
        AllOf((AnyOf((allow(name="a"), allow(name="b"))), Gate("g", "scp", allow(name="c")))), deny(name="d")
    )
    assert ["a", "b", "c", "d"] == [box.name for box in boxes(access)]


def test_requests_can_be_kept_in_sets():
    assert 1 == len({ask(a="1"), ask(a="1")})
