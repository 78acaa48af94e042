"""JSON and NDJSON text to values, with limits, and with duplicate keys found."""

from __future__ import annotations

import json
import math
import re
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import NoReturn, TypeAlias

from idtrans.documents._faults import Fault, shown
from idtrans.documents._limits import Limits
from idtrans.model.documents import Json

_MAX_DIGITS = 1000
_SPACE = re.compile(r"[ \t\n\r]*")
_STRING_OR_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s"\[\]{},:]+')
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')
_SURROGATE = re.compile(r"\\u[dD]")
# Pairs of surrogates and other escapes are stepped over; the group is a surrogate that stands alone.
_LONE_SURROGATE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)

Doubled: TypeAlias = list[tuple[dict[str, Json], list[str]]]
"""Objects that repeat keys, each with the keys it repeats."""


@dataclass(frozen=True, slots=True)
class JsonValues:
    """The values of a text, in order."""

    values: list[Json]
    starts: array[int]
    """Character at which each value begins."""
    doubled: Doubled


class _NumberError(ValueError):
    """A number that JSON does not allow, or that is too long to be worth reading."""

    def __init__(self, reason: str, token: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.token = token


def parse_json(text: str, limits: Limits) -> JsonValues:
    """Return the values of a JSON text, or of several JSON values that each begin on a line of their own.

    Raises:
        Fault: broken JSON (never repaired), a number that is not JSON, or a limit exceeded.
    """
    commas = text.count(",")
    if commas >= limits.max_values:
        raise _too_many(limits)
    doubled: Doubled = []
    try:
        values, starts = _scan(text, _decoder(doubled))
    except RecursionError:
        raise _too_deep(text, limits) from None
    except json.JSONDecodeError as error:
        raise _broken(error) from error
    except _NumberError as error:
        raise Fault(f"broken JSON: {error.reason} {shown(error.token)}", _word(text, error.token)) from error
    bounds = array("Q", [*starts, len(text)])
    if not _surely_small(text, bounds, commas, limits):
        _check_size(values, text, limits)
    _check_surrogates(text)
    return JsonValues(values, starts, doubled)


def parse_one(text: str, limits: Limits) -> JsonValues:
    """Return the one value of a JSON text.

    Raises:
        Fault: as `parse_json`, and for a second value.
    """
    parsed = parse_json(text, limits)
    if len(parsed.values) > 1:
        raise Fault("broken JSON: more than one value", parsed.starts[1])
    return parsed


def duplicate_pointers(root: Json, doubled: Doubled) -> list[tuple[tuple[str | int, ...], str]]:
    """Return (path to the object, key) for each repeated key that is still reachable from `root`.

    An object inside a value that was itself replaced by a later duplicate is not reachable; its parent is reported.
    """
    wanted = {id(members): keys for members, keys in doubled}
    found: list[tuple[tuple[str | int, ...], str]] = []
    # A link is (link of the parent, token): the path of a hit is unrolled, all others cost one small tuple.
    stack: list[tuple[Json, _Link]] = [(root, None)]
    while stack and wanted:
        value, link = stack.pop()
        keys = wanted.pop(id(value), ())
        found += [(_unroll(link), key) for key in keys]
        stack += [(child, (link, token)) for token, child in _items(value) if type(child) in {dict, list}]
    return sorted(found, key=str)


_Link: TypeAlias = "tuple[_Link, str | int] | None"


def _unroll(link: _Link) -> tuple[str | int, ...]:
    tokens: list[str | int] = []
    while link is not None:
        link, token = link
        tokens.append(token)
    return tuple(reversed(tokens))


def _items(value: Json) -> Iterable[tuple[str | int, Json]]:
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


def _decoder(doubled: Doubled) -> json.JSONDecoder:
    def members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        result = dict(pairs)
        if len(result) != len(pairs):
            keys = [key for key, _ in pairs]
            repeated = dict.fromkeys(keys, 0)
            for key in keys:
                repeated[key] += 1
            doubled.append((result, [key for key, times in repeated.items() if times > 1]))
        return result

    return json.JSONDecoder(object_pairs_hook=members, parse_int=_whole, parse_float=_real, parse_constant=_constant)


def _scan(text: str, decoder: json.JSONDecoder) -> tuple[list[Json], array[int]]:
    values: list[Json] = []
    starts = array("Q")
    index = skip_space(text, 0)
    while True:
        value, end = decoder.raw_decode(text, index)
        values.append(value)
        starts.append(index)
        # Most exports write one object a line, and nothing between lines.
        if text.startswith("\n{", end):
            index = end + 1
            continue
        index = skip_space(text, end)
        if index == len(text):
            return values, starts
        if text.find("\n", end, index) < 0:
            raise json.JSONDecodeError("Extra data", text, index)


def skip_space(text: str, index: int) -> int:
    """Return the index of the first character at or after `index` that is not JSON white space."""
    return _SPACE.match(text, index).end()  # type: ignore[union-attr] # matches the empty text too


def _whole(token: str) -> int:
    if len(token) > _MAX_DIGITS:
        raise _NumberError(f"number with more than {_MAX_DIGITS} digits", token)
    return int(token)


def _real(token: str) -> float:
    number = float(token) if len(token) <= _MAX_DIGITS else math.inf
    if math.isinf(number):
        raise _NumberError("number out of range", token)
    return number


def _constant(token: str) -> NoReturn:
    raise _NumberError("not a JSON value:", token)


def _word(text: str, token: str) -> int:
    """Return where a token stands for the first time outside strings.

    The decoder stops at the token, and may not have seen the rest of the word: `NaNs` fails as `NaN`.
    """
    return next((match.start() for match in _STRING_OR_WORD.finditer(text) if match.group().startswith(token)), 0)


def _broken(error: json.JSONDecodeError) -> Fault:
    text, index = error.doc, error.pos
    before = text[:index].rstrip(" \t\n\r")
    rest = text[index:].lstrip(" \t\n\r")
    # Python reports a trailing comma at the comma or after it, depending on its version.
    if text[index : index + 1] == ",":
        before, rest = text[: index + 1], text[index + 1 :].lstrip(" \t\n\r")
    if before.endswith(",") and rest[:1] in {"}", "]"}:
        return Fault(f"broken JSON: trailing comma before `{rest[0]}`", len(before) - 1)
    reason = error.msg[:1].lower() + error.msg[1:]
    what = f"found {shown(text[index:])}" if text[index:].strip() else "found the end of the text"
    return Fault(f"broken JSON: {reason}, {what}", index)


def _surely_small(text: str, bounds: array[int], commas: int, limits: Limits) -> bool:
    """Tell whether no value of several can be too deep, nor all of them too many, by their brackets and commas."""
    several = len(bounds) - 1
    if several == 1:
        return False
    count_of = text.count
    brackets = [count_of("{", start, end) + count_of("[", start, end) for start, end in pairwise(bounds)]
    # A container holds at most one value more than it has commas.
    return max(brackets) <= limits.max_depth and several + commas + sum(brackets) <= limits.max_values


def _check_size(values: list[Json], text: str, limits: Limits) -> None:
    """Walk the values level by level: exact depth and count, at the speed of a comprehension."""
    containers = {dict, list}
    level = [value for value in values if type(value) in containers]
    count = len(values)
    depth = 0
    while level:
        depth += 1
        count += sum(map(len, level))
        if depth > limits.max_depth:
            raise _too_deep(text, limits)
        if count > limits.max_values:
            raise _too_many(limits)
        level = [
            child
            for container in level
            for child in (container.values() if type(container) is dict else container)
            if type(child) in containers
        ]


def _too_many(limits: Limits) -> Fault:
    reason = f"more values than the limit of {limits.max_values} (`max_values`)"
    return Fault(reason, 0, advice=limits.advice("max_values"))


def _too_deep(text: str, limits: Limits) -> Fault:
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(match.group(), 0)
        if depth > limits.max_depth:
            reason = f"nested deeper than the limit of {limits.max_depth} levels (`max_depth`)"
            return Fault(reason, match.start(), advice=limits.advice("max_depth"))
    return Fault("nested deeper than this Python can read", 0)


def _check_surrogates(text: str) -> None:
    # An expression that starts with fixed text is several times as fast as `in`: the end of the three is frequent.
    if _SURROGATE.search(text) is None:
        return
    for match in _LONE_SURROGATE.finditer(text):
        if match.group(1):
            raise Fault(f"broken JSON: half of a surrogate pair {shown(match.group())}", match.start())
