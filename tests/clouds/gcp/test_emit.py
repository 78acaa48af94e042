from __future__ import annotations

import pytest

from idtrans.clouds.gcp import CLOUD
from idtrans.clouds.gcp._emit_text import label, pool_id, role_id
from idtrans.model.artifacts import Argv, NestedBlock, Reference
from idtrans.model.data import rules_dir
from idtrans.model.documents import Unsupported
from idtrans.model.entities import RoleBinding
from idtrans.model.errors import UsageError
from idtrans.model.estate import Estate
from idtrans.model.intents import ClaimPin, FederationIntent, Names, Scope
from idtrans.ports import GrantPlan, RoleUse
from tests.clouds.gcp.test_cel import holds
from tests.clouds.gcp.worlds import BUCKET, GITHUB, NOW, outcome

NAMES = Names(
    {
        "gcp-project-number": "123456789012",
        "gcp-project-id": "proj-a",
        "gcp-service-account": "deploy@proj-a.iam.gserviceaccount.com",
    }
)
SUBJECT = "repo:acme@31415926/app@27182818:environment:prod"
PINS = (
    ClaimPin("repository", ("acme/app",)),
    ClaimPin("repository_id", ("27182818",)),
    ClaimPin("repository_owner_id", ("31415926",)),
)
TOKEN = {
    "sub": SUBJECT,
    "repository": "acme/app",
    "repository_id": "27182818",
    "repository_owner_id": "31415926",
    "project_id": "7",
}
MEMBERS = {
    "projects": "google_project_iam_member",
    "folders": "google_folder_iam_member",
    "organizations": "google_organization_iam_member",
}


def use(
    native=f"{BUCKET}b",
    role="roles/storage.objectViewer",
    parts=None,
    condition=None,
    permissions=("storage.objects.get", "storage.objects.list"),
):
    return RoleUse(Scope("object-store", native, parts or {}), ("object-store.read",), permissions, role, condition)


def emit(*uses, principal="user:ana@example.com", name="reader"):
    return CLOUD.emit_grants(GrantPlan(principal, uses, name))


def reread(natives):
    found = list(CLOUD.reread(natives))
    assert [] == [each for each in found if isinstance(each, Unsupported)]
    return Estate(tuple(each for each in found if not isinstance(each, Unsupported)), NOW)


def words(command: Argv):
    return " ".join(str(word) for word in command.words)


def test_a_binding_on_a_bucket():
    found = emit(use())
    [native] = found.natives
    expected = {"version": 1, "bindings": [{"role": "roles/storage.objectViewer", "members": ["user:ana@example.com"]}]}
    assert [{"resource": f"{BUCKET}b", "policy": expected}] == native.content
    assert [
        (
            "gcloud storage buckets add-iam-policy-binding gs://b --member=user:ana@example.com"
            " --role=roles/storage.objectViewer --condition=None"
        )
    ] == [words(command) for command in found.commands]
    [block] = found.terraform
    assert ("google_storage_bucket_iam_member", "reader") == block.labels
    assert {"bucket": "b", "role": "roles/storage.objectViewer", "member": "user:ana@example.com"} == block.body
    assert ((), ()) == (found.losses, found.placeholders)
    world = reread(found.natives)
    assert [f"{BUCKET}b"] == [each.scope for each in world.of(RoleBinding)]


@pytest.mark.skipif(not (rules_dir() / "roles" / "gcp.toml").is_file(), reason="the role table is not there")
def test_a_prefix_becomes_a_condition_on_names_and_on_what_a_listing_asks_for():
    found = emit(use(parts={"bucket": "b", "prefix": "it's/"}))
    assert () == found.losses
    world = reread(found.natives)
    assert "allow" == outcome(world, "user:ana@example.com", "storage.objects.get", f"{BUCKET}b/objects/it's/x")
    assert "implicit-deny" == outcome(world, "user:ana@example.com", "storage.objects.get", f"{BUCKET}b/objects/other")
    assert "implicit-deny" == outcome(world, "user:ana@example.com", "storage.objects.list", f"{BUCKET}b")
    assert isinstance(found.terraform[0].body["condition"], NestedBlock)
    assert "--condition=^:::^title=reader:::expression=(resource.type ==" in words(found.commands[0])
    listing = found.natives[0].content[0]["policy"]["bindings"][0]["condition"]["expression"].rpartition(" || ")[2]
    assert "api.getAttribute('storage.googleapis.com/objectListPrefix', '').startsWith('it\\'s/')" == listing


