"""Subjects of other issuers as roles ask for them, and how far each reaches."""

from __future__ import annotations

from idtrans.model.values import Reach

DEAD, WORKLOAD, PROJECT, TENANT = Reach.DEAD, Reach.WORKLOAD, Reach.PROJECT, Reach.TENANT
PLATFORM, UNKNOWN, ANYONE = Reach.PLATFORM, Reach.UNKNOWN, Reach.ANYONE
REPO = "{11111111-2222-4333-8444-555555555555}"
ENVIRONMENT = "{22222222-2222-4333-8444-555555555555}"
UUID = "33333333-2222-4333-8444-555555555555"
OTHER = "44444444-2222-4333-8444-555555555555"
BITBUCKET = "api.bitbucket.org/2.0/workspaces/acme/pipelines-config/identity/oidc"
CIRCLE = f"oidc.circleci.com/org/{UUID}"
EKS = "oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF"
GKE = "container.googleapis.com/v1/projects/proj-a/locations/europe-west1/clusters/c1"
AKS = f"westeurope.oic.prod-aks.azure.com/{UUID}/{OTHER}/"
ENTRA = f"sts.windows.net/{UUID}/"
ENTRA2 = f"login.microsoftonline.com/{UUID}/v2.0"
POOL = f"eu-west-1:{UUID}"

