"""Reading `rules/issuers/*.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from idtrans.algebra import ANY_TEXT, Language
from idtrans.catalog._issuers import (
    Alphabet,
    AudienceFrom,
    Basis,
    Claim,
    Component,
    Customised,
    Deployment,
    Issuer,
    Level,
    Mistake,
    Part,
    Pin,
    Presence,
    Shape,
    Slot,
    Template,
    Tenancy,
    ValueRemark,
    Wanted,
    values_like,
)
from idtrans.model.data import rules_dir
from idtrans.model.errors import DataError
from idtrans.model.spans import Place, Source

_KEYS = {
    "issuer": {
        "kind",
        "title",
        "references",
        "certain",
        "deployment",
        "audiences",
        "components",
        "claims",
        "optional",
        "shape",
        "pin",
        "customised",
        "mistake",
        "remark",
        "instances",
        "audience_from",
        "federate",
    },
    "deployment": {"url", "tenancy"},
    "component": {"only", "never", "empty", "like", "samples", "example"},
    "shape": {"name", "format", "claims", "limits", "exclude", "workload", "guest", "unreviewed"},
    "pin": {"level", "basis", "components", "beside"},
    "customised": {"first", "keys", "optional"},
    "mistake": {"wrong", "right", "why"},
    "remark": {"component", "value", "code", "message"},
    "federate": {"issuer", "audience", "shape", "any", "defaults", "refused_by", "part"},
    "part": {"name", "value", "help"},
}


@cache
def read_issuers() -> tuple[Issuer, ...]:
    """Return the issuers of all files, sorted by kind. Raises `DataError` for a file that breaks the schema."""
    found = []
    for path in (rules_dir() / "issuers").glob("*.toml"):
        with path.open("rb") as file:
            found.append(read_issuer(tomllib.load(file), name=path.name))
    return tuple(sorted(found, key=lambda issuer: issuer.kind))


def read_issuer(content: Mapping[str, Any], *, name: str) -> Issuer:
    """Return the issuer that a file describes. Raises `DataError` for one that breaks the schema."""
    try:
        return _issuer(content)
    except DataError as error:
        raise DataError(error.message, source=_source(name)) from error
    except KeyError as error:
        raise DataError(f"the key `{error.args[0]}` is missing", source=_source(name)) from error
    except (TypeError, ValueError, AttributeError) as error:
        raise DataError(f"a value has the wrong form: {error}", source=_source(name)) from error


def _source(name: str) -> Source:
    return Source(Place(f"rules/issuers/{name}"))


def _issuer(content: Mapping[str, Any]) -> Issuer:
    _check("issuer", content)
    components = {name: _component(name, entry) for name, entry in content["components"].items()}
    common = _claims(content.get("claims", {}), Presence.ALWAYS) | _claims(
        content.get("optional", {}), Presence.OPTIONAL
    )
    shapes = _shapes(content["shape"], common)
    issuer = Issuer(
        kind=content["kind"],
        title=content["title"],
        deployments=tuple(_deployment(entry) for entry in content.get("deployment", [])),
        components=components,
        shapes=shapes,
        pins=tuple(_pin(entry) for entry in content["pin"]),
        references=tuple(content["references"]),
        audiences=dict(content.get("audiences", {})),
        customised=_customised(content["customised"], common) if "customised" in content else None,
        mistakes=tuple(_mistake(entry) for entry in content.get("mistake", [])),
        remarks=tuple(_remark(entry) for entry in content.get("remark", [])),
        certain=content.get("certain", True),
        instances=content.get("instances", False),
        audience_from=AudienceFrom(content.get("audience_from", "unknown")),
        wanted=_wanted(content["federate"]) if "federate" in content else None,
    )
    _check_components(issuer)
    return issuer


def _check(kind: str, entry: Mapping[str, Any]) -> None:
    unknown = sorted(set(entry) - _KEYS[kind])
    if unknown:
        raise DataError(f"the {kind} has the unknown key `{unknown[0]}`")


def _deployment(entry: Mapping[str, Any]) -> Deployment:
    _check("deployment", entry)
    return Deployment(entry["url"], Tenancy(entry["tenancy"]))


def _component(name: str, entry: Mapping[str, Any]) -> Component:
    _check("component", entry)
    only = frozenset(entry["only"]) if "only" in entry else None
    alphabet = Alphabet(only, frozenset(entry.get("never", "")), entry.get("empty", False))
    return Component(name, alphabet, _values(entry.get("like")), tuple(entry["samples"]), entry.get("example"))


def _values(patterns: list[str] | None) -> Language:
    return values_like(tuple(patterns)) if patterns else ANY_TEXT


def _claims(entries: Mapping[str, str | list[str]], presence: Presence) -> dict[str, Claim]:
    return {
        name: Claim(name, presence, tuple(map(_template, [text] if isinstance(text, str) else text)))
        for name, text in entries.items()
    }


def _template(text: str) -> Template:
    """Read a template; braces around no name, or around a slot, stand for themselves."""
    parts = enumerate(re.split(r"\{(\w+)\}", text))
    return tuple(Slot(part) if number % 2 else part for number, part in parts if part)


def _shapes(entries: list[Mapping[str, Any]], common: Mapping[str, Claim]) -> tuple[Shape, ...]:
    """Read all shapes; what only one of them has, the others never have."""
    shapes = [_shape(entry, common) for entry in entries]
    names = {name for shape in shapes for name in shape.claims}
    never = {name: Claim(name, Presence.NEVER, ()) for name in names}
    return tuple(replace(shape, claims={**never, **shape.claims}) for shape in shapes)


def _shape(entry: Mapping[str, Any], common: Mapping[str, Claim]) -> Shape:
    _check("shape", entry)
    limits = {name: _values(patterns) for name, patterns in entry.get("limits", {}).items()}
    excluded = {name: ~_values(patterns) for name, patterns in entry.get("exclude", {}).items()}
    return Shape(
        name=entry["name"],
        claims={**common, **_claims(entry.get("claims", {}), Presence.ALWAYS)},
        format=entry.get("format", ""),
        limits=limits | excluded,
        workload=entry.get("workload", False),
        guest=entry.get("guest", False),
        unreviewed=entry.get("unreviewed", False),
    )


def _pin(entry: Mapping[str, Any]) -> Pin:
    _check("pin", entry)
    beside = tuple(entry.get("beside", []))
    return Pin(Level(entry["level"]), Basis(entry["basis"]), tuple(entry["components"]), beside)


def _customised(entry: Mapping[str, Any], common: Mapping[str, Claim]) -> Customised:
    _check("customised", entry)
    claims = {**common, **_claims(entry.get("optional", {}), Presence.OPTIONAL)}
    claims["sub"] = Claim("sub", Presence.ALWAYS, ())
    keys = {key: tuple(map(_template, texts)) for key, texts in entry["keys"].items()}
    if "first" in entry and entry["first"] not in keys:
        raise DataError(f"the first key `{entry['first']}` is not among the keys")
    return Customised(Shape("customised", claims), keys, entry.get("first"))


def _mistake(entry: Mapping[str, Any]) -> Mistake:
    _check("mistake", entry)
    return Mistake(entry["wrong"], entry["right"], entry["why"])


def _remark(entry: Mapping[str, Any]) -> ValueRemark:
    _check("remark", entry)
    return ValueRemark(entry["component"], entry["value"], entry["code"], entry["message"])


def _wanted(entry: Mapping[str, Any]) -> Wanted:
    _check("federate", entry)
    return Wanted(
        parts=tuple(_part(part) for part in entry["part"]),
        issuer=_template(entry["issuer"]) if "issuer" in entry else None,
        audience=_template(entry["audience"]) if "audience" in entry else None,
        shape=entry.get("shape"),
        open=frozenset(entry.get("any", [])),
        defaults=dict(entry.get("defaults", {})),
        refused_by=frozenset(entry.get("refused_by", [])),
    )


def _part(entry: Mapping[str, Any]) -> Part:
    _check("part", entry)
    return Part(entry["name"], _template(entry["value"]), entry["help"])


def _check_wanted(issuer: Issuer, wanted: Wanted) -> None:
    named = wanted.open | wanted.defaults.keys()
    named |= _slots([part.value for part in wanted.parts]) | _slots(filter(None, (wanted.issuer, wanted.audience)))
    unknown = sorted(named - issuer.components.keys())
    if unknown:
        raise DataError(f"the component `{unknown[0]}` is asked for and not described")
    if wanted.shape is not None and wanted.shape not in {shape.name for shape in issuer.shapes}:
        raise DataError(f"the shape `{wanted.shape}` is asked for and not described")


def _check_components(issuer: Issuer) -> None:
    named = {name for pin in issuer.pins for name in (*pin.components, *pin.beside)}
    named |= {name for shape in issuer.shapes for name in shape.limits}
    named |= {remark.component for remark in issuer.remarks}
    templates = [template for shape in issuer.shapes for claim in shape.claims.values() for template in claim.templates]
    if issuer.customised is not None:
        templates += [template for alternatives in issuer.customised.keys.values() for template in alternatives]
        templates += [t for claim in issuer.customised.shape.claims.values() for t in claim.templates]
    named |= _slots(templates)
    unknown = sorted(named - set(issuer.components))
    if unknown:
        raise DataError(f"the component `{unknown[0]}` is used and not described")
    if issuer.wanted is not None:
        _check_wanted(issuer, issuer.wanted)
    for shape in issuer.shapes:
        if "sub" not in shape.claims:
            raise DataError(f"the shape `{shape.name}` has no `sub`")


def _slots(templates: Iterable[Template]) -> set[str]:
    return {part.component for template in templates for part in template if isinstance(part, Slot)}
