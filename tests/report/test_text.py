"""Every answer in text and in JSON, with ordinary and with hostile names."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from idtrans import report
from idtrans.model.answers import (
    Admission,
    CapabilitiesAnswer,
    CapabilityLine,
    CloudCount,
    Demonstration,
    FederationAnswer,
    FederationPart,
    GraphCount,
    Remark,
    RuleLine,
    RulePage,
    RulesAnswer,
    TokenAnswer,
    TranslatedTrust,
    TranslationsAnswer,
    TrustAnswer,
    TrustsAnswer,
)
from idtrans.model.artifacts import Argv, ArtifactFormat, Emission, Loss, LossEffect, Native, TerraformBlock
from idtrans.model.decisions import Decision, Knowledge, Outcome, Reason, Request, WhoCan
from idtrans.model.diffs import Change, DiffReport, DiffVerdict
from idtrans.model.documents import Unsupported
from idtrans.model.findings import AuditReport, Finding, FindingState, NotEvaluated
from idtrans.model.intents import ClaimPin, FederationIntent
from idtrans.model.spans import NOWHERE
from idtrans.model.suites import CaseResult, Expectation, SuitesAnswer
from idtrans.model.translations import (
    CapabilityVerdict,
    Extra,
    Residue,
    TargetGrant,
    Translation,
    TranslationSource,
)
from idtrans.model.values import UNKNOWN, Confidence, Effect, Plane, Reach, Severity, Verdict
from idtrans.report import Colour, json_v1, text
from idtrans.report._json_parts import plain
from tests.fakes import source

HOSTILE = ["\x1b]0;title\x07\x1b[31mred\x1b[0m", "line\nbreak", "\u202eright", "\ud800", "${x}'\"`$(y)", "\x9b2J"]


def answers(name):
    """One answer of each kind, with a name wherever a name can stand."""
    place = source(name, "/p")
    reason = Reason(name, Effect.ALLOW, name, place, name)
    request = Request(name, name, name, {name: (name, name)}, Knowledge.CLOSED)
    decision = Decision(request, Outcome.CONDITIONAL, name, {"op": name}, (reason, reason), (name,) * 9)
    other = Decision(request, Outcome.UNKNOWN, None, None, (Reason("l", Effect.DENY, name),))
    change = Change(name, request, name, place, (name,) * 9)
    finding = Finding(
        rule=name,
        severity=Severity.HIGH,
        confidence=Confidence.LOW,
        title=name,
        message=name,
        cloud=name,
        subject=name,
        locations=(place, place),
        fingerprint="f",
        remediation=name,
        evidence={name: (name, Reach.TENANT, frozenset({name}), {name: name}, UNKNOWN, 1, None)},
    )
    unread = (NotEvaluated(place, name, name), NotEvaluated(NOWHERE, name))
    audit = AuditReport((finding,), unread, {"high": 1})
    unsupported = (Unsupported(name, place),)
    trust = TrustAnswer(
        cloud=name,
        kind="web-identity",
        target=name,
        source=place,
        reach=Reach.PLATFORM,
        issuer_kind=name,
        issuer=name,
        provider_reach=UNKNOWN,
        admits=(name,),
        outsiders=({name: name, "list": (name,)},),
        remarks=(Remark(name, name),),
    )
    emission = Emission(
        (Native("k", name, {name: name}),),
        (Argv(("aws", name), name),),
        (TerraformBlock("resource", ("a", "b"), {"name": name}),),
        placeholders=(name,),
    )
    losses = (Loss(name, LossEffect.DROP, name),)
    intent = FederationIntent(name, name, name, (name,), (ClaimPin(name, (name,)),))
    part = FederationPart(name, Reach.WORKLOAD, emission, losses)
    federation = FederationAnswer(intent, (part, FederationPart(name, Reach.DEAD, Emission())), "on: {}\n")
    capability = CapabilityVerdict(
        name, name, Verdict.NARROWER, name, (name,) * 9, (Extra(name, UNKNOWN), Extra(name, Plane.DATA)), (name,)
    )
    translation = Translation(
        source=TranslationSource(name, name),
        principal=name,
        target=name,
        verdict=Verdict.BROADER,
        reasons=(name,),
        grants=(TargetGrant(name, name, name, name), TargetGrant(name, None, name)),
        capabilities=(capability, CapabilityVerdict(name, name, Verdict.EXACT)),
        residue=(Residue(name, (name,)),) * 20,
        emission=emission,
        placeholders=(name,),
        losses=losses,
    )
    origin = TranslationSource(name, name)
    translated = (
        TranslatedTrust(origin, name, name, name, Verdict.NARROWER, Reach.PROJECT, (emission, emission), losses),
        TranslatedTrust(origin, name, "", name, Verdict.REFUSED, losses=losses),
    )
    translations = TranslationsAnswer((translation, translation), unsupported, trusts=translated)
    counts = GraphCount({name: 1}, {name: 2})
    return [
        decision,
        other,
        WhoCan(name, name, (decision,), (other,) * 12, 13),
        WhoCan(name, name, ()),
        DiffReport(DiffVerdict.NEW_ACCESS, (change,), (Change(name, request, name),), unread),
        audit,
        TrustsAnswer((trust,), TokenAnswer(Admission.NO, (name,)), unsupported),
        federation,
        RulesAnswer((RuleLine(name, name, Severity.INFO, (name,), name),)),
        SuitesAnswer(
            (
                CaseResult(name, name, place, Expectation.DENY, Outcome.ALLOW, (reason,), (name,) * 9),
                CaseResult(name, name, place, Expectation.ALLOW, Outcome.ALLOW),
            )
        ),
        RulePage(name, f"# {name}\n\nx\n"),
        CapabilitiesAnswer((CapabilityLine(name, name, name, name, {name: (name,)}, {f"{name}2": name}),)),
        translations,
        TranslationsAnswer((translation,), trusts=translated),
        Demonstration(
            (CloudCount(name, 1, 2, 3, 4, 5, 6),), counts, audit, {name: "trust"}, translations, federation
        ),
    ]  # fmt: skip


KINDS = [f"{index}-{type(answer).__name__}" for index, answer in enumerate(answers("n"))]


@pytest.mark.parametrize("index", range(len(KINDS)), ids=KINDS)
@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_steers_a_terminal(index, name):
    answer = answers(name)[index]
    for line in text(answer).split("\n"):
        assert line.isprintable(), line
    coloured = text(answer, Colour.ANSI).replace("\x1b[0m", "")
    assert all(part.startswith(("1;31m", "31m", "32m", "33m", "1m", "2m")) for part in coloured.split("\x1b[")[1:])


@pytest.mark.parametrize("index", range(len(KINDS)), ids=KINDS)
@pytest.mark.parametrize("name", ["plain", *HOSTILE])
def test_json_is_plain_ascii_and_keeps_its_schema(index, name):
    written = json_v1(answers(name)[index])
    assert written.isascii()
    found = json.loads(written)
    report.schemas()[found["schema"]].model_validate(found)
    shown = name.encode("utf-8", "replace").decode()
    if not isinstance(answers(name)[index], Demonstration):
        assert json.dumps(shown)[1:-1] in written


@pytest.mark.parametrize("form", list(ArtifactFormat))
@pytest.mark.parametrize("name", HOSTILE)
def test_artifacts_are_safe_inside_texts(form, name):
    for answer in answers(name):
        if isinstance(answer, FederationAnswer):
            shown = text(FederationAnswer(answer.intent, answer.parts, answer.workflow, form))
        elif isinstance(answer, TranslationsAnswer):
            shown = text(TranslationsAnswer(answer.translations, (), form, answer.trusts))
        else:
            continue
        assert all(line.isprintable() for line in shown.split("\n"))


def test_an_answer_of_no_kind():
    with pytest.raises(TypeError, match="no JSON output for str"):
        json_v1("x")


def test_every_answer_has_a_published_schema():
    written = {json.loads(json_v1(answer))["schema"] for answer in answers("n")}
    assert written < set(report.schemas())


DECISION = """\
allow: ana may get on b
  allow by identity  statement reads  p.json#/s
