from __future__ import annotations

import pytest

from idtrans.algebra import NOTHING, Language, Status, decide, difference
from idtrans.clouds.gcp import CLOUD
from idtrans.model.data import rules_dir
from idtrans.model.entities import Membership
from idtrans.model.errors import UsageError
from idtrans.model.spans import NOWHERE
from idtrans.ports import Query
from tests.clouds.gcp.worlds import BUCKET, NOW, POOL, asset, binding, bucket, estate, outcome, project

GET = "storage.objects.get"
OBJECT = f"{BUCKET}b/objects/x"
ANA = "user:ana@example.com"
VIEWER = "roles/storage.objectViewer"
SA = "serviceAccount:app@my-p.iam.gserviceaccount.com"
POOL_MEMBER = f"//iam.googleapis.com/{POOL}"
LISTER = {"name": "projects/my-p/roles/reader", "title": "Reader", "includedPermissions": ["storage.objects.get"]}

needs_roles = pytest.mark.skipif(
    not (rules_dir() / "roles" / "gcp.toml").is_file(), reason="the role table is not there"
)
pytestmark = needs_roles


def held_at(*bindings, where="b", **more):
    return estate([bucket(where, *bindings, **more)])


@pytest.mark.parametrize(
    ("world", "principal", "expected"),
    [
        (held_at(binding(VIEWER, ANA)), ANA, "allow"),
        (held_at(binding(VIEWER, "user:Ana@Example.com")), "principal://goog/subject/ana@example.com", "allow"),
        (held_at(binding(VIEWER, "user:bo@example.com")), ANA, "implicit-deny"),
        (held_at(binding(VIEWER, ANA), where="other"), ANA, "implicit-deny"),
        (held_at(binding("roles/storage.legacyBucketReader", ANA)), ANA, "implicit-deny"),
        (held_at(binding(VIEWER, "deleted:user:ana@example.com?uid=1")), ANA, "implicit-deny"),
        (held_at(binding(VIEWER, "domain:example.com")), ANA, "allow"),
        (held_at(binding(VIEWER, "domain:ample.com")), ANA, "implicit-deny"),
        (held_at(binding(VIEWER, "domain:example.com")), SA, "implicit-deny"),
        (held_at(binding(VIEWER, "allUsers")), ANA, "allow"),
        (held_at(binding(VIEWER, "allUsers")), "allUsers", "allow"),
        (held_at(binding(VIEWER, "allAuthenticatedUsers")), ANA, "allow"),
        (held_at(binding(VIEWER, "allAuthenticatedUsers")), "allUsers", "implicit-deny"),
        (held_at(binding(VIEWER, "allAuthenticatedUsers")), "allAuthenticatedUsers", "allow"),
        (held_at(binding(VIEWER, "allAuthenticatedUsers")), f"principal:{POOL_MEMBER}/subject/s", "implicit-deny"),
        (held_at(binding(VIEWER, "group:g@example.com")), ANA, "unknown"),
        (held_at(binding(VIEWER, "group:g@example.com")), "group:g@example.com", "allow"),
        (held_at(binding(VIEWER, "group:g@example.com")), "allUsers", "implicit-deny"),
        (held_at(binding(VIEWER, "principalSet://goog/cloudIdentityCustomerId/C1")), ANA, "unknown"),
        (held_at(binding(VIEWER, "principalSet://goog/cloudIdentityCustomerId/C1")), SA, "implicit-deny"),
        # A role that only looks like one that is known grants what nobody knows.
        (held_at(binding("roles/storage.ObjectViewer", ANA)), ANA, "unknown"),
        (held_at(binding("roles/nobody.knowsThis", ANA)), ANA, "unknown"),
        (
            held_at(binding("roles/browser", ANA, condition="true"), binding(VIEWER, ANA, condition="false")),
            ANA,
            "implicit-deny",
        ),
        (held_at(binding(VIEWER, ANA, condition="resource.matchTag('1/a', b)")), ANA, "unknown"),
    ],
)
def test_who_may_read_an_object(world, principal, expected):
    assert expected == outcome(world, principal, GET, OBJECT)


