"""Assignments of Azure Policy. What a policy refuses is no matter of roles, and is not evaluated.

https://learn.microsoft.com/azure/governance/policy/concepts/assignment-structure
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.clouds.azure._names import scope_id
from idtrans.clouds.azure._parse_roles import scope_of
from idtrans.clouds.azure._scopes import containers
from idtrans.model.values import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.clouds.azure._records import Record
    from idtrans.model.documents import Hints, Unsupported
    from idtrans.model.entities import Entity


def policy_assignment(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:
    """Yield a remark for a policy that may refuse requests below its scope; one that is not enforced refuses none."""
    scope = scope_of(record, hints)
    if scope is not UNKNOWN:
        yield from containers(scope, record.at("scope"))
    if (record.text("enforcementmode") or "").lower() == "donotenforce":
        return
    name = record.text("displayname", "name") or "without a name"
    spared = [path for text in record.texts("notscopes") or () if (path := scope_id(text)) is not None]
    beside = f", but not in {', '.join(f'`{path}`' for path in spared)}" if spared else ""
    where = "everywhere" if scope is UNKNOWN else f"below `{scope}`"
    yield record.unsupported(
        f"the policy `{name}` may refuse what roles allow {where}{beside}; policies are not evaluated",
        subject="/" if scope is UNKNOWN else scope,
    )
