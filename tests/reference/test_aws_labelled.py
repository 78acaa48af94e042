"""The definitional evaluator answers the labelled evaluations, which nobody wrote with it in mind."""

from __future__ import annotations

import json
from typing import Any

from tests.reference import aws

Json = dict[str, Any]

_LAYERS = {
    "identity_policy": "identity",
    "permissions_boundary": "boundary",
    "session_policy": "session",
    "resource_policy": "resource",
    "scp": "scp",
}


def world_of(given: Json, request: Json) -> Json:
    """Return the closed world that a labelled case describes."""
    principal = request.get("principal", "arn:aws:iam::111122223333:user/ana")
    carrier = aws.carrier_of(aws.read_principal(principal), {"principals": {}})
    bucket = request["resource"].partition("/")[0]
    policies = [
        {"layer": layer, "owner": bucket if layer == "resource" else carrier, "level": None, "document": given[name]}
        for name, layer in _LAYERS.items()
        if given.get(name) is not None
    ]
    return {
        "policies": policies,
        "principals": {carrier: {"groups": [], "tags": {}}},
        "parents": {},
        "accounts": {},
        "now": "2026-09-01T12:00:00+00:00",
        "closed": True,
        "request": {"context": {}, **request, "principal": principal},
    }


def test_labelled_evaluations(shared):
    checked = 0
    for path in sorted((shared / "cases").glob("*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        given = case.get("input", {})
        requests = given.get("requests") or [given["request"]] if {"request", "requests"} & set(given) else []
        if (case.get("cloud"), case.get("kind")) != ("aws", "evaluate"):
            continue
        for request, expected in zip(requests, aws.listed(case["expected"]["answer"]), strict=bool(requests)):
            assert (path.stem, expected.replace("_", "-")) == (path.stem, aws.decide(world_of(given, request)))
            checked += 1
    assert checked >= 15
