"""Labelled cases that ask about a request or a token, as policy unit tests."""

from __future__ import annotations

import uuid
from typing import Any

ANA = "arn:aws:iam::111122223333:user/ana"
_LAYERS = {
    "identity_policy": "identity",
    "resource_policy": "resource",
    "permissions_boundary": "boundary",
    "session_policy": "session",
    "scp": "scp",
    "rcp": "rcp",
    "endpoint_policy": "endpoint",
}
_SUBSCRIPTION = "/subscriptions/00000000-0000-0000-0000-000000000001"


def is_asked(case: dict[str, Any]) -> bool:
    """Tell whether a labelled case is a question that a suite can ask."""
    return case["kind"] == "evaluate" or "token" in case["input"]


def suite_of(case: dict[str, Any]) -> dict[str, Any]:
    """Return a labelled case as one suite."""
    if "token" in case["input"]:
        return _token(case)
    return _azure(case) if case["cloud"] == "azure" else _aws(case)


def _token(case: dict[str, Any]) -> dict[str, Any]:
    given, answer = case["input"], case["expected"]["answer"]
    admitted = answer["match"] if isinstance(answer, dict) else answer not in {False, "deny"}
    target = {
        "aws": "arn:aws:iam::111122223333:role/deploy",
        "azure": f"entra:{_guid('app')}",
        "gcp": "serviceAccount:deploy@proj-a.iam.gserviceaccount.com",
    }[case["cloud"]]
    documents: list[dict[str, Any]] = []
    if "trust_policy" in given:
        documents.append({"inline": given["trust_policy"], "layer": "trust"})
    if "fic" in given:
        credential = {"name": "c", "audiences": ["api://AzureADTokenExchange"], **given["fic"]}
        documents.append({"inline": [credential]})
    if "provider" in given:
        policy = given["sa_policy"]
        name = f"//iam.googleapis.com/projects/proj-a/serviceAccounts/{policy['service_account']}"
        documents += [{"inline": given["provider"]}, {"inline": {"bindings": policy["bindings"]}, "resource": name}]
    asked = {"target": target, "claims": given["token"], "expect": "allow" if admitted else "deny"}
    return {"documents": documents, "cases": [asked]}


def _aws(case: dict[str, Any]) -> dict[str, Any]:
    given = case["input"]
    documents = [
        {"inline": document, "layer": layer}
        for name, layer in _LAYERS.items()
        if name in given
        for document in (given[name] if isinstance(given[name], list) else [given[name]])
    ]
    return {"documents": documents, "cases": list(_aws_cases(case))}


def _aws_cases(case):
    given, answer = case["input"], case["expected"]["answer"]
    if "request" in given or "requests" in given:
        requests = given["requests"] if "requests" in given else [given["request"]]
        answers = answer if isinstance(answer, list) else [answer]
        for request, expected in zip(requests, answers, strict=True):
            yield {"principal": ANA, **request, "expect": expected.replace("_", "-")}
    elif isinstance(answer, list):
        # Which actions are granted: those that are named, and none that only looks like them.
        for action in answer:
            yield {"principal": ANA, "action": action, "resource": "*", "expect": "allow"}
            other = action.partition(":")[0] + ":Send" + action.partition(":")[2]
            yield {"principal": ANA, "action": other, "resource": "*", "expect": "implicit-deny"}
    elif answer == "not_public":
        bucket = "arn:aws:s3:::example-data/a"
        yield {"anonymous": True, "action": "s3:GetObject", "resource": bucket, "expect": "implicit-deny"}
    else:
        query = given["graph_query"]
        resource = f"{query['to']}/any"
        expected = "allow" if answer else "deny"
        yield {"principal": ANA, "action": "s3:GetObject", "resource": resource, "expect": expected}


def _guid(name: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, name))


def _azure(case: dict[str, Any]) -> dict[str, Any]:
    given = case["input"]
    request = given["request"]
    assignments = given.get("assignments") or [{"role": given["role"], "scope": _SUBSCRIPTION}]
    caller = _guid(request.get("principal", "u0"))
    inline: list[dict[str, Any]] = []
    for number, assignment in enumerate(assignments):
        inline += _assigned(assignment, number, caller)
    inline += [_denied(deny, number) for number, deny in enumerate(given.get("deny_assignments", ()))]
    asked = {
        "principal": f"entra:{caller}",
        "action": request["action"],
        "resource": request.get("scope", f"{_SUBSCRIPTION}/resourceGroups/rg1"),
        "plane": "control",
        "expect": "allow" if case["expected"]["answer"] else "deny",
    }
    return {"documents": [{"inline": [entry]} for entry in inline], "cases": [asked]}


def _assigned(assignment, number, caller):
    role = assignment["role"]
    built_in = isinstance(role, str)
    definition = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635" if built_in else _guid(f"role{number}")
    holder = _guid(assignment["principal"]) if "principal" in assignment else caller
    yield {
        "id": f"{assignment['scope']}/providers/Microsoft.Authorization/roleAssignments/{_guid(f'a{number}')}",
        "type": "Microsoft.Authorization/roleAssignments",
        "principalId": holder,
        "principalType": "User",
        "roleDefinitionId": f"{_SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/{definition}",
        "scope": assignment["scope"],
    }
    if not built_in:
        yield {
            "name": definition,
            "roleName": role.get("name", f"role {number}"),
            "type": "Microsoft.Authorization/roleDefinitions",
            "permissions": role.get("permissions", [role]),
            "assignableScopes": ["/"],
        }


def _denied(deny, number):
    everyone = {"id": "00000000-0000-0000-0000-000000000000", "type": "SystemDefined", "displayName": "All Principals"}
    named = [everyone if name == "Everyone" else {"id": _guid(name), "type": "User"} for name in deny["principals"]]
    return {
        "id": f"{deny['scope']}/providers/Microsoft.Authorization/denyAssignments/{_guid(f'd{number}')}",
        "type": "Microsoft.Authorization/denyAssignments",
        "denyAssignmentName": f"deny {number}",
        "permissions": [{"actions": deny["actions"], "notActions": deny["notActions"]}],
        "principals": named,
        "excludePrincipals": [{"id": _guid(name), "type": "User"} for name in deny["excludePrincipals"]],
        "scope": deny["scope"],
        "doNotApplyToChildScopes": deny["doNotApplyToChildScopes"],
    }
