"""Reading what limits access and who is in a group: shapes, spellings, and what each document states."""

from __future__ import annotations

import pytest

from idtrans.clouds.gcp import CLOUD
from idtrans.model.entities import AccessRule, Boundary, BoundaryBinding, Container, Membership, Principal, Resource
from idtrans.model.values import UNKNOWN
from tests.clouds.gcp import limit_documents as documents
from tests.clouds.gcp.worlds import BUCKET, binding, bucket, document, estate, outcome, read

WRAPPED = [
    ({"policies": [documents.DENY]}, "gcp.deny-policies"),
    ({"principalAccessBoundaryPolicies": [documents.BOUNDARY]}, "gcp.principal-access-boundaries"),
    ({"policyBindings": [documents.BINDING]}, "gcp.policy-bindings"),
    ({"accessPolicies": [documents.ACCESS]}, "gcp.access-policies"),
    ({"servicePerimeters": [documents.PERIMETER]}, "gcp.service-perimeters"),
    ({"accessLevels": [documents.LEVEL]}, "gcp.access-levels"),
    ({"policies": [documents.ORG_POLICY]}, "gcp.organization-policies"),
    ({"memberships": [documents.MEMBERSHIP]}, "gcp.group-memberships"),
    ({"kind": "admin#directory#members", "members": [documents.DIRECTORY]}, "gcp.group-memberships"),
    (documents.DENY, "gcp.deny-policies"),
    ({"displayName": "limit", "rules": documents.DENY["rules"]}, "gcp.deny-policies"),
    ({"rules": [{"deny_rule": {}}]}, "gcp.deny-policies"),
    (documents.BINDING, "gcp.policy-bindings"),
    ([documents.TRANSITIVE], "gcp.group-memberships"),
    # These are something else.
    ([{"id": "x", "type": "project", "name": "n"}], None),
    ({"name": "policies/x", "kind": "DenyPolicy"}, None),
    ({"name": "projects/1/policies/x"}, None),
    ({"constraint": "constraints/x"}, None),
    ({"memberships": [], "title": "x"}, None),
]


@pytest.mark.parametrize(("content", "shape"), [*documents.ALL, *WRAPPED])
def test_shapes(content, shape):
    assert shape == CLOUD.recognise(document(content))


def only(wanted, content, **hints):
    entities, _ = read(content, **hints)
    return [each for each in entities if isinstance(each, wanted)]


def members(content, **hints):
    return [(each.member, each.group) for each in only(Membership, content, **hints)]


def test_a_deny_policy():
    (rule,) = only(AccessRule, documents.DENY)
    assert ("projects/253519172624", ("allUsers",), ("group:g@example.com",)) == (
        rule.scope,
        rule.principals,
        rule.excluded_principals,
    )
    assert ("!resource.matchTag('1/env', 'test')", ()) == (rule.condition, rule.doubts)
    # Some tools encode the name of the attachment point twice, proto tools write snake_case.
    twice = {**documents.DENY, "name": str(documents.DENY["name"]).replace("%", "%25")}
    snake = {"name": twice["name"], "rules": [{"deny_rule": {"denied_principals": ["principalSet://goog/public:all"]}}]}
    assert [rule.scope] == [each.scope for each in only(AccessRule, twice)]
    assert [("allUsers",)] == [each.principals for each in only(AccessRule, snake)]


def test_a_deny_policy_that_hangs_on_something_unknown():
    strange = {**documents.DENY, "name": "policies/storage.googleapis.com%2Fb/denypolicies/x"}
    entities, unsupported = read(strange)
    assert [UNKNOWN] == [each.scope for each in entities if isinstance(each, AccessRule)]
    assert unsupported
    _, odd = read({**documents.DENY, "rules": [{"allowRule": {}}]})
    assert any("no deny rule" in each.reason for each in odd)


