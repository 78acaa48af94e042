"""Credentials: which role of an auth method obtains which cloud credentials, and whose these are.

https://developer.hashicorp.com/vault/docs/secrets/aws
https://developer.hashicorp.com/vault/docs/secrets/gcp
https://developer.hashicorp.com/vault/docs/secrets/azure
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from idtrans.clouds.vault._names import NAME, path_id
from idtrans.clouds.vault._paths import capabilities, literal_paths
from idtrans.model.entities import Attachment, Policy, PolicyStatement, Principal, PrincipalKind, Resource
from idtrans.model.estate import Estate
from idtrans.ports import Impersonation

_ROOT: Final = path_id("sys/policies/acl/root")
_OBTAINS: Final = ("read", "update", "create")
"""Capabilities with which credentials are made out; `read` and `update` ask for the same."""
_LITERAL: Final = re.compile(
    r"[\w./-]*?(?:(?:creds|sts|token|key)/[\w.-]+|(?:roleset|static-account|impersonated-account)/[\w.-]+/(?:token|key))"
)
_STATIC: Final = {
    "iam_user": "an access key of a user that Vault makes",
    "service_account_key": "a key of the service account",
}
"""Kinds of credentials that hold until they are revoked."""
_AWS, _GCP, _AZURE = "vault.aws-role", "vault.gcp-account", "vault.azure-role"


@dataclass(frozen=True, slots=True)
class _Offer:
    """A path that gives out credentials."""

    path: str
    role: Resource


def impersonations(estate: Estate) -> tuple[Impersonation, ...]:
    """Return the steps from a role to a path that gives out credentials, and from there to a cloud identity."""
    offers = [offer for role in estate.of(Resource, NAME) for offer in _offers(role)]
    return (*_reached(estate, offers), *(step for offer in offers for step in _identities(offer)))


def _offers(role: Resource) -> Iterator[_Offer]:
    path = role.id.removeprefix(path_id(""))
    shape = role.settings.get("shape")
    mount, _, rest = path.partition("/roles/")
    if shape == _AWS and rest:
        yield from (_Offer(f"{mount}/{kind}/{rest}", role) for kind in ("creds", "sts"))
    elif shape == _AZURE and rest:
        yield _Offer(f"{mount}/creds/{rest}", role)
    elif shape == _GCP:
        kind = "key" if role.settings.get("secret_type") == "service_account_key" else "token"
        yield _Offer(f"{path}/{kind}", role)
        head, found, name = path.partition("/roleset/")
        if found:
            yield _Offer(f"{head}/{kind}/{name}", role)


def _reached(estate: Estate, offers: list[_Offer]) -> Iterator[Impersonation]:
    policies = {policy.id: policy for policy in estate.of(Policy, NAME)}
    held: dict[str, list[str]] = {}
    for entity in estate.of(Attachment, NAME):
        held.setdefault(entity.principal, []).append(entity.policy)
    for role in estate.of(Principal, NAME):
        if role.kind is not PrincipalKind.ROLE:
            continue
        names = held.get(role.id, [])
        statements = [each for name in names if name in policies for each in policies[name].statements]
        known = dict.fromkeys(offer.path for offer in offers)
        named = (path for path in literal_paths(statements) if _LITERAL.fullmatch(path))
        for path in dict.fromkeys((*known, *named)):
            step = _step(role, path, statements, root=_ROOT in names)
            if step is not None:
                yield step


def _step(role: Principal, path: str, statements: list[PolicyStatement], *, root: bool) -> Impersonation | None:
    given = capabilities(statements, path)
    may = [name for name in _OBTAINS if name in given]
    if not may and not root:
        return None
    sure = not any(each.doubts for each in statements)
    permission = f"{may[0] if may else 'root'} {path}"
    return Impersonation(NAME, role.id, path_id(path), permission, role.source, sure=sure)


def _identities(offer: _Offer) -> Iterator[Impersonation]:
    settings = offer.role.settings
    kind = str(settings.get("credential_type") or settings.get("secret_type") or "access_token")
    lifetime = f"{_STATIC[kind]}, static" if kind in _STATIC else f"{kind}, short-lived"
    for identity in _targets(offer.role, kind):
        yield Impersonation(NAME, path_id(offer.path), identity, lifetime, offer.role.source)


def _targets(role: Resource, kind: str) -> Iterator[str]:
    settings = role.settings
    if "role_arns" in settings and kind == "assumed_role":
        yield from str(settings["role_arns"]).split()
    if "service_account_email" in settings:
        yield f"serviceAccount:{settings['service_account_email']}"
    if "application_object_id" in settings:
        yield f"entra:{str(settings['application_object_id']).lower()}"
