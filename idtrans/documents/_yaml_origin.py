"""Lines of values in YAML text, found by reading it once more when somebody asks."""

from __future__ import annotations

from idtrans.documents._json_origin import LineIndex
from idtrans.documents._limits import Limits
from idtrans.documents._yaml_text import YamlValues, parse_yaml


class YamlOrigin:
    """Origin over YAML text that was decoded before.

    A value that an alias or a merge brought in stands on the line of the alias or of the merging mapping.
    """

    __slots__ = ("_limits", "_lines", "_text", "_values", "path")

    def __init__(self, path: str, text: str, limits: Limits) -> None:
        """Keep the text; nothing is read before the first question."""
        self.path = path
        self._text = text
        self._limits = limits
        self._values: YamlValues | None = None
        self._lines: LineIndex | None = None

    def __getstate__(self) -> tuple[str, str, Limits]:
        """Leave what can be found again behind."""
        return self.path, self._text, self._limits

    def __setstate__(self, state: tuple[str, str, Limits]) -> None:
        """Start again with nothing remembered."""
        self.path, self._text, self._limits = state
        self._values = None
        self._lines = None

    def line(self, pointer: str) -> int | None:
        """Return the one-based line on which the value at a pointer begins, `None` when there is no such value."""
        if self._values is None or self._lines is None:
            self._values = parse_yaml(self._text, self._limits)
            self._lines = LineIndex(self._text)
        if len(self._values.values) == 1:
            pointer = "/0" + pointer
        index = self._mark(pointer or "/0", self._values)
        return None if index is None else self._lines.line(index)

    @staticmethod
    def _mark(pointer: str, values: YamlValues) -> int | None:
        exact = values.marks.get(pointer)
        while exact is None and pointer:
            pointer = pointer.rpartition("/")[0]
            if pointer in values.marks:
                return values.marks[pointer] if pointer in values.shared else None
        return exact
