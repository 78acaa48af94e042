"""Rows of the table, and how long a step takes."""

from __future__ import annotations

import gc
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from time import process_time


@dataclass(frozen=True)
class Row:
    """One line: what was measured, beside a peer and a target where there are any."""

    step: str
    figure: str
    peer: str = ""
    """Who did the same in this run, and its figure; or why it did not."""
    ratio: float | None = None
    """How the figure compares with the peer's, or with what else the target is about."""
    target: str = ""
    """The target as the project states it."""
    met: bool | None = None

    def line(self) -> str:
        """Return the row as text."""
        ratio = "" if self.ratio is None else f"{self.ratio:,.2f}x" if self.ratio < 10 else f"{self.ratio:,.0f}x"
        verdict = {True: "met", False: "not met", None: ""}[self.met]
        return f"{self.step:<46} {self.figure:>16} {self.peer:>34} {ratio:>9} {self.target:>12} {verdict}".rstrip()


HEAD = Row("step", "idtrans", "peer in the same run", None, "target").line()


def seconds(step: Callable[[], object], runs: int = 1) -> float:
    """Return the processor time of a step, the median of some runs; other processes do not count."""
    found = []
    for _ in range(runs):
        gc.collect()
        begin = process_time()
        step()
        found.append(process_time() - begin)
    return statistics.median(found)


def shown(value: float) -> str:
    """Return a time with a unit that fits."""
    if value >= 1:
        return f"{value:.2f} s"
    return f"{value * 1e3:.2f} ms" if value >= 1e-3 else f"{value * 1e6:.2f} us"


def rate(count: int, value: float) -> str:
    """Return how many of something are done in a second."""
    return f"{count / value:,.0f}/s"


def at_least(step: str, own: float, peer: tuple[str, float], wanted: float, figure: str | None = None) -> Row:
    """Return the row of a step that is to be so many times as fast as a peer."""
    name, theirs = peer
    ratio = theirs / own
    return Row(step, figure or shown(own), f"{name} {shown(theirs)}", ratio, f">= {wanted:g}x", ratio >= wanted)


def at_most(step: str, figures: tuple[str, str], ratio: float, wanted: float) -> Row:
    """Return the row of a figure that is to be at most so many times another one."""
    return Row(step, *figures, ratio, f"<= {wanted:g}x", ratio <= wanted)