"""
NOTHING = "implicit-deny: ana may not get on b: nothing allows it\n"
DENIED = """\
explicit-deny: ana may not get on b: a statement denies it
  context keys that were not given are taken as absent
  deny by scp  x (its condition fails)
"""


@pytest.mark.parametrize(
    ("decision", "shown"),
    [
        (
            Decision(
                Request("ana", "get", "b"),
                Outcome.ALLOW,
                reasons=(Reason("identity", Effect.ALLOW, "statement reads", source("p.json", "/s")),),
            ),
            DECISION,
        ),
        (
            Decision(
                Request("ana", "get", "b", knowledge=Knowledge.CLOSED),
                Outcome.EXPLICIT_DENY,
                reasons=(Reason("scp", Effect.DENY, "x", why="its condition fails"),),
            ),
            DENIED,
        ),
        (Decision(Request("ana", "get", "b"), Outcome.IMPLICIT_DENY), NOTHING),
    ],
)
def test_decisions_in_words(decision, shown):
    assert shown == text(decision)


def _finding(severity, state=FindingState.NEW):
    return Finding(
        "r", severity, Confidence.HIGH, "Title", "message", "aws", "ana", (source("a.json"),), "f", "", {}, state
    )


def test_principals_with_the_same_reasons_are_told_together():
    reason = Reason("identity", Effect.ALLOW, "a policy")
    first, second, third = (
        Decision(Request(name, "a", "r"), Outcome.ALLOW, reasons=(reason, reason)) for name in "xyz"
    )
    third = replace(third, reasons=(Reason("identity", Effect.ALLOW, "another policy"),))
    shown = text(WhoCan("a", "r", (first, third, second), examined=4))
    expected = """3 principals of 4 may a on r
  allow        x
  allow        y
    allow by identity  a policy
  allow        z
    allow by identity  another policy
