"""Callers of AWS that sign requests instead of carrying tokens, for clouds that take these."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from idtrans.federation._github_names import base_name, read_name
from idtrans.model.errors import UsageError
from idtrans.model.intents import FederationIntent

AWS_NATIVE: Final = "aws-native"
"""The kind of an intent whose issuer is an account."""
_ACCOUNT: Final = re.compile(r"[0-9]{12}")
_ROLE: Final = re.compile(r"[\w+=,.@-]{1,64}", re.ASCII)


def aws_caller_intent(account: str, roles: Sequence[str], *, name: str | None = None) -> FederationIntent:
    """Return the intent to let in the sessions of some roles of an account, and nobody else.

    Raises:
        UsageError: the account or a role is not one that AWS would give, or there is no role.
    """
    if not _ACCOUNT.fullmatch(account):
        raise UsageError(f"`{account[:40]}` is no account of AWS", advice="give its twelve digits")
    wrong = next((role for role in roles if not _ROLE.fullmatch(role)), None)
    if not roles or wrong is not None:
        shown = f"`{wrong[:80]}` is no role" if wrong is not None else "no role is named"
        raise UsageError(shown, advice="name roles of the account, without their path")
    return FederationIntent(
        issuer=f"arn:aws:iam::{account}:root",
        issuer_kind=AWS_NATIVE,
        name=read_name(name) if name is not None else base_name("aws", roles[0]),
        subjects=tuple(f"arn:aws:sts::{account}:assumed-role/{role}/*" for role in dict.fromkeys(roles)),
    )
