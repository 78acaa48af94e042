from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from idtrans.algebra import glob
from idtrans.catalog import _service_facts, aws_actions, service_facts
from idtrans.model.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def test_facts_speak_of_actions_that_exist() -> None:
    facts = service_facts("aws")
    patterns = [pattern for fact in (*facts.always, *facts.never) for pattern in fact.actions]
    assert [] == [text for text in patterns if not any(map(glob(text, fold=True).matches, aws_actions()))]


def test_facts_say_where_they_stand() -> None:
    facts = service_facts("aws")
    assert "rules/service-facts/aws.toml#/never/0" == str(facts.never[0].source)
    assert ("sts:GetCallerIdentity",) == facts.always[0].actions
    assert all(fact.reference.startswith("https://docs.aws.amazon.com/") for fact in (*facts.always, *facts.never))


def test_a_cloud_without_facts_has_none() -> None:
    assert () == service_facts("nosuch").always


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Iterator[Path]:
    monkeypatch.setattr(_service_facts, "rules_dir", lambda: tmp_path)
    service_facts.cache_clear()
    (tmp_path / "service-facts").mkdir()
    yield tmp_path / "service-facts"
    service_facts.cache_clear()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[always]]\nname = ", "the file cannot be read"),
        ('[[always]]\nname = "x"\nreference = "y"\n', "the key `actions` is missing"),
    ],
)
def test_a_broken_file_is_an_error_with_its_name(folder, text, message) -> None:
    (folder / "x.toml").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message) as caught:
        service_facts("x")
    assert "rules/service-facts/x.toml" in str(caught.value)