@pytest.mark.parametrize(
    ("hints", "scope"),
    [
        ({}, UNKNOWN),
        ({"scope": "projects/p"}, "projects/p"),
        ({"resource": "//cloudresourcemanager.googleapis.com/folders/7"}, "folders/7"),
        ({"scope": "organization/9"}, "organizations/9"),
        ({"scope": "gs://b"}, UNKNOWN),
    ],
)
def test_the_file_that_a_deny_policy_is_made_from(hints, scope):
    content = {"displayName": "limit", "rules": documents.DENY["rules"]}
    entities, unsupported = read(content, **hints)
    [rule] = [each for each in entities if isinstance(each, AccessRule)]
    assert ("limit#0", scope) == (rule.id, rule.scope)
    assert (scope is UNKNOWN) == any("name it with a scope" in each.reason for each in unsupported)
    # What a policy says itself comes before what is said of it.
    assert ["projects/253519172624"] == [each.scope for each in only(AccessRule, documents.DENY, **hints)]


def test_a_boundary_and_its_binding():
    (boundary,) = only(Boundary, documents.BOUNDARY)
    assert (("organizations/0",), "1", ()) == (boundary.resources, boundary.version, boundary.doubts)
    (bound,) = only(BoundaryBinding, documents.BINDING)
    assert (boundary.id, "principalSet://cloudresourcemanager.googleapis.com/organizations/0") == (
        bound.boundary,
        bound.principals,
    )
    assert [] == only(BoundaryBinding, {**documents.BINDING, "policyKind": "ACCESS"})
    # Whom it binds cannot be read, so it may bind anybody.
    (open_end,) = only(BoundaryBinding, {**documents.BINDING, "target": {"resource": "x"}})
    assert open_end.doubts


@pytest.mark.parametrize(
    ("details", "doubts"),
    [
        ({"rules": "x"}, 1),
        ({"rules": [{"resources": ["//storage.googleapis.com/b"], "effect": "ALLOW"}]}, 1),
        ({"rules": [{"resources": [5], "effect": "DENY"}]}, 2),
    ],
)
def test_boundaries_that_are_not_understood(details, doubts):
    (boundary,) = only(Boundary, {**documents.BOUNDARY, "details": details})
    assert doubts == len(boundary.doubts)


def test_a_perimeter():
    (perimeter,) = only(Resource, documents.PERIMETER)
    assert ("service-perimeter", True, True) == (
        perimeter.kind,
        perimeter.settings["enforced"],
        perimeter.settings["openEgress"],
    )
    # Only `spec` is set: a dry run. Export to another cloud is open egress too.
    (dry,) = only(Resource, {"name": documents.PERIMETER["name"], "spec": documents.PERIMETER["status"]})
    assert dry.settings["enforced"] is False
    other = {"egressPolicies": [{"egressTo": {"externalResources": ["s3://b"]}}]}
    closed = {"egressPolicies": [{"egressTo": {"resources": ["projects/1"]}}, {}]}
    statuses = (other, closed, {"egressPolicies": 5})
    found = [only(Resource, {**documents.PERIMETER, "status": status})[0].settings for status in statuses]
    assert [True, False, UNKNOWN] == [each["openEgress"] for each in found]


@pytest.mark.parametrize(
    ("policy", "constraint", "enforced"),
    [
        (documents.ORG_POLICY, "disableServiceAccountKeyCreation", True),
        (documents.OLD_ORG_POLICY, "storage.publicAccessPrevention", True),
        ({"constraint": "constraints/x", "booleanPolicy": {}}, "x", False),
        ({"constraint": "constraints/x", "listPolicy": {"allValues": "DENY"}}, "x", True),
        ({"constraint": "constraints/x", "listPolicy": {"allValues": "ALLOW"}}, "x", False),
        ({"constraint": "constraints/x", "restoreDefault": {}}, "x", False),
        ({"name": "folders/1/policies/x", "spec": {"rules": [{"enforce": "TRUE"}]}}, "x", True),
        ({"name": "folders/1/policies/x", "spec": {"rules": [{"enforce": False}]}}, "x", False),
        ({"name": "folders/1/policies/x", "spec": {"rules": [{"denyAll": True}]}}, "x", True),
        ({"name": "folders/1/policies/x", "spec": {"rules": [{"values": {"allowedValues": ["a"]}}]}}, "x", True),
        ({"name": "folders/1/policies/x", "spec": {"rules": [{"condition": {}, "enforce": True}]}}, "x", UNKNOWN),
        ({"name": "folders/1/policies/x", "spec": {"rules": [{"condition": {}, "enforce": False}]}}, "x", False),
        ({"name": "folders/1/policies/x", "dryRunSpec": {"rules": [{"enforce": True}]}}, "x", False),
    ],
)
def test_organization_policies(policy, constraint, enforced):
    (found,) = only(Resource, policy)
    assert (constraint, enforced) == (found.settings["constraint"], found.settings["enforced"])


