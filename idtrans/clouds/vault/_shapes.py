"""Shapes: what an answer of Vault is, told by its fields and never by the name of its file.

Answers of `vault read -format=json PATH` do not repeat the path; `estate.yaml` gives it as `resource`, or a document is
one object that has the answers by their paths. https://developer.hashicorp.com/vault/api-docs
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from idtrans.model.documents import Format, member_names

if TYPE_CHECKING:
    from idtrans.model.documents import Document, Json
    from idtrans.model.spans import Source

JWT_ROLE: Final = "vault.jwt-role"
JWT_CONFIG: Final = "vault.jwt-config"
POLICY: Final = "vault.policy"
AWS_ROLE: Final = "vault.aws-role"
GCP_ACCOUNT: Final = "vault.gcp-account"
AZURE_ROLE: Final = "vault.azure-role"

_SIGNS: Final[tuple[tuple[str, frozenset[str]], ...]] = (
    (JWT_ROLE, frozenset({"bound_claims", "bound_audiences", "bound_subject"})),
    (JWT_CONFIG, frozenset({"oidc_discovery_url", "jwks_url", "jwt_validation_pubkeys"})),
    (AWS_ROLE, frozenset({"credential_type", "role_arns", "policy_arns"})),
    (AZURE_ROLE, frozenset({"azure_roles", "azure_groups", "application_object_id"})),
    (GCP_ACCOUNT, frozenset({"service_account_email"})),
)
"""Fields of which an answer has at least one; the first that fits decides."""
_POLICY_FIELDS: Final = ("policy", "rules")
_ALL_SIGNS: Final = frozenset({"data", *_POLICY_FIELDS}.union(*(signs for _, signs in _SIGNS)))
"""Keys, one of which every answer has."""
_POLICY_TEXT: Final = re.compile(r"""\s*(?:path\s*["{]|\{\s*"path"\s*:|[#/])""")
_ENVELOPE: Final = frozenset({"request_id", "lease_id", "lease_duration"})
_PATH: Final = re.compile(r"(?:auth|sys)/[\w./-]{1,300}|[\w.-]{1,100}/(?:[\w-]{1,40}/)?[\w./-]{1,200}")


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """One answer, out of its envelope."""

    shape: str
    path: str | None
    """Path that was read, when that is known."""
    data: Mapping[str, Json]
    source: Source
    bare: bool = False
    """The document is the text of a policy, so that lines of the one are lines of the other."""


def recognise(document: Document) -> str | None:
    """Return the shape of the first answer in a document."""
    if document.hints.cloud not in {None, "vault"}:
        return None
    if isinstance(document.content, list) and member_names(document.content).isdisjoint(_ALL_SIGNS):
        return None
    first = next(answers(document), None)
    return first.shape if first is not None else None


def answers(document: Document) -> Iterator[Answer]:
    """Yield the answers in a document: one, a list of them, or one object that has them by path."""
    content, source = document.content, document.source
    if document.format is Format.HCL:
        yield Answer(POLICY, document.hints.resource, {"policy": content}, source, bare=True)
        return
    told = document.hints.cloud == "vault"
    if isinstance(content, list):
        for index, item in enumerate(content):
            yield from _answer(item, None, source.at(index), told=told)
    elif isinstance(content, dict) and content and all(_PATH.fullmatch(str(key)) for key in content):
        for path, item in content.items():
            yield from _answer(item, str(path), source.at(path), told=True)
    else:
        yield from _answer(content, document.hints.resource, source, told=told)


def _answer(value: Json, path: str | None, source: Source, *, told: bool) -> Iterator[Answer]:
    if not isinstance(value, dict):
        return
    data, place = value, source
    inner = value.get("data")
    if isinstance(inner, dict):
        data, place = inner, source.at("data")
        told = told or bool(_ENVELOPE & value.keys())
    shape = _shape(data, told=told)
    if shape is not None:
        yield Answer(shape, path, data, place)


def _shape(data: Mapping[str, Json], *, told: bool) -> str | None:
    if any(_is_policy(data.get(name)) for name in _POLICY_FIELDS):
        return POLICY
    if not told:
        return None
    return next((shape for shape, signs in _SIGNS if signs & data.keys()), None)


def _is_policy(text: Json) -> bool:
    return isinstance(text, str) and _POLICY_TEXT.match(text) is not None
