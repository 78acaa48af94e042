from __future__ import annotations

import pytest

from idtrans.clouds.gcp import CLOUD
from idtrans.model.data import rules_dir
from idtrans.model.entities import PrincipalKind
from idtrans.model.values import UNKNOWN, Plane, Reach, Use
from tests.clouds.gcp.worlds import BUCKET, asset, binding, bucket, estate, project

pytestmark = pytest.mark.skipif(not (rules_dir() / "planes" / "gcp.toml").is_file(), reason="the tables are not there")

READER = "roles/storage.objectViewer"


def test_public_members_are_exposures():
    world = estate(
        [bucket("b", binding("roles/storage.legacyBucketReader", "allUsers"), binding(READER, "allAuthenticatedUsers"))]
    )
    assert [
        (f"{BUCKET}b", "bucket", Reach.ANYONE, "allUsers", "roles/storage.legacyBucketReader"),
        (f"{BUCKET}b", "bucket", Reach.PLATFORM, "allAuthenticatedUsers", READER),
    ] == [
        (each.subject, each.resource_kind, each.reach, each.principal, each.grants) for each in CLOUD.exposures(world)
    ]


def test_an_exposure_tells_plane_use_and_condition():
    [found] = CLOUD.exposures(estate([bucket("b", binding(READER, "allUsers", condition="true"))]))
    assert (Plane.DATA, Use.READ, True, "binding") == (found.plane, found.use, found.conditional, found.through)


@pytest.mark.parametrize(
    "content",
    [
        bucket("b", binding(READER, "user:a@example.com", "group:g@example.com", "domain:other.example")),
        bucket("b", binding(READER, "allUsers"), data={"iamConfiguration": {"publicAccessPrevention": "enforced"}}),
        bucket("b", binding(READER, "deleted:user:a@example.com?uid=1")),
    ],
)
def test_these_are_no_exposures(content):
    assert () == CLOUD.exposures(estate([content]))


def test_a_role_without_permissions_opens_nothing():
    empty = {"name": "projects/1/roles/none", "title": "None", "includedPermissions": []}
    assert () == CLOUD.exposures(estate([bucket("b", binding("projects/1/roles/none", "allUsers"))], [empty]))


def test_prevention_that_is_inherited_is_not_known_to_close():
    content = bucket(
        "b", binding(READER, "allUsers"), data={"iamConfiguration": {"publicAccessPrevention": "inherited"}}
    )
    assert 1 == len(CLOUD.exposures(estate([content])))


def test_what_is_not_known_of_a_role_stays_unknown():
    [found] = CLOUD.exposures(
        estate([asset("//run.googleapis.com/projects/1/services/s", binding("roles/nobody.knowsThis", "allUsers"))])
    )
    assert (UNKNOWN, UNKNOWN, "thing") == (found.plane, found.use, found.resource_kind)
    [found] = CLOUD.exposures(estate({"bindings": [binding(READER, "allUsers")], "etag": "x"}))
    assert ("unknown", "resource") == (found.subject, found.resource_kind)


def grants(content, *more):
    return {(each.subject, each.role): each for each in CLOUD.grants(estate([content], *more))}


def test_grants_are_judged_by_permissions_not_by_names():
    found = grants(
        project(
            1,
            binding("roles/accessapproval.configEditor", "serviceAccount:a@p.iam.gserviceaccount.com"),
            binding("roles/editor", "serviceAccount:b@p.iam.gserviceaccount.com"),
            binding("roles/iam.serviceAccountTokenCreator", "serviceAccount:c@p.iam.gserviceaccount.com"),
        )
    )
    planes = {role: each.plane for (_, role), each in found.items()}
    assert {
        "roles/accessapproval.configEditor": Plane.CONFIG,
        "roles/editor": Plane.ADMIN,
        "roles/iam.serviceAccountTokenCreator": Plane.SECRET,
    } == planes


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("roles/owner", True),
        ("roles/resourcemanager.projectIamAdmin", True),
        (READER, False),
        ("roles/nobody.knowsThis", UNKNOWN),
    ],
)
def test_owners_of_a_project(role, expected):
    [found] = grants(project(1, binding(role, "user:a@example.com"))).values()
    assert expected is found.owner_like
    assert ("project", PrincipalKind.USER, "projects/1") == (found.scope_level, found.principal_kind, found.scope)


