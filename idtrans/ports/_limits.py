"""The words that the conditions of all clouds have in common.

A limit is a condition of the algebra over these keys instead of a vendor's. An adapter says its own conditions in them,
and writes them in its own language; what has no such word is a free symbol that carries its text.
"""

from __future__ import annotations

from typing import Final

TIME: Final = "time"
"""The time of the request."""
SOURCE_IP: Final = "source network"
"""The address that the request comes from."""
ENDPOINT: Final = "private endpoint"
"""Id of the private endpoint that the request comes through; absent when it comes through none."""
PRIVATE: Final = "private network"
"""`true` when the request comes through some private endpoint."""
MFA: Final = "second factor"
"""`true` when the principal signed in with a second factor."""
ORGANISATION: Final = "organisation"
"""Id of the organisation that the principal belongs to."""
TLS: Final = "encrypted transport"
"""`true` when the request is encrypted on its way."""
STORE: Final = "bucket name"
"""Name of the bucket or container that the request is about."""
OBJECT: Final = "object name"
"""Name of the object, or what the names that a listing asks for start with."""
RESOURCE_TAG: Final = "resource tag "
"""Start of the keys of tags of the resource."""
OBJECT_TAG: Final = "object tag "
"""Start of the keys of tags of a stored object."""
PRINCIPAL_TAG: Final = "principal tag "
"""Start of the keys of tags of the principal."""

ALWAYS_THERE: Final = frozenset({TIME, TLS, OBJECT, STORE})
"""Keys that every request that they are about has."""
