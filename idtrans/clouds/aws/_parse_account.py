"""`aws iam get-account-authorization-details`: one reply, or a list of its pages.

https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetAccountAuthorizationDetails.html
"""

from __future__ import annotations

from typing import Final

from idtrans.clouds.aws._arns import read_arn
from idtrans.clouds.aws._listing import LISTED
from idtrans.clouds.aws._parse_document import Belonging, PolicyText, read_policy, unreadable, write_policy
from idtrans.clouds.aws._parse_identity import Groups, parse_group, parse_role, parse_user
from idtrans.clouds.aws._parse_pages import Page, is_truncated, page_faults, pages_of, section_items
from idtrans.clouds.aws._parse_state import Parsed, Parsing, unsupported
from idtrans.clouds.aws._parse_values import name_of, shown
from idtrans.model.documents import Json
from idtrans.model.spans import Source
from idtrans.model.values import Layer

SECTIONS: Final = ("GroupDetailList", "UserDetailList", "RoleDetailList", "Policies")
"""Lists of a page, in the order in which they are parsed."""


def parse_account(parsing: Parsing) -> Parsed:
    """Yield the identities, policies and attachments of an account."""
    pages = list(pages_of(parsing))
    yield from _listed(parsing, pages)
    yield from parsing.hinted_account()
    groups = Groups(_group_arns(pages))
    for section in SECTIONS:
        for page in pages:
            for source, item in section_items(page, section):
                match section:
                    case "GroupDetailList":
                        yield from parse_group(parsing, item, source)
                    case "UserDetailList":
                        yield from parse_user(parsing, item, source, groups)
                    case "RoleDetailList":
                        yield from parse_role(parsing, item, source)
                    case _:
                        yield from _parse_managed(parsing, item, source)
    yield from page_faults(parsing, SECTIONS)


def _listed(parsing: Parsing, pages: list[Page]) -> Parsed:
    """Yield the accounts of which the reply, as a whole, lists all users or roles."""
    if is_truncated(pages):
        return
    kinds: dict[str, dict[str, str]] = {}
    places: dict[str, Source] = {}
    for section in ("UserDetailList", "RoleDetailList"):
        for source, item in (entry for page in pages for entry in section_items(page, section)):
            arn = read_arn(name_of(item.get("Arn")) or "") if isinstance(item, dict) else None
            if arn is not None and arn.kind in LISTED:
                kinds.setdefault(arn.account, {})[LISTED[arn.kind]] = "true"
                places.setdefault(arn.account, source)
    for account, attributes in kinds.items():
        yield from parsing.account(account, places[account], attributes)


def _group_arns(pages: list[Page]) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for page in pages:
        for _, item in section_items(page, "GroupDetailList"):
            arn = name_of(item.get("Arn")) if isinstance(item, dict) else None
            read = read_arn(arn) if arn is not None else None
            if arn is not None and read is not None and read.kind == "group":
                found.setdefault((read.account, read.name), arn)
    return found


def _parse_managed(parsing: Parsing, raw: Json, source: Source) -> Parsed:
    """Yield a managed policy: its default version is the one that counts."""
    arn = name_of(raw.get("Arn")) if isinstance(raw, dict) else None
    if arn is None or not isinstance(raw, dict):
        yield unsupported(f"managed policy {shown(raw)} has no `Arn`", source)
        return
    yield from parsing.account(arn, source)
    name = name_of(raw.get("PolicyName")) or arn.rpartition("/")[2]
    yield from write_policy(_default_version(parsing, raw, source), Belonging(arn, Layer.IDENTITY, None, name))


def _default_version(parsing: Parsing, raw: dict[str, Json], source: Source) -> PolicyText:
    versions = raw.get("PolicyVersionList")
    listed = enumerate(versions) if isinstance(versions, list) else ()
    found = [(number, item) for number, item in listed if isinstance(item, dict) and _is_default(item, raw)]
    if len(found) != 1:
        reason = "the policy has no default version" if not found else "the policy has several default versions"
        return unreadable(source, reason)
    number, version = found[0]
    place = source.at("PolicyVersionList", number)
    if "Document" not in version:
        return unreadable(place, "the default version of the policy has no `Document`")
    return read_policy(parsing, version["Document"], place.at("Document"))


def _is_default(version: dict[str, Json], policy: dict[str, Json]) -> bool:
    """Tell whether a version is marked as the default one, or named as such."""
    if "IsDefaultVersion" in version:
        return version["IsDefaultVersion"] is True
    return name_of(version.get("VersionId")) is not None and version["VersionId"] == policy.get("DefaultVersionId")
