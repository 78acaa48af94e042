"""Identity pools, federated credentials and Vault roles, and how far each reaches."""

from __future__ import annotations

from idtrans.model.values import Reach
from tests.federation.labelled.documents import (
    GITHUB,
    GKE,
    MAIN,
    ONE,
    OUTBOUND,
    OWNER,
    SET,
    UUID,
    WHOLE,
    bindings,
    pool,
)
from tests.federation.labelled.label import Label

DEAD, WORKLOAD, PROJECT, TENANT = Reach.DEAD, Reach.WORKLOAD, Reach.PROJECT, Reach.TENANT
PLATFORM, UNKNOWN = Reach.PLATFORM, Reach.UNKNOWN

MEMBERS = (
    (f"{SET}/attribute.repository/acme/app", PROJECT, "names"),
    (f"{SET}/attribute.repository_id/456", PROJECT, "ids"),
    (f"{SET}/attribute.repository_owner/acme", TENANT, "names"),
    (f"{SET}/attribute.repository_owner_id/123", TENANT, "ids"),
    (f"{SET}/attribute.actor/octocat", PLATFORM, "none"),
    (f"{SET}/attribute.ref/refs/heads/main", PLATFORM, "none"),
    (f"{SET}/attribute.repository/acme", DEAD, "none"),
    (f"{SET}/attribute.repository/*", DEAD, "none"),
    (f"{SET}/attribute.environment/prod", DEAD, "none"),
    (f"{ONE}{MAIN}", WORKLOAD, "names"),
    (f"{ONE}repo:acme/app:environment:prod", WORKLOAD, "names"),
    (f"{ONE}repo:acme/app:*", DEAD, "none"),
    (f"{ONE}repo:acme@1/app@2:ref:refs/heads/main", WORKLOAD, "ids"),
    (f"{ONE}repo:acme/app:pull-request", DEAD, "none"),
    (f"{ONE}repo:acme/app:ref:refs/heads/{'x' * 110}", DEAD, "none"),
    (WHOLE.replace("/ci/", "/other/"), UNKNOWN, "none"),
)
"""Members of a pool whose provider has no condition."""
POOL_LABELS = (
    *(Label(f"member {text}", pool(None, text), reach, by) for text, reach, by in MEMBERS),
    Label("owner and ref", pool(OWNER, f"{SET}/attribute.ref/refs/heads/main"), TENANT, "names"),
    Label("owner and repository", pool(OWNER, f"{SET}/attribute.repository/acme/app"), PROJECT, "names"),
    Label("owner and another's repository", pool(OWNER, f"{SET}/attribute.repository/evil/app"), DEAD),
    Label(
        "owner id and repository id",
        pool("assertion.repository_owner_id == '123'", f"{SET}/attribute.repository_id/456"),
        PROJECT,
        "ids",
    ),
    Label("two members", pool(None, f"{SET}/attribute.repository/acme/app", f"{ONE}{MAIN}"), PROJECT, "names"),
    Label("two members, one wide", pool(None, f"{SET}/attribute.repository/acme/app", WHOLE), PLATFORM),
    Label("disabled", pool(None, WHOLE, disabled=True), DEAD),
    Label("deleted", pool(None, WHOLE, state="DELETED"), DEAD),
    Label(
        "composed attribute",
        pool(
            None,
            f"{SET}/attribute.place/acme/app:refs/heads/main",
            mapping={"attribute.place": "assertion.repository + ':' + assertion.ref"},
        ),
        WORKLOAD,
        "names",
    ),
    Label(
        "extracted attribute",
        pool(
            None, f"{SET}/attribute.owner/acme", mapping={"attribute.owner": "assertion.repository.extract('{owner}/')"}
        ),
        UNKNOWN,
    ),
    Label("mapped to a constant", pool(None, f"{SET}/attribute.all/yes", mapping={"attribute.all": "'yes'"}), PLATFORM),
    Label(
        "mapped by a choice",
        pool(
            None,
            f"{SET}/attribute.main/true",
            mapping={"attribute.main": "assertion.ref == 'refs/heads/main' ? 'true' : 'false'"},
        ),
        PLATFORM,
    ),
    Label(
        "subject made of ids",
        pool(None, f"{ONE}456", mapping={"google.subject": "assertion.repository_id"}),
        PROJECT,
        "ids",
    ),
    Label("group", pool(None, f"{SET}/group/admins", mapping={"google.groups": "assertion.groups"}), UNKNOWN),
    Label(
        "GitLab project",
        pool(
            None,
            f"{SET}/attribute.project/22",
            issuer="https://gitlab.com",
            mapping={"attribute.project": "assertion.project_id"},
        ),
        PROJECT,
        "ids",
    ),
    Label(
        "GitLab namespace",
        pool("assertion.namespace_path.startsWith('acme/')", WHOLE, issuer="https://gitlab.com", mapping={}),
        TENANT,
        "names",
    ),
    Label(
        "GitLab namespace, exactly",
        pool("assertion.namespace_path == 'acme'", WHOLE, issuer="https://gitlab.com", mapping={}),
        TENANT,
        "names",
    ),
    Label(
        "GitLab namespace by its end",
        pool("assertion.namespace_path.endsWith('/team')", WHOLE, issuer="https://gitlab.com", mapping={}),
        PLATFORM,
    ),
    Label(
        "GitLab project path",
        pool("assertion.project_path == 'acme/team/app'", WHOLE, issuer="https://gitlab.com", mapping={}),
        PROJECT,
        "names",
    ),
    Label(
        "GitLab protected branch of a project",
        pool(
            "assertion.project_path == 'acme/app' && assertion.ref_protected == 'true'",
            WHOLE,
            issuer="https://gitlab.com",
            mapping={},
        ),
        PROJECT,
        "names",
    ),
    Label(
        "GitLab namespace prefix",
        pool("assertion.namespace_path.startsWith('acme')", WHOLE, issuer="https://gitlab.com", mapping={}),
        PLATFORM,
    ),
    Label(
        "GitLab root namespace",
        pool("assertion.namespace_id == '7'", WHOLE, issuer="https://gitlab.com", mapping={}),
        TENANT,
        "ids",
    ),
    Label(
        "Terraform organisation",
        pool("assertion.sub.startsWith('organization:acme:')", WHOLE, issuer="https://app.terraform.io", mapping={}),
        TENANT,
        "names",
    ),
    Label(
        "Terraform organisation prefix",
        pool("assertion.sub.startsWith('organization:acme')", WHOLE, issuer="https://app.terraform.io", mapping={}),
        PLATFORM,
    ),
    Label(
        "Terraform organisation by id",
        pool("assertion.terraform_organization_id == 'org-1'", WHOLE, issuer="https://app.terraform.io", mapping={}),
        TENANT,
        "ids",
    ),
    Label(
        "Terraform workspace",
        pool("assertion.terraform_workspace_id == 'ws-1'", WHOLE, issuer="https://app.terraform.io", mapping={}),
        WORKLOAD,
        "ids",
    ),
    Label(
        "CircleCI organisation", pool(None, WHOLE, issuer=f"https://oidc.circleci.com/org/{UUID}", mapping={}), TENANT
    ),
    Label(
        "EKS cluster",
        pool(
            None,
            WHOLE,
            issuer="https://oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF",
            mapping={},
        ),
        TENANT,
    ),
    Label(
        "EKS service account",
        pool(
            None,
            f"{ONE}system:serviceaccount:app:reader",
            issuer="https://oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF",
            mapping={},
        ),
        WORKLOAD,
        "names",
    ),
    Label("AWS outbound, whole pool", pool(None, WHOLE, issuer=OUTBOUND, mapping={}), TENANT),
    Label(
        "AWS outbound, role",
        pool(None, f"{ONE}arn:aws:iam::111122223333:role/app", issuer=OUTBOUND, mapping={}),
        WORKLOAD,
        "names",
    ),
    Label(
        "Entra managed identity",
        pool(None, f"{ONE}{UUID}", issuer=f"https://sts.windows.net/{UUID}/", mapping={}),
        WORKLOAD,
        "ids",
    ),
    Label("issuer with a slash too many", pool(OWNER, WHOLE, issuer=f"https://{GITHUB}/"), DEAD),
    Label("issuer over http", pool(OWNER, WHOLE, issuer=f"http://{GITHUB}"), DEAD),
    Label(
        "GKE workload",
        bindings(
            f"principal://iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/{GKE}/subject/ns/app/sa/reader"
        ),
        WORKLOAD,
    ),
    Label("GKE workload, old spelling", bindings(f"serviceAccount:{GKE}[app/reader]"), WORKLOAD),
    Label(
        "GKE namespace",
        bindings(
            f"principalSet://iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/{GKE}/namespace/app"
        ),
        PROJECT,
    ),
    Label(
        "GKE pool",
        bindings(
            f"principalSet://iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/{GKE}/*"
        ),
        TENANT,
    ),
    Label("pool without its provider", bindings(f"{SET}/attribute.repository/acme/app"), UNKNOWN),
)
