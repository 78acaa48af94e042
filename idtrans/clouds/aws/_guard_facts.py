"""Guardrails on who may use tokens of which issuer: denies that refuse the wrong ones, or not all they should.

https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_providers_oidc_secure-by-default.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.catalog import Issuer, Level, Presence, aws_claims, issuer_of
from idtrans.clouds.aws._index import CLOUD, index_of
from idtrans.clouds.aws._operators import Absence, Family, Sense, read_operator
from idtrans.clouds.aws._web_identity import ASSUME_WEB
from idtrans.model.facts import GuardrailFact
from idtrans.model.values import Effect, Layer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.clouds.aws._compile import Rule
    from idtrans.model.entities import ConditionTest
    from idtrans.model.estate import Estate

_LAYERS: Final = (Layer.RCP, Layer.SCP)


def guardrails(estate: Estate) -> tuple[GuardrailFact, ...]:
    """Return one fact for each deny of a guardrail that looks at the claims of tokens."""
    index = index_of(estate)
    found = []
    for layer in _LAYERS:
        for policy in index.layers.get(layer, ()):
            for rule in index.compiled(policy):
                fact = _fact(rule, layer, policy.name or policy.id)
                if fact is not None:
                    found.append(fact)
    return tuple(found)


def _fact(rule: Rule, layer: Layer, name: str) -> GuardrailFact | None:
    if rule.effect is not Effect.DENY or not rule.actions.matches(ASSUME_WEB):
        return None
    tests = [(test, issuer, claim) for test in rule.statement.conditions for issuer, claim in _claims(test)]
    if not tests:
        return None
    issuers = ", ".join(sorted({issuer for _, issuer, _ in tests}))
    notes = tuple(sorted(set(_notes(tests))))
    return GuardrailFact(CLOUD, name, rule.source, layer.value, rule.statement.sid or "", issuers, notes)


def _claims(test: ConditionTest) -> Iterator[tuple[str, str]]:
    """Yield issuer and claim of a key; a key that is an issuer and no claim has an empty one."""
    issuer, _, claim = test.key.rpartition(":")
    if "." in issuer.partition("/")[0]:
        yield issuer, claim.lower()
    elif "." in test.key and ":" not in test.key:
        yield test.key, ""


def _notes(tests: list[tuple[ConditionTest, str, str]]) -> Iterator[str]:
    spares = False
    refuses = False
    for test, issuer, claim in tests:
        applied = read_operator(test.operator)
        if applied is None:
            continue
        known = issuer_of(f"https://{issuer}").issuer
        null = applied.operator.family is Family.NULL
        if claim not in aws_claims(issuer):
            yield "GUARD_KEY_NEVER_PRESENT"
        elif null and test.values == ("false",) and not _always(known, claim):
            yield "GUARD_SKIPS_ABSENT"
        elif not null:
            negated = applied.operator.sense is Sense.NEGATED
            spares |= negated
            refuses |= not negated and applied.absence is Absence.FAILS and _tells_tenant(known, claim)
    if refuses and not spares:
        yield "GUARD_INVERTED"


def _always(issuer: Issuer, claim: str) -> bool:
    found = [shape.claim(claim) for shape in issuer.shapes]
    return bool(found) and all(each is not None and each.presence is Presence.ALWAYS for each in found)


def _tells_tenant(issuer: Issuer, claim: str) -> bool:
    """Tell whether a claim says whose a token is, so that a deny which lists values refuses just those tenants."""
    pins = {name for pin in issuer.pins_of(Level.TENANT) for name in pin.components}
    claims = [shape.claim(claim) for shape in issuer.shapes]
    templates = (template for each in claims if each is not None for template in each.templates)
    return any(not isinstance(part, str) and part.component in pins for template in templates for part in template)
