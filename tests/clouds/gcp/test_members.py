from __future__ import annotations

import pytest

from idtrans.clouds.gcp import CLOUD
from idtrans.clouds.gcp._members import member, project_of_account
from idtrans.clouds.gcp._names import account_resource, container_of, full_name, level_of, scope_name
from idtrans.model.entities import PrincipalKind
from idtrans.model.errors import UsageError
from tests.clouds.gcp.worlds import POOL, estate

IAM = "//iam.googleapis.com/"


@pytest.mark.parametrize(
    ("text", "canonical", "kind"),
    [
        ("user:Ana@Example.COM", "user:ana@example.com", PrincipalKind.USER),
        ("principal://goog/subject/Ana@example.com", "user:ana@example.com", PrincipalKind.USER),
        ("group:G@example.com", "group:g@example.com", PrincipalKind.GROUP),
        ("principalSet://goog/group/g@example.com", "group:g@example.com", PrincipalKind.GROUP),
        ("serviceAccount:a@p.iam.gserviceaccount.com", None, PrincipalKind.SERVICE_IDENTITY),
        (
            f"principal:{IAM}projects/-/serviceAccounts/a@p.iam.gserviceaccount.com",
            "serviceAccount:a@p.iam.gserviceaccount.com",
            PrincipalKind.SERVICE_IDENTITY,
        ),
        (
            f"{IAM}projects/-/serviceAccounts/a@p.iam.gserviceaccount.com",
            "serviceAccount:a@p.iam.gserviceaccount.com",
            PrincipalKind.SERVICE_IDENTITY,
        ),
        ("domain:Example.com", "domain:example.com", PrincipalKind.CONTAINER),
        ("allUsers", None, PrincipalKind.PUBLIC),
        ("allAuthenticatedUsers", None, PrincipalKind.PUBLIC),
        ("principalSet://goog/public:all", "allUsers", PrincipalKind.PUBLIC),
        ("principalSet://goog/cloudIdentityCustomerId/C01", None, PrincipalKind.CONTAINER),
        ("projectOwner:my-project", None, PrincipalKind.CONTAINER),
        ("deleted:user:Ana@example.com?uid=1", "deleted:user:ana@example.com?uid=1", PrincipalKind.USER),
        (f"deleted:principal:{IAM}{POOL}/subject/S", None, PrincipalKind.FEDERATED),
        (f"principal:{IAM}{POOL}/subject/repo:A/b:c", None, PrincipalKind.FEDERATED),
        (f"{IAM}{POOL}/subject/x", f"principal:{IAM}{POOL}/subject/x", PrincipalKind.FEDERATED),
        (f"{IAM}{POOL}", f"principalSet:{IAM}{POOL}/*", PrincipalKind.FEDERATED),
        (f"principalSet:{IAM}{POOL}/*", None, PrincipalKind.FEDERATED),
        (f"principalSet:{IAM}{POOL}/group/g", None, PrincipalKind.FEDERATED),
        (f"principalSet:{IAM}{POOL}/attribute.repository/a/b", None, PrincipalKind.FEDERATED),
        (f"principalSet:{IAM}locations/global/workforcePools/w/*", None, PrincipalKind.FEDERATED),
        (f"principalSet:{IAM}{POOL}/namespace/ns", None, PrincipalKind.FEDERATED),
        ("serviceAccount:p.svc.id.goog[Ns/sa]", None, PrincipalKind.FEDERATED),
        (
            "principalSet://cloudresourcemanager.googleapis.com/folders/1/type/ServiceAccount",
            None,
            PrincipalKind.CONTAINER,
        ),
        (
            "//cloudresourcemanager.googleapis.com/organizations/9",
            "principalSet://cloudresourcemanager.googleapis.com/organizations/9",
            PrincipalKind.CONTAINER,
        ),
        ("<GCP_PRINCIPAL>", None, PrincipalKind.UNKNOWN),
    ],
)
def test_every_spelling_of_a_principal_is_one_id(text, canonical, kind):
    found = member(text)
    assert (canonical or text, kind, None, True) == (found.id, found.kind, found.doubt, found.valid)


@pytest.mark.parametrize(
    "text",
    [
        f"principalSet:{IAM}{POOL}/acme/*",
        f"principalSet:{IAM}{POOL}/attribute.repository",
        f"principalSet:{IAM}{POOL}/attribute.repository/",
        f"principalSet:{IAM}{POOL}/subject/x",
        f"principalSet:{IAM}{POOL}",
        f"principal:{IAM}{POOL}/subject/*",
        f"principal:{IAM}{POOL}/*",
        f"principal:{IAM}{POOL}/attribute.repository/a",
        "user:",
        "User:ana@example.com",
        "ana@example.com",
        "",
        "deleted:",
        "*",
    ],
)
def test_what_the_api_refuses_is_no_principal(text):
    found = member(text)
    assert not found.valid
    assert found.doubt is not None
    assert "is not a valid principal identifier" in found.doubt


