"""Names of resources and scopes: one canonical text for every spelling, without looking at an estate."""

from __future__ import annotations

import re
from typing import Final

from idtrans.clouds.gcp._members import project_of_account

BUCKETS: Final = "//storage.googleapis.com/projects/_/buckets/"
"""What the full name of a bucket starts with. https://cloud.google.com/iam/docs/full-resource-names"""
ACCOUNTS: Final = "/serviceAccounts/"
PROJECTS_HOST: Final = "//cloudresourcemanager.googleapis.com/"
IAM_HOST: Final = "//iam.googleapis.com/"

CONTAINER: Final = re.compile(r"(?:projects|folders|organizations)/[^/]+")
"""Canonical id of a project, folder or organization."""

_ACCOUNT: Final = re.compile(
    r"(?://iam\.googleapis\.com/)?projects/(?P<project>[^/]+)/serviceAccounts/(?P<account>[^/]+)"
)
_GS: Final = "gs://"
_IN_CONDITIONS: Final = "projects/_/buckets/"
"""What the names of buckets and objects start with in conditions, which leave the service out."""
_STORAGE: Final = "//storage.googleapis.com/"
_LEVELS: Final = {"projects": "project", "folders": "folder", "organizations": "organization"}
_ID_AT, _NAME_END = 4, 5
"""Where the id of a container stands in a full name that is taken apart at its slashes."""
_SINGLE: Final = ("project", "folder", "organization")


def scope_name(text: str) -> str:
    """Return the canonical id of a scope: `projects/p` for containers, the full resource name for all else.

    A text that has no known form comes back as it is.
    """
    text = text.strip().rstrip("/")
    if text.startswith(PROJECTS_HOST):
        text = text.removeprefix(PROJECTS_HOST)
    if text.startswith("//"):
        return resource_name(text)
    kind, _, name = text.partition("/")
    if kind in _SINGLE and name:
        text = f"{kind}s/{name}"
    if CONTAINER.fullmatch(text):
        return text
    if text.startswith("serviceAccount:"):
        return account_resource(text.partition(":")[2])
    return resource_name(text)


def resource_name(text: str) -> str:
    """Return the canonical full name of a resource."""
    account = _ACCOUNT.fullmatch(text) if ACCOUNTS in text else None
    if account is not None:
        return account_resource(account["account"], account["project"])
    if text.startswith(_GS):
        bucket, slash, name = text.removeprefix(_GS).partition("/")
        return f"{BUCKETS}{bucket}" + (f"/objects/{name}" if slash and name else "")
    if text.startswith(_IN_CONDITIONS):
        return _STORAGE + text
    if text.startswith(_STORAGE) and not text.startswith(f"{_STORAGE}projects/"):
        bucket, slash, name = text.removeprefix(_STORAGE).partition("/")
        # The name of a bucket holds no slash: what follows is an object.
        return f"{BUCKETS}{bucket}" + (f"/objects/{name}" if slash and name else "") if bucket else text
    return text


def account_resource(address: str, project: str = "-") -> str:
    """Return the full name of a service account as a resource.

    The project comes from the address where it names one, because lists write ids, numbers and `-` for it.
    """
    if not address.startswith("<"):
        address = address.lower()
    return f"{IAM_HOST}projects/{project_of_account(address) or project}{ACCOUNTS}{address}"


def account_of(scope: str) -> str | None:
    """Return the principal id of the service account that a scope is, `None` for other scopes."""
    account = _ACCOUNT.fullmatch(scope) if ACCOUNTS in scope else None
    return f"serviceAccount:{account['account'].lower()}" if account is not None else None


def bucket_of(name: str) -> str | None:
    """Return the bucket that a full resource name is or lies in."""
    return name.removeprefix(BUCKETS).partition("/")[0] if name.startswith(BUCKETS) else None


def container_of(name: str) -> str | None:
    """Return the container that a full resource name states, `None` when it states none."""
    if not name.startswith("//"):
        return name if CONTAINER.fullmatch(name) else None
    parts = name.split("/", _NAME_END)
    if len(parts) <= _ID_AT or parts[_ID_AT - 1] not in _LEVELS or parts[_ID_AT] in ("_", "-"):
        return None
    return f"{parts[_ID_AT - 1]}/{parts[_ID_AT]}"


def level_of(scope: str) -> str:
    """Return `project`, `folder`, `organization` or `resource`."""
    return _LEVELS[scope.partition("/")[0]] if CONTAINER.fullmatch(scope) else "resource"


def full_name(scope: str) -> str:
    """Return a scope as a full resource name."""
    return f"{PROJECTS_HOST}{scope}" if CONTAINER.fullmatch(scope) else scope


def is_number(container: str) -> bool:
    """Tell whether a container id is a number, such as `projects/123`."""
    return container.partition("/")[2].isdigit()
