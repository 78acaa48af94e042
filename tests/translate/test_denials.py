"""What the source denies: denied in the target, taken away from what is granted, or refused."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from idtrans import api
from idtrans.clouds.aws._adapter import Aws
from idtrans.clouds.azure._adapter import Azure
from idtrans.clouds.gcp._adapter import Gcp
from idtrans.model.answers import TranslationsAnswer
from idtrans.model.artifacts import ArtifactFormat, LossEffect, Native
from idtrans.model.documents import Hints
from idtrans.model.errors import InternalError, UsageError
from idtrans.model.intents import Names, Scope
from idtrans.model.values import Layer, Verdict
from idtrans.ports import GrantPlan, Overlap, RoleUse
from idtrans.report import Colour, artifacts, json_v1, text
from idtrans.translate import IdMap, Pair, translate
from idtrans.translate._deny import check_denials
from tests.translate.conftest import ACCOUNT, ANA, READER, SUBSCRIPTION

AWS, GCP = Aws(), Gcp()
NOW = datetime(2026, 11, 1, tzinfo=UTC)
DATA = "arn:aws:s3:::data"
OBJECTS = f"{DATA}/*"
PROJECT = "//cloudresourcemanager.googleapis.com/projects/acme"
MAPPED = IdMap(
    principals=(Pair(READER, ANA), Pair(ANA, READER)),
    scopes=(Pair("111122223333", "projects/acme"), Pair("projects/acme", "111122223333")),
)


def allow(action: Any, resource: Any = "*", **more: Any) -> dict[str, Any]:
    return {"Effect": "Allow", "Action": action, "Resource": resource, **more}


def deny(action: Any, resource: Any = "*", **more: Any) -> dict[str, Any]:
    return {**allow(action, resource, **more), "Effect": "Deny"}


READ = allow("s3:GetObject", OBJECTS)
WRITE = allow(["s3:PutObject", "s3:DeleteObject"], OBJECTS)
MFA = {"BoolIfExists": {"aws:MultiFactorAuthPresent": "false"}}
TAGGED = {"StringEquals": {"aws:ResourceTag/env": "prod"}}
SECRET = "secretsmanager:GetSecretValue"


def said(found: Any) -> str:
    return " | ".join(found.reasons)


def rules(found: Any) -> list[dict[str, Any]]:
    return [
        rule["denyRule"]
        for native in found.emission.natives
        if native.kind == "gcp.deny-policies"
        for rule in native.content["rules"]
    ]


@pytest.mark.parametrize(
    ("statements", "verdict", "denied"),
    [
        # The same: on everything, always or by a tag.
        ([deny(SECRET)], Verdict.EXACT, ["secretmanager.googleapis.com/versions.access"]),
        ([READ, deny(SECRET)], Verdict.EXACT_WITH_PARTS, ["secretmanager.googleapis.com/versions.access"]),
        ([deny(SECRET, Condition=TAGGED)], Verdict.EXACT, ["secretmanager.googleapis.com/versions.access"]),
        # More: a deny policy is attached to a project, and its conditions know tags alone.
        ([READ, deny("s3:DeleteObject", OBJECTS)], Verdict.NARROWER, ["storage.googleapis.com/objects.delete"]),
        ([READ, deny(SECRET, Condition=MFA)], Verdict.NARROWER, ["secretmanager.googleapis.com/versions.access"]),
        # Less, or what is granted elsewhere would go with it.
        ([READ, deny("s3:GetObject", "arn:aws:s3:::other/*")], Verdict.REFUSED, []),
        ([READ, deny("s3:GetObject", f"{DATA}/secret/*")], Verdict.REFUSED, []),
        ([WRITE, deny("s3:DeleteObject", "arn:aws:s3:::other/*")], Verdict.REFUSED, []),
        ([READ, deny("rds:DescribeDBInstances")], Verdict.REFUSED, []),
        ([READ, deny("s3:DeleteBucketPolicy")], Verdict.REFUSED, []),
        # What is only about plain HTTP is about no request of another cloud.
        ([READ, deny("s3:*", Condition={"Bool": {"aws:SecureTransport": "false"}})], Verdict.EXACT_WITH_PARTS, []),
    ],
)
def test_from_aws_to_gcp(speak, statements, verdict, denied):
    found = speak.aws("gcp", *statements, mapping=MAPPED)

    assert verdict == found.verdict, found.reasons
    assert denied == [name for rule in rules(found) for name in rule["deniedPermissions"]]
    assert (Verdict.REFUSED == verdict) == (not found.emission.natives)


def test_a_deny_policy_of_gcp(speak):
    found = speak.aws("gcp", deny(SECRET, Condition=TAGGED), mapping=MAPPED)

    assert {
        "name": "policies/cloudresourcemanager.googleapis.com%2Fprojects%2Facme/denypolicies/reader-translated-denies",
        "displayName": "reader-translated-denies",
        "rules": [
            {
                "denyRule": {
                    "deniedPrincipals": ["principal://goog/subject/ana@b.example"],
                    "deniedPermissions": ["secretmanager.googleapis.com/versions.access"],
                    "denialCondition": {
                        "title": "tags",
                        "expression": "resource.matchTag('<GCP_TAG_PARENT>/env', 'prod')",
                    },
                }
            }
        ],
    } == found.emission.natives[0].content
    [denial] = found.denials
    assert ("secret.value.read", Verdict.EXACT, PROJECT) == (denial.id, denial.verdict, denial.target)
    assert ("secretmanager.versions.access",) == denial.permissions


def test_denies_come_before_grants_in_scripts_and_terraform(speak):
    found = speak.aws("gcp", READ, deny(SECRET), mapping=MAPPED)
    [script] = artifacts(found.emission, ArtifactFormat.CLI)
    lines = [line for line in script.content.splitlines() if "gcloud" in line]

    assert lines[0].startswith("printf %s '{")
    assert "gcloud iam policies create reader-translated-denies --kind=denypolicies" in lines[0]
    assert lines[0].endswith("--policy-file=/dev/stdin")
    assert "add-iam-policy-binding" in lines[-1]
    [text] = artifacts(found.emission, ArtifactFormat.TERRAFORM)
    assert text.content.index('"google_iam_deny_policy"') < text.content.index('"google_storage_bucket_iam_member"')
    assert 'parent       = "cloudresourcemanager.googleapis.com%2Fprojects%2Facme"' in text.content


def test_names_that_are_denied_are_left_out_of_the_grant(speak):
    statements = (READ, deny("s3:GetObject", f"{DATA}/secret/*"))
    found = speak.aws("gcp", *statements, mapping=MAPPED, allow_broader=True)
    [native] = found.emission.natives
    [binding] = native.content[0]["policy"]["bindings"]

    name = "resource.name.startsWith('projects/_/buckets/data/objects/secret/')"
    assert f"!(resource.type == 'storage.googleapis.com/Object' && {name})" == binding["condition"]["expression"]
    assert Verdict.BROADER == found.verdict
    assert "objstore.object.read is not denied: deny policies are attached to projects" in said(found)
    assert LossEffect.WIDEN in {loss.effect for loss in found.losses if loss.feature == "deny"}


def test_the_rest_that_no_condition_can_name_is_left_out(speak):
    found = speak.aws("gcp", READ, deny("s3:GetObject", f"{DATA}/*.key"), mapping=MAPPED, allow_broader=True)
    assert "conditions know starts and ends of names alone" in said(found)

    every = speak.aws("gcp", allow("s3:GetObject"), deny("s3:GetObject", OBJECTS), mapping=MAPPED, allow_broader=True)
    assert Verdict.REFUSED == every.verdict
    assert "denies a part of it on `arn:aws:s3:::data/*`, and the rest cannot be named" in said(every)


def test_what_is_denied_wherever_it_is_granted_is_not_asked_for(speak):
    found = speak.gcp(
        "aws",
        "projects/acme",
        {"role": "roles/secretmanager.secretAccessor"},
        mapping=MAPPED,
    )
    assert found.capabilities
    denied = gcp_world(["secretmanager.googleapis.com/versions.access"])
    assert "secret.value.read" not in {each.id for each in denied.capabilities}
    assert "secret.value.read is granted and not held: rule 1 of no" in said(denied)


def gcp_world(permissions: list[str], condition: str | None = None, **options: Any) -> Any:
    """Return to AWS what Ana holds beside a deny policy."""
    rule: dict[str, Any] = {"deniedPrincipals": ["principal://goog/subject/ana@b.example"]}
    rule["deniedPermissions"] = permissions
    if condition is not None:
        rule["denialCondition"] = {"expression": condition}
    content = [
        {
            "resource": PROJECT,
            "policy": {"bindings": [{"role": "roles/secretmanager.secretAccessor", "members": [ANA]}]},
        }
    ]
    policy = [
        {
            "name": "policies/cloudresourcemanager.googleapis.com%2Fprojects%2Facme/denypolicies/no",
            "rules": [{"denyRule": rule}],
        }
    ]
    parts = [api.load(["-"], stdin=json.dumps(each).encode(), hints=Hints()) for each in (content, policy)]
    estate = type(parts[0])((*parts[0].entities, *parts[1].entities), parts[0].now)
    [found] = translate(GCP, options.pop("to", AWS), estate, principal=ANA, mapping=MAPPED, **options)
    return found


def test_from_gcp_to_aws():
    found = gcp_world(["storage.googleapis.com/objects.delete"])
    document = found.emission.natives[0].content

    assert Verdict.EXACT == found.verdict
    assert ("aws.identity-policy", "ana-translated-denies") == (
        found.emission.natives[0].kind,
        found.emission.natives[0].name,
    )
    assert ["Deny"] == [statement["Effect"] for statement in document["Statement"]]
    assert "s3:DeleteObject" in document["Statement"][0]["Action"]
    assert "*" == document["Statement"][0]["Resource"]


def test_a_deny_by_tag_from_gcp_to_aws():
    found = gcp_world(["secretmanager.googleapis.com/versions.access"], "resource.matchTag('1/env', 'prod')")
    [statement] = found.emission.natives[0].content["Statement"]

    assert {"StringEquals": {"aws:ResourceTag/env": ["prod"]}} == statement["Condition"]
    # What is granted stands beside the deny, which AWS enforces.
    assert "secret.value.read" in {each.id for each in found.capabilities}


def test_azure_has_no_denies_of_users(speak):
    found = speak.aws("azure", READ, deny("s3:DeleteObject"))

    assert (Verdict.REFUSED, ()) == (found.verdict, found.emission.natives)
    assert "users cannot create deny assignments" in said(found)
    assert "`notActions` of a role are no deny" in said(found)
    told = speak.aws("azure", READ, deny("s3:DeleteObject"), allow_broader=True)
    assert Verdict.BROADER == told.verdict
    assert all("notActions" not in str(native.content) for native in told.emission.natives)


def test_an_organisation_denies_too():
    parts = [
        api.load(["-"], stdin=json.dumps(content).encode(), hints=hints)
        for content, hints in (
            ({"Version": "2012-10-17", "Statement": [READ]}, Hints(layer=Layer.IDENTITY, principal=READER)),
            (
                {"Version": "2012-10-17", "Statement": [allow("*"), deny(SECRET)]},
                Hints(layer=Layer.SCP, scope="111122223333"),
            ),
        )
    ]
    estate = type(parts[0])(tuple(each for part in parts for each in part.entities), parts[0].now)
    [found] = translate(AWS, GCP, estate, principal=READER, mapping=MAPPED)

    assert ["secret.value.read"] == [each.id for each in found.denials], found.reasons


@pytest.mark.parametrize(
    ("principal", "spelled"),
    [
        ("user:a@b.example", "principal://goog/subject/a@b.example"),
        ("group:a@b.example", "principalSet://goog/group/a@b.example"),
        (
            "serviceAccount:x@p.iam.gserviceaccount.com",
            "principal://iam.googleapis.com/projects/-/serviceAccounts/x@p.iam.gserviceaccount.com",
        ),
        ("allUsers", "principalSet://goog/public:all"),
        ("<GCP_PRINCIPAL>", "<GCP_PRINCIPAL>"),
    ],
)
def test_principals_are_written_as_deny_policies_do(principal, spelled):
    use = RoleUse(Scope("account", PROJECT, {"project_id": "acme"}), (), ("storage.objects.get",), None)
    written = GCP.emit_denials(GrantPlan(principal, (use,), "9 x"))

    [rule] = written.natives[0].content["rules"]
    assert [spelled] == rule["denyRule"]["deniedPrincipals"]
    assert written.natives[0].content["name"].endswith("/denypolicies/deny-9-x")


@pytest.mark.parametrize("principal", ["domain:b.example", "allAuthenticatedUsers"])
def test_principals_that_deny_policies_cannot_name(principal):
    use = RoleUse(Scope("account", PROJECT), (), ("storage.objects.get",), None)

    with pytest.raises(UsageError, match="deny policies cannot name"):
        GCP.emit_denials(GrantPlan(principal, (use,), "x"))


def test_a_principal_that_cannot_be_denied_refuses_the_translation(speak):
    found = speak.aws("gcp", deny(SECRET), mapping=IdMap(principals=(Pair(READER, "domain:b.example"),)))

    assert Verdict.REFUSED == found.verdict
    assert "deny policies cannot name `domain:b.example`" in said(found)


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        (("storage.objects.get",), ("storage.objects.list",)),
        (("storage.objects.get",), ("storage.objects.get", "storage.objects.delete")),
        (("storage.objects.get", "storage.objects.list"), ("storage.objects.get",)),
    ],
)
def test_what_was_written_is_compared_with_what_was_asked(asked, written):
    scope = Scope("account", PROJECT, {"project_id": "acme"})
    plan, other = (GrantPlan(ANA, (RoleUse(scope, (), names, None),), "x") for names in (asked, written))
    now = api.load(["-"], stdin=b"{}").now

    check_denials(plan, GCP.emit_denials(plan).natives, GCP, now)
    with pytest.raises(InternalError):
        check_denials(plan, GCP.emit_denials(other).natives, GCP, now)


def test_a_deny_that_is_not_understood_refuses_everything(speak):
    odd = deny("s3:GetObject", OBJECTS, Condition={"NoSuchOperator": {"aws:SourceIp": "x"}})
    found = speak.aws("gcp", READ, odd, allow_broader=True)

    assert Verdict.REFUSED == found.verdict
    assert "less may be held than is granted" in said(found)


def test_reports_tell_denies(speak):
    found = speak.aws("gcp", READ, deny(SECRET), mapping=MAPPED)
    answer = TranslationsAnswer((found,), ())
    assert "deny  secret.value.read" in text(answer, Colour.NONE)
    assert "secret.value.read" == json.loads(json_v1(answer))["denials"][0]["id"]


def test_no_cloud_denies_what_it_cannot_place():
    use = RoleUse(Scope("account", "/subscriptions/x"), (), ("x",), None)
    with pytest.raises(UsageError):
        Azure().place_denial(use, Names())


USER = "cccccccc-0000-4000-8000-000000000009"
CONTAINER = f"{ACCOUNT}/blobServices/default/containers/data"
BLOBS = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs"
OF_AZURE = IdMap(
    principals=(Pair(f"entra:{USER}", ANA), Pair(f"entra:{USER}", READER)),
    scopes=(Pair(SUBSCRIPTION, "projects/acme"), Pair(SUBSCRIPTION, "111122223333")),
)


def azure_world(target: Any, scope: str, **permissions: Any) -> Any:
    """Return to a target what a reader of blobs holds beside a deny assignment."""
    role = f"{SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/2a2b9908-6ea1-4ae2-8e65-a410df84e7d1"
    assignment = {"principalId": USER, "principalType": "User", "roleDefinitionId": role, "scope": CONTAINER}
    lock = {
        "id": f"{scope}/providers/Microsoft.Authorization/denyAssignments/1",
        "denyAssignmentName": "lock",
        "scope": scope,
        "permissions": [permissions],
        "principals": [{"id": USER, "type": "User"}],
    }
    contents = [[{"id": f"{CONTAINER}/providers/Microsoft.Authorization/roleAssignments/1", **assignment}], [lock]]
    parts = [api.load(["-"], stdin=json.dumps(each).encode(), hints=Hints()) for each in contents]
    estate = type(parts[0])(tuple(entry for part in parts for entry in part.entities), parts[0].now)
    [found] = translate(Azure(), target, estate, principal=f"entra:{USER}", mapping=OF_AZURE)
    return found


def test_a_deny_assignment_becomes_a_deny_of_aws():
    found = azure_world(AWS, SUBSCRIPTION, dataActions=[f"{BLOBS}/delete"])

    assert Verdict.EXACT_WITH_PARTS == found.verdict, found.reasons
    [statement] = found.emission.natives[0].content["Statement"]
    assert ("Deny", ["s3:DeleteObject"], "*") == (statement["Effect"], statement["Action"], statement["Resource"])


def test_a_deny_assignment_becomes_a_deny_policy_of_gcp():
    found = azure_world(GCP, SUBSCRIPTION, dataActions=[f"{BLOBS}/delete"])

    assert Verdict.NARROWER == found.verdict, found.reasons
    assert [["storage.googleapis.com/objects.delete"]] == [rule["deniedPermissions"] for rule in rules(found)]


def test_a_deny_assignment_on_what_is_granted_leaves_nothing():
    found = azure_world(AWS, CONTAINER, dataActions=[f"{BLOBS}/read"])

    assert () == found.capabilities
    assert "objstore.object.read is granted and not held: the deny assignment `lock` denies it" in said(found)
    assert {"Deny"} == {each["Effect"] for native in found.emission.natives for each in native.content["Statement"]}


def test_patterns_that_nothing_lists_are_not_denied_elsewhere():
    found = azure_world(AWS, SUBSCRIPTION, actions=["*/delete"])

    assert Verdict.REFUSED == found.verdict
    assert "denies what no capability explains, and that is not denied: what is not listed here" in said(found)


def test_what_a_cloud_cannot_say_at_all_is_not_denied_there(speak):
    # Azure has no permission for lists of access control of single blobs.
    found = speak.aws("azure", deny("s3:GetObjectAcl"), allow_broader=True)
    assert [(Verdict.BROADER, None)] == [(each.verdict, each.target) for each in found.denials]

    # A storage account is not known by its containers, so that one bucket alone would be denied.
    shared = azure_world(AWS, ACCOUNT, dataActions=[f"{BLOBS}/delete"])
    assert {Verdict.BROADER} == {each.verdict for each in shared.denials}
    assert "the output one bucket" in said(shared)


def test_denies_that_are_not_understood_are_an_error_of_ours():
    use = RoleUse(Scope("account", PROJECT, {"project_id": "acme"}), (), ("storage.objects.get",), None)
    plan = GrantPlan(ANA, (use,), "x")
    [native] = GCP.emit_denials(plan).natives
    broken = Native(native.kind, native.name, {**native.content, "name": "policies/nowhere/denypolicies/x"})

    with pytest.raises(InternalError, match="not understood"):
        check_denials(plan, [broken], GCP, NOW)


@pytest.mark.parametrize(
    ("denied", "held", "expected"),
    [
        (PROJECT, PROJECT, Overlap.WHOLE),
        (PROJECT, "//secretmanager.googleapis.com/projects/acme/secrets/s", Overlap.WHOLE),
        (PROJECT, "//cloudresourcemanager.googleapis.com/organizations/1", Overlap.PART),
        ("//cloudresourcemanager.googleapis.com/organizations/1", PROJECT, Overlap.WHOLE),
        ("//cloudresourcemanager.googleapis.com/organizations/2", PROJECT, Overlap.NOTHING),
        (
            "//cloudresourcemanager.googleapis.com/folders/9",
            "//cloudresourcemanager.googleapis.com/projects/x",
            "unknown",
        ),
        (PROJECT, "//storage.googleapis.com/projects/_/buckets/of-nobody", Overlap.UNKNOWN),
    ],
)
def test_what_a_deny_policy_has_in_common_with_a_binding(denied, held, expected):
    described = {"projectId": "acme", "projectNumber": "7", "parent": {"type": "organization", "id": "1"}}
    estate = api.load(["-"], stdin=json.dumps([{**described, "lifecycleState": "ACTIVE"}]).encode())

    assert expected == GCP.overlap(denied, held, estate)


def test_a_deny_policy_that_is_not_understood_refuses():
    found = gcp_world(["secretmanager.googleapis.com/versions.access"], "odd(resource)")

    assert Verdict.REFUSED == found.verdict
    assert "may deny part of what is held" in said(found)
