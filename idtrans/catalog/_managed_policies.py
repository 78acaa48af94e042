"""Managed policies of AWS that people attach most, from `rules/managed-policies/NAME.toml`, one file a policy.

https://docs.aws.amazon.com/aws-managed-policy/latest/reference/policy-list.html
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from idtrans.catalog._shorthand import expand
from idtrans.model.data import rules_dir
from idtrans.model.entities import ConditionTest, PolicyStatement
from idtrans.model.errors import DataError
from idtrans.model.spans import Place, Source
from idtrans.model.values import Effect

if TYPE_CHECKING:
    from datetime import date

_ARN: Final = re.compile(r"arn:[a-z-]+:iam::aws:policy/(?:[\w+=,.@-]+/)*([\w+=,@-][\w+=,.@-]*)", re.ASCII)
_KEYS: Final = frozenset({"arn", "version", "as_of", "partitions", "statement"})
_LISTS: Final = ("actions", "not_actions", "resources", "not_resources")
_STATEMENT_KEYS: Final = frozenset({"sid", "effect", "conditions", *_LISTS})


@dataclass(frozen=True, slots=True)
class ManagedPolicy:
    """A policy that AWS maintains, with the statements of its default version."""

    arn: str
    name: str
    version: str
    """Default version, such as `v3`. AWS publishes new ones at any time."""
    as_of: date
    """Day on which this was the default version."""
    statements: tuple[PolicyStatement, ...]
    source: Source


@cache
def managed_policy(arn: str) -> ManagedPolicy | None:
    """Return what is known of a managed policy of AWS, `None` when nothing is. Reads the file of this policy alone.

    A policy of another partition is known only where it is the same in all of them.

    Raises:
        DataError: the file of the policy cannot be read or breaks its schema.
    """
    named = _ARN.fullmatch(arn)
    if named is None:
        return None
    name = named[1]
    path = rules_dir() / "managed-policies" / f"{name}.toml"
    if not path.is_file():
        return None
    source = Source(Place(f"rules/managed-policies/{name}.toml"))
    try:
        with path.open("rb") as file:
            entry = tomllib.load(file)
    except (OSError, ValueError) as error:
        raise DataError(f"the file cannot be read: {error}", source=source) from error
    try:
        return _policy(entry, arn, name, source)
    except KeyError as error:
        raise DataError(f"the key `{error.args[0]}` is missing", source=source) from error
    except ValueError as error:
        raise DataError(f"an effect is neither `allow` nor `deny`: {error}", source=source) from error


def _policy(entry: dict[str, Any], arn: str, name: str, source: Source) -> ManagedPolicy | None:
    _check_keys(entry, _KEYS, source)
    partition, _, rest = arn.removeprefix("arn:").partition(":")
    # The file name may have been found in another case, and a name says nothing of the path before it.
    if partition not in entry.get("partitions", ["aws"]) or entry["arn"] != f"arn:aws:{rest}":
        return None
    statements = tuple(
        _statement(each, source.at("statement", number)) for number, each in enumerate(entry["statement"])
    )
    return ManagedPolicy(arn, name, entry["version"], entry["as_of"], statements, source)


def _statement(entry: dict[str, Any], source: Source) -> PolicyStatement:
    _check_keys(entry, _STATEMENT_KEYS, source)
    actions, not_actions = (_actions(entry.get(key)) for key in _LISTS[:2])
    resources, not_resources = (_texts(entry.get(key)) for key in _LISTS[2:])
    return PolicyStatement(
        effect=Effect(entry["effect"]),
        source=source,
        sid=entry.get("sid"),
        actions=actions,
        not_actions=not_actions,
        resources=resources,
        not_resources=not_resources,
        conditions=tuple(
            ConditionTest(test["operator"], test["key"], tuple(test["values"]), source.at("conditions", number))
            for number, test in enumerate(entry.get("conditions", ()))
        ),
    )


def _actions(listed: list[str] | None) -> tuple[str, ...] | None:
    return expand(listed) if listed is not None else None


def _texts(listed: list[str] | None) -> tuple[str, ...] | None:
    return tuple(listed) if listed is not None else None


def _check_keys(entry: dict[str, Any], known: frozenset[str], source: Source) -> None:
    unknown = sorted(set(entry) - known)
    if unknown:
        raise DataError(f"the key `{unknown[0]}` is not known", source=source, advice=f"use {', '.join(sorted(known))}")
