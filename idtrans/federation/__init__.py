"""Trusts and tokens: who can use a trust, does a token get in, and how to write a trust that lets in no more."""

from __future__ import annotations

from idtrans.federation._admits import Admission, TokenAnswer, admits
from idtrans.federation._facts import trust_facts
from idtrans.federation._judge import judge
from idtrans.federation._reach import PinnedBy, Pinning
from idtrans.federation._report import Nearest, TrustReport

__all__ = [
    "Admission",
    "Nearest",
    "PinnedBy",
    "Pinning",
    "TokenAnswer",
    "TrustReport",
    "admits",
    "judge",
    "trust_facts",
]