@pytest.mark.parametrize(
    ("member", "principal", "expected"),
    [
        (f"principalSet:{POOL_MEMBER}/*", f"principal:{POOL_MEMBER}/subject/s", "allow"),
        (f"principalSet:{POOL_MEMBER}2/*", f"principal:{POOL_MEMBER}/subject/s", "implicit-deny"),
        (f"principal:{POOL_MEMBER}/subject/s", f"principal:{POOL_MEMBER}/subject/s", "allow"),
        (f"principal:{POOL_MEMBER}/subject/t", f"principal:{POOL_MEMBER}/subject/s", "implicit-deny"),
        (f"principalSet:{POOL_MEMBER}/attribute.a/v", f"principal:{POOL_MEMBER}/subject/s", "unknown"),
        (f"principalSet:{POOL_MEMBER}/attribute.a/v", f"principalSet:{POOL_MEMBER}/attribute.b/v", "implicit-deny"),
        (f"principalSet:{POOL_MEMBER}/*", f"principalSet:{POOL_MEMBER}/attribute.b/v", "allow"),
        (f"principalSet:{POOL_MEMBER}/attribute.b/v", f"principalSet:{POOL_MEMBER}/*", "implicit-deny"),
        (f"principalSet:{POOL_MEMBER}/namespace/n", f"principal:{POOL_MEMBER}/subject/ns/n/sa/k", "allow"),
        (f"principalSet:{POOL_MEMBER}/namespace/n", f"principal:{POOL_MEMBER}/subject/ns/nn/sa/k", "implicit-deny"),
        (f"principalSet:{POOL_MEMBER}/*", ANA, "implicit-deny"),
        ("principalSet://cloudresourcemanager.googleapis.com/projects/1/type/ServiceAccount", SA, "allow"),
        ("principalSet://cloudresourcemanager.googleapis.com/organizations/9/type/ServiceAccount", SA, "allow"),
        ("principalSet://cloudresourcemanager.googleapis.com/folders/7/type/ServiceAccount", SA, "implicit-deny"),
        ("principalSet://cloudresourcemanager.googleapis.com/folders/7/type/ServiceAccount", ANA, "implicit-deny"),
        (
            "principalSet://cloudresourcemanager.googleapis.com/folders/7/type/ServiceAccount",
            "serviceAccount:x@elsewhere.iam.gserviceaccount.com",
            "unknown",
        ),
    ],
)
def test_sets_of_identities(member, principal, expected):
    named = asset("//pubsub.googleapis.com/projects/my-p/topics/t")
    world = estate([bucket("b", binding(VIEWER, member)), named])
    assert expected == outcome(world, principal, GET, OBJECT)


def grouped(*pairs):
    return [Membership("gcp", member, group, NOWHERE) for member, group in pairs]


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([(ANA, "group:g@example.com")], "allow"),
        ([(ANA, "group:h@example.com"), ("group:h@example.com", "group:g@example.com")], "allow"),
        ([("user:bo@example.com", "group:g@example.com")], "implicit-deny"),
        # The group is known, but one of its members is a group that is not.
        ([("group:h@example.com", "group:g@example.com")], "unknown"),
        ([(ANA, "group:g@example.com"), ("group:g@example.com", "group:g@example.com")], "allow"),
    ],
)
def test_members_of_groups(pairs, expected):
    world = estate([bucket("b", binding(VIEWER, "group:g@example.com"))], more=grouped(*pairs))
    assert expected == outcome(world, ANA, GET, OBJECT)


@pytest.mark.parametrize(
    ("bindings", "expected"),
    [
        ([binding("roles/owner", ANA)], "allow"),
        ([binding("roles/viewer", ANA)], "implicit-deny"),
        ([binding("roles/owner", "group:g@example.com")], "unknown"),
        ([], "unknown"),
    ],
)
def test_owners_of_a_project(bindings, expected):
    content = [bucket("b", binding("roles/storage.legacyObjectReader", "projectOwner:my-p")), project(1, *bindings)]
    aliased = asset("//pubsub.googleapis.com/projects/my-p/topics/t")
    assert expected == outcome(estate([*content, aliased]), ANA, GET, OBJECT, closed=True)


