"""What holds in a cloud whatever policies say, from `rules/service-facts/CLOUD.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any

from idtrans.catalog._shorthand import expand
from idtrans.model.data import rules_dir
from idtrans.model.errors import DataError
from idtrans.model.spans import Place, Source


@dataclass(frozen=True, slots=True)
class ServiceFact:
    """Actions that are always, or never, possible."""

    name: str
    """What people are told."""
    actions: tuple[str, ...]
    """Globs, whose case does not matter."""
    resources: tuple[str, ...]
    """Patterns of resources; empty for all."""
    reference: str
    source: Source


@dataclass(frozen=True, slots=True)
class ServiceFacts:
    """The facts of one cloud."""

    always: tuple[ServiceFact, ...]
    """What everybody who has credentials may do, under any deny."""
    never: tuple[ServiceFact, ...]
    """What nobody may do, under any allow."""


@cache
def service_facts(cloud: str) -> ServiceFacts:
    """Return what holds in a cloud whatever policies say; nothing for a cloud without facts.

    Raises:
        DataError: the file cannot be read or breaks its schema.
    """
    path = rules_dir() / "service-facts" / f"{cloud}.toml"
    if not path.is_file():
        return ServiceFacts((), ())
    source = Source(Place(f"rules/service-facts/{cloud}.toml"))
    try:
        with path.open("rb") as file:
            content = tomllib.load(file)
        return ServiceFacts(*(_facts(content, kind, source) for kind in ("always", "never")))
    except (OSError, ValueError) as error:
        raise DataError(f"the file cannot be read: {error}", source=source) from error
    except KeyError as error:
        raise DataError(f"the key `{error.args[0]}` is missing", source=source) from error


def _facts(content: dict[str, Any], kind: str, source: Source) -> tuple[ServiceFact, ...]:
    return tuple(
        ServiceFact(
            entry["name"],
            expand(entry["actions"]),
            tuple(entry.get("resources", ())),
            entry["reference"],
            source.at(kind, number),
        )
        for number, entry in enumerate(content.get(kind, ()))
    )
