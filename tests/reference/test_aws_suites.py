"""The definitional evaluator answers the AWS suites that the project ships, as the compiled engine must."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from tests.conftest import ROOT
from tests.reference import aws

Json = dict[str, Any]

FILES = sorted((ROOT / "fixtures" / "policy-tests" / "aws").glob("*.yaml"))
BEYOND = (":aws:policy/", ":alias/aws/", ":role/aws-reserved/")
"""Resources that belong to AWS itself, of which the evaluator knows nothing; nor does it know of access lists."""
RCP_SERVICES = ["s3", "sts", "kms", "sqs", "secretsmanager"]
LEVELS = ("ou", "root")
"""Levels that suites name, from below."""


def is_covered(suite: Json, case: Json) -> bool:
    written = all("layer" in document for document in suite["documents"])
    beyond = any(text in case["resource"] for text in BEYOND)
    return (
        written
        and not beyond
        and (case["resource"] != "*" or case["action"] in {"s3:ListAllMyBuckets", "kms:ListKeys"})
    )


def world_of(suite: Json, case: Json) -> Json:
    """Return the closed world of a case: a document without owner is that of the case."""
    stated = {
        document["principal"]
        for document in suite["documents"]
        if document["layer"] in {"identity", "trust"} and "principal" in document
    }
    roles: Json = {arn: {"groups": [], "tags": {}} for arn in stated}
    who = aws.caller_of(case)
    carrier = aws.carrier_of(who, {"principals": roles})
    account = who.account or ""
    accounts = {
        document["resource"]: document["account"]
        for document in suite["documents"]
        if {"resource", "account"} <= set(document)
    }
    owners = {
        "identity": carrier,
        "boundary": carrier,
        "session": who.id,
        "resource": case["resource"],
        "trust": case["resource"],
    }
    policies = [
        {
            "layer": document["layer"],
            "owner": document.get("principal") or document.get("resource") or owners.get(document["layer"]),
            "level": document.get("level"),
            "document": document["inline"],
        }
        for document in suite["documents"]
    ]
    return {
        "policies": policies,
        "principals": roles | {carrier: {"groups": [], "tags": {}}},
        "parents": dict(zip((account, *LEVELS), LEVELS, strict=False)),
        "accounts": accounts,
        "now": "2026-09-01T12:00:00+00:00",
        "closed": True,
        "rcp_services": RCP_SERVICES,
        "request": case | {"context": context_of(case)} | management(case, account),
    }


def context_of(case: Json) -> Json:
    """Return the keys of a case as texts, and lists of texts."""
    texts = {key: [str(value) for value in aws.listed(values)] for key, values in case.get("context", {}).items()}
    return {key: values[0] if len(values) == 1 else values for key, values in texts.items()}


def management(case: Json, account: str) -> Json:
    return {"management_account": account} if case.get("management_account") is True else {}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_suite(file):
    suites = yaml.safe_load(file.read_text(encoding="utf-8"))
    pairs = [(suite, case) for suite in suites for case in suite["cases"] if is_covered(suite, case)]
    wrong = {
        case["name"]: (case["expect"], found)
        for suite, case in pairs
        if (found := aws.decide(world_of(suite, case))) != case["expect"]
    }
    assert {} == wrong
    assert len(pairs) >= 45