def test_a_malformed_pool_member_is_told_what_is_valid():
    assert "principalSet://POOL/*" in str(member(f"principalSet:{IAM}{POOL}/acme/*").doubt)


def test_an_identity_of_an_unknown_kind_is_kept_with_a_doubt():
    found = member("principal://agents.global.org-1.system.id.goog/x/y")
    assert (True, PrincipalKind.UNKNOWN) == (found.valid, found.kind)
    assert "is not known" in str(found.doubt)


@pytest.mark.parametrize(
    ("address", "project"),
    [
        ("a@my-project.iam.gserviceaccount.com", "my-project"),
        ("a@my-project.example.com.iam.gserviceaccount.com", "example.com:my-project"),
        ("my-project@appspot.gserviceaccount.com", "my-project"),
        ("1-compute@developer.gserviceaccount.com", "1"),
        ("1@cloudservices.gserviceaccount.com", "1"),
        ("service-1@gcp-sa-pubsub.iam.gserviceaccount.com", "1"),
        ("12345", None),
    ],
)
def test_the_address_of_a_service_account_names_its_project(address, project):
    assert project == project_of_account(address)


@pytest.mark.parametrize(
    ("text", "scope", "level"),
    [
        ("projects/p", "projects/p", "project"),
        ("project/p", "projects/p", "project"),
        ("//cloudresourcemanager.googleapis.com/folders/1", "folders/1", "folder"),
        ("organizations/9/", "organizations/9", "organization"),
        ("gs://b", "//storage.googleapis.com/projects/_/buckets/b", "resource"),
        ("gs://b/x/y", "//storage.googleapis.com/projects/_/buckets/b/objects/x/y", "resource"),
        ("//storage.googleapis.com/b", "//storage.googleapis.com/projects/_/buckets/b", "resource"),
        ("//storage.googleapis.com/projects/_/buckets/b", "//storage.googleapis.com/projects/_/buckets/b", "resource"),
        ("//storage.googleapis.com/b/c", "//storage.googleapis.com/projects/_/buckets/b/objects/c", "resource"),
        ("//storage.googleapis.com/b/c/d/", "//storage.googleapis.com/projects/_/buckets/b/objects/c/d", "resource"),
        ("projects/_/buckets/b", "//storage.googleapis.com/projects/_/buckets/b", "resource"),
        (
            "projects/_/buckets/b/objects/x/y",
            "//storage.googleapis.com/projects/_/buckets/b/objects/x/y",
            "resource",
        ),
        ("//storage.googleapis.com/projects/1", "//storage.googleapis.com/projects/1", "resource"),
        (
            "serviceAccount:A@p.iam.gserviceaccount.com",
            f"{IAM}projects/p/serviceAccounts/a@p.iam.gserviceaccount.com",
            "resource",
        ),
        (
            "projects/-/serviceAccounts/a@p.iam.gserviceaccount.com",
            f"{IAM}projects/p/serviceAccounts/a@p.iam.gserviceaccount.com",
            "resource",
        ),
        (f"{IAM}projects/p/serviceAccounts/1234", f"{IAM}projects/p/serviceAccounts/1234", "resource"),
        ("nonsense", "nonsense", "resource"),
    ],
)
def test_every_spelling_of_a_scope_is_one_name(text, scope, level):
    assert (scope, level) == (scope_name(text), level_of(scope_name(text)))


def test_names_state_their_container():
    assert "projects/p" == container_of("//pubsub.googleapis.com/projects/p/topics/t")
    assert "projects/p" == container_of("projects/p")
    assert None is container_of("//storage.googleapis.com/projects/_/buckets/b")
    assert None is container_of("//bigtable.googleapis.com/x")
    assert None is container_of("nonsense")
    assert "//cloudresourcemanager.googleapis.com/projects/p" == full_name("projects/p")
    assert account_resource("x").endswith("projects/-/serviceAccounts/x")


def test_owned_ids():
    assert all(map(CLOUD.owns, ("user:a@b", "allUsers", "principal://x/y", "deleted:user:a@b?uid=1")))
    assert not any(map(CLOUD.owns, ("arn:aws:iam::1:role/x", "entra:1", "anonymous", "a@b")))


def test_a_bare_address_is_ambiguous():
    with pytest.raises(UsageError) as caught:
        CLOUD.principal("ana@example.com", estate())
    assert "user:ana@example.com" in str(caught.value.advice)


def test_other_texts_are_no_principals():
    with pytest.raises(UsageError):
        CLOUD.principal("User:x", estate())


def test_a_unique_id_resolves_to_the_address():
    account = {
        "name": "projects/p/serviceAccounts/a@p.iam.gserviceaccount.com",
        "email": "a@p.iam.gserviceaccount.com",
        "uniqueId": "1234",
        "projectId": "p",
        "disabled": True,
    }
    world = estate([account])
    assert "serviceAccount:a@p.iam.gserviceaccount.com" == CLOUD.principal("serviceAccount:1234", world)