def test_a_basic_role_with_a_condition_is_not_understood():
    world = estate([project(1, binding("roles/viewer", ANA, condition="true"))])
    assert "unknown" == outcome(world, ANA, "storage.buckets.list", "projects/1")


def test_owners_from_above_are_not_documented():
    content = [
        bucket("b", binding("roles/storage.legacyObjectReader", "projectOwner:1")),
        project(1, binding("roles/browser", ANA)),
        asset(
            "//cloudresourcemanager.googleapis.com/folders/2",
            binding("roles/owner", ANA),
            ancestors=("folders/2", "organizations/9"),
        ),
    ]
    assert "unknown" == outcome(estate(content), ANA, GET, OBJECT)


@pytest.mark.parametrize(
    ("scope", "ancestors", "expected"),
    [
        ("projects/1", ("projects/1", "folders/2", "organizations/9"), "allow"),
        ("folders/2", ("folders/2", "organizations/9"), "allow"),
        ("organizations/9", ("organizations/9",), "allow"),
        ("projects/11", ("projects/11", "folders/2", "organizations/9"), "implicit-deny"),
        ("folders/22", ("folders/22", "organizations/9"), "implicit-deny"),
    ],
)
def test_bindings_reach_down_and_not_sideways(scope, ancestors, expected):
    above = asset(f"//cloudresourcemanager.googleapis.com/{scope}", binding(VIEWER, ANA), ancestors=ancestors)
    assert expected == outcome(estate([bucket("b"), above]), ANA, GET, OBJECT)


def test_bindings_do_not_reach_up():
    world = estate([project(1), bucket("b", binding("roles/storage.admin", ANA))])
    assert "implicit-deny" == outcome(world, ANA, "storage.buckets.list", "projects/1")
    assert "allow" == outcome(world, ANA, "storage.buckets.get", f"{BUCKET}b")
    assert "implicit-deny" == outcome(world, ANA, "storage.buckets.get", f"{BUCKET}bb")


@pytest.mark.parametrize("scope", ["projects/1", "organizations/9"])
def test_a_resource_of_unknown_place_may_lie_in_any_container(scope):
    world = estate(({"bindings": [binding(VIEWER, ANA)]}, {"scope": scope}))
    assert "unknown" == outcome(world, ANA, GET, f"{BUCKET}elsewhere/objects/x")


def test_a_project_of_unknown_parents_may_lie_in_an_organization_but_not_in_a_project():
    world = estate(({"bindings": [binding("roles/browser", ANA)]}, {"scope": "organizations/9"}))
    assert "unknown" == outcome(world, ANA, "resourcemanager.projects.get", "projects/5")
    world = estate(({"bindings": [binding("roles/browser", ANA)]}, {"scope": "projects/1"}))
    assert "implicit-deny" == outcome(world, ANA, "resourcemanager.projects.get", "projects/5")
    assert "allow" == outcome(world, ANA, "resourcemanager.projects.get", "projects/1")


def test_a_policy_without_a_scope_leaves_every_answer_open():
    world = estate({"bindings": [binding(VIEWER, ANA)], "etag": "x"})
    assert "unknown" == outcome(world, ANA, GET, OBJECT)
    assert "implicit-deny" == outcome(world, ANA, "storage.buckets.delete", OBJECT)
    assert () == CLOUD.holdings(ANA, world)
    assert any("scope" in each.reason for each in CLOUD.doubts(ANA, world))


def test_contradicting_parents_end_where_they_meet():
    world = estate(
        [
            asset("//x.googleapis.com/y", ancestors=("projects/1", "folders/2")),
            asset("//x.googleapis.com/z", ancestors=("folders/2", "projects/1")),
        ]
    )
    assert "implicit-deny" == outcome(world, ANA, GET, OBJECT)
    assert CLOUD.request(Query(ANA, GET, "projects/1"), world).resource.endswith("projects/1")


