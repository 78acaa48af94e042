"""What roles of the directory, permissions of Microsoft Graph and ownership let their holders become.

A role for the whole directory that rules it leads to the directory, not to each identity in it. All others lead to the
identities that hold something: there is nothing to gain by becoming one that holds no role.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from idtrans.clouds.azure._index import Index, index_of
from idtrans.clouds.azure._names import NAME, PREFIX
from idtrans.clouds.azure._scopes import DIRECTORY, OWNER_ROLE, UNITS
from idtrans.clouds.azure._validity import instant
from idtrans.model.data import rules_dir
from idtrans.model.entities import BindingState, PrincipalKind, RoleBinding
from idtrans.ports import Impersonation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.model.estate import Estate

_RULE: Final = "rule-directory"
_GROUPS: Final = frozenset({"manage-groups", "manage-all-groups"})
_PASSWORDS: Final = frozenset({"reset-passwords", "reset-all-passwords"})
_KINDS: Final = {
    "add-credentials": PrincipalKind.SERVICE_IDENTITY,
    **dict.fromkeys(_GROUPS, PrincipalKind.GROUP),
    **dict.fromkeys(_PASSWORDS, PrincipalKind.USER),
}
"""What kind of identity each power leads to."""
_OWNED: Final = {
    PrincipalKind.SERVICE_IDENTITY: "add-credentials",
    PrincipalKind.APPLICATION: "add-credentials",
    PrincipalKind.GROUP: "manage-all-groups",
}


@dataclass(frozen=True, slots=True)
class _Tables:
    """The facts of `rules/entra.toml`."""

    roles: dict[str, tuple[str, ...]]
    """Powers by the id of a role of the directory."""
    permissions: dict[str, tuple[str, ...]]
    """Powers by the id of an application permission."""
    names: dict[str, str]
    actions: dict[str, str]
    """Power by the action of a role definition, in lower case."""


@cache
def _tables() -> _Tables:
    facts = tomllib.loads((rules_dir() / "entra.toml").read_text(encoding="utf-8"))
    both = (*facts["roles"], *facts["permissions"])
    return _Tables(
        roles={each["id"]: tuple(each["gives"]) for each in facts["roles"]},
        permissions={each["id"]: tuple(each["gives"]) for each in facts["permissions"]},
        names={each["id"]: each["name"] for each in both},
        actions={action.lower(): power for power, actions in facts["powers"].items() for action in actions},
    )


def impersonations(estate: Estate) -> tuple[Impersonation, ...]:
    """Return every way from a holder of a role of the directory to an identity that it can become."""
    index = index_of(estate)
    found = (each for binding in index.directory for each in _of_binding(binding, index))
    return tuple(each for each in dict.fromkeys(found) if each.party != each.target)


def _of_binding(binding: RoleBinding, index: Index) -> Iterator[Impersonation]:
    powers, sure = _powers(binding, index)
    for power in powers:
        for target, certain in _targets(power, binding, index):
            for member in binding.members:
                yield Impersonation(
                    cloud=NAME,
                    party=index.one_name(member),
                    target=target,
                    permission=f"{power} ({_title(binding, index)})",
                    source=binding.source,
                    condition=_condition(binding),
                    sure=sure and certain and not binding.doubts,
                )


def _powers(binding: RoleBinding, index: Index) -> tuple[tuple[str, ...], bool]:
    """Return what a binding lets its holder do, and whether that is sure. An unknown role may rule the directory."""
    tables = _tables()
    if binding.role == OWNER_ROLE:
        kinds = (index.kind(name) for name in _objects(str(binding.scope), index))
        return tuple(dict.fromkeys(_OWNED[kind] for kind in kinds if kind in _OWNED)), True
    if str(binding.scope).startswith(PREFIX):
        return tables.permissions.get(binding.role, ()), True
    if binding.role in tables.roles:
        return tables.roles[binding.role], True
    role = index.roles.get(binding.role)
    if role is None or not role.complete:
        return (_RULE,), False
    actions = (action.lower() for block in role.blocks for action in block.actions)
    return tuple(dict.fromkeys(power for action in actions if (power := tables.actions.get(action)))), True


def _title(binding: RoleBinding, index: Index) -> str:
    role = index.roles.get(binding.role)
    known = _tables().names.get(binding.role) or (role.name if role is not None else None)
    return known or binding.role_name or binding.role


def _condition(binding: RoleBinding) -> str | None:
    """Return in words what the holder needs first."""
    words = ["the role is activated"] if binding.state is BindingState.ELIGIBLE else []
    words += [f"from {instant(binding.starts)}"] if binding.starts is not None else []
    words += [f"until {instant(binding.ends)}"] if binding.ends is not None else []
    return ", ".join(words) or None


def _targets(power: str, binding: RoleBinding, index: Index) -> Iterator[tuple[str, bool]]:
    """Yield the identities that a power reaches in its scope, and whether that is sure."""
    scope = str(binding.scope)
    if binding.role == OWNER_ROLE:
        for name in _objects(scope, index):
            yield from _identities(name, power, index)
    elif scope == DIRECTORY or scope.startswith(PREFIX):
        yield from [(DIRECTORY, True)] if power == _RULE else _holders(power, index)
    elif not scope.startswith(UNITS):
        yield from _identities(PREFIX + scope.removeprefix(DIRECTORY), power, index)
    elif scope in index.members:
        for member in sorted(index.members[scope]):
            yield from _identities(member, power, index)
    else:
        yield scope, False


def _objects(scope: str, index: Index) -> tuple[str, ...]:
    """Return the objects that an id of the directory names: itself, or those whose app id it is."""
    return (scope,) if scope in index.principals else tuple(index.names.get(scope.removeprefix(PREFIX), ()))


def _holders(power: str, index: Index) -> Iterator[tuple[str, bool]]:
    """Yield the identities of the right kind that hold any role."""
    directory = {index.one_name(member) for binding in index.directory for member in binding.members}
    for holder in sorted({*index.bindings, *directory}):
        yield from _identities(holder, power, index)


def _identities(identity: str, power: str, index: Index) -> Iterator[tuple[str, bool]]:
    """Yield an identity if the power reaches its kind, an application as its service principal."""
    kind = index.kind(identity)
    if kind is PrincipalKind.APPLICATION and power == "add-credentials":
        app_id = index.attribute(identity, "appId") or ""
        services = [name for name in index.names.get(app_id, ()) if index.kind(name) is _KINDS[power]]
        yield from ((name, True) for name in services or [identity])
    elif kind is _KINDS.get(power):
        certain = _reached(identity, power, index)
        if certain is not False:
            yield identity, certain is True


def _reached(identity: str, power: str, index: Index) -> bool | None:
    """Tell whether a power reaches an identity of its kind; `None` when it is not known."""
    if power == "add-credentials":
        # Managed identities take no credentials.
        return (index.attribute(identity, "servicePrincipalType") or "").lower() != "managedidentity"
    if power == "manage-groups":
        protected = index.attribute(identity, "isAssignableToRole")
        return None if protected is None else protected == "false"
    if power == "reset-passwords":
        sure = {member for binding in index.directory for member in binding.members}
        if identity in sure:
            return False
        return None if sure & index.memberships(identity) else True
    return True
