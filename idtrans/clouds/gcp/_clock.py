"""The time of a request in conditions: comparisons of instants, and the parts of a date in a time zone.

https://cloud.google.com/iam/docs/conditions-attribute-reference#date-time
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from idtrans.algebra import NumberSet, Quantifier, Test, TimeSet
from idtrans.clouds.gcp._cel import Call, Expression, ListOf, Literal, Operation, Path
from idtrans.clouds.gcp._terms import ERROR, Pair

TIME_KEY: Final = "request.time"
"""Context key of the time of a request."""
CLOCK_PREFIX: Final = "request.time.get"
"""What the context keys of parts of that time start with, such as `request.time.getHours('Europe/Berlin')`."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_TIMESTAMP: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})"
)
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DURATION: Final = re.compile(r"-?(?:[0-9]{1,12}(?:\.[0-9]{1,9})?(?:h|ms|us|ns|m|s))+")
_DURATION_PART: Final = re.compile(r"([0-9.]+)(h|ms|us|ns|m|s)")
_UNITS: Final = {"h": 3_600_000_000, "m": 60_000_000, "s": 1_000_000, "ms": 1_000, "us": 1, "ns": 0.001}
_DAY: Final = 24 * 60
_OFFSET: Final = re.compile(r"(?P<sign>[+-]?)(?P<hours>[0-9]{1,2}):(?P<minutes>[0-9]{2})")

