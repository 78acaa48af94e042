"""Texts with `{field}` in them. Nothing but names of fields can stand between the braces."""

from __future__ import annotations

import re
from dataclasses import dataclass

from idtrans.audit._fields import shown, value_of
from idtrans.model.facts import Fact

_PART = re.compile(r"\{([a-z_]{1,64})\}|[{}]")


@dataclass(frozen=True, slots=True)
class Template:
    """A text that names fields of a fact."""

    text: str

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the fields, in order.

        Raises:
            ValueError: a brace stands for anything but a field's name; the text is fit for people.
        """
        names = []
        for part in _PART.finditer(self.text):
            if part[1] is None:
                raise ValueError("a brace can only stand around the name of a field, such as `{subject}`")
            names.append(part[1])
        return tuple(names)

    def render(self, fact: Fact) -> str:
        """Return the text with the values of a fact, which are put in as they are and never read again."""
        return _PART.sub(lambda part: shown(value_of(fact, part[1])), self.text)
