"""Who is not among the identities that an account lists does not exist."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from idtrans import api

Json = dict[str, Any]

NOW = datetime(2026, 11, 1, tzinfo=UTC)
ACCOUNT = "111122223333"
BUCKET = "arn:aws:s3:::data"
READS: Json = {"Statement": {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"}}


def user(name: str) -> Json:
    inline = [{"PolicyName": "p", "PolicyDocument": READS}]
    return {"Arn": f"arn:aws:iam::{ACCOUNT}:user/{name}", "UserName": name, "UserPolicyList": inline}


def role(name: str) -> Json:
    inline = [{"PolicyName": "p", "PolicyDocument": READS}]
    arn = f"arn:aws:iam::{ACCOUNT}:role/team/{name}"
    return {"Arn": arn, "RoleName": name, "RolePolicyList": inline, "AssumeRolePolicyDocument": {"Statement": []}}


def dump(users: list[str], roles: list[str], **more: Any) -> Json:
    lists: Json = {"GroupDetailList": [], "Policies": []}
    return {"UserDetailList": list(map(user, users)), "RoleDetailList": list(map(role, roles)), **lists, **more}


def read(content: Json, folder, name: str = "dump"):
    path = folder / f"{name}.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return api.load([path], now=NOW)


def answer(estate, principal: str) -> str:
    return api.can(estate, f"arn:aws:{principal}", "s3:GetObject", f"{BUCKET}/a", closed=True).outcome.value


@pytest.mark.parametrize(
    ("content", "principal", "expected"),
    [
        (dump(["ana"], ["app"]), f"iam::{ACCOUNT}:user/ana", "allow"),
        (dump(["ana"], ["app"]), f"iam::{ACCOUNT}:user/bo", "implicit-deny"),
        (dump(["ana"], ["app"]), f"iam::{ACCOUNT}:role/ops", "implicit-deny"),
        (dump(["ana"], ["app"]), f"sts::{ACCOUNT}:assumed-role/app/s", "allow"),
        (dump(["ana"], ["app"]), f"sts::{ACCOUNT}:assumed-role/ops/s", "implicit-deny"),
        # The command may have been asked for identities of one kind.
        (dump(["ana"], []), f"iam::{ACCOUNT}:role/ops", "unknown"),
        (dump([], ["app"]), f"iam::{ACCOUNT}:user/bo", "unknown"),
        # Pages that are missing may hold anybody.
        (dump(["ana"], ["app"], IsTruncated=True), f"iam::{ACCOUNT}:user/bo", "unknown"),
        (dump(["ana"], ["app"], NextToken="x"), f"iam::{ACCOUNT}:user/bo", "unknown"),
        (dump(["ana"], ["app"], IsTruncated=False), f"iam::{ACCOUNT}:user/bo", "implicit-deny"),
        # Nothing is said of sessions of other kinds, and of other accounts.
        (dump(["ana"], ["app"]), f"sts::{ACCOUNT}:federated-user/bo", "unknown"),
        (dump(["ana"], ["app"]), "iam::444455556666:user/bo", "unknown"),
        (dump(["ana"], ["app"]), f"iam::{ACCOUNT}:root", "allow"),
    ],
)
def test_who_is_not_listed_holds_nothing(content, principal, expected, tmp_path):
    assert expected == answer(read(content, tmp_path), principal)


def test_the_answer_says_that_nobody_has_this_name(tmp_path):
    estate = read(dump(["ana"], ["app"]), tmp_path)
    found = api.can(estate, f"arn:aws:iam::{ACCOUNT}:user/bo", "s3:GetObject", f"{BUCKET}/a")
    assert found.notes == (
        f"no-identity: `arn:aws:iam::{ACCOUNT}:user/bo` is not among the identities that its account lists",
    )


def test_identities_that_come_and_go(tmp_path):
    old = read(dump(["ana"], ["app"]), tmp_path, "old")
    new = read(dump(["ana", "bo"], ["app"]), tmp_path, "new")
    added, removed = api.diff(old, new), api.diff(new, old)
    assert ("new-access", f"arn:aws:iam::{ACCOUNT}:user/bo") == (added.verdict.value, added.new[0].witness.principal)
    assert ("no-new-access", 1) == (removed.verdict.value, len(removed.removed))


def test_what_a_document_beside_the_list_gives_still_counts(tmp_path):
    (tmp_path / "dump.json").write_text(json.dumps(dump(["ana"], ["app"])), encoding="utf-8")
    (tmp_path / "bo.json").write_text(json.dumps(READS), encoding="utf-8")
    manifest = [
        {"path": "dump.json"},
        {"path": "bo.json", "layer": "identity", "principal": f"arn:aws:iam::{ACCOUNT}:user/bo"},
    ]
    (tmp_path / "estate.yaml").write_text(json.dumps(manifest), encoding="utf-8")
    assert "allow" == answer(api.load([tmp_path], now=NOW), f"iam::{ACCOUNT}:user/bo")
