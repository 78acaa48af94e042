"""Exports of Organizations, spelled as the command line prints them, and what follows from them for access."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idtrans.clouds.aws import CLOUD
from idtrans.model.documents import Document, Format, Hints, Unsupported
from idtrans.model.entities import Attachment, Container, Entity, Resource
from idtrans.model.spans import Place
from idtrans.model.values import Layer
from idtrans.ports import Query
from tests.clouds.aws.builders import ACCOUNT, ANA, OTHER, allow, ask, deny, estate, identity, outcome, person, resource

if TYPE_CHECKING:
    from idtrans.model.estate import Estate

ORG, MANAGER, TOP, UNIT = "o-exampleorgid", "999999999999", "r-ex01", "ou-ex01-exampleou"
PREFIX = f"arn:aws:organizations::{MANAGER}"
FULL = "arn:aws:organizations::aws:policy/service_control_policy/p-FullAWSAccess"
FULL_RCP = "arn:aws:organizations::aws:policy/resource_control_policy/p-RCPFullAWSAccess"
SCP = f"{PREFIX}:policy/{ORG}/service_control_policy/p-examplescp"
RCP = f"{PREFIX}:policy/{ORG}/resource_control_policy/p-examplercp"
QUEUE = f"arn:aws:sqs:eu-west-1:{ACCOUNT}:jobs"
KINDS = {Layer.SCP: "SERVICE_CONTROL_POLICY", Layer.RCP: "RESOURCE_CONTROL_POLICY"}

ORGANIZATION = {
    "Organization": {
        "Id": ORG,
        "Arn": f"{PREFIX}:organization/{ORG}",
        "FeatureSet": "ALL",
        "MasterAccountArn": f"{PREFIX}:account/{ORG}/{MANAGER}",
        "MasterAccountId": MANAGER,
        "MasterAccountEmail": "bill@example.com",
        "AvailablePolicyTypes": [],
    }
}


def roots(*types: str) -> dict[str, Any]:
    listed = [{"Type": kind, "Status": "ENABLED"} for kind in types]
    return {"Roots": [{"Id": TOP, "Arn": f"{PREFIX}:root/{ORG}/{TOP}", "Name": "Root", "PolicyTypes": listed}]}


def units(**more: Any) -> dict[str, Any]:
    return {"OrganizationalUnits": [{"Id": UNIT, "Arn": f"{PREFIX}:ou/{ORG}/{UNIT}", "Name": "Work"}], **more}


def accounts(*numbers: str, **more: Any) -> dict[str, Any]:
    return {
        "Accounts": [
            {
                "Id": number,
                "Arn": f"{PREFIX}:account/{ORG}/{number}",
                "Email": "a@example.com",
                "Name": "a",
                "Status": "ACTIVE",
                "JoinedMethod": "INVITED",
                "JoinedTimestamp": 1481830215.45,
            }
            for number in numbers
        ],
        **more,
    }


def summary(arn: str, layer: Layer = Layer.SCP, **more: Any) -> dict[str, Any]:
    name = arn.rpartition("/")[2]
    return {
        "Id": name,
        "Arn": arn,
        "Name": name,
        "Description": "",
        "Type": KINDS[layer],
        "AwsManaged": arn == FULL,
        **more,
    }


def described(arn: str, *statements: dict[str, Any], layer: Layer = Layer.SCP) -> dict[str, Any]:
    text = json.dumps({"Version": "2012-10-17", "Statement": list(statements)})
    return {"Policy": {"PolicySummary": summary(arn, layer), "Content": text}}


def read(content: Any, **hints: Any) -> list[Entity | Unsupported]:
    document = Document(Place("org.json"), Format.JSON, content, Hints(**hints))
    shape = CLOUD.recognise(document)
    assert shape is not None
    return list(CLOUD.parse(document, shape))


def entities(content: Any, **hints: Any) -> list[Entity]:
    return [found for found in read(content, **hints) if not isinstance(found, Unsupported)]


def reasons(content: Any, **hints: Any) -> list[str]:
    return [found.reason for found in read(content, **hints) if isinstance(found, Unsupported)]


HIERARCHY = [
    *entities(ORGANIZATION),
    *entities(roots("SERVICE_CONTROL_POLICY", "RESOURCE_CONTROL_POLICY")),
    *entities(units(), scope=TOP),
    *entities(accounts(ACCOUNT), scope=UNIT),
    *entities(accounts(MANAGER), scope=TOP),
    *entities(accounts(ACCOUNT, MANAGER)),
]


def on(level: str, *policies: dict[str, Any]) -> list[Entity]:
    return entities({"Policies": list(policies)}, scope=level)


FULL_EVERYWHERE = [entity for level in (TOP, UNIT, ACCOUNT, MANAGER) for entity in on(level, summary(FULL))]
NO_RCPS = [entity for level in (TOP, UNIT, ACCOUNT, MANAGER) for entity in on(level, summary(FULL_RCP, Layer.RCP))]


def world(*groups: list[Entity]) -> Estate:
    manager = f"arn:aws:iam::{MANAGER}:user/ana"
    people = [*person(ANA), *identity(ANA, allow("*")), *person(manager), *identity(manager, allow("*"))]
    return estate(people, HIERARCHY, *groups)


@pytest.mark.parametrize(
    ("content", "hints"),
    [
        (ORGANIZATION, {}),
        (roots(), {}),
        ({"Roots": []}, {}),
        (units(), {}),
        (units(ParentId=TOP), {}),
        ({"OrganizationalUnit": units()["OrganizationalUnits"][0]}, {}),
        (accounts(ACCOUNT), {}),
        ({"Account": accounts(ACCOUNT)["Accounts"][0]}, {}),
        ({"Parents": [{"Id": TOP, "Type": "ROOT"}]}, {}),
        ({"Children": [{"Id": ACCOUNT, "Type": "ACCOUNT"}]}, {}),
        ({"Policies": [summary(FULL)]}, {}),
        ({"Targets": [{"TargetId": TOP, "Arn": "", "Name": "Root", "Type": "ROOT"}]}, {}),
        ([ORGANIZATION, roots(), accounts(ACCOUNT)], {}),
        ({**ORGANIZATION, **roots(), **units(), **accounts(ACCOUNT)}, {}),
        ({}, {"kind": "organizations"}),
    ],
)
def test_replies_are_recognised(content: Any, hints: dict[str, Any]) -> None:
    document = Document(Place("x.json"), Format.JSON, content, Hints(**hints))
    assert CLOUD.recognise(document) == "aws.organizations"


@pytest.mark.parametrize(
    "content",
    [
        {"Account": ACCOUNT, "Arn": ANA, "UserId": "AIDAEXAMPLE"},
        {"Accounts": [{"name": "billing"}]},
        {"Policies": [{"PolicyName": "p", "Arn": "p"}]},
        {"Targets": [{"Id": "1", "Arn": QUEUE}]},
        {"Organization": "acme"},
        {"Organization": {"Id": 7}},
        {"Parents": ["x"]},
        {"Accounts": []},
    ],
)
def test_lists_of_the_same_name_are_left_alone(content: Any) -> None:
    assert CLOUD.recognise(Document(Place("x.json"), Format.JSON, content)) is None


def parents(*found: list[Entity]) -> dict[str, str]:
    return dict(estate(*found).parents)


@pytest.mark.parametrize(
    ("content", "hints"),
    [
        ([ORGANIZATION, roots(), units(ParentId=TOP), accounts(ACCOUNT, ParentId=UNIT)], {}),
        ([roots(), units(ParentId=TOP), {"ChildId": ACCOUNT, "Parents": [{"Id": UNIT, "Type": "X"}]}], {}),
        ([roots(), units(ParentId=TOP), {"ParentId": UNIT, "Children": [{"Id": ACCOUNT, "Type": "ACCOUNT"}]}], {}),
        ({"Accounts": [{**accounts(ACCOUNT)["Accounts"][0], "Paths": [f"{ORG}/{TOP}/{UNIT}/{ACCOUNT}/"]}]}, {}),
        ({"Accounts": [{**accounts(ACCOUNT)["Accounts"][0], "Paths": [f"{ORG}/{TOP}/{UNIT}/"]}]}, {}),
        (
            {
                **roots(),
                "OrganizationalUnits": [{**units()["OrganizationalUnits"][0], "ParentId": TOP}],
                "Accounts": [{**accounts(ACCOUNT)["Accounts"][0], "ParentId": UNIT}],
            },
            {},
        ),
    ],
)
def test_the_hierarchy_is_put_together(content: Any, hints: dict[str, Any]) -> None:
    assert {ACCOUNT: UNIT, UNIT: TOP, TOP: ORG} == parents(entities(content, **hints))


def test_no_parent_is_made_up() -> None:
    assert {} == parents(entities(units()), entities(accounts(ACCOUNT)))


@pytest.mark.parametrize(
    ("expected", "content", "hints"),
    [
        ("has no `Id`", {"Organization": {"Id": ""}}, {"kind": "organizations"}),
        ("has no `Id`", {"Roots": [7]}, {}),
        ("has no `Id`", {"Accounts": [{"Id": None}]}, {"kind": "organizations"}),
        ("has no `Id`", {"Account": []}, {"kind": "organizations"}),
        ("`Roots` is `3`, not a list", {"Roots": 3}, {"kind": "organizations"}),
        ("later pages are missing", {**accounts(ACCOUNT), "NextToken": "x"}, {}),
        ("it is not known of what", {"Parents": [{"Id": TOP, "Type": "ROOT"}]}, {}),
        ("has no `Id`", {"Parents": [{"Id": TOP, "Type": "ROOT"}, 3]}, {"scope": UNIT}),
        ("it is not known of what", {"Children": [{"Id": TOP, "Type": "ROOT"}]}, {}),
        ("has no `Id`", {"Children": [None]}, {"kind": "organizations", "scope": TOP}),
        ("not known of which kind", {"TargetId": TOP, "Policies": []}, {"kind": "organizations"}),
        ("no policy with `Id` and `Type`", {"Policies": ["x", summary(FULL)]}, {}),
        ("no policy with `Id` and `Type`", {"Policy": {"Id": 3}}, {"kind": "organizations"}),
        ("not known of which policy", {"Targets": [{"TargetId": TOP, "Type": "ROOT"}]}, {}),
        ("has no `TargetId`", {"PolicyId": SCP, "Targets": [{"TargetId": TOP, "Type": "ROOT"}, {}]}, {}),
        ("is no reply", "text", {"kind": "organizations"}),
    ],
)
def test_what_is_not_understood_is_said(expected: str, content: Any, hints: dict[str, Any]) -> None:
    assert any(expected in reason for reason in reasons(content, **hints))


def test_other_kinds_of_policies_decide_no_access() -> None:
    tags = {**summary(SCP), "Type": "TAG_POLICY"}
    assert [] == reasons({"Policies": [summary(FULL), tags]}, scope=TOP)


DECLARATIVE = {
    **summary(SCP),
    "Type": "DECLARATIVE_POLICY_EC2",
    "Arn": f"{PREFIX}:policy/{ORG}/declarative_policy_ec2/p-d",
}


@pytest.mark.parametrize(
    "content",
    [
        {"Policies": [DECLARATIVE]},
        {"Policies": []} | {"Policy": {"PolicySummary": DECLARATIVE, "Content": '{"ec2_attributes": {}}'}},
        {"Policy": {"PolicySummary": DECLARATIVE, "Content": "not even JSON"}},
    ],
)
def test_other_kinds_of_policies_are_named_and_no_more(content: Any) -> None:
    assert "aws.organizations" == CLOUD.recognise(Document(Place("reply.json"), Format.JSON, content))
    assert [] == reasons(content)
    assert [("management-policy", DECLARATIVE["Arn"])] == [
        (entity.kind, entity.id) for entity in entities(content) if isinstance(entity, Resource)
    ]


def test_delegated_administrators_are_accounts_of_the_organisation() -> None:
    arn = f"{PREFIX}:account/{ORG}/{OTHER}"
    content = {"DelegatedAdministrators": [{"Id": OTHER, "Arn": arn, "Name": "security", "Status": "ACTIVE"}]}
    assert [] == reasons(content)
    (found,) = entities(content)
    assert isinstance(found, Container)
    assert (OTHER, ORG) == (found.id, found.attributes["organization"])


def test_a_reply_that_ends_early_is_said_once() -> None:
    roots = {"Roots": [{"Id": TOP, "Arn": f"{PREFIX}:root/{ORG}/{TOP}", "PolicyTypes": []}], "NextToken": "x"}
    assert ["the reply is truncated: later pages are missing"] == reasons(roots)
    assert ["the reply is truncated: later pages are missing"] == reasons([roots, {"Organization": {"Id": ORG}}])


# -- access ------------------------------------------------------------------------------------------------------------


def test_full_access_that_is_attached_needs_no_document() -> None:
    assert "allow" == outcome(world(FULL_EVERYWHERE, NO_RCPS), ANA, "sqs:SendMessage", QUEUE)


@pytest.mark.parametrize("silent", [TOP, UNIT, ACCOUNT])
def test_a_level_without_listing_is_unknown(silent: str) -> None:
    listed = [entity for level in (TOP, UNIT, ACCOUNT) if level != silent for entity in on(level, summary(FULL))]
    found = world(listed, NO_RCPS)
    assert "unknown" == outcome(found, ANA, "sqs:SendMessage", QUEUE)
    assert any(f"of `{silent}` were not listed" in doubt.reason for doubt in CLOUD.doubts(ANA, found))


def test_a_root_that_has_the_kind_turned_off_has_no_such_policies() -> None:
    off = [*entities(roots()), *entities(units(), scope=TOP), *entities(accounts(ACCOUNT), scope=UNIT)]
    found = estate(person(ANA), identity(ANA, allow("*")), off)
    assert "allow" == outcome(found, ANA, "sqs:SendMessage", QUEUE)


@pytest.mark.parametrize("level", [TOP, UNIT, ACCOUNT])
@pytest.mark.parametrize("spelling", ["target", "policy", "merged"])
def test_a_policy_denies_below_the_level_that_it_hangs_on(level: str, spelling: str) -> None:
    content = described(SCP, deny("sqs:*"))
    target = {"TargetId": level, "Arn": "", "Name": "x", "Type": "ORGANIZATIONAL_UNIT"}
    hung = {
        "target": lambda: [*entities(content), *on(level, summary(FULL), summary(SCP))],
        "policy": lambda: [*entities(content), *entities({"Targets": [target]}, resource="p-examplescp")],
        "merged": lambda: entities(
            {"Policies": [summary(SCP, Content=content["Policy"]["Content"], Targets=[target])], **roots()}
        ),
    }
    found = world(FULL_EVERYWHERE, NO_RCPS, hung[spelling]())
    assert "explicit-deny" == outcome(found, ANA, "sqs:SendMessage", QUEUE)
    assert "allow" == outcome(found, ANA, "s3:ListAllMyBuckets", "*")


def test_every_level_must_allow() -> None:
    only = entities(described(SCP, allow("s3:*")))
    found = world(on(TOP, summary(FULL)), on(UNIT, summary(SCP)), on(ACCOUNT, summary(FULL)), only, NO_RCPS)
    assert "implicit-deny" == outcome(found, ANA, "sqs:SendMessage", QUEUE)
    assert "allow" == outcome(found, ANA, "s3:ListAllMyBuckets", "*")


def test_an_attached_policy_that_was_not_read_is_unknown() -> None:
    found = world(FULL_EVERYWHERE, NO_RCPS, on(UNIT, summary(FULL), summary(SCP)))
    assert "unknown" == outcome(found, ANA, "sqs:SendMessage", QUEUE)
    assert any("but was not read" in doubt.reason for doubt in CLOUD.doubts(ANA, found))


def test_the_management_account_is_spared() -> None:
    hung = [*entities(described(SCP, deny("sqs:*"))), *on(TOP, summary(FULL), summary(SCP))]
    found = world(FULL_EVERYWHERE, NO_RCPS, hung)
    queue = QUEUE.replace(ACCOUNT, MANAGER)
    assert "allow" == outcome(found, f"arn:aws:iam::{MANAGER}:user/ana", "sqs:SendMessage", queue)


def test_a_service_linked_role_is_spared() -> None:
    role = f"arn:aws:iam::{ACCOUNT}:role/aws-service-role/x.amazonaws.com/AWSServiceRoleForX"
    hung = [*entities(described(SCP, deny("sqs:*"))), *on(TOP, summary(FULL), summary(SCP))]
    found = world(FULL_EVERYWHERE, NO_RCPS, hung, person(role), identity(role, allow("sqs:*")))
    assert "allow" == outcome(found, role, "sqs:SendMessage", QUEUE)


def test_the_root_user_of_a_member_is_not_spared() -> None:
    hung = [*entities(described(SCP, deny("sqs:*"))), *on(TOP, summary(FULL), summary(SCP))]
    found = world(FULL_EVERYWHERE, NO_RCPS, hung)
    assert "explicit-deny" == outcome(found, f"arn:aws:iam::{ACCOUNT}:root", "sqs:SendMessage", QUEUE)


STRANGER = f"arn:aws:iam::{OTHER}:user/bo"


def test_an_account_that_the_full_list_leaves_out_is_outside() -> None:
    hung = [*entities(described(SCP, deny("sqs:*"))), *on(TOP, summary(FULL), summary(SCP))]
    queue = QUEUE.replace(ACCOUNT, OTHER)
    found = world(FULL_EVERYWHERE, NO_RCPS, hung, person(STRANGER), identity(STRANGER, allow("*")))
    assert "allow" == outcome(found, STRANGER, "sqs:SendMessage", queue)


def test_an_account_of_which_nothing_is_known_may_be_below_any_unit() -> None:
    some = [*entities(roots("SERVICE_CONTROL_POLICY")), *entities(units(), scope=TOP)]
    hung = [*entities(described(SCP, deny("sqs:*"))), *on(UNIT, summary(FULL), summary(SCP)), *on(TOP, summary(FULL))]
    found = estate(person(ANA), identity(ANA, allow("*")), some, hung)
    assert "unknown" == outcome(found, ANA, "sqs:SendMessage", QUEUE)


def test_resource_control_policies_reach_outsiders_but_not_the_management_account() -> None:
    hung = [
        *entities(described(RCP, deny("sqs:*", Principal="*"), layer=Layer.RCP)),
        *on(TOP, summary(FULL_RCP, Layer.RCP), summary(RCP, Layer.RCP)),
    ]
    people = [*person(STRANGER), *identity(STRANGER, allow("*"))]
    managers = QUEUE.replace(ACCOUNT, MANAGER)
    open_queues = [
        *resource(QUEUE, allow("sqs:*", "*", Principal={"AWS": STRANGER})),
        *resource(managers, allow("sqs:*", "*", Principal={"AWS": STRANGER}), account=MANAGER),
    ]
    found = world(FULL_EVERYWHERE, NO_RCPS, hung, people, open_queues)
    assert "explicit-deny" == outcome(found, STRANGER, "sqs:SendMessage", QUEUE)
    assert "allow" == outcome(found, STRANGER, "sqs:SendMessage", managers)


def test_a_complete_list_with_all_targets_lists_every_level() -> None:
    targets = [{"TargetId": level} for level in (TOP, UNIT, ACCOUNT, MANAGER)]
    every = entities({"Policies": [summary(FULL, Targets=targets)], **roots("SERVICE_CONTROL_POLICY")})
    assert "allow" == outcome(world(every, NO_RCPS), ANA, "sqs:SendMessage", QUEUE)


def test_keys_of_the_organisation_follow() -> None:
    found = world(FULL_EVERYWHERE, NO_RCPS)
    context = CLOUD.request(Query(ANA, "sqs:SendMessage", QUEUE, {}), found).context
    assert (ORG,) == context["aws:principalorgid"] == context["aws:resourceorgid"]
    assert (f"{ORG}/{TOP}/{UNIT}/",) == context["aws:principalorgpaths"] == context["aws:resourceorgpaths"]


def test_keys_of_an_account_without_known_parent() -> None:
    found = estate(person(ANA), entities(accounts(ACCOUNT)))
    context = CLOUD.request(Query(ANA, "sqs:SendMessage", QUEUE, {}), found).context
    assert (ORG,) == context["aws:principalorgid"]
    assert "aws:principalorgpaths" not in context


def test_a_list_of_accounts_does_not_take_away_whose_a_bucket_is() -> None:
    statement = allow("s3:GetObject", "arn:aws:s3:::b/*", Principal={"AWS": ANA})
    bucket = resource("arn:aws:s3:::b", statement, account=None)
    found = estate(person(ANA), identity(ANA), bucket, entities(accounts(ACCOUNT, MANAGER)))
    assert "allow" == outcome(found, ANA, "s3:GetObject", "arn:aws:s3:::b/a")


@pytest.mark.parametrize(("expected", "facts"), [("explicit-deny", {}), ("allow", {"management_account": True})])
def test_closed_worlds_hold_what_hangs_and_nothing_else(expected: str, facts: dict[str, Any]) -> None:
    hung = [*entities(described(SCP, deny("sqs:*"))), *on(UNIT, summary(FULL), summary(SCP))]
    found = world(hung)
    query = Query(ANA, "sqs:SendMessage", QUEUE, {}, closed=True, facts=facts)
    (closed,) = CLOUD.worlds(found, [query])
    assert expected == ask(closed, ANA, "sqs:SendMessage", QUEUE).outcome.value
    assert "allow" == ask(closed, ANA, "s3:ListAllMyBuckets", "*").outcome.value


def test_the_management_account_is_known_in_closed_worlds() -> None:
    hung = [*entities(described(SCP, deny("sqs:*"))), *on(TOP, summary(FULL), summary(SCP))]
    manager = f"arn:aws:iam::{MANAGER}:user/ana"
    (closed,) = CLOUD.worlds(world(hung), [Query(manager, "sqs:SendMessage", QUEUE, {}, closed=True)])
    assert "allow" == ask(closed, manager, "sqs:SendMessage", QUEUE.replace(ACCOUNT, MANAGER)).outcome.value


def test_levels_carry_kinds() -> None:
    kinds = {entity.id: entity.kind for entity in HIERARCHY if isinstance(entity, Container)}
    assert {
        ORG: "organization",
        TOP: "root",
        UNIT: "organizational-unit",
        ACCOUNT: "account",
        MANAGER: "account",
    } == kinds


def test_an_organisation_without_all_features_has_no_policies() -> None:
    billing = {"Organization": {**ORGANIZATION["Organization"], "FeatureSet": "CONSOLIDATED_BILLING"}}
    levels = [*entities(billing), *entities(roots("SERVICE_CONTROL_POLICY")), *entities(accounts(ACCOUNT), scope=TOP)]
    assert "allow" == outcome(estate(person(ANA), identity(ANA, allow("*")), levels), ANA, "sqs:SendMessage", QUEUE)


def test_the_account_that_was_asked_is_not_the_target() -> None:
    assert [] == [
        item for item in entities({"Policies": [summary(SCP)]}, account=OTHER) if isinstance(item, Attachment)
    ]
    assert {} == parents(entities({"Parents": [{"Id": TOP, "Type": "ROOT"}]}, account=OTHER))


def test_single_levels_are_described() -> None:
    unit = {"OrganizationalUnit": {**units()["OrganizationalUnits"][0], "Path": f"{ORG}/{TOP}/{UNIT}/"}}
    assert {UNIT: TOP, TOP: ORG} == parents(entities(unit))
    one = {"Account": accounts(ACCOUNT)["Accounts"][0], "ParentId": UNIT}
    assert {ACCOUNT: UNIT} == parents(entities(one))


@pytest.mark.parametrize("path", ["", "x", f"{TOP}/{UNIT}/", 3, None])
def test_paths_that_are_none_say_nothing(path: Any) -> None:
    item = {**accounts(ACCOUNT)["Accounts"][0], "Paths": [path]}
    assert {} == parents(entities({"Accounts": [item]}))


def test_many_levels_without_rcps_are_one_doubt_of_the_root() -> None:
    many = [f"{number:012}" for number in range(100000000000, 100000000030)]
    listed = [*entities(accounts(*many), scope=UNIT), *FULL_EVERYWHERE]
    listed += [entity for number in many for entity in on(number, summary(FULL))]
    assert "unknown" == outcome(world(listed), ANA, "sqs:SendMessage", QUEUE)


def test_a_described_policy_that_hangs_nowhere_known() -> None:
    loose = entities(described(SCP, deny("sqs:*")))
    assert "allow" == outcome(world(FULL_EVERYWHERE, NO_RCPS, loose), ANA, "sqs:SendMessage", QUEUE)
    alone = estate(person(ANA), identity(ANA, allow("*")), loose)
    assert "unknown" == outcome(alone, ANA, "sqs:SendMessage", QUEUE)


WORDS = ["Organization", "Roots", "Accounts", "Policies", "Targets", "Parents", "Id", "Type", "TargetId", "PolicyTypes"]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from([ORG, TOP, UNIT, ACCOUNT, "ROOT", SCP, "", "o-"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(WORDS), VALUES, max_size=5))
def test_mutations_never_crash(content: dict[str, Any]) -> None:
    found = entities(content, kind="organizations", scope=TOP)
    CLOUD.doubts(ANA, world(found))


@pytest.mark.parametrize("content", [units(ParentId=UNIT), {"ParentId": UNIT, **accounts(ACCOUNT)}])
def test_loops_end(content: dict[str, Any]) -> None:
    found = estate(person(ANA), identity(ANA, allow("*")), entities(content), entities(units(ParentId=UNIT)))
    assert "allow" == outcome(found, ANA, "sqs:SendMessage", QUEUE)
