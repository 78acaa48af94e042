"""AWS: identity, resource, trust and organisation policies, account dumps, credentials and OIDC providers."""

from __future__ import annotations

from typing import Final

from idtrans.clouds.aws._adapter import Aws

CLOUD: Final = Aws()
"""The adapter that satisfies `idtrans.ports.Cloud`."""

__all__ = ["CLOUD", "Aws"]
