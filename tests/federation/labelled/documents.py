"""Native trust documents, as people write them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

ACCOUNT = "111122223333"
OTHER = "444455556666"
ROLE = f"arn:aws:iam::{ACCOUNT}:role/deploy"
GITHUB = "token.actions.githubusercontent.com"
STS = "sts.amazonaws.com"
WEB = "sts:AssumeRoleWithWebIdentity"
POOL = "projects/123456789012/locations/global/workloadIdentityPools/ci"
SET = f"principalSet://iam.googleapis.com/{POOL}"
WHOLE = f"{SET}/*"
ONE = f"principal://iam.googleapis.com/{POOL}/subject/"
SERVICE_ACCOUNT = "//iam.googleapis.com/projects/proj-a/serviceAccounts/deploy@proj-a.iam.gserviceaccount.com"
EXCHANGE = "api://AzureADTokenExchange"
APP = "entra:77777777-0000-4000-8000-000000000001"

Json = Any
Entry = dict[str, Json]
MAIN = "repo:acme/app:ref:refs/heads/main"
OWNER = "assertion.repository_owner == 'acme'"
GKE = "proj-a.svc.id.goog"
UUID = "33333333-2222-4333-8444-555555555555"
AKS = f"https://westeurope.oic.prod-aks.azure.com/{UUID}/{UUID}/"
OUTBOUND = "https://0123abcd.tokens.sts.global.api.aws"


@dataclass(frozen=True)
class Documents:
    """Documents that make one trust, with what is said of each beside its content."""

    entries: tuple[Entry, ...]


def policy(*statements: Entry) -> Documents:
    """Return the trust policy of a role."""
    document = {"Version": "2012-10-17", "Statement": list(statements)}
    return Documents(({"content": document, "layer": "trust", "principal": ROLE},))


def statement(principal: Json, tests: Mapping[str, Mapping[str, Json]] | None, **more: Json) -> Entry:
    """Return a statement that lets somebody in."""
    body = {"Effect": "Allow", "Principal": principal, "Action": "sts:AssumeRole", **more}
    return body if tests is None else {**body, "Condition": tests}


def web(tests: Mapping[str, Mapping[str, Json]] | None, issuer: str = GITHUB, **more: Json) -> Entry:
    """Return a statement for tokens; claims that are given without an issuer are of the statement's own."""
    provider = issuer if issuer in BUILT_IN else f"arn:aws:iam::{ACCOUNT}:oidc-provider/{issuer}"
    keyed = {
        operator: {key[1:] if key.startswith("!") else f"{issuer}:{key}": value for key, value in claims.items()}
        for operator, claims in (tests or {}).items()
    }
    body = {"Action": WEB, **more}
    stated = statement({"Federated": provider}, None if tests is None else keyed, **body)
    return {key: value for key, value in stated.items() if value is not None}


BUILT_IN = frozenset({"accounts.google.com", "cognito-identity.amazonaws.com", "graph.facebook.com", "www.amazon.com"})


def equal(sub: Json, issuer: str = GITHUB, aud: Json = STS, **more: Json) -> Documents:
    """Return a role that compares the subject exactly."""
    return policy(web({"StringEquals": {"aud": aud, "sub": sub, **more}}, issuer))


def like(sub: Json, issuer: str = GITHUB, aud: Json = STS, **more: Json) -> Documents:
    """Return a role that compares the subject with a pattern, and other claims exactly."""
    exact = more if aud is None else {"aud": aud, **more}
    return policy(web({"StringLike": {"sub": sub}, **({"StringEquals": exact} if exact else {})}, issuer))


def claims(issuer: str = GITHUB, **tested: Json) -> Documents:
    """Return a role that compares claims exactly."""
    return policy(web({"StringEquals": {name.replace("__", "/"): value for name, value in tested.items()}}, issuer))


def pool(
    condition: str | None,
    *members: str,
    issuer: str = f"https://{GITHUB}",
    mapping: Mapping[str, str] | None = None,
    **more: Json,
) -> Documents:
    """Return a provider of a pool, and who of the pool may act as a service account."""
    mapped = {
        "google.subject": "assertion.sub",
        "attribute.actor": "assertion.actor",
        "attribute.ref": "assertion.ref",
        "attribute.repository": "assertion.repository",
        "attribute.repository_id": "assertion.repository_id",
        "attribute.repository_owner": "assertion.repository_owner",
        "attribute.repository_owner_id": "assertion.repository_owner_id",
    }
    provider: Entry = {
        "name": f"{POOL}/providers/p",
        "oidc": {"issuerUri": issuer},
        "attributeMapping": mapped if mapping is None else {"google.subject": "assertion.sub", **mapping},
        "state": "ACTIVE",
        **more,
    }
    if condition is not None:
        provider["attributeCondition"] = condition
    return Documents(({"content": provider}, *bindings(*members).entries))


def bindings(*members: str) -> Documents:
    """Return who may act as a service account."""
    grants = [{"role": "roles/iam.workloadIdentityUser", "members": list(members)}]
    return Documents(({"content": {"bindings": grants}, "resource": SERVICE_ACCOUNT},))


def credential(subject: str | None = None, issuer: str = f"https://{GITHUB}", **more: Json) -> Documents:
    """Return a federated credential of an application."""
    body: Entry = {"name": "c", "issuer": issuer, "audiences": [EXCHANGE], **more}
    if subject is not None:
        body["subject"] = subject
    return Documents(({"content": [body], "principal": APP},))


def flexible(expression: str, issuer: str = f"https://{GITHUB}") -> Documents:
    """Return a federated credential with an expression."""
    return credential(None, issuer, claimsMatchingExpression={"value": expression, "languageVersion": 1})


def login(issuer: str = f"https://{GITHUB}", **fields: Json) -> Documents:
    """Return a role of a JWT auth method of Vault."""
    bounds = {"role_type": "jwt", "user_claim": "sub", "bound_audiences": ["https://github.com/acme"], **fields}
    answers = {
        "auth/jwt/role/deploy": {"request_id": "1", "data": {"bound_claims_type": "string", **bounds}},
        "auth/jwt/config": {"data": {"oidc_discovery_url": issuer, "bound_issuer": ""}},
    }
    return Documents(({"content": answers},))
