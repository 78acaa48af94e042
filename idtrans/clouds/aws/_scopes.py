"""Object stores as Amazon S3 writes them.

https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-arn-format.html
"""

from __future__ import annotations

from typing import Final

from idtrans.clouds.aws._arns import read_arn
from idtrans.model.intents import Names, Scope

OBJECT_STORE: Final = "object-store"


def scope(text: str, kind: str) -> Scope | None:
    """Read an ARN pattern of a bucket, of its objects, or of objects below a prefix; `None` for everything else."""
    arn = read_arn(text)
    if kind != OBJECT_STORE or arn is None or arn.service != "s3" or arn.region or arn.account:
        return None
    bucket, slash, key = arn.resource.partition("/")
    if not _is_name(bucket) or (slash and not key.endswith("*")) or not _is_name(key[:-1] or "-"):
        return None
    parts = {"bucket": bucket}
    if key[:-1]:
        parts["prefix"] = key[:-1]
    return Scope(OBJECT_STORE, text, parts)


def _is_name(text: str) -> bool:
    return bool(text) and not any(mark in text for mark in ("*", "?", "${"))


def write_scope(wanted: Scope, names: Names) -> Scope:
    """Return an object store as a bucket; its name is the one in the scope, or a placeholder."""
    bucket = wanted.parts.get("bucket") or names.get("aws-bucket")
    parts = {"bucket": bucket}
    if wanted.parts.get("prefix"):
        parts["prefix"] = wanted.parts["prefix"]
    return Scope(OBJECT_STORE, f"arn:aws:s3:::{bucket}", parts)
