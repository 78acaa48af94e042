"""Reading hostile JSON: typed access to the members of an object, with a report of everything of the wrong type."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from idtrans.model.documents import Json, Unsupported
from idtrans.model.spans import Source
from idtrans.model.values import UNKNOWN, Unknown

CLOUD_NAME = "gcp"
"""Name that all entities of this reader carry."""

_HUMP = re.compile(r"(?<!^)([A-Z])")
_SHOWN = 80


def snake(name: str) -> str:
    """Return the snake_case spelling of a camelCase name, as exports to Cloud Storage write it."""
    return _SNAKES[name]


class _Snakes(dict[str, str]):
    """The spellings that were asked for: names of members that readers know, so that there are few."""

    def __missing__(self, name: str) -> str:
        found = self[name] = _HUMP.sub(r"_\1", name).lower()
        return found


_SNAKES = _Snakes()


def shown(value: Json) -> str:
    """Return a value as it is quoted in a message: short, on one line, in backticks."""
    text = value if isinstance(value, str) else repr(value)
    flat = " ".join(text.split())
    return f"`{flat[:_SHOWN]}...`" if len(flat) > _SHOWN else f"`{flat}`"


def problem(reason: str, source: Source, subject: str | None = None) -> Unsupported:
    """Return an `Unsupported` of this cloud."""
    return Unsupported(reason, source, CLOUD_NAME, subject)


@dataclass(frozen=True, slots=True)
class Item:
    """One JSON object with its place. Members are found in camelCase or snake_case; null is the same as absent."""

    data: Mapping[str, Json]
    source: Source
    problems: list[Unsupported]
    """Shared by all items of a document; every member of the wrong type is added."""

    def key(self, name: str) -> str:
        """Return the spelling in which the object has a member; the camelCase one when it has none."""
        if name in self.data:
            return name
        exported = _SNAKES[name]
        return exported if exported in self.data else name

    def get(self, name: str) -> Json:
        """Return a member as it is, `None` when absent."""
        data = self.data
        return data[name] if name in data else data.get(_SNAKES[name])

    def at(self, name: str) -> Source:
        """Return the place of a member."""
        # A key that a reader knows has nothing to escape.
        return Source(self.source.origin, f"{self.source.pointer}/{self.key(name)}")

    def text(self, name: str) -> str | None:
        """Return a text member, `None` when absent or no text."""
        value = self.get(name)
        if value is None or isinstance(value, str):
            return value
        self._report(name, "a text")
        return None

    def flag(self, name: str) -> bool | Unknown | None:
        """Return a yes-or-no member, `None` when absent, UNKNOWN when it is something else."""
        value = self.get(name)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in ("true", "false"):
            return value.lower() == "true"
        self._report(name, "true or false")
        return UNKNOWN

    def time(self, name: str) -> datetime | Unknown | None:
        """Return an RFC 3339 member, `None` when absent, UNKNOWN when it is no time."""
        value = self.get(name)
        if value is None:
            return None
        if isinstance(value, str):
            try:
                moment = datetime.fromisoformat(value)
            except ValueError:
                pass
            else:
                return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        self._report(name, "a time")
        return UNKNOWN

    def texts(self, name: str) -> tuple[str, ...]:
        """Return the texts of a list member; what is no text is reported."""
        value = self.get(name)
        if isinstance(value, list) and {str}.issuperset(map(type, value)):
            return tuple(value)
        return tuple(value for value, _ in self.placed_texts(name))

    def placed_texts(self, name: str) -> tuple[tuple[str, Source], ...]:
        """Return the texts of a list member, each with its place."""
        return tuple(
            (value, place)
            for value, place in self.elements(name)
            if isinstance(value, str) or self._stray(value, place)
        )

    def items(self, name: str) -> tuple[Item, ...]:
        """Return the objects of a list member; what is no object is reported."""
        return items_of(self.elements(name), self.problems)

    def item(self, name: str) -> Item | None:
        """Return an object member, `None` when absent or no object."""
        value = self.get(name)
        if value is None:
            return None
        if isinstance(value, dict):
            return Item(value, self.at(name), self.problems)
        self._report(name, "an object")
        return None

    def mapping(self, name: str) -> dict[str, str]:
        """Return an object of texts; what is no text is reported."""
        inner = self.item(name)
        if inner is None:
            return {}
        return {
            key: value
            for key, value in inner.data.items()
            if isinstance(value, str) or self._stray(value, inner.source.at(key))
        }

    def elements(self, name: str) -> Iterator[tuple[Json, Source]]:
        """Yield what a list member holds, each with its place."""
        value = self.get(name)
        if isinstance(value, list):
            place = self.at(name)
            origin, start = place.origin, place.pointer
            for index, element in enumerate(value):
                yield element, Source(origin, f"{start}/{index}")
        elif value is not None:
            self._report(name, "a list")

    def _stray(self, value: Json, place: Source) -> bool:
        self.problems.append(problem(f"{shown(value)} stands where a text belongs", place))
        return False

    def _report(self, name: str, wanted: str) -> None:
        self.problems.append(problem(f"`{self.key(name)}` is not {wanted}: {shown(self.get(name))}", self.at(name)))


def items_of(elements: Iterable[tuple[Json, Source]], problems: list[Unsupported]) -> tuple[Item, ...]:
    """Return the objects among some values; anything else is reported."""
    found = []
    for value, place in elements:
        if isinstance(value, dict):
            found.append(Item(value, place, problems))
        else:
            problems.append(problem(f"{shown(value)} stands where an object belongs", place))
    return tuple(found)
