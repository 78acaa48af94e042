"""Identities of workloads: an execution role, a service account and a managed identity stand for each other.

What is created comes first, then what it is granted, then what runs as it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from idtrans.model.artifacts import Emission, NestedBlock, TerraformBlock
from idtrans.ports import Employing
from idtrans.translate._fill import fill, filled_text

if TYPE_CHECKING:
    from idtrans.model.estate import Estate
    from idtrans.ports import WorkloadIdentity
    from idtrans.translate._place import Placement


def identity_for(principal: str, name: str, estate: Estate, placement: Placement) -> WorkloadIdentity | None:
    """Return the identity to create in the target for one that workloads of the source run as.

    `None` for one that none of them runs as, and for one that the map or a name says the counterpart of.
    """
    source, target = placement.source, placement.target
    if placement.id_map.principal(principal, target) or f"{target.name}-principal" in placement.names.values:
        return None
    if not isinstance(source, Employing) or not isinstance(target, Employing):
        return None
    used = source.workload(principal, estate)
    if used is None:
        return None
    identity = target.emit_identity(used, name, placement.names)
    if used.kinds:
        return identity
    remark = f"nothing that was read says what runs as `{principal}`: no workload is made to run as the new identity"
    return replace(identity, remarks=(*identity.remarks, remark))


def around(grants: Emission, identity: WorkloadIdentity | None, placement: Placement) -> Emission:
    """Return what was written with the creation of its identity before it, and what runs as it behind."""
    if identity is None:
        return grants
    identity = replace(identity, written=filled_text(identity.written, placement.names))
    parts = (fill(identity.created, placement.names), grants, fill(identity.attached, placement.names))
    terraform = (*parts[0].terraform, *_referring(grants.terraform, identity), *parts[2].terraform)
    return Emission(
        tuple(native for part in parts for native in part.natives),
        tuple(command for part in parts for command in part.commands),
        terraform,
        grants.losses,
        tuple(dict.fromkeys(name for part in parts for name in part.placeholders)),
    )


def _referring(value: Any, identity: WorkloadIdentity) -> Any:  # noqa: ANN401 - any part of a block, and the same kind back
    """Return Terraform in which the name of the identity is a reference to it, which also says what comes first."""
    match value:
        case str():
            return identity.reference if value == identity.written else value
        case tuple():
            return tuple(_referring(item, identity) for item in value)
        case Mapping():
            return {key: _referring(item, identity) for key, item in value.items()}
        case NestedBlock() | TerraformBlock():
            return replace(value, body=_referring(value.body, identity))
        case _:
            return value
