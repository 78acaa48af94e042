"""Resources of each kind: read in one cloud, written in another, and read back there."""

from __future__ import annotations

import pytest

from idtrans.api import clouds
from idtrans.catalog import _scope_kinds, scope_kind_names, scope_kinds
from idtrans.model.errors import DataError
from idtrans.model.intents import Names, Scope
from idtrans.translate._levels import read_scope

CASES = {
    "secret": ("secretsmanager:GetSecretValue", "arn:aws:secretsmanager:eu-west-1:111122223333:secret:db-a1B2c3"),
    "key": ("kms:Decrypt", "arn:aws:kms:eu-west-1:111122223333:key/1234-5678"),
    "topic": ("sns:Publish", "arn:aws:sns:eu-west-1:111122223333:news"),
    "queue": (["sqs:ReceiveMessage", "sqs:DeleteMessage"], "arn:aws:sqs:eu-west-1:111122223333:jobs"),
}


@pytest.mark.parametrize("cloud", ["aws", "gcp", "azure"])
@pytest.mark.parametrize("kind", scope_kind_names())
def test_what_is_written_of_a_kind_is_read_as_that_kind(cloud, kind):
    if kind not in scope_kinds(cloud):
        return
    written = clouds()[cloud].write_scope(Scope(kind, "x", {"name": "thing"}), Names())
    found = read_scope(written.native, clouds()[cloud])

    assert (kind, written.parts["name"]) == (found.kind, found.parts["name"])


@pytest.mark.parametrize("target", ["gcp", "azure"])
@pytest.mark.parametrize("kind", CASES)
def test_a_grant_on_one_resource_stays_on_one_resource(speak, kind, target):
    actions, resource = CASES[kind]
    found = speak.aws(target, {"Effect": "Allow", "Action": actions, "Resource": resource})

    assert {kind} == {read_scope(grant.resource, clouds()[target]).kind for grant in found.grants}
    assert found.emission.commands
    assert found.emission.terraform


def test_a_kind_without_a_pattern_has_no_grants_there(speak):
    found = speak.aws(
        "gcp",
        {
            "Effect": "Allow",
            "Action": ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:Scan"],
            "Resource": "arn:aws:dynamodb:eu-west-1:111122223333:table/t",
        },
    )

    assert "gcp grants it only on: account" in "\n".join(found.reasons)


def test_several_resources_at_once_are_not_one():
    text = "arn:aws:secretsmanager:eu-west-1:111122223333:secret:db-*"

    assert "resource" == read_scope(text, clouds()["aws"]).kind


def test_a_broken_file_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(_scope_kinds, "rules_dir", lambda: tmp_path)
    for text, message in (("[x", "cannot be read"), ('[x]\naws = ["arn"]', "has no name")):
        (tmp_path / "scope-kinds.toml").write_text(text, encoding="utf-8")
        with pytest.raises(DataError, match=message):
            scope_kinds.__wrapped__("aws")
