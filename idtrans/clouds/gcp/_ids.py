"""Identifiers and requests, as people write them and as the adapter computes with them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from idtrans.catalog import CALLED_ALIKE, NAME, scope_kinds
from idtrans.clouds.gcp._clock import TIME_KEY, clock_value
from idtrans.clouds.gcp._conditions import clock_keys
from idtrans.clouds.gcp._fields import shown as quoted
from idtrans.clouds.gcp._index import index_of
from idtrans.clouds.gcp._members import member
from idtrans.clouds.gcp._names import BUCKETS, CONTAINER, bucket_of, full_name, resource_name, scope_name
from idtrans.clouds.gcp._request_terms import TAG_PREFIX
from idtrans.model.decisions import Knowledge, Request
from idtrans.model.errors import UsageError
from idtrans.model.estate import Estate
from idtrans.model.intents import Names, Scope
from idtrans.ports import Query

OBJECT_STORE: Final = "object-store"
_ACCOUNT: Final = "account"
_RESOURCE: Final = "resource"

_PREFIXES: Final = (
    "user:",
    "group:",
    "serviceAccount:",
    "domain:",
    "deleted:",
    "projectOwner:",
    "projectEditor:",
    "projectViewer:",
    "principal://",
    "principalSet://",
    "//iam.googleapis.com/",
)
_SPECIAL: Final = ("allUsers", "allAuthenticatedUsers")

# Most permissions are `service.resource.verb`; a few services write their host name in front.
_PERMISSION: Final = re.compile(r"[a-z][a-zA-Z0-9]*\.[a-zA-Z0-9]+(?:\.[a-zA-Z0-9]+)*")
_HOSTED: Final = re.compile(r"(?P<host>[a-z][a-z0-9.-]*\.(?:com|dev))/(?P<rest>[a-zA-Z0-9]+(?:\.[a-zA-Z0-9]+)+)")
_HOSTED_SERVICES: Final = (
    "iam.googleapis.com",
    "cloudonefs.isiloncloud.com",
    "cloudvolumesgcp-api.netapp.com",
    "gcp.redisenterprise.com",
)


def owns(principal: str) -> bool:
    """Tell whether a text has the form of a principal of this cloud."""
    return principal in _SPECIAL or principal.startswith(_PREFIXES)


def principal(text: str, estate: Estate) -> str:
    """Return the canonical id of a principal.

    Raises:
        UsageError: the text is no principal of this cloud, or does not say of which kind.
    """
    found = member(text)
    if not found.valid:
        if "@" in text and ":" not in text and "/" not in text:
            raise UsageError(
                f"{quoted(text)} does not say what kind of principal it is",
                advice=f"write `user:{text}`, `group:{text}` or `serviceAccount:{text}`",
            )
        raise UsageError(
            found.doubt or f"{quoted(text)} is not a principal",
            advice="write it as a member of an allow policy, such as `user:ana@example.com`",
        )
    return index_of(estate).accounts.get(found.id, found.id)


def permission(text: str) -> str:
    """Return the canonical spelling of a permission.

    Raises:
        UsageError: the text is not a permission as roles spell it.
    """
    if _PERMISSION.fullmatch(text):
        return text
    hosted = _HOSTED.fullmatch(text)
    if hosted is not None and hosted["host"] in _HOSTED_SERVICES:
        return text
    if hosted is not None:
        short = f"{hosted['host'].partition('.')[0]}.{hosted['rest']}"
        raise UsageError(f"{quoted(text)} is the spelling of deny policies", advice=f"write it as roles do: `{short}`")
    raise UsageError(
        f"{quoted(text)} is not a permission of this cloud",
        advice="write it as roles do, such as `storage.objects.get`",
    )


def request(query: Query, estate: Estate) -> Request:
    """Return the canonical request, its resource with everything above it.

    Raises:
        UsageError: principal, permission or resource are not written as this cloud does.
    """
    for fact in query.facts:
        raise UsageError(f"requests of this cloud have no fact {quoted(fact)}", advice="say it with the documents")
    scope = scope_name(query.resource)
    if not full_name(scope).startswith("//"):
        raise UsageError(
            f"{quoted(query.resource)} is not a full resource name",
            advice=f"write `projects/my-project` or a name such as `{BUCKETS}my-bucket/objects/name`",
        )
    context = dict(query.context)
    if query.closed:
        # Every request has a time, so it is never among the keys that are absent.
        context.setdefault(TIME_KEY, (estate.now.isoformat(),))
    index = index_of(estate)
    _tell_time(context, clock_keys(index))
    for key, value in index.tags(index.scope(scope)).items():
        context.setdefault(f"{TAG_PREFIX}{key}", (value,))
    return Request(
        principal=principal(query.principal, estate),
        action=permission(query.action),
        resource=index.text(scope),
        context=context,
        knowledge=Knowledge.CLOSED if query.closed else Knowledge.OPEN,
    )


def _tell_time(context: dict[str, tuple[str, ...]], keys: tuple[str, ...]) -> None:
    """Add the parts of the time that conditions ask for, where the time is known."""
    times = context.get(TIME_KEY, ())
    if len(times) == 1:
        values = ((key, clock_value(key, times[0])) for key in keys)
        context.update({key: (value,) for key, value in values if value is not None and key not in context})


def shown(request: Request) -> Request:
    """Return a request without the ancestors of its resource."""
    start = request.resource.find("//")
    return replace(request, resource=request.resource[start:]) if start > 0 else request


def scope(text: str, kind: str) -> Scope | None:
    """Read a scope of a kind, `None` when the text is none.

    An `object-store` is a bucket, or the objects of a bucket with a common prefix. An `account` is a project, folder or
    organization. A `resource` is any other full resource name.
    """
    if kind == _ACCOUNT:
        return _account(text)
    name = resource_name(text)
    if kind == _RESOURCE:
        return Scope(kind, name, {"resource": name}) if name.startswith("//") else None
    known = scope_kinds("gcp").get(kind)
    if known is not None:
        found = known.read(name)
        return Scope(kind, name, found) if found is not None else None
    bucket = bucket_of(name)
    if kind != OBJECT_STORE or bucket is None:
        return None
    parts = {"bucket": bucket}
    objects = name.removeprefix(f"{BUCKETS}{bucket}").removeprefix("/objects/")
    if objects and not objects.startswith("/"):
        parts["prefix"] = objects.removesuffix("*")
    return Scope(OBJECT_STORE, name, parts)


def _account(text: str) -> Scope | None:
    name = scope_name(text)
    if not CONTAINER.fullmatch(name):
        return None
    kind, _, key = name.partition("/")
    return Scope(_ACCOUNT, full_name(name), {"project_id" if kind == "projects" else kind: key})


def write_scope(scope: Scope, names: Names) -> Scope:
    """Return a scope as a full resource name; names that are not given become placeholders."""
    if scope.kind == _ACCOUNT:
        return Scope(_ACCOUNT, full_name(f"projects/{names.get('gcp-project-id')}"))
    known = scope_kinds("gcp").get(scope.kind)
    if known is not None:
        found = {part: _named(part, scope, names) for part in known.parts}
        return Scope(scope.kind, known.write(found), found)
    if scope.kind != OBJECT_STORE:
        name = f"//{names.get('gcp-resource')}"
        return Scope(_RESOURCE, name, {"resource": name})
    bucket = scope.parts.get("bucket") or names.get("gcp-bucket")
    parts = {"bucket": bucket}
    if scope.parts.get("prefix"):
        parts["prefix"] = scope.parts["prefix"]
    return Scope(scope.kind, f"{BUCKETS}{bucket}", parts)


def _named(part: str, scope: Scope, names: Names) -> str:
    """Return a part of the name of a resource: what is called so in other clouds too, or what was given."""
    if part == NAME and scope.kind in CALLED_ALIKE and NAME in scope.parts:
        return scope.parts[NAME]
    return names.get(f"gcp-{scope.kind if part == NAME else part.replace('_', '-')}")
