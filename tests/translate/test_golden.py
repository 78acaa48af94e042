"""The golden table: every capability, every ordered pair of clouds."""

from __future__ import annotations

import json

import pytest

from idtrans.model.values import Verdict
from tests.translate.golden import PAIRS, PATH, table


@pytest.fixture(scope="module")
def expected():
    return json.loads(PATH.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_every_capability_is_said_as_it_was(expected, source, target):
    assert expected[f"{source} > {target}"] == table(source, target)


def test_what_is_more_is_never_called_exact(expected):
    cells = [cell for rows in expected.values() for cell in rows.values() if cell != "none"]

    fine = {Verdict.EXACT.value, Verdict.EXACT_WITH_PARTS.value}
    assert [] == [cell for cell in cells if cell["verdict"] in fine and "gained" in cell]
    assert [] == [cell for cell in cells if cell["verdict"] == Verdict.EXACT.value and "extra" in cell]
