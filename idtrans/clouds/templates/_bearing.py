"""Which resources of a plan or a template are about access, by the words of their type and the names of their settings.

What is not about access may be named too: a note too many costs a look, one too few an answer.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from idtrans.model.documents import Json

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+")
_WORDS: Final = frozenset(
    {
        "access",
        "account",
        "acl",
        "assignment",
        "assignments",
        "authorization",
        "authorizer",
        "azuread",
        "binding",
        "bindings",
        "credential",
        "credentials",
        "custom",
        "entra",
        "federated",
        "federation",
        "grant",
        "grants",
        "iam",
        "identities",
        "identity",
        "identitystore",
        "idp",
        "invoker",
        "key",
        "kms",
        "macro",
        "member",
        "membership",
        "oidc",
        "organization",
        "organizations",
        "permission",
        "permissions",
        "policies",
        "policy",
        "principal",
        "principals",
        "ram",
        "role",
        "roles",
        "rolesanywhere",
        "saml",
        "secret",
        "serverless",
        "share",
        "sharing",
        "sso",
        "ssoadmin",
        "stack",
        "token",
        "trust",
        "vaults",
    }
)
"""Words of a type that tell; a stack inside of a stack, a macro and a resource of one's own can make anything."""
_PHRASES: Final = ("vpc_endpoint", "vpcendpoint", "serviceaccount")
_SETTINGS: Final = ("polic", "permission", "grant", "access", "role", "iam", "acl", "document", "identity")
_CLOUDS: Final = {
    "aws": "aws",
    "awscc": "aws",
    "google": "gcp",
    "azurerm": "azure",
    "azuread": "azure",
    "azapi": "azure",
}
"""Cloud by the first word of a Terraform type."""


def about_access(kind: str, settings: Json) -> bool:
    """Tell whether a resource of a type, with some settings, says who may do what."""
    words = {word.lower() for word in _WORD.findall(kind)}
    if not words.isdisjoint(_WORDS) or any(phrase in kind.lower() for phrase in _PHRASES):
        return True
    if not isinstance(settings, dict):
        return False
    stated = (str(key).lower() for key, value in settings.items() if value not in (None, "", [], {}))
    return any(part in key for key in stated for part in _SETTINGS)


def cloud_of(kind: str) -> str | None:
    """Return the cloud of a Terraform type, `None` for those of other providers."""
    return _CLOUDS.get(kind.partition("_")[0])
