"""How far a statement that names no single identity reaches, once its conditions are read.

A condition limits a statement only when it fixes who calls: S3 counts a policy as public unless every value of such a
key is fixed.
https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html#access-control-block-public-access-policy-status
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Network, ip_network
from typing import TYPE_CHECKING, Final

from idtrans.algebra import Quantifier
from idtrans.clouds.aws._arns import is_account, read_arn
from idtrans.clouds.aws._operators import Absence, Applied, Family, Sense, read_operator
from idtrans.model.values import Reach, rank

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from idtrans.model.entities import ConditionTest

_WIDEST_V4: Final = 8
_WIDEST_V6: Final = 32
_PRIVATE: Final = tuple(map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")))


@dataclass(frozen=True, slots=True)
class Limit:
    """What one condition leaves of everyone."""

    reach: Reach
    accounts: frozenset[str] = frozenset()
    """The accounts it fixes, when it fixes accounts."""


@dataclass(frozen=True, slots=True)
class Breadth:
    """What all conditions of a statement leave."""

    reach: Reach
    accounts: frozenset[str] | None = None
    """The only accounts that can call, when conditions fix them."""
    source_fixed: bool = False
    """Whether a source ARN, account, organisation or network is fixed."""


def breadth(start: Reach, tests: Iterable[ConditionTest], *, sense: Sense = Sense.POSITIVE) -> Breadth:
    """Return how far something that reaches `start` goes under the conditions of a statement.

    With `sense` NEGATED the conditions are those of a deny, which limits by what its negated operators spare.
    """
    reach, accounts, fixed = start, None, False
    for test in tests:
        limit = _limit(test, sense)
        if limit is None:
            continue
        fixed = True
        if rank(limit.reach) < rank(reach):
            reach = limit.reach
        if limit.accounts:
            accounts = limit.accounts if accounts is None else accounts & limit.accounts
    return Breadth(reach, accounts, fixed)


def _limit(test: ConditionTest, sense: Sense) -> Limit | None:
    """Return what a test leaves, `None` when it does not limit who calls."""
    applied = read_operator(test.operator)
    reader = _KEYS.get(test.key.lower())
    if applied is None or reader is None or not test.values or not _requires(applied, sense):
        return None
    limits = [reader(value) for value in test.values]
    known = [limit for limit in limits if limit is not None]
    if len(known) < len(limits):
        return None
    widest = max(known, key=lambda limit: rank(limit.reach))
    accounts = frozenset(account for limit in known for account in limit.accounts)
    every = all(limit.accounts for limit in known)
    return Limit(widest.reach, accounts if every else frozenset())


def _requires(applied: Applied, sense: Sense) -> bool:
    """Tell whether a test fails for callers of whom the key is absent or another value."""
    if applied.operator.family not in {Family.STRING, Family.ARN, Family.IP} or applied.operator.sense is not sense:
        return False
    if sense is Sense.NEGATED:
        return applied.quantifier is Quantifier.ONE
    return applied.absence is Absence.FAILS


def _fixed(text: str) -> bool:
    return not any(mark in text for mark in ("*", "?", "${"))


def _account(text: str) -> Limit | None:
    return Limit(Reach.TENANT, frozenset({text})) if is_account(text) else None


def _arn(text: str) -> Limit | None:
    """Read an ARN: all of it fixed, or at least its account."""
    arn = read_arn(text)
    if arn is None:
        return None
    accounts = frozenset({arn.account}) if is_account(arn.account) else frozenset[str]()
    if _fixed(text):
        return Limit(Reach.WORKLOAD, accounts)
    return Limit(Reach.TENANT, accounts) if accounts else None


def _organization(text: str) -> Limit | None:
    name = text.partition("/")[0]
    return Limit(Reach.PLATFORM) if name.startswith("o-") and _fixed(name) else None


def _literal(text: str) -> Limit | None:
    return Limit(Reach.TENANT) if text and _fixed(text) else None


def _identity(text: str) -> Limit | None:
    return Limit(Reach.WORKLOAD) if text and _fixed(text) else None


def _network(text: str) -> Limit | None:
    try:
        network = ip_network(text, strict=False)
    except ValueError:
        return None
    if isinstance(network, IPv4Network):
        private = any(network.subnet_of(block) for block in _PRIVATE)
        narrow = private or network.prefixlen >= _WIDEST_V4
    else:
        narrow = network.prefixlen >= _WIDEST_V6
    return Limit(Reach.TENANT) if narrow else None


_KEYS: Final[dict[str, Callable[[str], Limit | None]]] = {
    "aws:principalaccount": _account,
    "aws:principalarn": _arn,
    "aws:principalorgid": _organization,
    "aws:principalorgpaths": _organization,
    "aws:sourceaccount": _account,
    "aws:sourcearn": _arn,
    "aws:sourceip": _network,
    "aws:sourceorgid": _organization,
    "aws:sourceorgpaths": _organization,
    "aws:sourceowner": _account,
    "aws:sourcevpc": _literal,
    "aws:sourcevpce": _literal,
    "aws:userid": _identity,
    "kms:calleraccount": _account,
    "s3:dataaccesspointaccount": _account,
    "s3:dataaccesspointarn": _arn,
    "s3:x-amz-server-side-encryption-aws-kms-key-id": _literal,
}
"""Keys that fix who calls, and what one value of each leaves."""
