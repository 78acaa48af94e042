"""Azure and Entra: recognise their documents, parse them to facts, compile facts to access, emit intents."""

from __future__ import annotations

from idtrans.clouds.azure._adapter import CLOUD

__all__ = ["CLOUD"]
