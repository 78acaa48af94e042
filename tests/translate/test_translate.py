from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

import pytest

from idtrans import api
from idtrans.algebra import ALWAYS, ANY_TEXT, Opaque, exact
from idtrans.api import clouds
from idtrans.model.artifacts import Loss, LossEffect
from idtrans.model.data import fixtures_dir
from idtrans.model.documents import Hints, Unsupported
from idtrans.model.errors import InternalError
from idtrans.model.estate import Estate
from idtrans.model.intents import Names
from idtrans.model.spans import NOWHERE
from idtrans.model.values import Layer, Plane, Verdict
from idtrans.ports import Holding
from idtrans.translate import IdMap, Pair, translate
from idtrans.translate._readback import read_back
from tests.translate.conftest import ANA, _estate

if TYPE_CHECKING:
    from idtrans.ports import Cloud

ACCOUNT = (
    "/subscriptions/aaaaaaaa-1111-4000-8000-000000000001/resourceGroups/rg"
    "/providers/Microsoft.Storage/storageAccounts/stdata"
)
CONTAINER = f"{ACCOUNT}/blobServices/default/containers/logs"
BUCKET = "//storage.googleapis.com/projects/_/buckets/data"
READER = "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1"


def allow(actions, resources, **more):
    return {"Effect": "Allow", "Action": actions, "Resource": resources, **more}


def reread(cloud, found):
    stated = tuple(cloud.reread(found.emission.natives))
    assert not any(isinstance(entry, Unsupported) for entry in stated)
    return Estate(stated, datetime.now(UTC))


def said(found):
    return "\n".join(found.reasons)


@pytest.mark.parametrize(
    ("to", "actions", "resource", "expected"),
    [
        ("gcp", "s3:GetObject", "arn:aws:s3:::data/*", ("exact-with-parts", "roles/storage.legacyObjectReader")),
        ("gcp", "s3:ListBucket", "arn:aws:s3:::data", ("exact", None)),
        ("gcp", "s3:GetObjectAcl", "arn:aws:s3:::data/*", ("exact", None)),
        ("gcp", "s3:PutObject", "arn:aws:s3:::data/*", ("exact-with-parts", None)),
        # The role for listing buckets lets its holder read the settings of every bucket, too.
        ("gcp", "s3:ListAllMyBuckets", "*", ("exact", None)),
        ("azure", "s3:GetObject", "arn:aws:s3:::data/*", ("exact-with-parts", "Storage Blob Data Reader")),
        ("azure", "s3:ListBucket", "arn:aws:s3:::data", ("exact-with-parts", "Storage Blob Data Reader")),
        ("azure", "s3:GetObjectTagging", "arn:aws:s3:::data/*", ("exact", None)),
        ("azure", "secretsmanager:GetSecretValue", "*", ("exact-with-parts", "Key Vault Secrets User")),
        ("gcp", "secretsmanager:GetSecretValue", "*", ("exact", "roles/secretmanager.secretAccessor")),
        ("gcp", "kms:Decrypt", "*", ("exact", "roles/cloudkms.cryptoKeyDecrypter")),
        ("azure", "kms:Decrypt", "*", ("exact", None)),
    ],
)
def test_one_capability_each(speak, to, actions, resource, expected):
    found = speak.aws(to, allow(actions, resource))

    [grant] = found.grants
    assert expected == (found.verdict.value, grant.role)
    assert found.emission.natives


def test_reading_and_listing_blobs_are_told_apart_by_condition(speak):
    read = speak.aws("azure", allow("s3:GetObject", "arn:aws:s3:::data/*"))
    listed = speak.aws("azure", allow("s3:ListBucket", "arn:aws:s3:::data"))
    both = speak.aws("azure", allow(["s3:GetObject", "s3:ListBucket"], ["arn:aws:s3:::data", "arn:aws:s3:::data/*"]))

    assert "AND SubOperationMatches{'Blob.List'})" in read.grants[0].condition
    assert "AND NOT SubOperationMatches{'Blob.List'})" in listed.grants[0].condition
    assert both.grants[0].condition is None
    assert "objstore.object.read" not in said(listed)


