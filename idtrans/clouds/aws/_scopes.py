"""Scopes as AWS writes them: object stores, whole accounts and single resources.

https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-arn-format.html
"""

from __future__ import annotations

import re
from typing import Final

from idtrans.catalog import CALLED_ALIKE, NAME, scope_kinds
from idtrans.clouds.aws._arns import read_arn
from idtrans.model.intents import Names, Scope

OBJECT_STORE: Final = "object-store"
_ACCOUNT: Final = "account"
_RESOURCE: Final = "resource"
_SECRET: Final = "secret"  # noqa: S105 - a kind of scope, not a password
_SUFFIX: Final = re.compile(r"-(?:\?{6}|[A-Za-z0-9]{6})$")
"""What AWS adds to the name of a secret. https://docs.aws.amazon.com/secretsmanager/latest/userguide/whats-in-a-secret.html"""
_ACCOUNT_ID: Final = re.compile(r"[0-9]{12}")


def scope(text: str, kind: str) -> Scope | None:
    """Read a scope of a kind, `None` when the text is none.

    An `object-store` is the ARN pattern of a bucket, of its objects, or of objects below a prefix. An `account` is
    `*` or an account id, or all its buckets whose names start in some way. A `resource` is any other ARN.
    """
    if kind == _ACCOUNT:
        return _account(text)
    if kind == _RESOURCE:
        return Scope(kind, text, {"resource": text}) if read_arn(text) is not None else None
    if kind == OBJECT_STORE:
        return _object_store(text)
    known = scope_kinds("aws").get(kind)
    parts = known.read(_SUFFIX.sub("", text) if kind == _SECRET else text) if known is not None else None
    return Scope(kind, text, parts) if parts is not None else None


def _account(text: str) -> Scope | None:
    if _ACCOUNT_ID.fullmatch(text):
        return Scope(_ACCOUNT, "*", {"account_id": text})
    if text == "*":
        return Scope(_ACCOUNT, text)
    start = _bucket_start(text)
    return None if start is None else Scope(_ACCOUNT, text, {"buckets": start} if start else {})


def _bucket_start(text: str) -> str | None:
    """Return how the names of the buckets start that a pattern means whole, or all objects in them.

    A star also stands for a slash and what follows it: one that is not at the end of the name of the bucket would mean
    objects of other buckets, too.
    """
    arn = read_arn(text)
    if arn is None or arn.service != "s3" or arn.region or arn.account:
        return None
    start, star, rest = arn.resource.partition("*")
    plain = star and "/" not in start and (_is_name(start) or not start)
    return start if plain and rest in ("", "/*", "*", "*/*") else None


def _object_store(text: str) -> Scope | None:
    arn = read_arn(text)
    if arn is None or arn.service != "s3" or arn.region or arn.account:
        return None
    bucket, slash, key = arn.resource.partition("/")
    if not _is_name(bucket) or "${" in key or (slash and not key):
        return None
    parts = {"bucket": bucket}
    if _is_name(key[:-1]) and key.endswith("*"):
        parts["prefix"] = key[:-1]
    elif key not in ("", "*"):
        parts["object"] = key
    return Scope(OBJECT_STORE, text, parts)


def _is_name(text: str) -> bool:
    return bool(text) and not any(mark in text for mark in ("*", "?", "${"))


def write_scope(wanted: Scope, names: Names) -> Scope:
    """Return a scope as an ARN, a whole account as `*`; names that are not given become placeholders."""
    if wanted.kind == _ACCOUNT:
        return Scope(_ACCOUNT, "*", wanted.parts)
    known = scope_kinds("aws").get(wanted.kind)
    if known is not None:
        parts = {part: _named(part, wanted, names) for part in known.parts}
        ending = "-??????" if wanted.kind == _SECRET else ""
        return Scope(wanted.kind, known.write(parts) + ending, parts)
    if wanted.kind != OBJECT_STORE:
        place = ":".join(map(names.get, ("aws-service", "aws-region", "aws-account-id", "aws-resource")))
        return Scope(_RESOURCE, f"arn:aws:{place}", {"resource": f"arn:aws:{place}"})
    bucket = wanted.parts.get("bucket") or names.get("aws-bucket")
    parts = {"bucket": bucket}
    if wanted.parts.get("prefix"):
        parts["prefix"] = wanted.parts["prefix"]
    return Scope(OBJECT_STORE, f"arn:aws:s3:::{bucket}", parts)


def _named(part: str, wanted: Scope, names: Names) -> str:
    """Return a part of an ARN: what is called so in other clouds too, or what was given."""
    if part == NAME and wanted.kind in CALLED_ALIKE and NAME in wanted.parts:
        return wanted.parts[NAME]
    if part == "partition":
        return "aws"
    return names.get(f"aws-{wanted.kind if part == NAME else part.replace('_', '-')}")
