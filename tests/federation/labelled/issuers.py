"""Roles that trust other issuers, and how far each reaches."""

from __future__ import annotations

from idtrans.model.values import Reach
from tests.federation.labelled.documents import STS, claims, equal, like, policy, web
from tests.federation.labelled.label import Label
from tests.federation.labelled.subjects import (
    AKS,
    AUDIENCES,
    BITBUCKET,
    CIRCLE,
    EKS,
    ENTRA,
    ENTRA2,
    OTHER,
    POOL,
    SUBJECTS,
    UUID,
)

DEAD, WORKLOAD, PROJECT, TENANT = Reach.DEAD, Reach.WORKLOAD, Reach.PROJECT, Reach.TENANT
PLATFORM, UNKNOWN, ANYONE = Reach.PLATFORM, Reach.UNKNOWN, Reach.ANYONE


def _role(name, issuer, tests, reach, pinned_by="none"):
    return Label(name, policy(web(tests, issuer)), reach, pinned_by)


AUTHENTICATED = {"ForAnyValue:StringLike": {"amr": "authenticated"}}
OWN = (
    # The audience says nothing, or everything, by issuer.
    *(
        Label(f"audience of {issuer}", claims(issuer, aud=STS), reach)
        for issuer, reach in (
            ("gitlab.com", PLATFORM),
            ("gitlab.example.com", TENANT),
            (BITBUCKET, TENANT),
            (CIRCLE, TENANT),
            ("oidc.circleci.com", PLATFORM),
            ("agent.buildkite.com", PLATFORM),
            ("app.terraform.io", PLATFORM),
            ("acme.app.spacelift.io", TENANT),
            (EKS, TENANT),
            (AKS, TENANT),
            (ENTRA, TENANT),
            (ENTRA2, TENANT),
            ("accounts.google.com", PLATFORM),
            ("codeberg.org/api/actions", PLATFORM),
            ("ci.example.com", UNKNOWN),
        )
    ),
    Label("audience of a team of Vercel", claims("oidc.vercel.com", aud="https://vercel.com/acme"), TENANT, "names"),
    Label("audience of an organisation of Pulumi", claims("api.pulumi.com/oidc", aud="acme"), TENANT, "names"),
    Label("audience of Pulumi with a cloud", claims("api.pulumi.com/oidc", aud="aws:acme"), TENANT, "names"),
    _role("GitLab, nothing", "gitlab.com", None, PLATFORM),
    Label("GitLab project id", claims("gitlab.com", project_id="22"), PROJECT, "ids"),
    Label("GitLab namespace id", claims("gitlab.com", namespace_id="7"), TENANT, "ids"),
    Label("GitLab protected ref", claims("gitlab.com", ref_protected="true"), PLATFORM),
    Label("GitLab user", claims("gitlab.com", user_login="octocat"), PLATFORM),
    Label("GitLab mail of a user", claims("gitlab.com", user_email="a@acme.example"), PLATFORM),
    Label("GitLab source", claims("gitlab.com", pipeline_source="push"), PLATFORM),
    Label("Buildkite organisation id", claims("agent.buildkite.com", organization_id=UUID), TENANT, "ids"),
    Label("Buildkite organisation", claims("agent.buildkite.com", organization_slug="acme"), TENANT, "names"),
    Label("Buildkite pipeline id", claims("agent.buildkite.com", pipeline_id=UUID), PROJECT, "ids"),
    Label("Buildkite branch", claims("agent.buildkite.com", build_branch="main"), PLATFORM),
    Label("Buildkite pipeline of any organisation", claims("agent.buildkite.com", pipeline_slug="deploy"), PLATFORM),
    Label("CircleCI project", claims(CIRCLE, **{"oidc.circleci.com/project-id": OTHER}), PROJECT, "ids"),
    Label("Terraform organisation id, unseen", claims("app.terraform.io", terraform_organization_id="org-1"), DEAD),
    Label(
        "Google organisation",
        claims("accounts.google.com", **{"google/organization_number": "123456789012"}),
        TENANT,
        "ids",
    ),
    Label("Google audience as requested", claims("accounts.google.com", oaud="api"), PLATFORM),
    Label(
        "Google subject and audience",
        claims("accounts.google.com", oaud="api", sub="104837261950482716395"),
        WORKLOAD,
        "ids",
    ),
    _role(
        "Google organisation by number",
        "accounts.google.com",
        {"NumericEquals": {"google/organization_number": "123456789012"}},
        TENANT,
        "ids",
    ),
    _role("Google, nothing", "accounts.google.com", None, PLATFORM),
    _role("Cognito, nothing", "cognito-identity.amazonaws.com", None, ANYONE),
    _role("Cognito pool", "cognito-identity.amazonaws.com", {"StringEquals": {"aud": POOL}}, ANYONE),
    _role("Cognito users of any pool", "cognito-identity.amazonaws.com", AUTHENTICATED, PLATFORM),
    _role(
        "Cognito users of a pool",
        "cognito-identity.amazonaws.com",
        {"StringEquals": {"aud": POOL}, **AUTHENTICATED},
        PROJECT,
        "ids",
    ),
    _role(
        "Cognito users of two pools",
        "cognito-identity.amazonaws.com",
        {"StringEquals": {"aud": [POOL, f"eu-west-1:{OTHER}"]}, **AUTHENTICATED},
        PROJECT,
        "ids",
    ),
    _role(
        "Cognito users of a region",
        "cognito-identity.amazonaws.com",
        {"StringLike": {"aud": "eu-west-1:*"}, **AUTHENTICATED},
        PLATFORM,
    ),
    _role(
        "Cognito guests of a pool",
        "cognito-identity.amazonaws.com",
        {"StringEquals": {"aud": POOL}, "ForAnyValue:StringLike": {"amr": "unauthenticated"}},
        ANYONE,
    ),
    _role(
        "Cognito either",
        "cognito-identity.amazonaws.com",
        {"StringEquals": {"aud": POOL}, "ForAnyValue:StringLike": {"amr": "*authenticated"}},
        ANYONE,
    ),
    _role(
        "Cognito by a login",
        "cognito-identity.amazonaws.com",
        {"StringEquals": {"aud": POOL}, "ForAnyValue:StringLike": {"amr": "graph.facebook.com"}},
        PROJECT,
        "ids",
    ),
    _role(
        "Cognito identity",
        "cognito-identity.amazonaws.com",
        {"StringEquals": {"aud": POOL, "sub": POOL}},
        WORKLOAD,
        "ids",
    ),
    _role("Facebook, nothing", "graph.facebook.com", None, PLATFORM),
    _role("Facebook application", "graph.facebook.com", {"StringEquals": {"app_id": "123"}}, PLATFORM),
    _role("Facebook user", "graph.facebook.com", {"StringEquals": {"app_id": "123", "id": "9"}}, WORKLOAD, "ids"),
    _role("Amazon, nothing", "www.amazon.com", None, PLATFORM),
    _role("Amazon application", "www.amazon.com", {"StringEquals": {"app_id": "123"}}, PLATFORM),
    _role("Entra, nothing", ENTRA, None, TENANT),
    _role(
        "Defender for Cloud, own tenant",
        "sts.windows.net/33e01921-4d64-4f8c-a055-5bdaffd5e33d/",
        {
            "StringEquals": {
                "aud": "api://AzureSecurityCenter.MultiCloud.com",
                "!sts:RoleSessionName": f"MicrosoftDefenderForClouds_{UUID}",
            }
        },
        WORKLOAD,
        "ids",
    ),
    _role(
        "Defender for Cloud, anybody's",
        "sts.windows.net/33e01921-4d64-4f8c-a055-5bdaffd5e33d/",
        {"StringEquals": {"aud": "api://AzureSecurityCenter.MultiCloud.com"}},
        PLATFORM,
    ),
    Label(
        "EKS with keys of another cluster",
        policy(
            web(
                {"StringEquals": {"!oidc.eks.eu-west-1.amazonaws.com/id/FFFF:sub": "system:serviceaccount:app:reader"}},
                EKS,
            )
        ),
        DEAD,
    ),
    Label(
        "EKS list",
        equal(["system:serviceaccount:app:reader", "system:serviceaccount:web:reader"], EKS),
        WORKLOAD,
        "names",
    ),
    Label(
        "EKS list with a namespace",
        like(["system:serviceaccount:app:reader", "system:serviceaccount:web:*"], EKS),
        PROJECT,
        "names",
    ),
    Label("EKS exactly a pattern", equal("system:serviceaccount:app:*", EKS), DEAD),
    Label("EKS subject under the audience", claims(EKS, aud="system:serviceaccount:app:reader"), TENANT),
    Label("SPIFFE id", equal("spiffe://acme.example/ns/prod/sa/app", "oidc-discovery.acme.example"), WORKLOAD, "ids"),
)
ISSUER_LABELS = (
    *(
        Label(f"{issuer} {text}", like(text, issuer, AUDIENCES.get(issuer, STS)), reach, by)
        for issuer, texts in SUBJECTS.items()
        for text, reach, by in texts
    ),
    *OWN,
)