def test_a_custom_role_where_no_predefined_one_fits():
    found = emit(use(role=None), use(native=f"{BUCKET}c", role=None), name="my reader")
    assert ["gcp.search-all-iam-policies", "gcp.custom-roles"] == [native.kind for native in found.natives]
    assert ["projects/<GCP_PROJECT_ID>/roles/my_reader", "projects/<GCP_PROJECT_ID>/roles/my_reader_2"] == [
        role["name"] for role in found.natives[1].content
    ]
    assert ("<GCP_PROJECT_ID>",) == found.placeholders
    assert (
        "gcloud iam roles create my_reader --project=<GCP_PROJECT_ID> --title=my_reader"
        " --permissions=storage.objects.get,storage.objects.list --stage=GA" == words(found.commands[0])
    )
    assert Reference("google_project_iam_custom_role.my_reader_1.name") == found.terraform[1].body["role"]
    assert "allow" == outcome(
        reread(found.natives), "user:ana@example.com", "storage.objects.get", f"{BUCKET}c/objects/x"
    )


@pytest.mark.parametrize("scope", ["projects/p", "folders/1", "organizations/9"])
def test_bindings_on_containers(scope):
    found = emit(use(native=scope, role="roles/browser", condition="true"))
    assert MEMBERS[scope.partition("/")[0]] == found.terraform[0].labels[0]
    assert "add-iam-policy-binding" in words(found.commands[0])
    assert ["true"] == [each.condition for each in reread(found.natives).of(RoleBinding)]


def test_other_scopes_are_refused():
    with pytest.raises(UsageError):
        emit(use(native="//pubsub.googleapis.com/projects/p/topics/t"))
    assert () == emit().natives


def test_placeholders_stay_principals_when_read_back():
    found = emit(use(native=f"{BUCKET}<GCP_BUCKET>"), principal="<GCP_PRINCIPAL>")
    assert {"<GCP_PRINCIPAL>", "<GCP_BUCKET>"} == set(found.placeholders)
    assert ("<GCP_PRINCIPAL>",) == CLOUD.principals(reread(found.natives))


def parts_of(text, kind="object-store"):
    found = CLOUD.scope(text, kind)
    return None if found is None else found.parts


def test_object_stores_as_scopes():
    assert {"bucket": "b"} == parts_of(f"{BUCKET}b")
    assert {"bucket": "b", "prefix": "x/"} == parts_of("gs://b/x/*")
    assert {"bucket": "b"} == parts_of("//storage.googleapis.com/b")
    assert None is parts_of("projects/p")
    assert None is parts_of(f"{BUCKET}b", "queue")
    written = CLOUD.write_scope(Scope("object-store", "arn:aws:s3:::b/x/*", {"bucket": "b", "prefix": "x/"}), Names())
    assert (f"{BUCKET}b", {"bucket": "b", "prefix": "x/"}) == (written.native, written.parts)
    assert f"{BUCKET}<GCP_BUCKET>" == CLOUD.write_scope(Scope("object-store", "?", {}), Names()).native


def federate(*subjects, pins=PINS, names=NAMES, audience=None, name="app-prod", issuer=GITHUB):
    intent = FederationIntent(issuer, "github", name, subjects, pins, audience)
    return CLOUD.emit_federation(intent, names)


def admitted(found, **changes):
    [trust] = CLOUD.trusts(reread(found.natives))
    return holds(trust.admits, **{**TOKEN, **changes})


def test_one_environment_of_one_repository():
    found = federate(SUBJECT)
    provider, bound = found.natives
    assert (
        "assertion.repository_id == '27182818' && assertion.repository_owner_id == '31415926'"
        " && assertion.repository == 'acme/app'"
        f" && assertion.sub == '{SUBJECT}'" == provider.content["attributeCondition"]
    )
    pool = "projects/123456789012/locations/global/workloadIdentityPools/app-prod"
    assert f"{pool}/providers/app-prod-oidc" == provider.content["name"]
    assert {"issuerUri": GITHUB} == provider.content["oidc"]
    assert [f"principal://iam.googleapis.com/{pool}/subject/{SUBJECT}"] == bound.content[0]["policy"]["bindings"][0][
        "members"
    ]
    assert ((), ()) == (found.losses, found.placeholders)
    [trust] = CLOUD.trusts(reread(found.natives))
    assert ("serviceAccount:deploy@proj-a.iam.gserviceaccount.com", False) == (trust.target, trust.whole_pool)
    assert "yes" == admitted(found)
    for claim in ("sub", "repository_id", "repository_owner_id", "repository"):
        assert "no" == admitted(found, **{claim: "other"})


def test_commands_and_terraform_create_the_same():
    found = federate(SUBJECT, audience="api://mine")
    pool, provider, bound = map(words, found.commands)
    assert "gcloud iam workload-identity-pools create app-prod --project=proj-a --location=global" == pool
    assert f"--issuer-uri={GITHUB}" in provider
    assert "--attribute-mapping=google.subject=assertion.sub,attribute.repository=assertion.repository" in provider
    assert "--allowed-audiences=api://mine" in provider
    assert bound.startswith("gcloud iam service-accounts add-iam-policy-binding deploy@proj-a.iam.gserviceaccount.com")
    assert "--role=roles/iam.workloadIdentityUser" in bound
    assert [
        "google_iam_workload_identity_pool",
        "google_iam_workload_identity_pool_provider",
        "google_service_account_iam_member",
    ] == [block.labels[0] for block in found.terraform]
    assert {"issuer_uri": GITHUB, "allowed_audiences": ("api://mine",)} == found.terraform[1].body["oidc"].body
    assert (
        Reference("google_iam_workload_identity_pool.app_prod.workload_identity_pool_id")
        == found.terraform[1].body["workload_identity_pool_id"]
    )
    assert "--allowed-audiences" not in words(federate(SUBJECT).commands[1])


