"""One statement of a policy document, lowered as written.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from idtrans.clouds.aws._parse_conditions import Conditions, lower_conditions
from idtrans.clouds.aws._parse_values import Texts, Variables, as_text, is_intrinsic, shown, texts
from idtrans.model.documents import Json
from idtrans.model.entities import PolicyPrincipal, PolicyStatement
from idtrans.model.spans import Source
from idtrans.model.values import UNKNOWN, Effect, Unknown

INVALID_EFFECT: Final = "invalid effect"
"""How the doubt about an effect that is neither `Allow` nor `Deny` begins; case matters in it."""
_EFFECTS: Final = {"Allow": Effect.ALLOW, "Deny": Effect.DENY}
_PRINCIPAL_KINDS: Final = ("AWS", "Service", "Federated", "CanonicalUser", "*")
"""Kinds of principals. AWS takes `{"*": "*"}` for `"*"`; with any other value the last one names nobody."""
_PAIRS: Final = (("Principal", "NotPrincipal"), ("Action", "NotAction"), ("Resource", "NotResource"))
_ELEMENTS: Final = frozenset({"Sid", "Effect", "Condition"}.union(*_PAIRS))


@dataclass(frozen=True, slots=True)
class _Principals:
    entries: tuple[PolicyPrincipal, ...] | None
    doubts: tuple[str, ...] = ()


def unknown_statement(source: Source, *doubts: str) -> PolicyStatement:
    """Return what stands for a statement of which nothing was understood: it may allow or deny anything."""
    return PolicyStatement(UNKNOWN, source, doubts=doubts)


def lower_statement(raw: Json, source: Source) -> PolicyStatement:
    """Read a statement. Whatever was not understood is kept as written and named in `doubts`."""
    if not isinstance(raw, dict):
        return unknown_statement(source, f"statement {shown(raw)} is not an object")
    effect, doubts = _effect(raw)
    doubts += _structure(raw)
    principals, not_principals = (_principals(raw, element) for element in _PAIRS[0])
    actions, not_actions = (_texts(raw, element, Variables.NONE) for element in _PAIRS[1])
    resources, not_resources = (_texts(raw, element, Variables.ALLOWED) for element in _PAIRS[2])
    conditions = Conditions(())
    if "Condition" in raw:
        conditions = lower_conditions(raw["Condition"], source)
    for part in (principals, not_principals, actions, not_actions, resources, not_resources, conditions):
        if part is not None:
            doubts += part.doubts
    return PolicyStatement(
        effect,
        source,
        as_text(raw.get("Sid")),
        principals.entries,
        not_principals.entries,
        _values(actions),
        _values(not_actions),
        _values(resources),
        _values(not_resources),
        conditions.tests,
        tuple(doubts),
    )


def _effect(raw: dict[str, Json]) -> tuple[Effect | Unknown, list[str]]:
    value = raw.get("Effect")
    if isinstance(value, str) and value in _EFFECTS:
        return _EFFECTS[value], []
    if "Effect" not in raw:
        return UNKNOWN, [f"{INVALID_EFFECT}: the statement has no `Effect`"]
    return UNKNOWN, [f"{INVALID_EFFECT} {shown(value)}: it is neither `Allow` nor `Deny`"]


def _structure(raw: dict[str, Json]) -> list[str]:
    doubts = [f"unknown statement element {shown(key)}" for key in raw if key not in _ELEMENTS]
    doubts += [f"both `{element}` and `{other}`" for element, other in _PAIRS if element in raw and other in raw]
    if "Action" not in raw and "NotAction" not in raw:
        doubts.append("neither `Action` nor `NotAction`")
    return doubts


def _texts(raw: dict[str, Json], element: str, variables: Variables) -> Texts | None:
    return texts(raw[element], element, variables) if element in raw else None


def _values(found: Texts | None) -> tuple[str, ...] | None:
    return found.values if found is not None else None


def _principals(raw: dict[str, Json], element: str) -> _Principals:
    """Read `Principal` or `NotPrincipal`: `*`, or an object of lists by kind.

    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html
    """
    if element not in raw:
        return _Principals(None)
    value = raw[element]
    if value == "*":
        return _Principals((PolicyPrincipal("*", "*"),))
    if not isinstance(value, dict) or is_intrinsic(value):
        found = texts(value, element, Variables.NONE)
        doubts = found.doubts or (f"`{element}` is {shown(value)}, neither `*` nor an object",)
        return _Principals(tuple(PolicyPrincipal("AWS", text) for text in found.values), doubts)
    if not value:
        return _Principals((), (f"`{element}` is an empty object",))
    return _by_kind(value, element)


def _by_kind(value: dict[str, Json], element: str) -> _Principals:
    entries: list[PolicyPrincipal] = []
    doubts: list[str] = []
    for kind, listed in value.items():
        found = texts(listed, element, Variables.NONE)
        if kind not in _PRINCIPAL_KINDS:
            doubts.append(f"unknown kind {shown(kind)} in `{element}`")
        doubts += found.doubts
        entries += (PolicyPrincipal(str(kind), text) for text in found.values)
    return _Principals(tuple(entries), tuple(doubts))
