"""The JSON outputs of what is to be applied: federations and translations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.model.values import UNKNOWN
from idtrans.report._artifacts import artifacts
from idtrans.report._json_parts import artifact, emitted, loss, unread

if TYPE_CHECKING:
    from idtrans.model.answers import FederationAnswer, TranslatedTrust, TranslationsAnswer
    from idtrans.model.artifacts import ArtifactFormat
    from idtrans.model.documents import Json
    from idtrans.model.translations import CapabilityVerdict, DenialVerdict, Translation


def federation_json(answer: FederationAnswer) -> Json:
    """Return `federation/v1`."""
    intent = answer.intent
    return {
        "schema": "idtrans/federation/v1",
        "intent": {
            "issuer": intent.issuer,
            "issuer_kind": intent.issuer_kind,
            "name": intent.name,
            "subjects": list(intent.subjects),
            "pins": [{"claim": pin.claim, "values": list(pin.values)} for pin in intent.pins],
            "audience": intent.audience,
            "reach": intent.reach.value,
        },
        "targets": [
            {"cloud": part.cloud, "reach": part.reach.value, **emitted(part.emission, answer.form, part.losses)}
            for part in answer.parts
        ],
        "workflow": answer.workflow,
    }


def translation_json(answer: TranslationsAnswer) -> Json:
    """Return `translation/v1` for one principal, `translations/v1` for none or several."""
    if len(answer.translations) == 1:
        return {
            "schema": "idtrans/translation/v1",
            **_translated(answer.translations[0], answer.form),
            "trusts": _trusts(answer),
        }
    return translations_json(answer)


def translations_json(answer: TranslationsAnswer) -> Json:
    """Return `translations/v1`."""
    return {
        "schema": "idtrans/translations/v1",
        "translations": [_translated(entry, answer.form) for entry in answer.translations],
        "trusts": _trusts(answer),
        "not_evaluated": unread(answer.unsupported),
    }


def _translated(entry: Translation, form: ArtifactFormat) -> Json:
    return {
        "source": {"cloud": entry.source.cloud, "path": entry.source.path},
        "principal": entry.principal,
        "target": entry.target,
        "verdict": entry.verdict.value,
        "reasons": list(entry.reasons),
        "grants": [
            {"principal": one.principal, "role": one.role, "resource": one.resource, "condition": one.condition}
            for one in entry.grants
        ],
        "capabilities": [_capability(one) for one in entry.capabilities],
        "denials": [_denial(one) for one in entry.denials],
        "residue": [{"service": one.service, "permissions": list(one.permissions)} for one in entry.residue],
        "artifacts": [artifact(one) for one in artifacts(entry.emission, form)],
        "placeholders": list(entry.placeholders),
        "losses": [loss(one) for one in entry.losses],
        "search": {
            "nodes": entry.searched.nodes,
            "limit": entry.searched.limit,
            "complete": entry.searched.complete,
        },
    }


def _trusts(answer: TranslationsAnswer) -> Json:
    return [_trust(entry, answer.form) for entry in answer.trusts]


def _trust(entry: TranslatedTrust, form: ArtifactFormat) -> Json:
    return {
        "source": {
            "cloud": entry.source.cloud,
            "path": entry.source.path,
            "principal": entry.principal,
            "issuer": entry.issuer or None,
        },
        "target": entry.target,
        "verdict": entry.verdict.value,
        "reach": None if entry.reach is None else entry.reach.value,
        "losses": [loss(one) for one in entry.losses],
        "artifacts": [artifact(one) for emission in entry.emissions for one in artifacts(emission, form)],
        "placeholders": list(entry.placeholders),
    }


def _capability(entry: CapabilityVerdict) -> Json:
    return {
        "id": entry.id,
        "resource": entry.resource,
        "condition": entry.condition,
        "verdict": entry.verdict.value,
        "missing": list(entry.missing),
        "extra": [
            {"permission": one.permission, "plane": "unknown" if one.plane is UNKNOWN else one.plane.value}
            for one in entry.extra
        ],
        "reasons": list(entry.reasons),
    }


def _denial(entry: DenialVerdict) -> Json:
    return {
        "id": entry.id,
        "resource": entry.resource,
        "condition": entry.condition,
        "verdict": entry.verdict.value,
        "permissions": list(entry.permissions),
        "target": entry.target,
        "limit": entry.limit,
        "reasons": list(entry.reasons),
    }
