"""Print how long the main steps take: `make bench`. Figures to read, never assertions."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RUNS = 5


def _process(*arguments: str) -> Callable[[], None]:
    """Return a step that runs this interpreter with arguments in a fresh process."""

    def step() -> None:
        subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, check=True)

    return step


STEPS: tuple[tuple[str, Callable[[], None]], ...] = (
    ("start Python", _process("-c", "pass")),
    ("import idtrans", _process("-c", "import idtrans")),
    ("idtrans --help", _process("-m", "idtrans", "--help")),
    ("idtrans demo", _process("-m", "idtrans", "demo")),
)
"""What is measured. A line here adds a step."""


def _seconds(step: Callable[[], None]) -> float:
    begin = time.perf_counter()
    step()
    return time.perf_counter() - begin


def main() -> None:
    """Print the median of a few runs of each step."""
    for name, step in STEPS:
        median = statistics.median(_seconds(step) for _ in range(RUNS))
        print(f"{name:<20} {median * 1000:8.0f} ms")


if __name__ == "__main__":
    main()
