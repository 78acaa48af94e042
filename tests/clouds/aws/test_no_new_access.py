"""AWS's own labelled pairs of policies (MIT-0): does the candidate grant what the reference does not?

Each pair goes through files, readers, adapter and search, as on the command line.
https://github.com/aws-samples/iam-access-analyzer-custom-policy-check-samples
"""

from __future__ import annotations

import json
from datetime import UTC, datetime

from idtrans import api
from idtrans.model.diffs import DiffVerdict

NOW = datetime(2026, 11, 1, tzinfo=UTC)
LABELS = {DiffVerdict.NO_NEW_ACCESS: "PASS", DiffVerdict.NEW_ACCESS: "FAIL", DiffVerdict.UNKNOWN: "UNKNOWN"}


def _verdict(reference, candidate, folder) -> str:
    old, new = folder / "old.json", folder / "new.json"
    old.write_text(json.dumps(reference))
    new.write_text(json.dumps(candidate))
    return LABELS[api.diff(api.load([old], now=NOW), api.load([new], now=NOW)).verdict]


def test_every_labelled_pair(shared, tmp_path) -> None:
    cases = json.loads((shared / "data/aws_no_new_access.json").read_text())["cases"]
    assert len(cases) == 130
    wrong = {
        case["name"]: (case["expected"], found)
        for case in cases
        if (found := _verdict(case["reference"], case["candidate"], tmp_path)) != case["expected"]
    }
    assert {} == wrong
