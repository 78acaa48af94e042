"""Capabilities: things that one can be able to do in every cloud, and how each cloud says them."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from idtrans.algebra import Language, glob, union
from idtrans.model.data import rules_dir
from idtrans.model.errors import DataError
from idtrans.model.spans import Place, Source
from idtrans.model.values import Plane, Use

if TYPE_CHECKING:
    from pydantic import ValidationError

    from idtrans.catalog._capability_entry import CapabilityEntry, ColumnEntry

ACCOUNT = "account"
"""Level of a grant that reaches everything in an account, project or subscription."""

_SPELLED: Mapping[str, Callable[[str], str]] = {"azure": str.lower}
"""How a cloud's action dimension spells a permission, where that is not as the vendor writes it."""


@dataclass(frozen=True, slots=True)
class Apart:
    """How a cloud keeps out a capability that shares its permissions with another."""

    capability: str
    """Id of the capability that is kept out."""
    condition: str
    """Condition of the grant, as the vendor writes it."""


@dataclass(frozen=True)
class Column:
    """How one cloud says a capability."""

    permissions: tuple[str, ...] = ()
    """Permissions that are all needed, as the action dimension spells them; empty when there is no counterpart."""
    written: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Each permission as the vendor writes it."""
    optional: tuple[str, ...] = ()
    """Permissions that belong to it and are not needed for it: globs."""
    parts: tuple[str, ...] = ()
    """Permissions about parts of the same object that may come along: globs."""
    bounded: tuple[str, ...] = ()
    """Permissions of a dangerous plane that give nothing more than the capability itself."""
    roles: tuple[str, ...] = ()
    """Predefined roles that are proper bearers of it."""
    levels: tuple[str, ...] = ()
    """Kinds of scope that a grant of it can stand at."""
    apart: tuple[Apart, ...] = ()
    """Capabilities that the same permissions give, and how a grant can keep them out."""
    variant: str | None = None
    """Sub-operation by which it is told apart from others that the same permissions give."""
    unsafe: str | None = None
    """Why it is recognised and never written: what else its permissions give."""
    no_counterpart: str | None = None
    """Why the cloud cannot say it by a grant."""

    @cached_property
    def belonging(self) -> Language:
        """The permissions that belong to the capability: needed and optional ones."""
        return union(glob(text, fold=True) for text in (*self.permissions, *self.optional))

    @cached_property
    def alongside(self) -> Language:
        """The permissions that are about parts of the same object."""
        return union(glob(text, fold=True) for text in self.parts)


@dataclass(frozen=True, slots=True)
class Capability:
    """One thing that one can be able to do."""

    id: str
    title: str
    plane: Plane
    effect: Use
    family: str
    """Capabilities about the same kind of object."""
    scope: str
    """Kind of scope it is about: `object-store`, `secret`, ..., or `account`."""
    parts: tuple[str, ...]
    """Ids of capabilities about parts of the same object, which may come along with this one."""
    note: str
    synonyms: tuple[str, ...] = ()
    """Ids of capabilities that are the same on another kind of object, where a cloud does not tell the kinds apart."""
    columns: Mapping[str, Column] = field(default_factory=dict, hash=False)
    tier: int = 1
    """2 for all that is stated about a service, which no two clouds have alike."""

    def column(self, cloud: str) -> Column:
        """Return how a cloud says it."""
        return self.columns.get(cloud) or Column(no_counterpart=f"nothing is known of it in {cloud}")


@cache
def capabilities() -> tuple[Capability, ...]:
    """Return all capabilities, sorted by id.

    Raises:
        DataError: a file of `rules/capabilities` breaks the schema.
    """
    return read_capabilities(rules_dir() / "capabilities")


def capability(name: str) -> Capability:
    """Return a capability by id. Raises `DataError` for an id that no file has."""
    found = _by_id().get(name)
    if found is None:
        raise DataError(f"there is no capability `{name}`", advice="list them with `idtrans capabilities`")
    return found


@cache
def _by_id() -> Mapping[str, Capability]:
    return MappingProxyType({each.id: each for each in capabilities()})


def read_capabilities(folder: Path) -> tuple[Capability, ...]:
    """Return the capabilities of the files of a folder, sorted by id.

    Raises:
        DataError: a file breaks the schema, has another name than its capability, or names a part that does not exist.
    """
    found = [read_capability(path.read_text(encoding="utf-8"), name=path.name) for path in folder.glob("*.toml")]
    known = {each.id for each in found}
    for each in found:
        named = {
            *each.parts,
            *each.synonyms,
            *(apart.capability for column in each.columns.values() for apart in column.apart),
        }
        for name in sorted(named - known):
            source = Source(Place(f"rules/capabilities/{each.id}.toml"))
            raise DataError(f"it names `{name}`, which no file describes", source=source)
    return tuple(sorted(found, key=lambda each: each.id))


def read_capability(text: str, *, name: str) -> Capability:
    """Return the capability that a file describes. Raises `DataError` with the file and the field that is wrong."""
    from pydantic import ValidationError

    from idtrans.catalog._capability_entry import CapabilityEntry

    source = Source(Place(f"rules/capabilities/{name}"))
    try:
        entry = CapabilityEntry.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"not valid TOML: {error}", source=source) from error
    except ValidationError as error:
        raise _schema_error(source, error) from error
    if name != f"{entry.id}.toml":
        raise DataError(f"the file of `{entry.id}` is called `{name}`", source=source)
    return _capability(entry)


def _schema_error(source: Source, error: ValidationError) -> DataError:
    first = error.errors(include_url=False)[0]
    name = ".".join(map(str, first["loc"])) or "the file"
    if first["type"] == "extra_forbidden":
        return DataError(f"unknown key `{name}`", source=source.at(*first["loc"]))
    return DataError(f"`{name}` is not valid: {first['msg'][:1].lower()}{first['msg'][1:]}", source=source)


def _capability(entry: CapabilityEntry) -> Capability:
    columns = {cloud: _column(cloud, getattr(entry, cloud)) for cloud in ("aws", "gcp", "azure")}
    values: dict[str, Any] = entry.model_dump(exclude={"parts", "synonyms", *columns})
    values |= {"parts": tuple(entry.parts), "synonyms": tuple(entry.synonyms)}
    return Capability(columns=MappingProxyType(columns), **values)


def _column(cloud: str, entry: ColumnEntry) -> Column:
    spelled = _SPELLED.get(cloud, str)
    written = {spelled(name): name for name in entry.permissions}
    return Column(
        permissions=tuple(written),
        written=MappingProxyType(written),
        optional=tuple(map(spelled, entry.optional)),
        parts=tuple(map(spelled, entry.parts)),
        bounded=tuple(map(spelled, entry.bounded)),
        roles=tuple(entry.roles),
        levels=tuple(entry.levels),
        apart=tuple(Apart(each.capability, each.condition) for each in entry.apart),
        variant=entry.variant,
        unsafe=entry.unsafe,
        no_counterpart=entry.no_counterpart,
    )
