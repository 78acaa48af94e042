"""Tags: what is bound to a resource, and what it inherits.

https://cloud.google.com/resource-manager/docs/tags/tags-creating-and-managing
"""

from __future__ import annotations

from typing import Final
from urllib.parse import unquote

from idtrans.clouds.gcp._fields import CLOUD_NAME, Item, problem, shown
from idtrans.clouds.gcp._names import CONTAINER, scope_name
from idtrans.clouds.gcp._parse_policies import Found
from idtrans.model.documents import Document
from idtrans.model.entities import Container, Resource
from idtrans.model.spans import Source

SETTING: Final = "tag:"
"""What the settings of a resource that are tags start with."""
UNTYPED: Final = "resource"
"""Kind of a resource of which only the name is known."""

_KEY_ID: Final = "tagKeys/"
_VALUE_ID: Final = "tagValues/"


def parse_tag(document: Document, item: Item) -> Found:
    """Read one tag binding or one effective tag; effective tags do not say of which resource they are."""
    parent = item.text("parent") or document.hints.resource or document.hints.scope
    if not parent:
        yield problem("the tags do not say which resource they are of; name it with a resource", item.source)
        return
    yield from _tagged(scope_name(unquote(parent)), tags_of(item), item.source)


def parse_effective_tags(items: tuple[Item, ...]) -> Found:
    """Read the effective tags that an asset carries, each list with the resource that it is attached to."""
    for item in items:
        attached = item.text("attachedResource")
        if not attached:
            yield problem(f"effective tags without a resource: {shown(dict(item.data))}", item.source)
            continue
        tags: dict[str, str] = {}
        for tag in item.items("effectiveTags"):
            tags |= tags_of(tag)
        yield from _tagged(scope_name(attached), tags, item.source)


def tags_of(item: Item) -> dict[str, str]:
    """Return a tag under its namespaced name and under its permanent id, as far as they are stated.

    The value is the short name, as `matchTag` compares it, or the id, as `matchTagId` does. Tools differ in which
    member holds the name and which the id.
    """
    texts = [item.text(name) or "" for name in _VALUES]
    names = [text for text in texts if text and not text.startswith(_VALUE_ID)]
    found = {}
    if names:
        # `123456789012/env/prod`: the key, then the short name of the value.
        key, _, short = names[0].rpartition("/")
        if key and short:
            found[key] = short
    keys = [text for name in _KEYS if (text := item.text(name) or "").startswith(_KEY_ID)]
    values = [text for text in texts if text.startswith(_VALUE_ID)]
    if keys and values:
        found[keys[0]] = values[0]
    return found


_KEYS: Final = ("tagKeyId", "tagKey")
_VALUES: Final = ("namespacedTagValue", "tagValueNamespacedName", "tagValueId", "tagValue")


def _tagged(scope: str, tags: dict[str, str], source: Source) -> Found:
    if not tags:
        yield problem(f"a tag of {shown(scope)} has no key and value", source)
    elif CONTAINER.fullmatch(scope):
        yield Container(CLOUD_NAME, scope, scope.partition("/")[0].removesuffix("s"), source, tags=tags)
    else:
        settings = {f"{SETTING}{key}": value for key, value in tags.items()}
        yield Resource(CLOUD_NAME, scope, UNTYPED, source, settings=settings)
