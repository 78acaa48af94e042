"""The JSON outputs, version 1. Their shapes are a contract: `_schemas` checks each text before it is written."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

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
from idtrans.model.documents import Json
from idtrans.model.findings import AuditReport
from idtrans.model.suites import SuitesAnswer
from idtrans.model.values import UNKNOWN
from idtrans.report._json_decisions import decision_json, paths_json, request_json, who_can_json
from idtrans.report._json_emissions import federation_json, translation_json, translations_json
from idtrans.report._json_lists import capabilities_json, catalog_json, cloud_count_json, rule_page_json, rules_json
from idtrans.report._json_parts import place, place_or_none, plain, unread, whole
from idtrans.report._json_suites import suites_json

if TYPE_CHECKING:
    from pydantic import BaseModel

    from idtrans.model.answers import TrustAnswer
    from idtrans.model.diffs import Change
    from idtrans.model.findings import Finding


def schemas() -> Mapping[str, type[BaseModel]]:
    """Return the pydantic model of every JSON output, by the name that the output carries in `schema`."""
    from idtrans.report import _schemas, _schemas_decisions, _schemas_lists

    models = [
        model
        for room in (_schemas, _schemas_decisions, _schemas_lists)
        for model in vars(room).values()
        if isinstance(model, type) and "schema_" in getattr(model, "model_fields", {})
    ]
    return dict(sorted((_name(model), model) for model in models))


def _name(model: type[BaseModel]) -> str:
    (name,) = model.model_fields["schema_"].annotation.__args__  # type: ignore[union-attr]
    return str(name)


def json_v1(answer: object) -> str:
    """Return an answer as indented JSON in plain ASCII.

    Raises:
        TypeError: there is no JSON output for answers of this type.
    """
    found = _sound(content(answer))
    checked = schemas()[found["schema"]].model_validate(found)
    return json.dumps(checked.model_dump(mode="json", by_alias=True), indent=2, ensure_ascii=True) + "\n"


def _sound(value: Json) -> Json:
    """Return JSON without lone surrogates, which input can hold and text cannot."""
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, dict):
        return {whole(key): _sound(item) for key, item in value.items()}
    return [_sound(item) for item in value] if isinstance(value, list) else value


def content(answer: object) -> Json:
    """Return an answer as plain JSON values.

    Raises:
        TypeError: there is no JSON output for answers of this type.
    """
    write = _CONTENTS.get(type(answer))
    if write is None:
        raise TypeError(f"no JSON output for {type(answer).__name__}")
    return write(answer)


def _diff(answer: DiffReport) -> Json:
    return {
        "schema": "idtrans/diff/v1",
        "verdict": answer.verdict.value,
        "new": [_change(change) for change in answer.new],
        "removed": [_change(change) for change in answer.removed],
        "not_evaluated": unread(answer.not_evaluated),
    }


def _change(change: Change) -> Json:
    return {
        "cloud": change.cloud,
        **request_json(change.witness),
        "statement": change.statement,
        "source": place_or_none(change.source),
        "also": list(change.also),
    }


def _findings(answer: AuditReport) -> Json:
    return {
        "schema": "idtrans/findings/v1",
        "findings": [_finding(finding) for finding in answer.findings],
        "not_evaluated": [
            {**entry, "reason": f"{judged.rule}: {judged.reason}" if judged.rule else judged.reason}
            for judged, entry in zip(answer.not_evaluated, unread(answer.not_evaluated), strict=True)
        ],
        "summary": dict(answer.summary),
    }


def _finding(finding: Finding) -> Json:
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "title": finding.title,
        "message": finding.message,
        "cloud": finding.cloud,
        "subject": finding.subject,
        "evidence": plain(finding.evidence),
        "locations": [place(source) for source in finding.locations],
        "fingerprint": finding.fingerprint,
        "remediation": finding.remediation,
        "state": finding.state.value,
    }


def _trusts(answer: TrustsAnswer) -> Json:
    token = answer.token
    return {
        "schema": "idtrans/trust/v1",
        "trusts": [_trust(trust) for trust in answer.trusts],
        "token": None if token is None else {"admitted": token.admitted.value, "reasons": list(token.reasons)},
        "not_evaluated": unread(answer.unsupported),
    }


def _trust(trust: TrustAnswer) -> Json:
    provider = "unknown" if trust.provider_reach is UNKNOWN else trust.provider_reach
    return {
        "target": trust.target,
        "cloud": trust.cloud,
        "kind": trust.kind,
        "issuer": {"kind": trust.issuer_kind, "url": trust.issuer, "tenancy": trust.tenancy},
        "reach": trust.reach.value,
        "provider_reach": provider,
        "pinned_by": trust.pinned_by,
        "admits": list(trust.admits),
        "outsiders": [plain(claims) for claims in trust.outsiders],
        "notes": [{"code": remark.code, "message": remark.message} for remark in trust.remarks],
        "source": place_or_none(trust.source),
        "further_sources": [place_or_none(source) for source in trust.further_sources],
    }


def _demonstration(answer: Demonstration) -> Json:
    return {
        "schema": "idtrans/demo/v1",
        "clouds": [cloud_count_json(count) for count in answer.clouds],
        "graph": {"nodes": dict(answer.graph.nodes), "edges": dict(answer.graph.edges)},
        "audit": content(answer.audit),
        "translations": translations_json(answer.translations),
        "federation": content(answer.federation),
    }


_CONTENTS: Mapping[type, Callable[[Any], Json]] = {
    AuditReport: _findings,
    CapabilitiesAnswer: capabilities_json,
    CatalogAnswer: catalog_json,
    Decision: decision_json,
    Demonstration: _demonstration,
    DiffReport: _diff,
    FederationAnswer: federation_json,
    RulePage: rule_page_json,
    RulesAnswer: rules_json,
    SuitesAnswer: suites_json,
    TranslationsAnswer: translation_json,
    TrustsAnswer: _trusts,
    Paths: paths_json,
    WhoCan: who_can_json,
}
"""Writers by type of answer."""
