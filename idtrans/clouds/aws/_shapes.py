"""Which AWS documents are read, told by their shape and by what the user says of them, never by a file's name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from idtrans.clouds.aws._parse_acl import is_acl
from idtrans.clouds.aws._parse_bucket import SETTINGS, is_bucket_settings
from idtrans.clouds.aws._parse_grants import is_grants
from idtrans.clouds.aws._parse_listings import LISTING_SIGNS, is_listing
from idtrans.clouds.aws._parse_organizations import ORGANIZATION_SIGNS, is_organizations
from idtrans.clouds.aws._parse_sharing import SHARING_SIGNS, is_sharing
from idtrans.clouds.aws._parse_state import CLOUD
from idtrans.clouds.aws._wrappers import WRAPPER_SIGNS, holds_policy
from idtrans.model.documents import Document, Json, member_names
from idtrans.model.values import Layer

POLICY: Final = "aws.policy"
"""A policy document, bare or as the command line wraps it."""
ACCOUNT: Final = "aws.account-authorization-details"
PROVIDERS: Final = "aws.open-id-connect-providers"
REPORT: Final = "aws.credential-report"
KEYS: Final = "aws.access-keys"
ACL: Final = "aws.access-control-list"
BUCKET_SETTINGS: Final = "aws.bucket-settings"
"""Public access blocks and ownership controls."""
KEY_GRANTS: Final = "aws.key-grants"
"""Grants of KMS keys."""
ENDPOINTS: Final = "aws.vpc-endpoints"
LISTINGS: Final = "aws.iam-lists"
"""Lists of identities, and of what one of them holds."""
SHARING: Final = "aws.sharing"
"""With whom a snapshot or an image is shared."""
ORGANIZATIONS: Final = "aws.organizations"
"""The hierarchy of an organisation, and where its policies hang."""

_KIND_LAYERS: Final = {
    "aws.identity-policy": Layer.IDENTITY,
    "aws.managed-policy": Layer.IDENTITY,
    "aws.resource-policy": Layer.RESOURCE,
    "aws.bucket-policy": Layer.RESOURCE,
    "aws.trust-policy": Layer.TRUST,
    "aws.permissions-boundary": Layer.BOUNDARY,
    "aws.session-policy": Layer.SESSION,
    "aws.service-control-policy": Layer.SCP,
    "aws.resource-control-policy": Layer.RCP,
    "aws.endpoint-policy": Layer.ENDPOINT,
}
"""Kinds that a hint or an emitted object may name, which are policies of one layer."""
_KINDS: Final = {
    **dict.fromkeys(_KIND_LAYERS, POLICY),
    **{shape: shape for shape in (POLICY, ACCOUNT, PROVIDERS, REPORT, KEYS)},
    **{shape: shape for shape in (ORGANIZATIONS, ACL, BUCKET_SETTINGS, ENDPOINTS, KEY_GRANTS, SHARING, LISTINGS)},
    "aws.public-access-block": BUCKET_SETTINGS,
    "aws.open-id-connect-provider": PROVIDERS,
    "aws.oidc-provider": PROVIDERS,
}
_ACCOUNT_LISTS: Final = ("UserDetailList", "GroupDetailList", "RoleDetailList")
_REPORT_COLUMNS: Final = ("user", "arn", "access_key_1_active")


def recognise(document: Document) -> str | None:
    """Return the shape of an AWS document, `None` for any other.

    A hint of another cloud decides against, a hint of a kind or of a layer decides for; else the content does.
    """
    hints = document.hints
    if hints.cloud is not None and hints.cloud != CLOUD:
        return None
    if hints.kind is not None:
        return _KINDS.get(_full(hints.kind))
    stated = member_names(document.content)
    for name, shape in _SHAPES.items():
        if not stated.isdisjoint(shape.signs) and shape.fits(document.content):
            return name
    # An empty object may be a policy that says nothing; a document that is nothing at all is none.
    return POLICY if hints.layer is not None and document.content is not None else None


def layer_of_kind(kind: str | None) -> Layer | None:
    """Return the layer of the policies of a kind, `None` for kinds of other documents."""
    return _KIND_LAYERS.get(_full(kind)) if kind is not None else None


def _full(kind: str) -> str:
    """Return a kind with the name of the cloud, which may be left out."""
    return kind if kind.startswith(f"{CLOUD}.") else f"{CLOUD}.{kind}"


def _some(content: Json, fits: Callable[[dict[str, Json]], bool]) -> bool:
    """Tell whether an object, or one in a list of pages, fits."""
    pages = content if isinstance(content, list) else [content]
    return any(isinstance(page, dict) and fits(page) for page in pages)


def _is_account(page: dict[str, Json]) -> bool:
    return any(name in page for name in _ACCOUNT_LISTS)


def _is_provider(page: dict[str, Json]) -> bool:
    if "OpenIDConnectProviderList" in page:
        return True
    arn = page.get("Arn")
    named = isinstance(arn, str) and ":oidc-provider/" in arn
    return ("Url" in page and "ClientIDList" in page) or (named and ("Url" in page or "ClientIDList" in page))


def _is_report(page: dict[str, Json]) -> bool:
    return all(column in page for column in _REPORT_COLUMNS) or is_report_reply(page)


def is_report_reply(page: dict[str, Json]) -> bool:
    """Tell whether an object is the reply to get-credential-report, which carries the CSV as base64."""
    return isinstance(page.get("Content"), str) and ("ReportFormat" in page or "GeneratedTime" in page)


def _is_endpoints(page: dict[str, Json]) -> bool:
    return isinstance(page.get("VpcEndpoints"), list)


def _is_keys(page: dict[str, Json]) -> bool:
    return "AccessKeyMetadata" in page


@dataclass(frozen=True, slots=True)
class _Shape:
    """What tells one shape."""

    signs: frozenset[str]
    """Keys, one of which every object of the shape has: what has none of them is not looked at."""
    fits: Callable[[Json], bool]


def _pages(signs: Iterable[str], fits: Callable[[dict[str, Json]], bool]) -> _Shape:
    return _Shape(frozenset(signs), lambda content: _some(content, fits))


_SHAPES: Final[dict[str, _Shape]] = {
    ACCOUNT: _pages(_ACCOUNT_LISTS, _is_account),
    KEYS: _pages(("AccessKeyMetadata",), _is_keys),
    REPORT: _pages((*_REPORT_COLUMNS, "Content"), _is_report),
    PROVIDERS: _pages(("OpenIDConnectProviderList", "Url", "ClientIDList"), _is_provider),
    ACL: _pages(("Grants",), is_acl),
    KEY_GRANTS: _pages(("Grants",), is_grants),
    BUCKET_SETTINGS: _pages(SETTINGS, is_bucket_settings),
    ENDPOINTS: _pages(("VpcEndpoints",), _is_endpoints),
    SHARING: _pages(SHARING_SIGNS, is_sharing),
    ORGANIZATIONS: _pages(ORGANIZATION_SIGNS, is_organizations),
    LISTINGS: _pages(LISTING_SIGNS, is_listing),
    POLICY: _Shape(WRAPPER_SIGNS, holds_policy),
}
