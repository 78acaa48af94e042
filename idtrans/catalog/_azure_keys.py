"""Keys that stand for data actions of Azure resources, from `rules/azure-keys.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache

from idtrans.model.data import rules_dir


@dataclass(frozen=True, slots=True)
class KeyedType:
    """A type of resource whose keys are an alternative to roles. All names are in lower case."""

    type: str
    """Type of the resource, such as `microsoft.search/searchservices`."""
    what: str
    """The keys in words."""
    lists: tuple[str, ...]
    """Operations that hand out a key, or something that was made with one."""
    opens: tuple[str, ...]
    """Data actions that a key stands for, with `*` for any rest."""
    shows: str
    """One of those."""
    off: str | None
    """Property of the resource that refuses keys where it is true."""
    on: str | None
    """Property of the resource that accepts keys only where it is true."""

    @property
    def root(self) -> str:
        """The type of the resource that has the property: the outermost one."""
        return "/".join(self.type.split("/")[:2])


@cache
def keyed_types() -> tuple[KeyedType, ...]:
    """Return every type of resource that has keys, without storage accounts, whose services have properties apart."""
    with (rules_dir() / "azure-keys.toml").open("rb") as file:
        content = tomllib.load(file)
    found = []
    for entry in content["keys"]:
        kind: str = entry["type"]
        provider = kind.partition("/")[0]
        lists = tuple(f"{kind}/{name}" for name in entry["lists"])
        opens = tuple(f"{provider}/{name}" for name in entry["opens"])
        shows = f"{provider}/{entry['shows']}"
        found.append(KeyedType(kind, entry["what"], lists, opens, shows, entry.get("off"), entry.get("on")))
    return tuple(found)
