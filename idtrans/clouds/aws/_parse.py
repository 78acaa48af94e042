"""Documents of AWS, to entities."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from idtrans.clouds.aws._parse_account import parse_account
from idtrans.clouds.aws._parse_acl import parse_acl
from idtrans.clouds.aws._parse_bucket import parse_bucket_settings
from idtrans.clouds.aws._parse_endpoints import parse_endpoints
from idtrans.clouds.aws._parse_grants import parse_grants
from idtrans.clouds.aws._parse_keys import parse_keys
from idtrans.clouds.aws._parse_listings import parse_listings
from idtrans.clouds.aws._parse_organizations import parse_organizations
from idtrans.clouds.aws._parse_policy import parse_policies
from idtrans.clouds.aws._parse_providers import parse_providers
from idtrans.clouds.aws._parse_report import parse_report
from idtrans.clouds.aws._parse_sharing import parse_sharing
from idtrans.clouds.aws._parse_state import Parsed, Parsing
from idtrans.clouds.aws._shapes import (
    ACCOUNT,
    ACL,
    BUCKET_SETTINGS,
    ENDPOINTS,
    KEY_GRANTS,
    KEYS,
    LISTINGS,
    ORGANIZATIONS,
    POLICY,
    PROVIDERS,
    REPORT,
    SHARING,
)
from idtrans.model.documents import Document
from idtrans.model.errors import InternalError

_PARSERS: Final[dict[str, Callable[[Parsing], Parsed]]] = {
    ACCOUNT: parse_account,
    ACL: parse_acl,
    BUCKET_SETTINGS: parse_bucket_settings,
    ENDPOINTS: parse_endpoints,
    KEY_GRANTS: parse_grants,
    KEYS: parse_keys,
    LISTINGS: parse_listings,
    ORGANIZATIONS: parse_organizations,
    POLICY: parse_policies,
    PROVIDERS: parse_providers,
    REPORT: parse_report,
    SHARING: parse_sharing,
}


def parse(document: Document, shape: str) -> Parsed:
    """Yield everything a document states, and a note for each thing in it that was not understood.

    Raises:
        InternalError: `shape` is none that `recognise` returns.
    """
    parser = _PARSERS.get(shape)
    if parser is None:
        raise InternalError(f"no parser for the shape `{shape}`")
    return parser(Parsing(document))
