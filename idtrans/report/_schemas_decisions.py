"""The JSON outputs of questions about one request: may it, and who may."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from idtrans.report._schemas import Outcome, Place, Reach, _Part


class Request(_Part):
    """One principal that wants to do one action to one resource."""

    principal: str
    action: str
    resource: str
    context: dict[str, list[str]]


class Reason(_Part):
    """One statement, or one gate, that took part in a decision."""

    layer: str
    effect: Literal["allow", "deny"]
    statement: str
    source: Place | None
    why: str | None


class Decided(_Part):
    """The answer to one request."""

    request: Request
    decision: Outcome
    condition: str | None
    residual: Any
    reasons: list[Reason]
    notes: list[str]


class Decision(Decided):
    """Output of `idtrans can`."""

    schema_: Literal["idtrans/decision/v1"] = Field(alias="schema")


class Hop(_Part):
    """One link of a chain: a party becomes an identity, or has what a group has."""

    from_: str = Field(alias="from")
    to: str
    kind: Literal["can-assume", "federates", "member-of", "holds"]
    through: str
    decision: Literal["allow", "conditional", "unknown"]
    condition: str | None
    reach: Reach | None
    source: Place | None


class Chain(_Part):
    """How an identity that may not itself becomes one that may."""

    principal: str
    decision: Literal["allow", "conditional", "unknown"]
    hops: list[Hop]


class WhoCan(_Part):
    """Output of `idtrans who-can`."""

    schema_: Literal["idtrans/who-can/v1"] = Field(alias="schema")
    action: str
    resource: str
    allowed: list[Decided]
    unknown: list[Decided]
    examined: int
    chains: list[Chain]
    not_walked: int


class Paths(_Part):
    """Output of `idtrans paths`."""

    schema_: Literal["idtrans/paths/v1"] = Field(alias="schema")
    from_: str = Field(alias="from")
    to: str
    chains: list[Chain]
    not_walked: int
