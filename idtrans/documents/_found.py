"""What looking for input files brings up."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from idtrans.documents._limits import Limits
from idtrans.documents._text import too_large
from idtrans.model.documents import Hints
from idtrans.model.errors import DocumentError
from idtrans.model.spans import Place, Source

STDIN = "-"
"""The path that means standard input."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that may be a document. Nothing has been read yet."""

    path: str
    """POSIX path relative to the input root, the normalised name for a file given by name, or `-`."""
    file: Path | None
    """Where to read it; `None` for standard input."""
    hints: Hints = field(default_factory=Hints)
    explicit: bool = True
    """Whether the user named the file itself, and not a folder that holds it."""
    stdin: bytes | None = None

    def load(self, limits: Limits) -> bytes:
        """Return the bytes of the file.

        Raises:
            DocumentError: the file cannot be read, or is larger than the limit.
        """
        if self.file is None:
            return self._given()
        try:
            with self.file.open("rb") as stream:
                data = stream.read(limits.max_bytes + 1)
        except OSError as error:
            raise unreadable(self.path, error) from error
        if len(data) > limits.max_bytes:
            raise too_large(self.path, limits)
        return data

    def _given(self) -> bytes:
        if self.stdin is None:
            advice = "pipe a document in, or name a file"
            raise DocumentError("nothing on standard input", source=Source(Place(self.path)), advice=advice)
        return self.stdin


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or folder that was met and not read."""

    path: str
    reason: str
    """One lower-case sentence."""


def unreadable(path: str, error: OSError) -> DocumentError:
    """Return the error for a file or folder that the system does not let us read."""
    reason = (error.strerror or "unknown reason").lower()
    return DocumentError(f"cannot be read: {reason}", source=Source(Place(path)))


def shown_path(path: Path | str) -> str:
    """Return a POSIX path that can be written anywhere, also when the name on disk is not UTF-8."""
    name = path.as_posix() if isinstance(path, Path) else path
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
