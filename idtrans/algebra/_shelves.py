"""Parts of a union by what they start with, so that a request meets only those that may hold it.

What is found is a superset, compared in folded form: the parts themselves still decide.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from idtrans.algebra._access import AnyOf, Box
from idtrans.algebra._condition_template import Template
from idtrans.algebra._text_fold import fold_text
from idtrans.algebra._text_heads import ANYTHING, Heads, heads_of, joined

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.algebra._access import Access, Resources
    from idtrans.model.decisions import Request

_T = TypeVar("_T")
_FEW: Final = 3
"""As many parts are looked at one by one."""
_MANY: Final = 16
"""More parts on one service are kept by their resources too."""
_MOST_WORDS: Final = 256
"""A longer list of words is one look-up already, and is not listed a second time."""
_END: Final = re.compile("[:./]")
"""What stands after the service in an action: `s3:GetObject`, `storage.objects.get`, `Microsoft.Storage/...`."""


class Shelf(Generic[_T]):
    """Things by what the texts that they are about start with."""

    __slots__ = ("_heads", "_lengths", "_open", "_things", "_words")

    def __init__(self, entries: Iterable[tuple[Heads, _T]]) -> None:
        """Take things with what their texts start with."""
        self._things: list[_T] = []
        self._words: dict[str, list[int]] = defaultdict(list)
        self._heads: dict[str, list[int]] = defaultdict(list)
        self._open: list[int] = []
        for heads, thing in entries:
            self._put(heads, len(self._things))
            self._things.append(thing)
        self._lengths = sorted({len(head) for head in self._heads})

    def _put(self, heads: Heads, position: int) -> None:
        if heads.open or len(heads.words) > _MOST_WORDS:
            self._open.append(position)
            return
        for word in heads.words:
            self._words[word].append(position)
        for head in heads.heads:
            self._heads[head].append(position)

    def about(self, text: str) -> list[_T]:
        """Return the things that may be about a text, in the order in which they were given."""
        folded = fold_text(text)
        found = [*self._open, *self._words.get(folded, ())]
        for length in self._lengths:
            found += self._heads.get(folded[:length], ())
        things = self._things
        return [things[position] for position in sorted(set(found))]


class Shelves:
    """The parts of one union by the service that they are about."""

    __slots__ = ("_by_service", "_rest")

    def __init__(self, parts: tuple[Access, ...]) -> None:
        """Take the parts in their order."""
        named = [_services(part) for part in parts]
        services = {service for each in named if each is not None for service in each}
        self._rest = _layer([part for part, each in zip(parts, named, strict=True) if each is None])
        self._by_service = {
            service: _layer([part for part, each in zip(parts, named, strict=True) if each is None or service in each])
            for service in services
        }

    def about(self, request: Request) -> tuple[Access, ...]:
        """Return the parts that may hold a request, in order."""
        found = self._by_service.get(_service(request.action), self._rest)
        return found if isinstance(found, tuple) else tuple(found.about(request.resource))


def parts_about(union: AnyOf, request: Request) -> tuple[Access, ...]:
    """Return the parts of a union that may hold a request, in order; the rest surely does not."""
    if len(union.parts) <= _FEW:
        return union.parts
    shelves = union.shelves
    if shelves is None:
        shelves = Shelves(union.parts)
        # Whoever is asked once is asked again; a union that nobody asks needs none.
        object.__setattr__(union, "shelves", shelves)
    return shelves.about(request)


def heads_of_texts(resources: Resources) -> Heads:
    """Return what the actions or resources of a statement start with, whatever their variables stand for."""
    if isinstance(resources, tuple):
        return joined(map(heads_of_texts, resources))
    if isinstance(resources, Template):
        return ANYTHING if resources.negated else heads_of(resources.widest().node)
    return heads_of(resources.node)


def _layer(parts: list[Access]) -> tuple[Access, ...] | Shelf[Access]:
    if len(parts) <= _MANY:
        return tuple(parts)
    return Shelf((_resource_heads(part), part) for part in parts)


def _resource_heads(part: Access) -> Heads:
    """Return what the resources of a part start with; a pattern with variables may be open even where it fits not."""
    plain = isinstance(part, Box) and not isinstance(part.resources, (tuple, Template))
    return heads_of_texts(part.resources) if isinstance(part, Box) and plain else ANYTHING


def _services(part: Access) -> frozenset[str] | None:
    """Return the services that a part is about; `None` for a part that may be about any."""
    if not isinstance(part, Box):
        return None
    heads = heads_of(part.actions.node)
    if not all(map(_END.search, heads.heads)):
        return None
    return frozenset(map(_service, (*heads.words, *heads.heads)))


@lru_cache(maxsize=4096)
def _service(action: str) -> str:
    """Return what stands before the first separator, in folded form."""
    return _END.split(fold_text(action), maxsplit=1)[0]
