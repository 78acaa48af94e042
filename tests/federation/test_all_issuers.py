"""Every issuer of the table: which of its tokens get in, who else does, and how far a trust reaches."""

from __future__ import annotations

import pytest

from idtrans.algebra import Quantifier
from idtrans.catalog import Tenancy, issuer_of, issuers
from idtrans.federation import Admission, PinnedBy, admits, judge
from idtrans.federation._boxes import Box
from idtrans.federation._tokens import Who, fill, token_of
from idtrans.model.values import Reach
from tests.federation.tokens import codes, equal, like, trust

BUILDKITE = "https://agent.buildkite.com"
BITBUCKET = "https://api.bitbucket.org/2.0/workspaces/acme/pipelines-config/identity/oidc"
CIRCLE_ROOT = "https://oidc.circleci.com"
CIRCLE = f"{CIRCLE_ROOT}/org/aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"
CIRCLE_REF = "oidc.circleci.com/vcs-ref"
PULUMI = "https://api.pulumi.com/oidc"
PULUMI_V2 = "https://api.pulumi.com/oidc/v2"
VERCEL = "https://oidc.vercel.com"
ENTRA = "https://login.microsoftonline.com/99999999-0000-4000-8000-000000000000/v2.0"
PERSONAL = "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"
DEVOPS = "https://vstoken.dev.azure.com/99999999-0000-4000-8000-000000000000"
SPACELIFT = "https://acme.app.spacelift.io"
AWS = "https://0a1b2c3d.tokens.sts.global.api.aws"
CODEBERG = "https://codeberg.org/api/actions"
CODEFRESH = "https://oidc.codefresh.io"
SCALR = "https://scalr.io"
SHISHO = "https://tokens.cloud.shisho.dev"
UPBOUND = "https://proidc.upbound.io"
DVC = "https://studio.datachain.ai/api"
SANDBOXES = "https://sandboxes.cloud"
AUDIT = "https://oidc-configuration.audit-log.githubusercontent.com"
TURBONOMIC = "https://oidc.op1.openshiftapps.com/2f785sojlpb85i7402pk3qogugim5nfb"
DEFENDER = "https://sts.windows.net/33e01921-4d64-4f8c-a055-5bdaffd5e33d/"
FACEBOOK = "https://graph.facebook.com"
GHE = "https://token.actions.acme.ghe.com"
UUID = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"


