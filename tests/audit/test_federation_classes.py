"""Every class of trust defect is found by the rule that the table in the docs names; what is safe is left in peace."""

from __future__ import annotations

import re

import pytest

from idtrans.model.values import Severity
from tests.audit.trust_documents import (
    APP,
    GITHUB,
    OWNER,
    ROLE,
    RULES,
    account,
    audited,
    aws,
    azure,
    claims,
    gcp,
    like,
    provider,
    role,
    service,
    statement,
)

EKS = "oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE"
OTHER_EKS = "oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLE00000000000000000EXAMPLE"
COGNITO = {"Federated": "cognito-identity.amazonaws.com"}
GOOGLE = {"Federated": "accounts.google.com"}
DEFENDER = "sts.windows.net/33e01921-4d64-4f8c-a055-5bdaffd5e33d/"
PROD = f"{APP}:environment:prod"
WORKFLOW = "acme/ci/.github/workflows/deploy.yml"
ANCHOR = {
    "aws:SourceArn": "arn:aws:rolesanywhere:eu-west-1:111122223333:trust-anchor/aaaaaaaa-0000-4000-8000-000000000001"
}
ANYWHERE = ("rolesanywhere.amazonaws.com", ["sts:AssumeRole", "sts:SetSourceIdentity", "sts:TagSession"])
VENDOR = "arn:aws:iam::999988887777:root"
LONG = "subject/" + APP + ":environment:" + "x" * 120


def with_subject(operator, key="sub", value=PROD, pattern=None):
    tests = {"StringEquals": {f"{GITHUB}:aud": "sts.amazonaws.com"}, operator: {f"{GITHUB}:{key}": value}}
    if pattern:
        tests["StringLike"] = {f"{GITHUB}:sub": pattern}
    return aws(tests)


