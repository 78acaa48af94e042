from __future__ import annotations

import pytest

from idtrans.algebra import ALWAYS, NEVER, Opaque
from idtrans.clouds.gcp import CLOUD
from idtrans.model.data import rules_dir
from idtrans.model.values import Reach
from idtrans.ports import TrustKind
from tests.clouds.gcp.test_cel import holds
from tests.clouds.gcp.worlds import GITHUB, POOL, asset, binding, bucket, estate, provider

pytestmark = pytest.mark.skipif(
    not (rules_dir() / "roles" / "gcp.toml").is_file(), reason="the role table is not there"
)

ADDRESS = "deploy@proj-a.iam.gserviceaccount.com"
TARGET = f"serviceAccount:{ADDRESS}"
USER = "roles/iam.workloadIdentityUser"
SET = f"principalSet://iam.googleapis.com/{POOL}"
SUBJECT = f"principal://iam.googleapis.com/{POOL}/subject/"
APP = {
    "sub": "repo:acme/app:ref:refs/heads/main",
    "repository": "acme/app",
    "repository_owner": "acme",
    "ref": "refs/heads/main",
}
EVIL = {
    "sub": "repo:evil/app:ref:refs/heads/main",
    "repository": "evil/app",
    "repository_owner": "evil",
    "ref": "refs/heads/main",
}


def account(*bindings, address=ADDRESS):
    return asset(
        f"//iam.googleapis.com/projects/proj-a/serviceAccounts/{address}",
        *bindings,
        kind="iam.googleapis.com/ServiceAccount",
    )


def trusts(providers, *bindings, more=()):
    return CLOUD.trusts(estate(providers, [account(*bindings), *more]))


def codes(trust):
    return {note.code for note in trust.notes}


@pytest.mark.parametrize(
    ("settings", "member", "app", "evil"),
    [
        # A claim that is mapped restricts nothing: every repository of the issuer is in the pool.
        ({}, f"{SET}/*", "yes", "yes"),
        ({}, f"{SET}/attribute.repository/acme/app", "yes", "no"),
        ({}, f"{SUBJECT}repo:acme/app:ref:refs/heads/main", "yes", "no"),
        ({"attributeCondition": "assertion.repository_owner == 'acme'"}, f"{SET}/*", "yes", "no"),
        # Conditions that do not tie down the tenant.
        ({"attributeCondition": "assertion.sub != ''"}, f"{SET}/*", "yes", "yes"),
        ({"attributeCondition": "assertion.repository_owner == 'acme' || true"}, f"{SET}/*", "yes", "yes"),
        ({"attributeCondition": "assertion.ref == 'refs/heads/main'"}, f"{SET}/*", "yes", "yes"),
        # Dead ones.
        ({"attributeCondition": "assertion.repository_owner_id == 1342004"}, f"{SET}/*", "no", "no"),
        ({"attributeCondition": "assertion.sub == 'repo:acme/app:*'"}, f"{SET}/*", "no", "no"),
        ({}, f"{SET}/attribute.actor/octocat", "no", "no"),
        ({}, f"{SET}/group/admins", "no", "no"),
        ({"disabled": True}, f"{SET}/*", "no", "no"),
        ({"state": "DELETED"}, f"{SET}/*", "no", "no"),
        ({}, f"{SUBJECT}{'x' * 128}", "no", "no"),
        # A claim that is mapped and not in the token refuses it.
        (
            {"attributeMapping": {"google.subject": "assertion.sub", "attribute.env": "assertion.environment"}},
            f"{SET}/*",
            "no",
            "no",
        ),
        # Conjunctions that a mapping composes.
        (
            {
                "attributeMapping": {
                    "google.subject": "assertion.sub",
                    "attribute.k": "assertion.repository + '@' + assertion.ref",
                }
            },
            f"{SET}/attribute.k/acme/app@refs/heads/main",
            "yes",
            "no",
        ),
        ({"attributeMapping": {"google.subject": "assertion.sub.split('/')[0]"}}, f"{SUBJECT}x", "unknown", "unknown"),
        (
            {"attributeMapping": {"google.subject": "assertion.sub", "google.groups": "assertion.g"}},
            f"{SET}/group/a",
            "no",
            "no",
        ),
        (
            {"attributeMapping": {"google.subject": "assertion.sub", "google.groups": "f(assertion.g)"}},
            f"{SET}/group/a",
            "unknown",
            "unknown",
        ),
        ({"attributeCondition": "assertion.sub.size() > 5"}, f"{SET}/*", "unknown", "unknown"),
    ],
)
def test_both_stages_decide_together(settings, member, app, evil):
    [trust] = trusts(provider(**settings), binding(USER, member))
    assert (TARGET, GITHUB, TrustKind.WEB_IDENTITY) == (trust.target, trust.issuer, trust.kind)
    assert (app, evil) == (holds(trust.admits, **APP), holds(trust.admits, **EVIL))


