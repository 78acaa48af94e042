"""Colour for terminals, only when it is asked for."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from idtrans.report._safe import safe


class Colour(StrEnum):
    """Whether to colour a text."""

    NONE = "none"
    ANSI = "ansi"


class Tone(StrEnum):
    """What a colour says."""

    ALARM = "1;31"
    BAD = "31"
    DOUBT = "33"
    GOOD = "32"
    QUIET = "2"
    STRONG = "1"


TONES: Final = {
    "critical": Tone.ALARM,
    "high": Tone.BAD,
    "medium": Tone.DOUBT,
    "low": Tone.QUIET,
    "info": Tone.QUIET,
    "allow": Tone.GOOD,
    "explicit-deny": Tone.BAD,
    "implicit-deny": Tone.BAD,
    "conditional": Tone.DOUBT,
    "unknown": Tone.DOUBT,
    "no-new-access": Tone.GOOD,
    "new-access": Tone.BAD,
    "yes": Tone.GOOD,
    "no": Tone.BAD,
    "exact": Tone.GOOD,
    "exact-with-parts": Tone.GOOD,
    "approximate": Tone.DOUBT,
    "narrower": Tone.DOUBT,
    "broader": Tone.BAD,
    "refused": Tone.BAD,
    "dead": Tone.DOUBT,
    "workload": Tone.GOOD,
    "project": Tone.GOOD,
    "tenant": Tone.DOUBT,
    "platform": Tone.ALARM,
    "anyone": Tone.ALARM,
}
"""Tone of each word of an answer that has one."""


def paint(text: str, tone: Tone | None, colour: Colour) -> str:
    """Return a text made safe, in a tone when colours are on."""
    shown = safe(text)
    return f"\x1b[{tone.value}m{shown}\x1b[0m" if colour is Colour.ANSI and tone is not None else shown


def word(text: str, colour: Colour, *, width: int = 0) -> str:
    """Return a word of an answer in its own tone, padded to a width."""
    return paint(text, TONES.get(text), colour) + " " * (width - len(text))
