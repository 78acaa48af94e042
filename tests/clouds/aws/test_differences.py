"""Pairs of AWS policies and estates with the verdict on what is new, and witnesses that show it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from idtrans import api
from idtrans.clouds.aws._plain_values import plain_values
from idtrans.model.decisions import Outcome, Request
from tests.conftest import ROOT

Json = dict[str, Any]

NOW = datetime(2026, 11, 1, tzinfo=UTC)
PAIRS = yaml.safe_load((ROOT / "fixtures" / "differences" / "aws.yaml").read_text(encoding="utf-8"))


def estate(side: Json, folder: Path):
    """Read one side: a bare policy, or files with what is said of them."""
    folder.mkdir()
    if "files" not in side:
        (folder / "policy.json").write_text(json.dumps(side), encoding="utf-8")
        return api.load([folder / "policy.json"], now=NOW)
    entries = []
    for number, (content, said) in enumerate(side["files"]):
        (folder / f"{number}.json").write_text(json.dumps(content), encoding="utf-8")
        entries.append({"path": f"{number}.json", **said})
    (folder / "estate.yaml").write_text(yaml.safe_dump(entries), encoding="utf-8")
    return api.load([folder], now=NOW)


def replayed(side, witness) -> Outcome:
    context = dict(witness.context)
    found = api.can(side, witness.principal, witness.action, witness.resource, context=context, closed=True)
    return found.outcome


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["name"])
def test_the_verdict_and_its_witnesses(pair, tmp_path):
    old, new = estate(pair["old"], tmp_path / "old"), estate(pair["new"], tmp_path / "new")
    report = api.diff(old, new)
    assert pair["verdict"] == report.verdict.value
    for change in report.new:
        # What a document leaves to identity policies that were not read is open on both sides.
        expected = {Outcome.ALLOW, Outcome.UNKNOWN} if "files" not in pair["new"] else {Outcome.ALLOW}
        assert replayed(new, change.witness) in expected
        assert replayed(old, change.witness) is not Outcome.ALLOW


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["name"])
def test_nothing_is_new_beside_itself(pair, tmp_path):
    one, other = estate(pair["new"], tmp_path / "one"), estate(pair["new"], tmp_path / "other")
    report = api.diff(one, other)
    assert ("no-new-access", (), ()) == (report.verdict.value, report.new, report.removed)


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("principal", "arn::iam::111122223333:", "arn:aws:iam::111122223333:user/example"),
        ("principal", "arn::sts::1:x", "arn:aws:iam::123456789012:user/example"),
        ("principal", "x", "anonymous"),
        ("resource", "arn:aws:iam:::role/", "arn:aws:iam::123456789012:role/example"),
        ("aws:securetransport", "x", "false"),
        ("aws:sourcevpce", "x", "vpce-0example"),
        ("aws:sourceaccount", "x", "123456789012"),
        ("aws:sourcearn", "x", "arn:aws:s3:::example"),
        # These are fine.
        ("principal", "arn:aws:iam::111122223333:user/ana", None),
        ("principal", "arn:aws-cn:sts::111122223333:assumed-role/app/s1", None),
        ("principal", "arn:aws:iam::111122223333:root", None),
        ("principal", "service:ec2.amazonaws.com", None),
        ("principal", "policy:#1", None),
        ("resource", "arn:aws:iam::111122223333:role/deploy", None),
        ("resource", "*", None),
        ("aws:securetransport", "true", None),
        ("aws:sourcevpce", "vpce-1", None),
        ("aws:sourceaccount", "111122223333", None),
        ("aws:sourcearn", "arn:aws:s3:::data", None),
        ("aws:username", "x", None),
        ("some:key", "x", None),
    ],
)
def test_values_that_people_would_rather_read(key, value, expected):
    principal = value if key == "principal" else "policy:#1"
    resource = value if key == "resource" else "arn:aws:iam::111122223333:role/deploy"
    request = Request(principal, "sts:AssumeRole", resource, {key: (value,), "many": ("a", "b")})
    assert expected == next(iter(plain_values(key, request)), None)
    assert () == tuple(plain_values("many", request))