def test_public_access_prevention_closes_public_members_alone():
    data = {"iamConfiguration": {"publicAccessPrevention": "enforced"}}
    world = estate(
        [
            bucket("b", binding(VIEWER, "allUsers", "user:bo@example.com"), data=data),
            bucket("c", binding(VIEWER, "allUsers")),
        ]
    )
    assert "implicit-deny" == outcome(world, ANA, GET, OBJECT)
    assert "allow" == outcome(world, "user:bo@example.com", GET, OBJECT)
    assert "allow" == outcome(world, ANA, GET, f"{BUCKET}c/objects/x")


@pytest.mark.parametrize(
    ("condition", "name", "expected"),
    [
        ('resource.name.startsWith("projects/_/buckets/b/objects/in/")', "in/x", "allow"),
        ('resource.name.startsWith("projects/_/buckets/b/objects/in/")', "out/x", "implicit-deny"),
        ('request.time < timestamp("2026-12-01T00:00:00Z")', "x", "allow"),
        ('request.time < timestamp("2026-11-01T00:00:00Z")', "x", "implicit-deny"),
    ],
)
def test_conditions_of_bindings(condition, name, expected):
    world = held_at(binding(VIEWER, ANA, condition=condition))
    assert expected == outcome(world, ANA, GET, f"{BUCKET}b/objects/{name}")


def test_the_time_is_open_until_it_is_given():
    world = held_at(binding(VIEWER, ANA, condition='request.time < timestamp("2026-12-01T00:00:00Z")'))
    assert "conditional" == outcome(world, ANA, GET, OBJECT, closed=False)
    given = {"request.time": "2027-01-01T00:00:00Z"}
    assert "implicit-deny" == outcome(world, ANA, GET, OBJECT, closed=False, **given)
    query = Query(ANA, GET, OBJECT, closed=True)
    assert (NOW.isoformat(),) == CLOUD.request(query, world).context["request.time"]


def test_custom_roles_of_the_estate():
    aliased = asset("//pubsub.googleapis.com/projects/my-p/topics/t")
    world = estate([bucket("b", binding("projects/my-p/roles/reader", ANA)), aliased], [LISTER])
    assert "allow" == outcome(world, ANA, GET, OBJECT)
    assert "implicit-deny" == outcome(world, ANA, "storage.objects.list", OBJECT)
    world = estate(
        [bucket("b", binding("projects/my-p/roles/reader", ANA))], [{**LISTER, "includedPermissions": None}], [LISTER]
    )
    assert "allow" == outcome(world, ANA, GET, OBJECT)
    world = estate([bucket("b", binding("projects/my-p/roles/other", ANA))], [LISTER])
    assert "unknown" == outcome(world, ANA, GET, OBJECT)
    world = estate(
        [bucket("b", binding("roles/x", ANA))],
        [{"name": "roles/x", "title": "X", "includedPermissions": ["storage.objects.*"]}],
    )
    assert "allow" == outcome(world, ANA, GET, OBJECT)


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ({"deleted": True}, "implicit-deny"),
        ({"stage": "DISABLED"}, "implicit-deny"),
        ({"stage": "DEPRECATED"}, "allow"),
        ({"stage": "GA", "deleted": False}, "allow"),
    ],
)
def test_a_role_that_is_deleted_or_disabled_gives_nothing(state, expected):
    world = estate([bucket("b", binding("projects/my-p/roles/reader", ANA))], [{**LISTER, **state}])
    assert expected == outcome(world, ANA, GET, OBJECT)


def test_deleted_and_invalid_principals_hold_nothing():
    world = held_at(binding(VIEWER, "deleted:user:ana@example.com?uid=1", "nonsense"))
    assert NOTHING == CLOUD.access("deleted:user:ana@example.com?uid=1", world)
    assert NOTHING == CLOUD.access("nonsense", world)
    assert () == CLOUD.principals(world)


