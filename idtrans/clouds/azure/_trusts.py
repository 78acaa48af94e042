"""Trusts: the federated credentials of each application and managed identity, as conditions over claims.

Issuer, subject and audience of a classic credential are compared exactly, by case too, and know no wildcards.
https://learn.microsoft.com/entra/workload-id/workload-identity-federation-considerations
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.algebra import Condition, Opaque, Quantifier, Test, all_of, exact, one_of
from idtrans.clouds.azure._flexible import UnreadableExpressionError, claims_of, parse
from idtrans.clouds.azure._ids import resolve
from idtrans.clouds.azure._index import Index, index_of
from idtrans.clouds.azure._names import NAME, PREFIX
from idtrans.model.entities import FederatedCredential
from idtrans.model.values import UNKNOWN
from idtrans.ports import Note, Trust, TrustKind

if TYPE_CHECKING:
    from idtrans.model.estate import Estate

_IDS: Final = {
    "https://token.actions.githubusercontent.com": ("repository_id", "repository_owner_id"),
    "https://gitlab.com": ("project_id",),
}
"""Issuers whose tokens an expression can test, and the ids of which Entra asks for one."""


def trusts(estate: Estate) -> tuple[Trust, ...]:
    """Return one trust for each credential, since each can be dead or wide by itself."""
    index = index_of(estate)
    return tuple(_trust(credential, index) for credential in estate.of(FederatedCredential, NAME))


def _target(credential: FederatedCredential, index: Index) -> str:
    """Return the identity that a credential leads to. A list without a named owner is that of one application."""
    if credential.owner is UNKNOWN:
        return f"{PREFIX}<owner of {credential.source.path}>"
    return resolve(credential.owner, index)


def _trust(credential: FederatedCredential, index: Index) -> Trust:
    return Trust(
        cloud=NAME,
        kind=TrustKind.WEB_IDENTITY,
        target=_target(credential, index),
        issuer=credential.issuer,
        admits=admits(credential),
        source=credential.source,
        audiences=credential.audiences,
        notes=tuple(_notes(credential)),
    )


def admits(credential: FederatedCredential) -> Condition:
    """Return which tokens of the issuer one credential accepts."""
    parts: list[Condition] = []
    if credential.audiences:
        parts.append(Test("aud", Quantifier.ANY, one_of(credential.audiences)))
    else:
        parts.append(Opaque(f"the audience of `{credential.id}`", "the credential states none"))
    if credential.subject is not None:
        parts.append(Test("sub", Quantifier.ONE, exact(credential.subject)))
    if credential.expression is not None:
        try:
            parts.append(parse(credential.expression))
        except UnreadableExpressionError as error:
            parts.append(Opaque(credential.expression, f"the expression is not understood: {error}"))
    return all_of(*parts)


def _notes(credential: FederatedCredential) -> list[Note]:
    notes: list[Note] = []
    label = f"`{credential.name or credential.id}`"
    if credential.owner is UNKNOWN:
        notes.append(Note("OWNER_UNKNOWN", f"no document says which application credential {label} belongs to"))
    if len(credential.audiences) != 1:
        notes.append(Note("AUDIENCE_COUNT", f"credential {label} needs exactly one audience"))
    if credential.issuer != credential.issuer.strip():
        notes.append(
            Note("ISSUER_BLANK", f"the issuer of credential {label} has blanks around it and matches no token")
        )
    if credential.subject is not None and "*" in credential.subject:
        text = f"the `*` in subject `{credential.subject}` is a plain character: no token matches"
        notes.append(Note("LITERAL_WILDCARD", text))
    if credential.expression is not None:
        notes += _expression_notes(credential, credential.expression)
    return notes


def _expression_notes(credential: FederatedCredential, expression: str) -> list[Note]:
    """Remark on a flexible expression that Entra would refuse today: one that names no numeric id of the tenant.

    https://learn.microsoft.com/entra/workload-id/workload-identities-flexible-federated-identity-credentials
    """
    if credential.subject is not None:
        return [Note("SUBJECT_AND_EXPRESSION", "a credential has either a subject or an expression, this has both")]
    try:
        tested = claims_of(expression)
    except UnreadableExpressionError as error:
        return [Note("EXPRESSION_UNREADABLE", f"the expression `{expression}` is not understood: {error}")]
    ids = _IDS.get(credential.issuer, ())
    if ids and tested.isdisjoint(ids):
        names = " nor ".join(f"`{name}`" for name in ids)
        text = f"the expression `{expression}` tests {'neither ' if len(ids) > 1 else 'no '}{names}"
        return [Note("FLEXIBLE_WITHOUT_ID", text)]
    return []
