"""Questions about one estate: may this principal do this, and who may."""

from idtrans.access._can import can, who_can

__all__ = ["can", "who_can"]
