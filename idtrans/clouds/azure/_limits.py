"""Conditions of role assignments in the words that all clouds have in common, and back.

https://learn.microsoft.com/azure/role-based-access-control/conditions-format
https://learn.microsoft.com/azure/storage/blobs/storage-auth-abac-attributes
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from idtrans.algebra import (
    ACTION,
    ALWAYS,
    NEVER,
    STAR,
    Always,
    Both,
    Condition,
    Either,
    Forms,
    Has,
    Language,
    Negation,
    Never,
    Opaque,
    Template,
    Test,
    TimeSet,
    Truth,
    all_of,
    any_of,
    describe,
    negate,
    positive,
    rewrite,
)
from idtrans.clouds.azure._conditions import SUBOPERATION
from idtrans.clouds.azure._emit_names import read_scope
from idtrans.model.errors import InternalError
from idtrans.ports import ENDPOINT, OBJECT, OBJECT_TAG, PRINCIPAL_TAG, PRIVATE, STORE, TIME, TLS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from idtrans.ports import Holding

LISTING: Final = "Blob.List"
"""Sub-operation of reading blobs that lists them. It has the prefix that it asks for and no path."""

_BLOB: Final = "microsoft.storage/storageaccounts/blobservices/containers/blobs"
_BLOBS: Final = f"data:{_BLOB}/"
_QUEUES: Final = "data:microsoft.storage/storageaccounts/queueservices/queues/messages/"
_PATH: Final = f"@resource[{_BLOB}:path]"
_PREFIX: Final = f"@request[{_BLOB}:prefix]"
_CONTAINER: Final = "@resource[microsoft.storage/storageaccounts/blobservices/containers:name]"
_TAG: Final = f"@resource[{_BLOB}/tags:"
_TAG_KEY: Final = re.compile(rf"{OBJECT_TAG}[A-Za-z0-9 +./:=_-]+")
"""Keys that tags of blobs can have. https://learn.microsoft.com/azure/storage/blobs/storage-manage-find-blobs"""
_CASE: Final = "<$key_case_sensitive$>"
_ATTRIBUTE: Final = "@principal[microsoft.directory/customsecurityattributes/id:"
_KEYS: Final = {
    "@environment[utcnow]": TIME,
    "@environment[isprivatelink]": PRIVATE,
    "@environment[microsoft.network/privateendpoints]": ENDPOINT,
}
_WRITTEN: Final = {
    TIME: "@Environment[UtcNow]",
    PRIVATE: "@Environment[isPrivateLink]",
    ENDPOINT: "@Environment[Microsoft.Network/privateEndpoints]",
}
_NO_WORD: Final = "other clouds have no word for it"
_UNSAID: Final = "conditions of role assignments have no attribute for it"

_DECIDED: Final[Mapping[Truth, Condition]] = {Truth.TRUE: ALWAYS, Truth.FALSE: NEVER}
"""Tests of a key that a request never has, by what they yield without it."""


def limit(holding: Holding, operation: str, variant: str | None) -> Condition:
    """Say the condition of an assignment in common words, for one operation and sub-operation."""
    asked = _decided(holding.condition, operation, variant or "")

    def word(leaf: Condition) -> Condition:
        if isinstance(leaf, Test) and leaf.key == _CONTAINER and not operation.lower().startswith(_BLOBS):
            return Opaque(describe(leaf), _NO_WORD)
        return _word(leaf, holding, variant)

    return rewrite(positive(asked), word)


def _decided(condition: Condition, operation: str, variant: str) -> Condition:
    """Return a condition with what the operation and the sub-operation decide."""
    match condition:
        case Both(parts):
            return all_of(*(_decided(part, operation, variant) for part in parts))
        case Either(parts):
            return any_of(*(_decided(part, operation, variant) for part in parts))
        case Negation(part):
            return negate(_decided(part, operation, variant))
        case Test(key=key, values=Language() as values) if key == ACTION:
            return ALWAYS if values.matches(operation) else NEVER
        case Test(key=key, values=Language() as values) if key == SUBOPERATION:
            return ALWAYS if variant and values.matches(variant) else NEVER
        case _:
            return condition