def test_the_condition_alone_is_told_too():
    [trust] = trusts(provider(attributeCondition="assertion.repository_owner == 'acme'"), binding(USER, f"{SUBJECT}x"))
    assert "yes" == holds(trust.provider_admits, repository_owner="acme")
    [trust] = trusts(provider(), binding(USER, f"{SET}/attribute.repository/acme/app"))
    assert ALWAYS == trust.provider_admits
    assert {"NO_ATTRIBUTE_CONDITION"} == codes(trust)
    assert not trust.whole_pool


@pytest.mark.parametrize(
    ("settings", "member", "expected"),
    [
        ({}, f"{SET}/*", {"NO_ATTRIBUTE_CONDITION", "WHOLE_POOL"}),
        ({"attributeCondition": "true"}, f"{SET}/*", {"WHOLE_POOL"}),
        ({"attributeCondition": "true"}, f"{SET}/attribute.nope/x", {"UNMAPPED_ATTRIBUTE"}),
        ({"attributeCondition": "true", "disabled": True}, f"{SET}/attribute.nope/x", {"DISABLED"}),
        ({"attributeCondition": "true"}, f"{SUBJECT}{'x' * 128}", {"SUBJECT_TOO_LONG"}),
        ({"attributeCondition": "true"}, f"{SUBJECT}{'x' * 127}", set()),
    ],
)
def test_notes(settings, member, expected):
    [trust] = trusts(provider(**settings), binding(USER, member))
    assert expected == codes(trust)
    assert ("WHOLE_POOL" in expected) == trust.whole_pool


def test_all_bindings_of_a_target_are_one_trust():
    [trust] = trusts(
        provider(),
        binding(USER, f"{SET}/attribute.repository/acme/app", f"{SET}/attribute.repository/acme/api"),
        binding("roles/iam.serviceAccountTokenCreator", f"{SET}/attribute.repository/acme/web"),
    )
    assert ["yes", "yes", "yes", "no"] == [
        holds(trust.admits, sub="s", repository=f"acme/{name}") for name in ("app", "api", "web", "other")
    ]


def test_audiences_default_to_the_providers_own_name():
    [trust] = trusts(provider(), binding(USER, f"{SET}/*"))
    name = f"//iam.googleapis.com/{POOL}/providers/gh"
    assert (name, f"https:{name}") == trust.audiences
    [trust] = trusts(provider(oidc={"issuerUri": GITHUB, "allowedAudiences": ["mine"]}), binding(USER, f"{SET}/*"))
    assert ("mine",) == trust.audiences


def test_a_condition_of_the_binding_is_not_about_the_token():
    [trust] = trusts(
        provider(), binding(USER, f"{SET}/*", condition="request.time < timestamp('2030-01-01T00:00:00Z')")
    )
    assert "unknown" == holds(trust.admits, **APP)


def test_direct_access_is_a_trust_of_the_resource():
    [trust] = CLOUD.trusts(estate(provider(), [bucket("b", binding("roles/storage.objectViewer", f"{SET}/*"))]))
    assert "//storage.googleapis.com/projects/_/buckets/b" == trust.target
    [trust] = trusts(provider(), binding("roles/iam.serviceAccountViewer", f"{SET}/*"))
    assert trust.target.startswith("//iam.googleapis.com/projects/proj-a/serviceAccounts/")
    [trust] = trusts(provider(), binding("roles/nobody.knowsThis", f"{SET}/*"))
    assert TARGET == trust.target
    [trust] = CLOUD.trusts(estate(provider(), {"bindings": [binding(USER, f"{SET}/*")], "etag": "x"}))
    assert "unknown" == trust.target


