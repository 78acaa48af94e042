"""Trusts: who may log in to the roles of a JWT auth method.

All bound claims must be there and fit, each with one of its values; a claim that is missing refuses the token. With
`bound_claims_type` `glob` a `*` stands for anything, separators too, and nothing else is special.
https://developer.hashicorp.com/vault/api-docs/auth/jwt
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from idtrans.algebra import (
    STAR,
    Condition,
    Has,
    Language,
    Opaque,
    Quantifier,
    Test,
    all_of,
    exact,
    negate,
    one_of,
    pieces,
    union,
)
from idtrans.clouds.vault._names import NAME
from idtrans.model.entities import FederatedCredential, IdentityProvider
from idtrans.model.values import Reach
from idtrans.ports import Note, Trust, TrustKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from idtrans.algebra import Wildcard
    from idtrans.model.documents import Json
    from idtrans.model.estate import Estate

_SEVERAL: Final = frozenset({"aud", "groups", "amr", "roles"})
"""Claims that may have several values."""


def trusts(estate: Estate) -> tuple[Trust, ...]:
    """Return one trust for each role of a JWT auth method."""
    issuers = {each.pool: each.issuer for each in estate.of(IdentityProvider, NAME)}
    return tuple(_trust(each, issuers) for each in estate.of(FederatedCredential, NAME))


def _trust(role: FederatedCredential, issuers: Mapping[str | None, str | None]) -> Trust:
    bounds = json.loads(role.expression or "{}")
    issuer = issuers.get(role.issuer)
    notes = list(_notes(role, bounds, issuer))
    return Trust(
        cloud=NAME,
        kind=TrustKind.WEB_IDENTITY,
        target=str(role.owner),
        issuer=issuer,
        admits=all_of(*_conditions(role, bounds)),
        source=role.source,
        audiences=role.audiences,
        reach=Reach.UNKNOWN if issuer is None else None,
        notes=tuple(notes),
    )


def _conditions(role: FederatedCredential, bounds: Mapping[str, Json]) -> Iterator[Condition]:
    if role.audiences:
        yield Test("aud", Quantifier.ANY, one_of(role.audiences))
    elif bounds.get("role_type") != "oidc":
        # A token that names an audience is refused where the role binds none.
        yield negate(Has("aud"))
    if role.subject is not None:
        yield Test("sub", Quantifier.ONE, exact(role.subject))
    claims = bounds.get("bound_claims")
    if isinstance(claims, dict):
        globs = bounds.get("bound_claims_type") == "glob"
        for name, wanted in sorted(claims.items()):
            yield _claim(name, wanted if isinstance(wanted, list) else [wanted], globs=globs)


def _claim(name: str, wanted: list[Json], *, globs: bool) -> Condition:
    shown = f"bound_claims {name} = {json.dumps(wanted)}"
    if name.startswith("/"):
        return Opaque(shown, "a claim within a claim is not looked into")
    if not all(isinstance(value, str) for value in wanted):
        return Opaque(shown, "only texts are compared")
    quantifier = Quantifier.ANY if name in _SEVERAL else Quantifier.ONE
    return Test(name, quantifier, union(map(_glob, wanted)) if globs else one_of(wanted))


def _glob(text: str) -> Language:
    first, *rest = text.split("*")
    parts: list[str | Wildcard] = [first]
    for part in rest:
        parts += [STAR, part]
    return pieces(part for part in parts if part != "")


def _notes(role: FederatedCredential, bounds: Mapping[str, Json], issuer: str | None) -> Iterator[Note]:
    if issuer is None:
        yield Note("CONFIG_NOT_SUPPLIED", f"the configuration of `{role.issuer}` was not supplied, or names no issuer")
    if not role.audiences and bounds.get("role_type") != "oidc":
        yield Note("NO_AUDIENCE", "the role binds no audience, and refuses every token that names one")
    claims = bounds.get("bound_claims")
    values = list(_flat(claims.values())) if isinstance(claims, dict) else []
    wild = [value for value in values if isinstance(value, str) and "*" in value]
    if wild and bounds.get("bound_claims_type") != "glob":
        yield Note(
            "LITERAL_WILDCARD", f"the `*` of `{wild[0]}` is a plain character: `bound_claims_type` is not `glob`"
        )
    if bounds.get("bound_cidrs") or bounds.get("token_bound_cidrs"):
        yield Note("NETWORK_BOUND", "the role is bound to networks besides, which a token does not say")


def _flat(values: Iterable[Json]) -> Iterator[Json]:
    for value in values:
        if isinstance(value, list):
            yield from value
        else:
            yield value
