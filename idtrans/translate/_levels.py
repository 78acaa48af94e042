"""Scopes without a cloud: of which kind they are, which lies in which, and what can be granted on them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from idtrans.catalog import ACCOUNT, scope_kind_names
from idtrans.model.intents import Scope

if TYPE_CHECKING:
    from idtrans.catalog import Capability
    from idtrans.ports import Cloud

OBJECT_STORE: Final = "object-store"
RESOURCE: Final = "resource"
"""Kind of every resource that is no object store: only its id is known."""
PREFIX: Final = "prefix"
"""Part that limits an object store to the objects whose names start with it."""
OBJECT_PART: Final = "object"
"""Part that limits an object store to the objects whose names fit a glob."""
BUCKETS: Final = "buckets"
"""Part that limits an account to the buckets whose names start with it, and what lies in them."""
AROUND_ACCOUNTS: Final = frozenset({"organizations", "folders", "management_group"})
"""Parts of what holds many accounts, projects or subscriptions."""
_NAMES: Final = frozenset({PREFIX, OBJECT_PART, BUCKETS})


def read_scope(text: str, cloud: Cloud) -> Scope:
    """Return a scope of a cloud as a neutral one; what the cloud cannot read is a resource of that name."""
    found = (cloud.scope(text, kind) for kind in (OBJECT_STORE, ACCOUNT, *scope_kind_names(), RESOURCE))
    return next((scope for scope in found if scope is not None), Scope(RESOURCE, text, {RESOURCE: text}))


def key_of(scope: Scope) -> tuple[str, frozenset[tuple[str, str]]]:
    """Return what makes two scopes the same place, however they are written."""
    return scope.kind, frozenset((name, value.lower()) for name, value in scope.parts.items())


def lies_in(inner: Scope, outer: Scope) -> bool:
    """Tell whether one scope surely lies in another of its kind, or is the same place."""
    if inner.kind != outer.kind:
        return False
    own = dict(key_of(inner)[1])
    for name, value in key_of(outer)[1]:
        held = own.get(name)
        if held is None or (held != value and not (name in (PREFIX, BUCKETS) and held.startswith(value))):
            return False
    return True


def place_of(scope: Scope) -> Scope:
    """Return a scope without what limits it to objects or buckets of some names."""
    parts = {name: value for name, value in scope.parts.items() if name not in _NAMES}
    return replace(scope, parts=parts) if len(parts) < len(scope.parts) else scope


def stands_at(capability: Capability, cloud: str, scope: Scope) -> bool:
    """Tell whether a grant of a capability can stand at a scope."""
    if scope.kind == RESOURCE:
        return capability.scope not in {OBJECT_STORE, ACCOUNT} and capability.scope in capability.column(cloud).levels
    return scope.kind in capability.column(cloud).levels
