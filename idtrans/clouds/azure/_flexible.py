"""The expressions of flexible federated credentials: `claims['sub'] matches 'repo:o@1/r@2:*' and ...`.

The operators are `eq`, `matches` with `*` and `?`, and `and`; there is no `or` and no `not`.
https://learn.microsoft.com/entra/workload-id/workload-identities-flexible-federated-identity-credentials
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from idtrans.algebra import Quantifier, Test, all_of, exact, glob

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.algebra import Condition

LIMIT: Final = 4_000
"""Longest expression that is read."""

_TERM = re.compile(r"\s*claims\['(?P<claim>[A-Za-z0-9_.:/-]+)'\]\s+(?P<operator>[A-Za-z]+)\s+'(?P<value>[^'\\]*)'\s*")
_AND = re.compile(r"and(?=\s)")


class UnreadableExpressionError(Exception):
    """The expression is not in the language. Never leaves the adapter."""


def parse(expression: str) -> Condition:
    """Return an expression as a condition over claims.

    Raises:
        UnreadableExpressionError: it is not understood.
    """
    return all_of(*(_test(*term) for term in _terms(expression)))


def claims_of(expression: str) -> frozenset[str]:
    """Return the claims that an expression tests. Raises `UnreadableExpressionError` like `parse`."""
    return frozenset(claim for claim, _, _ in _terms(expression))


def _terms(expression: str) -> Iterator[tuple[str, str, str]]:
    if len(expression) > LIMIT:
        raise UnreadableExpressionError("it is too long")
    position = 0
    while True:
        term = _TERM.match(expression, position)
        if term is None or term["operator"] not in {"eq", "matches"}:
            raise UnreadableExpressionError(f"`{expression[position : position + 40].strip()}` is no comparison")
        yield term["claim"], term["operator"], term["value"]
        if term.end() == len(expression):
            return
        joined = _AND.match(expression, term.end())
        if joined is None:
            raise UnreadableExpressionError(f"`and` was expected at character {term.end() + 1}")
        position = joined.end()


def _test(claim: str, operator: str, value: str) -> Test:
    quantifier = Quantifier.ANY if claim == "aud" else Quantifier.ONE
    return Test(claim, quantifier, exact(value) if operator == "eq" else glob(value))
