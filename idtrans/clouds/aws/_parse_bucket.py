"""Settings of buckets: public access blocks, ownership controls, and access control lists.

https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from idtrans.clouds.aws._arns import is_account, read_arn
from idtrans.clouds.aws._parse_pages import Page, page_faults, pages_of, section_items
from idtrans.clouds.aws._parse_resource import resource_of
from idtrans.clouds.aws._parse_state import CLOUD, Parsed, Parsing, account_id, unsupported
from idtrans.clouds.aws._parse_values import name_of, shown
from idtrans.model.documents import Json
from idtrans.model.entities import Container, Resource
from idtrans.model.spans import Source
from idtrans.model.values import UNKNOWN, Unknown

BLOCK: Final = "PublicAccessBlockConfiguration"
OWNERSHIP: Final = "OwnershipControls"
POINTS: Final = "AccessPointList"
SETTINGS: Final = (BLOCK, OWNERSHIP, POINTS)
"""Keys, one of which every document of settings has."""
POINT_BUCKET: Final = "Bucket"
"""Setting of an access point: the name of the bucket that it leads to."""
POINT_ORIGIN: Final = "NetworkOrigin"
POINT_NETWORK: Final = "VpcId"
SWITCHES: Final = ("BlockPublicAcls", "IgnorePublicAcls", "BlockPublicPolicy", "RestrictPublicBuckets")


def parse_bucket_settings(parsing: Parsing) -> Parsed:
    """Yield what `get-public-access-block` (of a bucket or an account) and `get-bucket-ownership-controls` say."""
    yield from parsing.hinted_account()
    for page in pages_of(parsing):
        if BLOCK in page.raw:
            yield from _block(parsing, page)
        if OWNERSHIP in page.raw:
            yield from _ownership(parsing, page)
        for source, item in section_items(page, POINTS):
            yield from _listed_point(parsing, item, source)
    yield from page_faults(parsing, (POINTS,))


def bucket_of(parsing: Parsing) -> str | None:
    """Return the ARN of the bucket or object that the user named, by its ARN or its bare name."""
    named = parsing.hints.resource
    if named is None:
        return None
    arn = read_arn(named)
    if arn is None:
        return None if ":" in named else f"arn:aws:s3:::{named}"
    return named if arn.service in {"s3", "s3express"} else None


def _access_point(raw: dict[str, Json]) -> str | None:
    """Return the ARN of the access point that a reply describes; its block is about that point alone.

    https://docs.aws.amazon.com/cli/latest/reference/s3control/get-access-point.html
    """
    arn = name_of(raw.get("AccessPointArn"))
    read = read_arn(arn) if arn is not None else None
    return arn if read is not None and (read.service, read.kind) == ("s3", "accesspoint") else None


def _listed_point(parsing: Parsing, raw: Json, source: Source) -> Parsed:
    """Yield an access point of `aws s3control list-access-points`, which does not tell its public access block."""
    point = _access_point(raw) if isinstance(raw, dict) else None
    if point is None:
        yield unsupported(f"access point {shown(raw)} has no `AccessPointArn`", source)
        return
    yield from parsing.account(point, source)
    yield replace(resource_of(parsing, point, source), settings=behind(raw))


def behind(raw: dict[str, Json]) -> dict[str, str | int | bool | Unknown | None]:
    """Return the bucket of an access point, and the network that it is for, as far as its description says them.

    https://docs.aws.amazon.com/AmazonS3/latest/API/API_control_GetAccessPoint.html
    """
    network = raw.get("VpcConfiguration")
    stated = {
        POINT_BUCKET: name_of(raw.get("Bucket")),
        POINT_ORIGIN: name_of(raw.get("NetworkOrigin")),
        POINT_NETWORK: name_of(network.get("VpcId")) if isinstance(network, dict) else None,
    }
    return {key: value for key, value in stated.items() if value is not None}


def _block(parsing: Parsing, page: Page) -> Parsed:
    raw, source = page.raw[BLOCK], page.source.at(BLOCK)
    if not isinstance(raw, dict):
        yield unsupported(f"public access block {shown(raw)} is not an object", source)
        return
    found: dict[str, str | int | bool | Unknown | None] = {}
    for name in SWITCHES:
        value = raw.get(name, False)
        found[name] = value if isinstance(value, bool) else UNKNOWN
        if not isinstance(value, bool):
            yield unsupported(f"`{name}` is {shown(value)}, neither true nor false", source.at(name))
    point = _access_point(page.raw)
    bucket = point or bucket_of(parsing)
    account = parsing.hints.scope or parsing.hints.account
    if bucket is not None:
        resource = resource_of(parsing, bucket, source)
        settings = found | behind(page.raw) if point is not None else found
        yield Resource(CLOUD, bucket, resource.kind, source, resource.container, resource.name, settings)
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
    """Tell whether an object holds a public access block, ownership controls or a list of access points."""
    return any(isinstance(page.get(key), dict) for key in (BLOCK, OWNERSHIP)) or isinstance(page.get(POINTS), list)
