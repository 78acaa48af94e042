"""What cannot be read stays open: a member may be anybody, a denied permission may be any that its text may mean."""

from __future__ import annotations

import pytest

from idtrans.clouds.gcp import CLOUD
from tests.clouds.gcp.worlds import POOL, binding, estate, outcome, project

ANA = "user:ana@example.com"
BOB = "user:bob@example.com"
GET = "resourcemanager.projects.get"
PROJECT = "projects/1"
IAM = "//iam.googleapis.com/"
IN_POOL = f"principal:{IAM}{POOL}/subject/s"

READ = "storage.objects.get"
LIST = "storage.buckets.list"
ROLE = {"name": "organizations/9/roles/r", "title": "r", "includedPermissions": [READ, LIST, GET]}

ANYBODY = (
    "usr:ana@example.com",
    "User:ana@example.com",
    "ana@example.com",
    " user:ana@example.com",
    "user: ana@example.com",
    "user:ana@example.com,user:bob@example.com",
    "user:ana@example.com user:bob@example.com",
    "group:",
    "allusers",
    "AllAuthenticatedUsers",
    "principal://goog/subject/",
    "principalSet://goog/public",
    "principalSet://goog/subject/ana@example.com",
    "domain:",
    "",
    "*",
)
"""Members that nobody can read, or sets of a kind that nobody knows."""
NOBODY_ELSE = (BOB, "principal://agents.global.org-1.system.id.goog/x/y", "deleted:user:ana@example.com?uid=1")
"""Members of which it is known that they are not the one who asks."""


@pytest.mark.parametrize("text", ANYBODY)
def test_a_member_that_cannot_be_read_may_be_anybody(text):
    world = estate([project("1", binding(ROLE["name"], text))], [ROLE])
    assert ("unknown", "unknown") == tuple(outcome(world, who, GET, PROJECT) for who in (ANA, "allUsers"))
    # What the role does not give, nobody holds.
    assert "implicit-deny" == outcome(world, ANA, "resourcemanager.projects.delete", PROJECT)
    assert 1 == len(CLOUD.doubts(ANA, world))


@pytest.mark.parametrize("text", NOBODY_ELSE)
def test_a_member_that_is_somebody_else_is_nobody_else(text):
    world = estate([project("1", binding("roles/viewer", text))])
    assert "implicit-deny" == outcome(world, ANA, GET, PROJECT)


@pytest.mark.parametrize("rest", ["", "/*/x", "/acme/*", "/subject/*", "/attribute.repository"])
def test_what_cannot_be_read_of_a_pool_is_of_that_pool(rest):
    world = estate([project("1", binding("roles/viewer", f"principalSet:{IAM}{POOL}{rest}"))])
    other = IN_POOL.replace("/ci/", "/cd/")
    assert ["unknown", "implicit-deny", "implicit-deny"] == [
        outcome(world, who, GET, PROJECT) for who in (IN_POOL, other, ANA)
    ]


def test_a_member_that_can_be_read_is_sure_beside_one_that_cannot():
    world = estate([project("1", binding("roles/viewer", "nonsense", ANA))])
    assert ("allow", "unknown") == tuple(outcome(world, who, GET, PROJECT) for who in (ANA, BOB))


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"role": "roles/viewer", "members": [5]}, "unknown"),
        ({"role": "roles/viewer", "members": [None]}, "unknown"),
        ({"role": "roles/viewer", "members": ANA}, "unknown"),
        ({"role": "roles/viewer", "members": {ANA: True}}, "unknown"),
        ({"role": None, "members": [ANA]}, "unknown"),
        ("nonsense", "unknown"),
        (None, "unknown"),
        ({"role": "roles/viewer", "members": []}, "implicit-deny"),
        ({"role": "roles/viewer", "members": None}, "implicit-deny"),
        ({"role": "roles/viewer"}, "implicit-deny"),
    ],
)
def test_bindings_that_cannot_be_read(raw, expected):
    assert expected == outcome(estate([project("1", raw)]), ANA, GET, PROJECT)


def test_a_policy_whose_bindings_are_no_list():
    world = estate([{**project("1"), "iamPolicy": {"bindings": "x"}}])
    assert "unknown" == outcome(world, ANA, GET, PROJECT)
    assert "implicit-deny" == outcome(world, ANA, GET, "projects/2")


# -- denied permissions -----------------------------------------------------------------------------------------------

NAME = "policies/cloudresourcemanager.googleapis.com%2Fprojects%2F1/denypolicies/p"

PERMISSIONS = [
    ("storage.googleapis.com/objects.get", ["explicit-deny", "allow", "allow"]),
    ("storage.googleapis.com/objects.*", ["explicit-deny", "allow", "allow"]),
    ("storage.googleapis.com/*.get", ["explicit-deny", "allow", "allow"]),
    ("storage.googleapis.com/*.*", ["explicit-deny", "explicit-deny", "allow"]),
    ("cloudresourcemanager.googleapis.com/projects.get", ["allow", "allow", "explicit-deny"]),
    # As roles write it: perhaps the same permission, and surely no other.
    ("storage.objects.get", ["unknown", "allow", "allow"]),
    ("storage.objects.*", ["unknown", "allow", "allow"]),
    # A service that can be read, and nothing that it offers.
    ("storage.googleapis.com/*", ["unknown", "unknown", "allow"]),
    ("storage.googleapis.com/objects", ["unknown", "unknown", "allow"]),
    ("storage.googleapis.com/objects.g*", ["unknown", "unknown", "allow"]),
    ("storage.googleapis.com/objects get", ["unknown", "unknown", "allow"]),
    ("storage.googleapis.com/", ["unknown", "unknown", "allow"]),
    # A permission that can be read, of a service that nobody knows.
    ("storage.googelapis.com/objects.get", ["unknown", "allow", "allow"]),
    ("//storage.googleapis.com/objects.get", ["unknown", "unknown", "unknown"]),
    # Neither.
    ("objects.get", ["unknown", "unknown", "unknown"]),
    ("*", ["unknown", "unknown", "unknown"]),
    ("", ["unknown", "unknown", "unknown"]),
    ("everything", ["unknown", "unknown", "unknown"]),
]


def denial(**rule):
    return {
        "name": NAME,
        "kind": "DenyPolicy",
        "rules": [{"denyRule": {"deniedPrincipals": ["principalSet://goog/public:all"], **rule}}],
    }


@pytest.mark.parametrize(("text", "expected"), PERMISSIONS)
def test_names_of_denied_permissions(text, expected):
    world = estate([project("1", binding(ROLE["name"], ANA))], [ROLE], denial(deniedPermissions=[text]))
    assert expected == [outcome(world, ANA, action, PROJECT) for action in (READ, LIST, GET)]
    assert ("unknown" in expected) is bool(world.unsupported)


@pytest.mark.parametrize(("text", "denied"), PERMISSIONS)
def test_names_of_excepted_permissions(text, denied):
    rule = {"deniedPermissions": ["storage.googleapis.com/*.*"], "exceptionPermissions": [text]}
    world = estate([project("1", binding(ROLE["name"], ANA))], [ROLE], denial(**rule))
    spared = {"explicit-deny": "allow", "allow": "explicit-deny", "unknown": "unknown"}
    assert [spared[each] for each in denied[:2]] == [outcome(world, ANA, action, PROJECT) for action in (READ, LIST)]
    assert "allow" == outcome(world, ANA, GET, PROJECT)
