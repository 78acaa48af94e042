"""Names: the ids of what Vault keeps, which are its API paths with `vault:` in front."""

from __future__ import annotations

from typing import Final

NAME: Final = "vault"
PREFIX: Final = "vault:"


def path_id(path: str) -> str:
    """Return the id of what a path of the API stands for."""
    return f"{PREFIX}{path.strip('/')}"


def policy_id(name: str) -> str:
    """Return the id of a policy. Vault compares names of policies in lower case."""
    return path_id(f"sys/policies/acl/{name.lower()}")


def mount_of(path: str, marker: str) -> str:
    """Return the mount of a path: what stands before its last `/marker/`, or all of it."""
    head, found, _ = path.strip("/").rpartition(f"/{marker}")
    return head if found else path.strip("/")
