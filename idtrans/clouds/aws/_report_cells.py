"""The cells of a credential report row, lowered to credentials.

`N/A` says that there is nothing; `no_information` and `not_supported` say that it is not known.
https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_getting-report.html
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from idtrans.clouds.aws._parse_state import CLOUD, unsupported
from idtrans.clouds.aws._parse_values import as_date, shown
from idtrans.model.documents import Json, Unsupported
from idtrans.model.entities import Credential, CredentialKind, CredentialStatus
from idtrans.model.spans import Source
from idtrans.model.values import UNKNOWN, Unknown

_NOTHING: Final = frozenset({"N/A", ""})
_NOT_KNOWN: Final = frozenset({"no_information", "not_supported"})
_STATUS: Final = {"true": CredentialStatus.ACTIVE, "false": CredentialStatus.INACTIVE}


@dataclass(frozen=True, slots=True)
class Slot:
    """The columns that speak of one credential."""

    name: str
    kind: CredentialKind
    active: str
    created: str
    used: str | None = None
    expires: str | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(name for name in (self.active, self.created, self.used, self.expires) if name is not None)


def _key(number: int, kind: CredentialKind) -> Slot:
    name = f"access_key_{number}"
    return Slot(name, kind, f"{name}_active", f"{name}_last_rotated", f"{name}_last_used_date")


def _rest() -> tuple[Slot, ...]:
    kind = CredentialKind.AWS_SIGNING_CERTIFICATE
    return (
        Slot(
            "password",
            CredentialKind.AWS_PASSWORD,
            "password_enabled",
            "password_last_changed",
            "password_last_used",
            "password_next_rotation",
        ),
        *(Slot(f"cert_{number}", kind, f"cert_{number}_active", f"cert_{number}_last_rotated") for number in (1, 2)),
    )


USER_SLOTS: Final = (*(_key(number, CredentialKind.AWS_ACCESS_KEY) for number in (1, 2)), *_rest())
"""Credentials that a user may have."""
ROOT_SLOTS: Final = (*(_key(number, CredentialKind.AWS_ROOT_ACCESS_KEY) for number in (1, 2)), *_rest())
"""Credentials that the root user may have."""


def parse_slot(cells: Mapping[str, Json], slot: Slot, owner: str, source: Source) -> Iterator[Credential | Unsupported]:
    """Yield the credential of a slot when there is one, and notes on cells that cannot be read."""
    if slot.active not in cells and slot.created not in cells:
        return
    yield from _faults(cells, slot, owner, source)
    status = _status(cells.get(slot.active))
    created = _moment(cells, slot.created)
    if not _exists(slot, status, created):
        return
    yield Credential(
        CLOUD,
        f"{owner}#{slot.name}",
        slot.kind,
        owner,
        UNKNOWN if status is None else status,
        source,
        UNKNOWN if created is None else created,
        _moment(cells, slot.expires) if slot.expires is not None else None,
        _moment(cells, slot.used) if slot.used is not None else UNKNOWN,
    )


def _exists(slot: Slot, status: CredentialStatus | Unknown | None, created: datetime | Unknown | None) -> bool:
    """Tell whether a slot is in use. A key that is off is still there; a password that is off is not."""
    if slot.kind is CredentialKind.AWS_PASSWORD:
        return status is UNKNOWN or status is CredentialStatus.ACTIVE
    if created is None:
        return status is CredentialStatus.ACTIVE
    return created is not UNKNOWN or status is not None


def _status(cell: Json) -> CredentialStatus | Unknown | None:
    """Read a cell that says `true` or `false`; `None`: there is nothing."""
    if isinstance(cell, bool):
        cell = "true" if cell else "false"
    if not isinstance(cell, str):
        return UNKNOWN
    return None if cell in _NOTHING else _STATUS.get(cell.lower(), UNKNOWN)


def _moment(cells: Mapping[str, Json], column: str) -> datetime | Unknown | None:
    """Read a cell that holds a time; `None`: there is nothing."""
    cell = cells.get(column, "no_information")
    if isinstance(cell, str) and cell in _NOTHING:
        return None
    return (as_date(cell) if isinstance(cell, str) else None) or UNKNOWN


def _faults(cells: Mapping[str, Json], slot: Slot, owner: str, source: Source) -> Iterator[Unsupported]:
    for column in slot.columns:
        cell = cells.get(column, "no_information")
        plain = isinstance(cell, str) and cell in _NOTHING | _NOT_KNOWN
        read = _status(cell) if column == slot.active else _moment(cells, column)
        if read is UNKNOWN and not plain:
            yield unsupported(f"`{column}` is {shown(cell)}, which is not understood", source, owner)
