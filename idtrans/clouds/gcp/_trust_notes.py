"""What is remarkable about the condition and the mapping of a provider, and subjects that are too long for a pool."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from idtrans.algebra import Both, Condition, Either, Language, Test, all_of, any_of, leaves, one_of
from idtrans.catalog import issuer_of
from idtrans.clouds.gcp._cel import Call, CelError, Expression, ListOf, Literal, Operation, Path, parse_cel
from idtrans.clouds.gcp._conditions import NUMERIC_CLAIMS
from idtrans.model.entities import IdentityProvider
from idtrans.ports import Note

MAX_SUBJECT: Final = 127
"""Most bytes that `google.subject` may have; a longer one is refused."""
_CLAIM_PATH: Final = 2
_START: Final = re.compile(r"""\s*(?P<quote>['"])(?P<text>[^'"\\]+)(?P=quote)\s*\+""")
"""A mapping that puts a text of its own before the subject."""


def condition_notes(provider: IdentityProvider) -> Iterator[Note]:
    """Yield what is remarkable about a provider's condition: comparisons that never hold, attributes nobody maps."""
    if provider.condition is None:
        return
    try:
        expression = parse_cel(provider.condition)
    except CelError:
        return
    for node in _nodes(expression):
        if isinstance(node, Operation) and node.operator in {"==", "!=", "in"} and _mixes_types(node):
            yield Note("TYPE_MISMATCH", f"`{node.text}` compares a text with a number, and claims are texts")
        elif isinstance(node, Path) and _is_unmapped(node, provider.mapping):
            yield Note("UNMAPPED_ATTRIBUTE", f"the provider `{provider.id}` does not map `{'.'.join(node.names)}`")


def _nodes(expression: Expression) -> Iterator[Expression]:
    queue: list[Expression] = [expression]
    for node in queue:
        yield node
        match node:
            case Operation(operands=inner) | ListOf(items=inner):
                queue += inner
            case Call(target=target, arguments=arguments):
                queue += (target, *arguments) if target is not None else arguments
            case _:
                pass


def _mixes_types(node: Operation) -> bool:
    literals: list[Expression] = []
    paths: list[Path] = []
    for operand in node.operands:
        literals += operand.items if isinstance(operand, ListOf) else (operand,)
        paths += (operand,) if isinstance(operand, Path) else ()
    numbers = [each for each in literals if isinstance(each, Literal) and type(each.value) in {int, float}]
    return bool(numbers) and any(each.names[-1] not in NUMERIC_CLAIMS for each in paths)


def _is_unmapped(path: Path, mapping: Mapping[str, str]) -> bool:
    if len(path.names) != _CLAIM_PATH or path.names[0] not in {"attribute", "google"}:
        return False
    return ".".join(path.names) not in mapping


def same_subjects(one: IdentityProvider, other: IdentityProvider) -> bool:
    """Tell whether two providers of a pool can vouch for the same subject, each for an issuer of its own.

    Identities of a pool are told apart by their subject alone. Issuers of different known kinds write subjects that
    differ, and a mapping can put a text before them.
    https://cloud.google.com/iam/docs/best-practices-for-using-workload-identity-federation
    """
    if one.issuer is None or other.issuer is None or one.issuer == other.issuer:
        return False
    kinds = [issuer_of(each).issuer for each in (one.issuer, other.issuer)]
    if all(kind.certain for kind in kinds) and kinds[0].kind != kinds[1].kind:
        return False
    first, second = _start(one), _start(other)
    return first.startswith(second) or second.startswith(first) if first and second else first == second


def _start(provider: IdentityProvider) -> str:
    found = _START.match(provider.mapping.get("google.subject", ""))
    return found["text"] if found is not None else ""


def long_subjects(condition: Condition, claim: str) -> tuple[str, ...]:
    """Return the values that a condition lists for the claim behind `google.subject` and that no pool takes."""
    found: dict[str, None] = {}
    for leaf in leaves(condition):
        if isinstance(leaf, Test) and leaf.key == claim:
            found.update(dict.fromkeys(text for text in sorted(_words(leaf)) if _is_long(text)))
    return tuple(found)


def fitting(condition: Condition, claim: str) -> Condition:
    """Return a condition without the listed values that are too long. What is negated stays as it is."""
    match condition:
        case Both(parts):
            return all_of(*(fitting(part, claim) for part in parts))
        case Either(parts):
            return any_of(*(fitting(part, claim) for part in parts))
        case Test() if condition.key == claim and any(map(_is_long, _words(condition))):
            return replace(condition, values=one_of(text for text in _words(condition) if not _is_long(text)))
        case _:
            return condition


def _words(test: Test) -> frozenset[str]:
    words = test.values.members() if isinstance(test.values, Language) else None
    return frozenset(words or ())


def _is_long(text: str) -> bool:
    return len(text.encode()) > MAX_SUBJECT
