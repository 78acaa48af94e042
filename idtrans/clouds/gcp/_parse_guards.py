"""Organization policies and service perimeters: limits that stand beside IAM.

They are kept as resources with their settings, so that rules can read them. What could take access away is reported,
because no answer about permissions takes it into account.
https://cloud.google.com/resource-manager/docs/organization-policy/overview
https://cloud.google.com/vpc-service-controls/docs/overview
"""

from __future__ import annotations

import re
from typing import Final

from idtrans.clouds.gcp._fields import CLOUD_NAME, Item, problem, shown
from idtrans.clouds.gcp._names import CONTAINER, scope_name
from idtrans.clouds.gcp._parse_policies import Found
from idtrans.model.entities import Resource
from idtrans.model.values import UNKNOWN, Unknown

PERIMETER_NAME: Final = re.compile(r"accessPolicies/[^/]+/servicePerimeters/[^/]+")
"""Name of a service perimeter."""
LEVEL_NAME: Final = re.compile(r"accessPolicies/[^/]+/accessLevels/[^/]+")
"""Name of an access level."""
ORG_POLICY_NAME: Final = re.compile(
    r"(?P<scope>(?:projects|folders|organizations)/[^/]+)/policies/(?P<constraint>[^/]+)"
)
"""Name of an organization policy of version 2."""

_HOST: Final = "//accesscontextmanager.googleapis.com/"
_ORG_HOST: Final = "//orgpolicy.googleapis.com/"
PUBLIC_ACCESS: Final = "storage.publicAccessPrevention"
"""Constraint that keeps public members away from buckets."""
_DECIDES_ACCESS: Final = frozenset(
    {
        PUBLIC_ACCESS,
        "gcp.restrictServiceUsage",
        "iam.disableCrossProjectServiceAccountUsage",
        "iam.disableServiceAccountCreation",
        "iam.disableServiceAccountKeyCreation",
        "iam.disableServiceAccountKeyUpload",
    }
)
"""Constraints that take away access which bindings give; all others only say what may be configured."""

Settings = dict[str, str | int | bool | Unknown | None]


def parse_perimeter(item: Item) -> Found:
    """Read one service perimeter. Only `status` is enforced: `spec` is a dry run."""
    name = (item.text("name") or "").removeprefix(_HOST)
    status = item.item("status")
    settings: Settings = {"perimeterType": item.text("perimeterType") or "PERIMETER_TYPE_REGULAR"}
    settings["enforced"] = status is not None
    if status is not None:
        settings["resources"] = " ".join(status.texts("resources"))
        settings["restrictedServices"] = " ".join(status.texts("restrictedServices"))
        settings["openEgress"] = _is_open(status)
        yield problem(
            f"the service perimeter `{name}` is not evaluated; it could only take access away", status.source, name
        )
    yield Resource(
        CLOUD_NAME, f"{_HOST}{name}", "service-perimeter", item.source, name=item.text("title"), settings=settings
    )


def _is_open(status: Item) -> bool | Unknown:
    """Tell whether egress to every resource outside is open, or to resources of other clouds."""
    value = status.get("egressPolicies")
    if value is not None and not (isinstance(value, list) and all(isinstance(each, dict) for each in value)):
        return UNKNOWN
    targets = [rule.item("egressTo") for rule in status.items("egressPolicies")]
    return any(
        target is not None and ("*" in target.texts("resources") or bool(target.texts("externalResources")))
        for target in targets
    )


def parse_level(item: Item) -> Found:
    """Read one access level, by name: conditions ask for it, and what it demands is not decided here."""
    name = (item.text("name") or "").removeprefix(_HOST)
    yield Resource(CLOUD_NAME, f"{_HOST}{name}", "access-level", item.source, name=item.text("title"))


def parse_org_policy(item: Item, scope: str | None = None) -> Found:
    """Read one organization policy of either version; those of version 1 do not say where they hang."""
    found = ORG_POLICY_NAME.fullmatch((item.text("name") or "").removeprefix(_ORG_HOST))
    written = found["constraint"] if found is not None else (item.text("constraint") or "")
    constraint = written.removeprefix("constraints/")
    place = scope_name(found["scope"]) if found is not None else scope
    if not constraint:
        yield problem(f"an organization policy without a constraint: {shown(dict(item.data))}", item.source)
        return
    enforced = _enforced(item)
    settings: Settings = {
        "constraint": constraint.removeprefix("iam.managed.").removeprefix("managed."),
        "enforced": enforced,
    }
    name = f"{_ORG_HOST}{place or 'unknown'}/policies/{constraint}"
    container = place if place is not None and CONTAINER.fullmatch(place) else None
    yield Resource(CLOUD_NAME, name, "organization-policy", item.source, container, constraint, settings)
    evaluated = settings["constraint"] == PUBLIC_ACCESS and container is not None and enforced is True
    decides = constraint.replace("managed.", "", 1) in _DECIDES_ACCESS or constraint.startswith("custom.")
    if decides and not evaluated and enforced is not False:
        yield problem(
            f"the organization policy `{constraint}` is not evaluated; it could only take access away",
            item.source,
            place,
        )


def _enforced(item: Item) -> bool | Unknown:
    """Tell whether a policy forbids something without a condition; UNKNOWN when a condition decides."""
    old = item.item("booleanPolicy")
    if old is not None:
        flag = old.flag("enforced")
        return False if flag is None else flag
    listed = item.item("listPolicy")
    if listed is not None:
        return bool(listed.get("allValues") != "ALLOW")
    spec = item.item("spec")
    if spec is None:
        return False
    answers = [_rule_enforced(rule) for rule in spec.items("rules")]
    if UNKNOWN in answers:
        return UNKNOWN
    return True in answers


def _rule_enforced(rule: Item) -> bool | Unknown:
    flag = rule.flag("enforce")
    if flag is None:
        flag = not {"denyAll", "values"}.isdisjoint(rule.data)
    return UNKNOWN if rule.get("condition") is not None and flag is not False else flag
