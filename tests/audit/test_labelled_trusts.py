"""Trusts with labels that people gave them: how far they reach, and what has to be said of them."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import unquote

import pytest

from idtrans.api import trusters
from idtrans.audit import audit
from idtrans.federation import Admission, admits, judge
from idtrans.model.values import Reach, Severity, rank
from tests.audit.trust_documents import ROLE, RULES, estate_of

CASES = Path(__file__).parents[3] / "shared" / "cases"
TRUSTS = [
    case for path in sorted(CASES.glob("*.json")) if (case := json.loads(path.read_text("utf-8")))["kind"] == "trust"
]
BREADTHS = {
    "none": Reach.DEAD,
    "single_ref": Reach.WORKLOAD,
    "single_repo": Reach.PROJECT,
    "any_github_repo": Reach.PLATFORM,
    "any_tfc_organization": Reach.PLATFORM,
    "any_identity_pool_any_account": Reach.PLATFORM,
}
FINDINGS = {
    "cross_account_trust": "cross-account-trust-without-external-id",
    "missing_external_id": "cross-account-trust-without-external-id",
    "orphan_role": "trust-names-deleted-principal",
    "set-operator-on-single-valued-key": "set-operator-on-single-claim",
    "subject-shaped value under aud": "audience-and-subject-swapped",
    "no attribute condition (defence in depth), name-based": "provider-takes-every-tenant",
    "binding references unmapped attribute": "dead-trust",
}
SERVICE_ACCOUNT = "//iam.googleapis.com/projects/proj-a/serviceAccounts/"
needed = pytest.mark.skipif(not TRUSTS, reason="the labelled cases are not there")


def documents(given, provider=None):
    """Return the documents of a case."""
    found = []
    account = given.get("account", "111122223333")
    if "trust_policy" in given or "trust_policy_raw" in given:
        policy = given.get("trust_policy") or json.loads(unquote(given["trust_policy_raw"]))
        found.append((policy, {"layer": "trust", "principal": ROLE, "account": account}))
    if "fic" in given:
        credential = {"id": "c", "name": "c", "audiences": ["api://AzureADTokenExchange"], **given["fic"]}
        found.append(([credential], {"principal": "entra:77777777-0000-4000-8000-000000000002"}))
    if "sa_policy" in given:
        policy = {"version": 1, "etag": "x", "bindings": given["sa_policy"]["bindings"]}
        name = given["sa_policy"].get("service_account", "deploy@proj-a.iam.gserviceaccount.com")
        found += [([provider or given["provider"]], {}), (policy, {"resource": SERVICE_ACCOUNT + name})]
    return found


@pytest.fixture
def judged(tmp_path):
    """Return a function that reads documents: the trusts with their reports, and the audit."""

    def read(given, provider=None):
        estate = estate_of(tmp_path, documents(given, provider))
        trusts = [trust for cloud in trusters().values() for trust in cloud.trusts(estate)]
        return trusts, [judge(trust) for trust in trusts], audit(estate, trusters(), RULES)

    return read


def answer_of(case):
    return case["expected"]["answer"]


def labelled(*keys):
    found = [c for c in TRUSTS if isinstance(answer_of(c), dict) and all(key in answer_of(c) for key in keys)]
    return pytest.mark.parametrize("case", found or [pytest.param(None, marks=needed)], ids=lambda c: c and c["id"])


@labelled("breadth")
def test_the_reach_is_the_breadth(case, judged):
    _, reports, _ = judged(case["input"])
    assert BREADTHS[answer_of(case)["breadth"]] is max((report.reach for report in reports), key=rank)


@labelled("severity")
def test_the_worst_finding_has_the_severity(case, judged):
    _, _, report = judged(case["input"])
    assert answer_of(case)["severity"] == report.findings[0].severity.value


@labelled("finding")
def test_the_finding_is_there(case, judged):
    _, _, report = judged(case["input"])
    assert FINDINGS[answer_of(case)["finding"]] in {finding.rule for finding in report.findings}


@labelled("immutable")
def test_ids_or_names(case, judged):
    _, [found], _ = judged(case["input"])
    assert ("ids" if answer_of(case)["immutable"] else "names") == found.pinned_by.value


@needed
def test_tokens_get_in_or_do_not(judged):
    for case in (case for case in TRUSTS if "token" in case["input"]):
        trusts, _, _ = judged(case["input"])
        answer = answer_of(case)
        expected = answer["match"] if isinstance(answer, dict) else answer not in {False, "deny"}
        token = {"iss": trusts[0].issuer or "", **case["input"]["token"]}
        found = {admits(trust, token).admitted for trust in trusts}
        assert (Admission.YES in found) is expected, case["id"]


def case_of(number):
    found = [case for case in TRUSTS if case["id"].startswith(number)]
    return found[0] if found else None


@needed
@pytest.mark.parametrize("number", ["057", "058", "059"])
def test_services_that_act_for_others(judged, number):
    case = case_of(number)
    _, _, report = judged(case["input"])
    rules = [finding.rule for finding in report.findings if finding.severity is not Severity.INFO]
    wanted = answer_of(case) is True
    assert ({"service-trust-without-source"} if wanted else set()) == set(rules)


@needed
def test_outside_accounts(judged):
    _, _, report = judged(case_of("062")["input"])
    assert {FINDINGS[word] for word in answer_of(case_of("062"))} == {finding.rule for finding in report.findings}
    trusts, _, report = judged(case_of("063")["input"])
    assert answer_of(case_of("063")) is trusts[0].external_id
    assert () == report.findings


@needed
def test_deleted_principals_grant_nobody(judged):
    case = case_of("065")
    trusts, reports, report = judged(case["input"])
    alive = [party for t, r in zip(trusts, reports, strict=True) if r.reach is not Reach.DEAD for party in t.parties]
    assert answer_of(case)["effective_principals"] == alive
    assert [FINDINGS["orphan_role"]] == [finding.rule for finding in report.findings]


@needed
def test_a_network_of_everybody_limits_nothing(judged):
    _, [limited], _ = judged(case_of("066")["input"])
    given = json.loads(json.dumps(case_of("066")["input"]))
    del given["trust_policy"]["Statement"][0]["Condition"]["IpAddress"]
    _, [free], _ = judged(given)
    assert free.reach is limited.reach


@needed
def test_conditions_that_say_nothing(judged):
    case = case_of("131")
    for name, provider in case["input"]["variants"].items():
        _, [found], report = judged(case["input"], provider)
        breadth = answer_of(case)[name].partition(" (")[0]
        assert BREADTHS[breadth] is found.reach
        assert Severity.CRITICAL is report.findings[0].severity


@needed
def test_a_principal_that_the_api_refuses(judged):
    _, reports, report = judged(case_of("134")["input"])
    assert "MALFORMED_PRINCIPAL" in {note.code for found in reports for note in found.notes}
    assert "dead-trust" in {finding.rule for finding in report.findings}


@needed
def test_every_labelled_trust_is_asked():
    own = {"057", "058", "059", "062", "063", "065", "066", "131", "134"}
    keys = ({"breadth"}, {"finding"}, {"severity"}, {"immutable"})
    missed = [
        case["id"]
        for case in TRUSTS
        if case["id"][:3] not in own
        and "token" not in case["input"]
        and not any(isinstance(answer_of(case), dict) and key <= answer_of(case).keys() for key in keys)
    ]
    assert [] == missed
