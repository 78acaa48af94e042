"""Amazon resource names taken apart by field, never by substring.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference-arns.html
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_FIELDS: Final = 6
_ACCOUNT: Final = re.compile(r"[0-9]{12}")
_UNIQUE_ID: Final = re.compile(r"(?:AROA|AIDA|AGPA|ANPA|AIPA|ASCA|ACCA)[A-Z0-9]{8,124}")


@dataclass(frozen=True, slots=True)
class Arn:
    """The six fields of an ARN without the leading `arn`."""

    partition: str
    service: str
    region: str
    account: str
    resource: str

    @property
    def kind(self) -> str:
        """What stands before the first slash of the resource, such as `role`."""
        return self.resource.partition("/")[0]

    @property
    def second(self) -> str:
        """What stands between the first two slashes of the resource: the role of a session."""
        return self.resource.partition("/")[2].partition("/")[0]

    @property
    def name(self) -> str:
        """What stands behind the last slash of the resource: a name without its path."""
        return self.resource.rpartition("/")[2]


@lru_cache(maxsize=65536)
def read_arn(text: str) -> Arn | None:
    """Read an ARN, `None` for any other text."""
    fields = text.split(":", _FIELDS - 1)
    if len(fields) != _FIELDS or fields[0] != "arn":
        return None
    return Arn(*fields[1:])


def is_account(text: str) -> bool:
    """Tell whether a text is an account id."""
    return _ACCOUNT.fullmatch(text) is not None


def is_unique_id(text: str) -> bool:
    """Tell whether a text is the unique id of an IAM identity, which stands in policies for identities now deleted.

    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids
    """
    return _UNIQUE_ID.fullmatch(text) is not None


def account_of(text: str) -> str | None:
    """Return the account field of an ARN when it is an account id."""
    arn = read_arn(text)
    return arn.account if arn is not None and is_account(arn.account) else None
