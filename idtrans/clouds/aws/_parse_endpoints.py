"""`aws ec2 describe-vpc-endpoints`: the policy of each endpoint, which limits what passes it.

https://docs.aws.amazon.com/vpc/latest/privatelink/vpc-endpoints-access.html
"""

from __future__ import annotations

import re
from typing import Final

from idtrans.clouds.aws._arns import is_account
from idtrans.clouds.aws._parse_document import Belonging, read_policy, write_policy
from idtrans.clouds.aws._parse_pages import page_faults, pages_of, section_items
from idtrans.clouds.aws._parse_resource import resource_of
from idtrans.clouds.aws._parse_state import Parsed, Parsing, unsupported
from idtrans.clouds.aws._parse_values import name_of, shown
from idtrans.model.documents import Json
from idtrans.model.spans import Source
from idtrans.model.values import Layer

_LIST: Final = "VpcEndpoints"
_REGION: Final = re.compile(r"[a-z]{2}(?:-[a-z]+)+-[0-9]")
"""What a region looks like in the name of a service, such as `com.amazonaws.eu-west-1.s3`."""


def parse_endpoints(parsing: Parsing) -> Parsed:
    """Yield the endpoints of a reply with their policies."""
    yield from parsing.hinted_account()
    for page in pages_of(parsing):
        for source, item in section_items(page, _LIST):
            yield from _endpoint(parsing, item, source)
    yield from page_faults(parsing, (_LIST,))


def _endpoint(parsing: Parsing, raw: Json, source: Source) -> Parsed:
    name = name_of(raw.get("VpcEndpointId")) if isinstance(raw, dict) else None
    if name is None or not isinstance(raw, dict):
        yield unsupported(f"endpoint {shown(raw)} has no `VpcEndpointId`", source)
        return
    owner = _arn(name, raw, parsing.hints.account)
    yield resource_of(parsing, owner, source)
    yield from parsing.account(owner, source)
    if raw.get("PolicyDocument") is not None:
        text = read_policy(parsing, raw["PolicyDocument"], source.at("PolicyDocument"))
        yield from write_policy(text, Belonging(f"{owner}#endpoint/policy", Layer.ENDPOINT, owner))


def _arn(name: str, raw: dict[str, Json], hinted: str | None) -> str:
    """Return the ARN of an endpoint, as far as its description tells: what counts is its id, at the end."""
    region = next((word for word in str(raw.get("ServiceName")).split(".") if _REGION.fullmatch(word)), "")
    account = name_of(raw.get("OwnerId")) or hinted or ""
    return f"arn:aws:ec2:{region}:{account if is_account(account) else ''}:vpc-endpoint/{name}"
