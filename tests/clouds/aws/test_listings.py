"""Lists of IAM, one kind of thing a reply: what they say together is what an account dump says; the rest is unknown."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clouds.aws.builders import ACCOUNT, OBJECT, allow, estate, lower, outcome
from tests.clouds.aws.replies import entities, reasons, shape

IAM = f"arn:aws:iam::{ACCOUNT}"
ANA, GROUP, ROLE = f"{IAM}:user/team/ana", f"{IAM}:group/g", f"{IAM}:role/path/r"
POLICY = f"{IAM}:policy/p"
USER = {"Path": "/team/", "UserName": "ana", "UserId": "AIDAEXAMPLEEXAMPLE111", "Arn": ANA}
TRUST = {"Statement": [{"Effect": "Allow", "Principal": {"AWS": ANA}, "Action": "sts:AssumeRole"}]}
LISTED_ROLE = {"RoleName": "r", "Arn": ROLE, "AssumeRolePolicyDocument": TRUST}
NO_POLICIES: dict[str, Any] = {"AttachedPolicies": []}
NO_NAMES: dict[str, Any] = {"PolicyNames": []}
NO_GROUPS: dict[str, Any] = {"Groups": []}
ATTACHED = {"AttachedPolicies": [{"PolicyName": "p", "PolicyArn": POLICY}]}
GET = "s3:GetObject"


def of(content: dict[str, Any], name: str = "UserName", value: str = "ana") -> list[Any]:
    return entities({name: value, **content}, account=ACCOUNT)


def version(*, default: bool = True) -> list[Any]:
    document = {"Version": "2012-10-17", "Statement": [allow("s3:*")]}
    return entities({"PolicyVersion": {"Document": document, "IsDefaultVersion": default}}, resource=POLICY)


def inline(name: str) -> list[Any]:
    content = {"UserName": "ana", "PolicyName": name, "PolicyDocument": {"Statement": [allow("s3:*")]}}
    return entities(content, account=ACCOUNT)


@pytest.mark.parametrize(
    "content",
    [
        {"Users": [USER]},
        {"User": USER},
        {"Groups": [{"GroupName": "g", "Arn": GROUP}]},
        {"Group": {"GroupName": "g", "Arn": GROUP}, "Users": []},
        {"Policies": [{"PolicyName": "p", "Arn": POLICY, "DefaultVersionId": "v1"}]},
        {"Policy": {"PolicyName": "p", "Arn": POLICY, "DefaultVersionId": "v1"}},
        ATTACHED,
        NO_NAMES,
        {"PolicyGroups": [], "PolicyUsers": [], "PolicyRoles": []},
        [{"Users": [USER], "IsTruncated": True}, {"Users": []}],
    ],
)
def test_shapes(content: Any) -> None:
    assert "aws.iam-lists" == shape(content)


@pytest.mark.parametrize("content", [{"Users": []}, {"Users": [{"id": "x"}]}, {"User": "ana"}, {"Policies": [{}]}])
def test_lists_of_others_are_left_alone(content: Any) -> None:
    assert shape(content) is None


@pytest.mark.parametrize(
    ("expected", "lists"),
    [
        ("implicit-deny", [of(NO_POLICIES), of(NO_NAMES), of(NO_GROUPS)]),
        ("allow", [of(ATTACHED), version(), of(NO_NAMES), of(NO_GROUPS)]),
        ("unknown", [of(ATTACHED), version(default=False), of(NO_NAMES), of(NO_GROUPS)]),
        ("allow", [of(NO_POLICIES), of({"PolicyNames": ["x"]}), inline("x"), of(NO_GROUPS)]),
        ("unknown", []),
        ("unknown", [of(NO_POLICIES), of(NO_NAMES)]),
        ("unknown", [of(NO_POLICIES), of(NO_GROUPS)]),
        ("unknown", [of(NO_NAMES), of(NO_GROUPS)]),
        ("unknown", [of(ATTACHED), of(NO_NAMES), of(NO_GROUPS)]),
        ("unknown", [of(NO_POLICIES), of({"PolicyNames": ["x"]}), of(NO_GROUPS)]),
        ("unknown", [of(NO_POLICIES), of({"PolicyNames": ["x"]}), inline("y"), of(NO_GROUPS)]),
        ("unknown", [of({**NO_POLICIES, "IsTruncated": True}), of(NO_NAMES), of(NO_GROUPS)]),
        ("unknown", [of(NO_POLICIES), of(NO_NAMES), of({"Groups": [{"GroupName": "g", "Arn": GROUP}]})]),
    ],
)
def test_what_was_not_read_stays_unknown(expected: str, lists: list[list[Any]]) -> None:
    assert expected == outcome(estate(entities({"User": USER}), *lists), ANA, GET, OBJECT)


def test_a_list_of_users_does_not_tell_boundaries() -> None:
    lists = [of(ATTACHED), version(), of(NO_NAMES), of(NO_GROUPS)]
    assert "unknown" == outcome(estate(entities({"Users": [USER]}), *lists), ANA, GET, OBJECT)
    both = entities([{"Users": [USER]}, {"User": USER}])
    assert "allow" == outcome(estate(both, *lists), ANA, GET, OBJECT)


def test_a_group_gives_what_it_holds() -> None:
    found = estate(
        entities({"User": USER}),
        of(NO_POLICIES),
        of(NO_NAMES),
        of({"Groups": [{"GroupName": "g", "Arn": GROUP}]}),
        of(ATTACHED, "GroupName", "g"),
        of(NO_NAMES, "GroupName", "g"),
        version(),
    )
    assert "allow" == outcome(found, ANA, GET, OBJECT)


@pytest.mark.parametrize(
    ("expected", "described", "lists"),
    [
        ("unknown", {"Role": LISTED_ROLE}, []),
        ("implicit-deny", {"Role": LISTED_ROLE}, [of(NO_POLICIES, "RoleName", "r"), of(NO_NAMES, "RoleName", "r")]),
        ("allow", {"Role": LISTED_ROLE}, [of(ATTACHED, "RoleName", "r"), of(NO_NAMES, "RoleName", "r"), version()]),
        ("unknown", {"Roles": [LISTED_ROLE]}, [of(NO_POLICIES, "RoleName", "r"), of(NO_NAMES, "RoleName", "r")]),
    ],
)
def test_roles_need_their_lists_too(expected: str, described: Any, lists: list[list[Any]]) -> None:
    assert expected == outcome(estate(entities(described), *lists), ROLE, GET, OBJECT)


def test_a_dump_tells_all_that_lists_leave_open() -> None:
    detail = {**USER, "GroupList": [], "UserPolicyList": [], "AttachedManagedPolicies": []}
    found = estate(entities({"User": USER}), entities({"UserDetailList": [detail]}))
    assert "implicit-deny" == outcome(found, ANA, GET, OBJECT)


def test_entities_of_a_policy_hold_it() -> None:
    users = {"PolicyArn": POLICY, "PolicyUsers": [{"UserName": "ana"}], "PolicyRoles": [], "PolicyGroups": []}
    lists = [of(NO_NAMES), of(NO_GROUPS), of(NO_POLICIES), version()]
    assert "allow" == outcome(estate(entities({"User": USER}), entities(users), *lists), ANA, GET, OBJECT)


@pytest.mark.parametrize(
    ("expected", "content"),
    [
        (1, ATTACHED),
        (1, {"PolicyNames": ["x"]}),
        (1, {"PolicyUsers": [{"UserName": "ana"}]}),
        (1, {"PolicyUsers": [None], "PolicyArn": POLICY}),
        (1, {"Users": [USER, None]}),
        (1, {"Users": [USER], "IsTruncated": True}),
        (1, {"Policies": [{"Arn": POLICY}, {"PolicyName": "x"}]}),
        (1, {"UserName": "ana", "PolicyNames": [7, "x"]}),
        (1, {"UserName": "ana", "AttachedPolicies": [{}]}),
        (1, {"UserName": "ana", "AttachedPolicies": [], "PolicyNames": "x"}),
        (0, {"UserName": "ana", **ATTACHED}),
        (0, {"Users": [USER]}),
    ],
)
def test_what_is_odd_is_said(expected: int, content: Any) -> None:
    assert expected == len([reason for reason in reasons(content, account=ACCOUNT) if reason])


def test_bare_documents_go_on_as_before() -> None:
    assert "allow" == outcome(estate(lower(allow("s3:*"), principal=ANA)), ANA, GET, OBJECT)
