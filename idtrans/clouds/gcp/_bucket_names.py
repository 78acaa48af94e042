"""Limits to the buckets of some names: grants on a project that the names of resources narrow, and back.

Requests about objects carry the name of the object, which starts with the one of its bucket; listings carry the name
of the bucket.
https://cloud.google.com/iam/docs/conditions-attribute-reference#resource-name
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.algebra import RESOURCE, STAR, Language, Quantifier, Test, one_of, pieces, union
from idtrans.catalog import acting
from idtrans.clouds.gcp._cel import quote
from idtrans.clouds.gcp._names import BUCKETS
from idtrans.model.intents import Scope
from idtrans.ports import STORE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.algebra import Wildcard

_BUCKET: Final = Scope("object-store", "", {"bucket": ""})
_NAME: Final = BUCKETS.removeprefix("//storage.googleapis.com/")


def on_buckets(permission: str) -> bool:
    """Tell whether a permission is used on buckets or what lies in them."""
    return permission.startswith("storage.") and acting("gcp", _BUCKET).matches(permission)


def sayable(leaf: Test) -> bool:
    """Tell whether a test on names of buckets asks for some names, or for some starts of names."""
    forms = leaf.values.forms() if isinstance(leaf.values, Language) else None
    return forms is not None and not forms.negated and not forms.fold and all(map(_is_start, forms.patterns))


def _is_start(tokens: tuple[str | Wildcard, ...]) -> bool:
    return len(tokens) == len(("start", STAR)) and isinstance(tokens[0], str) and tokens[1] is STAR


def written(leaf: Test) -> str:
    """Return a test that is sayable as an expression."""
    forms = leaf.values.forms() if isinstance(leaf.values, Language) else None
    words, patterns = (forms.words, forms.patterns) if forms is not None else ((), ())
    tests = [f"resource.name == {quote(f'{_NAME}{word}')}" for word in words]
    tests += [f"resource.name.startsWith({quote(f'{_NAME}{word}/')})" for word in words]
    tests += [f"resource.name.startsWith({quote(f'{_NAME}{tokens[0]}')})" for tokens in patterns]
    return " || ".join(tests)


def read(leaf: Test) -> Test | None:
    """Say a test on names of resources as one on names of buckets, `None` for one that is about anything else."""
    forms = leaf.values.forms() if leaf.key == RESOURCE and isinstance(leaf.values, Language) else None
    if forms is None or forms.negated or forms.fold or forms.words:
        return None
    found = [_name_of(tokens) for tokens in forms.patterns]
    starts = [name for name in found if name is not None]
    if len(starts) < len(found):
        return None
    whole = {name for name, star in starts if not star}
    inside = {name.removesuffix("/") for name, star in starts if star and name.endswith("/")}
    if whole != inside:
        # A bucket without what lies in it, or the other way about, has no word.
        return None
    names = [pieces((name, STAR)) for name, star in starts if star and not name.endswith("/")]
    return Test(STORE, Quantifier.ONE, _all(whole, names))


def _all(whole: set[str], starts: Iterable[Language]) -> Language:
    return union([*([one_of(whole)] if whole else []), *starts])


def _name_of(tokens: tuple[str | Wildcard, ...]) -> tuple[str, bool] | None:
    """Return the start of the name of a bucket, and whether more may follow; `None` for any other pattern."""
    star = tokens[-1] is STAR
    inner = tokens[1:-1] if star else tokens[1:]
    if tokens[0] is not STAR or len(inner) != 1 or not isinstance(inner[0], str) or not inner[0].startswith(BUCKETS):
        return None
    name = inner[0].removeprefix(BUCKETS)
    return (name, star) if name and "/" not in name[:-1] and (star or not name.endswith("/")) else None
