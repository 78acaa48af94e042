"""Policies that name principals themselves: deny policies, principal access boundaries, access policies.

https://cloud.google.com/iam/docs/deny-overview
https://cloud.google.com/iam/docs/principal-access-boundary-policies
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from idtrans.clouds.gcp._fields import CLOUD_NAME, Item, problem, shown
from idtrans.clouds.gcp._members import Member, member
from idtrans.clouds.gcp._names import CONTAINER, scope_name
from idtrans.clouds.gcp._parse_policies import Found, principal_of
from idtrans.clouds.gcp._permissions import problems
from idtrans.model.entities import AccessRule, Boundary, BoundaryBinding
from idtrans.model.spans import Source
from idtrans.model.values import UNKNOWN, Effect, Unknown

DENY_LAYER: Final = "deny policy"
"""Layer of the rules of deny policies."""
ACCESS_LAYER: Final = "access policy"
"""Layer of the rules of access policies."""

DENY_NAME: Final = re.compile(r"policies/(?P<point>.+)/denypolicies/[^/]+")
"""Name of a deny policy, with the URL-encoded name of what it is attached to."""
BOUNDARY_NAME: Final = re.compile(
    r"(?://iam\.googleapis\.com/)?organizations/[^/]+/locations/[^/]+/principalAccessBoundaryPolicies/[^/]+"
)
"""Name of a principal access boundary policy."""
POLICY_BINDING_NAME: Final = re.compile(
    r"(?://iam\.googleapis\.com/)?(?:projects|folders|organizations)/[^/]+/locations/[^/]+/policyBindings/[^/]+"
)
"""Name of a binding of a boundary or an access policy."""
ACCESS_NAME: Final = re.compile(
    r"(?://iam\.googleapis\.com/)?(?:projects|folders|organizations)/[^/]+/locations/[^/]+/accessPolicies/[^/]+"
)
"""Name of an access policy."""

_EVENTARC: Final = "eventarc.googleapis.com"
"""The one service whose permissions access policies decide so far."""
_EFFECTS: Final = {"ALLOW": Effect.ALLOW, "DENY": Effect.DENY}
_IAM_HOST: Final = "//iam.googleapis.com/"
_METADATA_ONLY: Final = "was listed without its rules; `gcloud iam policies get` prints them"


def parse_deny_policy(item: Item, stated: str | None = None) -> Found:
    """Read one deny policy: each rule of it, and every principal that is named.

    The file that a policy is made from has no name, which would tell what it is attached to; `stated` does then.
    https://cloud.google.com/iam/docs/deny-access#create-deny-policy
    """
    name = item.text("name") or item.text("displayName") or "deny policy"
    found = DENY_NAME.fullmatch(name)
    scope = _attachment(found["point"]) if found is not None else scope_name(stated) if stated else None
    if scope is None or CONTAINER.fullmatch(scope) is None:
        scope = None
        reason = f"it is not known what the deny policy {shown(name)} is attached to; name it with a scope"
        yield problem(reason, item.source)
    rules = item.get("rules")
    if rules is None:
        yield from _unread(item, name, scope, f"the deny policy {shown(name)} {_METADATA_ONLY}")
        return
    if not isinstance(rules, list) or not all(isinstance(rule, dict) for rule in rules):
        yield from _unread(item, name, scope, f"the rules of {shown(name)} are not a list of objects")
    for number, rule in enumerate(item.items("rules")):
        deny = rule.item("denyRule")
        if deny is None:
            yield from _unread(rule, f"{name}#{number}", scope, f"a rule of {shown(name)} is no deny rule")
            continue
        parts = _Parts(f"{name}#{number}", Effect.DENY, DENY_LAYER, scope or UNKNOWN)
        texts = (deny.placed_texts("deniedPrincipals"), deny.placed_texts("exceptionPrincipals"))
        condition, doubts = _condition(deny, "denialCondition")
        doubts += _list_doubts(
            deny, ("deniedPrincipals", "exceptionPrincipals", "deniedPermissions", "exceptionPermissions")
        )
        permissions = (deny.texts("deniedPermissions"), deny.texts("exceptionPermissions"))
        # What such a name may mean stays open in the rule, which is about nothing else.
        yield from (problem(each, deny.source, scope) for each in problems((*permissions[0], *permissions[1])))
        yield from _rule(parts, deny.source, (texts, permissions), condition, doubts)


def _unread(item: Item, name: str, scope: str | None, doubt: str) -> Found:
    """Yield a rule of which nothing is known, so that what it may deny is not taken for allowed."""
    yield problem(doubt, item.source, scope)
    yield AccessRule(CLOUD_NAME, name, Effect.DENY, DENY_LAYER, scope or UNKNOWN, (), (), item.source, doubts=(doubt,))


def _attachment(point: str) -> str | None:
    """Return the scope that the URL-encoded name of an attachment point means; some tools encode it twice."""
    scope = scope_name(f"//{unquote(unquote(point)).removeprefix('//')}")
    return scope if CONTAINER.fullmatch(scope) else None


@dataclass(frozen=True, slots=True)
class _Parts:
    """What the rules of a policy have in common."""

    id: str
    effect: Effect
    layer: str
    scope: str | Unknown


_Placed = tuple[tuple[str, Source], ...]


def _rule(
    parts: _Parts,
    source: Source,
    named: tuple[tuple[_Placed, _Placed], tuple[tuple[str, ...], tuple[str, ...]]],
    condition: str | None,
    doubts: tuple[str, ...],
) -> Found:
    texts, (permissions, excluded_permissions) = named
    principals, excluded = (tuple((member(text), place) for text, place in side) for side in texts)
    for each, place in (*principals, *excluded):
        if each.valid:
            yield principal_of(each, place)
    subject = parts.scope if isinstance(parts.scope, str) else None
    # A principal that cannot be read may be anybody; what is denied to it is known all the same.
    for doubt in (*doubts, *_principal_doubts((*principals, *excluded))):
        yield problem(doubt, source, subject)
    yield AccessRule(
        cloud=CLOUD_NAME,
        id=parts.id,
        effect=parts.effect,
        layer=parts.layer,
        scope=parts.scope,
        principals=tuple(dict.fromkeys(each.id for each, _ in principals)),
        permissions=permissions,
        source=source,
        excluded_principals=tuple(dict.fromkeys(each.id for each, _ in excluded)),
        excluded_permissions=excluded_permissions,
        condition=condition,
        doubts=doubts,
    )


def _principal_doubts(found: tuple[tuple[Member, Source], ...]) -> Iterator[str]:
    """Yield what is not known of principals: a set of an unknown kind could hold anybody."""
    for each, _ in found:
        if each.doubt is not None and (not each.valid or each.id.startswith("principalSet:")):
            yield each.doubt


def _list_doubts(item: Item, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return a doubt for each list that holds something else than texts."""
    return tuple(
        f"`{name}` is not a list of texts"
        for name in names
        if item.get(name) is not None and not _is_texts(item.get(name))
    )


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _condition(item: Item, name: str) -> tuple[str | None, tuple[str, ...]]:
    """Return the expression of a condition, with a doubt when there is a condition and no expression."""
    written = item.get(name)
    if written is None:
        return None, ()
    expression = item.item(name)
    text = expression.text("expression") if expression is not None else None
    return text, () if text is not None else ("the condition has no expression",)


