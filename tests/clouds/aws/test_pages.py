"""Files of AWS as bytes: several pages and accounts in one file, and what is odd is said, never dropped."""

from __future__ import annotations

import json
from typing import Any

import pytest

from idtrans.api import load
from idtrans.model.entities import Principal

A, B = "arn:aws:iam::111122223333:user/a", "arn:aws:iam::444455556666:user/b"


def dump(arn: str, **more: Any) -> dict[str, Any]:
    user = {"UserName": arn[-1], "Arn": arn, "GroupList": [], "UserPolicyList": [], "AttachedManagedPolicies": []}
    return {"UserDetailList": [user], "GroupDetailList": [], "RoleDetailList": [], "Policies": [], **more}


def listing(arn: str, **more: Any) -> dict[str, Any]:
    return {"Users": [{"UserName": arn[-1], "Arn": arn}], **more}


@pytest.mark.parametrize("page", [dump, listing])
@pytest.mark.parametrize(
    ("notes", "form"),
    [
        (0, "{0}\n{1}\n"),
        (0, "[{0}, {1}]"),
        (0, "\ufeff[{0}, {1}]"),
        (1, "[{0}, {1}, 7]"),
        (1, "[{0}, {1}, null]"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_pages_of_several_accounts(tmp_path, encoding, notes, form, page) -> None:
    (tmp_path / "x.json").write_bytes(form.format(json.dumps(page(A)), json.dumps(page(B))).encode(encoding))
    estate = load([tmp_path / "x.json"])
    assert [A, B] == [found.id for found in estate.of(Principal, "aws")]
    assert [notes, 0] == [len(estate.unsupported), len(estate.errors)]


@pytest.mark.parametrize("page", [dump, listing])
@pytest.mark.parametrize(
    ("notes", "last"), [(0, {}), (0, {"IsTruncated": False}), (1, {"IsTruncated": True, "Marker": "x"})]
)
def test_pages_that_are_missing_at_the_end_are_said(tmp_path, notes, last, page) -> None:
    content = [page(A, IsTruncated=True, Marker="m"), page(B, **last)]
    (tmp_path / "x.json").write_text(json.dumps(content), "utf-8")
    assert notes == len(load([tmp_path]).unsupported)


@pytest.mark.parametrize("page", [dump, listing])
@pytest.mark.parametrize("form", ["doubled", "cut off", "deep"])
def test_broken_files_are_said(tmp_path, form, page) -> None:
    text, key = json.dumps(page(A)), next(iter(page(A)))
    broken = {
        "doubled": f'{text[:-1]}, "{key}": []}}',
        "cut off": text[:-9],
        "deep": f'{{"{key}": {"[" * 10_000}{"]" * 10_000}}}',
    }[form]
    (tmp_path / "x.json").write_text(broken, "utf-8")
    estate = load([tmp_path / "x.json"])
    assert estate.unsupported or estate.errors
