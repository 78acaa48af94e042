"""Rules over facts of a fake cloud: findings, what is left open, fingerprints, baselines and suppressions."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from idtrans.algebra import ALWAYS
from idtrans.audit import (
    Persona,
    audit,
    collect_facts,
    credential_facts,
    fingerprint,
    load_rules,
    read_baseline,
    read_rule,
    read_suppressions,
)
from idtrans.documents import decode
from idtrans.federation import judge
from idtrans.model.documents import Unsupported
from idtrans.model.entities import Credential, CredentialKind, CredentialStatus, Principal, PrincipalKind
from idtrans.model.errors import DataError, UsageError
from idtrans.model.estate import Estate
from idtrans.model.facts import ExposureFact, GrantFact
from idtrans.model.findings import FindingState, NotEvaluated
from idtrans.model.values import UNKNOWN, Plane, Reach, Use
from idtrans.ports import Trust, TrustKind
from tests.audit.test_load import BODY
from tests.fakes import NOW, FakeCloud, estate_of, only, source


def rule(name="open", where='reach = { at_least = "platform" }', **front):
    keys = {
        "severity": "high",
        "select": "exposure",
        "message": "`{principal}` gets `{subject}`",
        "identity_fields": ["subject", "principal"],
        "persona": "regular",
    } | front
    lines = [f"{key} = {json.dumps(value)}" for key, value in keys.items()]
    text = "\n".join(
        [
            "+++",
            f'id = "{name}"',
            'title = "Open"',
            'confidence = "high"',
            'clouds = ["fake"]',
            'references = ["https://example.com"]',
            *lines,
            "[where]",
            where,
            "+++",
            "",
            BODY,
        ]
    )
    return read_rule(text, f"{name}.md")


def exposure(subject="bucket", reach=Reach.ANYONE, pointer="/0", **values):
    fact = ExposureFact(
        "fake", subject, source("e.json", pointer), "bucket", reach, "*", "policy", "read", Plane.DATA, Use.READ, False
    )
    return replace(fact, **values)


GRANT = GrantFact(
    "fake",
    "app",
    source("g.json"),
    PrincipalKind.SERVICE_IDENTITY,
    "Owner",
    "/",
    "root",
    Plane.ADMIN,
    True,
    False,
    False,
)


def run(*rules, exposed=(), granted=(), estate=None, **options):
    cloud = FakeCloud(exposed=tuple(exposed), granted=tuple(granted), remarks=options.pop("remarks", ()))
    return audit(estate or estate_of("user"), only(cloud), rules, **options)


# -- findings


def test_a_fact_that_meets_all_conditions_is_a_finding():
    report = run(rule(), exposed=[exposure()], granted=[GRANT])
    [found] = report.findings
    assert ("open", "high", "high", "Open", "fake", "bucket") == (
        found.rule,
        found.severity,
        found.confidence,
        found.title,
        found.cloud,
        found.subject,
    )
    assert "`*` gets `bucket`" == found.message
    assert "Use no keys, none at all." == found.remediation
    assert {"reach": "anyone"} == found.evidence
    assert (source("e.json", "/0"),) == found.locations
    assert FindingState.NEW is found.state
    assert () == report.not_evaluated


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ('resource_kind = { eq = "bucket" }', True),
        ('resource_kind = { eq = "queue" }', False),
        ('reach = { in = ["anyone", "dead"] }', True),
        ('reach = { in = ["tenant", "dead"] }', False),
        ('reach = { at_least = "anyone" }', True),
        ('plane = { at_least = "data" }', True),
        ('plane = { at_least = "crypto" }', False),
        ("conditional = { eq = false }", True),
        ("conditional = { eq = true }", False),
        ('plane = { in = ["data"] }\nuse = { eq = "read" }', True),
        ('plane = { in = ["data"] }\nuse = { eq = "write" }', False),
    ],
)
def test_conditions(where, found):
    report = run(rule(where=where), exposed=[exposure()])
    assert found == bool(report.findings)
    assert () == report.not_evaluated


@pytest.mark.parametrize(
    ("where", "days", "found"),
    [
        ("age_days = { gte = 90 }", 90, True),
        ("age_days = { gte = 90 }", 89, False),
        ("age_days = { lte = 90 }", 90, True),
        ("age_days = { lte = 90 }", 91, False),
        ("age_days = { gte = 10, lte = 20 }", 15, True),
        ("age_days = { gte = 10, lte = 20 }", 25, False),
        ("age_days = { in = [1, 2] }", 2, True),
        ("age_days = { eq = 3 }", 2, False),
    ],
)
def test_conditions_on_numbers(where, days, found):
    keys = rule(where=where, select="credential", message="{credential}", identity_fields=["credential"])
    report = run(keys, estate=Estate((key(created=NOW - timedelta(days=days)),), NOW))
    assert found == bool(report.findings)


def test_a_condition_on_notes_asks_for_one_of_them():
    web = trust(notes_in_trust=True)
    notes = rule(where='notes = { in = ["A", "B"] }', select="trust", message="{notes}", identity_fields=["subject"])
    found = audit(estate_of(), only(FakeCloud(trusted=(web,))), [notes]).findings
    assert [True] == ["B" in finding.message for finding in found]


@pytest.mark.parametrize(
    ("where", "fact", "field"),
    [
        ('reach = { at_least = "platform" }', exposure(reach=Reach.UNKNOWN), "reach"),
        ('reach = { eq = "dead" }', exposure(reach=Reach.UNKNOWN), "reach"),
        ('plane = { eq = "data" }', exposure(plane=UNKNOWN), "plane"),
        ('resource_kind = { eq = "bucket" }', exposure(resource_kind="unknown"), "resource_kind"),
        ('plane = { eq = "data" }\nreach = { eq = "anyone" }', exposure(plane=UNKNOWN), "plane"),
    ],
)
def test_what_is_not_known_is_neither_found_nor_clean(where, fact, field):
    report = run(rule(where=where), exposed=[fact])
    assert () == report.findings
    assert (NotEvaluated(fact.source, f"`{field}` of `bucket` is not known", "open"),) == report.not_evaluated


def test_a_condition_that_fails_settles_it_whatever_is_not_known():
    where = 'plane = { eq = "data" }\nreach = { eq = "dead" }'
    assert ((), ()) == (
        run(rule(where=where), exposed=[exposure(plane=UNKNOWN)]).findings,
        run(rule(where=where), exposed=[exposure(plane=UNKNOWN)]).not_evaluated,
    )


def test_values_are_put_into_messages_as_they_are():
    message = "{subject} {principal} {conditional} {plane} {use}"
    fact = exposure(subject="{principal}", principal="\x1b[31m{plane}", plane=Plane.DATA, use=UNKNOWN)
    [found] = run(rule(message=message), exposed=[fact]).findings
    assert "{principal} \x1b[31m{plane} no data unknown" == found.message


def test_findings_come_worst_first_then_by_rule_and_subject():
    rules = [rule("b-rule"), rule("a-rule"), rule("low", severity="low"), rule("bad", severity="critical")]
    found = run(*rules, exposed=[exposure("z"), exposure("a")]).findings
    assert [
        ("bad", "a"),
        ("bad", "z"),
        ("a-rule", "a"),
        ("a-rule", "z"),
        ("b-rule", "a"),
        ("b-rule", "z"),
        ("low", "a"),
        ("low", "z"),
    ] == [(finding.rule, finding.subject) for finding in found]


def test_one_defect_in_two_places_is_one_finding():
    places = [exposure(pointer="/0"), exposure(pointer="/1"), exposure(pointer="/1")]
    [found] = run(rule(), exposed=places).findings
    assert (source("e.json", "/0"), source("e.json", "/1")) == found.locations


def test_a_fingerprint_is_of_the_rule_and_the_identity_fields_alone():
    first = fingerprint(rule(), exposure())
    assert 32 == len(first)
    assert first == fingerprint(rule(severity="low", message="{use}"), exposure(pointer="/9", reach=Reach.TENANT))
    others = {
        fingerprint(rule("other"), exposure()),
        fingerprint(rule(), exposure("other")),
        fingerprint(rule(identity_fields=["subject"]), exposure()),
        fingerprint(rule(), exposure(principal="a")),
    }
    assert 4 == len(others - {first})
    assert fingerprint(rule(identity_fields=["plane"]), exposure(plane=UNKNOWN))


# -- which rules run


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({}, {"a", "b"}),
        ({"select": ["a"]}, {"a"}),
        ({"ignore": ["a"]}, {"b"}),
        ({"select": ["a", "b"], "ignore": ["a"]}, {"b"}),
        ({"select": ["picky"]}, {"picky"}),
        ({"persona": Persona.PEDANTIC}, {"a", "b", "picky"}),
        ({"persona": Persona.AUDITOR}, {"a", "b", "picky", "all"}),
    ],
)
def test_rules_are_chosen(options, names):
    rules = [rule("a"), rule("b"), rule("picky", persona="pedantic"), rule("all", persona="auditor")]
    report = run(*rules, exposed=[exposure()], **options)
    assert names == {finding.rule for finding in report.findings}
    assert len(names) == report.summary["rules"]


@pytest.mark.parametrize("option", ["select", "ignore"])
def test_a_rule_that_does_not_exist_cannot_be_named(option):
    with pytest.raises(UsageError, match="there is no rule `opne`"):
        run(rule(), **{option: ["opne"]})


def test_a_rule_for_a_cloud_that_does_not_exist_is_an_error():
    with pytest.raises(DataError, match=r"open\.md:5: unknown cloud `fake` \(known: other\)"):
        audit(estate_of(), only(FakeCloud(name="other")), [rule()])


def test_a_rule_looks_at_facts_of_its_clouds_only():
    assert () == run(rule(), exposed=[exposure(cloud="elsewhere")]).findings


# -- what was not understood


def test_what_was_not_understood_is_reported_once():
    odd = Unsupported("`x` is not understood", source("a.json"))
    report = run(rule(), estate=estate_of("user", unsupported=(odd, odd)))
    assert (NotEvaluated(source("a.json"), "`x` is not understood"),) == report.not_evaluated


def test_doubts_about_access_that_no_fact_shows_are_not_those_of_an_audit():
    doubt = Unsupported("the members of `g` are not known", source("a.json"))
    assert () == run(rule(), estate=estate_of("user"), remarks=(doubt,)).not_evaluated


def test_the_summary_counts():
    estate = estate_of("user")
    rules = [rule(), rule("low", severity="low")]
    report = run(*rules, exposed=[exposure(), exposure("b")], granted=[GRANT], estate=estate)
    assert {
        "critical": 0,
        "high": 2,
        "medium": 0,
        "low": 2,
        "info": 0,
        "baseline": 0,
        "suppressed": 0,
        "rules": 2,
        "facts": 3,
        "entities": 1,
        "documents": 0,
    } == report.summary


# -- facts


def key(identifier="AKIA", created=NOW - timedelta(days=100), **values):
    stated: dict[str, Any] = {
        "owner": "user",
        "status": CredentialStatus.ACTIVE,
        "source": source("keys.json", f"/{identifier}"),
    } | values
    return Credential("fake", identifier, CredentialKind.AWS_ACCESS_KEY, created=created, **stated)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, {"age_days": 100, "never_expires": True, "expires_in_days": UNKNOWN, "idle_days": 100}),
        ({"created": UNKNOWN}, {"age_days": UNKNOWN, "idle_days": UNKNOWN}),
        ({"created": None}, {"age_days": UNKNOWN, "idle_days": UNKNOWN}),
        ({"created": NOW + timedelta(days=2)}, {"age_days": 0}),
        ({"created": datetime(2026, 10, 1)}, {"age_days": 31}),  # noqa: DTZ001 - a time without a zone is the case
        ({"last_used": NOW - timedelta(days=3)}, {"age_days": 100, "idle_days": 3}),
        ({"last_used": UNKNOWN}, {"idle_days": UNKNOWN}),
        ({"expires": UNKNOWN}, {"never_expires": UNKNOWN, "expires_in_days": UNKNOWN, "status": "active"}),
        ({"expires": NOW + timedelta(days=7)}, {"never_expires": False, "expires_in_days": 7, "status": "active"}),
        ({"expires": NOW - timedelta(days=7)}, {"expires_in_days": -7, "status": "inactive"}),
        ({"expires": NOW, "status": UNKNOWN}, {"status": "inactive"}),
        ({"status": UNKNOWN}, {"status": UNKNOWN}),
        ({"owner": UNKNOWN}, {"subject": "unknown"}),
    ],
)
def test_ages_of_credentials(values, expected):
    [fact] = credential_facts(Estate((key(**values),), NOW))
    assert expected == {name: getattr(fact, name) for name in expected}


def test_two_documents_that_show_one_key_are_one_fact():
    listed = key("AKIA", name="AKIA", last_used=UNKNOWN)
    report = key("user#key_1", source=source("report.csv", "/2"), last_used=NOW - timedelta(days=1))
    for pair in ((listed, report), (report, listed)):
        [fact] = credential_facts(Estate(pair, NOW))
        assert ("AKIA", 1, "keys.json") == (fact.credential, fact.idle_days, fact.source.path)


def test_the_owner_of_a_key_may_be_spelled_in_two_ways():
    user = Principal("fake", "path/user", PrincipalKind.USER, source("u.json"), aliases=("user",))
    assert ["path/user"] == [fact.subject for fact in credential_facts(Estate((user, key()), NOW))]
    twin = replace(user, id="other/user")
    assert ["user"] == [fact.subject for fact in credential_facts(Estate((user, twin, key()), NOW))]


@pytest.mark.parametrize(
    "other",
    [
        key("AKIB"),
        key("AKIB", source=source("other.json"), created=NOW - timedelta(days=99)),
        key("AKIB", source=source("other.json"), status=CredentialStatus.INACTIVE),
        key("AKIB", source=source("other.json"), owner="somebody"),
    ],
)
def test_these_keys_are_two(other):
    assert 2 == len(credential_facts(Estate((key(), other), NOW)))


def test_keys_of_unknown_age_are_told_apart_by_id():
    keys = (key(created=UNKNOWN), key("AKIB", created=UNKNOWN, source=source("b.json")), key(created=UNKNOWN))
    assert ["AKIA", "AKIB"] == [fact.credential for fact in credential_facts(Estate(keys, NOW))]


def trust(target="role", reach=Reach.TENANT, pointer="/0", *, notes_in_trust=False):
    from idtrans.ports import Note

    notes = (Note("B", "b"),) if notes_in_trust else ()
    place = source("t.json", pointer)
    return Trust("fake", TrustKind.ACCOUNT, target, None, ALWAYS, place, reach=reach, notes=notes)


@pytest.mark.parametrize(
    ("trusts", "reaches"),
    [
        ((trust(reach=Reach.DEAD),), [Reach.DEAD]),
        ((trust(reach=Reach.DEAD), trust()), [Reach.TENANT]),
        ((trust(), trust(reach=Reach.DEAD)), [Reach.TENANT]),
        ((trust(reach=Reach.DEAD), trust(reach=Reach.UNKNOWN)), [Reach.UNKNOWN]),
        ((trust(reach=Reach.DEAD), trust(pointer="/1")), [Reach.DEAD, Reach.TENANT]),
        ((trust(reach=Reach.DEAD), trust("other")), [Reach.DEAD, Reach.TENANT]),
    ],
)
def test_a_binding_that_lives_through_one_provider_is_not_dead(trusts, reaches):
    facts = collect_facts(estate_of(), only(FakeCloud(trusted=trusts)))
    assert reaches == [fact.reach for fact in facts.trusts]
    assert len(reaches) == len(facts)


def test_trusts_on_equal_terms_are_judged_once(monkeypatch):
    asked = []

    def noted(trust):
        asked.append(trust)
        return judge(trust)

    monkeypatch.setattr("idtrans.audit._facts.judge", noted)
    trusts = (trust("a"), trust("b", pointer="/1"), trust("c", Reach.WORKLOAD))
    facts = collect_facts(estate_of(), only(FakeCloud(trusted=trusts))).trusts
    assert ["a", "c"] == [each.target for each in asked]
    assert [("a", "tenant"), ("b", "tenant"), ("c", "workload")] == [(fact.subject, fact.reach) for fact in facts]


# -- baseline and suppressions


def document(content, path="x.json"):
    return decode(content.encode(), path)


def findings_v1(*findings, schema="idtrans/findings/v1"):
    return document(json.dumps({"schema": schema, "findings": list(findings), "not_evaluated": [], "summary": {}}))


def test_what_a_baseline_holds_does_not_count():
    report = run(rule(), exposed=[exposure(), exposure("new")])
    [old] = [finding for finding in report.findings if finding.subject == "bucket"]
    baseline = read_baseline(findings_v1({"fingerprint": old.fingerprint, "state": "new", "more": 1}))
    again = run(rule(), exposed=[exposure(pointer="/7"), exposure("new")], baseline=baseline)
    assert {"bucket": "baseline", "new": "new"} == {finding.subject: finding.state for finding in again.findings}
    assert (1, 1) == (again.summary["high"], again.summary["baseline"])


def test_what_was_suppressed_is_not_in_the_baseline():
    [old] = run(rule(), exposed=[exposure()]).findings
    baseline = read_baseline(findings_v1({"fingerprint": old.fingerprint, "state": "suppressed"}))
    assert frozenset() == baseline.fingerprints


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (document("[]"), "not a baseline"),
        (document(""), "not a baseline"),
        (document("{}"), "not a baseline"),
        (findings_v1(schema="idtrans/trust/v1"), "not a baseline"),
        (document('{"schema": "idtrans/findings/v1"}'), "has a list of `findings`"),
        (findings_v1({"fingerprint": "0" * 32}, {"rule": "x"}), "has no fingerprint"),
        (findings_v1("x"), "has no fingerprint"),
        (findings_v1({"fingerprint": "0" * 31}), "has no fingerprint"),
        (findings_v1({"fingerprint": 7}), "has no fingerprint"),
    ],
)
def test_a_document_that_is_no_baseline(content, message):
    with pytest.raises(DataError, match=message):
        read_baseline(content)


@pytest.mark.parametrize(
    ("entry", "state"),
    [
        ("{rule: open, reason: known}", "suppressed"),
        ("{rule: open, reason: known, subject: bucket}", "suppressed"),
        ("{rule: open, reason: known, subject: other}", "new"),
        ("{rule: other, reason: known}", "new"),
        ("{rule: open, reason: known, fingerprint: FINGERPRINT}", "suppressed"),
        ("{rule: open, reason: known, fingerprint: 00000000000000000000000000000000}", "new"),
        ("{rule: open, reason: known, expires: 2026-11-01}", "suppressed"),
        ("{rule: open, reason: known, expires: '2026-11-02'}", "suppressed"),
        ("{rule: open, reason: known, expires: 2026-10-31}", "new"),
    ],
)
def test_suppressions(entry, state):
    [plain] = run(rule(), exposed=[exposure()]).findings
    text = (
        f"- {entry}\n".replace("FINGERPRINT", f"'{plain.fingerprint}'")
        .replace(": 000", ": '000")
        .replace("000}", "000'}")
    )
    suppressions = read_suppressions(document(text, "idtrans-suppressions.yaml"))
    report = run(rule(), exposed=[exposure()], suppressions=suppressions)
    assert [state] == [finding.state for finding in report.findings]
    assert (state == "suppressed") == ("suppressed" in report.findings[0].evidence)


def test_a_suppression_that_ended_is_said_with_the_finding():
    text = "- {rule: open, reason: a, expires: 2026-10-30}\n- {rule: open, reason: b, expires: 2026-10-31}\n"
    report = run(rule(), exposed=[exposure()], suppressions=read_suppressions(document(text, "s.yaml")))
    assert {"reach": "anyone", "suppression_expired": "2026-10-31"} == report.findings[0].evidence


def test_a_suppression_wins_over_the_baseline():
    [plain] = run(rule(), exposed=[exposure()]).findings
    baseline = read_baseline(findings_v1({"fingerprint": plain.fingerprint}))
    suppressions = read_suppressions(document("- {rule: open, reason: known}\n", "s.yaml"))
    report = run(rule(), exposed=[exposure()], baseline=baseline, suppressions=suppressions)
    assert ["suppressed"] == [finding.state for finding in report.findings]


def test_no_suppressions():
    assert () == read_suppressions(document("", "s.yaml"))
    assert () == read_suppressions(document("[]", "s.yaml"))


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("rule: open\n", "are a list of entries", 1),
        ("- {rule: open}\n", "`reason` is not valid: field required", 1),
        ("- {rule: open, reason: ''}\n", "`reason` is not valid", 1),
        ("- {rule: open, reason: x}\n- {rule: open, reason: x, until: never}\n", "unknown key `until`", 2),
        ("- {rule: open, reason: x, expires: soon}\n", "`expires` is not valid", 1),
        ("- {rule: open, reason: x, fingerprint: '12'}\n", "`fingerprint` is not valid", 1),
        ("- open\n", "`entry 1` is not valid", 1),
        ("- {rule: open, reason: x, reason: y}\n", "is written more than once", 1),
    ],
)
def test_wrong_suppressions_are_an_error_with_their_line(text, message, line):
    with pytest.raises(DataError, match=message) as caught:
        read_suppressions(document(text, "s.yaml"))
    assert caught.value.source is not None
    assert line == caught.value.source.line


# -- the bundled rules together


def test_a_pool_open_at_both_ends_has_two_defects(tmp_path):
    from idtrans.api import load, trusters

    [pool] = [each for each in load_rules() if each.id == "whole-pool-principal-set"]
    provider, binding = pool.page.section("Example").snippets
    opened = json.loads(provider.text)
    del opened[0]["attributeCondition"]
    (tmp_path / "provider.json").write_text(json.dumps(opened), "utf-8")
    (tmp_path / "binding.json").write_text(binding.text, "utf-8")
    entries = [{"path": "provider.json"}, {"path": "binding.json", **dict(binding.hints)}]
    (tmp_path / "estate.yaml").write_text(json.dumps(entries), "utf-8")
    report = audit(load([tmp_path], now=datetime(2026, 11, 1, tzinfo=UTC)), trusters(), load_rules())
    assert ["trust-without-subject", "whole-pool-principal-set"] == [finding.rule for finding in report.findings]


def test_a_grant_that_nobody_can_measure_is_told_where_rules_look_at_grants():
    open_end = replace(GRANT, owner_like=UNKNOWN)
    on_grants = rule("g", "conditional = { eq = true }", select="grant", message="x", identity_fields=["subject"])
    report = run(on_grants, granted=[open_end], estate=estate_of("user"))
    assert [f"what `{GRANT.role}` gives `{GRANT.subject}` is not known in full"] == [
        note.reason for note in report.not_evaluated
    ]
    assert () == run(rule(), granted=[open_end], estate=estate_of("user")).not_evaluated