def parse_boundary(item: Item) -> Found:
    """Read one principal access boundary policy."""
    name = (item.text("name") or "").removeprefix(_IAM_HOST)
    details = item.item("details")
    if details is None or details.get("rules") is None:
        yield problem(f"the principal access boundary {shown(name)} was listed without its rules", item.source)
        yield Boundary(CLOUD_NAME, name, (), None, item.source, ("its rules were not supplied",))
        return
    resources: list[str] = []
    doubts = list(_list_doubts(details, ()))
    rules = details.get("rules")
    if not isinstance(rules, list) or not all(isinstance(rule, dict) for rule in rules):
        doubts.append("its rules are not a list of objects")
    for rule in details.items("rules"):
        if rule.get("effect") != "ALLOW":
            doubts.append(f"a rule has the effect {shown(rule.get('effect'))}")
        doubts += _list_doubts(rule, ("resources",))
        resources += (scope_name(text) for text in rule.texts("resources"))
    doubts += (
        f"{shown(each)} is no project, folder or organization" for each in resources if not CONTAINER.fullmatch(each)
    )
    for doubt in doubts:
        yield problem(f"{doubt} in the principal access boundary {shown(name)}", details.source)
    version = details.get("enforcementVersion")
    stated = str(version) if isinstance(version, str | int) and not isinstance(version, bool) else None
    yield Boundary(CLOUD_NAME, name, tuple(dict.fromkeys(resources)), stated, item.source, tuple(doubts))


