"""Roles as sets of permissions, with what is not known of them."""

from __future__ import annotations

from dataclasses import dataclass

from idtrans.algebra import ANY_TEXT, NO_TEXT, Language, glob, one_of, union
from idtrans.clouds.gcp._fields import CLOUD_NAME
from idtrans.clouds.gcp._index import Index, remembered
from idtrans.model.entities import RoleDefinition
from idtrans.model.values import UNKNOWN, Plane, Unknown, Use, rank


@dataclass(frozen=True, slots=True)
class Permissions:
    """What a role holds."""

    names: tuple[str, ...]
    """Permissions that it surely holds, sorted."""
    sure: Language
    unsure: Language
    """Permissions that it may hold."""
    doubt: str | None = None
    """Why some are unsure; `None` when all are known."""

    @property
    def known(self) -> bool:
        """Whether nothing is unsure."""
        return self.doubt is None


def permissions_of(role: str, index: Index) -> Permissions:
    """Return the permissions of a role, from the estate or from the catalogue."""
    table = remembered(index.estate, "permissions", dict[str, Permissions])
    found = table.get(role)
    if found is None:
        found = table[role] = _permissions(role, index)
    return found


def _permissions(role: str, index: Index) -> Permissions:
    from idtrans.catalog import builtin_role

    known: RoleDefinition | None = index.roles.get(index.role_id(role))
    # Display names are looked up too, but a binding never names a role by them.
    if known is None and role.startswith("roles/"):
        known = builtin_role(CLOUD_NAME, role)
    if known is None:
        return Permissions((), NO_TEXT, ANY_TEXT, f"the permissions of `{role}` are not known")
    names = tuple(sorted({name for block in known.blocks for name in (*block.actions, *block.data_actions)}))
    sure = union((one_of(name for name in names if "*" not in name), *(glob(name) for name in names if "*" in name)))
    if known.complete:
        return Permissions(names, sure, NO_TEXT)
    unsure = ~(sure | one_of(known.lacks))
    return Permissions(names, sure, unsure, f"`{role}` holds more permissions than are known")


@dataclass(frozen=True, slots=True)
class Profile:
    """The most dangerous plane and use of a role's permissions."""

    plane: Plane | Unknown
    use: Use | Unknown
    read_only: bool | Unknown


def profile_of(role: str, index: Index) -> Profile:
    """Return what a role touches and does; UNKNOWN where a permission that is not known could be worse."""
    table = remembered(index.estate, "profiles", dict[str, Profile])
    found = table.get(role)
    if found is None:
        found = table[role] = _profile(permissions_of(role, index))
    return found


def _profile(held: Permissions) -> Profile:
    from idtrans.catalog import action_profile

    profiles = [action_profile(CLOUD_NAME, name) for name in held.names]
    planes = [profile.plane for profile in profiles]
    uses = [profile.use for profile in profiles]
    plane = _worst_plane([each for each in planes if each is not UNKNOWN])
    use = _worst_use([each for each in uses if each is not UNKNOWN])
    open_plane = not held.known or UNKNOWN in planes or plane is None
    open_use = not held.known or UNKNOWN in uses or use is None
    writes = any(each is not UNKNOWN and each is not Use.READ for each in uses)
    return Profile(
        UNKNOWN if plane is None or (open_plane and plane is not Plane.ADMIN) else plane,
        UNKNOWN if use is None or (open_use and use is not Use.WRITE) else use,
        False if writes else (UNKNOWN if open_use else True),
    )


def _worst_plane(found: list[Plane]) -> Plane | None:
    return max(found, key=rank, default=None)


def _worst_use(found: list[Use]) -> Use | None:
    return max(found, key=rank, default=None)
