"""YAML text to plain values, from parser events alone: no object of any kind is ever constructed by a tag.

Nothing recurses, aliases are charged with everything they stand for, and keys are always text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, Protocol

import yaml

from idtrans.documents._faults import Fault, shown
from idtrans.documents._limits import Limits
from idtrans.documents._pointers import pointer_of
from idtrans.documents._yaml_scalars import plain_value
from idtrans.model.documents import Json

_PARSER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_STANDARD = "tag:yaml.org,2002:"
_TEXT_TAGS = frozenset({"!", _STANDARD + "str", _STANDARD + "timestamp"})
_PLAIN_TAGS = frozenset(_STANDARD + name for name in ("int", "float", "bool", "null"))
_SCALAR_TAGS = _TEXT_TAGS | _PLAIN_TAGS
_CONTAINER_TAGS = frozenset({"!", _STANDARD + "map", _STANDARD + "seq"})
_MERGE: Final = "<<"
# What YAML 1.1 allows in a stream; asked for first, because the two parsers report the place differently.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class _Mark(Protocol):
    """A place in the text, as both parsers give it."""

    @property
    def index(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Item:
    """A finished value with what an alias to it costs."""

    value: Json
    size: int = 1
    height: int = 0


@dataclass(slots=True)
class _Frame:
    """A list or mapping that is still open."""

    value: dict[str, Json] | list[Json]
    pointer: str
    anchor: str | None
    tag: str | None
    depth: int
    key: str | None = None
    merging: bool = False
    """Whether the key is an unquoted `<<`."""
    size: int = 1
    height: int = 1
    merged: list[dict[str, Json]] = field(default_factory=list)


@dataclass(slots=True)
class YamlValues:
    """The documents of a YAML stream, what was odd about them, and where values stand.

    Pointers begin with the number of the document in the stream.
    """

    values: list[Json] = field(default_factory=list)
    problems: list[tuple[str, str]] = field(default_factory=list)
    marks: dict[str, int] = field(default_factory=dict)
    """Character at which each value begins, by pointer."""
    shared: set[str] = field(default_factory=set)
    """Pointers of values with parts that are written elsewhere: aliases and merged mappings."""


def parse_yaml(text: str, limits: Limits) -> YamlValues:
    """Return the documents of a YAML stream.

    Raises:
        Fault: broken YAML, a key that is not text, an alias to nothing, or a limit exceeded.
    """
    forbidden = _FORBIDDEN.search(text)
    if forbidden:
        raise Fault(f"broken YAML: character `U+{ord(forbidden.group()):04X}` is not allowed", forbidden.start())
    builder = _Builder(limits)
    try:
        for event in yaml.parse(text, Loader=_PARSER):
            builder.feed(event)
    except yaml.MarkedYAMLError as error:
        index = _index(error.problem_mark or error.context_mark)
        reason = error.problem or error.context or "not understood"
        raise Fault(f"broken YAML: {reason}", index) from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise Fault("broken YAML: an escape or character that is not allowed", builder.index) from error
    return builder.result


class _Builder:
    def __init__(self, limits: Limits) -> None:
        self.result = YamlValues()
        self.index = 0
        self._limits = limits
        self._frames: list[_Frame] = []
        self._anchors: dict[str, Item] = {}
        self._count = 0
        self._aliased = 0

    def feed(self, event: yaml.Event) -> None:
        self.index = _index(event.start_mark)
        match event:
            case yaml.ScalarEvent():
                self._scalar(event)
            case yaml.AliasEvent():
                self._alias(event)
            case yaml.SequenceStartEvent():
                self._open(event, [])
            case yaml.MappingStartEvent():
                self._open(event, {})
            case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                self._close()
            case yaml.DocumentStartEvent():
                self._anchors.clear()
            case _:
                pass

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        self._charge()
        if _SURROGATE.search(event.value):
            raise Fault("broken YAML: half of a surrogate pair", self.index)
        frame = self._mapping_at_key()
        if frame is not None:
            self._key(frame, event.value, merges=event.value == _MERGE and event.implicit[0])
            self._remember(event.anchor, Item(event.value))
            return
        pointer = self._pointer()
        self.result.marks[pointer] = self.index
        item = self._tagged(Item(_scalar_value(event)), _unknown_tag(event.tag, _SCALAR_TAGS), pointer)
        self._remember(event.anchor, item)
        self._add(item)

    def _alias(self, event: yaml.AliasEvent) -> None:
        name = event.anchor or ""
        item = self._anchors.get(name)
        if item is None:
            raise Fault(f"broken YAML: alias {shown('*' + name)} stands for no finished value", self.index)
        self._aliased += item.size
        if self._aliased > self._limits.max_alias_values:
            reason = f"aliases stand for more values than the limit of {self._limits.max_alias_values}"
            advice = self._limits.advice("max_alias_values")
            raise Fault(f"{reason} (`max_alias_values`)", self.index, advice=advice)
        self._deeper(item.height)
        frame = self._mapping_at_key()
        if frame is not None:
            if not isinstance(item.value, str):
                raise self._bad_key()
            self._key(frame, item.value, merges=False)
            return
        pointer = self._pointer()
        self.result.marks[pointer] = self.index
        self.result.shared.add(pointer)
        self._add(item)

    def _open(self, event: yaml.CollectionStartEvent, value: dict[str, Json] | list[Json]) -> None:
        self._charge()
        if self._mapping_at_key() is not None:
            raise self._bad_key()
        tag = _unknown_tag(event.tag, _CONTAINER_TAGS)
        depth = self._deeper(1 if tag is None else 2)
        pointer = self._pointer()
        self.result.marks[pointer] = self.index
        if tag is not None:
            pointer += pointer_of(tag)
            self.result.marks[pointer] = self.index
        self._frames.append(_Frame(value, pointer, event.anchor, tag, depth))

    def _close(self) -> None:
        frame = self._frames.pop()
        if isinstance(frame.value, dict) and frame.merged:
            self.result.shared.add(frame.pointer)
            for key, value in chain.from_iterable(mapping.items() for mapping in frame.merged):
                frame.value.setdefault(key, value)
        item = Item(frame.value, frame.size, frame.height)
        if frame.tag is not None:
            item = self._tagged(item, frame.tag, frame.pointer.rpartition("/")[0])
        self._remember(frame.anchor, item)
        self._add(item)

    def _tagged(self, item: Item, tag: str | None, pointer: str) -> Item:
        if tag is None:
            return item
        self.result.problems.append((pointer, f"YAML tag {shown(tag)} is not understood"))
        self.result.marks.setdefault(pointer + pointer_of(tag), self.index)
        return Item({tag: item.value}, item.size + 1, item.height + 1)

    def _add(self, item: Item) -> None:
        if not self._frames:
            self.result.values.append(item.value)
            return
        frame = self._frames[-1]
        frame.size += item.size
        frame.height = max(frame.height, item.height + 1)
        if isinstance(frame.value, list):
            frame.value.append(item.value)
        elif frame.merging:
            self._merge(frame, item.value)
        else:
            frame.value[str(frame.key)] = item.value
        frame.key = None

    def _merge(self, frame: _Frame, value: Json) -> None:
        mappings = value if isinstance(value, list) else [value]
        if not all(isinstance(mapping, dict) for mapping in mappings):
            raise Fault("broken YAML: `<<` merges mappings only", self.index)
        frame.merged += mappings

    def _key(self, frame: _Frame, key: str, *, merges: bool) -> None:
        frame.key = key
        frame.merging = merges
        if merges or isinstance(frame.value, list):
            return
        if key in frame.value:
            reason = f"key {shown(key)} is written more than once; only its last value is read"
            self.result.problems.append((self._pointer(), reason))
        frame.value[key] = None

    def _mapping_at_key(self) -> _Frame | None:
        if not self._frames or self._frames[-1].key is not None or isinstance(self._frames[-1].value, list):
            return None
        return self._frames[-1]

    def _bad_key(self) -> Fault:
        return Fault("broken YAML: a mapping key must be text", self.index)

    def _pointer(self) -> str:
        if not self._frames:
            return f"/{len(self.result.values)}"
        frame = self._frames[-1]
        token = len(frame.value) if isinstance(frame.value, list) else str(frame.key)
        return frame.pointer + pointer_of(token)

    def _remember(self, anchor: str | None, item: Item) -> None:
        if anchor is not None:
            self._anchors[anchor] = item

    def _charge(self) -> None:
        self._count += 1
        if self._count > self._limits.max_values:
            reason = f"more values than the limit of {self._limits.max_values} (`max_values`)"
            raise Fault(reason, self.index, advice=self._limits.advice("max_values"))

    def _deeper(self, height: int) -> int:
        depth = height + (self._frames[-1].depth if self._frames else 0)
        if depth > self._limits.max_depth:
            reason = f"nested deeper than the limit of {self._limits.max_depth} levels (`max_depth`)"
            raise Fault(reason, self.index, advice=self._limits.advice("max_depth"))
        return depth


def _scalar_value(event: yaml.ScalarEvent) -> Json:
    plain = event.tag in _PLAIN_TAGS or (event.implicit[0] and event.tag != "!")
    return plain_value(event.value) if plain else event.value


def _unknown_tag(tag: str | None, known: frozenset[str]) -> str | None:
    """Return an unknown tag as it is written, `None` for a known one or none."""
    if tag is None or tag in known:
        return None
    return "!!" + tag.removeprefix(_STANDARD) if tag.startswith(_STANDARD) else tag


def _index(mark: _Mark | None) -> int:
    return mark.index if mark is not None else 0
