"""What is known of a request beside its context keys: who really acts, and which keys follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.clouds.aws._arns import account_of, is_account, read_arn
from idtrans.model.errors import UsageError

if TYPE_CHECKING:
    from idtrans.ports import Query


def acting(principal: str, query: Query) -> str:
    """Return the principal that makes a request: the session of a role where the query names one.

    Raises:
        UsageError: a session of something that is no role.
    """
    session = query.facts.get("session")
    if session is None:
        return principal
    arn = read_arn(principal)
    if arn is None or (arn.service, arn.kind) != ("iam", "role"):
        raise UsageError(f"`{principal}` has no sessions", advice="give the ARN of a role, or of the session itself")
    return f"arn:{arn.partition}:sts::{arn.account}:assumed-role/{arn.name}/{session}"


def fact_keys(query: Query) -> dict[str, tuple[str, ...]]:
    """Return the keys that the facts of a query give values to.

    Raises:
        UsageError: the account of the resource is no account, or not the one in its ARN.
    """
    found: dict[str, tuple[str, ...]] = {}
    account = resource_account(query)
    if account is not None:
        found["aws:resourceaccount"] = (account,)
    organization = query.facts.get("organization")
    if isinstance(organization, str):
        found["aws:principalorgid"] = (organization,)
    elif organization is False:
        found["aws:principalorgid"] = ()
    return found


def resource_account(query: Query) -> str | None:
    """Return the account that a query says the resource is in.

    Raises:
        UsageError: it is no account, or not the one in the ARN of the resource.
    """
    stated = query.facts.get("resource_account")
    if stated is None:
        return None
    if not isinstance(stated, str) or not is_account(stated):
        raise UsageError(f"`{stated}` is no account", advice="write the twelve digits of `resource_account` in quotes")
    named = account_of(query.resource)
    if named is not None and named != stated:
        raise UsageError(f"`{query.resource}` is not in the account `{stated}`", advice="leave `resource_account` out")
    return stated
