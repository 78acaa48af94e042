"""What translation can recognise and say."""

from __future__ import annotations

from idtrans.api._clouds import clouds
from idtrans.model.answers import CapabilitiesAnswer, CapabilityLine


def capabilities() -> CapabilitiesAnswer:
    """Return every capability with what each cloud needs for it.

    Raises:
        DataError: a capability file breaks its schema.
    """
    from idtrans.catalog import capabilities as known

    lines = []
    for entry in known():
        columns = {name: entry.column(name) for name in clouds()}
        lines.append(
            CapabilityLine(
                id=entry.id,
                title=entry.title,
                effect=entry.effect.value,
                plane=entry.plane.value,
                permissions={
                    name: tuple(column.written.get(permission, permission) for permission in column.permissions)
                    for name, column in columns.items()
                    if column.permissions
                },
                without={
                    name: column.no_counterpart or "no counterpart"
                    for name, column in columns.items()
                    if not column.permissions
                },
            )
        )
    return CapabilitiesAnswer(tuple(lines))
