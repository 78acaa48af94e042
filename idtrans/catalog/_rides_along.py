"""What rides along in roles without meaning anything, and which permissions act at a scope at all."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from idtrans.algebra import NO_TEXT, Language, glob, union
from idtrans.catalog._resource_types import acting_on
from idtrans.model.data import rules_dir
from idtrans.model.errors import DataError
from idtrans.model.spans import Place, Source

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.model.intents import Scope


@dataclass(frozen=True, slots=True)
class Noise:
    """Permissions that come with most roles."""

    silent: Language
    """Not worth a word."""
    printed: Language
    """Named, and no reason for another verdict."""


@dataclass(frozen=True, slots=True)
class KnownLoss:
    """A permission that gives no more access but a way to hand access on."""

    permission: Language
    feature: str
    gained: str
    """What it means when the target gives it."""
    dropped: str
    """What it means when only the source gives it."""


@cache
def noise(cloud: str) -> Noise:
    """Return what rides along in the roles of a cloud. Raises `DataError` for a broken file."""
    entry = _file("noise").get(cloud, {})
    return Noise(_language(entry.get("silent", ())), _language(entry.get("printed", ())))


@cache
def known_losses(cloud: str) -> tuple[KnownLoss, ...]:
    """Return the permissions of a cloud that are losses rather than access. Raises `DataError` for a broken file."""
    entries = [entry for entry in _file("noise").get("loss", ()) if entry.get("cloud") == cloud]
    try:
        return tuple(
            KnownLoss(_language([entry["permission"]]), entry["feature"], entry["gained"], entry["dropped"])
            for entry in entries
        )
    except KeyError as error:
        raise DataError(f"a loss lacks the key `{error.args[0]}`", source=_source("noise")) from error


def acting(cloud: str, scope: Scope) -> Language:
    """Return the permissions that a grant on a scope gives anything by. Raises `DataError` for a broken file."""
    for kind, parts, language in _rows(cloud):
        if kind == scope.kind and parts <= set(scope.parts):
            return language
    return acting_on(cloud, scope.native)


@cache
def _rows(cloud: str) -> tuple[tuple[str, frozenset[str], Language], ...]:
    try:
        return tuple(
            (row["kind"], frozenset(row["has"]), _language(row["acts"]) - _language(row["idle"]))
            for row in _file("scopes").get(cloud, ())
        )
    except KeyError as error:
        raise DataError(f"a row of `{cloud}` lacks the key `{error.args[0]}`", source=_source("scopes")) from error


def _language(patterns: Iterable[str]) -> Language:
    found = [glob(pattern, fold=True) for pattern in patterns]
    return union(found) if found else NO_TEXT


@cache
def _file(name: str) -> dict[str, Any]:
    try:
        with (rules_dir() / f"{name}.toml").open("rb") as file:
            return tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise DataError(f"the file cannot be read: {error}", source=_source(name)) from error


def _source(name: str) -> Source:
    return Source(Place(f"rules/{name}.toml"))
