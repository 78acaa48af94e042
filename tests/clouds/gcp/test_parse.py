from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idtrans.clouds.gcp import CLOUD
from idtrans.model.documents import Unsupported
from idtrans.model.entities import (
    Container,
    Credential,
    CredentialKind,
    CredentialStatus,
    Entity,
    IdentityProvider,
    Principal,
    Resource,
    RoleBinding,
    RoleDefinition,
)
from idtrans.model.values import UNKNOWN
from tests.clouds.gcp import limit_documents as documents
from tests.clouds.gcp.worlds import (
    BUCKET,
    POOL,
    asset,
    binding,
    bucket,
    document,
    project,
    provider,
    read,
)

KEY = {
    "name": "projects/p/serviceAccounts/a@p.iam.gserviceaccount.com/keys/abc",
    "keyType": "USER_MANAGED",
    "validAfterTime": "2020-03-04T17:39:47Z",
    "validBeforeTime": "9999-12-31T23:59:59Z",
}
HMAC = {
    "kind": "storage#hmacKeyMetadata",
    "id": "p/GOOG1E",
    "accessId": "GOOG1E",
    "projectId": "p",
    "serviceAccountEmail": "A@p.iam.gserviceaccount.com",
    "state": "ACTIVE",
    "timeCreated": "2024-02-08T13:44:02.112Z",
}
HMAC_SNAKE = {
    "kind": "storage#hmacKeyMetadata",
    "id": "p/GOOG1E",
    "access_id": "GOOG1E",
    "service_account_email": "a@p.iam.gserviceaccount.com",
    "state": "ACTIVE",
    "time_created": "2024-02-08T13:44:02.112Z",
}
POOL_ROW = {"name": POOL, "state": "ACTIVE"}
ROLE = {
    "name": "projects/p/roles/lister",
    "title": "Lister",
    "includedPermissions": ["storage.buckets.list"],
    "etag": "x",
}
ACCOUNT = {"name": "projects/p/serviceAccounts/a@p.iam.gserviceaccount.com", "email": "A@p.iam.gserviceaccount.com"}
POLICY = {"bindings": [binding("roles/viewer", "user:a@b.c")], "etag": "x", "version": 1}
RESULT = {
    "resource": "//storage.googleapis.com/b",
    "assetType": "storage.googleapis.com/Bucket",
    "project": "projects/1",
    "folders": ["folders/2"],
    "organization": "organizations/9",
    "policy": {"bindings": [binding("roles/viewer", "user:a@b.c")]},
}
PROJECT = {
    "projectId": "p",
    "projectNumber": "1",
    "lifecycleState": "ACTIVE",
    "name": "P",
    "parent": {"type": "folder", "id": "2"},
}
FOLDER = {"name": "folders/2", "displayName": "F", "parent": "organizations/9", "lifecycleState": "ACTIVE"}


@pytest.mark.parametrize(
    ("content", "shape"),
    [
        (POLICY, "gcp.iam-policy"),
        ({"etag": "ACAB"}, "gcp.iam-policy"),
        ([RESULT], "gcp.search-all-iam-policies"),
        ({"results": [RESULT], "nextPageToken": ""}, "gcp.search-all-iam-policies"),
        ([bucket("b")], "gcp.asset-export"),
        ({"assets": [bucket("b")]}, "gcp.asset-export"),
        (bucket("b"), "gcp.asset-export"),
        ([{"name": "//x.googleapis.com/y", "asset_type": "x.googleapis.com/Y"}], "gcp.asset-export"),
        ([provider()], "gcp.workload-identity-providers"),
        ({"workloadIdentityPoolProviders": [provider()]}, "gcp.workload-identity-providers"),
        (provider(), "gcp.workload-identity-providers"),
        ([KEY], "gcp.service-account-keys"),
        ({"keys": [KEY]}, "gcp.service-account-keys"),
        ([HMAC], "gcp.service-account-keys"),
        ([HMAC_SNAKE], "gcp.service-account-keys"),
        ({"kind": "storage#hmacKeysMetadata", "items": [HMAC]}, "gcp.service-account-keys"),
        ({"kind": "storage#buckets", "items": [{"kind": "storage#bucket", "id": "b"}]}, None),
        ([POOL_ROW], "gcp.workload-identity-providers"),
        ({"workloadIdentityPools": [POOL_ROW]}, "gcp.workload-identity-providers"),
        ([ROLE], "gcp.custom-roles"),
        ({"roles": [ROLE]}, "gcp.custom-roles"),
        (ROLE, "gcp.custom-roles"),
        ([ACCOUNT], "gcp.service-accounts"),
        ([PROJECT], "gcp.containers"),
        ({"folders": [FOLDER]}, "gcp.containers"),
    ],
)
def test_documents_are_told_by_their_shape(content, shape):
    assert shape == CLOUD.recognise(document(content))