def test_every_provider_of_the_pool_is_a_way_in():
    second = provider("eks", oidc={"issuerUri": "https://oidc.eks.example/id/1"}, attributeCondition="true")
    found = trusts([provider(attributeCondition="true"), second], binding(USER, f"{SUBJECT}s"))
    assert [GITHUB, "https://oidc.eks.example/id/1"] == [trust.issuer for trust in found]
    assert [{"SHARED_SUBJECTS"}, {"SHARED_SUBJECTS"}] == [codes(trust) for trust in found]
    gone = {**second, "state": "DELETED"}
    assert [set(), {"DISABLED"}] == [
        codes(trust) for trust in trusts([provider(attributeCondition="true"), gone], binding(USER, f"{SUBJECT}s"))
    ]


def test_a_disabled_pool_disables_its_providers():
    pool = asset(
        f"//iam.googleapis.com/{POOL}", kind="iam.googleapis.com/WorkloadIdentityPool", data={"disabled": True}
    )
    [trust] = trusts(provider(), binding(USER, f"{SET}/*"), more=[pool])
    assert (NEVER, NEVER) == (trust.admits, trust.provider_admits)


@pytest.mark.parametrize(
    ("row", "closed"),
    [
        ({"state": "ACTIVE"}, False),
        ({"state": "ACTIVE", "disabled": False}, False),
        ({"state": "ACTIVE", "disabled": True}, True),
        ({"state": "DELETED"}, True),
    ],
)
def test_a_list_of_pools_tells_which_are_closed(row, closed):
    [trust] = CLOUD.trusts(estate([{"name": POOL, **row}], [provider()], [account(binding(USER, f"{SET}/*"))]))
    assert closed == (trust.admits == NEVER)


def test_a_provider_that_nothing_binds_is_still_shown():
    [trust] = CLOUD.trusts(estate(provider()))
    assert (f"{POOL}/providers/gh", {"NO_BINDING_SEEN", "NO_ATTRIBUTE_CONDITION"}) == (trust.target, codes(trust))
    assert "yes" == holds(trust.admits, **EVIL)


def test_a_pool_without_providers_is_unknown():
    world = estate([account(binding(USER, f"{SET}/*"))])
    [trust] = CLOUD.trusts(world)
    assert (Reach.UNKNOWN, None, True, {"PROVIDER_NOT_SUPPLIED"}) == (
        trust.reach,
        trust.issuer,
        trust.whole_pool,
        codes(trust),
    )
    assert isinstance(trust.admits, Opaque)
    assert any("providers of the pool" in each.reason for each in CLOUD.doubts(TARGET, world))


@pytest.mark.parametrize(
    ("member", "reach"),
    [
        (
            "principal://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p.svc.id.goog/subject/ns/n/sa/k",
            Reach.WORKLOAD,
        ),
        (
            "principalSet://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p.svc.id.goog/namespace/n",
            Reach.PROJECT,
        ),
        (
            "principalSet://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p.svc.id.goog/*",
            Reach.TENANT,
        ),
        ("serviceAccount:p.svc.id.goog[n/k]", Reach.WORKLOAD),
    ],
)
def test_kubernetes_pools_have_no_providers(member, reach):
    world = estate([account(binding(USER, member))])
    [trust] = CLOUD.trusts(world)
    assert (reach, {"KUBERNETES_SAMENESS"}) == (trust.reach, codes(trust))
    assert not any("providers of the pool" in each.reason for each in CLOUD.doubts(TARGET, world))


@pytest.mark.parametrize(
    "member", [f"{SET}/acme/*", f"{SET}/attribute.repository", f"principal://iam.googleapis.com/{POOL}/subject/*"]
)
def test_malformed_members_let_nobody_in(member):
    found = trusts(provider(), binding(USER, member))
    assert [(TARGET, NEVER, Reach.DEAD, {"MALFORMED_PRINCIPAL"})] == [
        (trust.target, trust.admits, trust.reach, codes(trust)) for trust in found if trust.target == TARGET
    ]