@pytest.mark.parametrize(
    ("actions", "resource", "expected"),
    [
        ("s3:GetObject", "arn:aws:s3:::data/*", ["allow", "implicit-deny"]),
        ("s3:ListBucket", "arn:aws:s3:::data", ["implicit-deny", "allow"]),
        (["s3:GetObject", "s3:ListBucket"], "*", ["allow", "allow"]),
    ],
)
def test_the_conditions_mean_what_they_are_there_for(speak, actions, resource, expected):
    azure, who = clouds()["azure"], "entra:cccccccc-0000-4000-8000-000000000009"
    mapping = IdMap(
        principals=(Pair("arn:aws:iam::111122223333:role/reader", who),),
        scopes=(Pair("111122223333", "/subscriptions/aaaaaaaa-1111-4000-8000-000000000001"),),
        resources=(Pair("arn:aws:s3:::data", CONTAINER),),
    )
    found = speak.aws("azure", allow(actions, resource), mapping=mapping)
    estate = reread(azure, found)

    answers = [
        api.can(
            estate,
            who,
            "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/read",
            f"{CONTAINER}/blobs/a",
            context={"@Request[subOperation]": (operation,)} if operation else {},
            closed=True,
            plane="data",
        ).outcome.value
        for operation in ("", "Blob.List")
    ]
    assert expected == answers


def test_a_setting_of_the_account_is_not_read_on_a_container(speak):
    found = speak.gcp("azure", BUCKET, {"role": "roles/storage.legacyBucketReader"})

    assert Verdict.NARROWER == found.verdict
    assert "`control:Microsoft.Storage/storageAccounts/read` does nothing on" in said(found)


def test_tags_are_content_in_gcp(speak):
    statement = allow("s3:GetObjectTagging", "arn:aws:s3:::data/*")
    found = speak.aws("gcp", statement)

    assert Verdict.REFUSED == found.verdict
    assert ((), (), ()) == (found.grants, found.emission.natives, found.placeholders)
    assert "nothing is written without `--allow-broader`" in found.reasons[0]
    assert "objstore.object.read is gained, gcp has no grant without it" in said(found)
    assert [Verdict.BROADER] == [each.verdict for each in found.capabilities]

    allowed = speak.aws("gcp", statement, allow_broader=True)
    assert Verdict.BROADER == allowed.verdict
    assert allowed.emission.natives


def test_keys_are_never_given_for_data(speak):
    items = ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:Scan"]
    found = speak.aws("azure", allow(items, "*"), allow_broader=True)

    assert Verdict.REFUSED == found.verdict
    assert () == found.emission.natives
    assert "readonlykeys/action`, which is secret access; what is held is not" in said(found)
    assert Verdict.EXACT == speak.aws("gcp", allow(items, "*")).verdict


def test_environment_variables_are_secrets_where_settings_show_them(speak):
    found = speak.aws("azure", allow("lambda:GetFunctionConfiguration", "*"))

    assert Verdict.EXACT_WITH_PARTS == found.verdict
    [definition] = [each.content for each in found.emission.natives if "permissions" in each.content]
    assert "Microsoft.Web/sites/config/list/action" in definition["permissions"][0]["actions"]


def test_a_part_of_a_capability_is_not_the_capability(speak):
    found = speak.aws(
        "gcp", allow(["s3:GetObject", "s3:ListBucketVersions"], ["arn:aws:s3:::data/*", "arn:aws:s3:::data"])
    )

    assert Verdict.NARROWER == found.verdict
    assert ["objstore.object.read"] == [each.id for each in found.capabilities]
    assert "only a part of objstore.object.version.read is held" in said(found)
    assert [("s3", ("s3:ListBucketVersions",))] == [
        (each.service, tuple(name.replace("listbucket", "ListBucket") for name in each.permissions))
        for each in found.residue
    ]


def test_what_no_capability_explains_is_residue_by_service(speak):
    found = speak.aws("gcp", allow(["s3:GetObject", "polly:SynthesizeSpeech", "ses:SendEmail"], "*"))

    assert Verdict.NARROWER == found.verdict
    assert {"ses": ("ses:SendEmail",), "polly": ("polly:SynthesizeSpeech",)} == {
        r.service: r.permissions for r in found.residue
    }
    assert "no capability explains 2 of the permissions held, in polly, ses" in said(found)


def test_everything_is_said_in_a_few_lines(speak):
    found = speak.aws("gcp", allow("*", "*"))

    assert Verdict.NARROWER == found.verdict
    assert " more services" in said(found)
    assert 10 > len(found.reasons)


def test_nothing_recognised_writes_nothing(speak):
    found = speak.aws("gcp", allow("polly:SynthesizeSpeech", "*"))

    assert (Verdict.REFUSED, ()) == (found.verdict, found.emission.natives)
    assert "nothing of what is held can be said in the target" == found.reasons[0]