@pytest.mark.parametrize(
    "content",
    [
        None,
        "text",
        5,
        [],
        {},
        [1, "x"],
        {"Version": "2012-10-17", "Statement": []},
        {"etag": "x", "name": "y"},
        {"bindings": [5]},
        [POLICY],
        {"results": 5},
    ],
)
def test_other_documents_are_not_recognised(content):
    assert None is CLOUD.recognise(document(content))


def test_hints_decide_before_the_shape():
    assert None is CLOUD.recognise(document(POLICY, cloud="aws"))
    assert "gcp.iam-policy" == CLOUD.recognise(document({}, kind="gcp.iam-policy"))
    assert "gcp.iam-policy" == CLOUD.recognise(document(POLICY, kind="other", cloud="gcp"))


def of(kind, content, **hints):
    return [entity for entity in read(content, **hints)[0] if isinstance(entity, kind)]


def _unsupported(found):
    return [each for each in found if isinstance(each, Unsupported)]


def reasons(content, **hints):
    return [entry.reason for entry in read(content, **hints)[1]]


def test_a_bare_policy_takes_its_scope_from_the_hints():
    [known] = of(RoleBinding, POLICY, scope="projects/p", ancestors=("projects/1", "folders/2"))
    assert ("projects/p", "projects/p|roles/viewer|", ("user:a@b.c",)) == (known.scope, known.id, known.members)
    [named] = of(RoleBinding, POLICY, resource="gs://b")
    assert f"{BUCKET}b" == named.scope
    [unknown] = of(RoleBinding, POLICY)
    assert UNKNOWN is unknown.scope
    assert ["does not say"] == [reason[11:23] for reason in reasons(POLICY)]


def test_the_number_of_a_project_among_the_ancestors_is_its_alias():
    containers = of(Container, POLICY, scope="projects/p", ancestors=("projects/1", "folders/2"))
    assert {
        ("projects/1", "folders/2", ()),
        ("projects/1", None, ("projects/p",)),
        ("folders/2", None, ()),
    } == {(each.id, each.parent, each.aliases) for each in containers}
    containers = of(Container, POLICY, scope="folders/7", ancestors=("organizations/9",))
    assert ("folders/7", "organizations/9") in {(each.id, each.parent) for each in containers}
    assert any("`nonsense`" in reason for reason in reasons(POLICY, scope="projects/p", ancestors=("nonsense",)))


def test_search_results_and_exports_say_the_same():
    exported = bucket("b", binding("roles/viewer", "user:a@b.c"))
    snake = {
        "name": exported["name"],
        "asset_type": exported["assetType"],
        "ancestors": exported["ancestors"],
        "iam_policy": exported["iamPolicy"],
    }
    facts = []
    for content in ([RESULT], [exported], [snake]):
        entities, unsupported = read(content)
        assert [] == unsupported
        facts.append(
            {
                (
                    type(each).__name__,
                    each.id,
                    getattr(each, "container", None),
                    getattr(each, "parent", None),
                    getattr(each, "scope", None),
                )
                for each in entities
            }
        )
    assert facts[0] == facts[1] == facts[2]
    assert ("Resource", f"{BUCKET}b", "projects/1", None, None) in facts[0]
    assert ("Container", "folders/2", None, "organizations/9", None) in facts[0]