BAD = [
    # Class, documents, the rules that find something over `info`, or at `info` when nothing is over it.
    ("M1", claims(), ["trust-without-subject"]),
    ("M1", claims(issuer="app.terraform.io", aud="aws.workload.identity"), ["trust-without-subject"]),
    ("M2", aws(issuer="gitlab.com"), ["trust-without-subject"]),
    ("M3", claims(issuer=DEFENDER, aud="api://1462b192-27f7-4cb9-8523-0f4ecb54b47e"), ["trust-without-subject"]),
    (
        "M3",
        aws(
            {"StringLike": {"oidc.vercel.com:sub": "owner:*:project:*:environment:production"}},
            issuer="oidc.vercel.com",
        ),
        ["trust-open-to-any-tenant"],
    ),
    ("M3", like("repo:acme/app:*", issuer="oidc.vercel.com"), ["dead-trust"]),
    ("M4", like("repo:acme*"), ["trust-owner-prefix-unanchored"]),
    (
        "M4",
        like("organization:acme*:project:*:workspace:*:run_phase:*", issuer="app.terraform.io"),
        ["trust-owner-prefix-unanchored"],
    ),
    ("M4", like("project_path:acme*:ref_type:branch:ref:main", issuer="gitlab.com"), ["trust-owner-prefix-unanchored"]),
    ("M5", like("repo:*/app:ref:refs/heads/main"), ["github-trust-open-to-any-owner"]),
    ("M5", like("repo:????/r:*"), ["github-trust-open-to-any-owner"]),
    ("M5", like("*:acme/app:*"), ["github-trust-open-to-any-owner"]),
    (
        "M5",
        like("organization:*:project:*:workspace:prod:run_phase:apply", issuer="app.terraform.io"),
        ["trust-open-to-any-tenant"],
    ),
    ("M6", like("repo:acme@31415926/*"), ["trust-open-to-whole-tenant"]),
    ("M6", like("organization:acme:*", issuer="app.terraform.io"), ["trust-open-to-whole-tenant"]),
    ("M6", like("project_path:acme/*", issuer="gitlab.com"), ["trust-open-to-whole-tenant"]),
    ("M7", like(f"{APP}:*"), ["trust-open-to-whole-project"]),
    ("M8", claims(sub=f"{APP}:pull_request"), ["trust-open-to-pull-requests"]),
    (
        "M9",
        with_subject("ForAllValues:StringEquals", "environment", "prod", f"{APP}:*"),
        ["trust-condition-holds-without-claim"],
    ),
    ("M9", with_subject("ForAllValues:StringEquals"), ["set-operator-on-single-claim"]),
    ("M10", with_subject("StringNotEquals"), ["github-trust-open-to-any-owner"]),
    ("M10", with_subject("Null", value="false"), ["trust-without-subject"]),
    (
        "M10",
        with_subject("StringEqualsIfExists", "environment", "prod", f"{APP}:*"),
        ["trust-condition-holds-without-claim"],
    ),
    ("M10", with_subject("StringEqualsIfExists"), ["set-operator-on-single-claim"]),
    ("M11", like([f"{APP}:environment:prod", "*"]), ["trust-without-subject"]),
    ("M11", like([f"{APP}:environment:prod", "repo:*:environment:prod"]), ["github-trust-open-to-any-owner"]),
    (
        "M12",
        role(
            statement(principal={"Service": "ec2.amazonaws.com"}, action="sts:AssumeRole"),
            statement({"StringEquals": {f"{GITHUB}:aud": "x"}}),
        ),
        ["trust-without-subject"],
    ),
    ("M14", like("workflow:deploy*"), ["github-trust-open-to-any-owner"]),
    ("M14", claims(sub="environment:prod"), ["github-trust-open-to-any-owner"]),
    ("M14", claims(sub="repository_visibility:private"), ["github-trust-open-to-any-owner"]),
    ("M14", claims(sub="actor:octocat"), ["github-trust-open-to-any-owner"]),
    ("M16", claims("StringLike", job_workflow_ref=f"{WORKFLOW}@*"), ["trust-without-subject"]),
    ("M16", like(PROD, job_workflow_ref=f"{WORKFLOW}@*"), ["reusable-workflow-at-any-ref"]),
    ("M17", claims(sub="repo:acme/app:environment:prod"), ["trust-by-mutable-name"]),
    (
        "M17",
        gcp(provider("assertion.repository_owner == 'acme'"), "subject/repo:acme/app:environment:prod"),
        ["trust-by-mutable-name"],
    ),
    ("M17", azure("repo:acme/app:environment:prod"), ["trust-by-mutable-name"]),
    ("M18", like("repo:acme@*/app@*:environment:prod"), ["immutable-subject-with-open-ids"]),
    ("M19", claims(sub="repo:acme/app:ref:refs/heads/main"), ["trust-by-mutable-name"]),
    ("M19", claims(sub="repo:acme/app:environment:prod", repository_id="27182818"), ["trust-by-mutable-name"]),
    ("M20", claims(sub=f"{APP}:*"), ["dead-trust"]),
    ("M20", azure(f"{APP}:*"), ["dead-trust"]),
    ("M20", gcp(provider(f"assertion.sub == '{APP}:*'"), f"subject/{PROD}"), ["dead-trust"]),
    ("M20", claims(sub=[PROD, f"{APP}:ref:refs/tags/*"]), ["part-of-trust-is-dead"]),
    ("M21", azure("repo:acme/app:pull-request"), ["dead-trust"]),
    ("M21", azure("repo:acme/app:ref:main"), ["dead-trust"]),
    ("M21", azure("repo:acme-31415926/app-27182818:environment:prod"), ["immutable-subject-with-open-ids"]),
    ("M21", azure(PROD, issuer=f"https://{GITHUB}/"), ["dead-trust"]),
    ("M21", azure(PROD, issuer=f"https://{GITHUB} "), ["dead-trust"]),
    ("M22", gcp(provider(), f"subject/{PROD}"), ["provider-takes-every-tenant"]),
    ("M22", gcp(provider()), ["trust-without-subject"]),
    ("M23", gcp(provider(OWNER), "*"), ["whole-pool-principal-set"]),
    ("M23", gcp(provider("assertion.repository_id == '27182818'"), "*"), ["whole-pool-of-one-project"]),
    ("M24", gcp(provider(actor="assertion.actor"), "attribute.actor/octocat"), ["trust-without-subject"]),
    ("M24", gcp(provider(ref="assertion.ref"), "attribute.ref/refs/heads/main"), ["trust-without-subject"]),
    ("M24", gcp(provider(aud="assertion.aud"), "attribute.aud/x"), ["dead-trust"]),
    ("M25", gcp(provider(f"{OWNER} || true")), ["trust-without-subject"]),
    ("M25", gcp(provider("!(assertion.repository_owner == 'evil')")), ["github-trust-open-to-any-owner"]),
    ("M25", gcp(provider("assertion.sub.contains('acme')")), ["github-trust-open-to-any-owner"]),
    ("M25", gcp(provider("assertion.repository.endsWith('/app')")), ["github-trust-open-to-any-owner"]),
    ("M25", gcp(provider("assertion.sub.startsWith('repo:acme')")), ["trust-owner-prefix-unanchored"]),
    ("M25", gcp(provider("assertion.sub.matches('repo:acme/.*')")), ["github-trust-open-to-any-owner"]),
    ("M26", gcp(provider("assertion.repository_owner_id == 31415926"), f"subject/{PROD}"), ["dead-trust"]),
    (
        "M27",
        gcp(
            [provider(issuer=f"https://{EKS}", name="a"), provider(issuer=f"https://{OTHER_EKS}", name="b")],
            "subject/system:serviceaccount:prod:api",
        ),
        ["pool-shared-by-issuers"],
    ),
    ("M28", gcp(provider(OWNER), LONG), ["dead-trust"]),
    ("M28", gcp(provider(OWNER), LONG, f"subject/{PROD}"), ["part-of-trust-is-dead"]),
    ("M29", azure(expression="claims['sub'] matches 'repo:*'"), ["github-trust-open-to-any-owner"]),
    ("M29", azure(expression="claims['sub'] matches 'repo:acme*:environment:prod'"), ["trust-owner-prefix-unanchored"]),
    ("M30", azure("build", issuer="https://tokens.example.net"), ["trust-in-unknown-issuer"]),
    ("M30", claims(issuer="tokens.example.net", sub="build"), ["trust-in-unknown-issuer"]),
    ("M31", aws(principal=COGNITO), ["trust-without-subject"]),
    (
        "M31",
        aws({"ForAnyValue:StringLike": {"cognito-identity.amazonaws.com:amr": "authenticated"}}, principal=COGNITO),
        ["trust-without-subject"],
    ),
    (
        "M31",
        aws({"StringEquals": {"cognito-identity.amazonaws.com:aud": "eu-west-1:1"}}, principal=COGNITO),
        ["cognito-trust-open-to-guests"],
    ),
    ("M32", aws(principal=GOOGLE), ["trust-without-subject"]),
    (
        "M32",
        aws({"StringEquals": {"accounts.google.com:aud": "112233445566778899001"}}, principal=GOOGLE),
        ["trust-without-subject"],
    ),
    ("M33", like("system:serviceaccount:*:*", issuer=EKS), ["cluster-trust-open-to-many-service-accounts"]),
    ("M33", like("system:serviceaccount:prod:*", issuer=EKS), ["cluster-trust-open-to-many-service-accounts"]),
    ("M33", claims(issuer=EKS), ["cluster-trust-open-to-many-service-accounts"]),
    ("M33", aws({"StringEquals": {f"{OTHER_EKS}:sub": "system:serviceaccount:prod:api"}}, issuer=EKS), ["dead-trust"]),
    ("M34", aws({"StringEquals": {f"{GITHUB}:sub": PROD}}, action="sts:*"), ["federated-action-too-wide"]),
    ("M35", claims(sub=PROD, event_name="push"), ["dead-trust"]),
    (
        "M35",
        with_subject("StringEqualsIfExists", "event_name", "push", f"{APP}:*"),
        ["trust-condition-holds-without-claim"],
    ),
    ("M36", service(*ANYWHERE[:1], action=ANYWHERE[1]), ["roles-anywhere-without-anchor"]),
    ("M36", service(ANYWHERE[0], {"ArnEquals": ANCHOR}, ANYWHERE[1]), ["roles-anywhere-without-anchor"]),
    (
        "pod identity",
        service("pods.eks.amazonaws.com", action=["sts:AssumeRole", "sts:TagSession"]),
        ["pod-identity-for-any-pod"],
    ),
    ("external id", account(VENDOR), ["cross-account-trust-without-external-id"]),
    ("any account", account("*"), ["role-open-to-any-account"]),
    ("any account", account("*", {"StringEquals": {"sts:ExternalId": "acme"}}), ["role-open-to-any-account"]),
    ("confused deputy", service("scheduler.amazonaws.com"), ["service-trust-without-source"]),
    (
        "deleted principal",
        account(["AROAEXAMPLEID0000001", "arn:aws:iam::111122223333:role/ci"]),
        ["trust-names-deleted-principal"],
    ),
]


