"""What a principal holds, by scope, for translation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from idtrans.algebra import ALWAYS, ANY_TEXT, Condition, Language, all_of
from idtrans.clouds.azure._compile import (
    Held,
    held,
    limit_of,
    parts,
    permissions,
    rest_of,
    unknown_role,
    unlisted,
)
from idtrans.clouds.azure._denies import taken
from idtrans.clouds.azure._index import Index, index_of
from idtrans.model.entities import BindingState
from idtrans.model.values import UNKNOWN
from idtrans.ports import Holding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.model.entities import RoleBinding, RoleDefinition
    from idtrans.model.estate import Estate


def holdings(principal: str, estate: Estate) -> tuple[Holding, ...]:
    """Return what a principal holds: one holding for each plane of each permission object of each assignment.

    What is not known of a role is a holding of all it might give, under an opaque condition. Eligible assignments hold
    nothing until they are activated. What a principal holds
    only if it is in a group whose members are not known is no holding; `doubts` names it.
    """
    index = index_of(estate)
    sure = (
        item
        for item in held(principal, index)
        if item.membership == ALWAYS and item.binding.state is BindingState.ACTIVE
    )
    denied = tuple(taken(principal, estate, index))
    return tuple(replace(each, unsure=denied) for item in sure for each in _holdings(principal, item, index))


def _holdings(principal: str, item: Held, index: Index) -> Iterator[Holding]:
    binding, role = item.binding, index.role(item.binding)
    for given, condition, text in _given(binding, role):
        yield Holding(
            principal=principal,
            permissions=given,
            scope="" if binding.scope is UNKNOWN else binding.scope,
            condition=all_of(limit_of(item), condition),
            source=binding.source,
            role=role.name if role is not None else binding.role_name or binding.role,
            condition_text=_joined(binding.condition, text),
        )


def _joined(*texts: str | None) -> str | None:
    """Return conditions as one, as the language of conditions writes it."""
    written = [text for text in texts if text]
    return " AND ".join(f"({text})" for text in written) if len(written) > 1 else next(iter(written), None)


def _given(binding: RoleBinding, role: RoleDefinition | None) -> Iterator[tuple[Language, Condition, str | None]]:
    """Yield permissions with the condition of their permission object, lowered and as written."""
    if role is None:
        yield ANY_TEXT, unknown_role(binding), None
        return
    for part in parts(role):
        yield permissions(part), part.condition, part.written
    if not role.complete:
        yield unlisted(role), rest_of(role), None
