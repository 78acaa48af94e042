"""The sample estate: what its README says was planted is found, and of its good neighbours nothing."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from idtrans.api import load, trusters
from idtrans.audit import audit, load_rules
from idtrans.model.data import fixtures_dir

PLANTED = {
    "all-users-binding": ["buckets/acme-public-datasets", "buckets/acme-web-static"],
    "aws-root-access-key": ["111122223333:root"],
    "aws-user-access-key-active-and-old": ["user/service/ci-legacy"],
    "bucket-open-to-outside-account": ["acme-partner-drop"],
    "cross-account-trust-without-external-id": ["role/vendors/VendorCostOptimizer"],
    "dead-trust": ["role/ci/GitHubNightlyE2E", "eeeeeeee-0000-4000-8000-000000000002"],
    "entra-client-secret": ["77777777-0000-4000-8000-000000000001"],
    "gcp-user-managed-key": ["etl-runner@acme-data-prod.iam.gserviceaccount.com"],
    "github-trust-open-to-any-owner": ["role/ci/GitHubReleaseAnyOwner"],
    "owner-like-service-principal-at-subscription": ["eeeeeeee-0000-4000-8000-000000000001"],
    "public-bucket-policy": ["acme-press-kit"],
    "public-storage-account": ["storageaccounts/stacmemedia"],
    "storage-shared-key-enabled": ["storageaccounts/stacmemedia", "storageaccounts/stacmedev"],
    "trust-by-mutable-name": ["role/ci/GitHubDeployStaging"],
    "trust-open-to-whole-project": [
        "role/ci/GitHubDeployStaging",
        "eeeeeeee-0000-4000-8000-000000000002",
        "etl-runner@acme-data-prod.iam.gserviceaccount.com",
    ],
    "trust-owner-prefix-unanchored": ["role/ci/GitHubTerraformPlan"],
    # The second stands on a provider without a condition, beside the binding of the whole pool.
    "trust-without-subject": ["role/ci/GitHubPackagesPublish", "legacy-deploy@acme-app-dev.iam.gserviceaccount.com"],
    "whole-pool-principal-set": ["legacy-deploy@acme-app-dev.iam.gserviceaccount.com"],
}


@pytest.fixture(scope="module")
def report():
    estate = load([fixtures_dir() / "acme"], now=datetime(2026, 11, 1, tzinfo=UTC))
    return audit(estate, trusters(), load_rules())


@pytest.mark.parametrize("rule", PLANTED)
def test_what_was_planted_is_found_once_and_nothing_else(report, rule):
    found = sorted(finding.subject for finding in report.findings if finding.rule == rule)
    expected = PLANTED[rule]
    assert len(expected) == len(found), found
    assert all(any(subject.endswith(tail) for subject in found) for tail in expected), found


def test_the_whole_output_is_the_golden_one(capsys, root):
    from idtrans.cli import app

    with pytest.raises(SystemExit):
        app(["audit", str(root / "fixtures" / "acme"), "--format", "json", "--now", "2026-11-01T00:00:00Z"])
    printed = json.loads(capsys.readouterr().out)
    golden = Path(__file__).with_name("acme.json")
    if os.environ.get("IDTRANS_UPDATE_GOLDEN"):
        golden.write_text(json.dumps(printed, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    assert json.loads(golden.read_text(encoding="utf-8")) == printed


def test_every_finding_says_where_it_is(report):
    assert all(place.line for finding in report.findings for place in finding.locations)


def test_every_rule_was_judged_on_every_fact(report):
    assert [] == [note for note in report.not_evaluated if note.rule is not None]
