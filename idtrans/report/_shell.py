"""Commands as shell text: every word is quoted here and nowhere else."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

from idtrans.model.artifacts import JsonArgument
from idtrans.report._safe import escape, safe

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.model.artifacts import Argv


def shell(commands: Iterable[Argv]) -> str:
    """Return one line for each command, with its reason as a comment above it."""
    return "".join(f"{_comment(command.why)}{_line(command)}\n" for command in commands)


def _comment(why: str) -> str:
    return f"# {safe(why)}\n" if why else ""


def _line(command: Argv) -> str:
    line = " ".join(_word(word) for word in command.words)
    return line if command.stdin is None else f"printf %s {_word(command.stdin)} | {line}"


def _word(word: str | JsonArgument) -> str:
    if isinstance(word, JsonArgument):
        return shlex.quote(json.dumps(word.content, ensure_ascii=True, separators=(",", ":")))
    if word.isprintable():
        return shlex.quote(word)
    return _ansi_quoted(word)


def _ansi_quoted(word: str) -> str:
    """Quote a word that holds control characters, so that none of them reaches the terminal that shows the text.

    https://www.gnu.org/software/bash/manual/html_node/ANSI_002dC-Quoting.html
    """
    special = {"\\": "\\\\", "'": "\\'"}
    quoted = "".join(special.get(char, char) if char.isprintable() else _bytes(char) for char in word)
    return f"$'{quoted}'"


def _bytes(char: str) -> str:
    """Escape a character; above ASCII as its UTF-8 bytes, in octal, which cannot swallow the digit that follows."""
    if char.isascii():
        return escape(char) if char in "\n\r\t" else f"\\{ord(char):03o}"
    return "".join(f"\\{byte:03o}" for byte in char.encode("utf-8", "surrogatepass"))
