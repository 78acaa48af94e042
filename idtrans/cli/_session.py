"""One run of a command: what it reads, where its answer goes, and how errors are told."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from idtrans.cli._exit import ExitCode
from idtrans.cli._streams import silence
from idtrans.model.documents import Hints
from idtrans.model.errors import IdtransError, UsageError
from idtrans.report import Colour, html, json_v1, markdown, safe, text, translations_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from idtrans.cli._options import OutputFormat, PageFormat
    from idtrans.model.answers import TranslationsAnswer
    from idtrans.model.estate import Estate
    from idtrans.report import Answer

_MOST_LEFT_OUT = 20


@dataclass(slots=True)
class Session:
    """What the options of every command say, and whether anything broke so far."""

    output: Path | None = None
    """File for the answer; `None`: standard output."""
    quiet: bool = False
    now: datetime | None = None
    """The time of the run; `None` until the first input is read, when it was not given."""
    broken: bool = False
    """Whether an input could not be read; then the exit code is 2 whatever the answer says."""

    def read(self, paths: Sequence[str], hints: Hints | None = None, *, now: datetime | None = None) -> Estate:
        """Return the estate of some inputs; tell what could not be read and what was left out."""
        from idtrans import api

        self.now = self.now or now or datetime.now(UTC)
        estate = api.load(paths, now=self.now, hints=hints, stdin=self.stdin(paths))
        for error in estate.errors:
            self.complain(error)
        left_out = [entry for entry in estate.inputs if entry.shape is None and not entry.explicit]
        if left_out:
            self.say(f"{len(left_out)} files in folders were not recognised:")
            for entry in left_out[:_MOST_LEFT_OUT]:
                self.say(f"  {entry.path}")
            if len(left_out) > _MOST_LEFT_OUT:
                self.say(f"  ... and {len(left_out) - _MOST_LEFT_OUT} more")
        return estate

    def stdin(self, paths: Sequence[str]) -> bytes | None:
        """Return what stands on standard input when the paths name it."""
        return sys.stdin.buffer.read() if "-" in paths else None

    def use(self, catalog: Path | None) -> None:
        """Let the run read a catalogue of roles.

        Raises:
            DataError: the file cannot be read, or is no catalogue.
        """
        if catalog is not None:
            from idtrans import api

            api.use_catalog(catalog)

    def answer(self, found: Answer, form: OutputFormat | PageFormat) -> None:
        """Write an answer in the format that was asked for."""
        self.write(json_v1(found) if form.value == "json" else text(found, self.colour()))

    def page(self, found: TranslationsAnswer, form: PageFormat) -> None:
        """Write translations in the format that was asked for: side by side as Markdown or HTML, or as every answer."""
        if form.value == "markdown":
            self.write(markdown(translations_page(found)))
        elif form.value == "html":
            self.write(html(translations_page(found)))
        else:
            self.answer(found, form)

    def write(self, answer: str) -> None:
        """Write text to the output file or to standard output.

        When nobody reads the answer to its end, the rest of it goes nowhere, and the exit code stays that of the
        answer.

        Raises:
            UsageError: the output file cannot be written.
        """
        if self.output is None:
            try:
                sys.stdout.write(answer)
                sys.stdout.flush()
            except BrokenPipeError:
                silence()
            return
        try:
            with self.output.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
                stream.write(answer)
        except OSError as error:
            reason = (error.strerror or "unknown reason").lower()
            raise UsageError(f"`{self.output}` cannot be written: {reason}") from error

    def say(self, line: str) -> None:
        """Tell the person at the terminal something that is no part of the answer."""
        if not self.quiet:
            sys.stderr.write(f"{safe(line)}\n")

    def complain(self, error: IdtransError) -> None:
        """Tell about an error on standard error, and remember it."""
        self.broken = True
        sys.stderr.write(f"error: {safe(str(error))}\n")

    def finish(self, code: ExitCode) -> ExitCode:
        """Return the exit code of the run."""
        return ExitCode.BROKEN if self.broken else code

    def colour(self) -> Colour:
        """Colour what a person looks at, unless the environment says no (https://no-color.org)."""
        plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        return Colour.ANSI if self.output is None and sys.stdout.isatty() and not plain else Colour.NONE


def moment(text_of_time: str | None) -> datetime | None:
    """Read a time of the command line; without a zone it is UTC.

    Raises:
        UsageError: it is no time.
    """
    if text_of_time is None:
        return None
    try:
        found = datetime.fromisoformat(text_of_time)
    except ValueError as error:
        advice = "write it as ISO 8601, such as `2026-11-01T00:00:00Z`"
        raise UsageError(f"`{text_of_time}` is not a time", advice=advice) from error
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
