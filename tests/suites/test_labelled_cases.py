"""The labelled cases that ask about a request or a token, where they are present, as policy unit tests."""

from __future__ import annotations

import json

from idtrans import api
from tests.suites.converted import is_asked, suite_of


def test_every_labelled_evaluation_comes_out_as_labelled(shared, tmp_path):
    cases = [json.loads(path.read_text("utf-8")) for path in sorted((shared / "cases").glob("*.json"))]
    suites = []
    asked = [case for case in cases if is_asked(case)]
    for case in asked:
        suite = suite_of(case)
        for each in suite["cases"]:
            each["name"] = case["id"]
        suites.append(suite)
    assert suites
    file = tmp_path / "labelled.json"
    file.write_text(json.dumps(suites), "utf-8")
    answer = api.run_suites([file])
    assert () == answer.errors
    assert [] == [(result.name, result.expected, result.outcome, result.notes) for result in answer.failures]
    assert {case["id"] for case in asked} == {each.name for each in answer.results}