@pytest.mark.parametrize(
    ("issuer", "conditions", "reach"),
    [
        (GHE, [], Reach.TENANT),
        (GHE, [like("sub", "repo:acme/*")], Reach.TENANT),
        (GHE, [like("sub", "repo:acme/app:*")], Reach.PROJECT),
        (BUILDKITE, [equal("aud", "sts.amazonaws.com")], Reach.PLATFORM),
        (BUILDKITE, [like("sub", "organization:acme:*")], Reach.TENANT),
        (BUILDKITE, [like("sub", "organization:acme*")], Reach.PLATFORM),
        (BUILDKITE, [like("sub", "organization:*:pipeline:app:*")], Reach.PLATFORM),
        (BUILDKITE, [like("sub", "organization:acme:pipeline:app:*")], Reach.PROJECT),
        (BUILDKITE, [like("sub", "organization:acme:pipeline:app:ref:refs/heads/main:*")], Reach.WORKLOAD),
        # One UUID may be that of an organization.
        (BUILDKITE, [equal("sub", UUID)], Reach.TENANT),
        (BUILDKITE, [equal("sub", UUID), equal("pipeline_id", UUID)], Reach.PROJECT),
        (BUILDKITE, [equal("pipeline_id", UUID)], Reach.PROJECT),
        (BUILDKITE, [equal("organization_id", UUID)], Reach.TENANT),
        (BITBUCKET, [], Reach.TENANT),
        (BITBUCKET, [like("sub", f"{{{UUID}}}:*")], Reach.PROJECT),
        (BITBUCKET, [like("sub", f"{{{UUID}}}:{{{UUID}}}:*")], Reach.WORKLOAD),
        (BITBUCKET, [like("sub", "*:{dddddddd*")], Reach.TENANT),
        (BITBUCKET, [equal("sub", "acme/app")], Reach.DEAD),
        (CIRCLE, [], Reach.TENANT),
        (CIRCLE, [like("sub", f"org/{UUID}/project/{UUID}/user/*")], Reach.PROJECT),
        (CIRCLE, [equal("oidc.circleci.com/project-id", UUID)], Reach.PROJECT),
        # A branch may be called `x/vcs-ref/refs/heads/main`.
        (CIRCLE, [like("sub", f"org/{UUID}/project/{UUID}/user/*/vcs-ref/refs/heads/main")], Reach.PROJECT),
        (
            CIRCLE,
            [like("sub", f"org/{UUID}/project/{UUID}/user/{UUID}/vcs-origin/*"), equal(CIRCLE_REF, "refs/heads/main")],
            Reach.WORKLOAD,
        ),
        (CIRCLE_ROOT, [like("sub", "org/*/project/*")], Reach.PLATFORM),
        (CIRCLE_ROOT, [like("sub", f"org/{UUID}/*")], Reach.TENANT),
        (PULUMI_V2, [equal("aud", "sts.amazonaws.com")], Reach.PLATFORM),
        (PULUMI_V2, [like("sub", "pulumi:org:*")], Reach.PLATFORM),
        (PULUMI_V2, [like("sub", f"pulumi:org:{UUID}:env:*")], Reach.TENANT),
        (PULUMI_V2, [equal("sub", f"pulumi:org:{UUID}:env:{UUID}")], Reach.WORKLOAD),
        # Nothing says that an id of an environment is of one organization alone.
        (PULUMI_V2, [like("sub", f"pulumi:org:*:env:{UUID}")], Reach.PLATFORM),
        (PULUMI_V2, [equal("https://pulumi.com/org", "acme")], Reach.TENANT),
        (PULUMI_V2, [equal("https://pulumi.com/current_env", "app/prod")], Reach.PLATFORM),
        (PULUMI_V2, [like("sub", "pulumi:environments:*")], Reach.DEAD),
        (PULUMI, [like("sub", "pulumi:*")], Reach.PLATFORM),
        (PULUMI, [equal("aud", "acme")], Reach.TENANT),
        (PULUMI, [equal("aud", "aws:acme"), like("sub", "pulumi:environments:*")], Reach.TENANT),
        (PULUMI, [like("sub", "pulumi:environments:org:acme:env:core/prod")], Reach.WORKLOAD),
        (PULUMI, [like("sub", "pulumi:environments:pulumi.user.login:*")], Reach.PLATFORM),
        (PULUMI, [like("sub", "pulumi:deploy:org:acme:project:core:*")], Reach.PROJECT),
        (VERCEL, [], Reach.PLATFORM),
        (VERCEL, [equal("aud", "https://vercel.com/acme")], Reach.TENANT),
        (VERCEL, [like("sub", "owner:acme:project:app:*")], Reach.PROJECT),
        (VERCEL, [equal("sub", "owner:acme:project:app:environment:production")], Reach.WORKLOAD),
        # The issuer of a team says whose tokens these are.
        (f"{VERCEL}/acme", [equal("sub", "owner:other:project:app:environment:production")], Reach.DEAD),
        (f"{VERCEL}/acme", [like("sub", "owner:*:project:app:environment:production")], Reach.WORKLOAD),
        (ENTRA, [], Reach.TENANT),
        (ENTRA, [equal("sub", UUID)], Reach.WORKLOAD),
        (ENTRA, [equal("oid", UUID)], Reach.WORKLOAD),
        (ENTRA, [equal("sub", "/eid1/c/pub/t/a/a/b/c")], Reach.WORKLOAD),
        (PERSONAL, [], Reach.PLATFORM),
        (DEVOPS, [like("sub", "sc://acme/*")], Reach.TENANT),
        (DEVOPS, [like("sub", "sc://acme/app/*")], Reach.PROJECT),
        (DEVOPS, [equal("sub", "sc://acme/app/deploy")], Reach.WORKLOAD),
        (SPACELIFT, [like("sub", "space:prod:*")], Reach.PROJECT),
        (SPACELIFT, [like("sub", "space:prod:stack:app:*")], Reach.WORKLOAD),
        (SPACELIFT, [equal("scope", "write")], Reach.TENANT),
        (AWS, [], Reach.TENANT),
        (AWS, [like("sub", "arn:aws:iam::111122223333:role/*")], Reach.TENANT),
        (AWS, [equal("sub", "arn:aws:iam::111122223333:role/ci/deploy")], Reach.WORKLOAD),
        (AWS, [equal("sub", "arn:aws:sts::111122223333:assumed-role/deploy/x")], Reach.DEAD),
        (CODEBERG, [like("sub", "repo:*")], Reach.PLATFORM),
        (CODEBERG, [like("sub", "repo:acme/*")], Reach.TENANT),
        (CODEBERG, [equal("sub", "repo:acme/app:ref:refs/heads/main")], Reach.WORKLOAD),
        (CODEFRESH, [like("sub", "account:*")], Reach.PLATFORM),
        (CODEFRESH, [like("sub", "account:1234:*")], Reach.TENANT),
        (CODEFRESH, [like("sub", "account:1234:pipeline:5678*")], Reach.TENANT),
        (CODEFRESH, [like("sub", "account:1234:pipeline:5678:*")], Reach.WORKLOAD),
        (SCALR, [like("sub", "account:acme:environment:*")], Reach.TENANT),
        (SCALR, [like("sub", "account:acme:environment:prod:*")], Reach.PROJECT),
        (SHISHO, [like("sub", "job:acme:*")], Reach.TENANT),
        (SHISHO, [like("sub", "job:acme*")], Reach.PLATFORM),
        (UPBOUND, [like("sub", "mcp:acme/*")], Reach.TENANT),
        (UPBOUND, [equal("sub", "mcp:acme/prod:provider:provider-aws")], Reach.WORKLOAD),
        (DVC, [like("sub", "credentials:acme/*")], Reach.TENANT),
        (SANDBOXES, [equal("aud", "acme")], Reach.TENANT),
        (SANDBOXES, [], Reach.PLATFORM),
        (AUDIT, [equal("sub", "https://github.com/acme")], Reach.WORKLOAD),
        (AUDIT, [like("sub", "https://github.com/*")], Reach.PLATFORM),
        (TURBONOMIC, [like("sub", "system:serviceaccount:*:t8c-operator")], Reach.PLATFORM),
        (TURBONOMIC, [equal("sub", "system:serviceaccount:acme:t8c-operator")], Reach.WORKLOAD),
        (DEFENDER, [equal("sub", UUID)], Reach.PLATFORM),
        (DEFENDER, [equal("sub", UUID), equal("sts:rolesessionname", f"MicrosoftSentinel_{UUID}")], Reach.WORKLOAD),
        (FACEBOOK, [equal("app_id", "1234")], Reach.PLATFORM),
        (FACEBOOK, [equal("app_id", "1234"), equal("id", "5678")], Reach.WORKLOAD),
    ],
)
def test_reach(issuer, conditions, reach):
    found = judge(trust(*conditions, issuer=issuer))
    assert reach is found.reach
    assert (reach is Reach.PLATFORM) == bool(found.outsiders)


