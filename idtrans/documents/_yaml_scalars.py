"""What an unquoted YAML word means.

YAML 1.1, which CloudFormation, gcloud and kubectl read, and YAML 1.2 differ on words such as `0123`, `1_000` and
`22:22`. Where they differ and a value would lose digits, the text is kept: an account id that begins with 0 is an id.
Dates are text, as in JSON.
"""

from __future__ import annotations

import math
import re

from idtrans.model.documents import Json

_MAX_DIGITS = 1000
_CONSTANTS: dict[str, Json] = {"": None, "~": None}
_CONSTANTS |= dict.fromkeys(("null", "Null", "NULL"))
_CONSTANTS |= {spelling: True for word in ("true", "yes", "on") for spelling in (word, word.title(), word.upper())}
_CONSTANTS |= {spelling: False for word in ("false", "no", "off") for spelling in (word, word.title(), word.upper())}
_WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\Z")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+\Z")
_REAL = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\.[0-9]*(?:[eE][-+][0-9]+)?\Z")


def plain_value(word: str) -> Json:
    """Return the value of an unquoted word: a constant, a number, or else its text."""
    if word in _CONSTANTS:
        return _CONSTANTS[word]
    if len(word) > _MAX_DIGITS or not word.isascii():
        return word
    if _WHOLE.match(word):
        return int(word)
    if _HEXADECIMAL.match(word):
        return int(word, 16)
    if _REAL.match(word):
        number = float(word)
        return number if math.isfinite(number) else word
    return word
