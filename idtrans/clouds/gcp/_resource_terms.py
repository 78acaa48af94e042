"""The attributes of a resource in conditions: its name, service and type, all told by the full name of a request.

https://cloud.google.com/iam/docs/conditions-attribute-reference
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from idtrans.algebra import (
    ALWAYS,
    NO_TEXT,
    RESOURCE,
    STAR,
    Condition,
    Language,
    Opaque,
    Quantifier,
    Test,
    all_of,
    any_of,
    pieces,
    union,
)
from idtrans.clouds.gcp._names import BUCKETS, PROJECTS_HOST
from idtrans.clouds.gcp._regex import Pattern
from idtrans.clouds.gcp._terms import Pair

NAMED_HOSTS: Final = (
    "apigee",
    "backupdr",
    "bigquery",
    "bigtableadmin",
    "binaryauthorization",
    "certificatemanager",
    "cloudkms",
    "compute",
    "logging",
    "pubsublite",
    "secretmanager",
    "spanner",
    "sqladmin",
    "storage",
)
"""Services whose resources have the attribute `resource.name`, without `.googleapis.com`.

https://cloud.google.com/iam/docs/conditions-attribute-reference#resource-name
"""
_UNNAMED_HOSTS: Final = ("cloudresourcemanager", "iam")


def _below(host: str, pattern: Pattern) -> Language:
    return pieces((STAR, f"//{host}.googleapis.com/", *pattern))


def _of_storage(pattern: Pattern) -> bool:
    """Tell whether only buckets and objects have names that fit: no other service has buckets of the project `_`."""
    return bool(pattern) and isinstance(pattern[0], str) and pattern[0].startswith("projects/_/buckets/")


_NAMED: Final = union(_below(host, (STAR,)) for host in NAMED_HOSTS)
_UNNAMED: Final = union(_below(host, (STAR,)) for host in _UNNAMED_HOSTS)


@dataclass(frozen=True, slots=True)
class ResourceName:
    """`resource.name`: the full resource name without the service. Some services do not have it."""

    def within(self, patterns: tuple[Pattern, ...]) -> Pair | None:
        """Say it of the full name; for a service that is not known to have names, leave it open."""
        words = " or ".join("".join("*" if part is STAR else str(part) for part in pattern) for pattern in patterns)
        elsewhere = Test(RESOURCE, Quantifier.ONE, ~(_NAMED | _UNNAMED))
        without = all_of(elsewhere, Opaque(f"resource.name does not fit {words}", _NO_NAMES))
        if all(_of_storage(pattern) for pattern in patterns):
            named = union(_below("storage", pattern) for pattern in patterns)
            return Pair(_on(named), any_of(_on(_NAMED - named), without))
        named = union(_below(host, pattern) for host in NAMED_HOSTS for pattern in patterns)
        within = all_of(elsewhere, Opaque(f"resource.name fits {words}", _NO_NAMES))
        return Pair(any_of(_on(named), within), any_of(_on(_NAMED - named), without))

    def present(self) -> Condition:
        """Return where names are known to exist."""
        return _on(_NAMED)


_TEMPLATE: Final = re.compile(r"(?P<before>[^{}]*)\{[^{}]*\}(?P<after>[^{}]*)")


@dataclass(frozen=True, slots=True)
class Extract:
    """`resource.name.extract("BEFORE{x}AFTER")`: what stands between the first BEFORE and the next AFTER.

    Without BEFORE it starts where the name does, without AFTER it ends there. Nothing where the name does not fit.
    https://cloud.google.com/iam/docs/conditions-overview#extract
    """

    before: str
    after: str

    @classmethod
    def of(cls, template: str) -> Extract | None:
        """Read a template, `None` when it does not have exactly one variable."""
        found = _TEMPLATE.fullmatch(template)
        return cls(found["before"], found["after"]) if found is not None else None

    def within(self, patterns: tuple[Pattern, ...]) -> Pair | None:
        """Say it of the full name.

        Where BEFORE occurs earlier than where the value would stand, what is extracted is another text: such names are
        left open, and so are values that AFTER could end early.
        """
        written = [pattern for pattern in patterns if any(pattern)]
        if not all(map(self._is_plain, written)):
            return None
        words = " or ".join("".join("*" if part is STAR else str(part) for part in pattern) for pattern in patterns)
        fitting = [self._fitting(pattern) for pattern in written]
        wanted = union(_everywhere(pattern) for pattern in fitting)
        again = [(STAR, self.before, *pattern) for pattern in fitting] if self.before else []
        twice = wanted & union(map(_everywhere, again))
        if len(written) < len(patterns):
            nothing, perhaps = self._nothing()
            wanted, twice = wanted | nothing | perhaps, twice | perhaps
        open_ = twice | ~(_NAMED | _UNNAMED)
        text = f"resource.name.extract({self.before}{{}}{self.after}) fits {words}"
        yes, no = Opaque(text, _NOT_FIRST), Opaque(f"!({text})", _NOT_FIRST)
        return Pair(
            any_of(_on(wanted - twice), all_of(_on(open_), yes)),
            any_of(_on(_NAMED - wanted), all_of(_on(open_), no)),
        )

    def present(self) -> Condition:
        """Return where names are known to exist."""
        return _on(_NAMED)

    def _is_plain(self, pattern: Pattern) -> bool:
        """Tell whether a pattern is a text, or the start of one, in which AFTER does not begin."""
        head, *rest = pattern
        if not isinstance(head, str) or not head or rest not in ([], [STAR]):
            return False
        if not self.after:
            return True
        return (
            f"{head}{self.after}".find(self.after) == len(head)
            if not rest
            else self.after not in head
            and not any(head.endswith(self.after[:length]) for length in range(1, len(self.after)))
        )

    def _fitting(self, pattern: Pattern) -> Pattern:
        """Return the names that hold a value of a pattern."""
        head, *rest = pattern
        start: Pattern = (STAR, f"{self.before}{head}") if self.before else (head,)
        if not self.after:
            return (*start, *rest)
        if rest:
            return (*start, STAR, self.after, STAR)
        return (*start[:-1], f"{start[-1]}{self.after}", STAR)

    def _nothing(self) -> tuple[Language, Language]:
        """Return the names of which nothing is extracted for sure, and those of which perhaps nothing is."""
        if not self.before and not self.after:
            return NO_TEXT, NO_TEXT
        if not self.before:
            return (_NAMED - _everywhere((STAR, self.after, STAR)) | _everywhere((self.after, STAR)), NO_TEXT)
        there = (self.before, STAR, self.after, STAR) if self.after else (self.before, STAR)
        at_once = (f"{self.before}{self.after}", STAR) if self.after else (self.before,)
        return _NAMED - _everywhere((STAR, *there)), _everywhere((STAR, *at_once))


_NOT_FIRST: Final = "which part of the name is extracted is not decided for names of this form"


def _everywhere(pattern: Pattern) -> Language:
    return union(_below(host, pattern) for host in NAMED_HOSTS)


@dataclass(frozen=True, slots=True)
class ResourceService:
    """`resource.service`: the service part of the full resource name."""

    def within(self, patterns: tuple[Pattern, ...]) -> Pair | None:
        """Say it of the full name."""
        found = union(pieces((STAR, "//", *pattern, "/", STAR)) for pattern in patterns)
        return Pair(_on(found), _on(~found))

    def present(self) -> Condition:
        """Return ALWAYS."""
        return ALWAYS


_OBJECTS: Final = pieces((STAR, BUCKETS, STAR, "/objects/", STAR))


def _type(start: str, *parts: str, below: str = "") -> Language:
    """Return the names of a type: those that hold the parts in order, without those of what lies below."""
    names = pieces((STAR, start, *(piece for part in parts for piece in (STAR, part)), STAR))
    return names - pieces((STAR, start, STAR, below, STAR)) if below else names


_SECRETS: Final = "//secretmanager.googleapis.com/projects/"
_KEYS: Final = "//cloudkms.googleapis.com/projects/"
_DATASETS: Final = "//bigquery.googleapis.com/projects/"
_COMPUTE: Final = "//compute.googleapis.com/projects/"
_TYPES: Final = {
    "secretmanager.googleapis.com/Secret": _type(_SECRETS, "/secrets/", below="/versions/"),
    "secretmanager.googleapis.com/SecretVersion": _type(_SECRETS, "/secrets/", "/versions/"),
    "cloudkms.googleapis.com/KeyRing": _type(_KEYS, "/keyRings/", below="/cryptoKeys/"),
    "cloudkms.googleapis.com/CryptoKey": _type(_KEYS, "/cryptoKeys/", below="/cryptoKeyVersions/"),
    "cloudkms.googleapis.com/CryptoKeyVersion": _type(_KEYS, "/cryptoKeys/", "/cryptoKeyVersions/"),
    "bigquery.googleapis.com/Table": _type(_DATASETS, "/datasets/", "/tables/"),
    "compute.googleapis.com/Instance": _type(_COMPUTE, "/zones/", "/instances/"),
    "compute.googleapis.com/Disk": _type(_COMPUTE, "/zones/", "/disks/"),
    "storage.googleapis.com/Object": _OBJECTS,
    "storage.googleapis.com/Bucket": pieces((STAR, BUCKETS, STAR)) - pieces((STAR, BUCKETS, STAR, "/", STAR)),
    **{
        f"cloudresourcemanager.googleapis.com/{name.capitalize()}": pieces((STAR, f"{PROJECTS_HOST}{name}s/", STAR))
        for name in ("project", "folder", "organization")
    },
}


@dataclass(frozen=True, slots=True)
class ResourceType:
    """`resource.type`, which follows from the full name for storage and for the hierarchy."""

    def within(self, patterns: tuple[Pattern, ...]) -> Pair | None:
        """Say it of the full name where all types that are asked for are known."""
        wanted = ["".join(str(part) for part in pattern) for pattern in patterns]
        if not all(len(pattern) == 1 for pattern in patterns) or not set(wanted) <= set(_TYPES):
            return None
        found = union(_TYPES[name] for name in wanted)
        return Pair(_on(found), _on(~found))

    def present(self) -> Condition:
        """Return ALWAYS."""
        return ALWAYS


_NO_NAMES: Final = "it is not known whether resources of this service have names in conditions"


def _on(language: Language) -> Condition:
    return Test(RESOURCE, Quantifier.ONE, language, label="resource")
