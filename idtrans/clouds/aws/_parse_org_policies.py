"""Policies of an organisation: which there are, what they say, and what they hang on.

https://docs.aws.amazon.com/organizations/latest/APIReference/API_ListPoliciesForTarget.html
https://docs.aws.amazon.com/organizations/latest/APIReference/API_ListTargetsForPolicy.html
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from idtrans.clouds.aws._org_words import (
    ALL_POLICIES,
    ALL_TARGETS,
    ORGANIZATION,
    POLICY_RESOURCE,
    POLICY_TYPES,
    all_listed,
    level_kind,
    listed,
    policy_key,
)
from idtrans.clouds.aws._parse_document import Belonging, read_policy, write_policy
from idtrans.clouds.aws._parse_pages import Page
from idtrans.clouds.aws._parse_state import CLOUD, Parsed, Parsing, unsupported
from idtrans.clouds.aws._parse_values import name_of, shown
from idtrans.model.documents import Json
from idtrans.model.entities import Attachment, Container, Resource
from idtrans.model.spans import Source
from idtrans.model.values import UNKNOWN, Layer


@dataclass(frozen=True, slots=True)
class Place:
    """A value of a document that is being parsed."""

    parsing: Parsing
    source: Source


@dataclass(frozen=True, slots=True)
class _Summary:
    """What a reply says of one policy, its content aside."""

    id: str
    name: str | None
    layer: Layer
    place: Place


def parse_listed(parsing: Parsing, page: Page) -> Parsed:
    """`aws organizations list-policies`, and `list-policies-for-target` where the target is known."""
    target = name_of(page.raw.get("TargetId")) or parsing.hints.scope
    complete = name_of(page.raw.get("NextToken")) is None
    items = listed(page.raw["Policies"])
    layers: set[Layer] = set()
    for number, raw in enumerate(items):
        found = _summary(raw, Place(parsing, page.source.at("Policies", number)))
        if found is None or not isinstance(raw, dict):
            yield from _unnamed(raw, page.source.at("Policies", number))
            continue
        layers.add(found.layer)
        if target is not None:
            yield Attachment(CLOUD, found.id, target, found.layer, found.place.source)
        yield _resource(found, complete=complete and target is None, raw=raw)
        yield from _extras(found, raw)
    if target is not None:
        yield from _target(target, layers if complete else set(), page.source.at("Policies"))
        if not items:
            yield unsupported(f"no policies of `{target}`, and it is not known of which kind", page.source)


def _unnamed(raw: Json, source: Source) -> Parsed:
    """Yield a note on what is no policy; other kinds of policies, such as tag policies, decide no access.

    https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies.html
    """
    summary = _inner(raw)
    kind, name = summary.get("Type"), name_of(summary.get("Arn")) or name_of(summary.get("Id"))
    if not isinstance(kind, str) or kind in POLICY_TYPES or name is None:
        yield unsupported(f"{shown(raw)} is no policy with `Id` and `Type`", source)
    else:
        title = name_of(summary.get("Name"))
        yield Resource(CLOUD, name, "management-policy", source, None, title, {"Type": kind.lower()})


def is_management_policy(item: dict[str, Json]) -> bool:
    """Tell whether what `describe-policy` describes is a policy that decides no access, such as a tag policy."""
    kind = _inner(item).get("Type")
    return "PolicySummary" in item and isinstance(kind, str) and kind not in POLICY_TYPES


def _inner(raw: Json) -> dict[str, Json]:
    """Return the summary of a policy, which may stand by itself."""
    if not isinstance(raw, dict):
        return {}
    inner = raw.get("PolicySummary")
    return inner if isinstance(inner, dict) else raw


def _target(target: str, layers: set[Layer], source: Source) -> Iterator[Container]:
    known = {all_listed(layer): "true" for layer in sorted(layers)}
    yield Container(CLOUD, target, level_kind(target), source, attributes=known)


def _summary(raw: Json, place: Place) -> _Summary | None:
    summary = _inner(raw)
    name = name_of(summary.get("Arn")) or name_of(summary.get("Id"))
    layer = POLICY_TYPES.get(str(summary.get("Type")))
    if name is None or layer is None:
        return None
    return _Summary(name, name_of(summary.get("Name")), layer, place)


def _resource(found: _Summary, *, complete: bool, raw: dict[str, Json]) -> Resource:
    settings: dict[str, str | bool] = {"Type": found.layer.value}
    if complete:
        settings[ALL_POLICIES] = True
    if isinstance(raw.get("Targets"), list):
        settings[ALL_TARGETS] = True
    return Resource(CLOUD, policy_key(found.id), POLICY_RESOURCE, found.place.source, None, found.name, settings)


def _extras(found: _Summary, raw: dict[str, Json]) -> Parsed:
    """Yield the content and the targets that merged replies hold beside the summary."""
    if "Content" in raw:
        text = read_policy(found.place.parsing, raw["Content"], found.place.source.at("Content"))
        yield from write_policy(text, Belonging(found.id, found.layer, UNKNOWN, found.name))
    for number, item in enumerate(listed(raw.get("Targets"))):
        yield from _attached(found.id, found.layer, item, found.place.source.at("Targets", number))


def parse_single(parsing: Parsing, page: Page) -> Parsed:
    """`aws organizations describe-policy` among other replies, with the targets beside it where they were merged."""
    raw, source = page.raw["Policy"], page.source.at("Policy")
    found = _summary(raw, Place(parsing, source))
    if found is None or not isinstance(raw, dict):
        yield from _unnamed(raw, source)
        return
    yield from _extras(found, raw)


def parse_targets(parsing: Parsing, page: Page) -> Parsed:
    """`aws organizations list-targets-for-policy`: the policy is the one that was asked for."""
    summary = page.raw.get("Policy")
    described = _summary(summary, Place(parsing, page.source)) if summary is not None else None
    policy = name_of(page.raw.get("PolicyId")) or parsing.hints.resource or (described.id if described else None)
    layer = described.layer if described is not None else _layer(policy or "", parsing)
    items = listed(page.raw["Targets"])
    if policy is None:
        yield unsupported("targets, and it is not known of which policy", page.source.at("Targets"))
        return
    for number, item in enumerate(items):
        yield from _attached(policy, layer, item, page.source.at("Targets", number))
    if name_of(page.raw.get("NextToken")) is None:
        settings: dict[str, str | bool] = {"Type": layer.value, ALL_TARGETS: True}
        yield Resource(CLOUD, policy_key(policy), POLICY_RESOURCE, page.source, None, None, settings)


def _layer(policy: str, parsing: Parsing) -> Layer:
    """Return the kind of a policy, which its ARN names; for a bare id its description will tell better."""
    kinds = (POLICY_TYPES.get(word.upper()) for word in policy.split("/"))
    stated = next((kind for kind in kinds if kind is not None), None)
    return stated or (Layer.RCP if parsing.hints.layer is Layer.RCP else Layer.SCP)


def _attached(policy: str, layer: Layer, item: Json, source: Source) -> Parsed:
    target = name_of(item.get("TargetId")) if isinstance(item, dict) else name_of(item)
    if target is None:
        yield unsupported(f"target {shown(item)} of `{policy}` has no `TargetId`", source)
        return
    arn = str(item.get("Arn")) if isinstance(item, dict) else ""
    organization = next((word for word in arn.split("/") if word.startswith("o-")), None)
    facts = {ORGANIZATION: organization} if organization is not None else {}
    yield Container(CLOUD, target, level_kind(target), source, attributes=facts)
    yield Attachment(CLOUD, policy, target, layer, source)
