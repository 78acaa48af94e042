"""`aws iam list-access-keys`: one reply, or a list of them.

https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListAccessKeys.html
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from idtrans.clouds.aws._arns import read_arn
from idtrans.clouds.aws._parse_identity import identity_of
from idtrans.clouds.aws._parse_pages import page_faults, pages_of, section_items
from idtrans.clouds.aws._parse_state import CLOUD, Parsed, Parsing, unsupported
from idtrans.clouds.aws._parse_values import as_date, name_of, shown
from idtrans.model.documents import Json
from idtrans.model.entities import Credential, CredentialKind, CredentialStatus
from idtrans.model.spans import Source
from idtrans.model.values import UNKNOWN, Unknown

_LIST: Final = "AccessKeyMetadata"
_STATUS: Final = {
    "Active": CredentialStatus.ACTIVE,
    "Inactive": CredentialStatus.INACTIVE,
    # A key whose time has run out; it can no longer be used.
    "Expired": CredentialStatus.INACTIVE,
}


def parse_keys(parsing: Parsing) -> Parsed:
    """Yield the access keys. The list does not say when a key was last used."""
    yield from parsing.hinted_account()
    for page in pages_of(parsing):
        for source, item in section_items(page, _LIST):
            yield from _parse_key(parsing, item, source)
    yield from page_faults(parsing, (_LIST,))


def _parse_key(parsing: Parsing, raw: Json, source: Source) -> Parsed:
    key = name_of(raw.get("AccessKeyId")) if isinstance(raw, dict) else None
    if key is None or not isinstance(raw, dict):
        yield unsupported(f"access key {shown(raw)} has no `AccessKeyId`", source)
        return
    user = name_of(raw.get("UserName"))
    owner = _owner(parsing, user)
    if owner is UNKNOWN:
        yield unsupported(f"it is not known in which account access key {shown(key)} is", source)
    status = _STATUS.get(str(raw.get("Status")), UNKNOWN)
    if status is UNKNOWN:
        yield unsupported(f"access key status {shown(raw.get('Status'))} is not known", source, key)
    created: datetime | Unknown = as_date(raw.get("CreateDate")) or UNKNOWN
    if created is UNKNOWN:
        yield unsupported(f"access key date {shown(raw.get('CreateDate'))} is no date", source, key)
    root = owner is not UNKNOWN and owner.endswith(":root")
    kind = CredentialKind.AWS_ROOT_ACCESS_KEY if root else CredentialKind.AWS_ACCESS_KEY
    yield Credential(CLOUD, key, kind, owner, status, source, created, None, UNKNOWN, key)


def _owner(parsing: Parsing, user: str | None) -> str | Unknown:
    """Return the owner: the principal that the user named, or the user name in the account that the user named."""
    principal = parsing.hints.principal
    if principal is not None:
        read = read_arn(principal)
        if user is None or (read is not None and read.name == user):
            return principal
    return identity_of(parsing.hints.account, f"user/{user}") if user is not None else UNKNOWN