def test_a_condition_is_not_dropped_silently(speak):
    statement = allow("s3:GetObject", "arn:aws:s3:::data/*", Condition={"IpAddress": {"aws:SourceIp": "10.0.0.0/8"}})
    found = speak.aws("gcp", statement)

    assert Verdict.REFUSED == found.verdict
    assert "the condition `IpAddress aws:SourceIp 10.0.0.0/8` is not carried over" in said(found)
    assert Verdict.BROADER == speak.aws("gcp", statement, allow_broader=True).verdict


def test_a_dropped_condition_is_a_loss(speak):
    statement = allow("s3:GetObject", "arn:aws:s3:::data/*", Condition={"Bool": {"aws:MultiFactorAuthPresent": "true"}})
    [loss] = speak.aws("gcp", statement, allow_broader=True).losses

    assert ("condition", LossEffect.WIDEN) == (loss.feature, loss.effect)


@pytest.mark.parametrize("actions", ["s3:GetObject", "s3:ListBucket"])
def test_a_condition_of_the_table_is_understood_where_it_is_met(speak, actions):
    resource = "arn:aws:s3:::data/*" if actions == "s3:GetObject" else "arn:aws:s3:::data"
    there = speak.aws("azure", allow(actions, resource)).grants[0]
    condition = f"( ({there.condition}) )"
    back = speak.azure(
        "aws",
        {
            "scope": CONTAINER,
            "roleDefinitionId": f"{CONTAINER}/x/roleDefinitions/{READER}",
            "condition": condition,
            "conditionVersion": "2.0",
        },
    )

    assert Verdict.EXACT_WITH_PARTS == back.verdict
    [statement] = back.emission.natives[0].content["Statement"]
    assert [actions] == statement["Action"]


def test_what_is_held_never_is_not_carried_over(speak):
    never: dict[str, dict[str, list[str]]] = {"StringEquals": {"aws:PrincipalTag/x": []}}
    found = speak.aws("gcp", allow("s3:GetObject", "arn:aws:s3:::data/*", Condition=never))

    assert Verdict.REFUSED == found.verdict


def test_a_principal_of_the_map_that_is_none_is_refused(speak):
    mapping = IdMap((Pair("arn:aws:iam::111122223333:role/reader", "user:"),))
    found = speak.aws("gcp", allow("s3:GetObject", "arn:aws:s3:::data/*"), mapping=mapping)

    assert (Verdict.REFUSED, ("`user:` is no principal of gcp (mend the map)",)) == (found.verdict, found.reasons)


def test_a_reader_of_everything_says_that_there_is_more(speak):
    subscription = "/subscriptions/aaaaaaaa-1111-4000-8000-000000000001"
    role = f"{subscription}/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7"
    found = speak.azure("aws", {"scope": subscription, "roleDefinitionId": role})

    assert Verdict.NARROWER == found.verdict
    assert ["*"] == sorted(each.service for each in found.residue)


def test_a_condition_beside_the_same_grant_without_one_does_not_matter(speak):
    plain = allow("s3:ListBucket", "arn:aws:s3:::data")
    found = speak.aws("gcp", plain, {**plain, "Condition": {"Bool": {"aws:MultiFactorAuthPresent": "true"}}})

    assert Verdict.EXACT == found.verdict
    assert 1 == len(found.capabilities)


def test_a_prefix_stays_a_prefix(speak):
    statement = allow("s3:GetObject", "arn:aws:s3:::data/logs/*")

    gcp = speak.aws("gcp", statement)
    assert ["roles/storage.legacyObjectReader"] == [grant.role for grant in gcp.grants]
    assert "objects/logs/" in str(gcp.emission.natives[0].content)
    azure = speak.aws("azure", statement)
    assert "StringStartsWith 'logs/'" in str(azure.emission.natives[0].content)


def test_a_prefix_beside_the_whole_bucket(speak):
    found = speak.aws(
        "gcp", allow("s3:GetObject", "arn:aws:s3:::data/logs/*"), allow("s3:ListBucket", "arn:aws:s3:::data")
    )

    assert Verdict.EXACT_WITH_PARTS == found.verdict
    assert 2 == len(found.grants)