def test_a_name_with_the_project_id_teaches_the_alias():
    content = [asset("//pubsub.googleapis.com/projects/my-p/topics/t")]
    assert ("projects/my-p",) in {each.aliases for each in of(Container, content)}


def test_settings_of_buckets_are_read():
    data = {"iamConfiguration": {"publicAccessPrevention": "enforced", "uniformBucketLevelAccess": {"enabled": True}}}
    [found] = of(Resource, [bucket("b", data=data)])
    assert {"publicAccessPrevention": "enforced", "uniformBucketLevelAccess": True} == found.settings
    [odd] = of(Resource, [bucket("b", data={"iamConfiguration": {"publicAccessPrevention": 5}})])
    assert {"publicAccessPrevention": UNKNOWN} == odd.settings
    [plain] = of(Resource, [bucket("b", data={})])
    assert {} == plain.settings


def test_service_accounts_of_an_export_are_named_by_address():
    name = "//iam.googleapis.com/projects/p/serviceAccounts/1234"
    account = asset(
        name,
        binding("roles/iam.workloadIdentityUser", "user:a@b.c"),
        kind="iam.googleapis.com/ServiceAccount",
        data={"email": "a@p.iam.gserviceaccount.com", "uniqueId": "1234", "projectId": "p", "disabled": True},
    )
    key = asset(f"{name}/keys/k", kind="iam.googleapis.com/ServiceAccountKey", data={**KEY, "name": "x"})
    entities, unsupported = read([account, key])
    assert [] == unsupported
    [bound] = [each for each in entities if isinstance(each, RoleBinding)]
    assert "//iam.googleapis.com/projects/p/serviceAccounts/a@p.iam.gserviceaccount.com" == bound.scope
    [credential] = [each for each in entities if isinstance(each, Credential)]
    assert ("serviceAccount:a@p.iam.gserviceaccount.com", "k") == (credential.owner, credential.name)
    described = [each for each in entities if isinstance(each, Principal) and each.aliases]
    assert [("serviceAccount:1234",)] == [each.aliases for each in described]
    assert {"disabled": "true"} == described[0].attributes


@pytest.mark.parametrize("spelled", ["versionedResources", "versioned_resources"])
@pytest.mark.parametrize("policy", [{}, {"iamPolicy": {"bindings": [binding("roles/viewer", "user:a@b.c")]}}])
def test_content_as_searches_print_it(spelled, policy):
    old, last = ({"iamConfiguration": {"publicAccessPrevention": each}} for each in ("inherited", "enforced"))
    row = {
        "name": "//storage.googleapis.com/b",
        "assetType": "storage.googleapis.com/Bucket",
        spelled: [{"version": "v0", "resource": old}, {"version": "v1", "resource": last}],
        **policy,
    }
    [found] = of(Resource, [row])
    assert {"publicAccessPrevention": "enforced"} == found.settings
    key = {
        "name": "//iam.googleapis.com/projects/p/serviceAccounts/a@p.iam.gserviceaccount.com/keys/k",
        "assetType": "iam.googleapis.com/ServiceAccountKey",
        spelled: [{"version": "v1", "resource": KEY}],
    }
    assert ["k"] == [each.name for each in of(Credential, [key])]
    assert [] == of(Credential, [{**key, spelled: []}])
    assert ["`" + spelled + "` is not a list: `5`"] == reasons([{**key, spelled: 5}])


