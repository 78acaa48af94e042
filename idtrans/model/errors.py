"""The errors that idtrans raises on purpose. One root, messages written for a stranger."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from idtrans.model.spans import Source


class IdtransError(Exception):
    """Root of all errors of this package.

    `message` is lower-case without a final period, offending text stands in backticks; `advice` says what to do.
    """

    def __init__(self, message: str, *, source: Source | None = None, advice: str | None = None) -> None:
        """Keep the parts apart, so that every output format can render them in its own way."""
        super().__init__(message)
        self.message = message
        self.source = source
        self.advice = advice

    def __str__(self) -> str:
        """Render `path:line: message (advice)`."""
        place = f"{self.source}: " if self.source is not None else ""
        advice = f" ({self.advice})" if self.advice else ""
        return f"{place}{self.message}{advice}"


class DocumentError(IdtransError):
    """A file that cannot be read or decoded: broken JSON, a limit exceeded, an encoding that is not text."""


class UnrecognisedError(DocumentError):
    """A readable document whose shape no reader knows."""


class UsageError(IdtransError):
    """A question that cannot be asked as written: an ambiguous principal, an unknown cloud, a bad flag."""


class DataError(IdtransError):
    """A rule, capability, issuer, role, map or manifest file that breaks its schema."""


class BudgetExceededError(IdtransError):
    """A symbolic question grew past its budget; the answer is UNKNOWN, never safe."""


class InternalError(IdtransError):
    """An answer failed its own check, such as a witness that does not replay. Always a bug."""
