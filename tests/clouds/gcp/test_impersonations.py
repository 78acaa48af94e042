"""Who can become a service account, at the scope that gives it, and through which permission."""

from __future__ import annotations

from idtrans.clouds.gcp import CLOUD
from idtrans.graph import EdgeKind, build
from idtrans.ports import Impersonator
from tests.clouds.gcp.test_stages import ANA, BOB, deny
from tests.clouds.gcp.worlds import asset, binding, estate, project

SA = "serviceAccount:app@acme-prod.iam.gserviceaccount.com"
CREATOR, USER = "roles/iam.serviceAccountTokenCreator", "roles/iam.serviceAccountUser"
TOKEN = "iam.serviceAccounts.getAccessToken"


def account(*bindings, name="app@acme-prod.iam.gserviceaccount.com"):
    full = f"//iam.googleapis.com/projects/acme-prod/serviceAccounts/{name}"
    data = {"email": name, "projectId": "acme-prod"}
    return asset(full, *bindings, kind="iam.googleapis.com/ServiceAccount", data=data)


def found(world):
    assert isinstance(CLOUD, Impersonator)
    return {
        (each.party, each.target, each.permission.rpartition(".")[2], each.sure) for each in CLOUD.impersonations(world)
    }


def test_a_token_creator_gets_tokens_signatures_and_delegation():
    given = estate([account(binding(CREATOR, ANA))])
    names = ("getAccessToken", "implicitDelegation", "signBlob", "signJwt")
    assert {(ANA, SA, name, True) for name in names} == found(given)


def test_nothing_inherited_is_written_out():
    given = estate([project("1", binding(USER, "group:g@example.com")), account()])
    assert {("group:g@example.com", "projects/1", "actAs", True)} == found(given)


def test_the_other_ways():
    given = estate(
        [account(binding("roles/iam.serviceAccountKeyAdmin", ANA), binding("roles/iam.serviceAccountAdmin", BOB))]
    )
    assert {(ANA, SA, "create", True), (BOB, SA, "setIamPolicy", True)} == found(given)


def test_an_editor_acts_as_accounts_and_a_viewer_does_not():
    given = estate([project("1", binding("roles/editor", ANA), binding("roles/viewer", BOB))])
    assert (ANA, "projects/1", "actAs", True) in found(given)
    assert not any(party == BOB and sure for party, _, _, sure in found(given))


def test_roles_that_are_not_known_may_give_it():
    given = estate([account(binding("roles/unheard.of", ANA))])
    assert {False} == {sure for *_, sure in found(given)}
    assert 7 == len(found(given))


def test_invalid_and_deleted_members_and_other_scopes_give_nothing():
    bucket = asset("//storage.googleapis.com/b", binding(CREATOR, ANA))
    given = estate([account(binding(CREATOR, "deleted:user:x@example.com?uid=1", "robot")), bucket])
    assert set() == found(given)
    assert set() == found(estate({"bindings": [binding(CREATOR, ANA)]}))


def test_what_is_denied_is_left_out():
    token = "iam.googleapis.com/serviceAccounts.getAccessToken"
    policy = deny("organizations/9", deniedPermissions=[token])
    given = estate([account(binding(CREATOR, ANA)), project("1", binding(CREATOR, BOB))], policy)
    assert {"implicitDelegation", "signBlob", "signJwt"} == {name for _, _, name, _ in found(given)}
    assert {ANA, BOB} == {party for party, *_ in found(given)}


def test_the_graph_has_them_as_edges():
    given = estate([account(binding(CREATOR, ANA, condition="request.time < timestamp('2030-01-01T00:00:00Z')"))])
    edges = [edge for edge in build(given, {"gcp": CLOUD}).edges(EdgeKind.CAN_ASSUME) if edge.source == ANA]
    assert {SA} == {edge.target for edge in edges}
    tokens = [edge for edge in edges if edge.attributes["permission"] == TOKEN]
    assert 1 == len(tokens)
    assert ("sure", True) == (tokens[0].attributes["state"], "2030" in tokens[0].attributes["condition"])