AUDIENCES = {
    f"vstoken.dev.azure.com/{UUID}": "api://AzureADTokenExchange",
    "oidc.vercel.com/acme": "https://vercel.com/acme",
    "oidc.vercel.com": None,
    "api.pulumi.com/oidc": None,
}
"""Audiences where the issuer decides."""
SUBJECTS = {
    "gitlab.com": (
        ("project_path:acme/app:ref_type:branch:ref:main", WORKLOAD, "names"),
        ("project_path:acme/team/app:ref_type:branch:ref:main", WORKLOAD, "names"),
        ("project_path:acme/app:ref_type:tag:ref:v1", WORKLOAD, "names"),
        ("project_path:acme/app:ref_type:tag:ref:v*", PROJECT, "names"),
        ("project_path:acme/app:ref_type:branch:ref:*", PROJECT, "names"),
        ("project_path:acme/app:ref_type:*", PROJECT, "names"),
        ("project_path:acme/app:*", PROJECT, "names"),
        ("project_path:acme/app*", TENANT, "names"),
        ("project_path:acme/*", TENANT, "names"),
        ("project_path:acme/*:ref_type:branch:ref:main", TENANT, "names"),
        ("project_path:acme/team/*:ref_type:branch:ref:main", TENANT, "names"),
        ("project_path:acme*", PLATFORM, "none"),
        ("project_path:acme-*/app:*", PLATFORM, "none"),
        ("project_path:*", PLATFORM, "none"),
        ("project_path:*/app:ref_type:branch:ref:main", PLATFORM, "none"),
        ("project_path:*:ref_type:branch:ref:main", PLATFORM, "none"),
        ("*:ref_type:branch:ref:main", PLATFORM, "none"),
        ("*", PLATFORM, "none"),
        ("repo:acme/app:ref:refs/heads/main", DEAD, "none"),
        ("acme/app", DEAD, "none"),
    ),
    "gitlab.example.com": (
        ("project_path:acme/app:ref_type:branch:ref:main", WORKLOAD, "names"),
        ("project_path:acme/app:*", PROJECT, "names"),
        ("project_path:acme/*", TENANT, "none"),
        ("project_path:*", TENANT, "none"),
        ("project_path:*/app:ref_type:branch:ref:main", TENANT, "none"),
        ("*", TENANT, "none"),
    ),
    BITBUCKET: (
        (f"{REPO}:*", PROJECT, "ids"),
        (f"{REPO}:{ENVIRONMENT}:*", WORKLOAD, "ids"),
        ("*", TENANT, "none"),
        ("{*}:*", TENANT, "none"),
        (f"*:{ENVIRONMENT}:*", TENANT, "none"),
        ("repo:acme/app:*", DEAD, "none"),
    ),
    CIRCLE: (
        (f"org/{UUID}/project/{OTHER}/user/*", PROJECT, "ids"),
        (f"org/{UUID}/project/{OTHER}/*", PROJECT, "ids"),
        (f"org/{UUID}/project/*", TENANT, "none"),
        (f"org/{UUID}/*", TENANT, "none"),
        (
            f"org/{UUID}/project/{OTHER}/user/{UUID}/vcs-origin/github.com/acme/app/vcs-ref/refs/heads/main",
            WORKLOAD,
            "ids",
        ),
        # A branch may be called `x/vcs-ref/refs/heads/main`.
        (f"org/{UUID}/project/{OTHER}/user/*/vcs-origin/*/vcs-ref/refs/heads/main", PROJECT, "ids"),
        (f"org/{UUID}/project/{OTHER}/user/*/vcs-origin/github.com/acme/app/vcs-ref/*", PROJECT, "ids"),
        (f"org/{OTHER}/project/{OTHER}/*", DEAD, "none"),
        ("*", TENANT, "none"),
    ),
    "oidc.circleci.com": (
        (f"org/{UUID}/*", TENANT, "ids"),
        (f"org/{UUID}/project/{OTHER}/*", PROJECT, "ids"),
        # So may one of a stranger be called `refs/heads/project/ID/`.
        (f"org/*/project/{OTHER}/*", PLATFORM, "none"),
        ("org/*", PLATFORM, "none"),
        ("*", PLATFORM, "none"),
    ),
    "agent.buildkite.com": (
        ("organization:acme:*", TENANT, "names"),
        ("organization:acme:pipeline:deploy:*", PROJECT, "names"),
        ("organization:acme:pipeline:deploy:ref:refs/heads/main:*", WORKLOAD, "names"),
        ("organization:acme:pipeline:deploy:ref:refs/heads/main:commit:*:step:*", WORKLOAD, "names"),
        ("organization:acme:pipeline:deploy*", TENANT, "names"),
        ("organization:acme:pipeline:*:ref:refs/heads/main:*", TENANT, "names"),
        ("organization:acme*", PLATFORM, "none"),
        ("organization:acme*:pipeline:deploy:*", PLATFORM, "none"),
        ("organization:*:pipeline:deploy:*", PLATFORM, "none"),
        ("*:pipeline:deploy:*", PLATFORM, "none"),
        ("*", PLATFORM, "none"),
        ("pipeline:deploy:*", DEAD, "none"),
    ),
    "app.terraform.io": (
        ("organization:acme:project:core:workspace:prod:run_phase:apply", WORKLOAD, "names"),
        ("organization:acme:project:core:workspace:prod:run_phase:*", WORKLOAD, "names"),
        ("organization:acme:project:*:workspace:prod:run_phase:*", WORKLOAD, "names"),
        ("organization:acme:project:core:workspace:*:run_phase:*", PROJECT, "names"),
        ("organization:acme:project:core:*", PROJECT, "names"),
        ("organization:acme:project:core*", TENANT, "names"),
        ("organization:acme:*", TENANT, "names"),
        ("organization:acme:*:run_phase:apply", TENANT, "names"),
        ("organization:acme*", PLATFORM, "none"),
        ("organization:acme*:project:core:workspace:prod:run_phase:apply", PLATFORM, "none"),
        ("organization:*:project:core:workspace:prod:run_phase:apply", PLATFORM, "none"),
        ("organization:*", PLATFORM, "none"),
        ("*:workspace:prod:*", PLATFORM, "none"),
        ("organization:acme:workspace:prod:*", DEAD, "none"),
    ),
    "app.eu.terraform.io": (
        ("organization:acme:project:core:workspace:prod:run_phase:apply", WORKLOAD, "names"),
        ("organization:*", PLATFORM, "none"),
    ),
    f"vstoken.dev.azure.com/{UUID}": (
        ("sc://acme/core/deploy", WORKLOAD, "names"),
        ("sc://acme/core/*", PROJECT, "names"),
        ("sc://acme/*", TENANT, "none"),
        ("*", TENANT, "none"),
    ),
    "acme.app.spacelift.io": (
        ("space:prod-01:stack:app:run_type:TRACKED:scope:write", WORKLOAD, "ids"),
        ("space:prod-01:stack:app:*", WORKLOAD, "ids"),
        ("space:prod-01:*", PROJECT, "ids"),
        ("space:*", TENANT, "none"),
        ("*:scope:write", TENANT, "none"),
    ),
    "oidc.vercel.com/acme": (
        ("owner:acme:project:web:environment:production", WORKLOAD, "names"),
        ("owner:acme:project:web:*", PROJECT, "names"),
        ("owner:acme:*", TENANT, "none"),
        ("owner:acme:project:*:environment:production", TENANT, "none"),
        ("*", TENANT, "none"),
    ),
    "oidc.vercel.com": (
        ("owner:acme:project:web:environment:production", WORKLOAD, "names"),
        ("owner:acme:project:web:*", PROJECT, "names"),
        ("owner:acme:*", TENANT, "names"),
        ("owner:acme*", PLATFORM, "none"),
        ("owner:*:project:web:environment:production", PLATFORM, "none"),
        ("*", PLATFORM, "none"),
    ),
    "api.pulumi.com/oidc": (
        ("pulumi:deploy:org:acme:project:web:stack:prod:operation:update:scope:write", WORKLOAD, "names"),
        ("pulumi:deploy:org:acme:project:web:stack:prod:operation:*", WORKLOAD, "names"),
        ("pulumi:deploy:org:acme:project:web:*", PROJECT, "names"),
        ("pulumi:deploy:org:acme:*", TENANT, "names"),
        ("pulumi:deploy:org:acme*", PLATFORM, "none"),
        ("pulumi:deploy:org:*:project:web:stack:prod:*", PLATFORM, "none"),
        ("pulumi:*", PLATFORM, "none"),
    ),
    EKS: (
        ("system:serviceaccount:app:reader", WORKLOAD, "names"),
        ("system:serviceaccount:app:*", PROJECT, "names"),
        ("system:serviceaccount:app:reader*", PROJECT, "names"),
        ("system:serviceaccount:app*:reader", TENANT, "none"),
        ("system:serviceaccount:*:reader", TENANT, "none"),
        ("system:serviceaccount:*:*", TENANT, "none"),
        ("system:serviceaccount:*", TENANT, "none"),
        ("system:*", TENANT, "none"),
        ("*", TENANT, "none"),
        ("system:serviceaccount:reader", DEAD, "none"),
        ("system:serviceaccounts:app:reader", DEAD, "none"),
        ("app:reader", DEAD, "none"),
        ("system:serviceaccount:app/reader", DEAD, "none"),
        ("system:serviceaccount:App:Reader", DEAD, "none"),
    ),
    GKE: (("system:serviceaccount:app:reader", WORKLOAD, "names"), ("system:serviceaccount:*:*", TENANT, "none")),
    AKS: (("system:serviceaccount:app:reader", WORKLOAD, "names"), ("system:serviceaccount:app:*", PROJECT, "names")),
    ENTRA: ((UUID, WORKLOAD, "ids"), ("*", TENANT, "none")),
    ENTRA2: ((UUID, WORKLOAD, "ids"), ("*", TENANT, "none")),
    "accounts.google.com": (
        ("104837261950482716395", WORKLOAD, "ids"),
        ("10483726195048271639?", PLATFORM, "none"),
        ("1*", PLATFORM, "none"),
        ("*", PLATFORM, "none"),
        ("deploy@proj-a.iam.gserviceaccount.com", DEAD, "none"),
    ),
    "oidc.codefresh.io": (
        ("account:123:*", TENANT, "ids"),
        ("account:*", PLATFORM, "none"),
        ("account:123:pipeline:456:*", WORKLOAD, "ids"),
    ),
    "scalr.io": (
        ("account:acme:*", TENANT, "names"),
        ("account:acme:environment:prod:workspace:app", WORKLOAD, "names"),
        ("account:acme:environment:*:workspace:app", TENANT, "names"),
        ("account:acme:environment:prod:*", PROJECT, "names"),
        ("account:acme*", PLATFORM, "none"),
        ("account:*:environment:prod:workspace:app", PLATFORM, "none"),
    ),
    "tokens.cloud.shisho.dev": (("job:123:*", TENANT, "ids"), ("job:*", PLATFORM, "none")),
    "proidc.upbound.io": (
        ("mcp:acme/prod:provider:provider-aws", WORKLOAD, "names"),
        ("mcp:acme/*", TENANT, "names"),
        ("mcp:acme*", PLATFORM, "none"),
        ("mcp:*", PLATFORM, "none"),
    ),
    "studio.datachain.ai/api": (("credentials:acme/*", TENANT, "names"), ("credentials:*", PLATFORM, "none")),
    "codeberg.org/api/actions": (
        ("repo:acme/app:ref:refs/heads/main", WORKLOAD, "names"),
        ("repo:acme/app:*", PROJECT, "names"),
        ("repo:acme/*", TENANT, "names"),
        ("repo:acme*", PLATFORM, "none"),
    ),
    "code.example.org/api/actions": (("repo:acme/app:*", PROJECT, "names"), ("repo:*", TENANT, "none")),
    "oidc-configuration.audit-log.githubusercontent.com": (
        ("https://github.com/acme", WORKLOAD, "names"),
        ("https://github.com/*", PLATFORM, "none"),
    ),
    "ci.example.com": (("job-1", WORKLOAD, "ids"), ("job-*", UNKNOWN, "none"), ("*", UNKNOWN, "none")),
}
"""Patterns of the subject, each beside the audience."""
