"""Becoming an identity by asking for it: in clouds where that is itself a request, decided as every other is."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from idtrans.model.estate import Estate


@runtime_checkable
class Assuming(Protocol):
    """A cloud in which who may become an identity is decided by requests on that identity."""

    def assuming(self, identity: str, estate: Estate) -> tuple[tuple[str, str], ...]:
        """Return the requests, as action and resource, that make their caller the identity; none for what nobody can.

        A principal that one of them is allowed to can become the identity, whatever its own trust says: the decision
        takes that trust into account.
        """
        ...

    def speaks_for(self, party: str, estate: Estate) -> bool:
        """Tell whether those decisions cover a party: a principal of the estate, or an account that was read."""
        ...
