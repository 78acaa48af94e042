"""Parts of a union by what they start with, so that a request meets only those that may hold it.

What is found is a superset, compared in folded form: the parts themselves still decide.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from idtrans.algebra._access import AnyOf, Box
from idtrans.algebra._condition import ALWAYS, Opaque
from idtrans.algebra._condition_template import Template
from idtrans.algebra._text import ANY_TEXT, Language
from idtrans.algebra._text_fold import fold_text
from idtrans.algebra._text_heads import ANYTHING, Heads, heads_of, joined

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.algebra._access import Access, Resources
    from idtrans.algebra._condition import Condition
    from idtrans.algebra._text_nodes import Node
    from idtrans.algebra._trace import Trace
    from idtrans.algebra._truth import Truth

_T = TypeVar("_T")
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


class Stack:
    """The parts of a union that may be about actions of one service."""

    __slots__ = ("_parts", "certain", "impersonal", "told", "walked")

    def __init__(self, parts: Iterable[Access], service: str | None) -> None:
        """Take the parts in their order; without a service, they are those for all that no part names."""
        listed = tuple(parts)
        many = len(listed) > _MANY
        self._parts = Shelf((_resource_heads(part), part) for part in listed) if many else listed
        self.impersonal: Final = all(map(_is_impersonal, listed))
        """Whether the answer is the same for all who ask for one action on one resource."""
        self.certain: Final = all(map(_says_nothing, listed)) and any(_holds_all(part, service) for part in listed)
        """Whether it holds whatever is asked, without a statement that would be a reason."""
        self.told: tuple[str, str, Truth] | None = None
        """The last action and resource that an impersonal stack was asked about, and its answer."""
        self.walked: tuple[str, str, Condition, Trace] | None = None
        """The same with what remains of it, and what was met there."""

    def about(self, resource: str) -> tuple[Access, ...]:
        """Return the parts that may be about a resource, in order."""
        return self._parts if isinstance(self._parts, tuple) else tuple(self._parts.about(resource))


class Shelves:
    """The parts of one union by the service that they are about."""

    __slots__ = ("_by_service", "_rest")

    def __init__(self, parts: tuple[Access, ...]) -> None:
        """Take the parts in their order."""
        named = [_services(part) for part in parts]
        services = {service for part in parts for service in (*(_services(part) or ()), *(_left_out(part) or ()))}
        self._rest = Stack((part for part, each in zip(parts, named, strict=True) if each is None), None)
        self._by_service = {
            service: Stack(
                (part for part, each in zip(parts, named, strict=True) if each is None or service in each), service
            )
            for service in services
        }

    def about(self, action: str) -> Stack:
        """Return the parts that may be about an action; it may hold no others."""
        return self._by_service.get(_service(action), self._rest)


def stack_of(union: AnyOf, action: str) -> Stack:
    """Return the parts of a union that may be about an action; the rest surely is not."""
    shelves = union.shelves
    if shelves is None:
        shelves = Shelves(union.parts)
        # Whoever is asked once is asked again; a union that nobody asks needs none.
        object.__setattr__(union, "shelves", shelves)
    return shelves.about(action)


def heads_of_texts(resources: Resources) -> Heads:
    """Return what the actions or resources of a statement start with, whatever their variables stand for."""
    if isinstance(resources, tuple):
        return joined(map(heads_of_texts, resources))
    if isinstance(resources, Template):
        return ANYTHING if resources.negated else heads_of(resources.widest().node)
    return heads_of(resources.node)


def _is_impersonal(part: Access) -> bool:
    """Tell whether a part looks at nothing of a request but its action and resource."""
    if not isinstance(part, Box) or part.principals is not ANY_TEXT or not isinstance(part.resources, Language):
        return False
    return part.condition is ALWAYS or type(part.condition) is Opaque


def _resource_heads(part: Access) -> Heads:
    """Return what the resources of a part start with; a pattern with variables may be open even where it fits not."""
    plain = isinstance(part, Box) and not isinstance(part.resources, (tuple, Template))
    return heads_of_texts(part.resources) if isinstance(part, Box) and plain else ANYTHING


def _says_nothing(part: Access) -> bool:
    """Tell whether a part looks at action and resource alone, and has no name that reasons would give."""
    return isinstance(part, Box) and not part.name and part.condition is ALWAYS and _is_impersonal(part)


def _holds_all(part: Access, service: str | None) -> bool:
    """Tell whether a part that says nothing holds every action of a service on every resource."""
    left_out = _left_out(part)
    return isinstance(part, Box) and part.resources is ANY_TEXT and left_out is not None and service not in left_out


def _services(part: Access) -> frozenset[str] | None:
    """Return the services that a part is about; `None` for a part that may be about any."""
    return _services_of(part.actions.node) if isinstance(part, Box) else None


def _left_out(part: Access) -> frozenset[str] | None:
    """Return the services of which a part leaves out something; `None` when these may be any."""
    return _services_of((~part.actions).node) if isinstance(part, Box) else None


@lru_cache(maxsize=16384)
def _services_of(actions: Node) -> frozenset[str] | None:
    """Return the services of some actions; `None` for actions that may be of any."""
    heads = heads_of(actions)
    if not all(map(_END.search, heads.heads)):
        return None
    return frozenset(map(_service, (*heads.words, *heads.heads)))


@lru_cache(maxsize=4096)
def _service(action: str) -> str:
    """Return what stands before the first separator, in folded form."""
    return _END.split(fold_text(action), maxsplit=1)[0]
