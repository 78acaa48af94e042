"""Managed policies of AWS: the facts agree with the documents, and one is found without reading the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from idtrans.catalog import _managed_policies, managed_policy
from idtrans.model.entities import PolicyStatement
from idtrans.model.errors import DataError
from tests.catalog.write_managed_policies import documents, listed, names, spelled

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_ADMINISTRATOR = "arn:aws:iam::aws:policy/AdministratorAccess"


@pytest.fixture(scope="module")
def originals() -> dict[str, dict[str, Any]]:
    return documents()


@pytest.mark.parametrize("name", names())
def test_facts_say_what_the_document_says(name, originals) -> None:
    original = originals[name]
    found = managed_policy(f"arn:aws:iam::aws:policy{original['Path']}{name}")
    assert found is not None
    if found.version != original["DefaultVersionId"]:
        pytest.skip(f"the facts are about {found.version}, moto has {original['DefaultVersionId']}")
    assert name == found.name
    assert [_said(each) for each in listed(original["Document"]["Statement"])] == [
        _read(each) for each in found.statements
    ]


def _said(statement: dict[str, Any]) -> dict[str, Any]:
    elements = ("Action", "NotAction", "Resource", "NotResource")
    return {
        "sid": statement.get("Sid") or None,
        "effect": statement["Effect"],
        **{each: frozenset(listed(statement[each])) if each in statement else None for each in elements},
        "tests": sorted(
            (operator, key, tuple(map(spelled, listed(values))))
            for operator, keys in statement.get("Condition", {}).items()
            for key, values in keys.items()
        ),
    }


def _read(statement: PolicyStatement) -> dict[str, Any]:
    return {
        "sid": statement.sid,
        "effect": str(statement.effect).capitalize(),
        "Action": _set(statement.actions),
        "NotAction": _set(statement.not_actions),
        "Resource": _set(statement.resources),
        "NotResource": _set(statement.not_resources),
        "tests": sorted((test.operator, test.key, test.values) for test in statement.conditions),
    }


def _set(values: tuple[str, ...] | None) -> frozenset[str] | None:
    return frozenset(values) if values is not None else None


def test_documents_are_in_the_current_policy_language(originals) -> None:
    assert {"2012-10-17"} == {originals[name]["Document"]["Version"] for name in names()}


def test_sources_lead_to_the_statement() -> None:
    found = managed_policy(_ADMINISTRATOR)
    assert found is not None
    assert "rules/managed-policies/AdministratorAccess.toml" == str(found.source)
    assert "/statement/0" == found.statements[0].source.pointer


@pytest.mark.parametrize("partition", ["aws-cn", "aws-us-gov"])
def test_what_is_the_same_in_all_partitions_is_known_in_all(partition) -> None:
    arn = _ADMINISTRATOR.replace("arn:aws:", f"arn:{partition}:")
    found = managed_policy(arn)
    assert found is not None
    assert arn == found.arn


@pytest.mark.parametrize(
    "arn",
    [
        "arn:aws-cn:iam::aws:policy/ReadOnlyAccess",
        "arn:aws-elsewhere:iam::aws:policy/AdministratorAccess",
        "arn:aws:iam::aws:policy/job-function/AdministratorAccess",
        "arn:aws:iam::aws:policy/AWSLambdaBasicExecutionRole",
        "arn:aws:iam::aws:policy/administratoraccess",
        "arn:aws:iam::111122223333:policy/AdministratorAccess",
        "arn:aws:iam::aws:policy/NoSuchPolicy",
        "arn:aws:iam::aws:policy/",
        "arn:aws:iam::aws:policy/../roles/gcp",
        "arn:aws:iam::aws:policy/..",
        "arn:aws:iam::aws:policy/x/\n/AdministratorAccess",
        "AdministratorAccess",
        "",
    ],
)
def test_other_policies_are_not_known(arn) -> None:
    assert managed_policy(arn) is None


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Iterator[Path]:
    monkeypatch.setattr(_managed_policies, "rules_dir", lambda: tmp_path)
    managed_policy.cache_clear()
    (tmp_path / "managed-policies").mkdir()
    yield tmp_path / "managed-policies"
    managed_policy.cache_clear()


_HEAD = 'arn = "arn:aws:iam::aws:policy/P"\nversion = "v1"\nas_of = 2026-01-01\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("arn = ", "the file cannot be read"),
        ("\xff", "the file cannot be read"),
        ('arn = "arn:aws:iam::aws:policy/P"', "the key `statement` is missing"),
        (_HEAD + "statements = []\n", "the key `statements` is not known"),
        (_HEAD + '[[statement]]\neffect = "allow"\naction = []\n', "the key `action` is not known"),
        (_HEAD + '[[statement]]\neffect = "maybe"\n', "an effect is neither `allow` nor `deny`"),
    ],
)
def test_a_broken_file_is_an_error_with_its_name(folder, text, message) -> None:
    (folder / "P.toml").write_bytes(text.encode("latin-1"))
    with pytest.raises(DataError, match=message) as caught:
        managed_policy("arn:aws:iam::aws:policy/P")
    assert "rules/managed-policies/P.toml" in str(caught.value)


def test_only_the_file_of_the_policy_is_read(folder) -> None:
    (folder / "Broken.toml").write_text("[", encoding="utf-8")
    (folder / "P.toml").write_text(_HEAD + "statement = []\n", encoding="utf-8")
    found = managed_policy("arn:aws:iam::aws:policy/P")
    assert found is not None
    assert () == found.statements
