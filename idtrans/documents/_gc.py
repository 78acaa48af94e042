"""Loading without the cycle collector."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused_gc() -> Iterator[None]:
    """Pause the cycle collector for the body, and leave it as it was found.

    Decoded documents hold millions of containers and no cycles; walking them again and again while they grow costs
    several times what parsing costs.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
