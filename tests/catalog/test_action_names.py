"""Names that the catalogue does not list: retired actions and slips of the pen."""

from __future__ import annotations

import pytest

from idtrans.catalog import action_remark


@pytest.mark.parametrize("name", ["s3:GetObject", "S3:getobject", "sts:AssumeRole"])
def test_a_listed_action_is_not_remarked(name):
    assert action_remark(name) is None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("deeplens:GetProject", "has retired"),
        ("evidently:ListTagsForResource", "has retired"),
        ("s3:GetObjct", "did you mean `s3:GetObject`?"),
        ("s3:Zzzzzzzzzz", "newer, or misspelt"),
        ("nosuch:Thing", "of no service"),
    ],
)
def test_other_names_are_told_apart(name, words):
    remark = action_remark(name)
    assert remark is not None
    assert words in remark
