"""Known actions and what they act on, for witnesses that look like requests."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final

from idtrans.algebra import Language, arn_glob, exact, union
from idtrans.catalog import aws_action, aws_service_actions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.clouds.aws._index import Index

_ALWAYS: Final = ("s3", "sts", "iam")
"""Services that stand for all others where a policy names none."""


def known_actions(index: Index) -> tuple[str, ...]:
    """Return the known actions of the services that the policies of an estate name, sorted by lower case."""
    return _actions_of(frozenset(_ALWAYS).union(_services(index)))


@lru_cache(maxsize=256)
def _actions_of(services: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(chain.from_iterable(map(aws_service_actions, services)), key=str.lower))


def _services(index: Index) -> Iterable[str]:
    for policies in index.layers.values():
        for policy in policies:
            for statement in policy.statements:
                for action in (*(statement.actions or ()), *(statement.not_actions or ())):
                    yield action.partition(":")[0].lower()


@lru_cache(maxsize=4096)
def resource_hint(action: str) -> Language | None:
    """Return the resources that an action can be about, `None` for an action that is not known."""
    known = aws_action(action)
    if known is None:
        return None
    if not known.resources:
        return exact("*")
    return union(arn_glob(pattern.replace("arn:*:", "arn:aws:", 1)) for pattern in known.resources)
