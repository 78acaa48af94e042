"""Documents with labels that people gave them: whether they are public, and how odd ones are read."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from idtrans import api
from idtrans.api import trusters
from idtrans.audit import audit
from idtrans.model.entities import Credential, CredentialKind, CredentialStatus
from tests.audit.trust_documents import ROLE, RULES, audited, estate_of

CASES = Path(__file__).parents[3] / "shared" / "cases"
LABELLED = {path.name[:3]: json.loads(path.read_text("utf-8")) for path in sorted(CASES.glob("*.json"))}
BUCKET = "arn:aws:s3:::example-data"
ACCOUNT = "111122223333"
PUBLIC = {"public-bucket-policy", "public-bucket-acl", "public-snapshot", "all-users-binding"}
IDENTITY = {"layer": "identity", "principal": ROLE, "account": ACCOUNT}
needed = pytest.mark.skipif(not LABELLED, reason="the labelled cases are not there")
pytestmark = needed


def given(number):
    return LABELLED[number]["input"]


def answer(number):
    return LABELLED[number]["expected"]["answer"]


def of_bucket(policy, resource=BUCKET):
    return policy, {"layer": "resource", "resource": resource, "account": ACCOUNT}


def found(tmp_path, documents):
    return {finding.rule for finding in audited(tmp_path, documents).findings}


@pytest.mark.parametrize(
    "number", ["069", "070", "071", "073", "074", "077", "081", "082", "085", "086", "089", "090", "091", "101"]
)
def test_public_policies(number, tmp_path):
    policy = given(number)["resource_policy"]
    first = policy["Statement"] if isinstance(policy["Statement"], dict) else policy["Statement"][0]
    owner = BUCKET if first["Resource"].startswith(BUCKET) else first["Resource"]
    expected = answer(number)
    public = expected.get("public", expected.get("public_read")) if isinstance(expected, dict) else expected
    assert bool(found(tmp_path, [of_bucket(policy, owner)]) & PUBLIC) is public


def test_an_outsider_that_cannot_be_told_is_not_clean(tmp_path):
    report = audited(tmp_path, [of_bucket(given("089")["resource_policy"])])
    assert [] != [skip for skip in report.not_evaluated if skip.rule in PUBLIC | {"bucket-open-to-outside-account"}]


def test_writing_is_told_from_reading(tmp_path):
    read = audited(tmp_path, [of_bucket(given("081")["resource_policy"])]).findings
    assert ["s3:Get*"] == [finding.message.rpartition("do ")[2] for finding in read if finding.rule in PUBLIC]
    estate = estate_of(tmp_path, [of_bucket(given("081")["resource_policy"])])
    assert "implicit-deny" == api.can(estate, "anonymous", "s3:PutObject", f"{BUCKET}/x").outcome.value
    estate = estate_of(tmp_path, [of_bucket(given("082")["resource_policy"])])
    assert "allow" == api.can(estate, "anonymous", "s3:PutObject", f"{BUCKET}/x").outcome.value


def test_public_lists_and_snapshots(tmp_path):
    entry = {"Owner": {"ID": "1" * 64}, **given("079")["bucket_acl"]}
    assert {"public-bucket-acl"} == found(tmp_path, [(entry, {"resource": BUCKET, "account": ACCOUNT})])
    volume = {"SnapshotId": "snap-1", "CreateVolumePermissions": given("126")["create_volume_permissions"]}
    assert {"public-snapshot"} == found(tmp_path, [(volume, {"account": ACCOUNT})])
    database = {
        "DBSnapshotAttributesResult": {
            "DBSnapshotIdentifier": "s",
            "DBSnapshotAttributes": given("127")["db_snapshot_attributes"],
        }
    }
    report = audited(tmp_path, [(database, {"account": ACCOUNT})])
    assert {"public-snapshot", "snapshot-shared-with-outside-account"} == {each.rule for each in report.findings}
    outsiders = answer("127")["external_accounts"]
    shared = [each for each in report.findings if each.rule == "snapshot-shared-with-outside-account"]
    assert outsiders == [name for each in shared for name in [*outsiders, ACCOUNT] if name in each.message]


@pytest.mark.parametrize("number", ["037", "033", "034", "035", "114"])
def test_nothing_is_found(number, tmp_path):
    parts = given(number)
    documents = []
    if "identity_policy" in parts:
        documents.append((parts["identity_policy"], IDENTITY))
    if "resource_policy" in parts:
        documents.append(of_bucket(parts["resource_policy"]))
    if "trust_policy" in parts:
        documents.append((parts["trust_policy"], {"layer": "trust", "principal": ROLE, "account": ACCOUNT}))
    report = audited(tmp_path, documents)
    assert ((), ()) == (report.findings, report.not_evaluated)


def test_an_endpoint_policy_lets_in_the_listed_accounts_alone(tmp_path):
    bucket = {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": f"{BUCKET}/*"}
    endpoint = given("087")["vpc_endpoint_policy"]
    documents = [
        of_bucket({"Version": "2012-10-17", "Statement": [bucket]}),
        (endpoint, {"layer": "endpoint", "resource": "vpce-1", "account": ACCOUNT}),
    ]
    estate = estate_of(tmp_path, documents)

    def asked(account):
        context = {"aws:SourceVpce": "vpce-1", "aws:PrincipalAccount": account}
        return api.can(estate, f"arn:aws:iam::{account}:role/app", "s3:GetObject", f"{BUCKET}/x", context=context)

    assert "implicit-deny" == asked("999900001111").outcome.value


def test_the_account_and_its_root_are_one_principal(tmp_path):
    old, new = (of_bucket(given("027")[side]) for side in "ab")
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    report = api.diff(estate_of(tmp_path / "old", [old]), estate_of(tmp_path / "new", [new]))
    assert ("no-new-access", (), (), "equivalent") == (report.verdict.value, report.new, report.removed, answer("027"))


def test_equal_documents_do_not_differ(tmp_path):
    hints = {"layer": "trust", "principal": ROLE, "account": ACCOUNT}
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    old = estate_of(tmp_path / "old", [(given("115")["before"], hints)])
    new = estate_of(tmp_path / "new", [(given("115")["after"], hints)])
    report = api.diff(old, new)
    assert ("no-new-access", (), ()) == (report.verdict.value, report.new, report.removed)


def test_a_trust_policy_needs_no_resource(tmp_path):
    report = audited(tmp_path, [(given("067")["trust_policy"], {"layer": "trust", "principal": ROLE})])
    assert () == report.not_evaluated


def test_a_url_encoded_document_is_decoded_once(tmp_path):
    reply = {"PolicyDocument": given("102")["policy_raw"], "RoleName": "deploy", "PolicyName": "read"}
    estate = estate_of(tmp_path, [(reply, {"account": ACCOUNT})])
    table = f"arn:aws:dynamodb:eu-west-1:{ACCOUNT}:table/t"
    outcomes = [api.can(estate, ROLE, f"dynamodb:{name}", table).outcome.value for name in ("GetItem", "PutItem")]
    assert ["allow", "implicit-deny"] == outcomes


def test_malformed_json_is_an_error_with_its_place(tmp_path):
    file = tmp_path / "policy.json"
    file.write_text(given("105")["policy_raw"], "utf-8")
    [error] = api.load([file]).errors
    assert str(error) == f"{file}:1: broken JSON: trailing comma before `}}`, at line 1, column 127"


def test_a_byte_order_mark_is_no_part_of_the_document(tmp_path):
    file = tmp_path / "policy.json"
    for encoding in ("utf-8-sig", "utf-16"):
        file.write_bytes(json.dumps(given("106")["policy"]).encode(encoding))
        estate = api.load([file])
        assert "allow" == api.can(estate, "policy:#1", "s3:GetObject", f"{BUCKET}/x").outcome.value


@pytest.mark.parametrize("number", ["107", "109", "110"])
def test_what_cannot_be_read_is_never_clean(number, tmp_path):
    policy = given(number).get("identity_policy") or given(number)["policy"]
    report = audited(tmp_path, [(policy, IDENTITY)])
    assert () == report.findings
    assert () != report.not_evaluated


def test_documents_without_statements_grant_nothing(tmp_path):
    empty = [(document, IDENTITY) for document in given("111")["documents"] if document is not None]
    estate = estate_of(tmp_path, empty[1:])
    assert "implicit-deny" == api.can(estate, ROLE, "s3:GetObject", f"{BUCKET}/x").outcome.value


def test_accounts_of_other_partitions(tmp_path):
    policy = given("113")["resource_policy"]
    report = audited(tmp_path, [of_bucket(policy, "arn:aws-us-gov:s3:::example-data")])
    outsiders = [
        account
        for account in ["111122223333", "444455556666"]
        for each in report.findings
        if f":{account}:" in each.message.partition("lets")[2]
    ]
    assert answer("113")["external"] == outsiders


def report_of(rows):
    names = [
        "user",
        "arn",
        "access_key_1_active",
        "access_key_1_last_rotated",
        "access_key_2_active",
        "access_key_2_last_rotated",
    ]
    full = [{"arn": f"arn:aws:iam::{ACCOUNT}:user/{row['user']}", **row} for row in rows]
    lines = [",".join(str(row.get(name, "N/A")) for name in names) for row in full]
    return "\n".join([",".join(names), *lines]) + "\n"


def test_keys_of_a_credential_report(tmp_path):
    (tmp_path / "report.csv").write_text(report_of(given("122")["rows"]), "utf-8")
    estate = api.load([tmp_path], now=datetime(2026, 10, 1, tzinfo=UTC))
    keys = estate.of(Credential, "aws")
    assert answer("122") == {"keys": len(keys), "active": sum(key.status is CredentialStatus.ACTIVE for key in keys)}


def keys_found(tmp_path, row, rule):
    (tmp_path / "report.csv").write_text(report_of([row]), "utf-8")
    estate = api.load([tmp_path], now=datetime(2026, 10, 1, tzinfo=UTC))
    return [finding.rule for finding in audit(estate, trusters(), RULES).findings if finding.rule.startswith(rule)]


def test_keys_that_cannot_sign_are_not_old(tmp_path):
    row = {**given("121")["credential_report_row"], "arn": f"arn:aws:iam::{ACCOUNT}:root"}
    assert [] == keys_found(tmp_path, row, "aws-")
    key = given("123")["key"]
    row = {
        "user": "ana",
        "access_key_1_active": "true",
        "access_key_1_last_rotated": f"{key['created']}T00:00:00+00:00",
    }
    assert answer("123") == keys_found(tmp_path, row, "aws-")


def test_a_role_name_in_another_case_is_no_role(tmp_path):
    policy = {"version": 1, "etag": "x", "bindings": [given("141")["binding"]]}
    report = audited(tmp_path, [(policy, {"resource": "//cloudresourcemanager.googleapis.com/projects/proj-a"})])
    assert () == report.findings
    assert answer("141")["suggest"] in report.not_evaluated[0].reason


@pytest.mark.parametrize(("prevention", "expected"), [("enforced", "implicit-deny"), ("inherited", "allow")])
def test_public_access_prevention_wins(prevention, expected, tmp_path):
    bucket = "//storage.googleapis.com/projects/_/buckets/data"
    policy = {"version": 1, "etag": "x", **given("139")["bucket_iam"]}
    settings = {
        "name": bucket,
        "assetType": "storage.googleapis.com/Bucket",
        "resource": {"data": {"name": "data", "iamConfiguration": {"publicAccessPrevention": prevention}}},
    }
    estate = estate_of(tmp_path, [([{**settings, "iamPolicy": policy}], {})])
    found = api.can(estate, "allUsers", "storage.objects.get", f"{bucket}/objects/x").outcome.value
    assert expected == found


SUBSCRIPTION = "/subscriptions/00000000-0000-0000-0000-000000000001"
USER = "11111111-0000-4000-8000-000000000001"
OWNER = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635"
ASSIGN = "Microsoft.Authorization/roleAssignments/write"


def assigned(role, scope=SUBSCRIPTION):
    return {
        "id": f"{scope}/providers/Microsoft.Authorization/roleAssignments/22222222-0000-4000-8000-000000000001",
        "properties": {"roleDefinitionId": role, "principalId": USER, "principalType": "User", "scope": scope},
    }


def custom(role, number):
    name = f"33333333-0000-4000-8000-{number:012}"
    properties = {"roleName": f"custom-{number}", "type": "CustomRole", **role}
    return {
        "id": f"{SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/{name}",
        "name": name,
        "properties": properties,
    }


def test_a_custom_role_is_an_owner_only_if_it_assigns_roles(tmp_path):
    roles = [*given("146")["roles"], given("147")["role"]]
    for number, role in enumerate(roles):
        defined = custom(role, number)
        folder = tmp_path / str(number)
        folder.mkdir()
        estate = estate_of(folder, [({"value": [defined]}, {}), ({"value": [assigned(defined["id"])]}, {})])
        assert "implicit-deny" == api.can(estate, f"entra:{USER}", ASSIGN, SUBSCRIPTION).outcome.value


def test_a_scope_flows_down_alone(tmp_path):
    scope = given("154")["assignments"][0]["scope"]
    estate = estate_of(
        tmp_path, [({"value": [assigned(f"/providers/Microsoft.Authorization/roleDefinitions/{OWNER}", scope)]}, {})]
    )
    outcomes = [api.can(estate, f"entra:{USER}", ASSIGN, asked).outcome.value for asked in (scope, SUBSCRIPTION)]
    assert ["allow", "implicit-deny"] == outcomes


def test_one_role_under_two_prefixes(tmp_path):
    folders = []
    for side in ("before", "after"):
        (tmp_path / side).mkdir()
        folders.append(
            estate_of(tmp_path / side, [({"value": [assigned(given("153")[side]["roleDefinitionId"])]}, {})])
        )
    report = api.diff(*folders)
    assert ("no-new-access", (), ()) == (report.verdict.value, report.new, report.removed)


def test_a_switch_that_is_not_set_lets_shared_keys_in(tmp_path):
    accounts = [
        {
            "id": f"{SUBSCRIPTION}/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/{account['name']}",
            "type": "Microsoft.Storage/storageAccounts",
            **account,
        }
        for account in given("162")["storage_accounts"]
    ]
    report = audited(tmp_path, [(accounts, {})])
    subjects = [
        each.subject.rpartition("/")[2] for each in report.findings if each.rule == "storage-shared-key-enabled"
    ]
    assert answer("162") == sorted(subjects)


def test_kinds_of_credentials_of_an_application(tmp_path):
    app = {"appId": USER, "id": "44444444-0000-4000-8000-000000000001", "displayName": "app", **given("125")["app"]}
    estate = estate_of(tmp_path, [([app], {})])
    credentials = estate.of(Credential, "azure")
    now = datetime(2026, 10, 1, tzinfo=UTC)
    secrets = [each for each in credentials if each.kind is CredentialKind.ENTRA_CLIENT_SECRET]
    expected = answer("125")
    assert (expected["secrets_usable"], expected["secrets_expired"]) == (
        sum(each.expires > now for each in secrets),
        sum(each.expires <= now for each in secrets),
    )
    assert expected["certificates"] == sum(each.kind is CredentialKind.ENTRA_CERTIFICATE for each in credentials)


def test_service_accounts_are_judged_by_what_their_roles_hold(tmp_path):
    policy = {"bindings": given("137")["bindings"], "etag": "BwYAAAAAAAA="}
    report = audited(tmp_path, [(policy, {"resource": "//cloudresourcemanager.googleapis.com/projects/proj-a"})])
    rule = "service-account-over-whole-project"
    assert answer("137") == sorted(
        finding.subject.removeprefix("serviceAccount:") for finding in report.findings if finding.rule == rule
    )
    assert [] == [skip for skip in report.not_evaluated if skip.rule == rule]
