"""What public access blocks take away from the policies and lists of buckets.

https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
https://docs.aws.amazon.com/AmazonS3/latest/userguide/about-object-ownership.html
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from idtrans.algebra import NO_TEXT, Language, Opaque, Truth, all_of, arn_glob, prefix
from idtrans.clouds.aws._arns import is_account, read_arn
from idtrans.clouds.aws._breadth import breadth
from idtrans.clouds.aws._parse_acl import is_list
from idtrans.clouds.aws._principals import PartyKind, account_language, read_party
from idtrans.model.entities import Container, Resource
from idtrans.model.values import UNKNOWN, Effect, Reach

if TYPE_CHECKING:
    from idtrans.clouds.aws._compile import Rule
    from idtrans.model.entities import Policy, PolicyStatement
    from idtrans.model.estate import Estate

_RESTRICT: Final = "RestrictPublicBuckets"
_IGNORE: Final = "IgnorePublicAcls"
_OWNERSHIP: Final = "ObjectOwnership"
_SERVICES: Final = prefix("service:")
CALLERS: Final = arn_glob("arn:*:iam::*:*") | arn_glob("arn:*:sts::*:*")
"""Identities of any account."""

Parts = tuple[tuple["Rule", Language], ...]
"""Rules with the principals that they are about."""


@dataclass(slots=True)
class Blocks:
    """Settings of buckets and of accounts that close what policies and lists open."""

    buckets: dict[str, dict[str, object]] = field(default_factory=dict)
    accounts: dict[str, set[str]] = field(default_factory=dict)
    """Switches that are on for all buckets of an account."""

    def _on(self, bucket: str, account: str | None, switch: str) -> bool:
        own = self.buckets.get(bucket, {}).get(switch) is True
        return own or (account is not None and switch in self.accounts.get(account, ()))

    def closes(self, policy: Policy, statement: PolicyStatement, account: str | None) -> bool:
        """Tell whether a grant gives surely nothing to outsiders, services of AWS aside."""
        bucket = _bucket(policy)
        if bucket is None or not (self.buckets or self.accounts):
            return False
        if is_list(policy.id):
            disabled = self.buckets.get(bucket, {}).get(_OWNERSHIP) == "BucketOwnerEnforced"
            return disabled or (self._on(bucket, account, _IGNORE) and _is_open(statement))
        return self._on(bucket, account, _RESTRICT) and _publicity(policy) is Truth.TRUE

    def parts(self, rule: Rule, principals: Language, policy: Policy, account: str | None) -> Parts:
        """Return what a rule of a resource policy gives to whom once the blocks took their part away."""
        bucket = _bucket(policy)
        if bucket is None or rule.effect is Effect.DENY or not (self.buckets or self.accounts):
            return ((rule, principals),)
        if is_list(policy.id):
            return () if self.closes(policy, rule.statement, account) else ((rule, principals),)
        public = _publicity(policy)
        if public is Truth.FALSE or not self._on(bucket, account, _RESTRICT):
            return ((rule, principals),)
        sure = _SERVICES | account_language(account) if account is not None else _SERVICES
        rest = principals - sure if public is Truth.UNKNOWN else NO_TEXT
        if account is None:
            rest = rest | (principals & CALLERS)
        symbol = f"the public access block of {bucket} spares the caller"
        unclear = Opaque(
            symbol, "the account of the bucket is not stated, or a statement of its policy was not understood"
        )
        doubtful = replace(rule, condition=all_of(rule.condition, unclear))
        found = ((rule, principals & sure), (doubtful, rest))
        return tuple((each, language) for each, language in found if not language.is_empty())


def _bucket(policy: Policy) -> str | None:
    owner = policy.owner if isinstance(policy.owner, str) else ""
    arn = read_arn(owner)
    point = arn is not None and arn.kind == "accesspoint"
    bucket = owner if point else owner.partition("/")[0]
    return bucket if arn is not None and arn.service == "s3" else None


def blocks_of(estate: Estate) -> Blocks:
    """Return the settings that an estate states; a switch counts when one document has it on."""
    found = Blocks()
    for resource in estate.of(Resource, "aws"):
        if any(name in resource.settings for name in (_RESTRICT, _IGNORE, _OWNERSHIP)):
            known = found.buckets.setdefault(resource.id, {})
            known.update({name: value for name, value in resource.settings.items() if known.get(name) is not True})
    for container in estate.of(Container, "aws"):
        on = {name for name in (_RESTRICT, _IGNORE) if container.attributes.get(name) == "true"}
        if on and is_account(container.id):
            found.accounts.setdefault(container.id, set()).update(on)
    return found


def _publicity(policy: Policy) -> Truth:
    """Return whether S3 counts a policy as public; a statement that was not understood could make it so."""
    allows = [item for item in policy.statements if item.effect is not Effect.DENY]
    if any(item.effect is Effect.ALLOW and not item.doubts and _is_open(item) and _is_wide(item) for item in allows):
        return Truth.TRUE
    doubtful = bool(policy.doubts) or any(item.effect is UNKNOWN or item.doubts for item in allows)
    return Truth.UNKNOWN if doubtful else Truth.FALSE


def _is_open(statement: PolicyStatement) -> bool:
    parties = (read_party(entry) for entry in statement.principals or ())
    return statement.not_principals is not None or any(party.kind is PartyKind.EVERYONE for party in parties)


def _is_wide(statement: PolicyStatement) -> bool:
    return breadth(Reach.ANYONE, statement.conditions).reach is Reach.ANYONE
