"""Parsing: from a recognised document to entities, with everything that was not understood."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from idtrans.clouds.gcp import _shapes
from idtrans.clouds.gcp._fields import Item, items_of, problem
from idtrans.clouds.gcp._parse_assets import parse_assets
from idtrans.clouds.gcp._parse_containers import ancestors_of, chain, parse_container
from idtrans.clouds.gcp._parse_groups import parse_memberships
from idtrans.clouds.gcp._parse_guards import parse_level, parse_org_policy, parse_perimeter
from idtrans.clouds.gcp._parse_identity import parse_account, parse_key, parse_provider, parse_role
from idtrans.clouds.gcp._parse_policies import Found, parse_bindings, parse_policy_document, parse_search_result
from idtrans.clouds.gcp._parse_rules import (
    parse_access_policy,
    parse_boundary,
    parse_deny_policy,
    parse_policy_binding,
)
from idtrans.clouds.gcp._parse_tags import parse_tag
from idtrans.model.documents import Document, Json, Unsupported
from idtrans.model.entities import Container, Entity, Principal, Resource
from idtrans.model.making import maker
from idtrans.model.spans import Source

_made_source: Final = maker(Source)


def parse(document: Document, shape: str) -> Iterable[Entity | Unsupported]:
    """Yield what a document of a shape states, each container, principal and resource once."""
    problems: list[Unsupported] = []
    yield from document.problems
    rows = _rows(document, shape)
    if shape == _shapes.ASSETS:
        yield from _once(parse_assets(rows, problems))
    else:
        yield from _once((_found(document, shape, items_of(rows, problems)),))
    yield from problems


def _found(document: Document, shape: str, items: Sequence[Item]) -> Found:
    if shape == _shapes.MEMBERSHIPS:
        yield from parse_memberships(document, items)
        return
    if shape == _shapes.ANCESTORS:
        yield from _ancestors(document, items)
        return
    each = _EACH.get(shape)
    for item in items:
        if shape == _shapes.IAM_POLICY:
            yield from parse_policy_document(document, item)
        elif shape == _shapes.DENIES:
            yield from parse_deny_policy(item, document.hints.scope or document.hints.resource)
        elif shape == _shapes.TAGS:
            yield from parse_tag(document, item)
        elif each is not None:
            yield from each(item)
        else:
            yield problem(f"`{shape}` is not a shape of this cloud", document.source)


def _ancestors(document: Document, items: Sequence[Item]) -> Found:
    """Read a project with everything above it, from `get-ancestors` or `get-ancestors-iam-policy`."""
    for item in items:
        for name in (found := ancestors_of((item,))):
            policy = item.item("policy")
            if policy is not None:
                yield from parse_bindings(policy, name)
        if not found:
            yield problem("an entry of the list is no project, folder or organization", item.source)
    yield from chain(ancestors_of(items), document.source)


def _rows(document: Document, shape: str) -> Iterator[tuple[Json, Source]]:
    """Return the elements of a document, out of the list or the wrapper that holds them."""
    content: Json = document.content
    source = document.source
    if isinstance(content, dict):
        for wrapper in _shapes.WRAPPERS.get(shape, ()):
            if isinstance(content.get(wrapper), list):
                content, source = content[wrapper], source.at(wrapper)
                break
    if isinstance(content, list):
        origin, start = source.origin, source.pointer
        return ((element, _made_source(origin, f"{start}/{index}")) for index, element in enumerate(content))
    return iter([(content, source)])


def _once(found: Iterable[Iterable[Entity | Unsupported]]) -> Found:
    """Leave out containers, principals and resources that were stated in the same words before."""
    seen: set[tuple[object, ...]] = set()
    for stated in found:
        for entity in stated:
            key_of = _KEYS.get(type(entity))
            if key_of is not None:
                key = key_of(entity)
                if key in seen:
                    continue
                seen.add(key)
            yield entity


def _of_container(entity: Container) -> tuple[object, ...]:
    return (Container, entity.id, entity.parent, entity.aliases, entity.name, *entity.tags.items())


def _of_principal(entity: Principal) -> tuple[object, ...]:
    return (Principal, entity.id, entity.container, entity.aliases, entity.name, *entity.attributes)


def _of_resource(entity: Resource) -> tuple[object, ...]:
    if not entity.settings:
        return (entity.id, entity.container)
    return (entity.id, entity.container, *map(str, entity.settings.items()))


_KEYS: Final[dict[type, Callable[[Any], tuple[object, ...]]]] = {
    Container: _of_container,
    Principal: _of_principal,
    Resource: _of_resource,
}
"""What tells entities that are stated once for a document from others of their class."""


def _key_alone(item: Item) -> Found:
    return parse_key(item, {})


_EACH: Final[dict[str, Callable[[Item], Found]]] = {
    _shapes.SEARCH: parse_search_result,
    _shapes.PROVIDERS: parse_provider,
    _shapes.KEYS: _key_alone,
    _shapes.ROLES: parse_role,
    _shapes.ACCOUNTS: parse_account,
    _shapes.CONTAINERS: parse_container,
    _shapes.BOUNDARIES: parse_boundary,
    _shapes.POLICY_BINDINGS: parse_policy_binding,
    _shapes.ACCESS_POLICIES: parse_access_policy,
    _shapes.PERIMETERS: parse_perimeter,
    _shapes.LEVELS: parse_level,
    _shapes.ORG_POLICIES: parse_org_policy,
}