_PARTS: Final[Mapping[str, tuple[Callable[[datetime], int], int, int]]] = {
    "getFullYear": (lambda moment: moment.year, 1, 9999),
    "getMonth": (lambda moment: moment.month - 1, 0, 11),
    "getDate": (lambda moment: moment.day, 1, 31),
    "getDayOfMonth": (lambda moment: moment.day - 1, 0, 30),
    "getDayOfWeek": (lambda moment: moment.isoweekday() % 7, 0, 6),
    "getDayOfYear": (lambda moment: moment.timetuple().tm_yday - 1, 0, 365),
    "getHours": (lambda moment: moment.hour, 0, 23),
    "getMinutes": (lambda moment: moment.minute, 0, 59),
    "getSeconds": (lambda moment: moment.second, 0, 59),
    "getMilliseconds": (lambda moment: moment.microsecond // 1000, 0, 999),
}
"""Parts of a date by function: how they are computed, their least and their greatest value."""

COMPARISONS: Final = frozenset({"==", "!=", "<", "<=", ">", ">="})
"""Operators that compare."""
MIRRORED: Final[Mapping[str, str]] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""The same comparisons with their sides exchanged."""


class _BrokenError(Exception):
    """A text that is no instant, duration or time zone: the service fails to evaluate the condition."""


def clock_test(node: Operation) -> Pair | None:
    """Return when a comparison that involves the time of the request holds, `None` when it is none."""
    try:
        if node.operator == "in":
            return _among(*node.operands)
        if node.operator not in COMPARISONS:
            return None
        left, right = node.operands
        return _part(node.operator, left, right) or _part(_mirror(node.operator), right, left) or _instants(node)
    except _BrokenError:
        # "If the timestamp is not valid, the condition never allows": the conversion is an error.
        return ERROR


def _mirror(operator: str) -> str:
    return MIRRORED.get(operator, operator)


# -- instants ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Linear:
    """`times * request.time + micros`; an instant or a duration."""

    times: int
    micros: int
    instant: bool


def _instants(node: Operation) -> Pair | None:
    left, right = map(_linear, node.operands)
    if left is None or right is None or left.instant is not right.instant:
        return None
    times, bound = left.times - right.times, right.micros - left.micros
    if times not in (1, -1):
        return None
    operator = node.operator if times == 1 else _mirror(node.operator)
    return _compared(operator, bound * times)


def _compared(operator: str, micros: int) -> Pair | None:
    try:
        text = (_EPOCH + timedelta(microseconds=micros)).isoformat()
    except OverflowError:
        return None
    instants = _INSTANTS[operator](text)
    holds = ~instants if operator == "!=" else instants
    return Pair(Test(TIME_KEY, Quantifier.ONE, holds), Test(TIME_KEY, Quantifier.ONE, ~holds))


_INSTANTS: Final = {
    "==": TimeSet.equal,
    "!=": TimeSet.equal,
    "<": TimeSet.below,
    "<=": TimeSet.at_most,
    ">": TimeSet.above,
    ">=": TimeSet.at_least,
}


def _linear(node: Expression) -> _Linear | None:
    match node:
        case Path(names=("request", "time")):
            return _Linear(1, 0, instant=True)
        case Call(target=None, arguments=(Literal(value=str(text)),)) if node.function in _READERS:
            return _READERS[node.function](text)
        case Operation(operator="+" | "-", operands=operands):
            return _sum(node.operator, [_linear(operand) for operand in operands])
        case _:
            return None


def _sum(operator: str, parts: list[_Linear | None]) -> _Linear | None:
    total = parts[0]
    for part in parts[1:]:
        if total is None or part is None or (part.instant and (operator == "+") is total.instant):
            # Two instants have a difference and no sum; a duration minus an instant is nothing.
            return None
        sign = 1 if operator == "+" else -1
        instant = total.instant is not part.instant
        total = _Linear(total.times + sign * part.times, total.micros + sign * part.micros, instant=instant)
    return total


def _timestamp(text: str) -> _Linear:
    if not _TIMESTAMP.fullmatch(text):
        raise _BrokenError
    return _moment(text.upper())


def _date(text: str) -> _Linear:
    if not _DATE.fullmatch(text):
        raise _BrokenError
    return _moment(f"{text}T00:00:00Z")


def _moment(text: str) -> _Linear:
    try:
        moment = datetime.fromisoformat(text)
        return _Linear(0, (moment - _EPOCH) // timedelta(microseconds=1), instant=True)
    except (ValueError, OverflowError) as error:
        raise _BrokenError from error


def _duration(text: str) -> _Linear:
    if not _DURATION.fullmatch(text):
        raise _BrokenError
    try:
        micros = round(sum(float(number) * _UNITS[unit] for number, unit in _DURATION_PART.findall(text)))
    except (ValueError, OverflowError) as error:
        raise _BrokenError from error
    return _Linear(0, -micros if text.startswith("-") else micros, instant=False)


_READERS: Final[Mapping[str, Callable[[str], _Linear]]] = {
    "timestamp": _timestamp,
    "date": _date,
    "duration": _duration,
}


# -- parts of a date --------------------------------------------------------------------------------------------------


def _part(operator: str, left: Expression, right: Expression) -> Pair | None:
    """Compare a part of a date with a number."""
    key = _part_key(left)
    if key is None or not isinstance(right, Literal) or not _is_integer(right.value):
        return None
    numbers = _numbers(operator, int(right.value or 0)) & _range(key)
    return _numbered(key, numbers)


def _among(left: Expression, right: Expression) -> Pair | None:
    key = _part_key(left)
    if key is None or not isinstance(right, ListOf):
        return None
    values = [item.value for item in right.items if isinstance(item, Literal) and _is_integer(item.value)]
    if len(values) != len(right.items):
        return None
    return _numbered(key, NumberSet.one_of(map(str, values)) & _range(key))


def _numbered(key: str, numbers: NumberSet) -> Pair:
    return Pair(Test(key, Quantifier.ONE, numbers), Test(key, Quantifier.ONE, _range(key) - numbers))


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _numbers(operator: str, number: int) -> NumberSet:
    """Return the whole numbers that compare so, as a set that has no gaps to whole numbers."""
    match operator:
        case "<":
            return NumberSet.at_most(str(number - 1))
        case "<=":
            return NumberSet.at_most(str(number))
        case ">":
            return NumberSet.at_least(str(number + 1))
        case ">=":
            return NumberSet.at_least(str(number))
        case "==":
            return NumberSet.equal(str(number))
        case _:
            return NumberSet.at_most(str(number - 1)) | NumberSet.at_least(str(number + 1))


def _range(key: str) -> NumberSet:
    _, least, most = _PARTS[_function_of(key)]
    return NumberSet.at_least(str(least)) & NumberSet.at_most(str(most))


def _function_of(key: str) -> str:
    return key.removeprefix("request.time.").partition("(")[0]


def _part_key(node: Expression) -> str | None:
    """Return the context key of a part of the request's time."""
    if not (isinstance(node, Call) and node.function in _PARTS and isinstance(node.target, Path)):
        return None
    if node.target.names != ("request", "time") or len(node.arguments) > 1:
        return None
    if not node.arguments:
        return f"request.time.{node.function}()"
    argument = node.arguments[0]
    if not (isinstance(argument, Literal) and isinstance(argument.value, str)):
        return None
    if _zone(argument.value) is None:
        if not available_timezones():
            return None
        raise _BrokenError
    return f"request.time.{node.function}('{argument.value}')"


@lru_cache(maxsize=1024)
def _zone(name: str) -> tzinfo | None:
    """Return a time zone by name of the database or by offset, `None` when there is none."""
    offset = _OFFSET.fullmatch(name)
    if offset is not None:
        minutes = int(offset["hours"]) * 60 + int(offset["minutes"])
        return (
            timezone(timedelta(minutes=-minutes if offset["sign"] == "-" else minutes)) if minutes < 24 * 60 else None
        )
    if name in ("UTC", "Z", ""):
        return UTC if name == "UTC" else None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def clock_value(key: str, time: str) -> str | None:
    """Return the value of a clock key at a time in ISO 8601, `None` when either is not understood."""
    function, _, rest = key.removeprefix("request.time.").partition("(")
    name = rest.removesuffix(")").strip("'")
    zone = _zone(name) if name else UTC
    if function not in _PARTS or zone is None:
        return None
    try:
        moment = datetime.fromisoformat(time)
        local = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(zone)
    except (ValueError, OverflowError):
        return None
    return str(_PARTS[function][0](local))
