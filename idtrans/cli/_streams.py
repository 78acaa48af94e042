"""Standard output and error, whatever the caller made of them."""

from __future__ import annotations

import os
import sys


def prepare() -> None:
    """Let everything be written to standard output and error that a command says."""
    for name in ("stdout", "stderr"):
        # Python has no stream where the caller closed it; what is written there shows nobody.
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))
        # A terminal that is not UTF-8 shows the rest of the answer all the same.
        if hasattr(getattr(sys, name), "reconfigure"):
            getattr(sys, name).reconfigure(errors="backslashreplace")


def silence() -> None:
    """Send what is still to be written to standard output nowhere: its reader is gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
