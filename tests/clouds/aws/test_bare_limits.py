"""Policies of an organisation that stand alone: one that only denies hangs beside one that allows everything."""

from __future__ import annotations

import json

import pytest

from idtrans import api
from idtrans.model.documents import Hints
from idtrans.model.values import Layer
from tests.clouds.aws.builders import allow, deny

TLS = {"Condition": {"BoolIfExists": {"aws:SecureTransport": "false"}}}
NO_S3, NO_IAM = deny("s3:*"), deny("iam:*")
EVERYBODY = {"Principal": "*"}


def verdict(layer, old, new):
    sides = []
    for statements in (old, new):
        content = json.dumps({"Version": "2012-10-17", "Statement": statements}).encode()
        sides.append(api.load(["-"], stdin=content, hints=Hints(layer=layer)))
    report = api.diff(*sides)
    return report.verdict.value, {change.witness.action.partition(":")[0] for change in report.new}


@pytest.mark.parametrize(
    ("layer", "old", "new", "expected"),
    [
        (Layer.SCP, [NO_S3, NO_IAM], [NO_S3], ("new-access", {"iam"})),
        (Layer.SCP, [NO_S3], [NO_S3, NO_IAM], ("no-new-access", set())),
        (Layer.SCP, [NO_S3, NO_IAM], [NO_IAM, NO_S3], ("no-new-access", set())),
        (Layer.SCP, [NO_S3], [deny("s3:*", **TLS)], ("new-access", {"s3"})),
        (Layer.SCP, [allow("s3:*")], [allow("s3:*"), NO_S3], ("no-new-access", set())),
        (Layer.SCP, [allow("s3:*")], [allow("*")], ("new-access", set())),
        (Layer.RCP, [{**NO_S3, **EVERYBODY}], [{**NO_S3, **EVERYBODY, **TLS}], ("new-access", {"s3"})),
        (Layer.RCP, [{**NO_S3, **EVERYBODY, **TLS}], [{**NO_S3, **EVERYBODY}], ("no-new-access", set())),
        (Layer.IDENTITY, [NO_S3, NO_IAM], [NO_S3], ("no-new-access", set())),
        (Layer.BOUNDARY, [NO_S3, NO_IAM], [NO_S3], ("no-new-access", set())),
    ],
)
def test_a_deny_that_goes_away_lets_more_pass(layer, old, new, expected):
    found, services = verdict(layer, old, new)
    assert expected[0] == found
    assert expected[1] <= services
