"""A policy document, lowered to a `Policy`.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements.html
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from idtrans.clouds.aws._parse_state import CLOUD, Parsed, Parsing, unsupported
from idtrans.clouds.aws._parse_statement import lower_statement, unknown_statement
from idtrans.clouds.aws._parse_values import shown
from idtrans.model.documents import Bearing, Json
from idtrans.model.entities import Policy, PolicyStatement
from idtrans.model.spans import Source
from idtrans.model.values import Layer, Unknown

DEFAULT_VERSION: Final = "2008-10-17"
"""Version of a document that states none.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_version.html
"""
_VERSIONS: Final = frozenset({DEFAULT_VERSION, "2012-10-17"})
_ELEMENTS: Final = frozenset({"Version", "Id", "Statement"})
_WITHOUT_PRINCIPAL: Final = frozenset({Layer.IDENTITY, Layer.BOUNDARY, Layer.SESSION, Layer.SCP})


@dataclass(frozen=True, slots=True)
class PolicyText:
    """What a policy document says, before it is known whose it is."""

    source: Source
    version: str = DEFAULT_VERSION
    statements: tuple[PolicyStatement, ...] = ()
    doubts: tuple[str, ...] = ()
    known: frozenset[str] = frozenset()
    """Doubts that were reported when the file was decoded."""
    notes: tuple[str, ...] = ()
    """Remarks that leave no access in doubt, such as a document without statements."""


@dataclass(frozen=True, slots=True)
class Belonging:
    """Which policy a document is, what part it plays, and whose it is."""

    id: str
    layer: Layer | Unknown
    owner: str | Unknown | None
    name: str | None = None


def read_policy(parsing: Parsing, value: Json, source: Source) -> PolicyText:
    """Read a policy document: an object, or the text of one. One that cannot be read holds one unknown statement."""
    opened = parsing.opened(value, source)
    content = opened.content
    if opened.fault is not None:
        return unreadable(opened.source, opened.fault)
    if content is None or content == {}:
        return PolicyText(opened.source, notes=("the policy document is empty and grants nothing",))
    if not isinstance(content, dict):
        return unreadable(opened.source, f"policy document {shown(content)} is not an object")
    statements, notes = _statements(content, opened.source)
    version, doubts = _head(content)
    known = parsing.oddities(source)
    doubts = (*doubts, *opened.doubts, *known)
    if doubts and not statements:
        statements = (unknown_statement(opened.source, "the statements may not be the ones that count"),)
    return PolicyText(opened.source, version, statements, doubts, frozenset(known), notes)


def write_policy(text: PolicyText, belonging: Belonging) -> Parsed:
    """Yield the policy, and a note for everything in it that was not understood."""
    owner = belonging.owner if isinstance(belonging.owner, str) else None
    subject = owner or (belonging.id if belonging.owner is None else None)
    statements = tuple(_placed(statement, belonging.layer) for statement in text.statements)
    yield Policy(
        CLOUD,
        belonging.id,
        belonging.layer,
        belonging.owner,
        text.version,
        statements,
        text.source,
        belonging.name,
        text.doubts,
    )
    for reason in text.notes:
        yield replace(unsupported(reason, text.source, subject), bearing=Bearing.NOTHING)
    for reason in text.doubts:
        if reason not in text.known:
            yield unsupported(reason, text.source, subject)
    for statement in statements:
        for reason in statement.doubts:
            yield unsupported(reason, statement.source, subject)


def unreadable(source: Source, reason: str) -> PolicyText:
    """Return what stands for a document of which nothing was understood: it may allow or deny anything."""
    return PolicyText(source, statements=(unknown_statement(source, reason),))


def _statements(content: dict[str, Json], source: Source) -> tuple[tuple[PolicyStatement, ...], tuple[str, ...]]:
    raw = content.get("Statement")
    if raw is None or raw == []:
        return (), ("the policy document has no statement and grants nothing",)
    below = source.at("Statement")
    if not isinstance(raw, list):
        return (lower_statement(raw, below),), ()
    return tuple(lower_statement(item, below.at(number)) for number, item in enumerate(raw)), ()


def _head(content: dict[str, Json]) -> tuple[str, tuple[str, ...]]:
    doubts = [f"unknown policy element {shown(key)}" for key in content if key not in _ELEMENTS]
    version = content.get("Version", DEFAULT_VERSION)
    if not isinstance(version, str) or version not in _VERSIONS:
        doubts.append(f"unknown policy version {shown(version)}")
        version = DEFAULT_VERSION
    return version, tuple(doubts)


def _placed(statement: PolicyStatement, layer: Layer | Unknown) -> PolicyStatement:
    """Add the doubts that follow from the layer: elements that AWS accepts in some kinds of policies only."""
    doubts: list[str] = []
    named = statement.principals is not None or statement.not_principals is not None
    placed = statement.resources is not None or statement.not_resources is not None
    if named and layer in _WITHOUT_PRINCIPAL:
        doubts.append(f"a principal in a policy of the layer `{layer}`")
    if layer is Layer.TRUST:
        if placed:
            doubts.append("a resource in a trust policy")
        if statement.not_principals is not None:
            doubts.append("`NotPrincipal` in a trust policy")
    elif not placed and not _is_blank(statement):
        doubts.append("neither `Resource` nor `NotResource`")
    return replace(statement, doubts=(*statement.doubts, *doubts)) if doubts else statement


def _is_blank(statement: PolicyStatement) -> bool:
    """Tell whether nothing of a statement was understood, so that nothing can be said to be missing."""
    return bool(statement.doubts) and statement.actions is None and statement.not_actions is None