def test_resource_content_of_an_export():
    content = [
        project(1, data={"projectId": "p", "projectNumber": "1", "parent": {"type": "folder", "id": "2"}, "name": "P"}),
        asset(
            "//iam.googleapis.com/projects/p/roles/r",
            kind="iam.googleapis.com/Role",
            data={"includedPermissions": ["a.b.c"]},
        ),
        asset(
            f"//iam.googleapis.com/{POOL}/providers/gh",
            kind="iam.googleapis.com/WorkloadIdentityPoolProvider",
            data=provider(),
        ),
        asset(
            f"//iam.googleapis.com/{POOL}", kind="iam.googleapis.com/WorkloadIdentityPool", data={"state": "DELETED"}
        ),
    ]
    entities, unsupported = read(content)
    assert [] == unsupported
    assert ("projects/1", "folders/2", ("projects/p",), "P") in {
        (each.id, each.parent, each.aliases, each.name) for each in entities if isinstance(each, Container)
    }
    assert ["projects/p/roles/r"] == [each.id for each in entities if isinstance(each, RoleDefinition)]
    assert [f"{POOL}/providers/gh"] == [each.id for each in entities if isinstance(each, IdentityProvider)]
    assert {"disabled": True} in [each.settings for each in entities if isinstance(each, Resource)]


def test_content_that_is_not_read_is_said():
    assert any("organization policy" in reason for reason in reasons([{**bucket("b"), "orgPolicy": [{}]}]))


def test_providers():
    [found] = of(
        IdentityProvider,
        provider(attributeCondition="true", oidc={"issuerUri": "https://i", "allowedAudiences": ["x"]}),
    )
    assert (f"{POOL}/providers/gh", "https://i", "oidc", ("x",), "true", False, POOL) == (
        found.id,
        found.issuer,
        found.kind,
        found.audiences,
        found.condition,
        found.disabled,
        found.pool,
    )
    plain = {"name": f"{POOL}/providers/x", "attributeMapping": {}}
    assert [True] == [each.disabled for each in of(IdentityProvider, provider(state="DELETED"))]
    assert [True] == [each.disabled for each in of(IdentityProvider, provider(disabled=True))]
    [aws] = of(IdentityProvider, {**plain, "aws": {"accountId": "111122223333"}})
    assert ("aws", "arn:aws:iam::111122223333:root") == (aws.kind, aws.issuer)
    [bare] = of(IdentityProvider, {**plain, "aws": {}})
    assert None is bare.issuer
    [saml] = of(IdentityProvider, {**plain, "saml": {"idpMetadataXml": "<x/>"}})
    assert ("saml", None) == (saml.kind, saml.issuer)
    assert ["unknown"] == [each.kind for each in of(IdentityProvider, plain)]
    assert any("no known kind" in reason for reason in reasons(plain))
    [odd] = of(IdentityProvider, provider(attributeCondition=5))
    assert odd.condition is not None


@pytest.mark.parametrize(
    ("state", "status"),
    [
        ("ACTIVE", CredentialStatus.ACTIVE),
        ("INACTIVE", CredentialStatus.INACTIVE),
        ("DELETED", CredentialStatus.INACTIVE),
        ("PAUSED", UNKNOWN),
        (None, UNKNOWN),
    ],
)
@pytest.mark.parametrize("row", [HMAC, HMAC_SNAKE], ids=["camel", "snake"])
def test_hmac_keys_are_credentials_of_their_account(row, state, status):
    content = [{**row, "state": state}]
    [key] = of(Credential, content)
    assert (
        CredentialKind.GCP_HMAC_KEY,
        status,
        "serviceAccount:a@p.iam.gserviceaccount.com",
        datetime(2024, 2, 8, 13, 44, 2, 112000, tzinfo=UTC),
        "GOOG1E",
    ) == (key.kind, key.status, key.owner, key.created, key.name)
    assert (status is UNKNOWN) == bool(reasons(content))


def test_hmac_keys_that_leave_things_out():
    [reason] = reasons([{"kind": "storage#hmacKeyMetadata", "state": "ACTIVE"}])
    assert "access id" in reason
    [key] = of(Credential, [{"kind": "storage#hmacKeyMetadata", "accessId": "G", "state": "ACTIVE"}])
    assert ("G", UNKNOWN) == (key.id, key.owner)


