"""Condition keys of AWS, and the claims of web identity tokens that are keys."""

from __future__ import annotations

import pytest

from idtrans.catalog import KeyInfo, KeyType, aws_built_in_issuers, aws_claims, aws_condition_key

_GITHUB = {
    "actor",
    "actor_id",
    "enterprise_id",
    "environment",
    "job_workflow_ref",
    "ref",
    "repository",
    "repository_id",
    "repository_owner_id",
    "workflow",
}


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ("aws:SourceIp", KeyType.IP_ADDRESS),
        ("AWS:SOURCEIP", KeyType.IP_ADDRESS),
        ("aws:CurrentTime", KeyType.DATE),
        ("aws:PrincipalArn", KeyType.ARN),
        ("aws:MultiFactorAuthAge", KeyType.NUMERIC),
        ("aws:SecureTransport", KeyType.BOOL),
        ("aws:PrincipalTag/team", KeyType.STRING),
        ("aws:RequestTag/a/b", KeyType.STRING),
        ("s3:prefix", KeyType.STRING),
        ("s3:ExistingObjectTag/class", KeyType.STRING),
        ("kms:EncryptionContext:purpose", KeyType.STRING),
        ("iam:PassedToService", KeyType.STRING),
        ("saml:aud", KeyType.STRING),
        ("sts:RoleAuthorizedByIdp", KeyType.BOOL),
        ("gitlab.com:project_id", KeyType.STRING),
        ("token.actions.githubusercontent.com:sub", KeyType.STRING),
        ("token.actions.githubusercontent.com/octo:repository_id", KeyType.STRING),
        ("oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLE:sub", KeyType.STRING),
        ("accounts.google.com:google/organization_number", KeyType.NUMERIC),
    ],
)
def test_keys_of_one_value(key, kind) -> None:
    assert KeyInfo(kind, multivalued=False) == aws_condition_key(key)


@pytest.mark.parametrize(
    "key",
    [
        "aws:TagKeys",
        "aws:tagkeys",
        "aws:CalledVia",
        "aws:PrincipalOrgPaths",
        "aws:PrincipalServiceNamesList",
        "dynamodb:LeadingKeys",
        "kms:EncryptionContextKeys",
        "saml:edupersonaffiliation",
        "sts:TransitiveTagKeys",
        "cognito-identity.amazonaws.com:amr",
        "idp.example.com:amr",
    ],
)
def test_keys_of_many_values(key) -> None:
    known = aws_condition_key(key)
    assert known is not None
    assert known.multivalued


@pytest.mark.parametrize(
    "key",
    [
        "",
        ":",
        "aws",
        "aws:",
        "aws:NoSuchKey",
        "aws:PrincipalTag",
        "nosuch:Thing",
        "s3:NoSuchKey",
        "token.actions.githubusercontent.com:event_name",
        "idp.example.com:groups",
        "idp.example.com",
    ],
)
def test_what_nobody_lists_is_not_known(key) -> None:
    assert aws_condition_key(key) is None


@pytest.mark.parametrize(
    ("issuer", "more"),
    [
        ("token.actions.githubusercontent.com", _GITHUB),
        ("Token.Actions.GitHubUserContent.com/", _GITHUB),
        ("token.actions.githubusercontent.com/octo", _GITHUB),
        ("token.actions.octo.ghe.com", _GITHUB),
        ("github.com/enterprises/octo", _GITHUB),
        (
            "agent.buildkite.com",
            {
                "build_branch",
                "cluster_id",
                "cluster_name",
                "organization_id",
                "organization_slug",
                "pipeline_id",
                "pipeline_slug",
            },
        ),
        (
            "gitlab.com",
            {
                "namespace_id",
                "pipeline_source",
                "project_id",
                "ref_protected",
                "runner_environment",
                "user_access_level",
                "user_email",
                "user_id",
                "user_login",
            },
        ),
        ("oidc.circleci.com/org/00000000-0000-0000-0000-000000000000", {"oidc.circleci.com/project-id"}),
        ("idcs-0123.identity.oraclecloud.com", {"rpst_id"}),
        ("accounts.google.com", {"oaud", "google/organization_number"}),
        ("www.amazon.com", {"app_id", "user_id"}),
        ("graph.facebook.com", {"app_id", "id"}),
        ("gitlab.example.com", set()),
        ("app.terraform.io", set()),
        ("saml", set()),
        ("", set()),
    ],
)
def test_claims_by_issuer(issuer, more) -> None:
    assert {"amr", "aud", "sub", *more} == aws_claims(issuer)


def test_built_in_issuers() -> None:
    assert "accounts.google.com" in aws_built_in_issuers()
    assert "gitlab.com" not in aws_built_in_issuers()
