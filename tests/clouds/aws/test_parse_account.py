from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest

from idtrans.clouds.aws._parse import parse
from idtrans.model.documents import Document, Format, Hints, Unsupported
from idtrans.model.entities import Attachment, Container, Membership, Policy, Principal, PrincipalKind, Resource
from idtrans.model.spans import Place, Source
from idtrans.model.values import UNKNOWN, Layer

PLACE = Place("dump.json")
HEAD = "arn:aws:iam::111122223333"
READ = {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::logs/*"}
DOCUMENT = {"Version": "2012-10-17", "Statement": [READ]}
TRUST = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"Service": "ec2.amazonaws.com"}}],
}
USER = {
    "Path": "/staff/",
    "UserName": "ana",
    "UserId": "AIDAEXAMPLEANA",
    "Arn": f"{HEAD}:user/staff/ana",
    "GroupList": ["devs"],
    "UserPolicyList": [{"PolicyName": "own", "PolicyDocument": DOCUMENT}],
    "AttachedManagedPolicies": [
        {"PolicyName": "ReadOnlyAccess", "PolicyArn": "arn:aws:iam::aws:policy/ReadOnlyAccess"}
    ],
    "PermissionsBoundary": {"PermissionsBoundaryType": "Policy", "PermissionsBoundaryArn": f"{HEAD}:policy/limit"},
    "Tags": [{"Key": "team", "Value": "blue"}],
}
GROUP = {
    "Path": "/teams/",
    "GroupName": "devs",
    "GroupId": "AGPAEXAMPLEDEVS",
    "Arn": f"{HEAD}:group/teams/devs",
    "GroupPolicyList": [{"PolicyName": "shared", "PolicyDocument": DOCUMENT}],
    "AttachedManagedPolicies": [],
}
ROLE = {
    "Path": "/",
    "RoleName": "web",
    "RoleId": "AROAEXAMPLEWEB",
    "Arn": f"{HEAD}:role/web",
    "AssumeRolePolicyDocument": TRUST,
    "RolePolicyList": [],
    "AttachedManagedPolicies": [],
    "InstanceProfileList": [{"InstanceProfileName": "web", "Arn": f"{HEAD}:instance-profile/web", "Roles": []}],
}
MANAGED: dict[str, Any] = {
    "PolicyName": "limit",
    "Arn": f"{HEAD}:policy/limit",
    "DefaultVersionId": "v2",
    "PolicyVersionList": [
        {"VersionId": "v2", "IsDefaultVersion": True, "Document": DOCUMENT},
        {"VersionId": "v1", "IsDefaultVersion": False, "Document": {"Statement": {**READ, "Action": "*"}}},
    ],
}


def dump(**sections):
    names = {"users": "UserDetailList", "groups": "GroupDetailList", "roles": "RoleDetailList", "policies": "Policies"}
    return {names.get(section, section): value for section, value in sections.items()}


def parsed(content, **hints):
    return list(parse(Document(PLACE, Format.JSON, content, Hints(**hints)), "aws.account-authorization-details"))


def of(kind, entities):
    return [entity for entity in entities if isinstance(entity, kind)]


def notes(entities):
    return [(note.reason, note.source.pointer, note.subject) for note in of(Unsupported, entities)]


def test_a_whole_account():
    entities = parsed(dump(users=[USER], groups=[GROUP], roles=[ROLE], policies=[MANAGED], IsTruncated=False))
    assert [] == notes(entities)
    assert ["111122223333"] == [found.id for found in of(Container, entities)]
    assert [
        (f"{HEAD}:group/teams/devs", PrincipalKind.GROUP, "devs"),
        (f"{HEAD}:user/staff/ana", PrincipalKind.USER, "ana"),
        (f"{HEAD}:role/web", PrincipalKind.ROLE, "web"),
    ] == [(found.id, found.kind, found.name) for found in of(Principal, entities)]
    assert [
        (f"{HEAD}:group/teams/devs#identity/shared", Layer.IDENTITY, f"{HEAD}:group/teams/devs"),
        (f"{HEAD}:user/staff/ana#identity/own", Layer.IDENTITY, f"{HEAD}:user/staff/ana"),
        (f"{HEAD}:role/web#trust", Layer.TRUST, f"{HEAD}:role/web"),
        (f"{HEAD}:policy/limit", Layer.IDENTITY, None),
    ] == [(found.id, found.layer, found.owner) for found in of(Policy, entities)]
    assert [
        ("arn:aws:iam::aws:policy/ReadOnlyAccess", Layer.IDENTITY),
        (f"{HEAD}:policy/limit", Layer.BOUNDARY),
    ] == [(found.policy, found.layer) for found in of(Attachment, entities)]
    assert [(f"{HEAD}:user/staff/ana", f"{HEAD}:group/teams/devs")] == [
        (found.member, found.group) for found in of(Membership, entities)
    ]
    assert [("instance-profile", f"{HEAD}:role/web")] == [
        (found.kind, found.settings["role"]) for found in of(Resource, entities)
    ]


def test_a_user_has_tags_and_unambiguous_aliases():
    user = of(Principal, parsed(dump(users=[USER], groups=[GROUP])))[1]
    assert ("user/ana", f"{HEAD}:user/ana", "AIDAEXAMPLEANA") == user.aliases
    assert ({"team": "blue"}, "111122223333") == (user.attributes, user.container)


def test_every_statement_knows_its_place():
    entities = parsed(dump(users=[USER], groups=[GROUP]))
    own = of(Policy, entities)[1]
    expected = Source(PLACE, "/UserDetailList/0/UserPolicyList/0/PolicyDocument/Statement/0")
    assert expected == own.statements[0].source


@pytest.mark.parametrize("encode", [json.dumps, lambda value: quote(json.dumps(value), safe="")])
def test_documents_may_be_carried_as_text(encode):
    policies = [{**MANAGED, "PolicyVersionList": [{**MANAGED["PolicyVersionList"][0], "Document": encode(DOCUMENT)}]}]
    role = {**ROLE, "AssumeRolePolicyDocument": encode(TRUST)}
    entities = parsed(dump(roles=[role, role], policies=policies))
    assert [] == notes(entities)
    trusts = [found for found in of(Policy, entities) if found.layer is Layer.TRUST]
    assert [f"/RoleDetailList/{number}/AssumeRolePolicyDocument" for number in (0, 1)] == [
        found.statements[0].source.pointer for found in trusts
    ]
    assert [("s3:GetObject",)] == [found.statements[0].actions for found in of(Policy, entities) if not found.owner]


def test_pages_are_one_account():
    pages = [dump(users=[USER], IsTruncated=True, Marker="x"), dump(groups=[GROUP], policies=[MANAGED])]
    entities = parsed(pages)
    assert [] == notes(entities)
    assert f"{HEAD}:group/teams/devs" == of(Membership, entities)[0].group
    assert "/0/UserDetailList/0" == of(Principal, entities)[1].source.pointer


@pytest.mark.parametrize("content", [dump(users=[], IsTruncated=True), [dump(users=[]), dump(IsTruncated="true")]])
def test_a_truncated_dump_says_so(content):
    (note,) = notes(parsed(content))
    assert "the reply is truncated: later pages are missing" == note[0]


@pytest.mark.parametrize("partition", ["aws", "aws-cn", "aws-us-gov"])
def test_accounts_of_every_partition(partition):
    arn = f"arn:{partition}:iam::444455556666:role/aws-service-role/ecs.amazonaws.com/AWSServiceRoleForECS"
    entities = parsed(dump(roles=[{**ROLE, "Arn": arn}]))
    assert ["444455556666"] == [found.id for found in of(Container, entities)][:1]
    assert f"arn:{partition}:iam::444455556666:role/AWSServiceRoleForECS" in of(Principal, entities)[0].aliases


def test_twelve_digits_elsewhere_are_no_account():
    user = {**USER, "Arn": f"{HEAD}:user/999988887777/ana"}
    managed = {**MANAGED, "Arn": "arn:aws:iam::aws:policy/999988887777"}
    entities = parsed(dump(users=[user], policies=[managed]), account="111122223333")
    assert ["111122223333"] == [found.id for found in of(Container, entities)]


def test_a_group_that_is_not_described_is_named_as_unknown():
    entities = parsed(dump(users=[USER]))
    assert [(f"{HEAD}:user/staff/ana", f"{HEAD}:group/devs")] == [
        (found.member, found.group) for found in of(Membership, entities)
    ]
    assert [
        (
            "group `devs` is not described: what it grants is not known",
            "/UserDetailList/0/GroupList/0",
            f"{HEAD}:user/staff/ana",
        )
    ] == notes(entities)


@pytest.mark.parametrize(
    ("expected", "sections"),
    [
        ("has no `Arn` of a user", {"users": [{**USER, "Arn": None}]}),
        ("has no `Arn` of a user", {"users": ["ana"]}),
        ("has no `Arn` of a user", {"users": [{**USER, "Arn": f"{HEAD}:role/ana"}]}),
        ("has no `Arn` of a group", {"groups": [{"GroupName": "devs"}]}),
        ("has no `Arn` of a role", {"roles": [{**ROLE, "Arn": "web"}]}),
        ("has no `Arn`", {"policies": [{"PolicyName": "p"}]}),
        ("has no `Arn`", {"policies": [None]}),
        ("`UserDetailList` is `{", {"users": {"UserName": "ana"}}),
        ("is no group name", {"users": [{**USER, "GroupList": [7]}], "groups": [GROUP]}),
        ("is no pair of `Key` and `Value`", {"groups": [{**GROUP, "Tags": [{"Value": "blue"}]}]}),
        ("is no pair of `Key` and `Value`", {"groups": [{**GROUP, "Tags": {"team": ["blue"]}}]}),
        ("is no pair of `Key` and `Value`", {"groups": [{**GROUP, "Tags": "blue"}]}),
        ("has no `Arn`", {"roles": [{**ROLE, "InstanceProfileList": ["web"]}]}),
    ],
)
def test_what_is_not_understood_is_reported(expected, sections):
    (note,) = notes(parsed(dump(**sections)))
    assert expected in note[0]


@pytest.mark.parametrize("content", [5, None, [dump(users=[]), 7]])
def test_what_is_no_page_is_reported(content):
    (note,) = notes(parsed(content))
    assert note[0].startswith("`7` is no page" if isinstance(content, list) else f"`{json.dumps(content)}` is no reply")


@pytest.mark.parametrize(
    ("expected", "changes"),
    [
        ("the role is described without its trust policy", {"AssumeRolePolicyDocument": ...}),
        ("has no `PolicyDocument`", {"RolePolicyList": [{"PolicyName": "p"}]}),
        ("has no `PolicyDocument`", {"RolePolicyList": ["p"]}),
        ("broken JSON", {"RolePolicyList": [{"PolicyName": "p", "PolicyDocument": "%7B"}]}),
        ("is not an object", {"AssumeRolePolicyDocument": 7}),
    ],
)
def test_a_policy_that_cannot_be_read_may_say_anything(expected, changes):
    role = {key: value for key, value in {**ROLE, **changes}.items() if value is not ...}
    entities = parsed(dump(roles=[role]))
    (note,) = notes(entities)
    assert expected in note[0]
    assert f"{HEAD}:role/web" == note[2]
    unclear = [item for found in of(Policy, entities) for item in found.statements if item.effect is UNKNOWN]
    assert 1 == len(unclear)


def test_a_role_that_nobody_may_assume_is_fine_and_says_so():
    entities = parsed(dump(roles=[{**ROLE, "AssumeRolePolicyDocument": {}}]))
    assert [(), "the policy document is empty and grants nothing"] == [
        of(Policy, entities)[0].statements,
        notes(entities)[0][0],
    ]


@pytest.mark.parametrize(
    ("key", "value", "layer"),
    [
        ("AttachedManagedPolicies", [{"PolicyName": "p"}], Layer.IDENTITY),
        ("AttachedManagedPolicies", ["p"], Layer.IDENTITY),
        ("PermissionsBoundary", {}, Layer.BOUNDARY),
        ("PermissionsBoundary", "p", Layer.BOUNDARY),
    ],
)
def test_an_attachment_without_an_arn_is_missed_not_forgotten(key, value, layer):
    entities = parsed(dump(roles=[{**ROLE, key: value}]))
    (attachment,) = of(Attachment, entities)
    assert (f"{HEAD}:role/web", layer) == (attachment.principal, attachment.layer)
    assert "has no ARN" in notes(entities)[0][0]


@pytest.mark.parametrize("boundary", [None, ...])
def test_no_boundary_is_fine(boundary):
    role = {key: value for key, value in {**ROLE, "PermissionsBoundary": boundary}.items() if value is not ...}
    assert ([], []) == (of(Attachment, parsed(dump(roles=[role]))), notes(parsed(dump(roles=[role]))))


@pytest.mark.parametrize(
    ("expected", "versions"),
    [
        ("no default version", []),
        ("no default version", None),
        ("no default version", [{"VersionId": "v1", "IsDefaultVersion": False, "Document": DOCUMENT}, 7]),
        ("no default version", [{"VersionId": "v1", "IsDefaultVersion": "true", "Document": DOCUMENT}]),
        ("several default versions", [{"IsDefaultVersion": True, "Document": DOCUMENT}] * 2),
        ("no `Document`", [{"VersionId": "v2", "IsDefaultVersion": True}]),
    ],
)
def test_only_one_default_version_counts(expected, versions):
    entities = parsed(dump(policies=[{**MANAGED, "PolicyVersionList": versions}]))
    (found,) = of(Policy, entities)
    assert [UNKNOWN] == [statement.effect for statement in found.statements]
    assert expected in notes(entities)[0][0]
    assert f"{HEAD}:policy/limit" == notes(entities)[0][2]


def test_the_default_version_may_be_told_by_its_id():
    versions = [{"VersionId": "v1", "Document": {}}, {"VersionId": "v2", "Document": DOCUMENT}]
    (found,) = of(Policy, parsed(dump(policies=[{**MANAGED, "PolicyVersionList": versions}])))
    assert "/Policies/0/PolicyVersionList/1/Document" == found.source.pointer
