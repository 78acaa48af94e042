"""One token at the door: does it get in, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from idtrans.algebra import ALWAYS, NEVER, Both, Condition, Has, Test, describe, leaves, reduce
from idtrans.federation._claims import AUDIENCE, ISSUER
from idtrans.model.answers import Admission, TokenAnswer
from idtrans.model.decisions import Knowledge, Request
from idtrans.ports import TrustKind

if TYPE_CHECKING:
    from idtrans.model.documents import Json
    from idtrans.ports import Trust


_NO_TOKEN: Final = TokenAnswer(Admission.NO, ("this trust takes no token of an issuer",))
_UNREGISTERED: Final = TokenAnswer(Admission.UNKNOWN, ("the issuer whose tokens this trust takes is not known",))


def admits(trust: Trust, claims: Mapping[str, Json]) -> TokenAnswer:
    """Return whether a trust lets a token with these claims in.

    Claims that are not given are absent. Issuers are compared to the letter; a token that does not say its issuer is
    taken to be of the trust's. Claims that the cloud cannot test for this issuer are absent to it.
    """
    if trust.issuer is None:
        return _UNREGISTERED if trust.kind is TrustKind.WEB_IDENTITY and trust.admits != NEVER else _NO_TOKEN
    flat = dict(_flat(claims))
    token = {name: values for name, value in flat.items() if (values := _values(value)) is not None}
    odd = sorted(name for name in flat if name not in token)
    refusal = _refused_before(trust, token)
    if refusal is not None:
        return TokenAnswer(Admission.NO, (refusal,))
    residual = reduce(trust.admits, _request(trust, token, odd))
    if residual == ALWAYS:
        return TokenAnswer(Admission.YES, (f"the token meets: {describe(trust.admits)}",))
    if residual == NEVER:
        return TokenAnswer(Admission.NO, _failures(trust, token, odd))
    return TokenAnswer(Admission.UNKNOWN, (f"it depends on: {describe(residual)}",))


def _flat(claims: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    """Yield the claims of a token, and what is inside of objects by its path, such as `kubernetes.io.namespace`."""
    queue = list(claims.items())
    for name, value in queue:
        if isinstance(value, Mapping):
            queue += ((f"{name}.{inner}", each) for inner, each in value.items())
        yield name, value


def _values(value: Json) -> tuple[str, ...] | None:
    """Return the texts of a claim, `None` for a value that no condition can be told to match."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        several = [_text(each) for each in value]
        texts = tuple(text for text in several if text is not None)
        return texts if len(texts) == len(several) else None
    text = _text(value)
    return (text,) if text is not None else None


def _text(value: Json) -> str | None:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, str | int | float) else None


def _refused_before(trust: Trust, token: Mapping[str, tuple[str, ...]]) -> str | None:
    """Return why a token is turned away before any condition is read."""
    issuer = token.get(ISSUER)
    if issuer is not None and issuer != (trust.issuer,):
        return f"the token is of issuer `{' '.join(issuer)}`, the trust is in `{trust.issuer}`"
    audience = token.get(AUDIENCE)
    if audience is not None and trust.audiences and not set(audience) & set(trust.audiences):
        accepted = ", ".join(f"`{each}`" for each in trust.audiences)
        return f"the token is for `{' '.join(audience)}`, the provider accepts {accepted}"
    return None


def _request(trust: Trust, token: Mapping[str, tuple[str, ...]], odd: Sequence[str]) -> Request:
    keys = {leaf.key for leaf in leaves(trust.admits) if isinstance(leaf, Test | Has)}
    context = {key: _seen(trust, token, key) for key in keys if key not in odd}
    return Request("", "", "", context, Knowledge.OPEN)


def _seen(trust: Trust, token: Mapping[str, tuple[str, ...]], key: str) -> tuple[str, ...]:
    """Return the values of a claim as the cloud sees them."""
    if trust.claims is not None and key not in trust.claims:
        return ()
    if key == ISSUER:
        return token.get(ISSUER, (trust.issuer or "",))
    return token.get(key, ())


def _failures(trust: Trust, token: Mapping[str, tuple[str, ...]], odd: Sequence[str]) -> tuple[str, ...]:
    request = _request(trust, token, odd)
    parts: Sequence[Condition] = trust.admits.parts if isinstance(trust.admits, Both) else (trust.admits,)
    failed = [part for part in parts if reduce(part, request) == NEVER] or [trust.admits]
    return tuple(f"needs {describe(part)}; {_given(part, request)}" for part in failed)


def _given(condition: Condition, request: Request) -> str:
    names = {leaf.key: leaf.label or leaf.key for leaf in leaves(condition) if isinstance(leaf, Test | Has)}
    shown = []
    for key, name in names.items():
        values = request.context.get(key)
        text = " ".join(f"`{value}`" for value in values) if values else "absent"
        shown.append(f"{name} is {text}")
    return " and ".join(shown) or "which no token meets"