def test_keys():
    [never] = of(Credential, [KEY])
    assert (
        CredentialKind.GCP_USER_MANAGED_KEY,
        CredentialStatus.ACTIVE,
        None,
        datetime(2020, 3, 4, 17, 39, 47, tzinfo=UTC),
    ) == (
        never.kind,
        never.status,
        never.expires,
        never.created,
    )
    assert "serviceAccount:a@p.iam.gserviceaccount.com" == never.owner
    [managed] = of(
        Credential, [{**KEY, "keyType": "SYSTEM_MANAGED", "disabled": True, "validBeforeTime": "2027-01-01T00:00:00"}]
    )
    assert (CredentialKind.GCP_SYSTEM_MANAGED_KEY, CredentialStatus.INACTIVE, datetime(2027, 1, 1, tzinfo=UTC)) == (
        managed.kind,
        managed.status,
        managed.expires,
    )
    entities, unsupported = read([{**KEY, "disabled": 5, "validAfterTime": "soon", "validBeforeTime": None}])
    [odd] = entities
    assert (UNKNOWN, UNKNOWN, UNKNOWN) == (odd.status, odd.created, odd.expires)
    assert 2 == len(unsupported)
    assert ["false"] == [
        str(each.status == CredentialStatus.INACTIVE).lower() for each in of(Credential, [{**KEY, "disabled": "false"}])
    ]
    assert [] == of(Credential, [{**KEY, "keyType": "OTHER"}])
    assert any("`OTHER`" in reason for reason in reasons([{**KEY, "keyType": "OTHER"}]))


def test_roles():
    [role] = of(RoleDefinition, [ROLE])
    assert ("projects/p/roles/lister", "Lister", True, True, ("projects/p",)) == (
        role.id,
        role.name,
        role.custom,
        role.complete,
        role.scopes,
    )
    [listed] = of(RoleDefinition, [{"name": "roles/x", "title": "X", "stage": "GA"}])
    assert (False, False) == (listed.custom, listed.complete)
    assert any("without its permissions" in reason for reason in reasons([{"name": "roles/x", "title": "X"}]))
    [deleted] = of(RoleDefinition, [{**ROLE, "deleted": True}])
    assert ((), True) == (deleted.blocks[0].actions, deleted.complete)
    [odd] = of(RoleDefinition, [{**ROLE, "includedPermissions": ["a.b.c", 5]}])
    assert not odd.complete


def test_containers():
    entities, unsupported = read(
        [PROJECT, {**PROJECT, "projectNumber": None, "parent": 5}, FOLDER, {"name": "x", "displayName": "y"}]
    )
    assert [
        ("projects/1", "folders/2", ("projects/p",), "P"),
        ("projects/p", None, (), "P"),
        ("folders/2", "organizations/9", (), "F"),
    ] == [(each.id, each.parent, each.aliases, each.name) for each in entities]
    assert 1 == len(unsupported)


def test_an_account_without_an_address_is_reported():
    assert 1 == len(read([ACCOUNT, {"name": ACCOUNT["name"]}])[1])


@pytest.mark.parametrize(
    ("bound", "words"),
    [
        ({"members": ["user:a@b.c"]}, "no role"),
        (
            binding("roles/iam.serviceaccounttokencreator", "user:a@b.c"),
            "did you mean `roles/iam.serviceAccountTokenCreator`",
        ),
        (binding("roles/viewer_withcond_0123abcd", "user:a@b.c"), "left out"),
        (binding("roles/owner", "user:a@b.c", condition="true"), "cannot carry a condition"),
        ({**binding("roles/browser", "user:a@b.c"), "condition": {"title": "x"}}, "no expression"),
        ({**binding("roles/browser", "user:a@b.c"), "condition": 5}, "not an object"),
        (binding("roles/browser", "someone"), "not a valid principal"),
        (binding("roles/browser", "principal://a.b/c"), "is not known"),
        ({"role": "roles/browser", "members": ["user:a@b.c", 5]}, "`5` stands where"),
        ({"role": "roles/browser", "members": "user:a@b.c"}, "not a list"),
        ({"role": 5, "members": []}, "not a text"),
    ],
)
def test_what_a_binding_says_oddly_is_reported(bound, words):
    assert any(words in reason for reason in reasons([bucket("b", bound)]))


