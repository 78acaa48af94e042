"""The comparison of two estates by what they grant."""

from idtrans.diff._diff import diff

__all__ = ["diff"]
