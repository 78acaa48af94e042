"""The resources of a plan or a template, and a note on each that is about access."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from idtrans.clouds.templates._bearing import about_access, cloud_of
from idtrans.clouds.templates._shapes import CLOUDFORMATION, PLAN, RESOURCE_MANAGER, SHAPES, STATE
from idtrans.model.documents import Document, Json, Unsupported
from idtrans.model.errors import InternalError

if TYPE_CHECKING:
    from idtrans.model.spans import Source

_MAX_SHOWN: Final = 80
_AWS: Final = "aws"
_AZURE: Final = "azure"
_ROOTS: Final = (("planned_values",), ("values",), ("prior_state", "values"))
"""Where a plan holds modules, beside its list of changes."""


@dataclass(frozen=True, slots=True)
class _Stated:
    """One resource."""

    kind: str | None
    """Its type; `None` for what is no resource."""
    name: str
    settings: Json
    source: Source
    cloud: str | None


def parse(document: Document, shape: str) -> Iterator[Unsupported]:
    """Yield a note for each resource that is about access; without any, one for the document.

    Raises:
        InternalError: `shape` is none that `recognise` returns.
    """
    reader = _RESOURCES.get(shape)
    if reader is None:
        raise InternalError(f"no parser for the shape `{shape}`")
    title, count, noted = SHAPES[shape], 0, False
    seen: set[tuple[str | None, str]] = set()
    for stated in reader(document.content, document.source):
        if stated.kind is not None and (stated.kind, stated.name) in seen:
            continue
        seen.add((stated.kind, stated.name))
        count += 1
        if stated.kind is None:
            noted = True
            yield Unsupported(f"{_shown(stated.name)} is no resource of a {title}", stated.source, stated.cloud)
        elif about_access(stated.kind, stated.settings):
            noted = True
            reason = f"{_shown(stated.kind)} {_shown(stated.name)} of a {title} is about access and is not read"
            yield Unsupported(reason, stated.source, stated.cloud)
    if not noted:
        reason = f"a {title} is not read; none of its {count} resources is known to be about access"
        yield Unsupported(reason, document.source)


def _shown(value: Json) -> str:
    text = "".join(letter if letter.isprintable() else " " for letter in str(value)[: _MAX_SHOWN + 1]).replace("`", "'")
    return f"`{text[:_MAX_SHOWN]}...`" if len(text) > _MAX_SHOWN else f"`{text}`"


def _plan(content: Json, source: Source) -> Iterator[_Stated]:
    """Yield what a plan changes, then what it holds in its modules; what has one address is one resource."""
    for place, item in _items(content, "resource_changes", source):
        change = item.get("change") if isinstance(item, dict) else None
        settings = change.get("after") or change.get("before") if isinstance(change, dict) else None
        yield from _terraform(item, place, settings)
    for root in _ROOTS:
        value, place = content, source.at(*root, "root_module")
        for key in (*root, "root_module"):
            value = value.get(key) if isinstance(value, dict) else None
        yield from _modules(value, place)


def _modules(root: Json, source: Source) -> Iterator[_Stated]:
    left = [(root, source)]
    while left:
        module, place = left.pop()
        for at, item in _items(module, "resources", place):
            yield from _terraform(item, at, item.get("values") if isinstance(item, dict) else None)
        left += [(item, at) for at, item in _items(module, "child_modules", place)]


def _state(content: Json, source: Source) -> Iterator[_Stated]:
    for place, item in _items(content, "resources", source):
        instances = item.get("instances") if isinstance(item, dict) else None
        first = instances[0] if isinstance(instances, list) and instances else None
        yield from _terraform(item, place, first.get("attributes") if isinstance(first, dict) else None)


def _terraform(item: Json, source: Source, settings: Json) -> Iterator[_Stated]:
    """Yield a resource; what is only looked up (`data`) grants nothing by itself."""
    kind = item.get("type") if isinstance(item, dict) else None
    if not isinstance(kind, str):
        yield _Stated(None, str(item)[: _MAX_SHOWN + 1], None, source, None)
    elif item.get("mode") != "data":
        parts = (item.get("module"), kind, item.get("name"))
        address = item.get("address") or ".".join(part for part in parts if isinstance(part, str))
        yield _Stated(kind, str(address), settings, source, cloud_of(kind))


def _cloudformation(content: Json, source: Source) -> Iterator[_Stated]:
    if isinstance(content, dict) and "Resources" not in content and "TemplateBody" in content:
        content, source = content["TemplateBody"], source.at("TemplateBody")
    if not isinstance(content, dict):
        yield _Stated(None, "TemplateBody", None, source, _AWS)
        return
    for key in ("Transform", "Hooks"):
        if content.get(key):
            yield _Stated("Macro", key, None, source.at(key), _AWS)
    resources = content.get("Resources")
    if not isinstance(resources, dict):
        yield _Stated(None, "Resources", None, source.at("Resources"), _AWS)
        return
    for name, item in resources.items():
        kind = item.get("Type") if isinstance(item, dict) else None
        settings = item.get("Properties") if isinstance(item, dict) else None
        yield _Stated(kind if isinstance(kind, str) else None, name, settings, source.at("Resources", name), _AWS)


def _resource_manager(content: Json, source: Source) -> Iterator[_Stated]:
    """Yield the resources of a template and those that they hold; newer templates name them by keys."""
    left = [(content, source)]
    while left:
        holder, place = left.pop()
        for at, item in _items(holder, "resources", place):
            kind = item.get("type") if isinstance(item, dict) else None
            name = str(item.get("name")) if isinstance(kind, str) else str(item)[: _MAX_SHOWN + 1]
            settings = item if isinstance(kind, str) else None
            yield _Stated(kind if isinstance(kind, str) else None, name, settings, at, _AZURE)
            if isinstance(item, dict):
                left.append((item, at))


def _items(value: Json, key: str, source: Source) -> Iterator[tuple[Source, Json]]:
    """Yield the items of a list, or of an object with names as keys; any other value counts as its only item."""
    held = value.get(key) if isinstance(value, dict) else None
    below = source.at(key)
    if isinstance(held, dict | list):
        for name, item in held.items() if isinstance(held, dict) else enumerate(held):
            yield below.at(name), item
    elif held is not None:
        yield below, held


_RESOURCES: Final[dict[str, Callable[[Json, Source], Iterator[_Stated]]]] = {
    PLAN: _plan,
    STATE: _state,
    CLOUDFORMATION: _cloudformation,
    RESOURCE_MANAGER: _resource_manager,
}
