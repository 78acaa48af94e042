"""Which permissions can be about a single resource, or about what lies in it, by how its cloud writes its id."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from idtrans.algebra import ANY_TEXT, Language, glob, union
from idtrans.catalog._gcp_services import permission_prefixes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_GCP: Final = re.compile(r"//(?P<label>[a-z][a-z0-9-]*)\.googleapis\.com/")
_AZURE: Final = re.compile(
    r"/providers/(?P<service>[A-Za-z][A-Za-z0-9.]*)/(?P<path>[^/<>]+(?:/[^/]+)*)/?", re.IGNORECASE
)
_EXTENSIONS: Final = (
    "advisor",
    "authorization",
    "insights",
    "policyinsights",
    "resourcehealth",
    "resources",
    "security",
    "support",
)
"""Providers of Azure whose resources can be below any other.

https://learn.microsoft.com/azure/azure-resource-manager/management/extension-resource-types
"""


@lru_cache(maxsize=1024)
def acting_on(cloud: str, resource: str) -> Language:
    """Return the permissions that can be about a resource or what lies in it; all where its id does not tell."""
    reader = _READERS.get(cloud)
    found = reader(resource) if reader is not None else ()
    return union(glob(pattern, fold=True) for pattern in found) if found else ANY_TEXT


def _gcp(resource: str) -> tuple[str, ...]:
    """Read a full resource name: what lies in a project can be of any service, all else has its own alone.

    https://cloud.google.com/iam/docs/full-resource-names
    """
    found = _GCP.match(resource)
    if found is None or found["label"] == "cloudresourcemanager":
        return ()
    host = f"{found['label']}.googleapis.com"
    return (*(f"{prefix}.*" for prefix in permission_prefixes().get(host) or (found["label"],)), f"{host}/*")


def _azure(resource: str) -> tuple[str, ...]:
    """Read an ARM id: a role acts on the type that it names and on those below it.

    The outermost type decides: messages of a topic are sent by a permission of its namespace.
    https://learn.microsoft.com/azure/role-based-access-control/scope-overview
    """
    last = resource.lower().rpartition("/providers/")[2]
    found = _AZURE.fullmatch(f"/providers/{last}") if last != resource.lower() else None
    if found is None or found["service"] == "microsoft.management":
        return ()
    kind = found["path"].partition("/")[0]
    return (f"*:{found['service']}/{kind}/*", *(f"*:microsoft.{name}/*" for name in _EXTENSIONS))


_READERS: Final[Mapping[str, Callable[[str], tuple[str, ...]]]] = {"azure": _azure, "gcp": _gcp}
"""Amazon names in the ARN patterns of each action what it can be about, which is another table."""
