"""Plain text for terminals and logs. Everything that came from outside is made harmless on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from idtrans.model.answers import (
    CapabilitiesAnswer,
    CatalogAnswer,
    Demonstration,
    FederationAnswer,
    RulePage,
    RulesAnswer,
    TranslationsAnswer,
    TrustsAnswer,
)
from idtrans.model.decisions import Decision, Paths, WhoCan
from idtrans.model.diffs import DiffReport
from idtrans.model.findings import AuditReport
from idtrans.model.suites import SuitesAnswer
from idtrans.report._style import Colour
from idtrans.report._text_decisions import decision_text, paths_text, who_can_text
from idtrans.report._text_demo import demonstration_text
from idtrans.report._text_diff import diff_text
from idtrans.report._text_findings import findings_text
from idtrans.report._text_lists import capabilities_text, catalog_text, rule_page_text, rules_text
from idtrans.report._text_suites import suites_text
from idtrans.report._text_translations import translations_text
from idtrans.report._text_trusts import federation_text, trusts_text

Answer = (
    AuditReport
    | CapabilitiesAnswer
    | CatalogAnswer
    | Decision
    | Demonstration
    | DiffReport
    | FederationAnswer
    | RulePage
    | RulesAnswer
    | SuitesAnswer
    | TranslationsAnswer
    | TrustsAnswer
    | Paths
    | WhoCan
)
"""Everything that has a text and a JSON form."""


def text(answer: Answer, colour: Colour = Colour.NONE) -> str:
    """Return an answer as text, in colour when asked."""
    return _TEXTS[type(answer)](answer, colour)


_TEXTS: Mapping[type, Callable[[Any, Colour], str]] = {
    AuditReport: findings_text,
    CapabilitiesAnswer: capabilities_text,
    CatalogAnswer: catalog_text,
    Decision: decision_text,
    Demonstration: demonstration_text,
    DiffReport: diff_text,
    FederationAnswer: federation_text,
    RulePage: rule_page_text,
    RulesAnswer: rules_text,
    SuitesAnswer: suites_text,
    TranslationsAnswer: translations_text,
    TrustsAnswer: trusts_text,
    Paths: paths_text,
    WhoCan: who_can_text,
}
"""Renderers by type of answer."""