def test_names_that_are_not_given_are_placeholders():
    found = federate(SUBJECT, names=Names())
    assert {"<GCP_PROJECT_NUMBER>", "<GCP_PROJECT_ID>", "<GCP_SERVICE_ACCOUNT>"} == set(found.placeholders)
    assert "yes" == admitted(found)
    named = federate(
        SUBJECT,
        names=Names({"gcp-service-account": "deploy", "gcp-project-id": "p", "gcp-pool": "pp", "gcp-provider": "qq"}),
    )
    assert "deploy@p.iam.gserviceaccount.com" in words(named.commands[2])
    assert "/workloadIdentityPools/pp/providers/qq" in named.natives[0].content["name"]


@pytest.mark.parametrize(
    ("subjects", "pins", "inside", "outside"),
    [
        # An open end names the repository by id.
        (("repo:acme/app:*",), PINS, ["repo:acme/app:x"], ["repo:acme/app", "repo:acme/appx:y"]),
        (("repo:acme/app:*",), (), ["repo:acme/app:x"], ["repo:acme/other:x"]),
        (
            ("repo:acme/*:environment:prod",),
            (),
            ["repo:acme/app:environment:prod"],
            ["repo:acme/app:environment:prod2", "xrepo:acme/a:environment:prod"],
        ),
        (("a", "b"), (), ["a", "b"], ["c"]),
        (("a", "b:*"), PINS, ["a", "b:c"], ["b", "c"]),
        (("*",), PINS, ["anything"], []),
        ((), PINS, ["anything"], []),
        (("repo:a.b/(c)*d$",), (), ["repo:a.b/(c)d$", "repo:a.b/(c)xd$"], ["repo:axb/(c)d$"]),
        (("it's \\ \n",), (), ["it's \\ \n"], ["its"]),
    ],
)
def test_subjects_with_open_ends(subjects, pins, inside, outside):
    found = federate(*subjects, pins=pins)
    assert (["yes"] * len(inside), ["no"] * len(outside)) == (
        [admitted(found, sub=subject) for subject in inside],
        [admitted(found, sub=subject) for subject in outside],
    )
    [trust] = CLOUD.trusts(reread(found.natives))
    assert not trust.whole_pool


def test_other_pins():
    found = federate("*", pins=(ClaimPin("https://x/y", ("1", "2")), ClaimPin("project_id", ("7",))))
    assert (
        "assertion.project_id == '7' && assertion['https://x/y'] in ['1', '2']"
        == found.natives[0].content["attributeCondition"]
    )
    assert "attribute.project_id/7" in found.natives[1].content[0]["policy"]["bindings"][0]["members"][0]
    [trust] = CLOUD.trusts(reread(found.natives))
    assert "yes" == holds(trust.admits, **{**TOKEN, "https://x/y": "2"})
    assert "no" == holds(trust.admits, **TOKEN)


def test_a_subject_that_is_too_long_is_tested_by_the_condition():
    long = f"repo:acme@31415926/app@27182818:ref:refs/heads/{'x' * 100}"
    found = federate(long)
    assert ["split"] == [loss.effect for loss in found.losses]
    assert "assertion.repository_id" == found.natives[0].content["attributeMapping"]["google.subject"]
    assert ["yes", "no"] == [admitted(found, sub=long), admitted(found)]
    for pins in ((), (ClaimPin("repository_id", ("y" * 128,)),)):
        with pytest.raises(UsageError) as caught:
            federate(long, pins=pins)
        assert "127" in caught.value.message


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"issuer": "http://x"}, "https"),
        ({"pins": ()}, "nothing says"),
        ({"pins": (ClaimPin("a", tuple(map(str, range(2000)))),)}, "characters"),
    ],
)
def test_what_cannot_be_said_is_refused(changes, text):
    with pytest.raises(UsageError) as caught:
        federate("*", **changes)
    assert text in caught.value.message


@pytest.mark.parametrize(
    ("name", "pool", "name_label", "role"),
    [
        ("app-prod", "app-prod", "app_prod", "app-prod".replace("-", "_")),
        ("A B", "a-b-pool", "a_b", "A_B"),
        ("9", "id-9", "x_9", "9"),
        ("gcp-x", "id-gcp-x", "gcp_x", "gcp_x"),
        ("", "id-pool", "access", "idtrans"),
        ("x" * 40, "x" * 32, "x" * 40, "x" * 40),
    ],
)
def test_ids_fit_the_rules(name, pool, name_label, role):
    assert (pool, name_label, role) == (pool_id(name), label(name), role_id(name))
