"""Identifiers and requests as people write them, made canonical."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from idtrans.clouds.azure._condition_operators import key_of
from idtrans.clouds.azure._index import Index, index_of
from idtrans.clouds.azure._names import NAME, PREFIX, entra, guid, identity_owner, scope_id
from idtrans.clouds.azure._operations import OperationPlane, bare, plane_of
from idtrans.clouds.azure._stated_attributes import stated_by
from idtrans.clouds.azure._validity import ACTIVATED, NOW, instant
from idtrans.model.decisions import Knowledge, Request
from idtrans.model.entities import PrincipalKind
from idtrans.model.errors import UsageError

if TYPE_CHECKING:
    from idtrans.model.estate import Estate
    from idtrans.ports import Query

_PLANES = {plane.value: plane for plane in (OperationPlane.CONTROL, OperationPlane.DATA)}


def owns(principal: str) -> bool:
    """Return whether a text is `entra:...`, a GUID alone, as `az` prints ids, or the ARM id of a managed identity."""
    if principal[: len(PREFIX)].lower() == PREFIX or guid(principal) is not None:
        return True
    return identity_owner(principal) == principal.lower()


def principal_id(text: str, estate: Estate) -> str:
    """Return the canonical id: object ids as they are, user names, app ids and display names looked up.

    Raises:
        UsageError: the text has no `entra:` in front, names nothing that is known, or names several objects.
    """
    index = index_of(estate)
    path = identity_owner(text)
    if path is not None:
        return resolve(path, index)
    if guid(text) is not None:
        text = f"{PREFIX}{text}"
    if text[: len(PREFIX)].lower() != PREFIX:
        raise UsageError(
            f"`{text}` does not say whose name it is",
            advice=f"write `entra:{text}` for a user name, an app id or an object id of Entra",
        )
    named = index.one_name(entra(text))
    if named in index.principals or named in index.bindings:
        return named
    if (lowered := named.lower()) in index.bindings:
        return lowered
    found = _preferred(index, tuple(index.names.get(named.removeprefix(PREFIX).lower(), ())))
    if len(found) > 1:
        raise UsageError(
            f"`{text}` names several objects: {', '.join(f'`{name}`' for name in found)}",
            advice="give the object id",
        )
    if not found and guid(named.removeprefix(PREFIX)) is None:
        advice = "give the object id, as `entra:OBJECT-ID`"
        raise UsageError(f"no document says which object `{text}` is", advice=advice)
    return found[0] if found else named


def resolve(owner: str, index: Index) -> str:
    """Return the identity that holds access for the owner of a credential.

    An application signs in as its service principal, which has the same app id; a managed identity that is known by
    its ARM id alone has an object id too, where a document states it.
    """
    names = index.names.get(owner, {})
    if names:
        return next(iter(names))
    app_id = index.attribute(owner, "appId")
    services = [
        name
        for name in index.names.get(app_id or "", ())
        if name != owner and index.kind(name) is PrincipalKind.SERVICE_IDENTITY
    ]
    return services[0] if len(services) == 1 else owner


def _preferred(index: Index, found: tuple[str, ...]) -> tuple[str, ...]:
    """Leave applications out where their service principals answer to the same name."""
    services = tuple(name for name in found if index.kind(name) is not PrincipalKind.APPLICATION)
    return services or found


def canonical(query: Query, estate: Estate) -> Request:
    """Return the request with operation and resource in lower case and the plane of the operation in front.

    Keys that are not given: the time is that of the question, no eligible assignment has been activated, and names of
    storage are those in the resource id.

    Raises:
        UsageError: the principal, the resource or the plane cannot be read.
    """
    for fact in query.facts:
        raise UsageError(f"requests of Azure have no fact `{fact}`", advice="say it with the documents")
    resource = scope_id(query.resource)
    if resource is None:
        raise UsageError(
            f"`{query.resource}` is not an Azure resource id",
            advice="write it from `/subscriptions/` on, or `/` for the root",
        )
    derived: dict[str, tuple[str, ...]] = {NOW: (instant(estate.now),), ACTIVATED: ()}
    derived |= stated_by(query.resource)
    return Request(
        principal=principal_id(query.principal, estate),
        action=action_text(query.action, query.plane, estate),
        resource=resource,
        context=derived | {key_of(key): values for key, values in query.context.items()},
        knowledge=Knowledge.CLOSED if query.closed else Knowledge.OPEN,
    )


def action_text(action: str, plane: str | None, estate: Estate) -> str:
    """Return an operation with its plane: the stated one, else the one it is known to have, else `either`.

    Raises:
        UsageError: the plane is neither `control` nor `data`, or the operation is empty or has a wildcard.
    """
    operation = bare(action.strip().lower())
    if not operation or "*" in operation:
        raise UsageError(f"`{action}` is not one operation", advice="ask for one, such as `Microsoft.Storage/.../read`")
    stated = plane or action.strip().lower().removesuffix(operation).rstrip(":")
    if stated and stated not in _PLANES:
        raise UsageError(f"`{stated}` is not a plane", advice="the planes are `control` and `data`")
    known = index_of(estate).data_actions()
    found = _PLANES[stated] if stated else plane_of(operation, known)
    return f"{found}:{operation}"


def shown(request: Request) -> Request:
    """Return a request without the plane in front of its operation, and without keys that are known to be absent."""
    context = {key: values for key, values in request.context.items() if values}
    return replace(request, action=bare(request.action), context=context)


def all_principals(estate: Estate) -> tuple[str, ...]:
    """Return every principal that holds or could hold access. Applications act through their service principals."""
    known = estate.memo.get((NAME, "principals"))
    if isinstance(known, tuple):
        return known
    index = index_of(estate)
    acting = {name for name in index.principals if index.kind(name) is not PrincipalKind.APPLICATION}
    found = tuple(sorted({name for name in acting if index.one_name(name) == name} | set(index.bindings)))
    estate.memo[NAME, "principals"] = found
    return found


def known_principals(estate: Estate) -> frozenset[str]:
    """Return the same without an order."""
    known = estate.memo.get((NAME, "principal-set"))
    if not isinstance(known, frozenset):
        known = estate.memo[NAME, "principal-set"] = frozenset(all_principals(estate))
    return known