def test_only_constraints_that_take_access_away_are_reported():
    places = {"name": "projects/1/policies/gcp.resourceLocations", "spec": {"rules": [{"denyAll": True}]}}
    assert [1, 1, 0] == [len(read(each)[1]) for each in (documents.OLD_ORG_POLICY, documents.ORG_POLICY, places)]


def test_assets_carry_limits():
    carried = {
        **bucket("b", binding("roles/viewer", "user:a@b.c")),
        "orgPolicy": [documents.OLD_ORG_POLICY],
        "servicePerimeter": documents.PERIMETER,
        "accessLevel": documents.LEVEL,
    }
    kinds = {each.kind for each in only(Resource, [carried])}
    assert {"bucket", "organization-policy", "service-perimeter", "access-level"} == kinds


def test_members_of_groups():
    group = {"principal": "group:G@example.com"}
    ana, bob = ("user:ana@example.com", "group:g@example.com"), ("user:bob@example.com", "group:g@example.com")
    assert [ana] == members([documents.MEMBERSHIP], **group)
    assert [ana] == members([documents.GROUP])
    assert [ana] == members([documents.TRANSITIVE], **group)
    assert [bob] == members({"members": [documents.DIRECTORY]}, **group)
    assert [ana] == members([documents.MEMBERSHIP], resource="g@example.com")
    early = {**documents.MEMBERSHIP, "preferredMemberKey": None, "memberKey": {"id": "ana@example.com"}}
    assert [ana] == members([early], **group)
    account = {**documents.MEMBERSHIP, "preferredMemberKey": {"id": "x@p.iam.gserviceaccount.com"}}
    assert [("serviceAccount:x@p.iam.gserviceaccount.com", bob[1])] == members([account], **group)


def test_a_list_that_is_read_in_part_leaves_others_open():
    nameless = {**documents.DIRECTORY, "email": None}
    listed = ({"members": [documents.DIRECTORY, nameless]}, {"principal": "group:g@example.com"})
    world = estate([bucket("b", binding("roles/storage.objectViewer", "group:g@example.com"))], listed)
    asked = ("storage.objects.get", f"{BUCKET}b/objects/x")
    assert ["allow", "unknown"] == [outcome(world, f"user:{who}@example.com", *asked) for who in ("bob", "ana")]


def test_members_that_count_for_nothing_or_are_not_known():
    group = {"principal": "group:g@example.com"}
    suspended = {**documents.DIRECTORY, "status": "SUSPENDED"}
    assert [] == only(Membership, {"members": [suspended]}, **group)
    for strange in ({**documents.DIRECTORY, "email": None}, {**documents.DIRECTORY, "type": "CUSTOMER"}):
        entities, unsupported = read({"members": [strange]}, **group)
        assert unsupported
        assert [] == [each for each in entities if isinstance(each, Membership)]
    _, nobody = read([documents.MEMBERSHIP])
    assert any("of which group" in each.reason for each in nobody)


def test_a_group_without_members_is_known():
    hints = {"principal": "group:g@example.com", "kind": "gcp.group-memberships"}
    (group,) = only(Principal, [], **hints)
    assert {"members": "supplied"} == group.attributes


def test_ancestors():
    entities, _ = read(documents.ANCESTORS)
    parents = {each.id: each.parent for each in entities if isinstance(each, Container)}
    assert {"projects/acme": "folders/2", "folders/2": "organizations/9", "organizations/9": None} == parents
    policy = {"bindings": [binding("roles/viewer", "user:a@b.c")]}
    policies = [{**each, "policy": policy} for each in documents.ANCESTORS]
    scopes = {each.scope for each in estate(policies).entities if hasattr(each, "members")}
    assert {"projects/acme", "folders/2", "organizations/9"} == scopes
    _, unsupported = read([*documents.ANCESTORS, {"id": [], "type": "project"}])
    assert 1 == len(unsupported)