@pytest.mark.parametrize(
    ("content", "expected", "level"),
    [
        (bucket("b", binding("roles/storage.admin", "user:a@example.com")), True, "resource"),
        (bucket("b", binding("roles/storage.objectAdmin", "user:a@example.com")), False, "resource"),
        (project(1, binding("roles/storage.admin", "user:a@example.com")), False, "project"),
        (
            asset(
                "//iam.googleapis.com/projects/p/serviceAccounts/a@p.iam.gserviceaccount.com",
                binding("roles/iam.serviceAccountAdmin", "user:a@example.com"),
            ),
            True,
            "resource",
        ),
        (
            asset(
                "//pubsub.googleapis.com/projects/p/topics/t", binding("roles/pubsub.publisher", "user:a@example.com")
            ),
            False,
            "resource",
        ),
        (
            asset(
                "//cloudresourcemanager.googleapis.com/folders/2",
                binding("roles/browser", "user:a@example.com"),
                ancestors=("folders/2",),
            ),
            False,
            "folder",
        ),
    ],
)
def test_who_can_hand_out_roles_on_the_scope_is_owner_like(content, expected, level):
    [found] = grants(content).values()
    assert (expected, level) == (found.owner_like, found.scope_level)


def test_a_policy_of_unknown_scope_may_be_anywhere():
    [found] = CLOUD.grants(
        estate({"bindings": [binding("roles/resourcemanager.projectIamAdmin", "user:a@example.com")], "etag": "x"})
    )
    assert ("unknown", True) == (found.scope, found.owner_like)


def test_read_only_is_told_from_every_permission():
    reader = {"name": "projects/1/roles/r", "title": "R", "includedPermissions": ["storage.objects.get"]}
    odd = {
        "name": "projects/1/roles/o",
        "title": "O",
        "includedPermissions": ["storage.objects.get", "nobody.knows.this"],
    }
    found = grants(
        bucket(
            "b",
            *(
                binding(role, "user:a@example.com")
                for role in ("projects/1/roles/r", "projects/1/roles/o", "roles/storage.admin")
            ),
        ),
        [reader, odd],
    )
    assert [True, UNKNOWN, False] == [
        found["user:a@example.com", role].read_only
        for role in ("projects/1/roles/r", "projects/1/roles/o", "roles/storage.admin")
    ]
    assert [Use.READ.value] == sorted({str(Use.READ)})


def test_deleted_and_invalid_members_hold_no_grant():
    assert {} == grants(bucket("b", binding(READER, "deleted:user:a@example.com?uid=1", "nonsense")))


TAKES_OVER = [
    ("roles/owner", True),
    ("roles/editor", True),
    ("roles/iam.serviceAccountTokenCreator", True),
    ("roles/iam.serviceAccountUser", True),
    ("roles/iam.serviceAccountKeyAdmin", True),
    ("roles/iam.serviceAccountAdmin", True),
    ("roles/iam.workloadIdentityUser", True),
    ("roles/resourcemanager.projectIamAdmin", True),
    ("roles/viewer", False),
    ("roles/storage.admin", False),
    ("roles/accessapproval.configEditor", False),
    ("roles/iam.serviceAccountOpenIdTokenCreator", False),
    ("roles/nobody.knowsThis", UNKNOWN),
]


@pytest.mark.parametrize(("role", "expected"), TAKES_OVER)
def test_who_takes_over_a_project(role, expected):
    account = "serviceAccount:a@p.iam.gserviceaccount.com"
    agent = "serviceAccount:service-1@gcp-sa-pubsub.iam.gserviceaccount.com"
    found = CLOUD.grants(estate([project("1", binding(role, account, agent))]))
    assert [expected, False] == [fact.takes_over for fact in found]
    on_one = asset(
        f"//iam.googleapis.com/projects/1/serviceAccounts/{account.partition(':')[2]}", binding(role, account)
    )
    assert [False] == [fact.takes_over for fact in CLOUD.grants(estate([on_one]))]


def test_a_binding_that_is_not_understood_may_take_over():
    world = estate([project("1", binding("roles/editor", "serviceAccount:a@p.iam.gserviceaccount.com", condition="x"))])
    assert [UNKNOWN] == [fact.takes_over for fact in CLOUD.grants(world)]
