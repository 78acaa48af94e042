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


EVERY_LABEL = {
    "github": GITHUB_LABELS,
    "issuer": ISSUER_LABELS,
    "pool": POOL_LABELS,
    "credential": CREDENTIAL_LABELS,
    "condition": CONDITION_LABELS,
    "caller": CALLER_LABELS,
}


@pytest.mark.parametrize(
    "label",
    [pytest.param(label, id=f"{kind}: {label.name}") for kind, labels in EVERY_LABEL.items() for label in labels],
)
def test_the_reach_and_the_pins_are_those_of_the_label(label, tmp_path):
    answer = found(label, tmp_path)
    assert (label.reach, label.pinned_by) == (answer.reach, answer.pinned_by)
