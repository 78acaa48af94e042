"""What was met on the way through an expression, and the reasons that it gives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from idtrans.algebra._condition import NEVER, Both, Condition, Has, Test
from idtrans.algebra._condition_reduce import known_values, reduce
from idtrans.algebra._condition_words import describe, leaves, name_of
from idtrans.algebra._truth import Truth
from idtrans.model.decisions import Reason
from idtrans.model.values import Effect

if TYPE_CHECKING:
    from idtrans.algebra._access import Box, Gate
    from idtrans.model.decisions import Request


@dataclass(slots=True)
class Trace:
    """What was met on the way through an expression."""

    granted: list[Box] = field(default_factory=list)
    removed: list[Box] = field(default_factory=list)
    pending: list[tuple[Box, Condition]] = field(default_factory=list)
    missed: list[Box] = field(default_factory=list)
    shut: list[Gate] = field(default_factory=list)


def reasons_of(truth: Truth, request: Request, trace: Trace) -> tuple[Reason, ...]:
    """Return the statements that decided, or those that almost did."""
    if truth is Truth.TRUE:
        # A box without a name is one side of a gate, and says nothing that the gate itself would not.
        return tuple(_reason(box) for box in trace.granted if box.name)
    if truth is Truth.UNKNOWN:
        open_ = (_reason(box, f"depends on {describe(rest)}") for box, rest in trace.pending)
        return (*(_reason(box) for box in trace.granted if box.name), *open_)
    denies = [box for box in trace.removed if box.effect is Effect.DENY]
    if denies:
        return tuple(_reason(box) for box in denies)
    removed = [_reason(box, "takes the request out of what is granted") for box in trace.removed]
    missed = [_reason(box, _failure(box, request)) for box in trace.missed if box.effect is Effect.ALLOW]
    shut = [Reason(gate.layer, Effect.DENY, gate.name, gate.source, "lets nothing of this pass") for gate in trace.shut]
    return (*removed, *missed, *shut)


def _reason(box: Box, why: str | None = None) -> Reason:
    return Reason(box.layer, box.effect, box.name, box.source, why)


def _failure(box: Box, request: Request) -> str:
    """Return which parts of a statement's condition failed, and what the request has instead."""
    parts = box.condition.parts if isinstance(box.condition, Both) else (box.condition,)
    failed = [part for part in parts if reduce(part, request) == NEVER] or [box.condition]
    return "; ".join(f"needs {describe(part)}, {_given(part, request)}" for part in failed)


def _given(condition: Condition, request: Request) -> str:
    tests = [part for part in leaves(condition) if isinstance(part, Test | Has)]
    names = {test.key: name_of(test) for test in tests}
    found = []
    for key, name in names.items():
        values = known_values(request, key)
        shown = " ".join(f"`{value}`" for value in values) if values else "absent"
        found.append(f"{name} is {shown if values is not None else 'not given'}")
    return " and ".join(found) or "which never holds"
