"""Loading and indexing without the cycle collector."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_MANY = 100_000


@contextmanager
def paused_gc() -> Iterator[None]:
    """Pause the cycle collector for the body, and leave it as it was found.

    Decoded documents hold millions of containers and no cycles; walking them again and again while they grow costs
    several times what parsing costs. Tables over what was loaded are no different. What a large body made is set aside
    for good (`gc.freeze`), or the collector would walk all of it three times as soon as it is back; it is freed as ever
    when nothing refers to it any more.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if gc.get_count()[0] > _MANY:
                gc.freeze()
            gc.enable()
