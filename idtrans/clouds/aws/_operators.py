"""The condition operators of AWS policies as one table.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from idtrans.algebra import Quantifier, Truth


class Family(StrEnum):
    """What kind of values an operator compares."""

    STRING = "string"
    ARN = "arn"
    NUMERIC = "numeric"
    DATE = "date"
    BOOL = "bool"
    BINARY = "binary"
    IP = "ip"
    NULL = "null"


class Comparison(StrEnum):
    """How an operator compares."""

    EQUAL = "equal"
    LIKE = "like"
    LESS = "less"
    LESS_EQUAL = "less-equal"
    GREATER = "greater"
    GREATER_EQUAL = "greater-equal"


class Sense(StrEnum):
    """Whether an operator holds for the values it lists or for all others."""

    POSITIVE = "positive"
    NEGATED = "negated"


class Case(StrEnum):
    """Whether upper and lower case differ."""

    EXACT = "exact"
    FOLD = "fold"


class Absence(StrEnum):
    """What an operator yields for a request without the key."""

    FAILS = "fails"
    HOLDS = "holds"


@dataclass(frozen=True, slots=True)
class Operator:
    """One row of the table: an operator without prefix and suffix."""

    family: Family
    comparison: Comparison = Comparison.EQUAL
    sense: Sense = Sense.POSITIVE
    case: Case = Case.EXACT


_P, _N = Sense.POSITIVE, Sense.NEGATED
_EQ, _LIKE = Comparison.EQUAL, Comparison.LIKE
_LT, _LE, _GT, _GE = Comparison.LESS, Comparison.LESS_EQUAL, Comparison.GREATER, Comparison.GREATER_EQUAL

OPERATORS: Final = {
    "StringEquals": Operator(Family.STRING, _EQ, _P),
    "StringNotEquals": Operator(Family.STRING, _EQ, _N),
    "StringEqualsIgnoreCase": Operator(Family.STRING, _EQ, _P, Case.FOLD),
    "StringNotEqualsIgnoreCase": Operator(Family.STRING, _EQ, _N, Case.FOLD),
    "StringLike": Operator(Family.STRING, _LIKE, _P),
    "StringNotLike": Operator(Family.STRING, _LIKE, _N),
    # ArnEquals and ArnLike behave the same.
    "ArnEquals": Operator(Family.ARN, _LIKE, _P),
    "ArnLike": Operator(Family.ARN, _LIKE, _P),
    "ArnNotEquals": Operator(Family.ARN, _LIKE, _N),
    "ArnNotLike": Operator(Family.ARN, _LIKE, _N),
    "NumericEquals": Operator(Family.NUMERIC, _EQ, _P),
    "NumericNotEquals": Operator(Family.NUMERIC, _EQ, _N),
    "NumericLessThan": Operator(Family.NUMERIC, _LT),
    "NumericLessThanEquals": Operator(Family.NUMERIC, _LE),
    "NumericGreaterThan": Operator(Family.NUMERIC, _GT),
    "NumericGreaterThanEquals": Operator(Family.NUMERIC, _GE),
    "DateEquals": Operator(Family.DATE, _EQ, _P),
    "DateNotEquals": Operator(Family.DATE, _EQ, _N),
    "DateLessThan": Operator(Family.DATE, _LT),
    "DateLessThanEquals": Operator(Family.DATE, _LE),
    "DateGreaterThan": Operator(Family.DATE, _GT),
    "DateGreaterThanEquals": Operator(Family.DATE, _GE),
    "Bool": Operator(Family.BOOL, _EQ, _P, Case.FOLD),
    "BinaryEquals": Operator(Family.BINARY, _EQ, _P),
    "IpAddress": Operator(Family.IP, _EQ, _P),
    "NotIpAddress": Operator(Family.IP, _EQ, _N),
    "Null": Operator(Family.NULL),
}
"""Every operator, in the vendor's spelling."""

_QUANTIFIERS: Final = {"ForAllValues": Quantifier.ALL, "ForAnyValue": Quantifier.ANY}
_IF_EXISTS: Final = "IfExists"


@dataclass(frozen=True, slots=True)
class Applied:
    """An operator as written in a policy: with its set operator, and what an absent key yields."""

    operator: Operator
    quantifier: Quantifier
    absence: Absence
    if_exists: Absence
    """HOLDS when the suffix `IfExists` is written."""

    @property
    def missing(self) -> Truth:
        """What the test yields when the key is absent."""
        return Truth.of(self.absence is Absence.HOLDS)

    @property
    def text(self) -> str:
        """The operator as AWS writes it; of two that behave the same, the first."""
        name = next(name for name, operator in OPERATORS.items() if operator == self.operator)
        prefix = "".join(f"{text}:" for text, quantifier in _QUANTIFIERS.items() if quantifier is self.quantifier)
        return f"{prefix}{name}{_IF_EXISTS if self.if_exists is Absence.HOLDS else ''}"


def read_operator(text: str) -> Applied | None:
    """Read an operator such as `ForAnyValue:StringLikeIfExists`; `None` for one that AWS does not have."""
    prefix, colon, rest = text.rpartition(":")
    quantifier = _QUANTIFIERS.get(prefix) if colon else Quantifier.ONE
    name = rest.removesuffix(_IF_EXISTS)
    operator = OPERATORS.get(name)
    if quantifier is None or operator is None:
        return None
    suffixed = Absence.HOLDS if name != rest else Absence.FAILS
    if operator.family is Family.NULL and (colon or suffixed is Absence.HOLDS):
        return None
    return Applied(operator, quantifier, _absence(operator, quantifier, suffixed), suffixed)


def _absence(operator: Operator, quantifier: Quantifier, suffixed: Absence) -> Absence:
    """Return what an absent key yields.

    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-single-vs-multi-valued-context-keys.html
    """
    if suffixed is Absence.HOLDS or quantifier is Quantifier.ALL:
        return Absence.HOLDS
    if quantifier is Quantifier.ANY:
        return Absence.FAILS
    return Absence.HOLDS if operator.sense is Sense.NEGATED else Absence.FAILS
