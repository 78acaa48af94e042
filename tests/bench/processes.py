"""Whole processes: start-up, and how much memory an estate takes."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.bench.table import Row, shown

ROOT = Path(__file__).resolve().parents[2]
_ALL = """
import re, sys
from pathlib import Path
from idtrans import api
def peak(): return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) * 1024
before = peak()
estate = api.load([sys.argv[1]])
api.who_can(estate, "s3:GetObject", "arn:aws:s3:::app-1/x", chains=sys.argv[2] == "chains")
print(peak() - before)
"""
"""Loads a file and compiles the access of all principals; with `chains`, finds who can become whom, too."""


def cpu(*arguments: str) -> float:
    """Return the processor time of this interpreter with arguments, in a fresh process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def start_up() -> Row:
    """Return how long help takes, beside Python doing nothing."""
    own = statistics.median(cpu("-m", "idtrans", "--help") for _ in range(7))
    bare = statistics.median(cpu("-c", "pass") for _ in range(7))
    return Row(
        "start-up: idtrans --help", shown(own), f"python -c pass {shown(bare)}", own / bare, "<= 6x", own <= 6 * bare
    )


def memory(dump: Path) -> Iterator[Row]:
    """Yield the peak of loading and compiling everything, beside the size of the file; Linux alone tells it."""
    step = "peak memory: load, compile all"
    if not Path("/proc/self/status").exists():
        yield Row(step, "not told here", target="<= 8x")
        return
    size = dump.stat().st_size
    beside = f"the file {size / 1e6:,.1f} MB"
    used = _peak(dump, "access")
    yield Row(step, f"{used / 1e6:,.0f} MB", beside, used / size, "<= 8x", used <= 8 * size)
    used = _peak(dump, "chains")
    yield Row(f"{step}, with chains", f"{used / 1e6:,.0f} MB", beside, used / size)


def _peak(dump: Path, what: str) -> int:
    words = [sys.executable, "-c", _ALL, str(dump), what]
    return int(subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
