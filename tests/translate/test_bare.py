"""Policies of which nothing says whose they are: what names its principals is theirs, and nobody else's."""

from __future__ import annotations

import json
from typing import Any

import pytest

from idtrans import api
from idtrans.api import clouds
from idtrans.model.values import Verdict
from idtrans.translate import translate
from tests.translate.conftest import READER

ROOT = "arn:aws:iam::111122223333:root"


def translated(*statements: dict[str, Any]) -> dict[str, Verdict]:
    content = {"Version": "2012-10-17", "Statement": list(statements)}
    estate = api.load(["-"], stdin=json.dumps(content).encode())
    return {each.principal: each.verdict for each in translate(clouds()["aws"], clouds()["gcp"], estate)}


def allow(action: str = "s3:GetObject", **more: Any) -> dict[str, Any]:
    return {"Effect": "Allow", "Action": action, "Resource": "arn:aws:s3:::data/*", **more}


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (allow(Principal={"AWS": READER}), {READER: Verdict.NARROWER}),
        (allow(Principal="*"), {"anonymous": Verdict.REFUSED}),
        (allow(NotPrincipal={"AWS": ROOT}), {"anonymous": Verdict.REFUSED}),
        (allow(), {"policy:#1": Verdict.EXACT_WITH_PARTS}),
    ],
)
def test_who_holds_what_a_bare_policy_states(statement, expected):
    assert expected == translated(statement)


def test_a_trust_is_no_permission():
    trust = {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}

    assert {} == translated(trust)
