"""What was not understood about a principal: the reasons behind every UNKNOWN in its access."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.algebra import opaques
from idtrans.clouds.azure._compile import Held, held, parts, problems, scopes_of
from idtrans.clouds.azure._conditions import lower
from idtrans.clouds.azure._denies import doubts as denied
from idtrans.clouds.azure._denies import is_deny
from idtrans.clouds.azure._index import Index, index_of
from idtrans.clouds.azure._names import NAME
from idtrans.model.documents import Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.model.estate import Estate


def doubts(principal: str, estate: Estate) -> tuple[Unsupported, ...]:
    """Return what was not understood and could change the access of a principal."""
    index = index_of(estate)
    items = list(held(principal, index))
    roles = {item.binding.role for item in items}
    scopes = [item.binding.scope for item in items]
    found = [
        problem
        for problem in problems(estate)
        if problem.subject in {None, principal, *roles} or (is_deny(problem) and scopes)
    ]
    for item in items:
        found += _doubts_of(principal, item, index)
    if items:
        found += denied(principal, estate)
    return tuple(dict.fromkeys(found))


def _doubts_of(principal: str, item: Held, index: Index) -> Iterator[Unsupported]:
    """Yield a remark for everything opaque in one assignment."""
    binding = item.binding
    for reason in binding.doubts:
        yield Unsupported(reason, binding.source, NAME, principal)
    role = index.role(binding)
    if role is None:
        name = binding.role_name or binding.role
        yield Unsupported(f"the definition of role `{name}` is not known", binding.source, NAME, principal)
    elif not role.complete:
        yield Unsupported(f"role `{role.name}` is not known in full", binding.source, NAME, principal)
    conditions = [item.membership, lower(binding.condition, binding.condition_version)]
    conditions += [part.condition for part in parts(role)] if role is not None else []
    conditions += [placed for _, placed in scopes_of(binding, index)]
    for symbol in dict.fromkeys(symbol for condition in conditions for symbol in opaques(condition)):
        # Symbols that the adapter names itself quote ids; those that are a condition's own text are quoted whole.
        text = symbol.text if "`" in symbol.text else f"`{symbol.text}`"
        yield Unsupported(f"{text}: {symbol.reason}", binding.source, NAME, principal)
