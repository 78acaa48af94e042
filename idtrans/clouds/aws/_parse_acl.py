"""`aws s3api get-bucket-acl` and `get-object-acl`, lowered to statements of a resource policy.

https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from idtrans.clouds.aws._arns import is_account
from idtrans.clouds.aws._parse_bucket import bucket_of
from idtrans.clouds.aws._parse_document import Belonging, PolicyText, write_policy
from idtrans.clouds.aws._parse_pages import Page, page_faults, pages_of
from idtrans.clouds.aws._parse_state import CLOUD, Parsed, Parsing, account_id, unsupported
from idtrans.clouds.aws._parse_statement import unknown_statement
from idtrans.clouds.aws._parse_values import name_of, shown
from idtrans.model.documents import Json
from idtrans.model.entities import ConditionTest, PolicyPrincipal, PolicyStatement, Resource
from idtrans.model.spans import Source
from idtrans.model.values import UNKNOWN, Effect, Layer

_MARK: Final = "#resource/acl"
_GROUPS: Final = "http://acs.amazonaws.com/groups/"
ALL_USERS: Final = f"{_GROUPS}global/AllUsers"
AUTHENTICATED: Final = f"{_GROUPS}global/AuthenticatedUsers"
_LOG_DELIVERY: Final = f"{_GROUPS}s3/LogDelivery"
_BUCKET: Final = {
    "READ": ("s3:ListBucket", "s3:ListBucketVersions", "s3:ListBucketMultipartUploads"),
    "WRITE": ("s3:PutObject",),
    "READ_ACP": ("s3:GetBucketAcl",),
    "WRITE_ACP": ("s3:PutBucketAcl",),
}
_OBJECT: Final = {
    "READ": ("s3:GetObject", "s3:GetObjectVersion"),
    "WRITE": (),
    "READ_ACP": ("s3:GetObjectAcl", "s3:GetObjectVersionAcl"),
    "WRITE_ACP": ("s3:PutObjectAcl", "s3:PutObjectVersionAcl"),
}
"""Actions that a permission is, on a bucket and on an object.

https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html#acl-access-policy-permission-mapping
"""
_FULL: Final = "FULL_CONTROL"


@dataclass(frozen=True, slots=True)
class _Subject:
    """What a list belongs to."""

    arn: str | None
    owner: str | None
    """Canonical id of the account that owns it, whose grants say nothing new."""

    @property
    def is_object(self) -> bool:
        return self.arn is not None and "/" in self.arn


def is_list(policy: str) -> bool:
    """Tell whether the id of a policy is that of an access control list."""
    return policy.endswith(_MARK)


def parse_acl(parsing: Parsing) -> Parsed:
    """Yield an access control list as a policy of its bucket or object."""
    yield from parsing.hinted_account()
    for page in pages_of(parsing):
        yield from _list(parsing, page)
    yield from page_faults(parsing, ("Grants",))


def _list(parsing: Parsing, page: Page) -> Parsed:
    raw, source = page.raw, page.source
    arn = bucket_of(parsing)
    owner = raw.get("Owner")
    subject = _Subject(arn, name_of(owner.get("ID")) if isinstance(owner, dict) else None)
    if arn is None:
        yield unsupported("an access control list, and it is not known of which bucket or object", source)
    else:
        kind, name = ("object" if subject.is_object else "bucket"), arn.rpartition(":")[2]
        hinted = parsing.hints.account
        account = account_id(arn) or (hinted if hinted is not None and is_account(hinted) else None)
        yield Resource(CLOUD, arn, kind, source, account, name)
        yield from parsing.account(arn, source)
    grants = raw.get("Grants")
    statements: list[PolicyStatement] = []
    for number, grant in enumerate(grants if isinstance(grants, list) else ()):
        statements += _grants(grant, number, source.at("Grants", number), subject)
    place = f"{source.path}#{source.pointer}" if source.pointer else source.path
    text = PolicyText(source, version="2012-10-17", statements=tuple(statements))
    yield from write_policy(text, Belonging((arn or place) + _MARK, Layer.RESOURCE, arn or UNKNOWN))


def _grants(grant: Json, number: int, source: Source, subject: _Subject) -> list[PolicyStatement]:
    """Return the statements that one grant is: those on the bucket, and those on what lies in it."""
    grantee = grant.get("Grantee") if isinstance(grant, dict) else None
    permission = grant.get("Permission") if isinstance(grant, dict) else None
    table = _OBJECT if subject.is_object else _BUCKET
    if not isinstance(grantee, dict) or permission not in {*table, _FULL}:
        return [unknown_statement(source, f"grant {shown(grant)} is not understood")]
    if subject.owner is not None and grantee.get("ID") == subject.owner:
        return []
    principal = _principal(grantee)
    if principal is None:
        reason = f"grantee {shown(grantee)} is not understood"
        return [PolicyStatement(Effect.ALLOW, source, actions=("s3:*",), resources=("*",), doubts=(reason,))]
    conditions: tuple[ConditionTest, ...] = ()
    if grantee.get("URI") == AUTHENTICATED:
        conditions = (ConditionTest("StringNotEquals", "aws:PrincipalType", ("Anonymous",), source),)
    names = tuple(table) if permission == _FULL else (permission,)
    inside = () if subject.is_object else table["WRITE"] * ("WRITE" in names)
    own = tuple(action for name in names for action in table[name] if action not in inside)
    arn = subject.arn or "*"
    found = [(own, arn), (inside, f"{arn}/*" if subject.arn else "*")]
    return [
        PolicyStatement(
            Effect.ALLOW,
            source,
            f"grant {number + 1}",
            (principal,),
            actions=actions,
            resources=(resource,),
            conditions=conditions,
        )
        for actions, resource in found
        if actions
    ]


def _principal(grantee: dict[str, Json]) -> PolicyPrincipal | None:
    uri = grantee.get("URI")
    if uri == ALL_USERS:
        return PolicyPrincipal("*", "*")
    if uri == AUTHENTICATED:
        return PolicyPrincipal("AWS", "*")
    if uri == _LOG_DELIVERY:
        return PolicyPrincipal("Service", "logging.s3.amazonaws.com")
    name = name_of(grantee.get("ID"))
    return PolicyPrincipal("CanonicalUser", name) if name is not None and uri is None else None


def is_acl(page: dict[str, Json]) -> bool:
    """Tell whether an object is an access control list."""
    grants = page.get("Grants")
    if not isinstance(grants, list):
        return False
    if not grants:
        return isinstance(page.get("Owner"), dict) and "ID" in page["Owner"]
    return any(isinstance(grant, dict) and "Grantee" in grant and "Permission" in grant for grant in grants)
