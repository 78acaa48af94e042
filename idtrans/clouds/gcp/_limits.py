"""Conditions of bindings in the words that all clouds have in common, and back.

https://cloud.google.com/iam/docs/conditions-attribute-reference
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from idtrans.algebra import (
    ALWAYS,
    ANY_TEXT,
    NEVER,
    NO_TEXT,
    RESOURCE,
    STAR,
    Always,
    Both,
    Condition,
    Either,
    Forms,
    Language,
    Never,
    Opaque,
    Quantifier,
    Template,
    Test,
    TimeSet,
    Truth,
    Wildcard,
    describe,
    exact,
    pieces,
    positive,
    rewrite,
    union,
)
from idtrans.clouds.gcp import _bucket_names
from idtrans.clouds.gcp._cel import quote
from idtrans.clouds.gcp._clock import TIME_KEY
from idtrans.clouds.gcp._names import BUCKETS, bucket_of, resource_name
from idtrans.clouds.gcp._request_terms import TAG_PREFIX
from idtrans.model.errors import BudgetExceededError, InternalError, UsageError
from idtrans.ports import OBJECT, RESOURCE_TAG, STORE, TIME, TLS, Holding

LISTED: Final = "storage.googleapis.com/objectListPrefix"
"""Attribute of a request to list objects: what the names that it asks for start with.