def parse_policy_binding(item: Item) -> Found:
    """Read one policy binding. Those of boundaries count; those of access policies say where a policy applies."""
    name = (item.text("name") or "").removeprefix(_IAM_HOST)
    target, policy = item.item("target"), (item.text("policy") or "").removeprefix(_IAM_HOST)
    kind = item.text("policyKind") or ("ACCESS" if ACCESS_NAME.fullmatch(policy) else "PRINCIPAL_ACCESS_BOUNDARY")
    if kind == "ACCESS":
        # An access policy applies where it is bound, which is where it lies in every policy that can be made so far.
        return
    text = (target.text("principalSet") if target is not None else None) or ""
    if kind != "PRINCIPAL_ACCESS_BOUNDARY" or not policy or not text:
        yield problem(f"the policy binding {shown(name)} is not understood", item.source)
    if kind != "PRINCIPAL_ACCESS_BOUNDARY":
        return
    # Without a policy or a target it still may bind anybody to anything.
    found = member(text)
    condition, doubts = _condition(item, "condition")
    doubts += tuple(_principal_doubts(((found, item.source),)))
    if (
        found.container is None
        and found.pool is None
        and found.doubt is None
        and not found.id.startswith("principalSet:")
    ):
        doubts += (f"{shown(text)} is no principal set",)
    for doubt in doubts:
        yield problem(doubt, item.source)
    yield BoundaryBinding(CLOUD_NAME, name, policy, found.id, item.source, condition, doubts)


def parse_access_policy(item: Item) -> Found:
    """Read one access policy: its rules decide permissions of Eventarc, all others are reported.

    https://cloud.google.com/iam/docs/reference/rest/v3/organizations.locations.accessPolicies
    """
    name = (item.text("name") or "").removeprefix(_IAM_HOST)
    scope = name.partition("/locations/")[0]
    details = item.item("details")
    if details is None or details.get("rules") is None:
        yield problem(f"the access policy {shown(name)} was listed without its rules", item.source, scope)
        return
    for number, rule in enumerate(details.items("rules")):
        yield from _access_rule(rule, f"{name}#{number}", scope)


def _access_rule(rule: Item, name: str, scope: str) -> Found:
    effect = _EFFECTS.get(rule.text("effect") or "")
    operation = rule.item("operation")
    permissions = operation.texts("permissions") if operation is not None else ()
    excluded = operation.texts("excludedPermissions") if operation is not None else ()
    mine = tuple(each for each in permissions if each.startswith(f"{_EVENTARC}/"))
    if effect is None or operation is None or len(mine) != len(permissions):
        yield problem(f"the rule {shown(name)} is about more than Eventarc, which is not read", rule.source, scope)
    if effect is None or not mine:
        return
    conditions = rule.item("conditions")
    own = conditions.item(_EVENTARC) if conditions is not None else None
    condition = own.text("expression") if own is not None else None
    doubts = _list_doubts(rule, ("principals", "excludedPrincipals"))
    if conditions is not None and condition is None:
        doubts += ("the condition has no expression",)
    texts = (rule.placed_texts("principals"), rule.placed_texts("excludedPrincipals"))
    parts = _Parts(name, effect, ACCESS_LAYER, scope)
    yield from _rule(parts, rule.source, (texts, (mine, excluded)), condition, doubts)
