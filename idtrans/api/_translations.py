"""The same grants in another cloud."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.api._clouds import cloud_named, cloud_of, clouds
from idtrans.api._file import read_file
from idtrans.api._names import GivenNames
from idtrans.model.answers import TranslationsAnswer
from idtrans.model.artifacts import ArtifactFormat
from idtrans.model.errors import UsageError

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from idtrans.model.estate import Estate
    from idtrans.ports import Cloud


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

    `mapping` is a file that says which ids of the target stand for which of the source; what it does not say and
    `names` does not either becomes a placeholder. A translation that would grant more is refused unless
    `allow_broader`. `form` is how reports write the artifacts out.

    Raises:
        DataError: the map breaks its schema.
        DocumentError: the map cannot be read.
        UsageError: there is no such cloud or principal, the input has no other cloud, or a name fits nothing.
    """
    from idtrans.translate import NO_MAP, read_map
    from idtrans.translate import translate as say

    to = cloud_named(target)
    given = GivenNames(names)
    id_map = NO_MAP if mapping is None else read_map(read_file(mapping))
    found = [
        entry
        for source in _sources(estate, to, principal)
        for entry in say(
            source,
            to,
            estate,
            principal=None if principal is None else source.principal(principal, estate),
            mapping=id_map,
            names=given.names(),
            allow_broader=allow_broader,
        )
    ]
    if any(entry.grants for entry in found):
        given.check()
    return TranslationsAnswer(tuple(found), estate.unsupported, form)


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
