"""The demonstration in words: what was read, what is wrong, the same grant elsewhere, keyless trust."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.model.findings import FindingState
from idtrans.model.values import Severity
from idtrans.report._artifacts import artifacts
from idtrans.report._safe import safe
from idtrans.report._style import Colour, Tone, paint, word
from idtrans.report._table import counted, some, table
from idtrans.report._text_trusts import artifact_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from idtrans.model.answers import Demonstration, FederationAnswer, GraphCount, TranslationsAnswer
    from idtrans.model.artifacts import ArtifactFormat, Emission
    from idtrans.model.findings import AuditReport, Finding
    from idtrans.model.translations import TargetGrant

_THEMES: Final = {
    "credential": "Static keys",
    "trust": "Broad trust",
    "exposure": "Ways out for data",
    "grant": "Ways out for data",
}
"""Themes by the kind of fact that a rule looks at."""
_SEVERITY_WIDTH: Final = len("critical")
_MOST_UNREAD: Final = 5
_INDENT: Final = "  "


def demonstration_text(answer: Demonstration, colour: Colour) -> str:
    """Return the whole demonstration, section by section."""
    sections = [
        _ingested(answer, colour),
        _graph(answer.graph, colour),
        _audit(answer.audit, answer.fact_kinds, colour),
        _translations(answer.translations, colour),
        _federation(answer.federation, colour),
        [paint(_CLOSING, Tone.STRONG, colour)],
    ]
    return "\n".join("\n".join([*section, ""]) for section in sections)


_CLOSING: Final = "Now with files of your own: idtrans audit PATH, idtrans can WHO WHAT WHERE --in PATH, idtrans --help"


def _ingested(answer: Demonstration, colour: Colour) -> list[str]:
    documents = sum(count.documents for count in answer.clouds)
    head = f"Acme, a company on {len(answer.clouds)} clouds: {counted(documents, 'document')} read"
    titles = ("cloud", "documents", "principals", "grants", "trusts", "credentials", "resources")
    rows = [
        (one.cloud, one.documents, one.principals, one.grants, one.trusts, one.credentials, one.resources)
        for one in answer.clouds
    ]
    return [paint(head, Tone.STRONG, colour), *table([titles, *(tuple(map(str, row)) for row in rows)], indent=_INDENT)]


def _graph(graph: GraphCount, colour: Colour) -> list[str]:
    nodes = counted(sum(graph.nodes.values()), "node")
    edges = counted(sum(graph.edges.values()), "edge")
    rows = [("nodes", _amounts(graph.nodes)), ("edges", _amounts(graph.edges))]
    return [paint(f"One permission graph: {nodes}, {edges}", Tone.STRONG, colour), *table(rows, indent=_INDENT)]


def _amounts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in counts.items())


def _audit(report: AuditReport, fact_kinds: Mapping[str, str], colour: Colour) -> list[str]:
    fresh = [finding for finding in report.findings if finding.state is FindingState.NEW]
    amounts = {level.value: sum(finding.severity is level for finding in fresh) for level in reversed(Severity)}
    parts = _amounts({level: count for level, count in amounts.items() if count})
    lines = [paint(f"What is wrong: {counted(len(fresh), 'finding')} ({parts})", Tone.STRONG, colour)]
    for theme in dict.fromkeys(_THEMES.values()):
        found = [finding for finding in fresh if _THEMES.get(fact_kinds.get(finding.rule, "")) == theme]
        lines += [f"{_INDENT}{theme}", *_findings(found, colour)]
    unread = [(str(entry.source), entry.reason) for entry in report.not_evaluated]
    if unread:
        lines.append(f"{_INDENT}{paint(f'Not judged: {len(unread)}, never counted as clean', Tone.DOUBT, colour)}")
        lines += some(table(unread, indent=_INDENT * 2), _MOST_UNREAD, more="things not judged")
    return lines


def _findings(found: Sequence[Finding], colour: Colour) -> list[str]:
    rows = table([(finding.rule, _places(finding), finding.subject) for finding in found])
    words = [word(finding.severity.value, colour, width=_SEVERITY_WIDTH) for finding in found]
    return [f"{_INDENT * 2}{severity}  {row}" for severity, row in zip(words, rows, strict=True)]


def _places(finding: Finding) -> str:
    return ", ".join(str(place) for place in finding.locations)


def _translations(answer: TranslationsAnswer, colour: Colour) -> list[str]:
    lines = [paint("Read one object store, said in every cloud", Tone.STRONG, colour)]
    for entry in answer.translations:
        clouds = safe(f"{entry.source.cloud} to {entry.target}")
        lines.append(f"{_INDENT}{clouds}: {word(entry.verdict.value, colour)}")
        rows = [("from", entry.principal), *_grants(entry.grants), *(("why", reason) for reason in entry.reasons)]
        lines += table(rows, indent=_INDENT * 2)
    for entry in answer.translations[:1]:
        lines += _artifacts(entry.emission, answer.form, colour, of=f"{entry.source.cloud} to {entry.target}")
    return lines


def _grants(grants: Iterable[TargetGrant]) -> list[tuple[str, str]]:
    return [("to", f"{grant.principal}: {grant.role or 'a policy'} on {grant.resource}") for grant in grants]


def _federation(answer: FederationAnswer, colour: Colour) -> list[str]:
    lines = [paint("A GitHub job gets into every cloud without a stored key", Tone.STRONG, colour)]
    lines += table([("token", subject) for subject in answer.intent.subjects], indent=_INDENT)
    names = [", ".join(native.name for native in part.emission.natives) for part in answer.parts]
    rows = table([(part.cloud, f"writes {name}") for part, name in zip(answer.parts, names, strict=True)])
    for part, row in zip(answer.parts, rows, strict=True):
        lines.append(f"{_INDENT}{row}; lets in: {word(part.reach.value, colour)}")
    for part in answer.parts:
        lines += _artifacts(part.emission, answer.form, colour, of=part.cloud)
    return lines


def _artifacts(emission: Emission, form: ArtifactFormat, colour: Colour, *, of: str) -> list[str]:
    return [line for entry in artifacts(emission, form) for line in artifact_lines(entry, colour, of=of)]
