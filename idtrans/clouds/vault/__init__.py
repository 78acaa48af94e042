"""HashiCorp Vault: who may log in with which token, and which cloud credentials that gives."""

from __future__ import annotations

from idtrans.clouds.vault._reader import READER

__all__ = ["READER"]
