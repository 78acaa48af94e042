"""Make a failing world small: take parts away as long as it still fails."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Json = dict[str, Any]


def shrink(world: Json, fails: Callable[[Json], bool]) -> Json:
    """Return a smaller world that fails too; no single part can be taken away from it."""
    smaller = True
    while smaller:
        smaller = False
        for candidate in _smaller(world):
            if fails(candidate):
                world, smaller = candidate, True
                break
    return world


def _smaller(world: Json) -> Iterator[Json]:
    for number in range(len(world["policies"])):
        yield _without(world, ("policies",), number)
    for number, policy in enumerate(world["policies"]):
        yield from _smaller_statements(world, ("policies", number, "document", "Statement"), policy["document"])
    for key in world["request"]["context"]:
        yield _without(world, ("request", "context"), key)
    for arn, facts in world["principals"].items():
        for tag in facts["tags"]:
            yield _without(world, ("principals", arn, "tags"), tag)
        for group in range(len(facts["groups"])):
            yield _without(world, ("principals", arn, "groups"), group)


def _smaller_statements(world: Json, path: tuple[Any, ...], document: Json) -> Iterator[Json]:
    statements = document["Statement"]
    if not isinstance(statements, list):
        yield _replaced(world, path, [statements])
        return
    for number, statement in enumerate(statements):
        yield _without(world, path, number)
        for element, value in statement.items():
            if element == "Condition":
                yield _without(world, (*path, number), element)
                yield from _smaller_block(world, (*path, number, element), value)
            elif isinstance(value, list) and len(value) > 1:
                yield from (_without(world, (*path, number, element), place) for place in range(len(value)))


def _smaller_block(world: Json, path: tuple[Any, ...], block: Json) -> Iterator[Json]:
    for name, keys in block.items():
        if len(block) > 1:
            yield _without(world, path, name)
        for key, values in keys.items():
            if len(keys) > 1:
                yield _without(world, (*path, name), key)
            if isinstance(values, list) and len(values) > 1:
                yield from (_without(world, (*path, name, key), place) for place in range(len(values)))


def _without(world: Json, path: tuple[Any, ...], last: Any) -> Json:
    copied = copy.deepcopy(world)
    del _at(copied, path)[last]
    return copied


def _replaced(world: Json, path: tuple[Any, ...], value: Any) -> Json:
    copied = copy.deepcopy(world)
    _at(copied, path[:-1])[path[-1]] = value
    return copied


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for part in path:
        value = value[part]
    return value
