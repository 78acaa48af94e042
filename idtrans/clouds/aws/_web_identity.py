"""Statements of a trust policy for one token issuer, as conditions over the claims of its tokens."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from idtrans.algebra import (
    NEVER,
    Both,
    Condition,
    Either,
    Has,
    Negation,
    Opaque,
    Template,
    Test,
    all_of,
    any_of,
    negate,
)
from idtrans.catalog import aws_claims
from idtrans.catalog import issuer_of as issuer_by_url
from idtrans.clouds.aws._arns import read_arn
from idtrans.clouds.aws._conditions import compile_test
from idtrans.clouds.aws._operators import Absence, read_operator
from idtrans.clouds.aws._trust_notes import (
    GUESTLESS,
    always_holds,
    claim_notes,
    never_present,
    unread,
    wide_action,
    wrong_action,
)
from idtrans.ports import Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from idtrans.clouds.aws._compile import Rule
    from idtrans.model.entities import ConditionTest

ASSUME_WEB: Final = "sts:AssumeRoleWithWebIdentity"
SESSION_NAME: Final = "sts:rolesessionname"
"""The key of the name of a session, which most callers choose as they like."""
_ABSENT: Final = ("aws:principal", "aws:userid", "aws:username", "aws:multifactorauth", "sts:externalid", "saml:")
"""Beginnings of keys that a caller without AWS credentials never has."""


@dataclass(frozen=True, slots=True)
class Admission:
    """What the statements for one issuer let in."""

    admits: Condition
    notes: tuple[Note, ...]


def issuer_of(provider: str) -> str:
    """Return the issuer, without its scheme, of the value of a `Federated` entry."""
    arn = read_arn(provider)
    if arn is not None:
        return arn.resource.removeprefix("oidc-provider/")
    return provider.removeprefix("https://").removeprefix("http://").rstrip("/")


def admission(allows: Iterable[Rule], denies: Iterable[Rule], issuer: str, version: str) -> Admission:
    """Return what the rules for an issuer (without scheme) let in: some allow, and no deny."""
    notes: dict[Note, None] = {}
    accepted = [_condition(rule, issuer, version, notes) for rule in allows]
    refused = [_condition(rule, issuer, version, {}) for rule in denies if rule.actions.matches(ASSUME_WEB)]
    admits = all_of(any_of(*accepted), *(negate(condition) for condition in refused))
    return Admission(admits, tuple(notes))


def _condition(rule: Rule, issuer: str, version: str, notes: dict[Note, None]) -> Condition:
    """Return the condition of a rule over claims; what is remarkable about it is added to `notes`."""
    if rule.doubts:
        notes.update(dict.fromkeys(map(unread, rule.doubts)))
        return rule.condition
    if not rule.actions.matches(ASSUME_WEB):
        notes[wrong_action(ASSUME_WEB)] = None
        return NEVER
    if rule.actions.matches("sts:GetFederationToken"):
        notes[wide_action()] = None
    parts = [_claim_test(test, issuer, version, notes) for test in rule.statement.conditions]
    if not _tests_caller(rule, issuer) and issuer.lower() != GUESTLESS:
        notes[
            Note("NO_SUBJECT", "a statement tests neither the subject of the token nor a claim that says as much")
        ] = None
    return all_of(*parts)


def _tests_caller(rule: Rule, issuer: str) -> bool:
    """Tell whether a statement tests a claim that says more of the caller than for whom the token is."""
    telling = {f"{issuer.lower()}:{claim}" for claim in aws_claims(issuer) - {"amr", "aud"}}
    if _names_sessions(issuer):
        telling.add(SESSION_NAME)
    return any(test.key.lower() in telling for test in rule.statement.conditions)


def _names_sessions(issuer: str) -> bool:
    """Tell whether an issuer says in the name of a session for which customer it comes."""
    return any(SESSION_NAME in shape.claims for shape in issuer_by_url(f"https://{issuer}").issuer.shapes)


def _claim_test(test: ConditionTest, issuer: str, version: str, notes: dict[Note, None]) -> Condition:
    """Return one test over a claim; a test that the token does not decide is opaque."""
    key = test.key.lower()
    condition = compile_test(test.operator, test.key, test.values, version)
    if isinstance(condition, Opaque):
        notes[unread(condition.text)] = None
        return condition
    prefix = f"{issuer.lower()}:"
    if key.startswith(prefix):
        claim = key.removeprefix(prefix)
        notes.update(dict.fromkeys(claim_notes(test, claim)))
        if claim not in aws_claims(issuer):
            notes.update(dict.fromkeys(_unseen(test)))
        return rename(condition, key, claim)
    if "." in key.partition(":")[0] or key.startswith(_ABSENT):
        notes.update(dict.fromkeys(_unseen(test)))
        return condition
    if key == SESSION_NAME and _names_sessions(issuer):
        return condition
    text = f"{test.operator} {test.key} {' | '.join(test.values)}"
    notes[unread(text)] = None
    return Opaque(text, f"`{test.key}` does not come from the token")


def _unseen(test: ConditionTest) -> Iterator[Note]:
    """Yield the remarks on a test of a key that requests for this trust never have."""
    yield never_present(test.key)
    applied = read_operator(test.operator)
    if applied is not None and applied.absence is Absence.HOLDS:
        yield always_holds(test.key)


def rename(condition: Condition, key: str, claim: str) -> Condition:
    """Return a condition that reads another key. Patterns whose variables read the key are left as they are."""
    match condition:
        case Both(parts):
            return all_of(*(rename(part, key, claim) for part in parts))
        case Either(parts):
            return any_of(*(rename(part, key, claim) for part in parts))
        case Negation(part):
            return negate(rename(part, key, claim))
        case Test() if condition.key == key and isinstance(condition.values, Template):
            # A variable cannot be put in before the role is assumed.
            return Opaque(f"{condition.label} {condition.values}", "a policy variable stands in a trust policy")
        case Test() | Has() if condition.key == key:
            return replace(condition, key=claim, label=claim)
        case _:
            return condition
