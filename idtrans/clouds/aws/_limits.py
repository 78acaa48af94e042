"""Conditions of policies in the words that all clouds have in common, and back.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from idtrans.algebra import (
    ALWAYS,
    NEVER,
    Always,
    Condition,
    Forms,
    Has,
    IpSet,
    Language,
    Negation,
    Never,
    Opaque,
    Quantifier,
    Range,
    Template,
    Test,
    TimeSet,
    Truth,
    Wildcard,
    any_of,
    describe,
    exact,
    one_of,
    pieces,
    positive,
    rewrite,
    union,
)
from idtrans.clouds.aws._resource_types import Part, parts_of_action
from idtrans.model.errors import InternalError
from idtrans.ports import (
    ENDPOINT,
    MFA,
    OBJECT,
    OBJECT_TAG,
    ORGANISATION,
    PRINCIPAL_TAG,
    PRIVATE,
    RESOURCE_TAG,
    SOURCE_IP,
    STORE,
    TIME,
    TLS,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


LISTING: Final = frozenset({"s3:listbucket", "s3:listbucketversions"})
"""Actions on a bucket whose `s3:prefix` key says below which prefix they list."""

_TAGS: Final = "s3:existingobjecttag/"
_ON_TAGGED: Final = (
    "s3:deleteobjecttagging",
    "s3:deleteobjectversiontagging",
    "s3:getobject",
    "s3:putobjectacl",
    "s3:putobjecttagging",
    "s3:putobjectversionacl",
    "s3:putobjectversiontagging",
)
"""Starts of the actions on objects that are there and carry their tags; listings, writes and deletions have none.

https://docs.aws.amazon.com/AmazonS3/latest/userguide/tagging-and-policies.html
"""

_KEYS: Final = {
    "aws:currenttime": TIME,
    "aws:sourceip": SOURCE_IP,
    "aws:sourcevpce": ENDPOINT,
    "aws:multifactorauthpresent": MFA,
    "aws:principalorgid": ORGANISATION,
    "aws:securetransport": TLS,
    "s3:prefix": OBJECT,
}
_STARTS: Final = {
    "aws:resourcetag/": RESOURCE_TAG,
    "s3:existingobjecttag/": OBJECT_TAG,
    "aws:principaltag/": PRINCIPAL_TAG,
}
_WRITTEN: Final = {
    TIME: "aws:CurrentTime",
    SOURCE_IP: "aws:SourceIp",
    ENDPOINT: "aws:SourceVpce",
    MFA: "aws:MultiFactorAuthPresent",
    ORGANISATION: "aws:PrincipalOrgID",
    TLS: "aws:SecureTransport",
    OBJECT: "s3:prefix",
    RESOURCE_TAG: "aws:ResourceTag/",
    OBJECT_TAG: "s3:ExistingObjectTag/",
    PRINCIPAL_TAG: "aws:PrincipalTag/",
}
_YES: Final = exact("true", fold=True)
_NO_WORD: Final = "other clouds have no word for it"
_ABSENT: Final = "what it yields without the key cannot be said"

_DECIDED: Final[Mapping[Truth, Condition]] = {Truth.TRUE: ALWAYS, Truth.FALSE: NEVER}
"""Tests of a key that a request never has, by what they yield without it."""


def limit(condition: Condition, action: str) -> Condition:
    """Say the condition of a statement in common words, for requests for one action."""

    def word(leaf: Condition) -> Condition:
        return _word(leaf, action.lower())

    return rewrite(positive(condition), word)


def _word(leaf: Condition, action: str) -> Condition:
    if isinstance(leaf, Has) and leaf.key == "aws:sourcevpce":
        return Test(PRIVATE, Quantifier.ONE, _YES)
    if not isinstance(leaf, Test):
        return (
            leaf
            if isinstance(leaf, Always | Never | Opaque)
            else Opaque(describe(leaf), "other clouds have no word for it")
        )
    if (leaf.key == "s3:prefix" and action not in LISTING) or (leaf.key.startswith(_TAGS) and not _tagged(action)):
        return _DECIDED.get(leaf.missing, leaf)
    key = _KEYS.get(leaf.key)
    for start, common in _STARTS.items():
        if leaf.key.startswith(start):
            key = common + (leaf.label or leaf.key)[len(start) :]
    if key is None or isinstance(leaf.values, Template) or leaf.quantifier is not Quantifier.ONE:
        return Opaque(describe(leaf), _NO_WORD)
    # These are there in every request that they are about.
    missing = Truth.FALSE if key in (TIME, TLS) else leaf.missing
    return replace(leaf, key=key, missing=missing, label="")


def _tagged(action: str) -> bool:
    """Tell whether requests for an action carry the tags of the object that is there."""
    return action.startswith(_ON_TAGGED)


def fit(leaf: Condition, action: str) -> Condition:
    """Return a leaf of a limit as it can be written here, a free symbol with the reason where it cannot."""
    if not isinstance(leaf, Test):
        return leaf
    if not _has_name(leaf.key, action):
        return Opaque(describe(leaf), "the action has no names of buckets or objects")
    if leaf.key.startswith(OBJECT_TAG) and not _tagged(action.lower()):
        return Opaque(describe(leaf), "the action is about no object that has tags")
    match leaf.values:
        case TimeSet() as times:
            return any_of(NEVER, *(replace(leaf, values=_between(span)) for span in times.ranges()))
        case Language() as texts:
            return _fit_texts(leaf, texts.forms())
        case _:
            return leaf if leaf.missing is Truth.FALSE else Opaque(describe(leaf), _ABSENT)


def _has_name(key: str, action: str) -> bool:
    """Tell whether an action is about something that has the name that a key is about."""
    if key not in (OBJECT, STORE):
        return True
    parts = parts_of_action(action)
    return bool(parts) and (key == STORE or Part.OBJECT in parts or action.lower() in LISTING)


def _are_starts(forms: Forms) -> bool:
    """Tell whether texts are everything with some starts; a star elsewhere would take slashes in, too."""
    if forms.negated or forms.fold or forms.words:
        return False
    return all(len(tokens) == len(("start", "*")) and isinstance(tokens[0], str) for tokens in forms.patterns)


def _fit_texts(leaf: Test, forms: Forms | None) -> Condition:
    if forms is None or not _plain(forms):
        return Opaque(describe(leaf), "the values cannot be listed")
    if leaf.key == STORE:
        return (
            leaf if _are_starts(forms) else Opaque(describe(leaf), "ARNs for many buckets know starts of names alone")
        )
    mixed = bool(forms.words and forms.patterns)
    if mixed and not forms.negated:
        parts = (Forms(forms.words, (), fold=forms.fold), Forms((), forms.patterns, fold=forms.fold))
        return any_of(*(replace(leaf, values=_language(part)) for part in parts))
    # An operator that negates holds without the key; the others do not.
    fitting = forms.negated is (leaf.missing is Truth.TRUE) or leaf.key in (MFA, TLS)
    return leaf if fitting and not mixed else Opaque(describe(leaf), _ABSENT)


def _language(forms: Forms) -> Language:
    return union([one_of(forms.words, fold=forms.fold), *(pieces(each, fold=forms.fold) for each in forms.patterns)])


def _between(span: Range) -> TimeSet:
    low, high = span
    found = TimeSet.everything()
    if low is not None:
        found &= (TimeSet.at_least if low.inside else TimeSet.above)(low.text)
    if high is not None:
        found &= (TimeSet.at_most if high.inside else TimeSet.below)(high.text)
    return found


def _plain(forms: Forms) -> bool:
    """Tell whether no literal would be read as a wildcard or a variable."""
    literals = [*forms.words, *(piece for tokens in forms.patterns for piece in tokens if isinstance(piece, str))]
    marks = ("*", "?", "${") if forms.patterns else ("${",)
    return not any(mark in text for text in literals for mark in marks)


def blocks(clause: Iterable[Condition]) -> dict[str, dict[str, list[str]]]:
    """Return leaves that must all hold as a condition block.

    Raises:
        InternalError: a leaf was not made to fit.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for leaf in clause:
        for operator, key, values in _tests(leaf):
            found.setdefault(operator, {})[key] = values
    return found


