"""Trusts as people write them, of every issuer and every cloud, with the reach that the vendors' pages give them."""

from __future__ import annotations

import pytest

from idtrans.model.data import rules_dir
from tests.federation.labelled.callers import CALLER_LABELS
from tests.federation.labelled.conditions import CONDITION_LABELS
from tests.federation.labelled.credentials import CREDENTIAL_LABELS
from tests.federation.labelled.github import GITHUB_LABELS
from tests.federation.labelled.issuers import ISSUER_LABELS
from tests.federation.labelled.label import found
from tests.federation.labelled.pools import POOL_LABELS

pytestmark = pytest.mark.skipif(
    not (rules_dir() / "roles" / "gcp.toml").is_file(), reason="the role table is not there"
)


@pytest.mark.parametrize("label", GITHUB_LABELS, ids=lambda label: label.name)
def test_roles_that_trust_github(label, tmp_path):
    answer = found(label, tmp_path)
    assert (label.reach, label.pinned_by) == (answer.reach, answer.pinned_by)


@pytest.mark.parametrize("label", ISSUER_LABELS, ids=lambda label: label.name)
def test_roles_that_trust_other_issuers(label, tmp_path):
    answer = found(label, tmp_path)
    assert (label.reach, label.pinned_by) == (answer.reach, answer.pinned_by)


@pytest.mark.parametrize("label", POOL_LABELS + CREDENTIAL_LABELS, ids=lambda label: label.name)
def test_pools_credentials_and_logins(label, tmp_path):
    answer = found(label, tmp_path)
    assert (label.reach, label.pinned_by) == (answer.reach, answer.pinned_by)


@pytest.mark.parametrize("label", CONDITION_LABELS, ids=lambda label: label.name)
def test_conditions_of_providers(label, tmp_path):
    answer = found(label, tmp_path)
    assert (label.reach, label.pinned_by) == (answer.reach, answer.pinned_by)


@pytest.mark.parametrize("label", CALLER_LABELS, ids=lambda label: label.name)
def test_roles_that_trust_callers(label, tmp_path):
    answer = found(label, tmp_path)
    assert (label.reach, label.pinned_by) == (answer.reach, answer.pinned_by)
