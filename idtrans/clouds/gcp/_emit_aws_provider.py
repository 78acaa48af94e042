"""The native provider for callers of AWS, which takes signed requests of one account instead of tokens.

https://cloud.google.com/iam/docs/workload-identity-federation-with-other-clouds
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from idtrans.clouds.gcp._cel import quote
from idtrans.model.errors import UsageError
from idtrans.model.intents import FederationIntent

KIND: Final = "aws-native"
_ISSUER: Final = re.compile(r"arn:aws:iam::(?P<account>[0-9]{12}):root")
_SUBJECT: Final = re.compile(r"arn:aws:sts::(?P<account>[0-9]{12}):assumed-role/(?P<role>[\w+=,.@-]{1,64})/\*")
_ROLE_OF: Final = (
    "assertion.arn.contains('assumed-role') ? assertion.arn.extract('{account_arn}assumed-role/') + 'assumed-role/' "
    "+ assertion.arn.extract('assumed-role/{role_name}/') : assertion.arn"
)
"""The role of a session with its account, as Google Cloud maps it unless told otherwise."""


@dataclass(frozen=True, slots=True)
class AwsCallers:
    """The sessions of some roles of one account, as a provider takes them."""

    account: str
    condition: str
    mapping: dict[str, str]
    attributes: tuple[str, ...]
    """What the binding names: `attribute.aws_role/ROLE`."""


def aws_callers(intent: FederationIntent) -> AwsCallers:
    """Return how a provider takes the sessions of an intent. Raises `UsageError` unless it is roles of one account."""
    issuer = _ISSUER.fullmatch(intent.issuer)
    found = [_SUBJECT.fullmatch(subject) for subject in intent.subjects]
    roles = [each["role"] for each in found if each is not None and issuer and each["account"] == issuer["account"]]
    if issuer is None or not roles or len(roles) < len(found) or intent.pins:
        raise UsageError("the provider for AWS takes roles of one account", advice="name an account and its roles")
    starts = [f"arn:aws:sts::{issuer['account']}:assumed-role/{role}" for role in roles]
    return AwsCallers(
        account=issuer["account"],
        condition=" || ".join(f"assertion.arn.startsWith({quote(start + '/')})" for start in starts),
        mapping={"google.subject": "assertion.arn", "attribute.aws_role": _ROLE_OF},
        attributes=tuple(f"aws_role/{start}" for start in starts),
    )
