"""Access expressions: sets of requests, built from statements by union, intersection and difference.

The adapter of a cloud builds one expression for one question: `AnyOf` for grants that add up, `AllOf` for gates that
must all let a request pass, `Except` for denies and for what a role leaves out. Nothing after it knows the layering.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from operator import is_
from typing import TYPE_CHECKING, Final

from idtrans.algebra._condition import ALWAYS, Condition
from idtrans.algebra._condition_template import Template
from idtrans.algebra._text import Language
from idtrans.model.spans import NOWHERE
from idtrans.model.values import Effect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from idtrans.algebra._shelves import Shelves
    from idtrans.model.spans import Source

Resources = Language | Template | tuple[Language | Template, ...]
"""The resources of a statement: one set of texts, or a union of them where some have variables."""


@dataclass(frozen=True, slots=True)
class Box:
    """One statement: the requests of these principals, for these actions, to these resources, on a condition.

    The effect says how people read the statement; whether it grants or takes away follows from where it stands.
    """

    effect: Effect
    layer: str
    """What kind of document it stands in, as shown to people, such as `identity` or `scp`."""
    principals: Language
    actions: Language
    resources: Resources
    condition: Condition = ALWAYS
    name: str = ""
    """Name shown to people, such as `statement AllowRead of policy reader`."""
    source: Source = NOWHERE


@dataclass(frozen=True, slots=True)
class Gate:
    """A part with a name: what a decision names when nothing in it lets a request pass."""

    name: str
    """Name shown to people, such as `service control policies of ou-abcd`."""
    layer: str
    part: Access
    source: Source = NOWHERE


@dataclass(frozen=True, slots=True)
class AnyOf:
    """The requests that some part holds. No parts hold nothing."""

    parts: tuple[Access, ...]
    shelves: Shelves | None = field(default=None, init=False, repr=False, compare=False)
    """Its parts by what they are about; filled when it is first asked."""


@dataclass(frozen=True, slots=True)
class AllOf:
    """The requests that every part holds. No parts hold everything.

    The part that grants comes first, then those that only limit: differences are told per statement of the first.
    """

    parts: tuple[Access, ...]


@dataclass(frozen=True, slots=True)
class Except:
    """The requests of `base` that `minus` does not hold."""

    base: Access
    minus: Access


Access = Box | Gate | AnyOf | AllOf | Except
"""Any set of requests."""

NOTHING: Final = AnyOf(())
"""No request."""
EVERYTHING: Final = AllOf(())
"""Every request."""


def boxes(access: Access) -> Iterator[Box]:
    """Yield all statements of an expression in order, grants and denies alike."""
    match access:
        case Box():
            yield access
        case Gate(part=part):
            yield from boxes(part)
        case Except(base, minus):
            yield from boxes(base)
            yield from boxes(minus)
        case AnyOf(parts) | AllOf(parts):
            for part in parts:
                yield from boxes(part)


def grants(access: Access) -> tuple[Box, ...] | None:
    """Return statements of which one must hold for a request to be inside; `None` where no statement need hold."""
    match access:
        case Box():
            return (access,)
        case Gate(part=part):
            return grants(part)
        case Except(base):
            return grants(base)
        case AllOf(parts):
            return grants(parts[0]) if parts else None
        case AnyOf(parts):
            found = [grants(part) for part in parts]
            kept = [part for part in found if part is not None]
            return tuple(box for part in kept for box in part) if len(kept) == len(found) else None


def with_conditions(access: Access, change: Callable[[Condition], Condition]) -> Access:
    """Return access with the condition of every statement changed; itself when nothing is."""
    match access:
        case Box(condition=condition):
            changed = change(condition)
            return access if changed == condition else replace(access, condition=changed)
        case Gate(part=part):
            inner = with_conditions(part, change)
            return access if inner is part else replace(access, part=inner)
        case Except(base, minus):
            left, right = with_conditions(base, change), with_conditions(minus, change)
            return access if left is base and right is minus else Except(left, right)
        case AnyOf(parts) | AllOf(parts):
            several = tuple(with_conditions(part, change) for part in parts)
            return access if all(map(is_, several, parts)) else type(access)(several)
