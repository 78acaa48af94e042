"""The text of policies: blocks of paths in HCL, or the same in JSON.

https://developer.hashicorp.com/vault/docs/concepts/policies
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.model.documents import Json

LIMIT: Final = 200_000
"""Longest text that is read, in characters."""
_DEEPEST: Final = 20
_OLD: Final = {
    "deny": ("deny",),
    "read": ("read", "list"),
    "write": ("create", "read", "update", "delete", "list"),
    "sudo": ("create", "read", "update", "delete", "list", "sudo"),
}
"""What the words of the old `policy` spelling stand for."""
_TOKEN: Final = re.compile(
    r"""(?P<skip>\s+|\#[^\n]*|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)
      | (?P<text>"(?:[^"\\\n]|\\.)*")
      | (?P<word>[A-Za-z_][\w.-]*)
      | (?P<number>-?\d+(?:\.\d+)?)
      | (?P<mark>[{}\[\]=:,])""",
    re.VERBOSE,
)


class PolicyTextError(Exception):
    """The text is no policy. Never leaves this folder."""

    def __init__(self, reason: str, line: int = 0) -> None:
        """Keep the reason, and the line on which it goes wrong, counted from 0."""
        super().__init__(reason)
        self.line = line


@dataclass(frozen=True, slots=True)
class PathRule:
    """What a policy says of one path."""

    path: str
    capabilities: tuple[str, ...]
    limits: tuple[str, ...] = ()
    """Fields beside the capabilities that narrow them, such as `allowed_parameters`."""
    line: int = field(default=0, compare=False)
    """Line on which it stands in HCL, counted from 0."""


def read_policy(text: str) -> tuple[PathRule, ...]:
    """Return the rules of a policy, in order; the same path may stand more than once.

    Raises:
        PolicyTextError: it is not understood.
    """
    if len(text) > LIMIT:
        raise PolicyTextError(f"it is longer than {LIMIT} characters")
    if text.lstrip().startswith("{"):
        return tuple(_rule(path, body, 0) for path, body in _json_blocks(text))
    reader = _Hcl(text)
    try:
        return tuple(_rule(*block) for block in reader.blocks())
    except PolicyTextError as error:
        raise PolicyTextError(str(error), error.line or reader.line) from error


def _json_blocks(text: str) -> Iterator[tuple[str, Json]]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PolicyTextError("it is no JSON") from error
    paths = content.get("path") if isinstance(content, dict) else None
    groups = paths if isinstance(paths, list) else [paths]
    for group in groups:
        if not isinstance(group, dict):
            raise PolicyTextError("`path` is no object")
        yield from group.items()


def _rule(path: str, body: Json, line: int) -> PathRule:
    bodies = body if isinstance(body, list) else [body]
    capabilities: dict[str, None] = {}
    limits: list[str] = []
    for each in bodies:
        if not isinstance(each, dict):
            raise PolicyTextError(f"the block of `{path}` is no object")
        capabilities.update(dict.fromkeys(_capabilities(path, each)))
        limits += [name for name in each if name not in {"capabilities", "policy", "comment"}]
    return PathRule(path, tuple(capabilities), tuple(limits), line)


def _capabilities(path: str, body: dict[str, Json]) -> tuple[str, ...]:
    if "capabilities" in body:
        given = body["capabilities"]
        if not isinstance(given, list) or not all(isinstance(item, str) for item in given):
            raise PolicyTextError(f"the capabilities of `{path}` are no list of texts")
        return tuple(given)
    word = body.get("policy")
    if word is None:
        return ()
    if not isinstance(word, str) or word not in _OLD:
        raise PolicyTextError(f"`{word}` of `{path}` is none of {', '.join(_OLD)}")
    return _OLD[word]


class _Hcl:
    """A reader of the part of HCL that policies are written in."""

    def __init__(self, text: str) -> None:
        found = list(_tokens(text))
        self._tokens = [token for token, _ in found]
        self._lines = [line for _, line in found]
        self._at = 0

    @property
    def line(self) -> int:
        """Line of what was read last, counted from 0."""
        return self._lines[max(self._at - 1, 0)] if self._lines else 0

    def blocks(self) -> Iterator[tuple[str, Json, int]]:
        while self._at < len(self._tokens):
            name = self._next()
            line = self.line
            if name == "path":
                path = self._value(0)
                if not isinstance(path, str):
                    raise PolicyTextError("a path is no text")
                yield path, self._body("}", 0), line
            elif self._peek() == "=":
                self._value(0)
            else:
                raise PolicyTextError(f"`{name}` is not expected where a `path` begins")

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _next(self) -> str:
        if self._at >= len(self._tokens):
            raise PolicyTextError("it ends too soon")
        self._at += 1
        return self._tokens[self._at - 1]

    def _body(self, end: str, depth: int) -> dict[str, Json]:
        if self._next() != "{":
            raise PolicyTextError("a block does not begin with `{`")
        found: dict[str, Json] = {}
        while self._peek() != end:
            key = self._next()
            key = json.loads(key) if key.startswith('"') else key
            found[key] = self._value(depth + 1)
            if self._peek() == ",":
                self._next()
        self._next()
        return found

    def _value(self, depth: int) -> Json:
        if depth > _DEEPEST:
            raise PolicyTextError("it is nested too deeply")
        while self._peek() in {"=", ":"}:
            self._next()
        if self._peek() == "{":
            return self._body("}", depth)
        word = self._next()
        if word == "[":
            return self._list(depth)
        if word in {"}", "]", ","}:
            raise PolicyTextError(f"`{word}` stands where a value is expected")
        return _scalar(word)

    def _list(self, depth: int) -> list[Json]:
        found: list[Json] = []
        while self._peek() != "]":
            found.append(self._value(depth + 1))
            if self._peek() == ",":
                self._next()
        self._next()
        return found


def _scalar(word: str) -> Json:
    try:
        return json.loads(word)
    except ValueError:
        return word


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """Yield each token with its line."""
    position = line = 0
    while position < len(text):
        found = _TOKEN.match(text, position)
        if found is None:
            raise PolicyTextError(f"`{text[position : position + 20]}` is not understood", line)
        position = found.end()
        if found.lastgroup != "skip":
            yield found[0], line
        line += found[0].count("\n")