SHAPES = [(each, shape) for each in issuers() for shape in each.shapes]
NAMES = [f"{each.kind}-{shape.name}" for each, shape in SHAPES]


def _url(each):
    """Return the URL of an issuer, a shared one where there is one."""
    forms = sorted(each.deployments, key=lambda form: form.tenancy is not Tenancy.SHARED)
    urls = (form.url if form.literal else None for form in forms)
    return next((url for url in urls if url is not None), "https://ci.example.com")


def _token(each, shape, who, url):
    box = Box(each, shape)
    values = fill(box, {}, who=who)
    assert values is not None
    return token_of(box, values, url)


@pytest.mark.parametrize(("each", "shape"), SHAPES, ids=NAMES)
def test_a_token_of_the_grammar_is_admitted_by_its_own_subject_alone(each, shape):
    url = _url(each)
    token = _token(each, shape, Who.OWN, url)
    subject = trust(equal("sub", token["sub"]), issuer=url)
    assert Admission.YES is admits(subject, token).admitted
    assert Admission.NO is admits(subject, {**token, "sub": f"{token['sub']}x"}).admitted
    assert Admission.NO is admits(subject, {**token, "iss": f"{url}/other"}).admitted


@pytest.mark.parametrize(("each", "shape"), SHAPES, ids=NAMES)
def test_a_subject_in_full_is_never_dead_and_lets_no_stranger_in(each, shape):
    url = _url(each)
    if issuer_of(url).issuer is not each or shape.guest or each.kind in {"microsoft-defender", "cognito"}:
        pytest.skip("what tells its tokens apart is not the subject, or no URL is known for it")
    token = _token(each, shape, Who.OWN, url)
    report = judge(trust(equal("sub", token["sub"]), issuer=url))
    assert report.reach in {Reach.WORKLOAD, Reach.PROJECT, Reach.TENANT}
    assert token["sub"] in report.admits
    assert () == report.outsiders


@pytest.mark.parametrize(
    "each", [each for each in issuers() if any(form.tenancy is Tenancy.SHARED for form in each.deployments)]
)
def test_a_shared_issuer_without_a_test_is_open_to_its_platform(each):
    report = judge(trust(issuer=_url(each)))
    if each.kind == "generic":
        assert Reach.UNKNOWN is report.reach
        return
    assert report.reach in {Reach.PLATFORM, Reach.ANYONE}
    assert PinnedBy.NONE is report.pinned_by
    assert 2 == len(report.outsiders)


def test_an_issuer_that_is_spelled_as_no_token_spells_it_lets_nobody_in():
    report = judge(trust(equal("sub", UUID), issuer=ENTRA + "/"))
    assert Reach.DEAD is report.reach
    assert "ISSUER_MISMATCH" in codes(report)
    assert report.nearest is not None
    assert UUID == report.nearest.subject


def test_contexts_of_a_job_are_a_list():
    some = equal("oidc.circleci.com/context-ids", UUID, quantifier=Quantifier.ANY)
    subject = trust(equal("oidc.circleci.com/project-id", UUID), some, issuer=CIRCLE)
    assert Reach.WORKLOAD is judge(subject).reach
