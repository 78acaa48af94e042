"""What holds whatever policies say: what AWS lets everybody do, and what it keeps to itself."""

from __future__ import annotations

from functools import cache
from typing import Final

from idtrans.algebra import ANY_TEXT, Access, AllOf, AnyOf, Box, Gate, Language, arn_glob, union
from idtrans.catalog import service_facts
from idtrans.clouds.aws._compile import actions_language
from idtrans.model.values import Effect

_LAYER: Final = "service"
_CLOUD: Final = "aws"


def beyond_policies(access: Access) -> Access:
    """Return what an identity of an account may do in the end, by what its policies and those around them say."""
    return AnyOf((AllOf((access, *_gates())), *_gifts()))


@cache
def _gifts() -> tuple[Box, ...]:
    return tuple(
        Box(
            Effect.ALLOW,
            _LAYER,
            ANY_TEXT,
            actions_language(fact.actions),
            _resources(fact.resources),
            name=fact.name,
            source=fact.source,
        )
        for fact in service_facts(_CLOUD).always
    )


@cache
def _gates() -> tuple[Gate, ...]:
    found = []
    for fact in service_facts(_CLOUD).never:
        other_actions = Box(Effect.ALLOW, _LAYER, ANY_TEXT, ~actions_language(fact.actions), ANY_TEXT)
        other_resources = Box(Effect.ALLOW, _LAYER, ANY_TEXT, ANY_TEXT, ~_resources(fact.resources))
        found.append(Gate(fact.name, _LAYER, AnyOf((other_actions, other_resources)), fact.source))
    return tuple(found)


def _resources(patterns: tuple[str, ...]) -> Language:
    return union(map(arn_glob, patterns)) if patterns else ANY_TEXT
