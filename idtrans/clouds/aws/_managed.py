"""AWS managed policies that are short and stable enough to be known by name.

https://docs.aws.amazon.com/aws-managed-policy/latest/reference/policy-list.html
"""

from __future__ import annotations

from functools import cache
from typing import Final

from idtrans.clouds.aws._arns import read_arn
from idtrans.model.entities import Policy, PolicyStatement
from idtrans.model.spans import Place, Source
from idtrans.model.values import Effect, Layer

_KNOWN: Final[dict[str, tuple[str, ...]]] = {
    "AdministratorAccess": ("*",),
    "AmazonS3FullAccess": ("s3:*", "s3-object-lambda:*"),
    "AmazonS3ReadOnlyAccess": (
        "s3:Get*",
        "s3:List*",
        "s3:Describe*",
        "s3-object-lambda:Get*",
        "s3-object-lambda:List*",
    ),
}


@cache
def known_policy(arn: str) -> Policy | None:
    """Return a managed policy of AWS whose content is known, `None` for all others."""
    fields = read_arn(arn)
    if fields is None or fields.account != "aws" or fields.resource.removeprefix("policy/") not in _KNOWN:
        return None
    name = fields.resource.removeprefix("policy/")
    source = Source(Place(f"aws-managed:{name}"))
    statement = PolicyStatement(Effect.ALLOW, source, actions=_KNOWN[name], resources=("*",))
    return Policy("aws", arn, Layer.IDENTITY, None, "2012-10-17", (statement,), source, name)
