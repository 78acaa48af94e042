"""Umbrella roles side by side: which capabilities each of them gives."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from idtrans.api._capabilities import capabilities
from idtrans.api._clouds import cloud_named
from idtrans.model.answers import CapabilitiesAnswer, Held
from idtrans.model.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from idtrans.algebra import Language
    from idtrans.catalog import Capability, ManagedPolicy
    from idtrans.model.entities import RoleDefinition

_FEWEST = 2


@dataclass(frozen=True, slots=True)
class _Bundle:
    """What one role or managed policy gives, whatever it is granted on."""

    cloud: str
    permissions: Language
    unlisted: Language
    """What it may give beside: everything of a role of which not all is known, nothing of others."""


def compare_capabilities(names: Sequence[str]) -> CapabilitiesAnswer:
    """Return every capability with how much of it each of some roles or managed policies gives.

    A name is a cloud, a colon, and a role or managed policy of it, such as `aws:ReadOnlyAccess`, `gcp:roles/viewer`
    or `azure:Reader`.

    Raises:
        DataError: a file of the catalogue breaks its schema.
        UsageError: fewer than two are named, or a name is not known.
    """
    from idtrans.catalog import capability

    if len(names) < _FEWEST:
        raise UsageError("at least two roles are needed to compare", advice="such as `gcp:roles/viewer azure:Reader`")
    bundles = {name: _bundle(name) for name in dict.fromkeys(names)}
    lines = (
        replace(line, held={name: _held(capability(line.id), bundle) for name, bundle in bundles.items()})
        for line in capabilities().capabilities
    )
    return CapabilitiesAnswer(tuple(lines), tuple(bundles))


def _bundle(name: str) -> _Bundle:
    from idtrans.algebra import NO_TEXT
    from idtrans.catalog import builtin_role, managed_policy

    cloud, colon, key = name.partition(":")
    if not colon or not key:
        raise UsageError(f"`{name}` names no cloud", advice="write `aws:NAME`, `gcp:roles/NAME` or `azure:NAME`")
    known = cloud_named(cloud).name
    role = builtin_role(known, key)
    if role is not None:
        return _of_role(role)
    paths = (key, f"job-function/{key}", f"service-role/{key}")
    policies = (managed_policy(f"arn:{known}:iam::{known}:policy/{path}") for path in paths)
    policy = next((found for found in policies if found is not None), None)
    if policy is None:
        raise UsageError(f"nothing is known of `{key}` of {known}", advice="names are spelled as the vendor does")
    return _Bundle(known, _of_policy(policy), NO_TEXT)


def _of_policy(policy: ManagedPolicy) -> Language:
    """Return the actions that a policy surely gives: of its unconditional statements, what none denies everywhere."""
    from idtrans.algebra import ANY_TEXT, NO_TEXT, glob, union
    from idtrans.model.values import Effect

    given, taken = NO_TEXT, NO_TEXT
    for statement in policy.statements:
        if statement.actions is not None:
            actions = union(glob(each, fold=True) for each in statement.actions)
        else:
            actions = ANY_TEXT - union(glob(each, fold=True) for each in statement.not_actions or ())
        if statement.effect is Effect.DENY:
            taken |= actions
        elif not statement.conditions:
            given |= actions
    return given - taken


def _of_role(role: RoleDefinition) -> _Bundle:
    from idtrans.algebra import ANY_TEXT, NO_TEXT, glob, one_of, union

    def listed(names: Sequence[str], start: str) -> Language:
        return union([NO_TEXT, *(glob(f"{start}{name}", fold=bool(start)) for name in names)])

    # Roles with data actions keep both planes apart in the names of permissions.
    planes = ("control:", "data:") if not role.id.startswith("roles/") else ("", "")
    given = NO_TEXT
    for block in role.blocks:
        given |= listed(block.actions, planes[0]) - listed(block.not_actions, planes[0])
        given |= listed(block.data_actions, planes[1]) - listed(block.not_data_actions, planes[1])
    unlisted = NO_TEXT if role.complete else ANY_TEXT - one_of(role.lacks)
    return _Bundle(role.cloud, given, unlisted)


def _held(capability: Capability, bundle: _Bundle) -> Held:
    needed = capability.column(bundle.cloud).permissions
    if not needed:
        return Held.NO_COUNTERPART
    missing = [name for name in needed if not bundle.permissions.matches(name)]
    if not missing:
        return Held.FULL
    if all(map(bundle.unlisted.matches, missing)):
        return Held.UNKNOWN
    return Held.NONE if len(missing) == len(needed) else Held.PART
