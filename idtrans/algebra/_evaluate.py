"""The concrete reading of access: is this request inside, through which statements, and what remains to be known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from idtrans.algebra._access import Access, AllOf, AnyOf, Box, Except, Gate
from idtrans.algebra._condition import (
    ALWAYS,
    NEVER,
    RESOURCE,
    Condition,
    Quantifier,
    Test,
    all_of,
    any_of,
    negate,
)
from idtrans.algebra._condition_reduce import reduce, truth_of
from idtrans.algebra._condition_tidy import tidy
from idtrans.algebra._condition_words import describe, opaques, to_ast
from idtrans.algebra._shelves import stack_of
from idtrans.algebra._text import ANY_TEXT, Language
from idtrans.algebra._trace import Trace, reasons_of
from idtrans.algebra._truth import Truth
from idtrans.model.decisions import Decision, Outcome, Reason
from idtrans.model.values import Effect

if TYPE_CHECKING:
    from idtrans.model.decisions import Request


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The answer of an expression to one request."""

    truth: Truth
    residual: Condition
    """What remains to be known; ALWAYS or NEVER when nothing does."""
    reasons: tuple[Reason, ...]
    """The statements that decided, or those that almost did."""


def evaluate(access: Access, request: Request) -> Evaluation:
    """Return whether the request is inside, what remains to be known, and through which statements."""
    trace = Trace()
    residual = _walk(access, request, trace, granting=True)
    truth = truth_of(residual)
    return Evaluation(truth, residual, reasons_of(truth, request, trace))


def holds(access: Access, request: Request) -> Truth:
    """Return only whether the request is inside: the truth of `evaluate`, without reasons and several times as fast."""
    truth = _ask(access, request)
    # What is not known part by part may still be known of the whole, as in "a or not a".
    return evaluate(access, request).truth if truth is Truth.UNKNOWN else truth


def _ask(access: Access, request: Request) -> Truth:
    # Neither here nor in `_walk` is there a `match`: it takes a node apart, which costs more than to look at it.
    if isinstance(access, Box):
        return _ask_box(access, request) if _is_about(access, request.action) else Truth.FALSE
    if isinstance(access, AnyOf):
        return _ask_any(access, request)
    if isinstance(access, AllOf):
        return _first(access.parts, request, Truth.FALSE, Truth.TRUE)
    if isinstance(access, Except):
        held = _ask(access.base, request)
        return held if held is Truth.FALSE else held & ~_ask(access.minus, request)
    return _ask(access.part, request)


def _ask_any(union: AnyOf, request: Request) -> Truth:
    """Return the truth of a union; who asks for one thing after another gets the same answer from what names nobody."""
    action, resource = request.action, request.resource
    stack = stack_of(union, action)
    if stack.certain:
        return Truth.TRUE
    if not stack.impersonal:
        return _first(stack.about(resource), request, Truth.TRUE, Truth.FALSE)
    told = stack.told
    if told is None or told[0] != action or told[1] != resource:
        truth = _first(stack.about(resource), request, Truth.TRUE, Truth.FALSE)
        told = stack.told = (action, resource, truth)
    return told[2]


def _first(parts: tuple[Access, ...], request: Request, settled: Truth, found: Truth) -> Truth:
    """Return the truth that settles a group as soon as a part has it; most statements are about other actions."""
    action = request.action
    for part in parts:
        if not isinstance(part, Box):
            truth = _ask(part, request)
        elif _is_about(part, action):
            truth = _ask_box(part, request)
        else:
            truth = Truth.FALSE
        if truth is settled:
            return settled
        if truth is Truth.UNKNOWN:
            found = truth
    return found


def _ask_box(box: Box, request: Request) -> Truth:
    """Return whether a statement about the action of a request holds for it."""
    if not _is_by(box, request.principal):
        return Truth.FALSE
    target = _target(box, request)
    if target is NEVER or (target is ALWAYS and box.condition is ALWAYS):
        return truth_of(target)
    return truth_of(_both([target, reduce(box.condition, request)]))


def _is_about(box: Box, action: str) -> bool:
    return box.actions is ANY_TEXT or box.actions.node.matches(action)


def _is_by(box: Box, principal: str) -> bool:
    return box.principals is ANY_TEXT or box.principals.node.matches(principal)


