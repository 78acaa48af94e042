"""The sample estate: what its README says was planted is found, and of its good neighbours nothing."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from idtrans.api import clouds, load
from idtrans.audit import audit, load_rules
from idtrans.model.data import fixtures_dir

PLANTED = {
    "all-users-binding": ["buckets/acme-public-datasets", "buckets/acme-web-static"],
    "aws-root-access-key": ["111122223333:root"],
    "aws-user-access-key-active-and-old": ["user/service/ci-legacy"],
    "bucket-open-to-outside-account": ["acme-partner-drop"],
    "entra-client-secret": ["77777777-0000-4000-8000-000000000001"],
    "gcp-user-managed-key": ["etl-runner@acme-data-prod.iam.gserviceaccount.com"],
    "github-trust-open-to-any-owner": ["role/ci/GitHubReleaseAnyOwner"],
    "owner-like-service-principal-at-subscription": ["eeeeeeee-0000-4000-8000-000000000001"],
    "public-bucket-policy": ["acme-press-kit"],
    "public-storage-account": ["storageaccounts/stacmemedia"],
    "storage-shared-key-enabled": ["storageaccounts/stacmemedia", "storageaccounts/stacmedev"],
    "trust-owner-prefix-unanchored": ["role/ci/GitHubTerraformPlan"],
    # The second stands on a provider without a condition, beside the binding of the whole pool.
    "trust-without-subject": ["role/ci/GitHubPackagesPublish", "legacy-deploy@acme-app-dev.iam.gserviceaccount.com"],
    "whole-pool-principal-set": ["legacy-deploy@acme-app-dev.iam.gserviceaccount.com"],
}


@pytest.fixture(scope="module")
def report():
    estate = load([fixtures_dir() / "acme"], now=datetime(2026, 11, 1, tzinfo=UTC))
    return audit(estate, clouds(), load_rules())


@pytest.mark.parametrize("rule", PLANTED)
def test_what_was_planted_is_found_once_and_nothing_else(report, rule):
    found = sorted(finding.subject for finding in report.findings if finding.rule == rule)
    expected = PLANTED[rule]
    assert len(expected) == len(found), found
    assert all(any(subject.endswith(tail) for subject in found) for tail in expected), found


def test_the_trust_that_is_dead_by_a_literal_wildcard_is_found(report):
    subjects = [finding.subject for finding in report.findings if finding.rule == "dead-trust"]
    assert "arn:aws:iam::111122223333:role/ci/GitHubNightlyE2E" in subjects


def test_every_finding_says_where_it_is(report):
    assert all(place.line for finding in report.findings for place in finding.locations)


def test_every_rule_was_judged_on_every_fact(report):
    assert [] == [note for note in report.not_evaluated if note.rule is not None]
