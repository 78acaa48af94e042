"""Known actions and what they act on, for witnesses that look like requests."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final

from idtrans.algebra import Language, arn_glob, exact, glob, union
from idtrans.catalog import action_remark, aws_action, aws_actions, aws_service_actions

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


def unlisted(actions: Iterable[str]) -> tuple[str, ...]:
    """Return in words which actions and patterns are written and name nothing that the catalogue lists."""
    return tuple(remark for action in actions if (remark := _remark(action)) is not None)


def _remark(action: str) -> str | None:
    if not any(mark in action for mark in "*?"):
        return action_remark(action)
    matches = glob(action, fold=True).matches
    service = action.partition(":")[0].lower()
    anywhere = any(mark in service for mark in "*?")
    names = aws_actions() if anywhere else aws_service_actions(service)
    return None if any(map(matches, names)) else f"`{action}` fits no action that the catalogue lists"


@lru_cache(maxsize=4096)
def resource_hint(action: str) -> Language | None:
    """Return the resources that an action can be about, `None` for an action that is not known."""
    known = aws_action(action)
    if known is None:
        return None
    if not known.resources:
        return exact("*")
    return union(arn_glob(pattern.replace("arn:*:", "arn:aws:", 1)) for pattern in known.resources)