def test_pools_of_other_kinds():
    plain = {
        "name": f"{POOL}/providers/x",
        "attributeMapping": {"google.subject": "assertion.arn"},
        "attributeCondition": "true",
    }
    [aws] = trusts([{**plain, "aws": {"accountId": "111122223333"}}], binding(USER, f"{SUBJECT}x"))
    assert (TrustKind.ACCOUNT, "111122223333", Reach.WORKLOAD, None) == (
        aws.kind,
        aws.outside_account,
        aws.reach,
        aws.issuer,
    )
    [whole] = trusts(
        [{**plain, "attributeCondition": None, "aws": {"accountId": "111122223333"}}], binding(USER, f"{SET}/*")
    )
    assert Reach.TENANT == whole.reach
    [dead] = trusts([{**plain, "disabled": True, "aws": {"accountId": "111122223333"}}], binding(USER, f"{SET}/*"))
    assert Reach.DEAD == dead.reach
    [saml] = trusts([{**plain, "saml": {"idpMetadataXml": "x"}}], binding(USER, f"{SET}/*"))
    assert (TrustKind.SAML, Reach.UNKNOWN) == (saml.kind, saml.reach)
    [x509] = trusts([{**plain, "x509": {"trustStore": {}}}], binding(USER, f"{SET}/*"))
    assert Reach.UNKNOWN == x509.reach


def test_deleted_members_are_no_trust():
    [trust] = trusts(provider(), binding(USER, f"deleted:{SUBJECT}x"))
    assert {"NO_BINDING_SEEN", "NO_ATTRIBUTE_CONDITION"} == codes(trust)


LONG = f"repo:acme/app:ref:refs/heads/{'x' * 120}"


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("assertion.repository_owner_id == 1342004", "TYPE_MISMATCH"),
        ("assertion.repository_owner_id in [1, 2]", "TYPE_MISMATCH"),
        ("assertion.exp == 1342004", None),
        ("assertion.repository_owner_id == '1342004'", None),
        ("attribute.team == 'x'", "UNMAPPED_ATTRIBUTE"),
        ("attribute.repository == 'acme/app'", None),
        ("assertion.repository.startsWith('acme/') || (attribute.team in ['x'])", "UNMAPPED_ATTRIBUTE"),
        (f"assertion.sub == '{LONG}'", "SUBJECT_TOO_LONG"),
        (f"assertion.sub in ['{LONG}', 'repo:acme/app:pull_request']", "SUBJECT_TOO_LONG"),
        ("assertion.sub ==", None),
    ],
)
def test_remarks_on_the_condition_of_a_provider(condition, code):
    (found,) = trusts([provider(attributeCondition=condition)], binding(USER, f"{SET}/attribute.repository/acme/app"))
    expected = {code} if code is not None else set()
    assert expected == codes(found) & {"TYPE_MISMATCH", "UNMAPPED_ATTRIBUTE", "SUBJECT_TOO_LONG"}


def test_a_subject_that_no_pool_takes_lets_nobody_in():
    whole = binding(USER, f"{SET}/*")
    (alone,) = trusts([provider(attributeCondition=f"assertion.sub == '{LONG}'")], whole)
    assert "no" == holds(alone.admits, **{**APP, "sub": LONG})
    (both,) = trusts([provider(attributeCondition=f"assertion.sub in ['{LONG}', '{APP['sub']}']")], whole)
    assert "no" == holds(both.admits, **{**APP, "sub": LONG})
    assert "yes" == holds(both.admits, **APP)
    (other,) = trusts([provider(attributeCondition=f"!(assertion.ref == '{LONG}') || assertion.ref == 'x'")], whole)
    assert "yes" == holds(other.admits, **APP)


def test_claims_inside_of_an_object():
    condition = "assertion['kubernetes.io']['namespace'] == 'prod'"
    (found,) = trusts([provider(attributeCondition=condition)], binding(USER, f"{SET}/*"))
    assert "yes" == holds(found.admits, **{**APP, "kubernetes.io.namespace": "prod"})
