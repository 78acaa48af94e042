"""Claims that an intent pins and Azure does not test: whether the subject fixes them anyway."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from idtrans.model.artifacts import Loss, LossEffect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.model.intents import ClaimPin, FederationIntent

_GITHUB = re.compile(
    r"repo:(?P<owner>[^/@:*]+)(?:@(?P<owner_id>\d+))?/(?P<name>[^@:*]+)(?:@(?P<id>\d+))?:(?P<context>[^*]+)"
)


def drops(intent: FederationIntent, testable: tuple[str, ...]) -> Iterator[Loss]:
    """Yield a loss for every pin that some credential leaves out, saying whether its subject fixes the claim."""
    for pin in intent.pins:
        bare = [subject for subject in intent.subjects if "*" not in subject or pin.claim not in testable]
        if bare:
            yield Loss(f"claim `{pin.claim}`", LossEffect.DROP, _why(pin, bare))


def _why(pin: ClaimPin, subjects: list[str]) -> str:
    if all(_claims(subject).get(pin.claim) in pin.values for subject in subjects):
        return "Azure tests the subject alone, and the subject already fixes this claim"
    return (
        "Azure tests the subject alone, and the subject does not fix this claim: "
        "every token with the subject gets in, whatever this claim says"
    )


def _claims(subject: str) -> dict[str, str]:
    """Return the claims that a default GitHub subject without wildcards fixes; ids are in immutable ones alone."""
    found = _GITHUB.fullmatch(subject)
    if found is None:
        return {}
    claims = {
        "repository": f"{found['owner']}/{found['name']}",
        "repository_owner": found["owner"],
        "repository_owner_id": found["owner_id"],
        "repository_id": found["id"],
        **_context(found["context"]),
    }
    return {claim: value for claim, value in claims.items() if value is not None}


def _context(context: str) -> dict[str, str]:
    kind, _, value = context.partition(":")
    if context == "pull_request":
        return {"event_name": context}
    # A colon inside of a value is written `%3A`, so one that is left shows a customised subject.
    return {kind: value} if kind in {"environment", "ref"} and ":" not in value else {}