def decide(access: Access, request: Request) -> Decision:
    """Return the decision on a request.

    A deny that surely applies is an explicit deny. What depends only on keys that are not given is conditional; what
    depends on something that was not understood is unknown.
    """
    trace = Trace()
    residual = _walk(access, request, trace, granting=True)
    truth = truth_of(residual)
    reasons = reasons_of(truth, request, trace)
    if truth is Truth.TRUE:
        return Decision(request, Outcome.ALLOW, reasons=reasons)
    if truth is Truth.FALSE:
        denied = any(reason.effect is Effect.DENY and reason.why is None for reason in reasons)
        outcome = Outcome.EXPLICIT_DENY if denied else Outcome.IMPLICIT_DENY
        return Decision(request, outcome, reasons=reasons)
    residual = tidy(residual)
    if residual is NEVER:
        # What one statement asks for another refuses: no request that fits what is known is let in.
        return Decision(request, Outcome.IMPLICIT_DENY, reasons=reasons)
    if residual is ALWAYS:
        # What one statement leaves another takes up: each request that fits what is known is let in.
        return Decision(request, Outcome.ALLOW, reasons=reasons)
    unclear = opaques(residual)
    return Decision(
        request,
        Outcome.UNKNOWN if unclear else Outcome.CONDITIONAL,
        condition=describe(residual),
        residual=to_ast(residual),
        reasons=reasons,
        notes=tuple(f"`{part.text}`: {part.reason}" for part in unclear if part.reason),
    )


def resource_condition(box: Box) -> Condition:
    """Return the resources of a statement as a condition on the key `resource`."""
    resources = box.resources if isinstance(box.resources, tuple) else (box.resources,)
    return any_of(*(Test(RESOURCE, Quantifier.ONE, values) for values in resources))


def _walk(access: Access, request: Request, trace: Trace, *, granting: bool) -> Condition:
    if isinstance(access, Box):
        return _enter(access, request, trace, granting=granting) if _is_about(access, request.action) else NEVER
    if isinstance(access, AnyOf):
        return _walk_union(access, request, trace, granting=granting)
    if isinstance(access, AllOf):
        return _both([_walk(part, request, trace, granting=granting) for part in access.parts])
    if isinstance(access, Gate):
        residual = _walk(access.part, request, trace, granting=granting)
        if granting and residual is NEVER:
            trace.shut.append(access)
        return residual
    held = _walk(access.base, request, trace, granting=granting)
    seen = len(trace.removed)
    taken = _walk(access.minus, request, trace, granting=not granting)
    if held is NEVER and len(trace.removed) > seen:
        # What a role leaves out explains nothing where the role does not apply; a deny always does.
        trace.removed[seen:] = [box for box in trace.removed[seen:] if box.effect is Effect.DENY]
    return _both([held, negate(taken)])


def _walk_union(union: AnyOf, request: Request, trace: Trace, *, granting: bool) -> Condition:
    """Return what remains of a union; as with `_ask_any`, what names nobody is walked once for all who ask the same."""
    action, resource = request.action, request.resource
    stack = stack_of(union, action)
    if stack.certain and granting:
        return ALWAYS
    if not stack.impersonal or not granting:
        return _walk_any(stack.about(resource), request, trace, granting=granting)
    walked = stack.walked
    if walked is None or walked[0] != action or walked[1] != resource:
        own = Trace()
        residual = _walk_any(stack.about(resource), request, own, granting=True)
        walked = stack.walked = (action, resource, residual, own)
    trace.granted += walked[3].granted
    trace.pending += walked[3].pending
    return walked[2]


def _walk_any(parts: tuple[Access, ...], request: Request, trace: Trace, *, granting: bool) -> Condition:
    """Return what remains of a union; what says nothing is passed over once another part has let the request in."""
    if not parts:
        return NEVER
    found: list[Condition] = []
    certain, action = False, request.action
    for part in parts:
        if isinstance(part, Box):
            if not _is_about(part, action) or (certain and granting and _is_silent(part)):
                continue
            residual = _enter(part, request, trace, granting=granting)
        else:
            residual = _walk(part, request, trace, granting=granting)
        if residual is ALWAYS:
            certain = True
        elif residual is not NEVER:
            found.append(residual)
    if certain:
        return ALWAYS
    return any_of(*found) if found else NEVER


def _is_silent(box: Box) -> bool:
    """Tell whether a granting statement is no reason for anything: without a name, and nothing of it can be missed."""
    return not box.name and box.condition is ALWAYS and isinstance(box.resources, Language)


def _both(found: list[Condition]) -> Condition:
    """Return `all_of`, without building anything where constants decide."""
    if NEVER in found:
        return NEVER
    open_ = [part for part in found if part is not ALWAYS]
    return all_of(*open_) if open_ else ALWAYS


def _enter(box: Box, request: Request, trace: Trace, *, granting: bool) -> Condition:
    """Return what remains of one statement about the action of a request, and note how it fared."""
    if not _is_by(box, request.principal):
        return NEVER
    residual = _target(box, request)
    if residual is NEVER:
        return NEVER
    if box.condition is not ALWAYS:
        residual = _both([residual, reduce(box.condition, request)])
    if residual is ALWAYS:
        (trace.granted if granting else trace.removed).append(box)
    elif residual is NEVER:
        trace.missed.append(box)
    else:
        trace.pending.append((box, residual))
    return residual


def _target(box: Box, request: Request) -> Condition:
    """Return what remains of the resources of a statement."""
    if isinstance(box.resources, Language):
        return ALWAYS if box.resources is ANY_TEXT or box.resources.node.matches(request.resource) else NEVER
    return reduce(resource_condition(box), request)
