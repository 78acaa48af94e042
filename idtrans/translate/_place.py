"""Where in the target something is to be granted that is granted somewhere in the source."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from idtrans.catalog import ACCOUNT, NAME
from idtrans.model.entities import Principal, Resource
from idtrans.model.intents import Names, Scope
from idtrans.translate._levels import AROUND_ACCOUNTS, OBJECT_STORE, PREFIX, RESOURCE, lies_in, read_scope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.model.estate import Estate
    from idtrans.ports import Cloud
    from idtrans.translate._map import IdMap, Pair


@dataclass(frozen=True, slots=True)
class Placed:
    """A scope of the target, and what is to be said about how it was found."""

    scope: Scope
    remarks: tuple[str, ...] = ()
    narrower: str | None = None
    """Why the scope holds less than the one of the source; `None` when it does not."""
    broader: str | None = None
    """Why the scope holds more than the one of the source; `None` when it does not."""


@dataclass(frozen=True, slots=True)
class Placement:
    """What is needed to find the scopes of the target."""

    source: Cloud
    target: Cloud
    id_map: IdMap
    names: Names
    home: tuple[Pair, ...] = ()
    """Entries for the account that the principal itself lies in, the most specific first."""

    def place(self, scope: Scope) -> Placed:
        """Return the scope of the target that stands for one of the source: what the map says, or a placeholder."""
        pair = self._pair(scope)
        if pair is not None:
            return self._mapped(scope, pair)
        if scope.kind == ACCOUNT:
            placed = self._account(scope)
            if placed is not None:
                return placed
        return self._named(scope)

    def _pair(self, scope: Scope) -> Pair | None:
        """Return the most specific entry for resources that holds a scope and whose counterpart is in the target."""
        fitting = [
            (len(outer.parts) * 1000 + len(pair.source), pair)
            for pair in self.id_map.resources
            if lies_in(scope, outer := read_scope(pair.source, self.source)) and self._target(scope, pair) is not None
        ]
        return max(fitting, key=lambda found: found[0])[1] if fitting else None

    def _target(self, scope: Scope, pair: Pair) -> Scope | None:
        kinds = (scope.kind,) if scope.kind in (OBJECT_STORE, ACCOUNT) else (scope.kind, ACCOUNT, RESOURCE)
        found = (self.target.scope(pair.target, kind) for kind in kinds)
        return next((target for target in found if target is not None), None)

    def _mapped(self, scope: Scope, pair: Pair) -> Placed:
        outer, target = read_scope(pair.source, self.source), self._target(scope, pair)
        if target is None or scope.kind != OBJECT_STORE:
            return Placed(target or scope, self._remarks(scope, pair, target))
        rest = scope.parts.get(PREFIX, "").removeprefix(outer.parts.get(PREFIX, ""))
        prefix = target.parts.get(PREFIX, "") + rest
        parts = {**target.parts, PREFIX: prefix} if prefix else target.parts
        return Placed(
            self.target.write_scope(replace(target, parts=parts), Names()), self._remarks(scope, pair, target)
        )

    def _remarks(self, scope: Scope, pair: Pair, target: Scope | None) -> tuple[str, ...]:
        """Say where the map puts something of another size in place of what the source names."""
        if target is None or scope.kind != OBJECT_STORE:
            same = target is None or target.kind == scope.kind
            return () if same else (f"the map puts all of `{pair.target}` in place of `{pair.source}`",)
        one, other = "bucket" in scope.parts, "bucket" in target.parts
        if one and not other:
            return (
                f"the map puts all of `{pair.target}` in place of `{pair.source}`: every container in it is covered",
            )
        if other and not one:
            return (f"the map puts the one bucket `{pair.target}` in place of all of `{pair.source}`",)
        return ()

    def _account(self, scope: Scope) -> Placed | None:
        """Return what the map says of a whole account; one without a name is the principal's own."""
        if not scope.parts:
            return next((Placed(target) for pair in self.home if (target := self._own(pair))), None)
        for pair in sorted(self.id_map.scopes, key=lambda each: -len(each.source)):
            outer, target = self.source.scope(pair.source, ACCOUNT), self._own(pair)
            if target is None or outer is None or not outer.parts or not lies_in(scope, outer):
                continue
            if lies_in(outer, scope):
                return Placed(target)
            reason = (
                f"the map puts all of `{pair.target}` in place of `{scope.native}`, which is a part of `{pair.source}`"
            )
            return Placed(target, broader=reason)
        return None

    def _own(self, pair: Pair) -> Scope | None:
        return self.target.scope(pair.target, ACCOUNT)

    def _named(self, scope: Scope) -> Placed:
        written = self.target.write_scope(scope, self.names)
        if scope.kind == ACCOUNT and AROUND_ACCOUNTS.intersection(scope.parts):
            reason = f"the source covers everything in `{scope.native}`, the output one account of {self.target.name}"
            return Placed(written, narrower=f"{reason}; map the scope to say which")
        if scope.kind != OBJECT_STORE:
            name = scope.parts.get(NAME)
            if name is None and any(mark in scope.parts.get(RESOURCE, "") for mark in "*?$"):
                reason = f"the source covers everything that fits `{scope.native}`, the output one resource"
                return Placed(written, narrower=f"{reason}; map the resource to say which")
            alike = name is not None and written.parts.get(NAME) == name
            remark = f"`{name}` is taken to be called so in {self.target.name} too; map the resource if it is not"
            return Placed(written, (remark,) if alike else ())
        bucket = scope.parts.get("bucket")
        if bucket is None and "bucket" in written.parts:
            reason = f"the source covers every container of `{scope.native}`, the output one bucket"
            return Placed(written, narrower=f"{reason}; map the resource to say which")
        if bucket is not None and written.parts.get("bucket") == bucket:
            remark = (
                f"the bucket is taken to be called `{bucket}` in {self.target.name} too; map the resource if it is not"
            )
            return Placed(written, (remark,))
        return Placed(written)


def at_home(principal: str, estate: Estate, placement: Placement, scopes: list[Scope]) -> Placement:
    """Return a placement for one principal: with the names that the map gives for the accounts its grants lie in."""
    pairs = sorted(placement.id_map.scopes, key=lambda each: len(each.source))
    values: dict[str, str] = {}
    for pair in _covering(pairs, [*(scope.native for scope in scopes), *_containers(principal, estate, scopes)]):
        account = placement.target.scope(pair.target, ACCOUNT)
        if account is not None:
            values |= {
                f"{placement.target.name}-{name.replace('_', '-')}": text for name, text in account.parts.items()
            }
    home = tuple(reversed(_covering(pairs, list(_containers(principal, estate, [])))))
    return replace(placement, names=Names({**values, **placement.names.values}), home=home)


def _covering(pairs: list[Pair], places: list[str]) -> list[Pair]:
    return [pair for pair in pairs if any(_covers(pair.source, place) for place in places)]


def _containers(principal: str, estate: Estate, scopes: list[Scope]) -> Iterator[str]:
    """Yield the containers of a principal and of the resources that scopes name, and what is around them."""
    natives = {scope.native for scope in scopes}
    containers = [each.container for each in estate.of(Resource) if each.id in natives]
    containers += [each.container for each in estate.of(Principal) if each.id == principal]
    for start in containers:
        place, seen = start, set[str]()
        while place is not None and place not in seen:
            seen.add(place)
            yield place
            place = estate.parents.get(place)


def _covers(outer: str, place: str) -> bool:
    whole = outer.lower().rstrip("/")
    return place.lower() == whole or place.lower().startswith(f"{whole}/")
