"""Configurations that vendors document as the narrow way to do it: nothing over a remark is said of them."""

from __future__ import annotations

import pytest

from idtrans.model.values import Severity, rank
from tests.audit.trust_documents import Documents, audited, azure, claims, gcp, like, provider

GITLAB, CLOUD, BUILDKITE = "gitlab.com", "app.terraform.io", "agent.buildkite.com"
CIRCLE = "oidc.circleci.com/org/90000000-0000-4000-8000-000000000007"
VERCEL, BITBUCKET = "oidc.vercel.com/acme", "api.bitbucket.org/2.0/workspaces/acme/pipelines-config/identity/oidc"
EKS = "oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF"
UUID = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"
RUN = "organization:acme:project:core:workspace:app:run_phase"
PULUMI = "api.pulumi.com/oidc/v2"
TERRAFORM = f"https://{CLOUD}"

SAFE: dict[str, Documents] = {
    # https://docs.github.com/en/actions/how-tos/secure-your-work/security-harden-deployments/oidc-in-aws
    "github-aws-environment": claims(sub="repo:octo-org/octo-repo:environment:prod"),
    "github-aws-branch": claims(sub="repo:octo-org/octo-repo:ref:refs/heads/octo-branch"),
    "github-aws-tag": claims(sub="repo:octo-org/octo-repo:ref:refs/tags/v1"),
    "github-aws-immutable": claims(sub="repo:octo-org@123456/octo-repo@456789:ref:refs/heads/octo-branch"),
    "github-azure-environment": azure("repo:octo-org/octo-repo:environment:prod"),
    "github-azure-branch": azure("repo:octo-org/octo-repo:ref:refs/heads/main"),
    "github-azure-immutable": azure("repo:octo-org@123456/octo-repo@456789:environment:prod"),
    # https://github.com/google-github-actions/auth
    "github-gcp-subject": gcp(
        provider("assertion.repository_owner_id == '123456'"), "subject/repo:octo-org/octo-repo:environment:prod"
    ),
    "github-gcp-repository-and-branch": gcp(
        provider(
            "assertion.repository_id == '456789' && assertion.ref == 'refs/heads/main'", repo="assertion.repository_id"
        ),
        "attribute.repo/456789",
    ),
    # https://docs.gitlab.com/ci/cloud_services/
    "gitlab-aws-branch": claims(
        issuer=GITLAB, aud="https://gitlab.com", sub="project_path:mygroup/myproject:ref_type:branch:ref:main"
    ),
    "gitlab-gcp-subject": gcp(
        provider("assertion.namespace_id == '12345'", issuer=f"https://{GITLAB}"),
        "subject/project_path:mygroup/myproject:ref_type:branch:ref:main",
    ),
    "gitlab-azure-branch": azure("project_path:mygroup/myproject:ref_type:branch:ref:main", issuer=f"https://{GITLAB}"),
    # https://developer.hashicorp.com/terraform/cloud-docs/workspaces/dynamic-provider-credentials
    "terraform-aws-phase": claims(issuer=CLOUD, aud="aws.workload.identity", sub=f"{RUN}:apply"),
    "terraform-aws-workspace": like(f"{RUN}:*", issuer=CLOUD, aud="aws.workload.identity"),
    "terraform-azure-plan": azure(f"{RUN}:plan", issuer=TERRAFORM),
    "terraform-azure-apply": azure(f"{RUN}:apply", issuer=TERRAFORM),
    "terraform-gcp-whole-pool": gcp(
        provider("assertion.sub.startsWith('organization:acme:project:core:workspace:app:')", issuer=TERRAFORM), "*"
    ),
    # https://github.com/hashicorp/terraform-dynamic-credentials-setup-examples/blob/main/gcp/gcp.tf
    "terraform-gcp-example": gcp(
        provider(
            "assertion.sub.startsWith('organization:acme:workspace:app') || "
            "assertion.sub.startsWith('organization:acme:project:core:workspace:app')",
            issuer=TERRAFORM,
        ),
        "*",
    ),
    "terraform-gcp-subject": gcp(
        provider("assertion.terraform_organization_name == 'acme'", issuer=TERRAFORM), f"subject/{RUN}:apply"
    ),
    # https://docs.aws.amazon.com/eks/latest/userguide/associate-service-account-role.html
    "eks": claims(issuer=EKS, sub="system:serviceaccount:default:my-service-account"),
    # https://learn.microsoft.com/en-us/azure/aks/workload-identity-deploy-cluster
    "aks": azure(
        "system:serviceaccount:default:workload-sa", issuer=f"https://westeurope.oic.prod-aks.azure.com/{UUID}/{UUID}/"
    ),
    # https://buildkite.com/docs/pipelines/security/oidc/aws
    "buildkite-branch": like("organization:acme:pipeline:app:ref:refs/heads/main:*", issuer=BUILDKITE),
    # https://vercel.com/docs/oidc/aws
    "vercel-production": claims(
        issuer=VERCEL, aud="https://vercel.com/acme", sub="owner:acme:project:app:environment:production"
    ),
    "vercel-gcp": gcp(
        {
            **provider("assertion.owner == 'acme'", issuer=f"https://{VERCEL}"),
            "oidc": {"issuerUri": f"https://{VERCEL}", "allowedAudiences": ["https://vercel.com/acme"]},
        },
        "subject/owner:acme:project:app:environment:production",
    ),
    # https://circleci.com/docs/openid-connect-tokens/
    "circleci-project": like(
        f"org/90000000-0000-4000-8000-000000000007/project/{UUID}/user/*",
        issuer=CIRCLE,
        aud="90000000-0000-4000-8000-000000000007",
    ),
    # https://support.atlassian.com/bitbucket-cloud/docs/deploy-on-aws-using-bitbucket-pipelines-openid-connect/
    "bitbucket-repository": like(f"{{{UUID}}}:*", issuer=BITBUCKET, aud=f"ari:cloud:bitbucket::workspace/{UUID}"),
    # https://www.pulumi.com/docs/esc/guides/configuring-oidc/custom-audience/
    "pulumi-environment": claims(issuer=PULUMI, sub=f"pulumi:org:{UUID}:env:{UUID}"),
}


@pytest.mark.parametrize("name", sorted(SAFE))
def test_documented_configurations_get_no_more_than_a_remark(tmp_path, name):
    report = audited(tmp_path, SAFE[name])
    found = {
        f"{each.rule}: {each.severity.value}" for each in report.findings if rank(each.severity) > rank(Severity.INFO)
    }
    assert set() == found
