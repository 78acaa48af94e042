"""Text that came from outside, made harmless for terminals and logs."""

from __future__ import annotations

from typing import Final

_SHORT: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_BYTE: Final = 0xFF
_BASIC_PLANE: Final = 0xFFFF


def safe(text: str) -> str:
    r"""Return one line without control characters, terminal escapes, direction marks or lone surrogates.

    What a terminal would act on is written as an escape such as `\x1b`; every printable character stays as it is.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else escape(char) for char in text)


def escape(char: str) -> str:
    """Return one character as a backslash escape."""
    short = _SHORT.get(char)
    if short is not None:
        return short
    code = ord(char)
    if code <= _BYTE:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= _BASIC_PLANE else f"\\U{code:08x}"
