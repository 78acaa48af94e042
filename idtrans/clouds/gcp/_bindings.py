"""What a binding grants to any of its members, compiled once however many they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from idtrans.algebra import ALWAYS, NO_TEXT, STAR, Condition, Language, Opaque, all_of, pieces, union
from idtrans.clouds.gcp._conditions import request_condition
from idtrans.clouds.gcp._index import Index, remembered
from idtrans.clouds.gcp._parse_guards import PUBLIC_ACCESS
from idtrans.clouds.gcp._places import Part, places
from idtrans.clouds.gcp._roles import Permissions, permissions_of
from idtrans.model.entities import RoleBinding


def binding_parts(binding: RoleBinding, index: Index, *, public: bool) -> tuple[Part, ...]:
    """Return what a binding grants to any of its members, or to its public members, compiled once."""
    table = remembered(index.estate, "parts", dict[tuple[int, bool], tuple[Part, ...]])
    # The index holds every binding as long as the estate lives, so that ids are not used twice.
    key = (id(binding), public)
    found = table.get(key)
    if found is None:
        condition = binding_condition(binding)
        held = permissions_of(binding.role, index)
        found = table[key] = tuple(
            Part(actions, resources, all_of(condition, where, what))
            for resources, where in _resources(binding, index, public=public)
            for actions, what in _actions(held, binding.role)
        )
    return found


def binding_condition(binding: RoleBinding) -> Condition:
    """Return the condition of a binding; what is doubtful about the binding is part of it."""
    doubts = (Opaque(doubt, "the binding is not understood") for doubt in binding.doubts)
    return all_of(request_condition(binding.condition), *doubts)


def _actions(held: Permissions, role: str) -> Iterator[tuple[Language, Condition]]:
    if held.names:
        yield held.sure, ALWAYS
    if held.doubt is not None:
        yield held.unsure, Opaque(f"{role} holds the permission", held.doubt)


def _resources(binding: RoleBinding, index: Index, *, public: bool) -> Iterator[tuple[Language, Condition]]:
    table = remembered(index.estate, "open-places", dict[object, tuple[tuple[Language, Condition], ...]])
    if not public:
        yield from places(binding.scope, index)
        return
    if binding.scope not in table:
        closed = _closed_to_public(index)
        table[binding.scope] = tuple((covered - closed, where) for covered, where in places(binding.scope, index))
    yield from table[binding.scope]


def _closed_to_public(index: Index) -> Language:
    """Return the texts of all that public access prevention shields from public members.

    https://cloud.google.com/storage/docs/public-access-prevention
    """
    return remembered(index.estate, "closed", lambda: union((_closed_buckets(index), _closed_by_policy(index))))


def _closed_buckets(index: Index) -> Language:
    closed = (each.id for each in index.resources.values() if each.settings.get("publicAccessPrevention") == "enforced")
    return union(index.covered(name) for name in closed)


def _closed_by_policy(index: Index) -> Language:
    """Return the buckets that organization policies close: that of the nearest container with one decides."""
    policies = (each for each in index.resources.values() if each.settings.get("constraint") == PUBLIC_ACCESS)
    placed = {index.container(each.container): each for each in policies if each.container is not None}
    closed: Language = NO_TEXT
    for container in sorted(placed, key=lambda name: len(index.chain(name))):
        below = index.covered(container)
        enforced = placed[container].settings.get("enforced") is True
        closed = closed | (below & _IN_BUCKETS) if enforced else closed - below
    return closed


_IN_BUCKETS: Final = pieces((STAR, "//storage.googleapis.com/", STAR))


def prevents_public(resource: str, index: Index) -> bool:
    """Tell whether a bucket refuses public members whatever its policy says."""
    return _closed_to_public(index).matches(index.text(resource))
