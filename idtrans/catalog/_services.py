"""The second tier of capabilities: reading what a service is made of, without its data, from `rules/services.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from idtrans.catalog._aws_actions import aws_service_actions, aws_services
from idtrans.catalog._capabilities import ACCOUNT, Capability, Column, capabilities
from idtrans.catalog._profiles import action_profile
from idtrans.catalog._roles import builtin_roles
from idtrans.catalog._vocabulary import REST, service_of
from idtrans.model.data import rules_dir
from idtrans.model.errors import DataError
from idtrans.model.spans import Place, Source
from idtrans.model.values import UNKNOWN, Plane, Use, rank

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

SERVICE: Final = "service."
"""Start of the ids of the second tier."""
_CLOUDS: Final = ("aws", "gcp", "azure")
_NONE: Final = "nothing there does the same"


@cache
def service_tiers() -> Mapping[str, Capability]:
    """Return the capabilities of the second tier that several clouds have, by id. Loads what is known of each service.

    Raises:
        DataError: the file of the services cannot be read, or breaks its schema.
    """
    return MappingProxyType({f"{SERVICE}{name}": _tier(name) for name in _services()})


@cache
def service_tier(name: str) -> Capability | None:
    """Return a capability of the second tier by id, `None` for any other id; one of a single AWS service as well."""
    if not name.startswith(SERVICE):
        return None
    known = name.removeprefix(SERVICE)
    if known in _services():
        return _tier(known)
    service = known.removeprefix("aws-")
    return _of_aws(name, service) if service in aws_services() else None


def service_tiers_of(cloud: str, services: Iterable[str]) -> tuple[Capability, ...]:
    """Return the capabilities of the second tier that some services of a cloud belong to, the widest first.

    Where the permissions of a cloud cannot be listed, those are all that it has. A service of its own comes after the
    tier that it is a part of.
    """
    named = tuple(services)
    if REST in named:
        names = [*service_tiers()]
    else:
        names = [name for service in named if (name := _tier_name(cloud, service)) is not None]
        names += [f"{SERVICE}{cloud}-{service}" for service in named if cloud in _ACTIONS and service in aws_services()]
    found = (service_tier(name) for name in dict.fromkeys(names))
    return tuple(each for each in found if each is not None)


@cache
def _tier_name(cloud: str, service: str) -> str | None:
    for name, entry in _services().items():
        if service in (given.partition("/")[0].lower() for given in entry.get(cloud, ())):
            return f"{SERVICE}{name}"
    return None


@cache
def _services() -> Mapping[str, dict[str, Any]]:
    source = Source(Place("rules/services.toml"))
    try:
        with (rules_dir() / "services.toml").open("rb") as file:
            content = tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise DataError(f"the file cannot be read: {error}", source=source) from error
    for name, entry in content.items():
        unknown = sorted(set(entry) - {"title", *_CLOUDS})
        if unknown:
            raise DataError(f"`{name}` has the unknown key `{unknown[0]}`", source=source)
        if "title" not in entry:
            raise DataError(f"`{name}` lacks a title", source=source)
    return content


@cache
def _tier(name: str) -> Capability:
    entry = _services()[name]
    columns = {cloud: _column(cloud, tuple(entry.get(cloud, ()))) for cloud in _CLOUDS}
    return _capability(f"{SERVICE}{name}", f"Read what is stated about {entry['title']}", columns)


@cache
def _of_aws(name: str, service: str) -> Capability:
    columns = {cloud: Column(no_counterpart=_NONE) for cloud in _CLOUDS}
    return _capability(name, f"Read what `{service}` of AWS states", {**columns, "aws": _column("aws", (service,))})


def _capability(name: str, title: str, columns: Mapping[str, Column]) -> Capability:
    parts = tuple(
        each.id
        for each in capabilities()
        if each.effect is Use.READ
        and rank(each.plane) <= rank(Plane.CONFIG)
        and any(_holds(columns[cloud], each.column(cloud)) for cloud in _CLOUDS)
    )
    return Capability(
        id=name,
        title=title,
        plane=Plane.CONFIG,
        effect=Use.READ,
        family="service",
        scope=ACCOUNT,
        parts=parts,
        note="Approximate: services of different clouds do not have the same parts.",
        columns=MappingProxyType(columns),
        tier=2,
    )


def _holds(tier: Column, column: Column) -> bool:
    return bool(column.permissions) and bool(tier.permissions) and all(map(tier.belonging.matches, column.permissions))


@cache
def _column(cloud: str, given: tuple[str, ...]) -> Column:
    written = {name.lower() if cloud in _FOLDED else name: name for name in _LISTS[cloud](given)}
    if not written:
        return Column(no_counterpart=_NONE)
    return Column(permissions=tuple(written), written=MappingProxyType(written), levels=(ACCOUNT,))


def _is_stated(cloud: str, name: str) -> bool:
    """Tell whether a permission reads metadata or configuration, and no capability needs it for anything else."""
    if name in _of_more(cloud):
        return False
    profile = action_profile(cloud, name)
    if profile.plane is UNKNOWN or profile.use is not Use.READ:
        return False
    return rank(profile.plane) <= rank(Plane.CONFIG)


@cache
def _of_more(cloud: str) -> frozenset[str]:
    """Return the permissions that capabilities of more dangerous planes need."""
    more = (each for each in capabilities() if rank(each.plane) > rank(Plane.CONFIG))
    return frozenset(name for each in more for name in each.column(cloud).permissions)


def _aws(services: Iterable[str]) -> list[str]:
    return [name for service in services for name in aws_service_actions(service) if _is_stated("aws", name)]


def _gcp(services: Iterable[str]) -> list[str]:
    wanted = set(services)
    return [name for name in _permissions() if service_of(name) in wanted and _is_stated("gcp", name)]


@cache
def _permissions() -> tuple[str, ...]:
    """Return every permission of GCP that some role or capability names."""
    names = {name for role in builtin_roles("gcp") for block in role.blocks for name in block.actions}
    names |= {name for each in capabilities() for name in each.column("gcp").permissions}
    return tuple(sorted(name for name in names if "*" not in name))


def _azure(operations: Iterable[str]) -> list[str]:
    return [f"control:{operation}" for operation in operations]


_FOLDED: Final = frozenset({"azure"})
_ACTIONS: Final = frozenset({"aws"})
"""Clouds whose vendor publishes every action, so that services without a counterpart are known too."""
_LISTS: Final[Mapping[str, Callable[[Iterable[str]], list[str]]]] = {"aws": _aws, "gcp": _gcp, "azure": _azure}
