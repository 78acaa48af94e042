"""Settings of buckets: public access blocks, ownership controls, and access control lists.

https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html
"""

from __future__ import annotations

from typing import Final

from idtrans.clouds.aws._arns import is_account, read_arn
from idtrans.clouds.aws._parse_pages import Page, page_faults, pages_of
from idtrans.clouds.aws._parse_resource import resource_of
from idtrans.clouds.aws._parse_state import CLOUD, Parsed, Parsing, account_id, unsupported
from idtrans.clouds.aws._parse_values import name_of, shown
from idtrans.model.documents import Json
from idtrans.model.entities import Container, Resource
from idtrans.model.values import UNKNOWN, Unknown

BLOCK: Final = "PublicAccessBlockConfiguration"
OWNERSHIP: Final = "OwnershipControls"
SETTINGS: Final = (BLOCK, OWNERSHIP)
"""Keys, one of which every document of settings has."""
SWITCHES: Final = ("BlockPublicAcls", "IgnorePublicAcls", "BlockPublicPolicy", "RestrictPublicBuckets")


def parse_bucket_settings(parsing: Parsing) -> Parsed:
    """Yield what `get-public-access-block` (of a bucket or an account) and `get-bucket-ownership-controls` say."""
    yield from parsing.hinted_account()
    for page in pages_of(parsing):
        if BLOCK in page.raw:
            yield from _block(parsing, page)
        if OWNERSHIP in page.raw:
            yield from _ownership(parsing, page)
    yield from page_faults(parsing, ())


def bucket_of(parsing: Parsing) -> str | None:
    """Return the ARN of the bucket or object that the user named, by its ARN or its bare name."""
    named = parsing.hints.resource
    if named is None:
        return None
    arn = read_arn(named)
    if arn is None:
        return None if ":" in named else f"arn:aws:s3:::{named}"
    return named if arn.service in {"s3", "s3express"} else None


def _access_point(page: Page) -> str | None:
    """Return the ARN of the access point that a reply describes; its block is about that point alone.

    https://docs.aws.amazon.com/cli/latest/reference/s3control/get-access-point.html
    """
    arn = name_of(page.raw.get("AccessPointArn"))
    read = read_arn(arn) if arn is not None else None
    return arn if read is not None and (read.service, read.kind) == ("s3", "accesspoint") else None


def _block(parsing: Parsing, page: Page) -> Parsed:
    raw, source = page.raw[BLOCK], page.source.at(BLOCK)
    if not isinstance(raw, dict):
        yield unsupported(f"public access block {shown(raw)} is not an object", source)
        return
    found: dict[str, bool | Unknown] = {}
    for name in SWITCHES:
        value = raw.get(name, False)
        found[name] = value if isinstance(value, bool) else UNKNOWN
        if not isinstance(value, bool):
            yield unsupported(f"`{name}` is {shown(value)}, neither true nor false", source.at(name))
    bucket = _access_point(page) or bucket_of(parsing)
    account = parsing.hints.scope or parsing.hints.account
    if bucket is not None:
        resource = resource_of(parsing, bucket, source)
        yield Resource(CLOUD, bucket, resource.kind, source, resource.container, resource.name, found)
    elif account is not None and is_account(account):
        switched = {name: str(value).lower() for name, value in found.items() if value is not UNKNOWN}
        yield Container(CLOUD, account, "account", source, attributes=switched)
    else:
        yield unsupported("a public access block, and it is not known of which bucket or account", source)


def _ownership(parsing: Parsing, page: Page) -> Parsed:
    raw, source = page.raw[OWNERSHIP], page.source.at(OWNERSHIP)
    bucket = bucket_of(parsing)
    rules = raw.get("Rules") if isinstance(raw, dict) else None
    stated = (
        [rule.get("ObjectOwnership") for rule in rules if isinstance(rule, dict)] if isinstance(rules, list) else []
    )
    if bucket is None or len(stated) != 1 or not isinstance(stated[0], str):
        reason = "ownership controls, and it is not known of which bucket" if bucket is None else "no single ownership"
        yield unsupported(f"{reason}: {shown(raw)}", source)
        return
    yield Resource(CLOUD, bucket, "bucket", source, _container(parsing, bucket), None, {"ObjectOwnership": stated[0]})


def _container(parsing: Parsing, bucket: str) -> str | None:
    return account_id(bucket) or account_id(parsing.hints.account)


def is_bucket_settings(page: dict[str, Json]) -> bool:
    """Tell whether an object holds a public access block or ownership controls."""
    return isinstance(page.get(BLOCK), dict) or isinstance(page.get(OWNERSHIP), dict)