def test_principals_are_all_that_are_named():
    world = estate(
        [bucket("b", binding(VIEWER, ANA, "allUsers"))], more=grouped(("user:bo@example.com", "group:g@example.com"))
    )
    assert ("allUsers", "group:g@example.com", ANA, "user:bo@example.com") == CLOUD.principals(world)


def test_reasons_name_role_member_and_scope():
    world = held_at(binding(VIEWER, "domain:example.com"))
    request = CLOUD.request(Query(ANA, GET, OBJECT), world)
    [reason] = decide(CLOUD.access(ANA, world), request).reasons
    assert f"{VIEWER} for domain:example.com on {BUCKET}b" == reason.statement
    assert "/0/iamPolicy/bindings/0" == reason.source.pointer


def test_shown_takes_the_ancestors_away():
    world = held_at(binding(VIEWER, ANA))
    request = CLOUD.request(Query(ANA, GET, "gs://b/x"), world)
    assert f"organizations/9/folders/2/projects/1{OBJECT}" == request.resource
    assert OBJECT == CLOUD.shown(request).resource
    assert CLOUD.shown(request) == CLOUD.shown(CLOUD.shown(request))


@pytest.mark.parametrize(
    ("action", "resource", "words"),
    [
        ("s3:GetObject", OBJECT, "not a permission"),
        ("storage.googleapis.com/objects.get", OBJECT, "deny policies"),
        ("get", OBJECT, "not a permission"),
        (GET, "my-bucket", "not a full resource name"),
        (GET, "arn:aws:s3:::b", "not a full resource name"),
    ],
)
def test_requests_that_cannot_be_asked(action, resource, words):
    with pytest.raises(UsageError) as caught:
        CLOUD.request(Query(ANA, action, resource), estate())
    assert words in caught.value.message
    assert caught.value.advice


def test_permissions_with_a_host_are_fine_where_roles_write_them_so():
    name = "iam.googleapis.com/workloadIdentityPoolProviders.update"
    assert name == CLOUD.request(Query(ANA, name, "projects/1"), estate()).action


def test_new_access_is_found_with_a_witness():
    old, new = held_at(binding(VIEWER, ANA)), held_at(binding(VIEWER, ANA), binding("roles/storage.objectCreator", ANA))
    same = difference(CLOUD.access(ANA, old), CLOUD.access(ANA, old), domain=CLOUD.domain(old))
    assert Status.EMPTY == same.status
    assert Status.EMPTY == difference(CLOUD.access(ANA, old), CLOUD.access(ANA, new), domain=CLOUD.domain(new)).status
    more = difference(CLOUD.access(ANA, new), CLOUD.access(ANA, old), domain=CLOUD.domain(new))
    assert Status.WITNESS == more.status
    assert more.witness is not None
    assert more.witness.action in {"storage.objects.create", *CLOUD.domain(new).actions}


def test_a_condition_on_names_is_understood_as_part_of_the_resource():
    narrow = 'resource.name.startsWith("projects/_/buckets/b/")'
    old = estate([project(1, binding(VIEWER, ANA, condition=narrow)), bucket("b")])
    new = estate(
        [
            project(1),
            bucket("b", binding(VIEWER, ANA, condition='resource.name.startsWith("projects/_/buckets/b/objects/a")')),
        ]
    )
    found = difference(CLOUD.access(ANA, new), CLOUD.access(ANA, old), domain=CLOUD.domain(new))
    assert Status.EMPTY == found.status
    assert Status.WITNESS == difference(CLOUD.access(ANA, old), CLOUD.access(ANA, new), domain=CLOUD.domain(old)).status


