"""The clouds there are. This room alone holds them; engines get them as ports."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from idtrans.model.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from idtrans.model.estate import Estate
    from idtrans.ports import Cloud, Reader, Truster


@cache
def readers() -> Mapping[str, Reader]:
    """Return every source of documents by name: one folder of `idtrans.clouds` each."""
    package = importlib.import_module("idtrans.clouds")
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    folders = (importlib.import_module(f"{package.__name__}.{name}") for name in names)
    found = [folder.CLOUD if hasattr(folder, "CLOUD") else folder.READER for folder in folders]
    return MappingProxyType({reader.name: reader for reader in found})


@cache
def clouds() -> Mapping[str, Cloud]:
    """Return the sources of documents that are clouds, by name."""
    return MappingProxyType(
        {name: cast("Cloud", reader) for name, reader in readers().items() if hasattr(reader, "access")}
    )


@cache
def trusters() -> Mapping[str, Truster]:
    """Return the sources of documents that say who is trusted, by name: the clouds, and what is not one."""
    return MappingProxyType(
        {name: cast("Truster", reader) for name, reader in readers().items() if hasattr(reader, "trusts")}
    )


def cloud_named(name: str) -> Cloud:
    """Return a cloud by name.

    Raises:
        UsageError: there is no such cloud.
    """
    found = clouds().get(name)
    if found is None:
        raise UsageError(f"`{name}` is not a cloud", advice=f"use one of {', '.join(clouds())}")
    return found


def cloud_of(principal: str, estate: Estate) -> Cloud:
    """Return the cloud that a principal id belongs to.

    Raises:
        UsageError: the id has no cloud's form, or of more than one.
    """
    owners = [cloud for cloud in clouds().values() if cloud.owns(principal)]
    if len(owners) > 1:
        owners = [cloud for cloud in owners if cloud.name in estate.clouds] or owners
    if len(owners) == 1:
        return owners[0]
    if owners:
        names = " and ".join(cloud.name for cloud in owners)
        raise UsageError(f"`{principal}` can be a principal of {names}", advice="name one input of the right cloud")
    raise UsageError(f"`{principal}` is not a principal id", advice=_choices(principal))


def _choices(principal: str) -> str:
    if "@" in principal and ":" not in principal:
        forms = f"`user:{principal}`, `group:{principal}`, `serviceAccount:{principal}` or `entra:{principal}`"
        return f"say whose it is: {forms}"
    return "use an AWS ARN, `service:NAME`, a GCP member such as `user:a@b.example`, or `entra:OBJECT-ID`"
