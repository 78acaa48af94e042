"""Documents of trusts in the words of each cloud, written short, and what an audit finds in them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from idtrans.api import load, trusters
from idtrans.audit import audit, load_rules
from idtrans.audit._facts import collect_facts

NOW = datetime(2026, 11, 1, tzinfo=UTC)
RULES = load_rules()
GITHUB = "token.actions.githubusercontent.com"
ROLE = "arn:aws:iam::111122223333:role/deploy"
APP = "repo:acme@31415926/app@27182818"
POOL = "projects/540987654321/locations/global/workloadIdentityPools/ci"
TARGET = "//iam.googleapis.com/projects/acme-app/serviceAccounts/deploy@acme-app.iam.gserviceaccount.com"
OWNER = "assertion.repository_owner_id == '31415926'"
Documents = list[tuple[Any, dict[str, Any]]]


def statement(condition=None, *, issuer=GITHUB, action="sts:AssumeRoleWithWebIdentity", principal=None):
    """Return one statement of a trust policy."""
    party = principal or {"Federated": f"arn:aws:iam::111122223333:oidc-provider/{issuer}"}
    found = {"Effect": "Allow", "Principal": party, "Action": action}
    return {**found, "Condition": condition} if condition else found


def role(*statements) -> Documents:
    """Return the trust policy of a role."""
    hints = {"layer": "trust", "principal": ROLE, "account": "111122223333"}
    return [({"Version": "2012-10-17", "Statement": list(statements)}, hints)]


def aws(condition=None, **kinds) -> Documents:
    """Return a trust policy with one statement."""
    return role(statement(condition, **kinds))


def claims(operator="StringEquals", *, issuer=GITHUB, aud="sts.amazonaws.com", **tested) -> Documents:
    """Return a trust policy that tests claims of one issuer with one operator, beside the audience."""
    tests: dict[str, dict[str, Any]] = {"StringEquals": {f"{issuer}:aud": aud}}
    for name, value in tested.items():
        tests.setdefault(operator, {})[f"{issuer}:{name}"] = value
    return aws(tests, issuer=issuer)


def like(sub, *, issuer=GITHUB, aud="sts.amazonaws.com", **tested) -> Documents:
    """Return a trust policy that tests the subject by pattern."""
    return claims("StringLike", issuer=issuer, aud=aud, sub=sub, **tested)


def service(name, condition=None, action="sts:AssumeRole") -> Documents:
    """Return the trust policy of a role for a service."""
    return aws(condition, principal={"Service": name}, action=action)


def account(party, condition=None) -> Documents:
    """Return the trust policy of a role for an account or identity of AWS."""
    return aws(condition, principal={"AWS": party}, action="sts:AssumeRole")


def provider(condition=None, *, issuer=f"https://{GITHUB}", name="ci", **mapping):
    """Return a provider of the pool; names of attributes say what is mapped besides the subject."""
    attributes = {f"attribute.{name}": text for name, text in mapping.items()}
    found = {
        "name": f"{POOL}/providers/{name}",
        "state": "ACTIVE",
        "oidc": {"issuerUri": issuer},
        "attributeMapping": {"google.subject": "assertion.sub", **attributes},
    }
    return {**found, "attributeCondition": condition} if condition else found


def gcp(providers, *members) -> Documents:
    """Return providers, and a binding of the service account to identities of their pool."""
    found: Documents = [(providers if isinstance(providers, list) else [providers], {})]
    if members:
        kinds = ["principal" if member.startswith("subject/") else "principalSet" for member in members]
        texts = [f"{kind}://iam.googleapis.com/{POOL}/{m}" for kind, m in zip(kinds, members, strict=True)]
        bindings = [{"role": "roles/iam.workloadIdentityUser", "members": texts}]
        found.append(({"version": 1, "etag": "CAE=", "bindings": bindings}, {"resource": TARGET}))
    return found


def azure(subject=None, expression=None, issuer=f"https://{GITHUB}") -> Documents:
    """Return a federated credential of an application."""
    matching = {"languageVersion": 1, "value": expression} if expression else None
    credential = {
        "id": "66666666-0000-4000-8000-000000000002",
        "name": "deploy",
        "issuer": issuer,
        "subject": subject,
        "audiences": ["api://AzureADTokenExchange"],
        "claimsMatchingExpression": matching,
    }
    return [([credential], {"principal": "entra:77777777-0000-4000-8000-000000000002"})]


def estate_of(folder, documents: Documents):
    """Read documents as a user's folder is read. A document that is a text is written as it stands."""
    entries = []
    for number, (document, hints) in enumerate(documents):
        path = f"input-{number}.json"
        (folder / path).write_text(document if isinstance(document, str) else json.dumps(document), "utf-8")
        entries.append({"path": path, **hints})
    (folder / "estate.yaml").write_text(json.dumps(entries), "utf-8")
    return load([folder], now=NOW)


def audited(folder, documents: Documents):
    """Return the report of all rules on documents."""
    return audit(estate_of(folder, documents), trusters(), RULES)


def trust_facts_of(folder, documents: Documents):
    """Return the facts about trusts in documents."""
    return collect_facts(estate_of(folder, documents), trusters()).trusts
