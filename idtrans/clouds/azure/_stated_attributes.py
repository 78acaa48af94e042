"""Attributes of storage that the id of a resource states: names of accounts, containers and queues, and the blob path.

https://learn.microsoft.com/azure/storage/blobs/storage-auth-abac-attributes
"""

from __future__ import annotations

import re
from typing import Final

_STORAGE: Final = re.compile(
    r"(?:/[^/]+){2,}?/providers/microsoft\.storage/storageaccounts/(?P<account>[^/]+)"
    r"(?:/blobservices/[^/]+/containers/(?P<container>[^/]+)(?:/blobs/(?P<path>.+))?"
    r"|/queueservices/[^/]+/queues/(?P<queue>[^/]+)(?:/.*)?)?",
    re.IGNORECASE | re.DOTALL,
)
_KEYS: Final = {
    "account": "@resource[microsoft.storage/storageaccounts:name]",
    "container": "@resource[microsoft.storage/storageaccounts/blobservices/containers:name]",
    "path": "@resource[microsoft.storage/storageaccounts/blobservices/containers/blobs:path]",
    "queue": "@resource[microsoft.storage/storageaccounts/queueservices/queues:name]",
}


def stated_by(resource: str) -> dict[str, tuple[str, ...]]:
    """Return the context keys that a resource id as it was written gives a value; a wildcard gives none.

    Names of accounts, containers and queues have no capital letters; the path of a blob keeps its case.
    """
    found = _STORAGE.fullmatch(resource.strip().rstrip("/"))
    if found is None:
        return {}
    parts = {name: text for name, text in found.groupdict().items() if text is not None and "*" not in text}
    return {_KEYS[name]: (text if name == "path" else text.lower(),) for name, text in parts.items()}


__all__ = ["stated_by"]
