"""Write a federation intent as federated credentials of an application or a managed identity.

https://learn.microsoft.com/entra/workload-id/workload-identity-federation-create-trust
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Final

from idtrans.clouds.azure._emit_names import finish, label, slug
from idtrans.clouds.azure._pins import drops
from idtrans.clouds.azure._shapes import FEDERATED
from idtrans.model.artifacts import Argv, Emission, JsonArgument, Loss, LossEffect, Native, TerraformBlock
from idtrans.model.errors import UsageError

if TYPE_CHECKING:
    from idtrans.model.artifacts import TerraformValue
    from idtrans.model.documents import Json
    from idtrans.model.intents import FederationIntent, Names

AUDIENCE: Final = "api://AzureADTokenExchange"
"""Audience that Entra expects in the public cloud."""
MOST: Final = 20
"""Federated credentials that one identity may have."""

_LENGTH = 600
_FLEXIBLE = {"github": "https://token.actions.githubusercontent.com", "gitlab": "https://gitlab.com"}
"""Issuers whose tokens an expression can test, by kind."""
_IDS = {"github": ("repository_id", "repository_owner_id"), "gitlab": ("project_id",)}
"""The ids of which an expression has to name one."""
_TESTABLE = ("repository_id", "repository_owner_id", "job_workflow_ref", "project_id")
_ABBREVIATED = "https://graph.microsoft.com/beta/applications/{}/federatedIdentityCredentials"


@dataclass(frozen=True, slots=True)
class _Credential:
    """One credential to write."""

    name: str
    issuer: str
    audience: str
    subject: str | None
    expression: str | None


def emit_federation(intent: FederationIntent, names: Names) -> Emission:
    """Write one credential for each subject, and a flexible one for each that has a `*`.

    Raises:
        UsageError: more than twenty credentials would be needed, a wildcard cannot be said, or a subject is too long.
    """
    wanted = [(subject, pins) for subject in intent.subjects for pins in _combinations(intent, subject)]
    if not wanted:
        raise UsageError("the intent names no subject", advice="say which workload is to be let in")
    if len(wanted) > MOST:
        raise UsageError(
            f"{len(wanted)} federated credentials would be needed, an identity can have {MOST}",
            advice="name fewer subjects, or spread them over several identities",
        )
    credentials = [
        _credential(intent, subject, pins, number=number if len(wanted) > 1 else None)
        for number, (subject, pins) in enumerate(wanted, start=1)
    ]
    losses = list(drops(intent, _TESTABLE))
    if len(credentials) > 1:
        why = "Azure has no alternatives in one credential: each subject has its own"
        losses.append(Loss("several subjects", LossEffect.SPLIT, why))
    managed = names.values.get("azure-identity-name") is not None
    if managed and any(credential.expression is not None for credential in credentials):
        losses.append(Loss("terraform", LossEffect.DROP, "azurerm cannot write flexible credentials of an identity"))
    write = _for_identity if managed else _for_application
    natives = tuple(Native(FEDERATED, credential.name, _body(credential)) for credential in credentials)
    commands: list[Argv] = []
    blocks: list[TerraformBlock] = []
    for credential in credentials:
        command, block = write(credential, names)
        commands.append(command)
        blocks += [block] if block is not None else []
    return finish(Emission(natives, tuple(commands), tuple(blocks), tuple(losses)))


def _combinations(intent: FederationIntent, subject: str) -> list[tuple[tuple[str, str], ...]]:
    """Return the pins that the credential of a subject tests, each way of choosing one value for each."""
    if "*" not in subject:
        return [()]
    _check_wildcard(intent, subject)
    pins = [pin for pin in intent.pins if pin.claim in _TESTABLE and pin.values]
    if not any(pin.claim in _IDS[intent.issuer_kind] for pin in pins):
        raise UsageError(
            f"the subject `{subject}` has a wildcard, and Azure asks for an id beside it",
            advice=f"give the {' or the '.join(_IDS[intent.issuer_kind])}, or name each ref or environment",
        )
    return list(product(*([(pin.claim, value) for value in pin.values] for pin in pins)))


def _check_wildcard(intent: FederationIntent, subject: str) -> None:
    if _FLEXIBLE.get(intent.issuer_kind) != intent.issuer:
        raise UsageError(
            f"Azure cannot say the wildcard in `{subject}` for tokens of `{intent.issuer}`",
            advice="name each subject in full",
        )
    if any(character in subject for character in "?'\\"):
        raise UsageError(
            f"the subject `{subject}` cannot be written in an expression", advice="name each subject in full"
        )


def _credential(
    intent: FederationIntent, subject: str, pins: tuple[tuple[str, str], ...], *, number: int | None
) -> _Credential:
    base = slug(intent.name, limit=110)
    # Azure asks for three characters at least.
    name = f"{base}-{number}" if number is not None else base.ljust(3, "0")
    expression = None
    if "*" in subject:
        tests = [f"claims['sub'] matches '{subject}'", *(f"claims['{claim}'] eq '{value}'" for claim, value in pins)]
        expression = " and ".join(tests)
        quoted = [value for _, value in pins if "'" in value or "\\" in value]
        if quoted:
            raise UsageError(f"the value `{quoted[0]}` cannot be written in an expression", advice="correct the value")
    if len(subject) > _LENGTH:
        raise UsageError(f"the subject is longer than {_LENGTH} characters", advice="shorten the names in it")
    audience = intent.audience or AUDIENCE
    return _Credential(name, intent.issuer, audience, None if expression else subject, expression)


def _body(credential: _Credential) -> Json:
    """Return a credential as Graph takes it and `az` prints it."""
    body: Json = {"name": credential.name, "issuer": credential.issuer, "audiences": [credential.audience]}
    if credential.expression is not None:
        body["claimsMatchingExpression"] = {"value": credential.expression, "languageVersion": 1}
    else:
        body["subject"] = credential.subject
    return body


def _for_application(credential: _Credential, names: Names) -> tuple[Argv, TerraformBlock]:
    object_id = names.get("azure-application-object-id")
    body = JsonArgument(_body(credential))
    shared: dict[str, TerraformValue] = {
        "application_id": f"/applications/{object_id}",
        "display_name": credential.name,
        "issuer": credential.issuer,
    }
    if credential.expression is None:
        owner = names.values.get("azure-application-id") or object_id
        words = ("az", "ad", "app", "federated-credential", "create", "--id", owner, "--parameters", body)
        fields: dict[str, TerraformValue] = {"audiences": (credential.audience,), "subject": credential.subject}
        labels = ("azuread_application_federated_identity_credential", label(credential.name))
        return Argv(words, why="lets the subject in"), TerraformBlock("resource", labels, {**shared, **fields})
    # `az ad app federated-credential` speaks Graph 1.0, which has no expressions.
    rest = ("az", "rest", "--method", "post", "--url", _ABBREVIATED.format(object_id), "--body", body)
    flexible: dict[str, TerraformValue] = {
        "audience": credential.audience,
        "claims_matching_expression": credential.expression,
    }
    labels = ("azuread_application_flexible_federated_identity_credential", label(credential.name))
    return Argv(rest, why="lets the subjects in"), TerraformBlock("resource", labels, {**shared, **flexible})


def _for_identity(credential: _Credential, names: Names) -> tuple[Argv, TerraformBlock | None]:
    identity, group = names.get("azure-identity-name"), names.get("azure-resource-group")
    path = (
        f"/subscriptions/{names.get('azure-subscription-id')}/resourceGroups/{group}"
        f"/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{identity}"
    )
    if credential.expression is not None:
        url = (
            f"https://management.azure.com{path}/federatedIdentityCredentials/{credential.name}"
            "?api-version=2025-01-31-preview"
        )
        content = {"properties": {key: value for key, value in _body(credential).items() if key != "name"}}
        rest = ("az", "rest", "--method", "put", "--url", url, "--body", JsonArgument(content))
        return Argv(rest, why="lets the subjects in"), None
    words = (
        *("az", "identity", "federated-credential", "create", "--identity-name", identity),
        *("--resource-group", group, "--name", credential.name, "--issuer", credential.issuer),
        *("--subject", credential.subject or "", "--audiences", credential.audience),
    )
    body: dict[str, TerraformValue] = {
        "name": credential.name,
        "resource_group_name": group,
        "parent_id": path,
        "audience": (credential.audience,),
        "issuer": credential.issuer,
        "subject": credential.subject,
    }
    block = TerraformBlock("resource", ("azurerm_federated_identity_credential", label(credential.name)), body)
    return Argv(words, why="lets the subject in"), block
