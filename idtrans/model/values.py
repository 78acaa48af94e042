"""Small value types shared by all rooms."""

from __future__ import annotations

from enum import Enum, StrEnum
from functools import cache
from typing import Final, Literal


class _Unknown(Enum):
    UNKNOWN = "unknown"

    def __bool__(self) -> bool:
        """Refuse to be read as yes or no."""
        message = "UNKNOWN has no truth value; compare with `is UNKNOWN`"
        raise TypeError(message)

    def __repr__(self) -> str:
        """Render as `UNKNOWN`."""
        return "UNKNOWN"


UNKNOWN: Final = _Unknown.UNKNOWN
"""A value that was not stated, not understood or not looked up."""

Unknown = Literal[_Unknown.UNKNOWN]
"""Type of `UNKNOWN`, for annotations such as `bool | Unknown`."""


class Effect(StrEnum):
    """What a statement does."""

    ALLOW = "allow"
    DENY = "deny"


class Plane(StrEnum):
    """What an action touches, from harmless to dangerous. The order of members is the order of danger."""

    METADATA = "metadata"
    CONFIG = "config"
    DATA = "data"
    CRYPTO = "crypto"
    SECRET = "secret"  # noqa: S105 - a plane, not a password
    EXECUTE = "execute"
    ADMIN = "admin"


class Use(StrEnum):
    """What an action does to what it touches."""

    READ = "read"
    USE = "use"
    WRITE = "write"


class Layer(StrEnum):
    """The role that a policy document plays in a decision."""

    IDENTITY = "identity"
    RESOURCE = "resource"
    BOUNDARY = "boundary"
    SESSION = "session"
    SCP = "scp"
    RCP = "rcp"
    ENDPOINT = "endpoint"
    TRUST = "trust"


class Severity(StrEnum):
    """How bad a finding is. The order of members is the order of severity."""

    INFO = "info"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


class Confidence(StrEnum):
    """How sure a finding is."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Persona(StrEnum):
    """Who wants to see the findings of a rule. The order of members is from everybody to those who want everything."""

    REGULAR = "regular"
    PEDANTIC = "pedantic"
    AUDITOR = "auditor"


class Reach(StrEnum):
    """Who can use a trust or an exposure, from nobody to everybody. The order of members is the order of width."""

    DEAD = "dead"
    WORKLOAD = "workload"
    PROJECT = "project"
    TENANT = "tenant"
    PLATFORM = "platform"
    ANYONE = "anyone"
    UNKNOWN = "unknown"


class Verdict(StrEnum):
    """How a translation compares with what it was asked for. The order of members is from best to worst."""

    EXACT = "exact"
    EXACT_WITH_PARTS = "exact-with-parts"
    APPROXIMATE = "approximate"
    NARROWER = "narrower"
    BROADER = "broader"
    REFUSED = "refused"


@cache
def rank(member: StrEnum) -> int:
    """Return the position of a member in its enumeration, for enumerations whose order has a meaning."""
    return list(type(member)).index(member)
