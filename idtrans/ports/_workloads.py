"""Identities of workloads: what functions, instances and containers run as, in no cloud's words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from idtrans.model.artifacts import Emission, Reference
from idtrans.model.estate import Estate
from idtrans.model.intents import Names


class WorkloadKind(StrEnum):
    """What runs as an identity."""

    FUNCTION = "function"
    INSTANCE = "instance"
    CONTAINER = "container"


@dataclass(frozen=True, slots=True)
class Workload:
    """An identity that workloads of its own cloud run as."""

    kinds: tuple[WorkloadKind, ...] = ()
    """What runs as it; empty where that is not stated."""


@dataclass(frozen=True, slots=True)
class WorkloadIdentity:
    """An identity that is to be created for workloads, and what is to be done before and after it is granted access."""

    principal: str
    """Whom access is granted, in the spelling of the cloud."""
    created: Emission
    """What creates it: goes before every grant."""
    attached: Emission
    """What makes workloads run as it: goes after every grant, so that none of them starts without its access."""
    reference: Reference
    """What stands for the identity in the Terraform of its grants."""
    written: str
    """How the identity is written there without it."""
    remarks: tuple[str, ...] = ()
    """What to know before applying it, such as where an account and its counterpart differ."""


@runtime_checkable
class Employing(Protocol):
    """A cloud whose workloads have identities of their own."""

    def is_service(self, principal: str) -> bool:
        """Tell whether a principal is a service of the cloud itself, which has no counterpart elsewhere."""
        ...

    def workload(self, principal: str, estate: Estate) -> Workload | None:
        """Return how workloads use an identity, `None` for an identity that is none of theirs."""
        ...

    def emit_identity(self, workload: Workload, name: str, names: Names) -> WorkloadIdentity:
        """Write an identity for workloads."""
        ...
