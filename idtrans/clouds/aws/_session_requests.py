"""What a request for a session needs beside its own action: tags and a source identity are permissions of their own.

https://docs.aws.amazon.com/IAM/latest/UserGuide/id_session-tags.html#id_session-tags_permissions-required
https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_temp_control-access_monitor.html
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from idtrans.algebra import NOTHING, Access, AllOf, AnyOf, Box, Except, Gate, Language, exact, glob, union

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.model.decisions import Request

TAG_SESSION: Final = "sts:TagSession"
SET_SOURCE_IDENTITY: Final = "sts:SetSourceIdentity"
ON_ROLES: Final = union(glob(text, fold=True) for text in ("sts:AssumeRole*", TAG_SESSION, SET_SOURCE_IDENTITY))
"""Actions on a role that its trust policy must allow, whatever identity policies do."""
_ASSUMING: Final = frozenset({"sts:assumerole", "sts:assumerolewithsaml", "sts:assumerolewithwebidentity"})
_TAGGING: Final = _ASSUMING | {"sts:getfederationtoken"}
_TAG_KEYS: Final = ("aws:requesttag/", "aws:tagkeys", "sts:transitivetagkeys")
_SOURCE_KEYS: Final = ("sts:sourceidentity", "aws:sourceidentity")
"""The source identity of a caller goes with it into the next role."""
_WHY: Final = {TAG_SESSION: "passing session tags", SET_SOURCE_IDENTITY: "setting a source identity"}


def with_needs(access: Access, request: Request) -> Access:
    """Return access in which a request also needs what its keys say that it asks for."""
    gates = [
        Gate(f"{needed}, which {_WHY[needed]} needs", "service", _asking(access, needed, exact(request.action)))
        for needed in _needed(request)
    ]
    return AllOf((access, *gates)) if gates else access


def _needed(request: Request) -> Iterator[str]:
    action = request.action.lower()
    if action not in _TAGGING:
        return
    given = [key for key, values in request.context.items() if values]
    if any(key.startswith(_TAG_KEYS) for key in given):
        yield TAG_SESSION
    if action in _ASSUMING and any(key in _SOURCE_KEYS for key in given):
        yield SET_SOURCE_IDENTITY


def _asking(access: Access, needed: str, action: Language) -> Access:
    """Return for requests for one action what access says of another."""
    match access:
        case Box():
            name = access.name and f"{access.name} ({needed})"
            return replace(access, actions=action, name=name) if access.actions.matches(needed) else NOTHING
        case Gate(part=part):
            return replace(access, part=_asking(part, needed, action))
        case Except(base, minus):
            return Except(_asking(base, needed, action), _asking(minus, needed, action))
        case AllOf(parts):
            return AllOf(tuple(_asking(part, needed, action) for part in parts))
        case AnyOf(parts):
            found = (_asking(part, needed, action) for part in parts)
            return AnyOf(tuple(part for part in found if part != NOTHING))
