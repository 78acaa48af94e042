from __future__ import annotations

import pytest

from idtrans import documents
from idtrans.api import clouds
from idtrans.model.errors import DataError
from idtrans.translate import NO_MAP, IdMap, Pair, read_map


def mapped(text: str) -> IdMap:
    return read_map(documents.decode(text.encode(), "map.yaml"))


def test_a_map_is_read():
    found = mapped("version: 1\nprincipals: [{from: a, to: b}]\nscopes: [{from: '1', to: c}]\nresources: []\n")

    assert IdMap((Pair("a", "b"),), (Pair("1", "c"),), ()) == found


def test_a_map_may_say_nothing():
    assert mapped("version: 1\n") == NO_MAP


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("version: 2\n", "`version` is not valid", 1),
        ("principals: []\n", "`version` is not valid: field required", None),
        ("version: 1\npeople: []\n", "unknown key `people`", 2),
        ("version: 1\nresources:\n- from: a\n  to: b\n  why: c\n", "unknown key `resources.0.why`", 5),
        ("version: 1\nresources:\n- from: a\n", "`resources.0.to` is not valid: field required", None),
        ("version: 1\nresources:\n- from: ''\n  to: b\n", "`resources.0.from` is not valid", 3),
        ("version: 1\nscopes:\n- from: 111122223333\n  to: b\n", "`scopes.0.from` is not valid", 3),
        ("- version\n", "`the map` is not valid", None),
        ("version: 1\nversion: 1\n", "", 2),
    ],
)
def test_a_broken_map_says_where(text, message, line):
    with pytest.raises(DataError) as caught:
        mapped(text)

    assert message in caught.value.message
    assert caught.value.source is not None
    assert line is None or line == caught.value.source.line


def test_a_principal_has_a_counterpart_in_each_cloud():
    arn = "arn:aws:iam::111122223333:user/ana"
    found = IdMap((Pair(arn, "user:ana@b.example"), Pair(arn, "entra:cccccccc-0000-4000-8000-000000000009")))

    assert "user:ana@b.example" == found.principal(arn, clouds()["gcp"])
    assert "entra:cccccccc-0000-4000-8000-000000000009" == found.principal(arn, clouds()["azure"])
    assert found.principal("arn:aws:iam::111122223333:user/bob", clouds()["gcp"]) is None
