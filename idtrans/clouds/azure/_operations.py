"""Operations and their planes: the texts of the action dimension.

An operation is `control:` or `data:` and its name in lower case, since `*` in the actions of a role never gives a data
action. A question about an operation whose plane cannot be told is `either:` and the name, and asks both planes.
https://learn.microsoft.com/azure/role-based-access-control/role-definitions#control-and-data-actions
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from idtrans.algebra import STAR, Language, Wildcard, pieces, union
from idtrans.clouds.azure._names import lowered

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet


class OperationPlane(StrEnum):
    """Which of a role's two lists an operation stands in."""

    CONTROL = "control"
    DATA = "data"
    EITHER = "either"


ASSIGN: Final = "control:microsoft.authorization/roleassignments/write"
"""What makes a holder able to give itself everything."""

_DATA = re.compile(
    r"""microsoft\.storage/storageaccounts/(?:
            blobservices/containers/blobs/.+
          | queueservices/queues/messages/.+
          | tableservices/tables/entities/.+
          | fileservices/fileshares/files/.+
          | fileservices/(?:read|write)filebackupsemantics/action
          | fileservices/(?:takeownership|runasbuiltinfileadministrator)/action)
      | microsoft\.keyvault/vaults/(?:
            secrets/[^/]+/action | secrets/(?:delete|purge)
          | keys/[^/]+/action | keys/delete
          | (?:certificates|certificatecas|certificatecontacts|keyrotationpolicies|storageaccounts)/.+)
      | microsoft\.compute/(?:disks|snapshots)/(?:download|upload)/action
      | microsoft\.compute/virtualmachines/(?:login|loginasadmin|wacloginasadmin)/action
      | microsoft\.containerregistry/registries/(?:catalog|quarantinedartifacts|trustedcollections)/.+
      | microsoft\.containerregistry/registries/repositories/(?:content|metadata)/.+
      | microsoft\.(?:eventhub|servicebus|relay)/.+/(?:send|receive|listen)/action
      | microsoft\.eventhub/namespaces/schemas/.+""",
    re.VERBOSE,
)
"""Operations that are data actions alone."""

_PARTNER: Final = "anyscale.platform"
"""A provider of a partner that has data actions."""

_BOTH = frozenset({"microsoft.keyvault/vaults/keys/read"})
"""Operations that stand in both lists of providers whose data actions are listed above."""

_LISTED = frozenset(
    f"microsoft.{name}"
    for name in ("compute", "containerregistry", "eventhub", "keyvault", "relay", "servicebus", "storage")
)
"""Providers whose data actions are all listed above."""

_WITH_DATA = frozenset(
    f"microsoft.{name}"
    for name in (
        "agfoodplatform",
        "anybuild",
        "apicenter",
        "app",
        "appconfiguration",
        "appplatform",
        "autonomousdevelopmentplatform",
        "azurestackhci",
        "batch",
        "bing",
        "blockchain",
        "codesigning",
        "cognitivesearch",
        "cognitiveservices",
        "confidentialledger",
        "connectedvmwarevsphere",
        "containerservice",
        "dashboard",
        "desktopvirtualization",
        "devcenter",
        "deviceregistry",
        "devices",
        "deviceupdate",
        "digitaltwins",
        "discovery",
        "documentdb",
        "durabletask",
        "elasticsan",
        "eventgrid",
        "experimentation",
        "genome",
        "healthbot",
        "healthcareapis",
        "healthdataaiservices",
        "hybridcompute",
        "inferenceservice",
        "insights",
        "kubernetes",
        "labservices",
        "loadtestservice",
        "maps",
        "messagingcatalog",
        "messagingconnectors",
        "mixedreality",
        "monitor",
        "onlineexperimentation",
        "operationalinsights",
        "policyinsights",
        "programmableconnectivity",
        "projectbabylon",
        "purview",
        "quantum",
        "search",
        "securitydetonation",
        "servicenetworking",
        "signalrservice",
        "usagebilling",
    )
)
"""Other providers that have data actions: nothing is told about theirs."""


def plane_of(operation: str, known: AbstractSet[str] = frozenset()) -> OperationPlane:
    """Return the plane of an operation in lower case; `known` are data actions that role definitions name."""
    if _DATA.fullmatch(operation) is not None:
        return OperationPlane.DATA
    provider = operation.split("/", 1)[0]
    if provider in _LISTED and operation not in _BOTH:
        return OperationPlane.CONTROL
    if provider in _WITH_DATA or provider == _PARTNER or operation in _BOTH or operation in known:
        return OperationPlane.EITHER
    return OperationPlane.CONTROL


@lru_cache(maxsize=65536)
def _pattern(prefix: str, operation: str) -> Language:
    """Return the operations of one entry of a list: `*` is any run of characters, slashes too, all else is itself."""
    parts: list[str | Wildcard] = [f"{prefix}:"]
    for index, text in enumerate(lowered(operation.strip()).split("*")):
        parts += [STAR, text] if index else [text]
    return pieces(parts)


@lru_cache(maxsize=8192)
def listed(plane: OperationPlane, operations: tuple[str, ...]) -> Language:
    """Return what a list of one plane names."""
    return union(_pattern(plane.value, operation) for operation in operations)


@lru_cache(maxsize=8192)
def asked(plane: OperationPlane, operations: tuple[str, ...]) -> Language:
    """Return the requests that a list of one plane answers: those of its plane and those that ask both."""
    return listed(plane, operations) | listed(OperationPlane.EITHER, operations)


def both_planes(operations: Iterable[str]) -> Language:
    """Return the requests for operations of any plane, as `ActionMatches` of a condition reads them."""
    patterns = tuple(operations)
    return union(listed(plane, patterns) for plane in OperationPlane)


def bare(action: str) -> str:
    """Return the operation without its plane."""
    head, colon, tail = action.partition(":")
    return tail if colon and head in set(OperationPlane) else action
