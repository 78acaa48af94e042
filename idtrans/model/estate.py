"""The estate: everything that was read, by kind, with what was not understood beside it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TypeVar, cast

from idtrans.model.documents import Unsupported
from idtrans.model.entities import Container, Entity
from idtrans.model.errors import DocumentError

T = TypeVar("T", bound=Entity)


@dataclass(frozen=True, slots=True)
class InputFile:
    """One input file and what became of it."""

    path: str
    shape: str | None
    """Name of the recognised shape, such as `aws.account-authorization-details`; `None` when not recognised."""
    explicit: bool
    """Whether the user named the file itself."""
    reason: str | None = None
    """Why it was left out, when that is more than a shape that no reader knows."""


@dataclass(frozen=True)
class Estate:
    """Entities of all clouds, in input order. Immutable; indexes are built on first use."""

    entities: tuple[Entity, ...]
    now: datetime
    """The time that ages are counted from."""
    unsupported: tuple[Unsupported, ...] = ()
    inputs: tuple[InputFile, ...] = ()
    errors: tuple[DocumentError, ...] = ()
    memo: dict[tuple[str, str], object] = field(default_factory=dict, compare=False, repr=False)
    """Scratch space for adapters: results derived from this estate, by (adapter, name)."""

    @cached_property
    def _groups(self) -> dict[type, tuple[Entity, ...]]:
        groups: defaultdict[type, list[Entity]] = defaultdict(list)
        for entity in self.entities:
            groups[type(entity)].append(entity)
        return {kind: tuple(group) for kind, group in groups.items()}

    @cached_property
    def _of_clouds(self) -> dict[tuple[type, str], tuple[Entity, ...]]:
        return {}

    def of(self, kind: type[T], cloud: str | None = None) -> tuple[T, ...]:
        """Return the entities of one class, of one cloud when given, in input order."""
        every = cast("tuple[T, ...]", self._groups.get(kind, ()))
        if cloud is None:
            return every
        key = (kind, cloud)
        found = self._of_clouds.get(key)
        if found is None:
            own = tuple([entity for entity in every if entity.cloud == cloud])
            # Most estates are of one cloud, and one tuple is enough.
            found = self._of_clouds[key] = every if len(own) == len(every) else own
        return cast("tuple[T, ...]", found)

    @cached_property
    def parents(self) -> Mapping[str, str]:
        """Container and alias ids to the id of the container above."""
        parents: dict[str, str] = {}
        for container in self.of(Container):
            for name in (container.id, *container.aliases):
                if container.parent is not None:
                    parents.setdefault(name, container.parent)
        return parents

    @cached_property
    def clouds(self) -> tuple[str, ...]:
        """Names of the clouds that stated anything, sorted."""
        return tuple(sorted({entity.cloud for entity in self.entities}))
