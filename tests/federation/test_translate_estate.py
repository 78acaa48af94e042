"""Trusts of a whole estate in another cloud."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from idtrans import api
from idtrans.federation import TrustVerdict
from idtrans.model.data import fixtures_dir
from idtrans.model.errors import UsageError


@pytest.fixture(scope="module")
def acme():
    return api.load([str(fixtures_dir() / "acme")], now=datetime(2026, 11, 1, tzinfo=UTC))


@pytest.mark.parametrize("target", ["aws", "azure", "gcp"])
def test_every_trust_of_the_other_clouds_has_a_verdict(acme, target):
    found = api.translate_trusts(acme, target)
    assert found
    assert target not in {each.source.cloud for each in found}
    assert all(each.losses for each in found if each.verdict is not TrustVerdict.EXACT)
    assert TrustVerdict.BROADER not in {each.verdict for each in found}


def test_names_that_nothing_asks_for_are_typing_errors(acme):
    with pytest.raises(UsageError):
        api.translate_trusts(acme, "gcp", names={"nothing": "x"})
    with pytest.raises(UsageError):
        api.translate_trusts(acme, "moon")
