"""The map that a user writes: which principal, place and resource of one cloud stands for which of another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from idtrans.model.errors import DataError

if TYPE_CHECKING:
    from pydantic import ValidationError

    from idtrans.model.documents import Document
    from idtrans.ports import Cloud
    from idtrans.translate._map_entry import PairEntry


@dataclass(frozen=True, slots=True)
class Pair:
    """One id of the source and what stands in its place in the target, both as the vendors write them."""

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class IdMap:
    """What stands for what. One id may have a counterpart in each cloud."""

    principals: tuple[Pair, ...] = ()
    scopes: tuple[Pair, ...] = ()
    """Accounts, projects, subscriptions and resource groups."""
    resources: tuple[Pair, ...] = ()

    def principal(self, principal: str, target: Cloud) -> str | None:
        """Return the principal of the target that stands for one of the source, `None` when none is given."""
        found = (pair.target for pair in self.principals if pair.source == principal and target.owns(pair.target))
        return next(found, None)


NO_MAP: Final = IdMap()
"""The map that says nothing."""


def read_map(document: Document) -> IdMap:
    """Return the map that a document states.

    Raises:
        DataError: it breaks the schema: another version, an unknown key, a pair without `from` or `to`.
    """
    from pydantic import ValidationError

    from idtrans.translate._map_entry import MapEntry

    for problem in document.problems[:1]:
        raise DataError(problem.reason, source=problem.source)
    try:
        entry = MapEntry.model_validate(document.content)
    except ValidationError as error:
        raise _schema_error(document, error) from error
    return IdMap(_pairs(entry.principals), _pairs(entry.scopes), _pairs(entry.resources))


def _pairs(entries: list[PairEntry]) -> tuple[Pair, ...]:
    return tuple(Pair(entry.from_, entry.to) for entry in entries)


def _schema_error(document: Document, error: ValidationError) -> DataError:
    first = error.errors(include_url=False)[0]
    source = document.source.at(*first["loc"])
    if source.line is None:
        source = document.source
    name = ".".join(map(str, first["loc"]))[:200] or "the map"
    if first["type"] == "extra_forbidden":
        advice = "known: version, principals, scopes, resources; each entry has `from` and `to`"
        return DataError(f"unknown key `{name}`", source=source, advice=advice)
    return DataError(f"`{name}` is not valid: {first['msg'][:1].lower()}{first['msg'][1:]}", source=source)
