"""Classic administrators, which older exports hold: a service or co-administrator owns the subscription.

https://learn.microsoft.com/azure/role-based-access-control/classic-administrators
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.clouds.azure._names import NAME, entra, scope_id
from idtrans.clouds.azure._scopes import containers, subscription
from idtrans.model.entities import Principal, PrincipalKind, RoleBinding
from idtrans.model.values import UNKNOWN, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.clouds.azure._records import Record
    from idtrans.model.documents import Hints, Unsupported
    from idtrans.model.entities import Entity

OWNER: Final = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635"
_OWNERS: Final = frozenset({"serviceadministrator", "coadministrator"})
_BILLING: Final = frozenset({"accountadministrator"})
"""Pays for the subscription and has no access by that."""


def administrator(record: Record, hints: Hints) -> Iterator[Entity | Unsupported]:
    """Yield a classic administrator, from the classic API or from a list of role assignments that includes them."""
    name = record.text("emailaddress", "principalname")
    stated = record.text("role", "roledefinitionname")
    if name is None or stated is None:
        yield record.unsupported("a classic administrator has no readable address or role")
        return
    stated_id = record.text("principalid")
    # Without an object id the address stands in for it, until some document says whose it is.
    principal = entra(stated_id or name.lower())
    aliases = (name,) if stated_id is not None else ()
    yield Principal(NAME, principal, PrincipalKind.USER, record.source, name=name, aliases=aliases)
    roles = {part.strip().lower() for part in stated.replace(",", ";").split(";")}
    if not roles <= _OWNERS | _BILLING:
        yield record.unsupported(f"the classic role `{stated:.60}` is not known", subject=principal)
        return
    if roles & _OWNERS:
        scope = _scope(record, hints)
        yield RoleBinding(
            cloud=NAME,
            id=f"{'?' if scope is UNKNOWN else scope}#classic/{principal}",
            role=OWNER,
            members=(principal,),
            scope=scope,
            source=record.source,
            role_name=f"Owner (classic {stated})",
        )
        if scope is not UNKNOWN:
            yield from containers(scope, record.source)


def _scope(record: Record, hints: Hints) -> str | Unknown:
    stated = (scope_id(text) for text in (record.text("scope"), record.text("id"), hints.scope) if text is not None)
    return next((found for text in stated if text is not None and (found := subscription(text)) is not None), UNKNOWN)
