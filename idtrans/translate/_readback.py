"""What was written, read back by the target's own reader: the only evidence that a verdict rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from idtrans.algebra import Condition, Language, all_of, rewrite
from idtrans.catalog import acting
from idtrans.model.documents import Unsupported
from idtrans.model.errors import InternalError
from idtrans.model.estate import Estate
from idtrans.translate._levels import key_of, place_of, read_scope
from idtrans.translate._limits import named, plain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from idtrans.model.artifacts import Native
    from idtrans.model.intents import Scope
    from idtrans.ports import Cloud, Holding


@dataclass(frozen=True, slots=True)
class Given:
    """Permissions that written grants give on one scope."""

    scope: Scope
    permissions: Language
    holding: Holding

    def limit(self, permission: str, variant: str | None, cloud: Cloud) -> Condition:
        """Return the limit under which one of the permissions is given."""
        return all_of(named(self.scope), rewrite(cloud.limit(self.holding, permission, variant), plain))


def read_back(natives: Sequence[Native], cloud: Cloud, now: datetime) -> tuple[Given, ...]:
    """Return what emitted objects give, whoever they give it to.

    Raises:
        InternalError: the target's own reader does not understand them.
    """
    stated = tuple(cloud.reread(natives))
    problems = [entry for entry in stated if isinstance(entry, Unsupported)]
    if problems:
        raise InternalError(f"what was written for {cloud.name} is not understood: {problems[0].reason}")
    estate = Estate(tuple(entry for entry in stated if not isinstance(entry, Unsupported)), now)
    found = []
    for principal in cloud.principals(estate):
        for doubt in cloud.doubts(principal, estate):
            raise InternalError(f"what was written for {cloud.name} is in doubt: {doubt.reason}")
        for holding in cloud.holdings(principal, estate):
            scope = read_scope(holding.scope, cloud)
            permissions = holding.permissions & acting(cloud.name, scope)
            found.append(Given(scope, permissions, holding))
    return tuple(found)


def same_place(one: Scope, other: Scope) -> bool:
    """Tell whether two scopes are the same place, whatever names they are limited to."""
    return key_of(place_of(one)) == key_of(place_of(other))
