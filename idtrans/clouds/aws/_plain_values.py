"""Values of keys as AWS has them, for witnesses that people recognise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.algebra import PRINCIPAL, RESOURCE
from idtrans.catalog import KeyType, aws_condition_key
from idtrans.clouds.aws._actions import resource_hint
from idtrans.clouds.aws._arns import is_account, read_arn
from idtrans.clouds.aws._holders import PSEUDO
from idtrans.clouds.aws._principals import ANONYMOUS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.model.decisions import Request

_ACCOUNT: Final = "123456789012"
"""The account of the vendor's own examples."""
_REGION: Final = "us-east-1"
_KINDS: Final = frozenset({"user", "role", "assumed-role", "federated-user"})
_EXAMPLES: Final = {
    "aws:sourcevpce": ("vpce-", "vpce-0example"),
    "aws:sourcevpc": ("vpc-", "vpc-0example"),
    "aws:principalorgid": ("o-", "o-example"),
    "aws:sourceorgid": ("o-", "o-example"),
    "aws:resourceorgid": ("o-", "o-example"),
}
"""How values of a key start, and an example."""
_ACCOUNTS: Final = frozenset({"aws:sourceaccount", "aws:resourceaccount", "aws:principalaccount", "kms:calleraccount"})


def plain_values(key: str, request: Request) -> Iterable[str]:
    """Return values that look more like those of a key, best first; none where a request has such a one already."""
    if key == PRINCIPAL:
        return _principals(request.principal)
    if key == RESOURCE:
        return _resources(request)
    values = request.context.get(key, ())
    return _values(key, values[0]) if len(values) == 1 else ()


def _values(key: str, value: str) -> tuple[str, ...]:
    if key in _EXAMPLES:
        start, example = _EXAMPLES[key]
        return () if value.startswith(start) else (example,)
    if key in _ACCOUNTS:
        return () if is_account(value) else (_ACCOUNT,)
    known = aws_condition_key(key)
    if known is not None and known.type is KeyType.BOOL:
        return () if value in {"true", "false"} else ("false", "true")
    if known is not None and known.type is KeyType.ARN:
        return () if read_arn(value) is not None else ("arn:aws:s3:::example",)
    return ()


def _principals(value: str) -> tuple[str, ...]:
    if value == ANONYMOUS or value.startswith(("service:", "federated:", "canonical:", PSEUDO)):
        return ()
    arn = read_arn(value)
    if arn is None:
        return (ANONYMOUS, f"arn:aws:iam::{_ACCOUNT}:user/example")
    if arn.partition.startswith("aws") and (arn.resource == "root" or (arn.kind in _KINDS and arn.second)):
        return ()
    account = arn.account if is_account(arn.account) else _ACCOUNT
    return tuple(
        text.format(account)
        for text in (
            "arn:aws:iam::{}:user/example",
            "arn:aws:iam::{}:role/example",
            "arn:aws:sts::{}:assumed-role/example/session",
            "arn:aws:iam::{}:root",
        )
    )


def _resources(request: Request) -> tuple[str, ...]:
    """Return the resource with the fields filled that are empty and may be, whatever kinds the action can be about."""
    arn, fitting = read_arn(request.resource), resource_hint(request.action)
    if arn is None or fitting is None or not fitting.matches(request.resource):
        return ()
    name = f"{arn.resource}example" if not arn.resource or arn.resource.endswith(("/", ":")) else arn.resource
    start = f"arn:{arn.partition}:{arn.service}"
    filled = (
        f"{start}:{arn.region or _REGION}:{arn.account or _ACCOUNT}:{name}",
        f"{start}:{arn.region}:{arn.account or _ACCOUNT}:{name}",
        f"{start}:{arn.region}:{arn.account}:{name}",
        f"{start}:{arn.region}:{arn.account or _ACCOUNT}:{arn.resource}",
    )
    return tuple(text for text in dict.fromkeys(filled) if text != request.resource and fitting.matches(text))
