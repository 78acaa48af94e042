"""Federated credentials and Vault roles, and how far each reaches."""

from __future__ import annotations

from idtrans.model.values import Reach
from tests.federation.labelled.documents import (
    AKS,
    EXCHANGE,
    GITHUB,
    MAIN,
    OUTBOUND,
    UUID,
    credential,
    flexible,
    login,
)
from tests.federation.labelled.label import Label

DEAD, WORKLOAD, PROJECT, TENANT = Reach.DEAD, Reach.WORKLOAD, Reach.PROJECT, Reach.TENANT
PLATFORM, UNKNOWN = Reach.PLATFORM, Reach.UNKNOWN

CREDENTIAL_LABELS = (
    # Azure.
    Label("credential", credential(MAIN), WORKLOAD, "names"),
    Label("credential of an environment", credential("repo:acme/app:environment:prod"), WORKLOAD, "names"),
    Label("credential of pull requests", credential("repo:acme/app:pull_request"), WORKLOAD, "names"),
    Label("credential with a dash", credential("repo:acme/app:pull-request"), DEAD),
    Label("credential with ids", credential("repo:acme@1/app@2:environment:prod"), WORKLOAD, "ids"),
    Label("credential with a star", credential("repo:acme/app:*"), DEAD),
    Label("credential with a short ref", credential("repo:acme/app:ref:main"), DEAD),
    Label("credential, issuer with a slash", credential(MAIN, f"https://{GITHUB}/"), DEAD),
    Label("credential, issuer with a blank", credential(MAIN, f"https://{GITHUB} "), DEAD),
    Label("credential, issuer in capitals", credential(MAIN, "https://Token.Actions.GitHubUserContent.com"), DEAD),
    Label(
        "credential of GitLab",
        credential("project_path:acme/app:ref_type:branch:ref:main", "https://gitlab.com"),
        WORKLOAD,
        "names",
    ),
    Label("credential of a cluster", credential("system:serviceaccount:app:reader", AKS), WORKLOAD, "names"),
    Label(
        "credential of a cluster without the slash",
        credential("system:serviceaccount:app:reader", AKS.rstrip("/")),
        DEAD,
    ),
    Label("credential of Google", credential("104837261950482716395", "https://accounts.google.com"), WORKLOAD, "ids"),
    Label(
        "credential of Google by mail",
        credential("deploy@proj-a.iam.gserviceaccount.com", "https://accounts.google.com"),
        DEAD,
    ),
    Label("credential of AWS", credential("arn:aws:iam::111122223333:role/app", OUTBOUND), WORKLOAD, "names"),
    Label(
        "credential of Terraform",
        credential("organization:acme:project:core:workspace:prod:run_phase:apply", "https://app.terraform.io"),
        WORKLOAD,
        "names",
    ),
    Label(
        "credential of a service connection",
        credential("sc://acme/core/deploy", f"https://vstoken.dev.azure.com/{UUID}"),
        WORKLOAD,
        "names",
    ),
    Label(
        "credential of Bitbucket",
        credential(
            "{11111111-2222-4333-8444-555555555555}:{22222222-2222-4333-8444-555555555555}",
            "https://api.bitbucket.org/2.0/workspaces/acme/pipelines-config/identity/oidc",
        ),
        WORKLOAD,
        "ids",
    ),
    Label(
        "credential of SPIFFE", credential("spiffe://acme.example/app", "https://oidc.acme.example"), WORKLOAD, "ids"
    ),
    Label(
        "expression",
        flexible("claims['sub'] matches 'repo:acme/app:*' and claims['repository_id'] eq '456'"),
        PROJECT,
        "ids",
    ),
    Label(
        "expression with ids",
        flexible("claims['sub'] matches 'repo:acme@1/app@2:*' and claims['repository_id'] eq '2'"),
        PROJECT,
        "ids",
    ),
    Label("expression of a repository", flexible("claims['sub'] matches 'repo:acme/app:*'"), PROJECT, "names"),
    Label("expression of an owner", flexible("claims['sub'] matches 'repo:acme/*'"), TENANT, "names"),
    Label("expression of a prefix", flexible("claims['sub'] matches 'repo:acme*'"), PLATFORM),
    Label("expression of anyone", flexible("claims['sub'] matches 'repo:*'"), PLATFORM),
    Label("expression that is exact", flexible(f"claims['sub'] eq '{MAIN}'"), WORKLOAD, "names"),
    Label("expression that is exact and has a star", flexible("claims['sub'] eq 'repo:acme/app:*'"), DEAD),
    Label(
        "expression of a workflow",
        flexible(
            "claims['sub'] matches 'repo:acme/*' and claims['job_workflow_ref'] eq 'acme/ci/.github/workflows/d.yml@v1'"
        ),
        TENANT,
        "names",
    ),
    Label("expression of a workflow alone", flexible("claims['job_workflow_ref'] matches 'acme/ci/*'"), PLATFORM),
    Label(
        "expression of Terraform",
        flexible(
            "claims['sub'] matches 'organization:acme:project:*:workspace:*:run_phase:*'", "https://app.terraform.io"
        ),
        TENANT,
        "names",
    ),
    Label(
        "expression of GitLab",
        flexible("claims['sub'] matches 'project_path:acme/*:ref_type:branch:ref:main'", "https://gitlab.com"),
        TENANT,
        "names",
    ),
    Label("expression with or", flexible("claims['sub'] eq 'a' or claims['sub'] eq 'b'"), UNKNOWN),
    Label("another audience", credential(MAIN, audiences=["api://other"]), WORKLOAD, "names"),
    Label("no audience", credential(MAIN, audiences=[]), WORKLOAD, "names"),
    Label("two audiences", credential(MAIN, audiences=[EXCHANGE, "x"]), WORKLOAD, "names"),
    # Vault.
    Label("login of a branch", login(bound_subject=MAIN), WORKLOAD, "names"),
    Label("login of a repository", login(bound_claims={"repository": "acme/app"}), PROJECT, "names"),
    Label("login of repositories", login(bound_claims={"repository": ["acme/app", "acme/web"]}), PROJECT, "names"),
    Label(
        "login of a repository and branch",
        login(bound_claims={"repository": "acme/app", "ref": "refs/heads/main"}),
        WORKLOAD,
        "names",
    ),
    Label("login of an id", login(bound_claims={"repository_id": "456"}), PROJECT, "ids"),
    Label("login of a number", login(bound_claims={"repository_id": 456}), UNKNOWN),
    Label("login of anyone", login(), PLATFORM),
    Label(
        "login of a pattern", login(bound_claims={"sub": "repo:acme/app:*"}, bound_claims_type="glob"), PROJECT, "names"
    ),
    Label("login of an owner", login(bound_claims={"sub": "repo:acme/*"}, bound_claims_type="glob"), TENANT, "names"),
    Label("login of a prefix", login(bound_claims={"sub": "repo:acme*"}, bound_claims_type="glob"), PLATFORM),
    Label("login of everything", login(bound_claims={"sub": "*"}, bound_claims_type="glob"), PLATFORM),
    Label("login of a star without patterns", login(bound_claims={"sub": "repo:acme/app:*"}), DEAD),
    Label("login of a subject with a star", login(bound_subject="repo:acme/app:*"), DEAD),
    Label(
        "login of an open letter, which is none",
        login(bound_claims={"sub": "repo:acm?/app:*"}, bound_claims_type="glob"),
        DEAD,
    ),
    Label("login of an environment", login(bound_claims={"environment": "prod"}), PLATFORM),
    Label("login without audience", login(bound_subject=MAIN, bound_audiences=[]), DEAD),
    Label(
        "login of GitLab",
        login("https://gitlab.com", bound_claims={"project_id": "22", "ref": "main"}),
        WORKLOAD,
        "ids",
    ),
    Label("login of GitLab, protected", login("https://gitlab.com", bound_claims={"ref_protected": "true"}), PLATFORM),
    Label("login of a cluster", login(AKS, bound_subject="system:serviceaccount:app:reader"), WORKLOAD, "names"),
)
