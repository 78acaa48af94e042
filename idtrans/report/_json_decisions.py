"""JSON of the answers to questions about one request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.report._json_parts import place_or_none, reason

if TYPE_CHECKING:
    from idtrans.model.decisions import Chain, Decision, Paths, Request, WhoCan
    from idtrans.model.documents import Json


def decision_json(answer: Decision) -> Json:
    """Return the answer to one request."""
    return {"schema": "idtrans/decision/v1", **_decided(answer)}


def who_can_json(answer: WhoCan) -> Json:
    """Return who may do one thing, and who can become one of those."""
    return {
        "schema": "idtrans/who-can/v1",
        "action": answer.action,
        "resource": answer.resource,
        "allowed": [_decided(decision) for decision in answer.allowed],
        "unknown": [_decided(decision) for decision in answer.unknown],
        "examined": answer.examined,
        "chains": [_chain(chain) for chain in answer.chains],
        "not_walked": answer.not_walked,
    }


def paths_json(answer: Paths) -> Json:
    """Return the chains from one place to another."""
    return {
        "schema": "idtrans/paths/v1",
        "from": answer.start,
        "to": answer.end,
        "chains": [_chain(chain) for chain in answer.chains],
        "not_walked": answer.not_walked,
    }


def _chain(chain: Chain) -> Json:
    return {
        "principal": chain.principal,
        "decision": chain.outcome.value,
        "hops": [
            {
                "from": hop.party,
                "to": hop.target,
                "kind": hop.kind.value,
                "through": hop.through,
                "decision": hop.outcome.value,
                "condition": hop.condition,
                "reach": None if hop.reach is None else hop.reach.value,
                "source": place_or_none(hop.source),
            }
            for hop in chain.hops
        ],
    }


def _decided(decision: Decision) -> Json:
    return {
        "request": request_json(decision.request),
        "decision": decision.outcome.value,
        "condition": decision.condition,
        "residual": decision.residual,
        "reasons": [reason(entry) for entry in decision.reasons],
        "notes": list(decision.notes),
    }


def request_json(request: Request) -> Json:
    """Return a request with the context keys that it gives."""
    return {
        "principal": request.principal,
        "action": request.action,
        "resource": request.resource,
        "context": _context(request),
    }


def _context(request: Request) -> Json:
    return {key: list(values) for key, values in sorted(request.context.items())}