def test_a_quote_in_a_prefix_is_refused_where_it_cannot_be_written(speak):
    statement = allow("s3:GetObject", "arn:aws:s3:::data/it's/*")

    assert Verdict.REFUSED == speak.aws("azure", statement).verdict
    assert "cannot be written in a condition" in said(speak.aws("azure", statement))
    assert Verdict.EXACT_WITH_PARTS == speak.aws("gcp", statement).verdict


def test_a_role_that_is_not_known_is_left_out(speak):
    found = speak.gcp("aws", BUCKET, {"role": "roles/storage.objectViewer"}, {"role": "roles/storage.somethingNew"})

    assert Verdict.NARROWER == found.verdict
    assert "more may be held, which is not carried over: the permissions of `roles/storage.somethingNew`" in said(found)
    assert found.emission.natives


def test_a_role_of_gcp_that_writes(speak):
    found = speak.gcp("aws", BUCKET, {"role": "roles/storage.objectUser"})

    actions = {action for each in found.emission.natives[0].content["Statement"] for action in each["Action"]}
    assert {"s3:GetObject", "s3:ListBucket", "s3:PutObject"} == actions
    assert Verdict.NARROWER == found.verdict
    assert "objstore.object.delete comes with what is held in gcp" in said(found)


def test_a_container_has_no_delegation_key(speak):
    assignment = {"scope": CONTAINER, "roleDefinitionId": f"{CONTAINER}/x/roleDefinitions/{READER}"}
    found = speak.azure("gcp", assignment)

    assert (Verdict.EXACT_WITH_PARTS, ()) == (found.verdict, found.losses)
    assert "//storage.googleapis.com/projects/_/buckets/logs" == found.grants[0].resource
    whole = speak.azure("gcp", {**assignment, "scope": ACCOUNT})
    assert [Loss("self-delegation", LossEffect.DROP, whole.losses[0].why)] == list(whole.losses)


def test_the_longest_entry_of_a_map_wins(speak):
    mapping = IdMap(
        resources=(
            Pair("arn:aws:s3:::data", "//storage.googleapis.com/all"),
            Pair("arn:aws:s3:::data/logs/*", "//storage.googleapis.com/logs"),
            Pair("arn:aws:s3:::data", "arn:aws:s3:::elsewhere"),
        )
    )

    def bucket(resource):
        return speak.aws("gcp", allow("s3:GetObject", resource), mapping=mapping).grants[0].resource

    assert bucket("arn:aws:s3:::data/*").endswith("/buckets/all")
    assert bucket("arn:aws:s3:::data/other/*").endswith("/buckets/all")
    assert bucket("arn:aws:s3:::data/logs/*").endswith("/buckets/logs")
    assert bucket("arn:aws:s3:::data/logs/2026/*").endswith("/buckets/logs")
    assert bucket("arn:aws:s3:::data-2/*").endswith("/buckets/data-2")


def test_what_follows_a_mapped_prefix_is_kept(speak):
    mapping = IdMap(resources=(Pair("arn:aws:s3:::data/logs/*", "//storage.googleapis.com/logs"),))
    found = speak.aws("gcp", allow("s3:GetObject", "arn:aws:s3:::data/logs/2026/*"), mapping=mapping)

    assert "buckets/logs/objects/2026/" in str(found.emission.natives[0].content)


def test_accounts_of_a_map_give_names(speak):
    arn = "arn:aws:iam::111122223333:role/reader"
    mapping = IdMap(
        principals=(Pair(arn, "user:ana@b.example"),),
        scopes=(Pair("111122223333", "projects/acme"), Pair("111122223333", "/subscriptions/s/resourceGroups/g")),
    )
    found = speak.aws("gcp", allow("s3:ListBucket", "arn:aws:s3:::data"), mapping=mapping)

    assert () == found.placeholders
    assert "projects/acme/roles/" in str(found.emission.natives[0].content)
    account = speak.aws("gcp", allow("kms:Decrypt", "*"), mapping=mapping)
    assert "//cloudresourcemanager.googleapis.com/projects/acme" == account.grants[0].resource
    azure = speak.aws("azure", allow("kms:Decrypt", "*"), mapping=mapping)
    assert "/subscriptions/s/resourceGroups/g" == azure.grants[0].resource


