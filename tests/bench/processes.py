"""Whole processes: start-up, and how much memory an estate takes."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
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
api.who_can(estate, "s3:GetObject", "arn:aws:s3:::app-1/x", chains=False)
print(peak() - before)
"""
"""Loads a file and compiles the access of all principals."""


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


def memory(dump: Path) -> Row:
    """Return the peak of loading and compiling everything, beside the size of the file; Linux alone tells it."""
    if not Path("/proc/self/status").exists():
        return Row("peak memory: load, compile all", "not told here", target="<= 8x")
    done = subprocess.run([sys.executable, "-c", _ALL, dump], cwd=ROOT, capture_output=True, text=True, check=True)
    used, size = int(done.stdout), dump.stat().st_size
    figure = f"{used / 1e6:,.0f} MB"
    return Row(
        "peak memory: load, compile all",
        figure,
        f"the file {size / 1e6:,.1f} MB",
        used / size,
        "<= 8x",
        used <= 8 * size,
    )
