"""The JSON outputs of what idtrans knows and of what it counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from idtrans.model.answers import CapabilitiesAnswer, CatalogAnswer, CloudCount, RulePage, RulesAnswer
    from idtrans.model.documents import Json


def rules_json(answer: RulesAnswer) -> Json:
    """Return `rules/v1`."""
    rows = [
        {
            "id": rule.id,
            "title": rule.title,
            "severity": rule.severity.value,
            "clouds": list(rule.clouds),
            "fact": rule.fact,
        }
        for rule in answer.rules
    ]
    return {"schema": "idtrans/rules/v1", "rules": rows}


def rule_page_json(answer: RulePage) -> Json:
    """Return `rule/v1`."""
    return {"schema": "idtrans/rule/v1", "id": answer.id, "text": answer.text}


def capabilities_json(answer: CapabilitiesAnswer) -> Json:
    """Return `capabilities/v1`."""
    rows = [
        {
            "id": entry.id,
            "title": entry.title,
            "effect": entry.effect,
            "plane": entry.plane,
            "permissions": {cloud: list(names) for cloud, names in sorted(entry.permissions.items())},
            "without": dict(sorted(entry.without.items())),
            "held": {name: held.value for name, held in entry.held.items()},
        }
        for entry in answer.capabilities
    ]
    return {"schema": "idtrans/capabilities/v1", "capabilities": rows, "compared": list(answer.compared)}


def catalog_json(answer: CatalogAnswer) -> Json:
    """Return `catalog/v1`."""
    rows = [
        {
            "cloud": line.cloud,
            "roles": line.roles,
            "complete": line.complete,
            "built_in": line.built_in,
            "built_in_as_of": line.built_in_as_of,
            "supplied": line.supplied,
        }
        for line in answer.clouds
    ]
    return {
        "schema": "idtrans/catalog/v1",
        "clouds": rows,
        "path": answer.path,
        "imported": answer.imported,
        "age_days": answer.age_days,
        "operations": answer.operations,
    }


def cloud_count_json(count: CloudCount) -> Json:
    """Return what one cloud's documents gave."""
    return {
        "cloud": count.cloud,
        "documents": count.documents,
        "principals": count.principals,
        "grants": count.grants,
        "trusts": count.trusts,
        "credentials": count.credentials,
        "resources": count.resources,
    }
