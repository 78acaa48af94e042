"""OIDC providers: `aws iam list-open-id-connect-providers` and `get-open-id-connect-provider`.

https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetOpenIDConnectProvider.html
"""

from __future__ import annotations

from typing import Final

from idtrans.clouds.aws._arns import is_account
from idtrans.clouds.aws._parse_pages import page_faults, pages_of, section_items
from idtrans.clouds.aws._parse_state import CLOUD, Parsed, Parsing, unsupported
from idtrans.clouds.aws._parse_values import Variables, name_of, shown, texts
from idtrans.model.documents import Json
from idtrans.model.entities import IdentityProvider
from idtrans.model.spans import Source

_LIST: Final = "OpenIDConnectProviderList"
_MARK: Final = ":oidc-provider/"


def parse_providers(parsing: Parsing) -> Parsed:
    """Yield the OIDC providers of a list or of one description."""
    yield from parsing.hinted_account()
    for page in pages_of(parsing):
        if _LIST in page.raw:
            for source, item in section_items(page, _LIST):
                yield from _parse_provider(parsing, item, source)
        else:
            yield from _parse_provider(parsing, page.raw, page.source)
    yield from page_faults(parsing, (_LIST,))


def _parse_provider(parsing: Parsing, raw: Json, source: Source) -> Parsed:
    if not isinstance(raw, dict):
        yield unsupported(f"{shown(raw)} is no OIDC provider", source)
        return
    arn = name_of(raw.get("Arn")) or _hinted(parsing)
    issuer = name_of(raw.get("Url"))
    if issuer is None and arn is not None and _MARK in arn:
        issuer = arn.partition(_MARK)[2]
    if issuer is None:
        yield unsupported(f"OIDC provider {shown(raw)} has neither `Url` nor the `Arn` of a provider", source)
        return
    if arn is None:
        arn = _arn(parsing, issuer)
    if not arn.startswith("arn:"):
        yield unsupported(f"it is not known in which account the OIDC provider {shown(issuer)} is", source, arn)
    yield from parsing.account(arn, source)
    audiences: tuple[str, ...] = ()
    if raw.get("ClientIDList", []) != []:
        found = texts(raw["ClientIDList"], "ClientIDList", Variables.ALLOWED)
        audiences = found.values
        for reason in found.doubts:
            yield unsupported(reason, source.at("ClientIDList"), arn)
    yield IdentityProvider(CLOUD, arn, issuer, "oidc", source, audiences)


def _hinted(parsing: Parsing) -> str | None:
    """Return the ARN that the user gave for a single description, which does not state its own."""
    resource = parsing.hints.resource
    single = isinstance(parsing.document.content, dict)
    return resource if single and resource is not None and _MARK in resource else None


def _arn(parsing: Parsing, issuer: str) -> str:
    """Return the ARN of a provider in the account that the user named; without one, the part of it that is known."""
    account = parsing.hints.account
    path = f"oidc-provider/{issuer.removeprefix('https://')}"
    return f"arn:aws:iam::{account}:{path}" if account is not None and is_account(account) else path
