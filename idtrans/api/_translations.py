"""The same grants in another cloud."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from idtrans.api._clouds import cloud_named, cloud_of, clouds
from idtrans.api._file import read_file
from idtrans.api._names import GivenNames
from idtrans.api._translated_trusts import Apart, token_trusts, translated_trusts
from idtrans.model.answers import TranslationsAnswer
from idtrans.model.artifacts import ArtifactFormat
from idtrans.model.errors import UsageError
from idtrans.model.intents import Names

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from idtrans.model.estate import Estate
    from idtrans.model.translations import Translation
    from idtrans.ports import Cloud
    from idtrans.translate import IdMap


def translate(
    estate: Estate,
    target: str,
    *,
    principal: str | None = None,
    mapping: str | os.PathLike[str] | None = None,
    names: Mapping[str, str] | None = None,
    allow_broader: bool = False,
    form: ArtifactFormat = ArtifactFormat.NATIVE,
) -> TranslationsAnswer:
    """Return what one principal, or each that holds anything, holds in the words of a target cloud, with verdicts.

    The trusts in tokens that give these principals away are translated beside the grants, each with its own verdict.

    `mapping` is a file that says which ids of the target stand for which of the source; what it does not say and
    `names` does not either becomes a placeholder. A translation that would grant more is refused unless
    `allow_broader`. `form` is how reports write the artifacts out.

    Raises:
        DataError: the map breaks its schema.
        DocumentError: the map cannot be read.
        UsageError: there is no such cloud or principal, the input has no other cloud, or a name fits nothing.
    """
    from idtrans.translate import NO_MAP, read_map

    to = cloud_named(target)
    question = _Question(estate, to, principal, NO_MAP if mapping is None else read_map(read_file(mapping)))
    found = question.ask(names or {}, allow_broader=allow_broader)
    sources = _sources(estate, to, principal)
    stated = token_trusts(estate, sources, principal)
    given = GivenNames(names)
    trusts = translated_trusts(stated, to, given.names(), allow_broader=allow_broader)
    if names and (any(entry.grants for entry in found) or any(entry.emissions for entry in trusts)):
        _check(names, question.ask({}, allow_broader=allow_broader), given.asked)
    apart = Apart.of(estate, stated, sources)
    kept: list[Translation] = []
    unread = dict.fromkeys(estate.unsupported)
    for entry in found:
        if apart.is_trust(entry):
            unread.update(dict.fromkeys(apart.doubts(entry)))
        else:
            kept.append(entry)
    return TranslationsAnswer(tuple(kept), tuple(unread), form, trusts)


@dataclass(frozen=True, slots=True)
class _Question:
    """What is to be said in which cloud."""

    estate: Estate
    to: Cloud
    principal: str | None
    id_map: IdMap

    def ask(self, names: Mapping[str, str], *, allow_broader: bool) -> tuple[Translation, ...]:
        """Return the translations with some names filled in."""
        from idtrans.translate import translate as say

        estate, principal = self.estate, self.principal
        return tuple(
            entry
            for source in _sources(estate, self.to, principal)
            for entry in say(
                source,
                self.to,
                estate,
                principal=None if principal is None else source.principal(principal, estate),
                mapping=self.id_map,
                names=Names(names),
                allow_broader=allow_broader,
            )
        )


def _check(names: Mapping[str, str], unnamed: tuple[Translation, ...], asked: AbstractSet[str]) -> None:
    """Check that every name fills a placeholder that is there without it; those of trusts tell what they asked for."""
    open_names = {placeholder for entry in unnamed for placeholder in entry.placeholders}
    open_names |= {Names().get(key) for key in asked}
    for key in sorted(names):
        if Names().get(key) not in open_names:
            keys = sorted(name.strip("<>").lower().replace("_", "-") for name in open_names)
            advice = f"names here: {', '.join(keys)}" if keys else "nothing is left to be named"
            raise UsageError(f"nothing here is named by `{key}`", advice=advice)


def _sources(estate: Estate, to: Cloud, principal: str | None) -> list[Cloud]:
    """Return the clouds to translate from."""
    if principal is not None:
        source = cloud_of(principal, estate)
        if source.name == to.name:
            raise UsageError(f"`{principal}` is of {to.name} already", advice="name another cloud to translate to")
        return [source]
    sources = [cloud for name, cloud in clouds().items() if name in estate.clouds and name != to.name]
    if not sources:
        raise UsageError(f"the input holds no grants of a cloud other than {to.name}")
    return sources
