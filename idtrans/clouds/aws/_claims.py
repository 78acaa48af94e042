"""Which claims of a web identity token AWS offers as condition keys, by issuer.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_iam-condition-keys.html#condition-keys-wif
"""

from __future__ import annotations

from functools import cache
from typing import Final

from idtrans.algebra import glob

COMMON: Final = frozenset({"amr", "aud", "sub"})
"""Claims that AWS reads of every token."""
_GITHUB: Final = frozenset(
    {
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
)
_GITLAB: Final = frozenset(
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
    }
)
_BUILDKITE: Final = frozenset(
    {
        "build_branch",
        "cluster_id",
        "cluster_name",
        "organization_id",
        "organization_slug",
        "pipeline_id",
        "pipeline_slug",
    }
)
_EXTRA: Final = {
    "token.actions.githubusercontent.com": _GITHUB,
    "token.actions.githubusercontent.com/*": _GITHUB,
    "token.actions.*.ghe.com": _GITHUB,
    "github.com/enterprises/*": _GITHUB,
    "gitlab.com": _GITLAB,
    "agent.buildkite.com": _BUILDKITE,
    "oidc.circleci.com/org/*": frozenset({"oidc.circleci.com/project-id"}),
    "idcs-*.identity.oraclecloud.com": frozenset({"rpst_id"}),
    "accounts.google.com": frozenset({"oaud", "google/organization_number"}),
    "graph.facebook.com": frozenset({"app_id", "id"}),
    "www.amazon.com": frozenset({"app_id", "user_id"}),
}
"""Further claims by issuer without its scheme; a star stands for any text."""
BUILT_IN: Final = frozenset(
    {"accounts.google.com", "cognito-identity.amazonaws.com", "graph.facebook.com", "www.amazon.com"}
)
"""Issuers that need no provider object in the account."""


@cache
def claims_of(issuer: str) -> frozenset[str]:
    """Return the claims that conditions can test for an issuer, given without its scheme."""
    found = COMMON
    for pattern, extra in _EXTRA.items():
        if glob(pattern).matches(issuer.lower().rstrip("/")):
            found |= extra
    return found
