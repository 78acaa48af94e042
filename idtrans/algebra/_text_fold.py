"""Case folding that keeps the length of a text, one character for one character.

Full Unicode case folding turns one character into several (`ß` into `ss`), so that `?` and the automata would disagree
with it. Here a character folds to its lower-case form when that form is one character and both or neither of the two
are ASCII: `Ä` equals `ä`, while the Kelvin sign never equals `k`. This is how ordinal comparison without case works in
.NET, which Azure uses; AWS documents no more than "ignoring case".
"""

from __future__ import annotations

from functools import cache, lru_cache

_LAST_CASED_PLANE = 0x20000
"""No character from here on has a lower-case form other than itself."""


@lru_cache(maxsize=4096)
def fold_char(char: str) -> str:
    """Return the folded form of one character."""
    lower = char.lower()
    return lower if len(lower) == 1 and lower.isascii() == char.isascii() else char


def fold_text(text: str) -> str:
    """Return the folded form of a text; it has the same length and folding it again changes nothing."""
    return text.lower() if text.isascii() else "".join(map(fold_char, text))


def spellings(folded: str) -> tuple[str, ...]:
    """Return every character that folds to this folded character, itself first."""
    if folded.isascii():
        return (folded, folded.upper()) if folded.islower() else (folded,)
    return _other_spellings().get(folded, (folded,))


def has_case(text: str) -> bool:
    """Tell whether some character of the text has another spelling."""
    return any(len(spellings(fold_char(char))) > 1 for char in set(text))


@cache
def _other_spellings() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for char in map(chr, range(0x80, _LAST_CASED_PLANE)):
        folded = fold_char.__wrapped__(char)
        if folded != char:
            found[folded] = (*found.get(folded, (folded,)), char)
    return found
