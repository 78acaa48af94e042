"""Policies of ECR repositories beside the list that tells their region."""

from __future__ import annotations

import json
from typing import Any

import pytest

from idtrans.model.entities import Policy
from idtrans.model.values import UNKNOWN
from tests.clouds.aws.replies import entities, reasons

ARN = "arn:aws:ecr:eu-west-1:111122223333:repository/team/app"
TEXT = json.dumps({"Statement": [{"Effect": "Allow", "Principal": "*", "Action": "ecr:BatchGetImage"}]})
NAMES = {"registryId": "111122223333", "repositoryName": "team/app"}
REPLY = {**NAMES, "policyText": TEXT}
BY_ARN = {"repositories": [{**NAMES, "repositoryArn": ARN}]}
BY_URI = {"repositories": [{**NAMES, "repositoryUri": "111122223333.dkr.ecr.eu-west-1.amazonaws.com/team/app"}]}
ELSEWHERE = {"repositories": [{**NAMES, "repositoryArn": ARN.replace("eu-west-1", "us-east-1")}]}


@pytest.mark.parametrize(
    ("expected", "content"),
    [
        (ARN, [BY_ARN, REPLY]),
        (ARN, [REPLY, BY_URI]),
        (ARN, {**REPLY, **BY_URI}),
        (UNKNOWN, REPLY),
        (UNKNOWN, [BY_ARN, ELSEWHERE, REPLY]),
        (UNKNOWN, [BY_ARN, {**REPLY, "repositoryName": "other"}]),
        (UNKNOWN, [{"repositories": [{**NAMES, "repositoryUri": "x"}, None]}, REPLY]),
    ],
)
def test_a_list_tells_whose_a_policy_is(expected: Any, content: Any) -> None:
    assert [expected] == [found.owner for found in entities(content) if isinstance(found, Policy)]
    assert (expected is UNKNOWN) == bool(reasons(content))