def _word(leaf: Condition, holding: Holding, variant: str | None) -> Condition:
    if isinstance(leaf, Always | Never | Opaque):
        return leaf
    key = leaf.key if isinstance(leaf, Test | Has) else ""
    if key in (_PATH, _PREFIX):
        return _named(leaf, key, variant)
    if not isinstance(leaf, Test) or isinstance(leaf.values, Template):
        return Opaque(describe(leaf), _NO_WORD)
    if key == _CONTAINER:
        return _in_container(leaf, holding)
    common = _common(leaf)
    if common is None:
        return Opaque(describe(leaf), _NO_WORD)
    missing = Truth.FALSE if common == TIME else leaf.missing
    said = replace(leaf, key=common, label="", missing=missing)
    # A listing is about a container, which has no tags of blobs.
    absent = common.startswith(OBJECT_TAG) and variant == LISTING
    return _DECIDED.get(leaf.missing, said) if absent else said


def _common(leaf: Test) -> str | None:
    """Return the common word for an attribute."""
    key = leaf.key
    if key.startswith(_TAG) and key.endswith(f"{_CASE}]"):
        return OBJECT_TAG + key[len(_TAG) : -len(_CASE) - 1]
    if key.startswith(_ATTRIBUTE):
        return PRINCIPAL_TAG + (leaf.label or key)[len(_ATTRIBUTE) : -1]
    return _KEYS.get(key)


def _in_container(leaf: Test, holding: Holding) -> Condition:
    scope = read_scope(holding.scope, "object-store")
    if scope is None and isinstance(leaf.values, Language):
        # Beside stores and containers, a grant covers every container of the accounts in its scope.
        return replace(leaf, key=STORE, label="", missing=Truth.FALSE)
    name = scope.parts.get("container") if scope is not None else None
    if name is None or isinstance(leaf.values, Template):
        return Opaque(describe(leaf), _NO_WORD)
    return ALWAYS if leaf.values.matches(name) else NEVER


def _named(leaf: Condition, key: str, variant: str | None) -> Condition:
    """Say which names are meant: listings have the prefix that they ask for, all else has the path of its blob."""
    there = (key == _PREFIX) == (variant == LISTING)
    if isinstance(leaf, Has):
        return ALWAYS if there else NEVER
    if not isinstance(leaf, Test):
        return Opaque(describe(leaf), _NO_WORD)
    if there:
        return replace(leaf, key=OBJECT, label="", missing=Truth.FALSE)
    return _DECIDED.get(leaf.missing) or Opaque(describe(leaf), "no attribute of it")


def fit(leaf: Condition, operation: str, variant: str | None = None) -> Condition:
    """Return a leaf of a limit as it can be written here, a free symbol with the reason where it cannot."""
    if not isinstance(leaf, Test):
        return leaf if isinstance(leaf, Always | Never | Opaque) else Opaque(describe(leaf), _UNSAID)
    if leaf.key == TLS and isinstance(leaf.values, Language):
        # An account that lets requests pass unencrypted has to be set up so, and is no matter of grants.
        return ALWAYS if leaf.values.matches("true") else NEVER
    asked = operation.lower()
    if not asked.startswith((_BLOBS, _QUEUES)):
        return Opaque(describe(leaf), f"a condition has no effect on `{operation}`")
    if leaf.key.startswith(OBJECT_TAG) and variant == LISTING:
        return Opaque(describe(leaf), "a listing is about no blob that has tags")
    sayable = leaf.key in (TIME, PRIVATE) or (asked.startswith(_BLOBS) and _of_blobs(leaf, asked))
    return leaf if sayable else Opaque(describe(leaf), _UNSAID)


def _of_blobs(leaf: Test, operation: str) -> bool:
    """Tell whether a test on names or tags of blobs can be written."""
    forms = _listed(leaf)
    if forms is None or forms.fold or leaf.missing is not Truth.FALSE:
        return False
    if leaf.key in (OBJECT, STORE):
        return True
    tagged = _TAG_KEY.fullmatch(leaf.key) is not None and operation.startswith((f"{_BLOBS}read", f"{_BLOBS}tags/read"))
    return tagged and not forms.patterns