def identity(action, condition=None):
    found = {"Effect": "Allow", "Action": action, "Resource": "*"}
    policy = {"Version": "2012-10-17", "Statement": [{**found, "Condition": condition} if condition else found]}
    return [(policy, {"layer": "identity", "principal": ROLE, "account": "111122223333"})]


def guardrail(condition, layer="rcp"):
    found = {"Sid": "Ours", "Effect": "Deny", "Action": "sts:AssumeRoleWithWebIdentity", "Resource": "*"}
    party = {"Principal": "*"} if layer == "rcp" else {}
    return [({"Version": "2012-10-17", "Statement": [{**found, **party, "Condition": condition}]}, {"layer": layer})]


ORG = "accounts.google.com:google/organization_number"
NAMED = {"StringEquals": {"aws:PrincipalTag/x509Subject/CN": "build.acme.example"}}
BAD += [
    ("swapped", claims(issuer=EKS, aud="system:serviceaccount:prod:api"), ["audience-and-subject-swapped"]),
    ("swapped", claims(sub="sts.amazonaws.com"), ["dead-trust"]),
    (
        "M36",
        service(ANYWHERE[0], {"ArnEqualsIfExists": ANCHOR, **NAMED}, ANYWHERE[1]),
        ["roles-anywhere-without-anchor"],
    ),
    (
        "M36",
        service(ANYWHERE[0], {"ArnLike": {"aws:SourceArn": "*"}, **NAMED}, ANYWHERE[1]),
        ["roles-anywhere-without-anchor"],
    ),
    (
        "external id",
        account(VENDOR, {"BoolIfExists": {"aws:MultiFactorAuthPresent": "true"}}),
        ["cross-account-trust-without-external-id"],
    ),
    (
        "M37",
        identity("sts:GetWebIdentityToken", {"StringNotEquals": {"sts:IdentityTokenAudience": "x"}}),
        ["identity-token-for-any-audience"],
    ),
    ("M37", identity("sts:GetWebIdentityToken"), ["identity-token-for-any-audience"]),
    ("M37", identity(["s3:GetObject", "sts:*"]), ["identity-token-for-any-audience"]),
    (
        "M37",
        identity("sts:Get*", {"StringLike": {"sts:IdentityTokenAudience": "*"}}),
        ["identity-token-for-any-audience"],
    ),
    (
        "M38",
        guardrail({"StringEquals": {ORG: "9"}, "Null": {"accounts.google.com": "false"}}),
        ["guardrail-on-issuers-inverted"],
    ),
    ("M38", guardrail({"StringEquals": {ORG: "9"}}, "scp"), ["guardrail-on-issuers-inverted"]),
    ("M38", guardrail({"StringNotEquals": {ORG: "9"}, "Null": {ORG: "false"}}), ["guardrail-on-issuers-inverted"]),
    ("M38", guardrail({"StringNotEquals": {f"{GITHUB}:repository_owner": "acme"}}), ["guardrail-on-issuers-inverted"]),
]