def _tests(leaf: Condition) -> list[tuple[str, str, list[str]]]:
    match leaf:
        case Test(key=key) if key == PRIVATE:
            return [("Null", "aws:SourceVpce", ["false"])]
        case Negation(Has()):
            raise InternalError(f"the limit `{describe(leaf)}` was not made to fit")
        case Test(values=TimeSet() as times):
            return _times(leaf.key, times)
        case Test(values=IpSet() as addresses):
            return [("IpAddress", _key(leaf.key), [str(network) for network in addresses.networks()])]
        case Test(values=Language() as texts):
            return _texts(leaf.key, texts.forms())
    raise InternalError(f"the limit `{describe(leaf)}` was not made to fit")


def _times(key: str, times: TimeSet) -> list[tuple[str, str, list[str]]]:
    found = []
    for low, high in times.ranges():
        if low is not None:
            found.append(("DateGreaterThanEquals" if low.inside else "DateGreaterThan", _key(key), [low.text]))
        if high is not None:
            found.append(("DateLessThanEquals" if high.inside else "DateLessThan", _key(key), [high.text]))
    return found


def _texts(key: str, forms: Forms | None) -> list[tuple[str, str, list[str]]]:
    if forms is None:
        raise InternalError(f"the limit on `{key}` was not made to fit")
    if key in (MFA, TLS):
        return [("Bool", _key(key), ["false" if forms.negated else "true"])]
    sense = "Not" if forms.negated else ""
    found = []
    if forms.words:
        found.append((f"String{sense}Equals{'IgnoreCase' if forms.fold else ''}", _key(key), list(forms.words)))
    if forms.patterns:
        found.append((f"String{sense}Like", _key(key), list(map(pattern_text, forms.patterns))))
    return found


def pattern_text(tokens: tuple[str | Wildcard, ...]) -> str:
    """Return a pattern as policies write it."""
    return "".join(token if isinstance(token, str) else token.value for token in tokens)


def _key(key: str) -> str:
    for start in (RESOURCE_TAG, OBJECT_TAG, PRINCIPAL_TAG):
        if key.startswith(start):
            return _WRITTEN[start] + key.removeprefix(start)
    return _WRITTEN[key]
