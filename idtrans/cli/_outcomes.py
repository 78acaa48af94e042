"""Exit codes of answers, apart from the codes themselves: printing the help needs no answers."""

from __future__ import annotations

from typing import Final

from idtrans.cli._exit import ExitCode
from idtrans.model.decisions import Outcome
from idtrans.model.diffs import DiffVerdict

OF_OUTCOME: Final = {
    Outcome.ALLOW: ExitCode.OK,
    Outcome.EXPLICIT_DENY: ExitCode.NEGATIVE,
    Outcome.IMPLICIT_DENY: ExitCode.NEGATIVE,
    Outcome.CONDITIONAL: ExitCode.UNKNOWN,
    Outcome.UNKNOWN: ExitCode.UNKNOWN,
}
"""Codes of `can`."""

OF_VERDICT: Final = {
    DiffVerdict.NO_NEW_ACCESS: ExitCode.OK,
    DiffVerdict.NEW_ACCESS: ExitCode.NEGATIVE,
    DiffVerdict.UNKNOWN: ExitCode.UNKNOWN,
}
"""Codes of `diff`."""
