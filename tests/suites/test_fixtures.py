"""The suites that the project ships: families of documented behaviour, all of which must hold."""

from __future__ import annotations

import pytest

from idtrans import api
from tests.conftest import ROOT

FOLDER = ROOT / "fixtures" / "policy-tests"
FILES = sorted(FOLDER.rglob("*.yaml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(FOLDER).as_posix())
def test_every_case_comes_out_as_the_vendor_says(file):
    answer = api.run_suites([file])
    assert () == answer.errors
    assert [] == [f"{one.source}: {one.name}: {one.outcome}" for one in answer.failures]
    assert len({(one.name, one.source) for one in answer.results}) == len(answer.results) > 0


def test_there_is_a_file_for_each_cloud():
    assert list(api.clouds()) == [file.stem for file in FILES if file.parent == FOLDER]
