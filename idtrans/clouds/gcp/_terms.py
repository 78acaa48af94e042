"""Values that conditions compare: claims of a token, attributes of a resource, texts put together from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from idtrans.algebra import (
    ALWAYS,
    NEVER,
    RESOURCE,
    STAR,
    Condition,
    Has,
    Language,
    Opaque,
    Quantifier,
    Test,
    all_of,
    any_of,
    negate,
    pieces,
    union,
)
from idtrans.clouds.gcp._names import BUCKETS, PROJECTS_HOST
from idtrans.clouds.gcp._regex import Pattern


@dataclass(frozen=True, slots=True)
class Pair:
    """When an expression is true and when it is false. Where it is an error, it is neither."""

    true: Condition
    false: Condition


ERROR: Final = Pair(NEVER, NEVER)
"""An expression that never has a value, such as one on a claim that nothing maps."""


class Term(Protocol):
    """A text value of an expression."""

    def within(self, patterns: tuple[Pattern, ...]) -> Pair | None:
        """Return when the value fits one of the patterns, `None` when that cannot be said."""
        ...

    def present(self) -> Condition:
        """Return when there is a value."""
        ...


def language_of(patterns: tuple[Pattern, ...]) -> Language:
    """Return the texts that fit one of the patterns."""
    return union(pieces(pattern) for pattern in patterns)


def fits(key: str, language: Language, label: str = "") -> Pair:
    """Return when a key of one value is in a language; a key that is absent is an error."""
    return Pair(
        Test(key, Quantifier.ONE, language, label=label),
        Test(key, Quantifier.ONE, ~language, label=label),
    )


@dataclass(frozen=True, slots=True)
class Constant:
    """A text that the expression itself states."""

    text: str

    def within(self, patterns: tuple[Pattern, ...]) -> Pair | None:
        """Compare now."""
        return Pair(ALWAYS, NEVER) if language_of(patterns).matches(self.text) else Pair(NEVER, ALWAYS)

    def present(self) -> Condition:
        """Return ALWAYS."""
        return ALWAYS


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of the token."""

    key: str

    def within(self, patterns: tuple[Pattern, ...]) -> Pair | None:
        """Test the claim."""
        return fits(self.key, language_of(patterns))

    def present(self) -> Condition:
        """Ask for the claim."""
        return Has(self.key)


@dataclass(frozen=True, slots=True)
class Missing:
    """A value that the principal can never have, such as an attribute that is not mapped."""

    def within(self, patterns: tuple[Pattern, ...]) -> Pair | None:  # noqa: ARG002 - the protocol's signature
        """Return an error."""
        return ERROR

    def present(self) -> Condition:
        """Return NEVER."""
        return NEVER


_MAX_SPLITS: Final = 64
_MAX_PARTS: Final = 8
_MAX_CLAIMS: Final = 3
_MAX_TEXTS: Final = 16
_MAX_TEXT: Final = 256
"""Texts are cut in as many ways as they are long, to the power of the claims: what is larger is not looked into."""


@dataclass(frozen=True, slots=True)
class Concatenation:
    """Texts and claims put together with `+`."""

    parts: tuple[Constant | Claim, ...]

    def within(self, patterns: tuple[Pattern, ...]) -> Pair | None:
        """Spread each text over the claims in every way that it can be cut; patterns cannot be spread."""
        boxes: list[Condition] = []
        if not self._small(patterns):
            return None
        for pattern in patterns:
            text = "".join(part for part in pattern if isinstance(part, str))
            if any(not isinstance(part, str) for part in pattern):
                return None
            for cut in _cuts(self.parts, text):
                boxes.append(all_of(*(fits(key, pieces((value,))).true for key, value in cut)))
                if len(boxes) > _MAX_SPLITS:
                    return None
        true = any_of(*boxes)
        return Pair(true, all_of(self.present(), negate(true)))

    def present(self) -> Condition:
        """Ask for every claim."""
        return all_of(*(part.present() for part in self.parts))

    def _small(self, patterns: tuple[Pattern, ...]) -> bool:
        claims = sum(isinstance(part, Claim) for part in self.parts)
        if claims > _MAX_CLAIMS or len(self.parts) > _MAX_PARTS:
            return False
        longest = max((len(part) for pattern in patterns for part in pattern if isinstance(part, str)), default=0)
        return claims <= 1 or (len(patterns) <= _MAX_TEXTS and longest <= _MAX_TEXT)


def _cuts(parts: tuple[Constant | Claim, ...], text: str) -> Iterator[tuple[tuple[str, str], ...]]:
    """Yield every way to give the claims values so that the parts spell the text."""
    if not parts:
        if not text:
            yield ()
        return
    head, rest = parts[0], parts[1:]
    if isinstance(head, Constant):
        if text.startswith(head.text):
            yield from _cuts(rest, text.removeprefix(head.text))
        return
    for end in [len(text)] if not rest else range(len(text) + 1):
        for tail in _cuts(rest, text[end:]):
            yield ((head.key, text[:end]), *tail)


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
_TYPES: Final = {
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
