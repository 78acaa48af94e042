"""`idtrans test`: what it prints, and the exit code."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from idtrans import report
from idtrans.cli import app

ANA = "arn:aws:iam::111122223333:user/ana"
CASE = {"name": "reads", "principal": ANA, "action": "s3:GetObject", "resource": "arn:aws:s3:::b/a"}
DENY = {"Version": "2012-10-17", "Statement": {"Effect": "Deny", "Action": "*", "Resource": "*"}}


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(content, *words):
        (tmp_path / "tests.json").write_text(json.dumps(content), "utf-8")
        return CliRunner().invoke(app, ["test", "tests.json", *words])

    return call


def suite(expect, **more):
    return {"documents": [{"inline": DENY, "layer": "identity"}], "cases": [{**CASE, "expect": expect, **more}]}


def test_all_cases_pass(run):
    result = run([suite("deny"), suite("explicit-deny")])
    assert (0, "2 passed, 0 failed\n") == (result.exit_code, result.stdout)


def test_a_failed_case_says_what_decided(run):
    result = run([suite("allow"), suite("deny")])
    assert 1 == result.exit_code
    head, question, reason, last = result.stdout.splitlines()
    assert "tests.json:1: reads: expected allow, got explicit-deny" == head
    assert f"  {ANA} s3:GetObject arn:aws:s3:::b/a" == question
    assert reason.startswith("  deny by identity  statement 1 of ")
    assert reason.endswith("tests.json:1")
    assert "1 passed, 1 failed" == last


def test_a_case_that_cannot_be_decided_has_failed(run):
    result = run(suite("deny", action="*"))
    assert (1, "0 passed, 1 failed") == (result.exit_code, result.stdout.splitlines()[-1])
    assert "note: `*` is no AWS action" in result.stdout


def test_what_cannot_be_read_is_worse_than_a_failed_case(run):
    broken = {**suite("allow"), "documents": [{"path": "absent.json"}]}
    result = run([broken, suite("deny")])
    assert (2, "1 passed, 1 failed") == (result.exit_code, result.stdout.splitlines()[-1])
    assert "absent.json: no such file or folder" in result.stderr
    assert 2 == run({"case": []}).exit_code


def test_json(run):
    result = run([suite("allow"), suite("deny")], "--format", "json")
    found = json.loads(result.stdout)
    report.schemas()["idtrans/test/v1"].model_validate(found)
    assert (1, 1, 1) == (result.exit_code, found["passed"], found["failed"])
    assert [("allow", "explicit-deny", False), ("deny", "explicit-deny", True)] == [
        (case["expected"], case["decision"], case["passed"]) for case in found["cases"]
    ]
    assert {"path": "tests.json", "line": 1, "pointer": "/0/cases/0"} == found["cases"][0]["source"]


def test_the_time_of_the_run_is_the_time_of_requests(run):
    until = {"DateLessThan": {"aws:CurrentTime": "2026-01-01T00:00:00Z"}}
    allow = {
        "Version": "2012-10-17",
        "Statement": {"Effect": "Allow", "Action": "*", "Resource": "*", "Condition": until},
    }
    content: dict[str, Any] = {
        "documents": [{"inline": allow, "layer": "identity"}],
        "cases": [{**CASE, "expect": "allow"}],
    }
    assert 0 == run(content, "--now", "2025-12-31T00:00:00Z").exit_code
    assert 1 == run(content, "--now", "2026-01-02T00:00:00Z").exit_code
    content["cases"][0]["context"] = {"aws:CurrentTime": "2025-01-01T00:00:00Z"}
    assert 0 == run(content, "--now", "2026-01-02T00:00:00Z").exit_code


def test_a_failed_case_says_which_resource_it_is_about(run):
    reader = {"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}}
    case = {**CASE, "resource": "*", "expect": "deny"}
    result = run({"documents": [{"inline": reader, "layer": "identity"}], "cases": [case]})
    assert "  note: `*` stands for some resource, here `arn:aws:s3:::" in result.stdout