@pytest.mark.parametrize(
    ("name", "documents", "expected"), BAD, ids=[f"{number}-{row[0]}" for number, row in enumerate(BAD)]
)
def test_each_class_is_found(tmp_path, root, name, documents, expected):
    report = audited(tmp_path, documents)
    over = [finding.rule for finding in report.findings if finding.severity is not Severity.INFO]
    assert expected == (sorted(set(over)) or [report.findings[0].rule]), report
    assert all(f"`{rule}`" in rows(root)[name][1] for rule in expected)


def rows(root):
    """Return the table in the docs: what stands beside each class."""
    text = (root / "docs" / "federation-classes.md").read_text("utf-8")
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in text.splitlines() if line[:2] == "| "]
    return {key.strip(): rest for key, *rest in cells[1:]}


def test_the_table_in_the_docs_names_every_class_and_only_rules_that_exist(root):
    found = rows(root)
    assert [] == [f"M{number}" for number in range(1, 41) if f"M{number}" not in found]
    named = {rule for cells in found.values() for rule in re.findall(r"`([a-z-]+)`", cells[1])}
    assert set() == named - {rule.id for rule in RULES}
    trusts = {rule.id for rule in RULES if rule.select in {"guardrail", "trust"}}
    assert set() == trusts - named


SAFE = {
    "ids, environment and workflow": claims(
        sub=PROD, repository_id="27182818", job_workflow_ref=f"{WORKFLOW}@refs/heads/main"
    ),
    "the guide of AWS for GitHub": claims(sub="repo:octo-org/octo-repo:ref:refs/heads/main"),
    "the guide of GitHub for AWS": like("repo:octo-org/octo-repo:*"),
    "environment and reusable workflow": claims(sub=PROD, job_workflow_ref=f"{WORKFLOW}@refs/heads/main"),
    "both subjects while a repository moves": claims(sub=["repo:acme/app:environment:prod", PROD]),
    "GitLab by project": claims(
        issuer="gitlab.com", sub="project_path:acme/app:ref_type:branch:ref:main", project_id="4711"
    ),
    "HCP Terraform, a workspace": like(
        "organization:acme:project:p:workspace:w:run_phase:*", issuer="app.terraform.io", aud="aws.workload.identity"
    ),
    "Vercel, a team's project": claims(
        issuer="oidc.vercel.com/acme",
        aud="https://vercel.com/acme",
        sub="owner:acme:project:app:environment:production",
    ),
    "CircleCI, a project": like(
        "org/aaaaaaaa-0000-4000-8000-000000000001/project/bbbbbbbb-0000-4000-8000-000000000001/user/*",
        issuer="oidc.circleci.com/org/aaaaaaaa-0000-4000-8000-000000000001",
        aud="aaaaaaaa-0000-4000-8000-000000000001",
    ),
    "Google Cloud to AWS": aws(
        {
            "StringEquals": {
                "accounts.google.com:oaud": "sts.amazonaws.com",
                "accounts.google.com:sub": "112233445566778899001",
            }
        },
        principal=GOOGLE,
    ),
    "Azure to AWS": claims(
        issuer="sts.windows.net/11111111-0000-4000-8000-000000000001/",
        aud="api://acme-aws",
        sub="22222222-0000-4000-8000-000000000001",
    ),
    "Cognito, signed in": aws(
        {
            "StringEquals": {"cognito-identity.amazonaws.com:aud": "eu-west-1:12345678-0000-4000-8000-000000000001"},
            "ForAnyValue:StringLike": {"cognito-identity.amazonaws.com:amr": "authenticated"},
        },
        principal=COGNITO,
    ),
    "one service account of a cluster": claims(issuer=EKS, sub="system:serviceaccount:prod:api"),
    "session tags beside the call": aws(
        {"StringEquals": {f"{GITHUB}:sub": PROD, f"{GITHUB}:aud": "sts.amazonaws.com"}},
        action=["sts:AssumeRoleWithWebIdentity", "sts:TagSession"],
    ),
    "GCP: owner's id and repository's id": gcp(
        provider("assertion.repository_owner_id == '31415926'", repository_id="assertion.repository_id"),
        "attribute.repository_id/27182818",
    ),
    "GCP: owner and one subject": gcp(provider("assertion.repository_owner == 'acme'"), f"subject/{PROD}"),
    "GCP: startsWith with a slash": gcp(provider("assertion.sub.startsWith('repo:acme@31415926/')"), f"subject/{PROD}"),
    "GCP: providers of one pool for unlike issuers": gcp(
        [provider(OWNER, name="a"), provider(issuer=f"https://{EKS}", name="b")], f"subject/{PROD}"
    ),
    "GCP: a provider that no binding uses": gcp(provider(OWNER)),
    "Azure: an exact subject": azure(PROD),
    "Azure: a cluster": azure(
        "system:serviceaccount:prod:api",
        issuer="https://westeurope.oic.prod-aks.azure.com/11111111-0000-4000-8000-000000000001/22222222-0000-4000-8000-000000000001/",
    ),
    "Azure: Google's service account": azure("112233445566778899001", issuer="https://accounts.google.com"),
    "Azure: a pattern with an id": azure(
        expression=f"claims['sub'] matches '{APP}:*' and claims['repository_id'] eq '27182818'"
    ),
    "Roles Anywhere, one anchor and one name": service(
        ANYWHERE[0],
        {"ArnEquals": ANCHOR, "StringEquals": {"aws:PrincipalTag/x509Subject/CN": "build.acme.example"}},
        ANYWHERE[1],
    ),
    "pod identity as the guide prints it": service(
        "pods.eks.amazonaws.com", action=["sts:AssumeRole", "sts:TagSession"]
    ),
    "EC2 sends no source": service("ec2.amazonaws.com"),
    "a service with its source account": service(
        "scheduler.amazonaws.com", {"StringEquals": {"aws:SourceAccount": "111122223333"}}
    ),
    "a vendor with an external id": account(VENDOR, {"StringEquals": {"sts:ExternalId": "acme-5f2b9c4e"}}),
    "people of another account, with a second factor": account(
        VENDOR, {"Bool": {"aws:MultiFactorAuthPresent": "true"}}
    ),
    "one role of another account": account("arn:aws:iam::999988887777:role/scanner"),
    "the organisation": account("*", {"StringEquals": {"aws:PrincipalOrgID": "o-a1b2c3d4e5"}}),
    "an administrator": identity("*"),
    "tokens for one audience": identity(
        "sts:GetWebIdentityToken",
        {"ForAllValues:StringEquals": {"sts:IdentityTokenAudience": "api://AzureADTokenExchange"}},
    ),
    "a guardrail as AWS prints it": guardrail(
        {"StringNotLikeIfExists": {f"{GITHUB}:sub": "repo:acme@31415926/*"}, "Null": {f"{GITHUB}:sub": "false"}}
    ),
    "a guardrail for Google": guardrail(
        {"StringNotEqualsIfExists": {ORG: "9"}, "Null": {"accounts.google.com:sub": "false"}}
    ),
    "a guardrail on another call": [
        (
            {
                "Version": "2012-10-17",
                "Statement": [
                    {"Effect": "Deny", "Action": "s3:*", "Resource": "*", "Condition": {"StringEquals": {ORG: "9"}}}
                ],
            },
            {"layer": "scp"},
        )
    ],
    "a pod of one cluster": service(
        "pods.eks.amazonaws.com",
        {"ArnLike": {"aws:SourceArn": "arn:aws:eks:eu-west-1:111122223333:cluster/prod"}},
        ["sts:AssumeRole", "sts:TagSession"],
    ),
    "a guardrail on other keys": guardrail({"StringNotEquals": {"aws:PrincipalOrgID": "o-a1b2c3d4e5"}}),
    "the account itself": account("arn:aws:iam::111122223333:root"),
}


@pytest.mark.parametrize("name", SAFE)
def test_what_is_safe_gets_no_more_than_a_remark(tmp_path, name):
    report = audited(tmp_path, SAFE[name])
    assert [] == [finding.rule for finding in report.findings if finding.severity is not Severity.INFO]
    assert [] == [note for note in report.not_evaluated if note.rule is not None]


def test_a_duplicate_key_hides_nothing(tmp_path):
    first = f'"StringLike": {{"{GITHUB}:sub": "repo:*"}}'
    second = f'"StringLike": {{"{GITHUB}:sub": "{PROD}"}}'
    [(policy, hints)] = aws()
    for pair in ((first, second), (second, first)):
        text = (
            str(policy)
            .replace("'", '"')
            .replace(
                '"sts:AssumeRoleWithWebIdentity"',
                f'"sts:AssumeRoleWithWebIdentity", "Condition": {{{pair[0]}, {pair[1]}}}',
            )
        )
        report = audited(tmp_path, [(text, hints)])
        assert report.findings or report.not_evaluated, report
