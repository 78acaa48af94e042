"""Regular expressions of `matches()` that are plain patterns in disguise: literals, `.*`, anchors, alternatives.

Everything else is left alone: the caller treats the whole test as not understood. In CEL `matches` looks for the
expression anywhere in the text unless it is anchored. A dot is taken for any character, a line break too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from idtrans.algebra import ONE_CHAR, STAR, Wildcard

Pattern = tuple[str | Wildcard, ...]
"""A text with wildcards, in pieces."""

_MAX_ALTERNATIVES: Final = 64
_MAX_DEPTH: Final = 20
_SPECIAL: Final = frozenset(r"\^$.|?*+()[]{}")


class _NotSimpleError(Exception):
    """The expression has something that a plain pattern cannot say."""


@dataclass(slots=True)
class _Branch:
    """One way through the expression."""

    parts: list[str | Wildcard] = field(default_factory=list)
    starts: bool = False
    """Whether it is tied to the start of the text."""
    ends: bool = False

    def then(self, other: _Branch) -> _Branch:
        """Return this branch followed by another."""
        if (self.ends and (other.parts or other.starts)) or (other.starts and (self.parts or self.starts)):
            raise _NotSimpleError
        return _Branch([*self.parts, *other.parts], self.starts or other.starts, self.ends or other.ends)


def patterns_of(expression: str) -> tuple[Pattern, ...] | None:
    """Return the patterns whose union a regular expression finds, `None` when it is not that simple."""
    try:
        branches = _Reader(expression).read()
    except _NotSimpleError:
        return None
    return tuple(_pattern(branch) for branch in branches)


def _pattern(branch: _Branch) -> Pattern:
    head = () if branch.starts else (STAR,)
    tail = () if branch.ends else (STAR,)
    return (*head, *branch.parts, *tail)


@dataclass(slots=True)
class _Reader:
    text: str
    position: int = 0

    def read(self) -> list[_Branch]:
        branches = self.alternatives(0)
        if self.position < len(self.text):
            raise _NotSimpleError
        return branches

    def alternatives(self, depth: int) -> list[_Branch]:
        if depth > _MAX_DEPTH:
            raise _NotSimpleError
        found = self.sequence(depth)
        while self.take("|"):
            found = _limited([*found, *self.sequence(depth)])
        return found

    def sequence(self, depth: int) -> list[_Branch]:
        found = [_Branch()]
        while self.position < len(self.text) and self.text[self.position] not in "|)":
            atoms = self.optional(self.atom(depth))
            found = _limited([before.then(after) for before in found for after in atoms])
        return found

    def optional(self, atoms: list[_Branch]) -> list[_Branch]:
        """Read a quantifier: only `?` is understood here, `.*` and `.+` were read with their dot."""
        if self.take("?"):
            return [_Branch(), *atoms]
        if self.position < len(self.text) and self.text[self.position] in "*+{":
            raise _NotSimpleError
        return atoms

    def atom(self, depth: int) -> list[_Branch]:
        char = self.text[self.position]
        self.position += 1
        if char == "(":
            return self.group(depth)
        if char == ".":
            return [_Branch(self.run())]
        if char in "^$":
            return [_Branch(starts=char == "^", ends=char == "$")]
        if char == "\\":
            return [_Branch([self.escaped()])]
        if char in _SPECIAL:
            raise _NotSimpleError
        return [_Branch([char])]

    def run(self) -> list[str | Wildcard]:
        """Read what follows a dot."""
        if self.take("*"):
            parts: list[str | Wildcard] = [STAR]
        elif self.take("+"):
            parts = [ONE_CHAR, STAR]
        else:
            return [ONE_CHAR]
        # A lazy run finds the same texts: only what a group would capture differs.
        self.take("?")
        return parts

    def group(self, depth: int) -> list[_Branch]:
        if self.take("?") and not self.take(":"):
            raise _NotSimpleError
        found = self.alternatives(depth + 1)
        if not self.take(")"):
            raise _NotSimpleError
        return found

    def escaped(self) -> str:
        char = self.text[self.position : self.position + 1]
        # A backslash before a letter or digit is a class or an anchor, never the letter.
        if not char or char.isalnum():
            raise _NotSimpleError
        self.position += 1
        return char

    def take(self, char: str) -> bool:
        if not self.text.startswith(char, self.position):
            return False
        self.position += 1
        return True


def _limited(branches: list[_Branch]) -> list[_Branch]:
    if len(branches) > _MAX_ALTERNATIVES:
        raise _NotSimpleError
    return branches
