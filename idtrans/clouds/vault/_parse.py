"""From answers of Vault to entities."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from idtrans.clouds.vault import _shapes
from idtrans.clouds.vault._names import NAME, mount_of, path_id, policy_id
from idtrans.clouds.vault._policy_text import PolicyTextError, read_policy
from idtrans.model.documents import Unsupported
from idtrans.model.entities import (
    Attachment,
    FederatedCredential,
    IdentityProvider,
    Policy,
    PolicyStatement,
    Principal,
    PrincipalKind,
    Resource,
)
from idtrans.model.values import Effect, Layer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from idtrans.clouds.vault._shapes import Answer
    from idtrans.model.documents import Document, Json
    from idtrans.model.entities import Entity
    from idtrans.model.spans import Source

BOUNDS: Final = ("bound_claims", "bound_claims_type", "bound_cidrs", "token_bound_cidrs", "role_type")
"""Fields of a role that a trust is made of, beside audience and subject."""


def parse(document: Document, shape: str) -> Iterator[Entity | Unsupported]:  # noqa: ARG001 - the protocol's signature
    """Yield everything that the answers in a document state."""
    yield from document.problems
    for answer in _shapes.answers(document):
        yield from _PARSERS[answer.shape](answer)


def _pathless(answer: Answer) -> Unsupported:
    kind = answer.shape.removeprefix("vault.")
    return Unsupported(f"nothing says which path the {kind} was read from; give it as `resource`", answer.source, NAME)


def _jwt_role(answer: Answer) -> Iterator[Entity | Unsupported]:
    if answer.path is None:
        yield _pathless(answer)
        return
    role, mount = path_id(answer.path), mount_of(answer.path, "role/")
    name = answer.path.rpartition("/")[2]
    yield Principal(NAME, role, PrincipalKind.ROLE, answer.source, name=name)
    yield FederatedCredential(
        cloud=NAME,
        id=f"{role}#login",
        owner=role,
        issuer=mount,
        audiences=texts(answer.data.get("bound_audiences")),
        source=answer.source,
        subject=_text(answer.data.get("bound_subject")),
        expression=json.dumps({key: answer.data[key] for key in BOUNDS if answer.data.get(key)}, sort_keys=True),
        name=name,
    )
    for policy in ("default", *texts(answer.data.get("token_policies")), *texts(answer.data.get("policies"))):
        yield Attachment(NAME, policy_id(policy), role, Layer.IDENTITY, answer.source)


def _jwt_config(answer: Answer) -> Iterator[Entity | Unsupported]:
    if answer.path is None:
        yield _pathless(answer)
        return
    issuer = _text(answer.data.get("bound_issuer")) or _text(answer.data.get("oidc_discovery_url"))
    mount = mount_of(answer.path, "config")
    yield IdentityProvider(NAME, path_id(answer.path), issuer, "oidc", answer.source, pool=mount)


def _policy(answer: Answer) -> Iterator[Entity | Unsupported]:
    name = _text(answer.data.get("name")) or (answer.path or "").rpartition("/")[2]
    if not name:
        yield _pathless(answer)
        return
    text = _text(answer.data.get("policy")) or _text(answer.data.get("rules")) or ""
    try:
        rules = read_policy(text)
    except PolicyTextError as error:
        reason = f"the policy `{name}` is not understood: {error}"
        yield Unsupported(reason, _line_of(answer, error.line), NAME, policy_id(name))
        return
    statements = tuple(
        PolicyStatement(
            Effect.DENY if "deny" in rule.capabilities else Effect.ALLOW,
            _line_of(answer, rule.line),
            actions=rule.capabilities,
            resources=(rule.path,),
            doubts=tuple(f"`{limit}` narrows `{rule.path}`" for limit in rule.limits),
        )
        for rule in rules
    )
    yield Policy(NAME, policy_id(name), Layer.IDENTITY, None, "1", statements, answer.source, name)


def _line_of(answer: Answer, line: int) -> Source:
    return answer.source.at(line) if answer.bare else answer.source


def _secrets_role(answer: Answer) -> Iterator[Entity | Unsupported]:
    if answer.path is None:
        yield _pathless(answer)
        return
    settings: dict[str, str | int | bool | None] = {"shape": answer.shape}
    for key in ("credential_type", "role_arns", "secret_type", "service_account_email", "application_object_id"):
        found = " ".join(texts(answer.data.get(key)))
        if found:
            settings[key] = found
    name = answer.path.rpartition("/")[2]
    yield Resource(NAME, path_id(answer.path), "secrets-role", answer.source, name=name, settings=settings)


_PARSERS: Final[Mapping[str, Callable[[Answer], Iterator[Entity | Unsupported]]]] = {
    _shapes.JWT_ROLE: _jwt_role,
    _shapes.JWT_CONFIG: _jwt_config,
    _shapes.POLICY: _policy,
    _shapes.AWS_ROLE: _secrets_role,
    _shapes.GCP_ACCOUNT: _secrets_role,
    _shapes.AZURE_ROLE: _secrets_role,
}


def texts(value: Json) -> tuple[str, ...]:
    """Return a list of texts, or a text with commas in it, as a tuple; what is neither is left out."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) and value.strip() else None