def test_holdings_are_what_a_principal_holds_for_sure():
    bindings = (
        binding(VIEWER, ANA, condition="true"),
        binding("roles/storage.objectCreator", "allUsers"),
        binding("roles/storage.admin", "group:unknown@example.com"),
        binding("roles/storage.legacyObjectReader", "group:g@example.com"),
    )
    world = estate([bucket("b", *bindings)], more=grouped((ANA, "group:g@example.com")))
    direct, grouped_ = CLOUD.holdings(ANA, world)
    assert "roles/storage.legacyObjectReader" == grouped_.role
    assert (ANA, f"{BUCKET}b", VIEWER, "true") == (direct.principal, direct.scope, direct.role, direct.condition_text)
    assert isinstance(direct.permissions, Language)
    assert direct.permissions.matches(GET)
    assert ["roles/storage.objectCreator"] == [each.role for each in CLOUD.holdings("allUsers", world)]


def test_doubts_are_those_that_touch_the_principal():
    world = held_at(
        binding("roles/nobody.knowsThis", ANA),
        binding(VIEWER, "group:g@example.com"),
        binding("roles/storage.admin", "group:g@example.com"),
        binding(VIEWER, "principal://agents.global.x/y"),
        binding(VIEWER, "nonsense"),
    )
    reasons = [each.reason for each in CLOUD.doubts(ANA, world)]
    assert 1 == sum("`group:g@example.com`" in reason for reason in reasons)
    assert 1 == sum("knowsThis" in reason for reason in reasons)
    assert 1 == sum("`nonsense`" in reason for reason in reasons)
    assert 0 == sum("agents" in reason for reason in reasons)
    assert 1 == sum("agents" in each.reason for each in CLOUD.doubts("principal://agents.global.x/y", world))


@pytest.mark.parametrize("role", [None, 5, "", []])
def test_what_a_binding_without_a_role_grants_its_members_is_open(role):
    world = estate([bucket("b", {"role": role, "members": [ANA]})])
    assert "unknown" == outcome(world, ANA, GET, OBJECT)
    assert "implicit-deny" == outcome(world, "user:bob@example.com", GET, OBJECT)


def policy_on(place, constraint="storage.publicAccessPrevention", **rule):
    return {"name": f"{place}/policies/{constraint}", "spec": {"rules": [rule or {"enforce": True}]}}


@pytest.mark.parametrize(
    ("policies", "public", "noted"),
    [
        ([policy_on("organizations/9")], "implicit-deny", 0),
        ([policy_on("folders/2")], "implicit-deny", 0),
        ([policy_on("projects/1")], "implicit-deny", 0),
        ([policy_on("projects/7")], "allow", 0),
        ([policy_on("organizations/9", enforce=False)], "allow", 0),
        # The nearest one decides.
        ([policy_on("organizations/9"), policy_on("projects/1", enforce=False)], "allow", 0),
        ([policy_on("organizations/9", enforce=False), policy_on("folders/2")], "implicit-deny", 0),
        # What else takes access away, or depends on something, is said.
        ([policy_on("projects/1", enforce=True, condition={"expression": "x"})], "allow", 1),
        ([policy_on("organizations/9", "gcp.restrictServiceUsage", values={"deniedValues": ["x"]})], "allow", 1),
        ([policy_on("organizations/9", "iam.managed.disableServiceAccountKeyCreation")], "allow", 1),
        ([policy_on("organizations/9", "custom.noGrants")], "allow", 1),
        (
            [policy_on("organizations/9", "iam.allowedPolicyMemberDomains", values={"allowedValues": ["C0"]})],
            "allow",
            0,
        ),
    ],
)
def test_organization_policies_close_buckets_to_the_public(policies, public, noted):
    world = estate([bucket("b", binding(VIEWER, "allUsers", ANA))], *policies)
    assert public == outcome(world, "allUsers", GET, OBJECT)
    assert "allow" == outcome(world, ANA, GET, OBJECT)
    assert noted == sum("not evaluated" in each.reason for each in CLOUD.doubts(ANA, world))


def test_a_policy_about_buckets_leaves_other_public_resources_open():
    topic = asset("//pubsub.googleapis.com/projects/1/topics/t", binding("roles/pubsub.publisher", "allUsers"))
    world = estate([topic], policy_on("organizations/9"))
    assert "allow" == outcome(world, "allUsers", "pubsub.topics.publish", topic["name"])
