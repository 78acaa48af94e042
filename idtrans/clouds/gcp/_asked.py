"""Which bindings and rules are about a request.

Most bindings of an estate stand on other resources than the one that is asked about. Those that do not are found from
the places above the resource, so that no question looks at the others, and one question to many looks once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from idtrans.clouds.gcp._bindings import binding_parts
from idtrans.clouds.gcp._guards import rule_parts
from idtrans.clouds.gcp._index import OPEN_ROOT, Index, remembered
from idtrans.clouds.gcp._names import CONTAINER
from idtrans.clouds.gcp._places import Part
from idtrans.model.decisions import Request
from idtrans.model.entities import AccessRule, RoleBinding

_NAME = "//"
"""What full resource names start with."""


@dataclass(frozen=True)
class Asked:
    """An action and a resource, and what an estate says about them. Everything is found on first use."""

    action: str
    resource: str
    index: Index
    _parts: dict[tuple[int, bool], tuple[Part, ...]] = field(default_factory=dict)

    @cached_property
    def by_member(self) -> Mapping[str, tuple[RoleBinding, ...]]:
        """The bindings about the request, in input order, by the member that they name."""
        found: dict[str, list[RoleBinding]] = {}
        for position in sorted(_near(self.resource, _placed(self.index))):
            binding = self.index.bindings[position]
            if self.parts(binding, public=False):
                for each in binding.members:
                    found.setdefault(each, []).append(binding)
        return {each: tuple(held) for each, held in found.items()}

    @cached_property
    def rules(self) -> tuple[AccessRule, ...]:
        """The rules of deny policies and access policies about the request."""
        return tuple(
            rule
            for rule in self.index.rules
            if any(part.meets(self.action, self.resource) for part in rule_parts(rule, self.index))
        )

    def parts(self, binding: RoleBinding, *, public: bool) -> tuple[Part, ...]:
        """Return the parts of a binding about the request."""
        key = (id(binding), public)
        found = self._parts.get(key)
        if found is None:
            parts = binding_parts(binding, self.index, public=public)
            found = self._parts[key] = tuple(part for part in parts if part.meets(self.action, self.resource))
        return found


def asked_of(request: Request, index: Index) -> Asked:
    """Return what an estate says about the action and the resource of a request; the last answer is kept."""
    table = remembered(index.estate, "asked", dict[tuple[str, str], Asked])
    key = (request.action, request.resource)
    found = table.get(key)
    if found is None:
        table.clear()
        found = table[key] = Asked(*key, index)
    return found


@dataclass(frozen=True, slots=True)
class _Placed:
    """Positions of bindings by where they are."""

    by_path: dict[str, list[int]] = field(default_factory=dict)
    """Those of containers, by the whole path."""
    by_name: dict[str, list[int]] = field(default_factory=dict)
    """Those of resources, by full resource name."""
    anywhere: list[int] = field(default_factory=list)
    """Those whose place is not known or has no known form."""


def _placed(index: Index) -> _Placed:
    return remembered(index.estate, "placed", lambda: _place(index))


def _place(index: Index) -> _Placed:
    found = _Placed()
    for position, binding in enumerate(index.bindings):
        scope = binding.scope
        if isinstance(scope, str) and CONTAINER.fullmatch(scope):
            found.by_path.setdefault(index.path(scope), []).append(position)
        elif isinstance(scope, str) and scope.startswith(_NAME):
            found.by_name.setdefault(scope, []).append(position)
        else:
            found.anywhere.append(position)
    return found


def _near(resource: str, placed: _Placed) -> Iterator[int]:
    """Yield the bindings that could cover a resource, given as its path and name: few more than those that do."""
    yield from placed.anywhere
    ends = [*(end for end, letter in enumerate(resource) if letter == "/"), len(resource)]
    # What is above the resource may be anything where it is not known.
    paths = placed.by_path if resource.startswith(OPEN_ROOT) else (resource[:end] for end in ends)
    for path in paths:
        yield from placed.by_path.get(path, ())
    starts = [end for end in ends if resource.startswith(_NAME, end)]
    for name in {resource[start:end] for start in starts for end in ends if end > start}:
        yield from placed.by_name.get(name, ())
