"""Role assignment conditions (Azure ABAC), lowered to conditions of the algebra.

A condition limits only the actions that it names: `!(ActionMatches{'..'}) OR (...)` holds for every other action by
the expression itself. Parts that are not understood become opaque, the rest keeps its meaning.
https://learn.microsoft.com/azure/role-based-access-control/conditions-format
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from idtrans.algebra import ACTION, ALWAYS, Condition, Has, Opaque, Quantifier, Test, all_of, any_of, negate
from idtrans.clouds.azure._comparisons import comparison
from idtrans.clouds.azure._condition_operators import key_of
from idtrans.clouds.azure._condition_tokens import Kind, Token, UnreadableError, tokens
from idtrans.clouds.azure._operations import both_planes

if TYPE_CHECKING:
    from collections.abc import Callable

SUBOPERATION: Final = "@request[suboperation]"
"""Key of the sub-operation of a request, such as `Blob.List`."""

_DEPTH = 40
_VERSIONS = (None, "2.0")


@lru_cache(maxsize=4096)
def lower(text: str | None, version: str | None = None) -> Condition:
    """Return a condition as the algebra says it: ALWAYS for none, an opaque symbol for one that cannot be read."""
    if text is None or not text.strip():
        return ALWAYS
    if version not in _VERSIONS:
        return Opaque(text, f"condition version `{version}` is not known")
    try:
        return _Parser(text).whole()
    except UnreadableError as error:
        return Opaque(text, f"the condition is not understood: {error}")


class _Parser:
    """Recursive descent over the tokens of one condition."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = tokens(text)
        self._next = 0
        self._depth = 0

    def whole(self) -> Condition:
        """Read the whole text."""
        found = self._junction()
        self._expect(Kind.END, "")
        return found

    @property
    def _token(self) -> Token:
        return self._tokens[self._next]

    def _take(self) -> Token:
        token = self._token
        self._next += 1
        return token

    def _sees(self, *texts: str) -> bool:
        return self._token.kind is Kind.SIGN and self._token.text in texts

    def _expect(self, kind: Kind, text: str | None) -> Token:
        token = self._token
        if token.kind is not kind or (text is not None and token.text != text):
            raise UnreadableError(f"`{text or kind}` was expected at character {token.start + 1}")
        return self._take() if kind is not Kind.END else token

    def _junction(self) -> Condition:
        """Read parts joined by AND or by OR. Both without parentheses is ambiguous: Azure's own tools warn of it."""
        self._depth += 1
        if self._depth > _DEPTH:
            raise UnreadableError("it is nested too deeply")
        parts, joiners = [self._unary()], set[str]()
        while self._sees("and", "or"):
            joiners.add(self._take().text)
            parts.append(self._unary())
        self._depth -= 1
        if len(joiners) > 1:
            raise UnreadableError("AND and OR stand side by side without parentheses")
        return any_of(*parts) if "or" in joiners else all_of(*parts)

    def _unary(self) -> Condition:
        negated = False
        while self._sees("not"):
            self._take()
            negated = not negated
        found = self._primary()
        return negate(found) if negated else found

    def _primary(self) -> Condition:
        if self._sees("("):
            self._take()
            found = self._junction()
            self._expect(Kind.SIGN, ")")
            return found
        token = self._token
        special = _FUNCTIONS.get(token.text) if token.kind is Kind.WORD else None
        if special is not None:
            self._take()
            return special(self)
        return self._comparison()

    def _comparison(self) -> Condition:
        start = self._token.start
        left = self._operand()
        operator = self._expect(Kind.WORD, None).text
        right = self._operand()
        written = self._text[start : self._tokens[self._next - 1].end]
        return comparison(left, operator, right, written=written)

    def _operand(self) -> tuple[Token, ...]:
        """Read an attribute, a literal, or a set of literals; `true` and `false` are literals."""
        if self._sees("{"):
            return self._set()
        token = self._take()
        if token.kind is Kind.WORD and token.text in {"true", "false"}:
            return (token,)
        if token.kind not in {Kind.ATTRIBUTE, Kind.TEXT}:
            raise UnreadableError(f"an attribute or a value was expected at character {token.start + 1}")
        return (token,)

    def _set(self) -> tuple[Token, ...]:
        self._expect(Kind.SIGN, "{")
        members = [self._member()]
        while self._sees(","):
            self._take()
            members.append(self._member())
        self._expect(Kind.SIGN, "}")
        return tuple(members)

    def _member(self) -> Token:
        token = self._take()
        if token.kind is not Kind.TEXT and token.text not in {"true", "false"}:
            raise UnreadableError(f"a value was expected at character {token.start + 1}")
        return token

    def action_matches(self) -> Condition:
        """Read `{'..'}` after `ActionMatches`."""
        return Test(ACTION, Quantifier.ONE, both_planes([token.text for token in self._set()]), label="action")

    def sub_operation_matches(self) -> Condition:
        """Read `{'..'}` after `SubOperationMatches`. A request without a sub-operation matches none."""
        names = "SubOperationMatches"
        members = self._set()
        first = members[0]
        attribute = Token(Kind.ATTRIBUTE, "@Request[subOperation]", first.start, first.end)
        written = f"{names}{{{', '.join(token.text for token in members)}}}"
        return comparison((attribute,), "foranyofanyvalues:stringlikeignorecase", members, written=written)

    def exists(self) -> Condition:
        """Read the attribute after `Exists`."""
        token = self._expect(Kind.ATTRIBUTE, None)
        return Has(key_of(token.text), token.text)


_FUNCTIONS: dict[str, Callable[[_Parser], Condition]] = {
    "actionmatches": _Parser.action_matches,
    "suboperationmatches": _Parser.sub_operation_matches,
    "exists": _Parser.exists,
}