def test_a_part_of_a_mapped_account_is_less_than_the_account(speak):
    role = "/providers/Microsoft.Authorization/roleDefinitions/4633458b-17de-408a-b874-0445c86b69e6"
    subscription = "/subscriptions/aaaaaaaa-1111-4000-8000-000000000001"
    mapping = IdMap(scopes=(Pair(subscription, "projects/p"),))

    whole = speak.azure("gcp", {"scope": subscription, "roleDefinitionId": role}, mapping=mapping)
    assert (Verdict.EXACT_WITH_PARTS, "//cloudresourcemanager.googleapis.com/projects/p") == (
        whole.verdict,
        whole.grants[0].resource,
    )
    group = {"scope": f"{subscription}/resourceGroups/rg", "roleDefinitionId": role}
    part = speak.azure("gcp", group, mapping=mapping)
    assert Verdict.REFUSED == part.verdict
    assert "the map puts all of `projects/p` in place of" in said(part)
    exactly = IdMap(scopes=(*mapping.scopes, Pair(f"{subscription}/resourceGroups/rg", "projects/q")))
    assert speak.azure("gcp", group, mapping=exactly).grants[0].resource.endswith("projects/q")
    elsewhere = IdMap(scopes=(Pair("/subscriptions/other", "projects/p"),))
    assert "<GCP_PROJECT_ID>" in speak.azure("gcp", group, mapping=elsewhere).placeholders


def test_given_names_come_before_those_of_the_map(speak):
    mapping = IdMap(scopes=(Pair("111122223333", "projects/acme"),))
    names = Names({"gcp-project-id": "other", "gcp-principal": "user:ana@b.example"})
    found = speak.aws("gcp", allow("s3:ListBucket", "arn:aws:s3:::data"), mapping=mapping, names=names)

    assert ((), "user:ana@b.example") == (found.placeholders, found.grants[0].principal)
    assert "projects/other/roles/" in str(found.emission.natives[0].content)


def test_a_single_resource_needs_a_map(speak):
    secret = "arn:aws:secretsmanager:eu-west-1:111122223333:secret:db"
    statement = allow("secretsmanager:GetSecretValue", secret)

    unmapped = speak.aws("gcp", statement)
    assert Verdict.EXACT == unmapped.verdict
    assert "//secretmanager.googleapis.com/projects/<GCP_PROJECT_ID>/secrets/db" == unmapped.grants[0].resource
    assert "`db` is taken to be called so in gcp too" in said(unmapped)
    assert "<AZURE_VAULT>" in speak.aws("azure", statement).placeholders

    vault = "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/v"
    mapping = IdMap(resources=(Pair(secret, "projects/p"), Pair(secret, vault)))
    project = speak.aws("gcp", statement, mapping=mapping)
    assert "//cloudresourcemanager.googleapis.com/projects/p" == project.grants[0].resource
    assert f"the map puts all of `projects/p` in place of `{secret}`" in said(project)
    assert vault == speak.aws("azure", statement, mapping=mapping).grants[0].resource


def test_a_single_resource_of_azure_to_aws(speak):
    vault = "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/v"
    role = f"{vault}/x/roleDefinitions/4633458b-17de-408a-b874-0445c86b69e6"
    found = speak.azure("aws", {"scope": vault, "roleDefinitionId": role})

    assert Verdict.EXACT_WITH_PARTS == found.verdict
    assert "arn:aws:<AWS_SERVICE>:<AWS_REGION>:<AWS_ACCOUNT_ID>:<AWS_RESOURCE>" == found.grants[0].resource


def test_extras_carry_their_plane(speak):
    found = speak.aws("gcp", allow(["s3:GetObject", "s3:ListBucket"], ["arn:aws:s3:::data", "arn:aws:s3:::data/*"]))

    assert {Plane.METADATA} == {extra.plane for each in found.capabilities for extra in each.extra}


def test_what_is_created_is_called_after_the_principal(speak):
    found = speak.azure("aws", {"scope": CONTAINER, "roleDefinitionId": f"{CONTAINER}/x/roleDefinitions/{READER}"})

    assert "user-translated" == found.emission.natives[0].name


def test_everybody_is_not_a_principal():
    estate = api.load([fixtures_dir() / "acme" / "gcp"])
    [found] = translate(clouds()["gcp"], clouds()["aws"], estate, principal="allUsers")

    assert (Verdict.REFUSED, ()) == (found.verdict, found.grants)


@pytest.mark.parametrize("source", ["aws", "gcp", "azure"])
def test_every_principal_of_the_sample_has_an_answer(source):
    estate = api.load([fixtures_dir() / "acme" / source])
    for target in sorted({"aws", "gcp", "azure"} - {source}):
        found = translate(clouds()[source], clouds()[target], estate)
        assert found
        for each in found:
            assert (each.verdict is Verdict.REFUSED) == (not each.emission.natives)
            assert each.reasons or each.verdict is Verdict.EXACT


