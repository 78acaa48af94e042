"""Operations and their planes: the texts of the action dimension.

An operation is `control:` or `data:` and its name in lower case, since `*` in the actions of a role never gives a data
action. A question about an operation whose plane cannot be told is `either:` and the name: it is allowed for sure where
both planes allow it, and open where one does.
https://learn.microsoft.com/azure/role-based-access-control/role-definitions#control-and-data-actions
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from idtrans.algebra import STAR, Language, Wildcard, pieces, union
from idtrans.clouds.azure._names import lowered

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet


class OperationPlane(StrEnum):
    """Which of a role's two lists an operation stands in."""

    CONTROL = "control"
    DATA = "data"
    EITHER = "either"


ASSIGN: Final = "control:microsoft.authorization/roleassignments/write"
"""What makes a holder able to give itself everything."""


def plane_of(operation: str, known: AbstractSet[str] = frozenset()) -> OperationPlane:
    """Return the plane of an operation in lower case; `known` are data actions that role definitions name.

    A catalogue that was supplied knows it best.
    """
    from idtrans.catalog import data_actions, operation_plane

    stated = operation_plane(operation)
    if stated is not None:
        return OperationPlane(stated)
    if data_actions().is_open(operation):
        return OperationPlane.EITHER
    return OperationPlane.DATA if data_actions().names(operation, known) else OperationPlane.CONTROL


@lru_cache(maxsize=65536)
def _pattern(prefix: str, operation: str) -> Language:
    """Return the operations of one entry of a list: `*` is any run of characters, slashes too, all else is itself."""
    parts: list[str | Wildcard] = [f"{prefix}:"]
    for index, text in enumerate(lowered(operation.strip()).split("*")):
        parts += [STAR, text] if index else [text]
    return pieces(parts)


@lru_cache(maxsize=8192)
def listed(plane: OperationPlane, operations: tuple[str, ...]) -> Language:
    """Return what a list of one plane names."""
    return union(_pattern(plane.value, operation) for operation in operations)


@lru_cache(maxsize=8192)
def asked(plane: OperationPlane, operations: tuple[str, ...]) -> Language:
    """Return the requests that a list of one plane answers: those of its plane and those that ask both."""
    return listed(plane, operations) | listed(OperationPlane.EITHER, operations)


def both_planes(operations: Iterable[str]) -> Language:
    """Return the requests for operations of any plane, as `ActionMatches` of a condition reads them."""
    patterns = tuple(operations)
    return union(listed(plane, patterns) for plane in OperationPlane)


def bare(action: str) -> str:
    """Return the operation without its plane."""
    head, colon, tail = action.partition(":")
    return tail if colon and head in set(OperationPlane) else action
