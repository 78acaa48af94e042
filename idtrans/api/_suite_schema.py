"""The schema of policy unit tests. Imported only when there are some: it loads pydantic."""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from idtrans.model.documents import Hints
from idtrans.model.suites import Expectation
from idtrans.model.values import Layer

Single = str | int | float | bool
"""One value of a context key or of a fact; policies compare texts."""

_LEVELLED = frozenset({Layer.SCP, Layer.RCP})


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True)


class DocumentEntry(_Entry):
    """One native document, and what it is attached to."""

    path: str | None = Field(default=None, min_length=1)
    """File or folder, relative to the test file."""
    inline: Any = None
    """The document itself, as an object or as its text; null is a document that does not exist."""
    kind: str | None = None
    cloud: str | None = None
    layer: Layer | None = None
    level: str | None = None
    """Level of the organisation that an SCP or RCP is attached to; each level must allow."""
    principal: str | None = None
    resource: str | None = None
    scope: str | None = None
    account: str | None = None
    ancestors: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if (self.path is None) == ("inline" not in self.model_fields_set):
            raise ValueError("a document is given either by `path` or `inline`")
        if self.level is not None and self.layer not in _LEVELLED:
            raise ValueError("only a document of the layer `scp` or `rcp` has a `level`")
        return self

    def hints(self) -> Hints:
        """Return what the entry says about its document. An organisation policy hangs at its level.

        The level called `account` is that of the account that the entry names.
        """
        values = self.model_dump(exclude={"path", "inline", "level"})
        if self.level is not None and self.scope is None:
            values["scope"] = self.account if self.level == "account" and self.account is not None else self.level
        return Hints(**values)


class CaseEntry(_Entry):
    """One question with its answer: about a request, or about a token at the door of a target."""

    name: str | None = None
    expect: Expectation
    principal: str | None = None
    action: str | None = None
    resource: str | None = None
    context: dict[str, Single | list[Single] | None] = {}
    plane: str | None = None
    resource_account: str | None = None
    management_account: bool | str | None = None
    service_linked_role: bool | None = None
    organization: bool | str | None = None
    session: str | None = None
    anonymous: bool = False
    service: str | None = None
    target: str | None = None
    claims: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.target is None and self.claims is None:
            self._check_request()
        elif self.target is None or self.claims is None:
            raise ValueError("a token case has `target` and `claims`")
        elif others := sorted(self.model_fields_set - {"name", "expect", "target", "claims"}):
            raise ValueError(f"a token case has no `{others[0]}`")
        return self

    def _check_request(self) -> None:
        if self.action is None or self.resource is None:
            missing = "action" if self.action is None else "resource"
            raise ValueError(
                f"a case has an `action` and a `resource`, or `target` and `claims`; `{missing}` is missing"
            )
        ways = {f"service:{self.service}"} if self.service is not None else set()
        ways |= {"anonymous"} if self.anonymous else set()
        if self.principal is not None and self.principal not in self._same():
            ways.add(self.principal)
        if len(ways) != 1:
            raise ValueError("a case says once who asks: `principal`, `service` or `anonymous: true`")

    def _same(self) -> set[str]:
        """Return the spellings of `principal` that repeat what `service` or `anonymous` say."""
        repeated = {"*", "anonymous"} if self.anonymous else set()
        return repeated | ({self.service, f"service:{self.service}"} if self.service is not None else set())

    def caller(self) -> str:
        """Return who asks."""
        if self.service is not None:
            return f"service:{self.service}"
        return "anonymous" if self.anonymous else self.principal or ""

    def facts(self) -> dict[str, str | bool]:
        """Return what is known of the request beside its keys."""
        named = ("resource_account", "management_account", "service_linked_role", "organization", "session")
        return {name: value for name in named if (value := getattr(self, name)) is not None}

    def keys(self) -> dict[str, tuple[str, ...]]:
        """Return the context; a key without values is absent."""
        return {key: _texts(value) for key, value in self.context.items()}


class SuiteEntry(_Entry):
    """Documents, and cases about them."""

    documents: tuple[DocumentEntry, ...] = ()
    cases: tuple[CaseEntry, ...] = Field(min_length=1)


def _texts(value: Single | list[Single] | None) -> tuple[str, ...]:
    if value is None:
        return ()
    return tuple(map(_text, value)) if isinstance(value, list) else (_text(value),)


def _text(value: Single) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
