"""The keys of a document, which tell what it cannot be."""

from __future__ import annotations

import pytest

from idtrans.model.documents import Json, member_names

CASES: dict[str, tuple[Json, set[str]]] = {
    "object": ({"a": 1, "b": {"c": 2}}, {"a", "b"}),
    "list of objects": ([{"a": 1}, {"b": 2}, {"a": 3}], {"a", "b"}),
    "list with others": ([1, "x", None, [{"z": 1}], {"b": 2}], {"b"}),
    "empty list": ([], set()),
    "text": ("a", set()),
    "nothing": (None, set()),
}


@pytest.mark.parametrize("name", CASES)
def test_member_names(name: str):
    content, expected = CASES[name]
    assert expected == member_names(content)