class Mumbler:
    """A cloud that does not understand what it wrote."""

    name = "fake"

    def __init__(self, *stated):
        self._stated = stated

    def reread(self, natives):
        return self._stated

    def principals(self, estate):
        return ("p",)

    def doubts(self, principal, estate):
        return (Unsupported("it is odd", NOWHERE),)


def test_what_reads_back_in_doubt_is_an_internal_error():
    now = datetime.now(UTC)

    with pytest.raises(InternalError, match="is not understood: it is odd"):
        read_back((), cast("Cloud", Mumbler(Unsupported("it is odd", NOWHERE))), now)
    with pytest.raises(InternalError, match="is in doubt: it is odd"):
        read_back((), cast("Cloud", Mumbler()), now)


class Liar:
    """A cloud that writes something else than it was told."""

    def __init__(self, cloud, holdings):
        self._cloud, self._holdings = cloud, holdings

    def __getattr__(self, name):
        return getattr(self._cloud, name)

    def holdings(self, principal, estate):
        return self._holdings(self._cloud.holdings(principal, estate))


def lying(holdings):
    estate = api.load([fixtures_dir() / "acme" / "translate"])
    return translate(clouds()["gcp"], Liar(clouds()["aws"], holdings), estate)


def test_what_was_not_written_is_an_internal_error():
    with pytest.raises(InternalError, match="reading it back says no"):
        lying(lambda found: found[:1])


def test_what_was_written_elsewhere_is_an_internal_error():
    extra = Holding("p", exact("s3:GetObject"), "arn:aws:s3:::other/*", ALWAYS, NOWHERE)
    with pytest.raises(InternalError, match=r"`arn:aws:s3:::other/\*` that was not asked for there at all"):
        lying(lambda found: (*found, extra))


def test_what_was_written_with_a_condition_is_an_internal_error():
    part = Holding("p", exact("s3:GetObject"), "arn:aws:s3:::my-bucket/a/*", ALWAYS, NOWHERE)
    with pytest.raises(InternalError, match=r"reading it back says object name is `a/\*`"):
        lying(lambda found: (*(each for each in found if "/" not in each.scope), part))


def test_what_was_written_beside_is_broader():
    extra = Holding("p", exact("s3:DeleteBucket"), "arn:aws:s3:::my-bucket", ALWAYS, NOWHERE)
    [found] = lying(lambda found: (*found, extra))

    assert Verdict.REFUSED == found.verdict
    assert "the target gives more: s3:DeleteBucket" in said(found)


def test_an_opaque_grant_is_not_taken_for_everything(speak):
    estate = api.load([fixtures_dir() / "acme" / "translate"])
    opaque = Holding("p", ANY_TEXT, "arn:aws:s3:::my-bucket", Opaque("what it gives", "nobody knows"), NOWHERE)
    source = Liar(clouds()["aws"], lambda found: (*found, opaque))
    [found] = translate(source, clouds()["gcp"], estate)

    assert Verdict.NARROWER == found.verdict
    assert "more may be held, which is not carried over: `what it gives`: nobody knows" in said(found)


def test_everybody_is_mapped_by_hand(speak):
    content = {
        "Version": "2012-10-17",
        "Statement": [{**allow("s3:GetObject", "arn:aws:s3:::data/*"), "Principal": "*"}],
    }
    estate = _estate(content, Hints(layer=Layer.RESOURCE, resource="arn:aws:s3:::data"))
    found = speak.one("aws", "gcp", estate, "anonymous", {})
    assert (Verdict.REFUSED, ()) == (found.verdict, found.emission.natives)
    assert "`anonymous` is everybody" in said(found)

    named = IdMap(principals=(Pair("anonymous", "allUsers"),))
    assert Verdict.EXACT_WITH_PARTS == speak.one("aws", "gcp", estate, "anonymous", {"mapping": named}).verdict


@pytest.mark.parametrize("principal", ["anonymous", "service:ec2.amazonaws.com"])
def test_no_policy_is_attached_to_everybody_or_a_service(speak, principal):
    role = {"role": "roles/storage.objectViewer"}
    found = speak.gcp("aws", BUCKET, role, mapping=IdMap(principals=(Pair(ANA, principal),)))

    assert (Verdict.REFUSED, ()) == (found.verdict, found.emission.natives)
    assert f"no policy is attached to `{principal}`" in said(found)