def _listed(leaf: Test) -> Forms | None:
    forms = leaf.values.forms() if isinstance(leaf.values, Language) else None
    return forms if forms is not None and not forms.negated and _quotable(forms) else None


def _quotable(forms: Forms) -> bool:
    literals = [*forms.words, *(piece for tokens in forms.patterns for piece in tokens if isinstance(piece, str))]
    return all(text.isprintable() or not text for text in literals) and not any(
        mark in text for text in literals for mark in "'\\*?"
    )


def written(limit_: Condition) -> str | None:
    """Return a limit in the language of conditions; `None` for no limit.

    Raises:
        InternalError: a leaf was not made to fit.
    """
    match limit_:
        case Both(parts) | Either(parts):
            joiner = " AND " if isinstance(limit_, Both) else " OR "
            return joiner.join(f"({text})" for text in map(written, parts) if text is not None)
        case Test():
            return _leaf(limit_)
        case _:
            if limit_ == ALWAYS:
                return None
            raise InternalError(f"the limit `{describe(limit_)}` was not made to fit")


def _leaf(leaf: Test) -> str:
    if isinstance(leaf.values, TimeSet):
        return _times(leaf.values)
    if leaf.key == PRIVATE:
        return f"{_WRITTEN[PRIVATE]} BoolEquals {'true' if _yes(leaf) else 'false'}"
    forms = _listed(leaf)
    if forms is None:
        raise InternalError(f"the limit `{describe(leaf)}` was not made to fit")
    if leaf.key == OBJECT:
        return _objects(forms)
    if leaf.key == STORE:
        named = _any_of(_compared(f"@Resource[{_CONTAINERS}:name]", forms))
        return f"(!(ActionMatches{{'{_SPELLED}/*'}})) OR ({named})"
    attribute = f"@Resource[{_SPELLED}/tags:{leaf.key.removeprefix(OBJECT_TAG)}{_CASE}]"
    return _any_of(f"{attribute} StringEquals '{word}'" for word in forms.words)


def _yes(leaf: Test) -> bool:
    return isinstance(leaf.values, Language) and leaf.values.matches("true")


_CONTAINERS: Final = "Microsoft.Storage/storageAccounts/blobServices/containers"
_SPELLED: Final = f"{_CONTAINERS}/blobs"


def _any_of(tests: Iterable[str]) -> str:
    found = list(tests)
    return found[0] if len(found) == 1 else " OR ".join(f"({each})" for each in found)


def _times(times: TimeSet) -> str:
    spans = []
    for low, high in times.ranges():
        bounds = []
        if low is not None:
            bounds.append(f"{_WRITTEN[TIME]} DateTimeGreaterThan{'Equals' if low.inside else ''} '{low.text}'")
        if high is not None:
            bounds.append(f"{_WRITTEN[TIME]} DateTimeLessThan{'Equals' if high.inside else ''} '{high.text}'")
        spans.append(" AND ".join(bounds))
    return _any_of(spans)


def _objects(forms: Forms) -> str:
    """Write which blobs are meant. A listing carries the prefix that it asks for, all else the path of its blob.

    https://learn.microsoft.com/azure/storage/blobs/storage-auth-abac-examples
    """
    listing = f"ActionMatches{{'{_SPELLED}/read'}} AND SubOperationMatches{{'{LISTING}'}}"
    elsewhere = f"!(ActionMatches{{'{_SPELLED}/*'}}) OR ({listing})"
    asked = _any_of(_compared(f"@Request[{_SPELLED}:prefix]", forms))
    path = _any_of(_compared(f"@Resource[{_SPELLED}:path]", forms))
    return f"((!({listing})) OR ({asked})) AND (({elsewhere}) OR ({path}))"


def _compared(attribute: str, forms: Forms) -> list[str]:
    found = [f"{attribute} StringEquals '{word}'" for word in forms.words]
    for tokens in forms.patterns:
        if len(tokens) == 2 and isinstance(tokens[0], str) and tokens[1] is STAR:  # noqa: PLR2004 - a start, then anything
            found.append(f"{attribute} StringStartsWith '{tokens[0]}'")
        else:
            text = "".join(token if isinstance(token, str) else token.value for token in tokens)
            found.append(f"{attribute} StringLike '{text}'")
    return found
