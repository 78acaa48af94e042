"""Which operations of Azure are data actions, from `rules/azure-data-actions.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from typing import Any

from idtrans.model.data import rules_dir


@dataclass(frozen=True, slots=True)
class DataActions:
    """What is known of the data actions of Azure. Operations are compared in lower case."""

    listed: Mapping[str, re.Pattern[str]]
    """By provider, the operations that are data actions; every other operation of a provider is one of control."""
    both: frozenset[str]
    """Operations that are in both lists of their provider."""
    open: tuple[str, ...]
    """Starts of operations that may be in either list."""
    whole: frozenset[str]
    """Providers of which every data action is listed."""

    def is_open(self, operation: str) -> bool:
        """Tell whether an operation is, or may be, in both lists."""
        return operation in self.both or operation.startswith(self.open)

    def names(self, operation: str, known: AbstractSet[str] = frozenset()) -> bool:
        """Tell whether an operation is a data action; `known` are those that role definitions name."""
        provider = operation.partition("/")[0]
        found = self.listed.get(provider)
        listed = found is not None and found.fullmatch(operation) is not None
        return listed or (operation in known and provider not in self.whole)


@cache
def data_actions() -> DataActions:
    """Return what is known of the data actions of Azure."""
    with (rules_dir() / "azure-data-actions.toml").open("rb") as file:
        content: dict[str, Any] = tomllib.load(file)
    found = {provider: [f"{provider}/{name}" for name in names] for provider, names in content["providers"].items()}
    for cluster in content["kubernetes"]["clusters"]:
        names = (f"{cluster}/{name}" for name in content["kubernetes"]["objects"])
        found.setdefault(cluster.partition("/")[0], []).extend(names)
    listed = {provider: re.compile("|".join(map(_pattern, names)), re.DOTALL) for provider, names in found.items()}
    starts = tuple(f"{name}/" for name in content["open"])
    return DataActions(listed, frozenset(content["both"]), starts, frozenset(content["whole"]))


def _pattern(name: str) -> str:
    return ".*".join(map(re.escape, name.split("*")))