@pytest.mark.parametrize(
    "bound",
    [
        binding("roles/browser", "user:a@b.c", condition="true"),
        binding("roles/iam.serviceAccountTokenCreator", "group:g@b.c"),
        binding("roles/some.thingNobodyKnows", "deleted:user:a@b.c?uid=5"),
        binding("projects/p/roles/custom", "allUsers"),
        {"role": "roles/browser"},
    ],
)
def test_these_bindings_are_fine(bound):
    assert [] == reasons([bucket("b", bound)])


def test_places_are_pointers_into_the_document():
    [found] = of(RoleBinding, [bucket("b", binding("roles/viewer", "user:a@b.c"))])
    assert "/0/iamPolicy/bindings/0" == found.source.pointer


def test_strays_in_lists_and_wrappers_are_reported():
    assert any("stands where an object belongs" in reason for reason in reasons([bucket("b"), 5, "x"]))
    assert any("without name or type" in reason for reason in reasons([bucket("b"), {}]))
    assert any("without resource or policy" in reason for reason in reasons([RESULT, {}]))
    assert any("is not a shape" in each.reason for each in _unsupported(CLOUD.parse(document({}), "gcp.other")))


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(allow_nan=False)
    | st.sampled_from(["", "x", "projects/1", "user:a@b.c", "true"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["name", "role", "members", "x"]), inner, max_size=2)
    ),
    max_leaves=4,
)
VALID = [
    (POLICY, "gcp.iam-policy"),
    ([RESULT], "gcp.search-all-iam-policies"),
    (
        [
            bucket(
                "b",
                binding("roles/viewer", "user:a@b.c", condition="true"),
                data={"iamConfiguration": {"publicAccessPrevention": "inherited"}},
            ),
            project(1, data={"projectId": "p", "projectNumber": "1", "parent": {"type": "folder", "id": "2"}}),
            asset(
                "//iam.googleapis.com/projects/p/serviceAccounts/1/keys/k",
                kind="iam.googleapis.com/ServiceAccountKey",
                data=KEY,
            ),
            asset(
                "//iam.googleapis.com/projects/p/serviceAccounts/1",
                kind="iam.googleapis.com/ServiceAccount",
                data={**ACCOUNT, "uniqueId": "1"},
            ),
        ],
        "gcp.asset-export",
    ),
    ([provider(attributeCondition="true")], "gcp.workload-identity-providers"),
    ([KEY, HMAC], "gcp.service-account-keys"),
    ([POOL_ROW], "gcp.workload-identity-providers"),
    ([ROLE], "gcp.custom-roles"),
    ([PROJECT, FOLDER], "gcp.containers"),
    ([ACCOUNT], "gcp.service-accounts"),
    *documents.ALL,
]


def mutated(value, draw):
    """Replace random nodes of a document."""
    if draw(st.integers(0, 9)) == 0:
        return draw(JSON)
    if isinstance(value, dict):
        return {key: mutated(inner, draw) for key, inner in value.items() if draw(st.integers(0, 19)) != 0}
    if isinstance(value, list):
        return [mutated(inner, draw) for inner in value]
    return value


@settings(max_examples=150, deadline=None)
@given(st.data(), st.sampled_from(VALID))
def test_hostile_documents_yield_entities_and_reports_alone(data, case):
    content, shape = case
    found: list[object] = list(CLOUD.parse(document(mutated(content, data.draw)), shape))
    assert [] == [each for each in found if not isinstance(each, Entity | Unsupported)]
