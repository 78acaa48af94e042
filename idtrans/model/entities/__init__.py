"""What documents state, lowered to typed nouns. Readers produce these and nothing else.

Ids are the canonical ids of the cloud they belong to (see `docs/identifiers.md`): AWS ARNs, GCP v1 members and full
resource names, Azure `entra:OBJECT-ID` and lower-cased ARM ids. `cloud` is the name of the reader that produced it.
"""

from __future__ import annotations

from idtrans.model.entities._identities import (
    Container,
    Membership,
    Principal,
    PrincipalKind,
    Resource,
)
from idtrans.model.entities._policies import (
    Attachment,
    ConditionTest,
    Policy,
    PolicyPrincipal,
    PolicyStatement,
)
from idtrans.model.entities._roles import (
    AccessRule,
    BindingState,
    Boundary,
    BoundaryBinding,
    DenyAssignment,
    PermissionBlock,
    RoleBinding,
    RoleDefinition,
)
from idtrans.model.entities._trusted import (
    Credential,
    CredentialKind,
    CredentialStatus,
    FederatedCredential,
    IdentityProvider,
)

Entity = (
    Container
    | Principal
    | Membership
    | Resource
    | Policy
    | Attachment
    | RoleDefinition
    | RoleBinding
    | DenyAssignment
    | AccessRule
    | Boundary
    | BoundaryBinding
    | IdentityProvider
    | FederatedCredential
    | Credential
)
"""Everything a reader may produce, beside `Unsupported`."""

__all__ = [
    "AccessRule",
    "Attachment",
    "BindingState",
    "Boundary",
    "BoundaryBinding",
    "ConditionTest",
    "Container",
    "Credential",
    "CredentialKind",
    "CredentialStatus",
    "DenyAssignment",
    "Entity",
    "FederatedCredential",
    "IdentityProvider",
    "Membership",
    "PermissionBlock",
    "Policy",
    "PolicyPrincipal",
    "PolicyStatement",
    "Principal",
    "PrincipalKind",
    "Resource",
    "RoleBinding",
    "RoleDefinition",
]
