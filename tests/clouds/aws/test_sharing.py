"""Snapshots and images that are shared."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idtrans.clouds.aws import CLOUD
from idtrans.model.entities import Container
from idtrans.model.values import Reach
from tests.clouds.aws.builders import ACCOUNT, HERE, OTHER, account, estate
from tests.clouds.aws.replies import entities, reasons, shape

SNAPSHOT = "snap-066877671789bd71b"
ORGANIZATION = "arn:aws:organizations::999999999999:organization/o-exampleorgid"
UNIT = "arn:aws:organizations::999999999999:ou/o-exampleorgid/ou-ex01-exampleou"


def disk(*permissions: Any) -> dict[str, Any]:
    return {"SnapshotId": SNAPSHOT, "CreateVolumePermissions": list(permissions)}


def image(*permissions: Any) -> dict[str, Any]:
    return {"ImageId": "ami-0abcdef1234567890", "LaunchPermissions": list(permissions)}


def database(*values: Any, cluster: str = "") -> dict[str, Any]:
    attributes = [{"AttributeName": "restore", "AttributeValues": list(values)}]
    return {
        f"DB{cluster}SnapshotAttributesResult": {
            f"DB{cluster}SnapshotIdentifier": "nightly",
            f"DB{cluster}SnapshotAttributes": attributes,
        }
    }


def facts(content: Any, *groups: list[Any], **hints: Any) -> list[tuple[str, Reach, str]]:
    found = CLOUD.exposures(estate(*groups, entities(content, **hints)))
    assert all((fact.through, fact.conditional) == ("setting", False) for fact in found)
    return [(fact.resource_kind, fact.reach, fact.principal) for fact in found]


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (disk({"Group": "all"}), "snapshot"),
        (image({"Group": "all"}), "image"),
        (database("all"), "snapshot"),
        (database("all", cluster="Cluster"), "snapshot"),
        ({"Images": [{"ImageId": "ami-1", "Public": True, "OwnerId": ACCOUNT}]}, "image"),
    ],
)
def test_what_everybody_can_copy(content: Any, kind: str) -> None:
    assert "aws.sharing" == shape(content)
    assert [(kind, Reach.ANYONE, "*")] == facts(content)


@pytest.mark.parametrize(
    "content", [disk({"UserId": OTHER}, {"UserId": ACCOUNT}), image({"UserId": OTHER}), database(OTHER, ACCOUNT)]
)
def test_the_own_account_is_no_outsider(content: Any) -> None:
    assert [Reach.TENANT] == [reach for _, reach, _ in facts(content, account=ACCOUNT)]
    assert [] == facts(content, account(OTHER), account=ACCOUNT)


def test_without_an_own_account_nobody_is_known_to_be_outside() -> None:
    assert [("snapshot", Reach.UNKNOWN, OTHER)] == facts(disk({"UserId": OTHER}))


@pytest.mark.parametrize("name", [ORGANIZATION, UNIT])
def test_organisations(name: str) -> None:
    key = "OrganizationArn" if name == ORGANIZATION else "OrganizationalUnitArn"
    content = image({key: name})
    inside: list[Any] = [Container("aws", ACCOUNT, "account", HERE, attributes={"organization": "o-exampleorgid"})]
    other: list[Any] = [Container("aws", ACCOUNT, "account", HERE, attributes={"organization": "o-otherorgids"})]
    assert [] == facts(content, inside, account=ACCOUNT)
    assert [("image", Reach.PLATFORM, name)] == facts(content, other, account=ACCOUNT)
    assert [("image", Reach.UNKNOWN, name)] == facts(content, account=ACCOUNT)


def test_what_is_not_shared() -> None:
    assert [] == facts(disk())
    assert [] == facts(database())


def test_the_arn_that_the_user_gives_is_the_subject() -> None:
    arn = f"arn:aws:rds:eu-west-1:{ACCOUNT}:snapshot:nightly"
    found = CLOUD.exposures(estate(entities(database(OTHER, "all"), resource=arn)))
    assert [(arn, Reach.TENANT), (arn, Reach.ANYONE)] == [(fact.subject, fact.reach) for fact in found]


@pytest.mark.parametrize(
    ("expected", "content", "hints"),
    [
        ("names nobody that is known", disk({"UserId": "x"}), {}),
        ("names nobody that is known", disk({}), {}),
        ("names nobody that is known", disk({"UserId": OTHER, "Group": "all"}), {}),
        ("names nobody that is known", disk(3), {}),
        ("names nobody that is known", database("everyone", 7), {}),
        ("names nobody that is known", {"DBSnapshotIdentifier": "n", "DBSnapshotAttributes": [3]}, {}),
        ("or no list", {"SnapshotId": SNAPSHOT, "CreateVolumePermissions": "all"}, {}),
        ("has no `SnapshotId`", {"SnapshotId": None, "CreateVolumePermissions": []}, {}),
        ("is no sharing attribute", {}, {"kind": "sharing"}),
    ],
)
def test_what_is_not_understood_is_said(expected: str, content: Any, hints: dict[str, str]) -> None:
    if "DBSnapshotIdentifier" in content:
        content = {"DBSnapshotAttributesResult": content}
    assert any(expected in reason for reason in reasons(content, **hints))


def test_other_attributes_of_a_database_snapshot_say_nothing() -> None:
    content = database()
    content["DBSnapshotAttributesResult"]["DBSnapshotAttributes"] = [{"AttributeName": "x", "AttributeValues": ["all"]}]
    assert [] == facts(content)


VALUES = st.recursive(
    st.none() | st.integers() | st.sampled_from(["all", ACCOUNT, "restore", UNIT, ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["Group", "UserId", "AttributeName", "AttributeValues", "OrganizationArn"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None)
@given(VALUES, VALUES)
def test_mutations_never_crash(name: Any, listed: Any) -> None:
    pages = [
        {"SnapshotId": name, "CreateVolumePermissions": listed},
        {"DBSnapshotAttributesResult": {"DBSnapshotIdentifier": name, "DBSnapshotAttributes": listed}},
    ]
    CLOUD.exposures(estate(entities(pages)))


# -- documents of Systems Manager, and lists of images -----------------------------------------------------------------

SETUP = f"arn:aws:ssm:eu-west-1:{ACCOUNT}:document/setup"


def document(*accounts: Any) -> dict[str, Any]:
    listed = [{"AccountId": account, "SharedDocumentVersion": "$DEFAULT"} for account in accounts]
    return {"AccountIds": list(accounts), "AccountSharingInfoList": listed}


@pytest.mark.parametrize(
    ("expected", "accounts"),
    [
        ([], []),
        ([("document", Reach.ANYONE, "*")], ["all"]),
        ([("document", Reach.ANYONE, "*")], ["All"]),
        ([("document", Reach.TENANT, OTHER)], [ACCOUNT, OTHER]),
    ],
)
def test_documents(expected: list[Any], accounts: list[str]) -> None:
    assert "aws.sharing" == shape(document(*accounts))
    assert expected == facts(document(*accounts), account(ACCOUNT), resource=SETUP)
    assert [] == reasons(document(*accounts), resource=SETUP)
    assert expected == facts(document(*accounts), resource="setup", account=ACCOUNT)


def test_a_document_that_nothing_names() -> None:
    assert [] == facts(document("all"))
    assert any("not known which one that is" in reason for reason in reasons(document("all")))


@pytest.mark.parametrize(
    ("expected", "content", "hints"),
    [
        ("names nobody that is known", document("all", 3), {"resource": SETUP}),
        ("no list `AccountIds`", {**document(), "AccountIds": "all"}, {"resource": SETUP}),
        ("later pages are missing", {**document(), "NextToken": "x"}, {"resource": SETUP}),
        ("does not say whether it is `Public`", {"Images": [{"ImageId": "ami-1", "Public": True}, {}]}, {}),
        ("does not say whether it is `Public`", {"Images": [{"ImageId": "ami-1", "Public": "true"}]}, {}),
        ("`3` has no `ImageId`", {"Images": [{"ImageId": "ami-1", "Public": True}, 3]}, {}),
    ],
)
def test_what_is_wrong_with_documents_and_images_is_said(expected: str, content: Any, hints: dict[str, Any]) -> None:
    assert any(expected in reason for reason in reasons(content, **hints)), reasons(content, **hints)


@pytest.mark.parametrize("content", [{"Images": []}, {"Images": "x"}, {"AccountIds": [], "Name": "x"}])
def test_what_is_no_sharing(content: Any) -> None:
    assert None is shape(content)


def test_images_that_are_not_public() -> None:
    assert [] == facts({"Images": [{"ImageId": "ami-1", "Public": False, "OwnerId": ACCOUNT}]})
