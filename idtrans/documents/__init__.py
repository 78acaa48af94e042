"""Bytes to documents: JSON, NDJSON, YAML and CSV, with limits and with the line of every value."""

from __future__ import annotations

from idtrans.documents._decode import decode
from idtrans.documents._discover import Found, discover
from idtrans.documents._embedded import Decoding, embedded
from idtrans.documents._found import STDIN, Candidate, Skipped
from idtrans.documents._limits import LIMITS, Limits
from idtrans.documents._manifest import MANIFEST
from idtrans.documents._read import Reading, read
from idtrans.model.pausing import paused_gc

__all__ = [
    "LIMITS",
    "MANIFEST",
    "STDIN",
    "Candidate",
    "Decoding",
    "Found",
    "Limits",
    "Reading",
    "Skipped",
    "decode",
    "discover",
    "embedded",
    "paused_gc",
    "read",
]
