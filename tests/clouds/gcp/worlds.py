"""Small worlds for the tests: documents by hand, the estate they make, and questions to it."""

from __future__ import annotations

from datetime import UTC, datetime

from idtrans.algebra import decide
from idtrans.clouds.gcp import CLOUD
from idtrans.model.documents import Document, Format, Hints, Unsupported
from idtrans.model.estate import Estate
from idtrans.model.spans import Place
from idtrans.ports import Query

NOW = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)
BUCKET = "//storage.googleapis.com/projects/_/buckets/"
POOL = "projects/123456789012/locations/global/workloadIdentityPools/ci"
GITHUB = "https://token.actions.githubusercontent.com"


def document(content, *, path="input.json", **hints):
    return Document(Place(path), Format.JSON, content, Hints(**hints))


def read(content, **hints):
    """Return entities and what was not understood of one document."""
    given = document(content, **hints)
    shape = CLOUD.recognise(given)
    assert shape is not None
    found = list(CLOUD.parse(given, shape))
    return (
        [entity for entity in found if not isinstance(entity, Unsupported)],
        [entity for entity in found if isinstance(entity, Unsupported)],
    )


def estate(*contents, more=()):
    """Return the estate of some documents, each a content or a pair of content and hints."""
    entities, unsupported = [], []
    for each in contents:
        content, hints = each if isinstance(each, tuple) else (each, {})
        good, bad = read(content, **hints)
        entities += good
        unsupported += bad
    return Estate((*entities, *more), NOW, tuple(unsupported))


def asset(
    name, *bindings, ancestors=("projects/1", "folders/2", "organizations/9"), kind="x.googleapis.com/Thing", data=None
):
    """Return one asset with a policy."""
    found = {"name": name, "assetType": kind, "ancestors": list(ancestors), "iamPolicy": {"bindings": list(bindings)}}
    return found if data is None else {**found, "resource": {"data": data}}


def bucket(name, *bindings, **more):
    return asset(f"//storage.googleapis.com/{name}", *bindings, kind="storage.googleapis.com/Bucket", **more)


def project(number, *bindings, **more):
    return asset(
        f"//cloudresourcemanager.googleapis.com/projects/{number}",
        *bindings,
        kind="cloudresourcemanager.googleapis.com/Project",
        **more,
    )


def binding(role, *members, condition=None):
    found = {"role": role, "members": list(members)}
    return found if condition is None else {**found, "condition": {"title": "t", "expression": condition}}


def provider(name="gh", pool=POOL, **more):
    return {
        "name": f"{pool}/providers/{name}",
        "state": "ACTIVE",
        "oidc": {"issuerUri": GITHUB},
        "attributeMapping": {"google.subject": "assertion.sub", "attribute.repository": "assertion.repository"},
        **more,
    }


def outcome(world, principal, action, resource, *, closed=True, **context):
    """Return the outcome of one request, as a word."""
    query = Query(principal, action, resource, {key: (value,) for key, value in context.items()}, closed=closed)
    request = CLOUD.request(query, world)
    return decide(CLOUD.access(request.principal, world), request).outcome.value