"""
    assert expected == shown


def test_findings_are_counted_by_severity():
    findings = (
        _finding(Severity.HIGH),
        _finding(Severity.LOW),
        _finding(Severity.LOW, FindingState.BASELINE),
        _finding(Severity.LOW, FindingState.SUPPRESSED),
    )
    shown = text(AuditReport(findings, ()))
    assert "2 findings: 1 high, 1 low; 2 in the baseline or suppressed\n" in shown
    assert 3 == shown.count("  Title  [r]")
    assert 1 == shown.count("(in the baseline)")


def test_no_findings():
    assert "no findings\n" == text(AuditReport((), ()))


def test_losses_of_every_target_are_told_once():
    loss = Loss("name", LossEffect.WIDEN, "why")
    own = Loss("pin", LossEffect.DROP, "cannot be tested")
    parts = (
        FederationPart("aws", Reach.WORKLOAD, Emission(), (loss,)),
        FederationPart("gcp", Reach.WORKLOAD, Emission(), (loss, own)),
    )
    shown = text(FederationAnswer(FederationIntent("i", "github", "n", ("s",)), parts, ""))
    assert 1 == shown.count("widen:")
    assert "gcp: reach workload\n  drop:  pin  cannot be tested\n" in shown


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"b": 1, "a": (Reach.DEAD, UNKNOWN)}, {"a": ["dead", "unknown"], "b": 1}),
        (frozenset({"b", "a"}), ["a", "b"]),
        ({Reach.DEAD: True}, {"dead": True}),
        ("\ud800", "?"),
        (1.5, 1.5),
        (source("a.json", "/x"), "a.json#/x"),
    ],
)
def test_any_value_of_the_model_becomes_json(value, expected):
    assert expected == plain(value)


TRANSLATED_TRUSTS = """\
narrower: trust of role/ci from aws to gcp  (t.json)
  tokens of  https://issuer.example
  reach      workload
  narrow:  claim sub  left out
  to fill in before it can be applied: <A>

--- gcp: n (k) -------------------------------------------------------------------------------------
{}

refused: trust of role/ci from aws to gcp  (t.json)
  tokens of  an issuer that is not known

0 translations, 2 trusts
"""


def test_trusts_in_another_cloud_in_words():
    origin = TranslationSource("aws", "t.json")
    loss = Loss("claim sub", LossEffect.NARROW, "left out")
    emission = Emission((Native("k", "n", {}),), placeholders=("<A>",))
    written = TranslatedTrust(
        origin, "role/ci", "https://issuer.example", "gcp", Verdict.NARROWER, Reach.WORKLOAD, (emission,), (loss,)
    )
    refused = TranslatedTrust(origin, "role/ci", "", "gcp", Verdict.REFUSED)
    answer = TranslationsAnswer((), trusts=(written, refused))
    assert TRANSLATED_TRUSTS == text(answer)
    found = json.loads(json_v1(answer))
    assert "idtrans/translations/v1" == found["schema"]
    first, second = found["trusts"]
    source = {"cloud": "aws", "path": "t.json", "principal": "role/ci"}
    assert {**source, "issuer": "https://issuer.example"} == first["source"]
    assert ("narrower", "workload", ["<A>"]) == (first["verdict"], first["reach"], first["placeholders"])
    assert ["n"] == [artifact["name"] for artifact in first["artifacts"]]
    assert {**source, "issuer": None} == second["source"]
    assert ("refused", None, []) == (second["verdict"], second["reach"], second["artifacts"])
