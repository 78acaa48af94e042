"""Exit codes. The table stands in `docs/exit-codes.md` too."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class ExitCode(IntEnum):
    """What a command tells the program that started it."""

    OK = 0
    """Clean, or a positive answer."""
    NEGATIVE = 1
    """Findings at or over `--fail-on`, or a negative answer."""
    BROKEN = 2
    """A usage error, an unreadable file, or an explicitly named file that is not recognised."""
    UNKNOWN = 3
    """Something that was not understood could change this answer."""


PRECEDENCE: Final = (ExitCode.BROKEN, ExitCode.NEGATIVE, ExitCode.UNKNOWN, ExitCode.OK)
"""When several hold, the first is taken."""


def first(*codes: ExitCode) -> ExitCode:
    """Return the code that wins; `OK` when there is none."""
    return next((code for code in PRECEDENCE if code in codes), ExitCode.OK)
