"""Deny policies, principal access boundaries and access policies, through the compiled access."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from idtrans.clouds.gcp import CLOUD
from tests.clouds.gcp.worlds import binding, bucket, estate, outcome, project

if TYPE_CHECKING:
    from idtrans.ports import Denying

ANA = "user:ana@example.com"
BOB = "user:bob@example.com"
SA = "serviceAccount:app@acme-prod.iam.gserviceaccount.com"
DELETE, GET = "resourcemanager.projects.delete", "resourcemanager.projects.get"
CUSTOM = {"name": "organizations/9/roles/r", "title": "r", "includedPermissions": [DELETE, GET, "storage.objects.get"]}
ROLE = "organizations/9/roles/r"
PROJECT = "projects/1"
V2_DELETE = "cloudresourcemanager.googleapis.com/projects.delete"
EVERYBODY = "principalSet://goog/public:all"
ANA_V2 = "principal://goog/subject/ana@example.com"


def deny(point="projects/1", *, condition=None, name="p", encoded=True, **rule):
    """Return a deny policy of one rule."""
    full = f"cloudresourcemanager.googleapis.com/{point}"
    found = {"deniedPrincipals": [EVERYBODY], "deniedPermissions": [V2_DELETE], **rule}
    if condition is not None:
        found["denialCondition"] = {"title": "t", "expression": condition}
    return {
        "name": f"policies/{full.replace('/', '%2F') if encoded else full}/denypolicies/{name}",
        "kind": "DenyPolicy",
        "rules": [{"denyRule": found}],
    }


def world(*documents, members=(ANA, BOB, SA), role=ROLE):
    return estate([project("1", binding(role, *members))], [CUSTOM], *documents)


def members(group, *addresses):
    items = [
        {
            "name": f"groups/1/memberships/{n}",
            "preferredMemberKey": {"id": address},
            "roles": [{"name": "MEMBER"}],
            "type": "GROUP" if address.startswith("g") else "USER",
        }
        for n, address in enumerate(addresses)
    ]
    return (items, {"principal": f"group:{group}"})


UNREADABLE: tuple[object, ...] = ({"a": 1}, [5], [{"denyRule": 5}], [{}], "x")
"""What stands for the rules of a deny policy and is no list of them."""

DENIES = [
    (deny(), ANA, DELETE, "explicit-deny"),
    (deny(), ANA, GET, "allow"),
    ([deny()], ANA, DELETE, "explicit-deny"),
    ({"policies": [deny()]}, ANA, DELETE, "explicit-deny"),
    (deny(encoded=False), ANA, DELETE, "explicit-deny"),
    # Inherited from everything above the resource, and from nothing beside it.
    (deny("organizations/9"), ANA, DELETE, "explicit-deny"),
    (deny("folders/2"), ANA, DELETE, "explicit-deny"),
    (deny("projects/7"), ANA, DELETE, "allow"),
    (deny(deniedPrincipals=[ANA_V2]), ANA, DELETE, "explicit-deny"),
    (deny(deniedPrincipals=[ANA_V2]), BOB, DELETE, "allow"),
    (deny(exceptionPrincipals=[ANA_V2]), ANA, DELETE, "allow"),
    (deny(exceptionPrincipals=[ANA_V2]), BOB, DELETE, "explicit-deny"),
    (deny(exceptionPrincipals=["principalSet://goog/group/g@example.com"]), ANA, DELETE, "unknown"),
    (deny(deniedPrincipals=["principalSet://goog/group/g@example.com"]), ANA, DELETE, "unknown"),
    (deny(deniedPrincipals=["principalSet://goog/cloudIdentityCustomerId/C01"]), ANA, DELETE, "unknown"),
    (deny(deniedPrincipals=["principalSet://goog/cloudIdentityCustomerId/C01"]), SA, DELETE, "allow"),
    (
        deny(deniedPrincipals=["principal://iam.googleapis.com/projects/-/serviceAccounts/" + SA.partition(":")[2]]),
        SA,
        DELETE,
        "explicit-deny",
    ),
    # Groups of permissions.
    (deny(deniedPermissions=["cloudresourcemanager.googleapis.com/projects.*"]), ANA, GET, "explicit-deny"),
    (deny(deniedPermissions=["cloudresourcemanager.googleapis.com/*.*"]), ANA, GET, "explicit-deny"),
    (deny(deniedPermissions=["cloudresourcemanager.googleapis.com/*.get"]), ANA, GET, "explicit-deny"),
    (deny(deniedPermissions=["cloudresourcemanager.googleapis.com/*.get"]), ANA, DELETE, "allow"),
    (deny(deniedPermissions=["storage.googleapis.com/*.*"]), ANA, DELETE, "allow"),
    (
        deny(
            deniedPermissions=["cloudresourcemanager.googleapis.com/projects.*"],
            exceptionPermissions=["cloudresourcemanager.googleapis.com/projects.get"],
        ),
        ANA,
        GET,
        "allow",
    ),
    # The documentation itself has such a typing error; nobody knows what the service makes of it.
    (deny(deniedPermissions=["cloudresourcemanager.googelapis.com/projects.get"]), ANA, GET, "unknown"),
    (deny(deniedPermissions=["cloudresourcemanager.googelapis.com/projects.get"]), ANA, DELETE, "allow"),
    (
        deny(exceptionPermissions=["cloudresourcemanager.googelapis.com/projects.delete"]),
        ANA,
        DELETE,
        "unknown",
    ),
    # Conditions: a condition that cannot be evaluated denies, a condition that is not understood leaves it open.
    (deny(condition="resource.matchTag('1/env', 'prod')"), ANA, DELETE, "allow"),
    (deny(condition="!resource.matchTag('1/env', 'prod')"), ANA, DELETE, "explicit-deny"),
    (deny(condition="request.time < timestamp('tomorrow')"), ANA, DELETE, "explicit-deny"),
    (deny(condition="resource.futureFunction('x')"), ANA, DELETE, "unknown"),
    (deny(condition="(("), ANA, DELETE, "unknown"),
    # What is not understood is never taken for allowed.
    (deny(deniedPrincipals=["robot:x"]), ANA, DELETE, "unknown"),
    (deny(deniedPrincipals="x"), ANA, DELETE, "unknown"),
    ({**deny(), "rules": [{"denyRule": {"denialCondition": {}}}]}, ANA, DELETE, "unknown"),
    ({"name": deny()["name"], "kind": "DenyPolicy"}, ANA, DELETE, "unknown"),
    *(({**deny(), "rules": rules}, ANA, DELETE, "unknown") for rules in UNREADABLE),
    ({**deny(), "rules": []}, ANA, DELETE, "allow"),
]


@pytest.mark.parametrize(("policy", "who", "action", "expected"), DENIES)
def test_deny_policies(policy, who, action, expected):
    assert expected == outcome(world(policy), who, action, PROJECT)


def test_group_members_decide_denials_and_exceptions():
    policy = deny(exceptionPrincipals=["principalSet://goog/group/g@example.com"])
    inside = world(policy, members("g@example.com", "ana@example.com"))
    assert ["allow", "explicit-deny"] == [outcome(inside, who, DELETE, PROJECT) for who in (ANA, BOB)]
    nested = world(policy, members("g@example.com", "g2@example.com"), members("g2@example.com", "bob@example.com"))
    assert ["explicit-deny", "allow"] == [outcome(nested, who, DELETE, PROJECT) for who in (ANA, BOB)]
    empty = world(policy, ([], {"principal": "group:g@example.com", "kind": "gcp.group-memberships"}))
    assert "explicit-deny" == outcome(empty, ANA, DELETE, PROJECT)


def test_all_agents_and_all_service_accounts_of_a_project_are_two_sets():
    agent = "serviceAccount:service-1@gcp-sa-pubsub.iam.gserviceaccount.com"
    own = "serviceAccount:1-compute@developer.gserviceaccount.com"
    of = "principalSet://cloudresourcemanager.googleapis.com/projects/1/type/"
    found = [
        outcome(world(deny(deniedPrincipals=[of + only]), members=(agent, own)), who, DELETE, PROJECT)
        for only in ("ServiceAccount", "ServiceAgent")
        for who in (agent, own)
    ]
    assert ["allow", "explicit-deny", "explicit-deny", "allow"] == found


def test_kubernetes_identities_have_two_spellings():
    new = "principal://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p.svc.id.goog/subject/ns/n/sa/k"
    old = "serviceAccount:p.svc.id.goog[n/k]"
    for named, asked in ((new, old), (old, new), (new, new)):
        assert "explicit-deny" == outcome(
            world(deny(deniedPrincipals=[named]), members=(asked,)), asked, DELETE, PROJECT
        )


# -- principal access boundaries --------------------------------------------------------------------------------------


def boundary(*resources, name="b", version="3", effect="ALLOW"):
    full = [f"//cloudresourcemanager.googleapis.com/{each}" for each in resources]
    details = {"rules": [{"resources": full, "effect": effect}], "enforcementVersion": version}
    return {"name": f"organizations/9/locations/global/principalAccessBoundaryPolicies/{name}", "details": details}


def bound(principals="//cloudresourcemanager.googleapis.com/organizations/9", *, name="b", condition=None):
    found = {
        "name": f"organizations/9/locations/global/policyBindings/{name}-{len(principals)}",
        "target": {"principalSet": principals},
        "policyKind": "PRINCIPAL_ACCESS_BOUNDARY",
        "policy": f"organizations/9/locations/global/principalAccessBoundaryPolicies/{name}",
    }
    return found if condition is None else {**found, "condition": {"expression": condition}}


ADMIN = "roles/iam.serviceAccountAdmin"
SA_GET = "iam.serviceAccounts.get"
AGENT = "serviceAccount:1-compute@developer.gserviceaccount.com"
PROJECT_1 = "//cloudresourcemanager.googleapis.com/projects/1"
TARGET = "//iam.googleapis.com/projects/1/serviceAccounts/1-compute@developer.gserviceaccount.com"

BOUNDS = [
    ([], "allow"),
    # A policy that is bound to nobody limits nobody.
    ([boundary("projects/7")], "allow"),
    ([boundary("projects/7"), bound(PROJECT_1)], "implicit-deny"),
    ([boundary("projects/1"), bound(PROJECT_1)], "allow"),
    ([boundary("organizations/9"), bound(PROJECT_1)], "allow"),
    ([boundary("folders/2"), bound("//cloudresourcemanager.googleapis.com/folders/2")], "allow"),
    ([boundary("projects/7"), bound("//cloudresourcemanager.googleapis.com/folders/2")], "implicit-deny"),
    ([boundary("projects/7"), bound("//cloudresourcemanager.googleapis.com/projects/8")], "allow"),
    # Several boundaries add up: another one never takes anything away.
    ([boundary("projects/7"), bound(PROJECT_1), boundary("projects/1", name="c"), bound(PROJECT_1, name="c")], "allow"),
    (
        [boundary("projects/7"), bound(PROJECT_1), boundary("projects/8", name="c"), bound(PROJECT_1, name="c")],
        "implicit-deny",
    ),
    # Version 1 is not known to block this permission, and nobody knows what versions that differ do together.
    ([boundary("projects/7", version="1"), bound(PROJECT_1)], "unknown"),
    ([boundary("projects/7", version=None), bound(PROJECT_1)], "unknown"),
    ([boundary("projects/1", version="1"), bound(PROJECT_1)], "allow"),
    (
        [
            boundary("projects/7"),
            bound(PROJECT_1),
            boundary("projects/8", name="c", version="1"),
            bound(PROJECT_1, name="c"),
        ],
        "unknown",
    ),
    # Conditions on the principal.
    (
        [boundary("projects/7"), bound(PROJECT_1, condition="principal.type == 'iam.googleapis.com/ServiceAccount'")],
        "implicit-deny",
    ),
    (
        [boundary("projects/7"), bound(PROJECT_1, condition="principal.type != 'iam.googleapis.com/ServiceAccount'")],
        "allow",
    ),
    ([boundary("projects/7"), bound(PROJECT_1, condition="principal.subject.startsWith('1-')")], "implicit-deny"),
    ([boundary("projects/7"), bound(PROJECT_1, condition="principal.subject in ['x@y.example']")], "allow"),
    ([boundary("projects/7"), bound(PROJECT_1, condition="principal.newAttribute == 'x'")], "unknown"),
    # What was not supplied or not understood.
    ([bound(PROJECT_1)], "unknown"),
    ([boundary("projects/7", effect="DENY"), bound(PROJECT_1)], "unknown"),
    ([boundary("projects/7"), bound("robots")], "unknown"),
    *(
        ([boundary("projects/7"), {**bound(PROJECT_1), "target": to}], "unknown")
        for to in (None, 5, {"principalSet": 5})
    ),
    ([boundary("projects/7"), {**bound(PROJECT_1), "policy": None}], "unknown"),
    ([{"name": boundary()["name"]}, bound(PROJECT_1)], "unknown"),
]


@pytest.mark.parametrize(("documents", "expected"), BOUNDS)
def test_principal_access_boundaries(documents, expected):
    given = estate([project("1", binding(ADMIN, AGENT))], *documents)
    assert expected == outcome(given, AGENT, SA_GET, TARGET)


def test_permissions_that_no_boundary_can_block_pass():
    spared = "iam.serviceAccounts.createTagBinding"
    role = {"name": ROLE, "title": "r", "includedPermissions": [spared]}
    given = estate([project("1", binding(ROLE, AGENT))], [role], boundary("projects/7"), bound(PROJECT_1))
    assert "allow" == outcome(given, AGENT, spared, TARGET)


def test_whether_a_user_belongs_to_an_organization_is_not_known():
    given = estate([project("1", binding(ADMIN, ANA))], boundary("projects/7"), bound())
    assert "unknown" == outcome(given, ANA, SA_GET, TARGET)


def test_pools_are_principal_sets_too():
    pool = "locations/global/workforcePools/staff"
    who = f"principal://iam.googleapis.com/{pool}/subject/s"
    given = estate([project("1", binding(ADMIN, who))], boundary("projects/7"), bound(f"//iam.googleapis.com/{pool}"))
    assert "implicit-deny" == outcome(given, who, SA_GET, TARGET)
    workspace = estate(
        [project("1", binding(ADMIN, ANA))],
        boundary("projects/7"),
        bound("//iam.googleapis.com/locations/global/workspace/C01"),
    )
    assert "unknown" == outcome(workspace, ANA, SA_GET, TARGET)


# -- access policies --------------------------------------------------------------------------------------------------


def access_policy(*rules):
    return {"name": "projects/1/locations/global/accessPolicies/a", "details": {"rules": list(rules)}}


def rule(effect, permission="eventarc.googleapis.com/messageBuses.publish", condition=None):
    found = {"effect": effect, "principals": [ANA_V2], "operation": {"permissions": [permission]}}
    return (
        found if condition is None else {**found, "conditions": {"eventarc.googleapis.com": {"expression": condition}}}
    )


BUS = "//eventarc.googleapis.com/projects/1/locations/l/messageBuses/b"


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ([], "implicit-deny"),
        ([rule("ALLOW")], "allow"),
        ([rule("ALLOW"), rule("DENY")], "explicit-deny"),
        # A condition that fails leaves the rule out, unlike in a deny policy.
        ([rule("ALLOW"), rule("DENY", condition="request.time < timestamp('x')")], "allow"),
        ([rule("ALLOW", condition="something(1)")], "unknown"),
        ([rule("ALLOW", "storage.googleapis.com/objects.get")], "implicit-deny"),
        ([rule("MAYBE")], "implicit-deny"),
    ],
)
def test_access_policies_decide_eventarc(rules, expected):
    given = estate([project("1")], access_policy(*rules))
    assert expected == outcome(given, ANA, "eventarc.messageBuses.publish", BUS)


def test_rules_about_other_services_are_reported():
    given = estate(access_policy(rule("DENY", "storage.googleapis.com/objects.get")), {"name": access_policy()["name"]})
    assert 2 == len(given.unsupported)


def test_what_may_be_denied_stands_beside_what_is_held():
    given = world(deny(), boundary("projects/7"), bound(PROJECT_1), members=(AGENT,))
    (held,) = CLOUD.holdings(AGENT, given)
    assert 1 == len(held.unsure)
    denials = cast("Denying", CLOUD).denials(AGENT, given)
    assert ["//cloudresourcemanager.googleapis.com/projects/1"] == [each.denied.scope for each in denials]
    assert () == CLOUD.holdings(ANA, world())[0].unsure


def test_a_deny_on_a_bucket_of_another_project_does_not_touch_it():
    given = estate(
        [bucket("b", binding("roles/storage.objectViewer", ANA), ancestors=("projects/5", "organizations/9"))],
        deny(deniedPermissions=["storage.googleapis.com/objects.get"]),
    )
    assert "allow" == outcome(
        given, ANA, "storage.objects.get", "//storage.googleapis.com/projects/_/buckets/b/objects/o"
    )
