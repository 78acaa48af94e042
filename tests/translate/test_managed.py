"""Managed policies and umbrella roles: recognised by capability and by service, written where that can be said."""

from __future__ import annotations

import pytest

from idtrans.catalog import managed_policy
from idtrans.model.values import Verdict

SUBSCRIPTION = "/subscriptions/aaaaaaaa-1111-4000-8000-000000000001"
READER = "acdd72a7-3385-48ef-bd42-f606fba81ae7"


def statements(name):
    policy = managed_policy(f"arn:aws:iam::aws:policy/{name}")
    assert policy is not None
    return [
        {"Effect": "Allow", "Action": list(each.actions or ()), "Resource": list(each.resources or ["*"])}
        for each in policy.statements
    ]


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("ReadOnlyAccess", 1200),
        ("SecurityAudit", 900),
        ("job-function/ViewOnlyAccess", 1000),
        ("AmazonSQSReadOnlyAccess", 0),
    ],
)
def test_managed_policies_are_recognised_by_service(speak, name, most):
    found = speak.aws("gcp", *statements(name))

    assert any(each.id.startswith("service.") for each in found.capabilities)
    assert most >= sum(len(each.permissions) for each in found.residue)


def test_what_a_service_states_is_approximate(speak):
    found = speak.aws("gcp", *statements("ReadOnlyAccess"))
    verdicts = {each.id: each.verdict for each in found.capabilities}

    assert Verdict.APPROXIMATE == verdicts["service.compute"]
    assert "which is approximate" in "\n".join(found.reasons)


@pytest.mark.parametrize("target", ["aws", "gcp"])
def test_the_reader_of_azure_is_recognised(speak, target):
    role = f"{SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/{READER}"
    found = speak.azure(target, {"scope": SUBSCRIPTION, "roleDefinitionId": role})
    services = [each.id for each in found.capabilities if each.id.startswith("service.")]

    assert len(services) > 20
    assert Verdict.NARROWER == found.verdict


def test_part_of_a_service_is_not_the_service(speak):
    found = speak.aws("gcp", {"Effect": "Allow", "Action": "ec2:DescribeKeyPairs", "Resource": "*"})

    assert (Verdict.REFUSED, ()) == (found.verdict, found.capabilities)
    assert ["ec2"] == [each.service for each in found.residue]
