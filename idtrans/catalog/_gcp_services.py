"""Permissions of GCP as policies name them, and what boundaries and denies block, from `rules/gcp-services.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from idtrans.model.data import rules_dir


@dataclass(frozen=True, slots=True)
class BoundaryVersion:
    """Permissions that principal access boundaries of one enforcement version can block, earlier versions included."""

    blocks: tuple[str, ...]
    """`SERVICE/RESOURCE.VERB`, with `*` for any rest."""
    spares: tuple[str, ...]
    """Permissions that it cannot block although `blocks` names them."""
    complete: bool
    """Whether it blocks nothing else."""


@cache
def permission_prefixes() -> Mapping[str, tuple[str, ...]]:
    """Return what roles write for a service where that is not the first label of its name, by service."""
    return {host: tuple(prefixes) for host, prefixes in _content()["prefixes"].items()}


@cache
def boundary_versions() -> Mapping[str, BoundaryVersion]:
    """Return what each enforcement version of principal access boundaries can block."""
    found: dict[str, BoundaryVersion] = {}
    before = BoundaryVersion((), (), complete=True)
    for entry in _content()["boundary"]:
        blocks, spares = (*before.blocks, *entry["blocks"]), (*before.spares, *entry["spares"])
        before = BoundaryVersion(blocks, spares, complete=before.complete and entry["complete"])
        found[entry["version"]] = before
    return found


@cache
def deniable() -> Mapping[str, str]:
    """Return the permissions that deny policies are known to deny: as roles write them, with their spelling there."""
    found: dict[str, str] = {}
    for host, names in _content()["deniable"].items():
        for prefix in permission_prefixes().get(host) or (host.partition(".")[0],):
            # Some permissions are written with the name of their service in roles, too.
            found |= {f"{start}{name}": f"{host}/{name}" for name in names for start in (f"{prefix}.", f"{host}/")}
    return found


@cache
def _content() -> dict[str, Any]:
    with (rules_dir() / "gcp-services.toml").open("rb") as file:
        return tomllib.load(file)
