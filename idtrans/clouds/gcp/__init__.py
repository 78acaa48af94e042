"""Google Cloud: recognise its documents, parse them to facts, compile facts to access, emit intents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.clouds.gcp._adapter import Gcp

if TYPE_CHECKING:
    from idtrans.ports import Cloud

CLOUD: Final[Cloud] = Gcp()
"""The adapter of Google Cloud."""

__all__ = ["CLOUD"]