https://cloud.google.com/iam/docs/conditions-attribute-reference#cloud-storage-list-prefix
"""
_LISTING: Final = frozenset({"storage.objects.list", "storage.managedFolders.list", "storage.folders.list"})
_OF_OBJECTS: Final = ("storage.objects.", "storage.multipartUploads.")
_ON_BUCKETS: Final = frozenset({"storage.objects.list", "storage.multipartUploads.list"})
_NAME: Final = re.compile(r"projects/_/buckets/([^/'\"]+)/objects/([^'\"\\]*)")
_LITERAL: Final = re.compile(r"'([^'\\]*)'|\"([^\"\\]*)\"")
_NO_WORD: Final = "other clouds have no word for it"
TAGS_OF: Final = "<GCP_TAG_PARENT>"
"""Placeholder of the organization or project whose tag keys are meant."""

_DECIDED: Final[Mapping[Truth, Condition]] = {Truth.TRUE: ALWAYS, Truth.FALSE: NEVER}
"""Tests of a key that a request never has, by what they yield without it."""


def limit(holding: Holding, permission: str) -> Condition:
    """Say the condition of a binding in common words, for requests for one permission."""

    def word(leaf: Condition) -> Condition:
        return _word(leaf, holding, permission)

    return rewrite(positive(holding.condition), word)


def _word(leaf: Condition, holding: Holding, permission: str) -> Condition:
    if not isinstance(leaf, Test) or isinstance(leaf.values, Template):
        return leaf if isinstance(leaf, Always | Never | Opaque) else Opaque(describe(leaf), _NO_WORD)
    if leaf.key == TIME_KEY:
        return replace(leaf, key=TIME, label="", missing=Truth.FALSE)
    if leaf.key == RESOURCE and isinstance(leaf.values, Language):
        return _named(leaf, leaf.values, holding, permission)
    if leaf.key == LISTED:
        return _listed(leaf, permission)
    if leaf.key.startswith(TAG_PREFIX) and "/" in leaf.key:
        return replace(leaf, key=RESOURCE_TAG + leaf.key.rpartition("/")[2], label="")
    return Opaque(describe(leaf), _NO_WORD)


def _listed(leaf: Test, permission: str) -> Condition:
    """Say what a listing asks for; requests for anything else lack the attribute."""
    if permission in _LISTING:
        return replace(leaf, key=OBJECT, label="", missing=Truth.FALSE)
    return _DECIDED.get(leaf.missing, leaf)


def _named(leaf: Test, values: Language, holding: Holding, permission: str) -> Condition:
    """Say which names of resources a condition is about."""
    scope = resource_name(holding.scope)
    bucket = bucket_of(scope)
    if bucket is None:
        told = _bucket_names.read(leaf) if _bucket_names.on_buckets(permission) else None
        return told or Opaque(describe(leaf), "what it means for a single resource is not told apart")
    if permission in _ON_BUCKETS or not permission.startswith(_OF_OBJECTS):
        return ALWAYS if values.matches(f"{BUCKETS}{bucket}") else NEVER
    start = f"{BUCKETS}{bucket}/objects/"
    names = _names_after(values, start)
    if names is not None:
        return ALWAYS if names == ANY_TEXT else NEVER if names == NO_TEXT else Test(OBJECT, Quantifier.ONE, names)
    objects = pieces((STAR, start, STAR))
    try:
        return _of_objects(leaf, values & objects, objects, start, holding.condition_text or "")
    except BudgetExceededError:
        return Opaque(describe(leaf), "it is too large")


def _names_after(values: Language, start: str) -> Language | None:
    """Return what follows the start of a full name in a plain list of patterns, `None` for anything else."""
    forms = values.forms()
    if forms is None or forms.words or forms.fold:
        return None
    found = []
    for tokens in forms.patterns:
        if tokens[0] is not STAR or not isinstance(tokens[1], str) or not tokens[1].startswith("//"):
            return None
        if not tokens[1].startswith(_STORAGE):
            # The name of an object may look like another service's; what decides is the service it is of.
            continue
        name = _name_after(tokens[1], tokens[2:], start)
        if name is None:
            return None
        found.append(name)
    names = union(found) if found else NO_TEXT
    return ~names if forms.negated else names


def _name_after(head: str, rest: tuple[str | Wildcard, ...], start: str) -> Language | None:
    if head.startswith(start):
        return pieces((head.removeprefix(start), *rest))
    if not start.startswith(head):
        return NO_TEXT
    if rest[:1] != (STAR,):
        return NO_TEXT
    after = [token for token in rest[1:] if token is not STAR]
    if after in ([], ["/objects/"]):
        return ANY_TEXT if rest[-1] is STAR else None
    return pieces((STAR, after[0])) if len(rest) == _AN_END and isinstance(after[0], str) else None


_AN_END: Final = 2
"""Length of a star and the end of a name."""
_STORAGE: Final = "//storage.googleapis.com/"


def _of_objects(leaf: Test, held: Language, objects: Language, start: str, written: str) -> Condition:
    if held.is_empty():
        return NEVER
    if objects.issubset(held):
        return ALWAYS
    named = {found[1] for found in _NAME.findall(written)}
    endings = {one or other for one, other in _LITERAL.findall(written) if "/buckets/" not in (one or other)}
    guesses: list[tuple[Language, Language]] = []
    for text in sorted(named):
        guesses.append((pieces((STAR, start, text, STAR)), pieces((text, STAR))))
        guesses.append((pieces((STAR, start, text)), exact(text)))
        guesses += [(pieces((STAR, start, text, STAR, end)), pieces((text, STAR, end))) for end in sorted(endings)]
    guesses += [(pieces((STAR, start, STAR, end)), pieces((STAR, end))) for end in sorted(endings)]
    for names, texts in guesses:
        if held == names & objects or (held.issubset(names) and (names & objects).issubset(held)):
            return Test(OBJECT, Quantifier.ONE, texts)
        rest = objects - names
        if held.issubset(rest) and rest.issubset(held):
            return Test(OBJECT, Quantifier.ONE, ~texts)
    return Opaque(describe(leaf), "which names of objects it is about is not told apart")


def fit(leaf: Condition, permission: str) -> Condition:
    """Return a leaf of a limit as it can be written here, a free symbol with the reason where it cannot."""
    if not isinstance(leaf, Test):
        return leaf if isinstance(leaf, Always | Never | Opaque) else Opaque(describe(leaf), _UNSAID)
    if leaf.key == TLS and isinstance(leaf.values, Language):
        # Google APIs accept encrypted requests alone.
        return ALWAYS if leaf.values.matches("true") else NEVER
    if leaf.key == TIME and isinstance(leaf.values, TimeSet):
        return leaf
    if _has_name(leaf.key, permission):
        # Every object and bucket has a name, and every listing asks for some start, if only the empty one.
        said = _names(leaf) if leaf.key == OBJECT else _bucket_names.sayable(leaf)
        there = replace(leaf, missing=Truth.FALSE)
        return there if said else Opaque(describe(leaf), "conditions know starts and ends of names alone")
    if leaf.key.startswith(RESOURCE_TAG) and isinstance(leaf.values, Language):
        forms = leaf.values.forms()
        listed = forms is not None and not forms.patterns and not forms.fold
        if forms is not None and listed and forms.negated is (leaf.missing is Truth.TRUE):
            return leaf
    return Opaque(describe(leaf), _UNSAID)


_UNSAID: Final = "conditions of IAM have no attribute for it"


def _has_name(key: str, permission: str) -> bool:
    """Tell whether the requests for a permission have the name that a key is about."""
    if key == OBJECT:
        return permission in _LISTING or _is_of_objects(permission)
    return key == STORE and _bucket_names.on_buckets(permission)


def _is_of_objects(permission: str) -> bool:
    return permission.startswith(_OF_OBJECTS) and permission not in _ON_BUCKETS


def _names(leaf: Test) -> bool:
    forms = leaf.values.forms() if isinstance(leaf.values, Language) else None
    if forms is None or forms.fold or (forms.negated and any(tokens[0] is STAR for tokens in forms.patterns)):
        return False
    return all(
        sum(token is STAR for token in tokens) == 1
        and all(isinstance(token, str) or token is STAR for token in tokens)
        and (tokens[0] is STAR or tokens[-1] is STAR)
        for tokens in forms.patterns
    )


def expression(limit_: Condition, bucket: str | None, permissions: Iterable[str]) -> str | None:
    """Return a limit in the Common Expression Language; `None` for no limit.

    Raises:
        InternalError: a leaf was not made to fit.
        UsageError: names of objects are to be limited, and no bucket is.
    """
    match limit_:
        case Both(parts):
            return " && ".join(f"({text})" if " || " in text else text for text in _each(parts, bucket, permissions))
        case Either(parts):
            return " || ".join(f"({text})" if " && " in text else text for text in _each(parts, bucket, permissions))
        case Test():
            return _leaf(limit_, bucket, tuple(permissions))
        case _:
            if limit_ == ALWAYS:
                return None
            raise InternalError(f"the limit `{describe(limit_)}` was not made to fit")


def _each(parts: Iterable[Condition], bucket: str | None, permissions: Iterable[str]) -> list[str]:
    names = tuple(permissions)
    return [text for part in parts if (text := expression(part, bucket, names)) is not None]


def _leaf(leaf: Test, bucket: str | None, permissions: tuple[str, ...]) -> str:
    if isinstance(leaf.values, TimeSet):
        return _times(leaf.values)
    if leaf.key == STORE:
        return _bucket_names.written(leaf)
    if leaf.key == OBJECT and isinstance(leaf.values, Language):
        if bucket is None and (not permissions or not _LISTING.issuperset(permissions)):
            raise UsageError("names of objects are limited in one bucket alone", advice="grant it on a bucket")
        return _objects(leaf.values, bucket or "", permissions)
    if leaf.key.startswith(RESOURCE_TAG) and isinstance(leaf.values, Language):
        forms = leaf.values.forms()
        if forms is not None:
            key = quote(f"{TAGS_OF}/{leaf.key.removeprefix(RESOURCE_TAG)}")
            tags = [f"resource.matchTag({key}, {quote(word)})" for word in forms.words]
            return " && ".join(f"!{tag}" for tag in tags) if forms.negated else " || ".join(tags)
    raise InternalError(f"the limit `{describe(leaf)}` was not made to fit")


def _times(times: TimeSet) -> str:
    spans = []
    for low, high in times.ranges():
        bounds = []
        if low is not None:
            bounds.append(f"request.time {'>=' if low.inside else '>'} timestamp({quote(low.text)})")
        if high is not None:
            bounds.append(f"request.time {'<=' if high.inside else '<'} timestamp({quote(high.text)})")
        spans.append(" && ".join(bounds))
    if len(spans) == 1:
        return spans[0]
    return " || ".join(f"({span})" if " && " in span else span for span in spans)


def _objects(names: Language, bucket: str, permissions: tuple[str, ...]) -> str:
    """Write which objects are meant: by their name, and for listings by what they ask for."""
    forms = names.forms()
    if forms is None:
        raise InternalError("the names of objects were not made to fit")
    listed = _listed_objects(forms, bucket, permissions)
    return f"!({listed})" if forms.negated else listed


def _listed_objects(forms: Forms, bucket: str, permissions: tuple[str, ...]) -> str:
    tests = []
    start = f"projects/_/buckets/{bucket}/objects/"
    if not permissions or any(map(_is_of_objects, permissions)):
        subject = "resource.type == 'storage.googleapis.com/Object' && resource.name"
        tests += [f"{subject} == {quote(start + word)}" for word in forms.words]
        tests += [
            f"{subject}.{'endsWith' if tokens[0] is STAR else 'startsWith'}"
            f"({quote(str(tokens[-1])) if tokens[0] is STAR else quote(start + str(tokens[0]))})"
            for tokens in forms.patterns
        ]
    if _LISTING.intersection(permissions):
        subject = f"api.getAttribute({quote(LISTED)}, '')"
        tests += [f"{subject} == {quote(word)}" for word in forms.words]
        tests += [
            f"{subject}.{'endsWith' if tokens[0] is STAR else 'startsWith'}"
            f"({quote(str(tokens[-1] if tokens[0] is STAR else tokens[0]))})"
            for tokens in forms.patterns
        ]
    return tests[0] if len(tests) == 1 else " || ".join(f"({each})" if " && " in each else each for each in tests)
