"""What the parsers of one document share: decoded texts, doubled keys, accounts already named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from idtrans.clouds.aws._arns import account_of, is_account
from idtrans.clouds.aws._embedded import Carried, TextSource, read_text
from idtrans.model.documents import Document, Hints, Json, Unsupported
from idtrans.model.entities import Container, Entity
from idtrans.model.spans import Source

CLOUD: Final = "aws"
"""Name that entities of this reader carry."""

Parsed = Iterator[Entity | Unsupported]
"""What every parser yields."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A policy document that a value is, or carries as text."""

    content: Json
    source: Source
    fault: str | None = None
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Parsing:
    """One document while it is parsed."""

    document: Document
    _texts: dict[str, Carried] = field(default_factory=dict)
    _accounts: set[str] = field(default_factory=set)

    @property
    def hints(self) -> Hints:
        """What the user says about the document."""
        return self.document.hints

    def opened(self, value: Json, source: Source) -> Opened:
        """Return the policy document that a value holds. Equal texts are decoded once."""
        if not isinstance(value, str):
            return Opened(value, source)
        found = self._texts.get(value)
        if found is None:
            found = self._texts[value] = read_text(value)
        return Opened(found.content, TextSource(source.origin, source.pointer), found.fault, found.doubts)

    def oddities(self, source: Source) -> tuple[str, ...]:
        """Return what decoding found odd at or below a place, such as keys that are written twice."""
        return self._oddities.get(source.pointer, ())

    @cached_property
    def _oddities(self) -> Mapping[str, tuple[str, ...]]:
        """Reasons by the pointer of the odd value and of everything above it."""
        found: dict[str, dict[str, None]] = {}
        for problem in self.document.problems:
            pointer = problem.source.pointer
            while True:
                found.setdefault(pointer, {})[problem.reason] = None
                if not pointer:
                    break
                pointer = pointer.rpartition("/")[0]
        return {pointer: tuple(reasons) for pointer, reasons in found.items()}

    def account(
        self, text: str | None, source: Source, attributes: Mapping[str, str] | None = None
    ) -> Iterator[Container]:
        """Yield the account of an ARN, or an account id, the first time that it is met."""
        account = account_id(text)
        if account is not None and account not in self._accounts:
            self._accounts.add(account)
            yield Container(CLOUD, account, "account", source, attributes=attributes or {})

    def hinted_account(self) -> Iterator[Container]:
        """Yield the account that the user named."""
        return self.account(self.hints.account, self.document.source)


def account_id(text: str | None) -> str | None:
    """Return an account id, or the one in the fifth field of an ARN; `None` for any other text."""
    if text is None:
        return None
    return text if is_account(text) else account_of(text)


def unsupported(reason: str, source: Source, subject: str | None = None) -> Unsupported:
    """Return a note on something that was not understood."""
    return Unsupported(reason, source, CLOUD, subject)
