"""Which assignments are about a resource, and who could hold one of them.

Most assignments of an estate stand at other scopes than those above the resource that is asked about. The near ones
are found from the scopes that the id of the resource names, so that no question looks at the others.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from idtrans.clouds.azure._compile import is_unheld, problems
from idtrans.clouds.azure._index import index_of
from idtrans.clouds.azure._names import NAME
from idtrans.clouds.azure._parse_roles import EVERYONE
from idtrans.clouds.azure._scopes import ROOT, level
from idtrans.model.values import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from idtrans.model.entities import RoleBinding
    from idtrans.model.estate import Estate


@dataclass(frozen=True)
class Asked:
    """A resource, and the assignments that could reach it. Everything is found on first use."""

    resource: str
    estate: Estate

    @cached_property
    def by_holder(self) -> Mapping[str, Sequence[RoleBinding]]:
        """The assignments, in the order of the index, by who holds them."""
        placed = _placed(self.estate)
        near = set(placed.anywhere)
        for scope in _above(self.resource):
            near.update(placed.by_scope.get(scope, ()))
        found: dict[str, list[RoleBinding]] = {}
        for position in sorted(near):
            holder, binding = placed.held[position]
            found.setdefault(holder, []).append(binding)
        return found

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The groups among the holders, in the order of the index."""
        return tuple(group for group in index_of(self.estate).group_holders if group in self.by_holder)

    @cached_property
    def holders(self) -> frozenset[str] | None:
        """Those who could hold one of the assignments, `None` when that may be anybody."""
        index, stated = index_of(self.estate), tuple(problems(self.estate))
        if EVERYONE in self.by_holder or any(map(is_unheld, stated)):
            return None
        found = {*self.by_holder, *(problem.subject for problem in stated if problem.subject is not None)}
        for group in self.groups:
            if index.may_be_open(group):
                return None
            found |= index.inside(group)
        return frozenset(found)


def asked_of(resource: str, estate: Estate) -> Asked:
    """Return what an estate says about a resource; the last answer is kept."""
    known = estate.memo.get((NAME, "asked"))
    if isinstance(known, Asked) and known.resource == resource:
        return known
    found = Asked(resource, estate)
    estate.memo[NAME, "asked"] = found
    return found


@dataclass(frozen=True, slots=True)
class _Placed:
    """All assignments with their holders, and positions of them by where they are."""

    held: list[tuple[str, RoleBinding]] = field(default_factory=list)
    by_scope: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """Those of subscriptions and what lies in them."""
    anywhere: list[int] = field(default_factory=list)
    """Those that may reach any subscription."""


def _placed(estate: Estate) -> _Placed:
    known = estate.memo.get((NAME, "placed"))
    if isinstance(known, _Placed):
        return known
    found = _Placed()
    estate.memo[NAME, "placed"] = found
    for holder, bindings in index_of(estate).bindings.items():
        for binding in bindings:
            scope = binding.scope
            if scope is UNKNOWN or level(scope) in {"root", "management-group"}:
                found.anywhere.append(len(found.held))
            else:
                found.by_scope[scope].append(len(found.held))
            found.held.append((holder, binding))
    return found


def _above(resource: str) -> Iterable[str]:
    """Yield a canonical resource id and every scope that it lies in."""
    ends = (end for end, letter in enumerate(resource) if letter == "/" and end)
    return (ROOT, *(resource[:end] for end in ends), resource)
