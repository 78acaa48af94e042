"""Recognising documents by their shape. Names of files play no part."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from idtrans.clouds.gcp._fields import CLOUD_NAME
from idtrans.clouds.gcp._parse_guards import LEVEL_NAME, ORG_POLICY_NAME, PERIMETER_NAME
from idtrans.clouds.gcp._parse_hmac import HMAC
from idtrans.clouds.gcp._parse_rules import ACCESS_NAME, BOUNDARY_NAME, DENY_NAME, POLICY_BINDING_NAME
from idtrans.model.documents import Document, Json

IAM_POLICY: Final = "gcp.iam-policy"
SEARCH: Final = "gcp.search-all-iam-policies"
ASSETS: Final = "gcp.asset-export"
PROVIDERS: Final = "gcp.workload-identity-providers"
KEYS: Final = "gcp.service-account-keys"
ROLES: Final = "gcp.custom-roles"
CONTAINERS: Final = "gcp.containers"
ACCOUNTS: Final = "gcp.service-accounts"
DENIES: Final = "gcp.deny-policies"
BOUNDARIES: Final = "gcp.principal-access-boundaries"
POLICY_BINDINGS: Final = "gcp.policy-bindings"
ACCESS_POLICIES: Final = "gcp.access-policies"
PERIMETERS: Final = "gcp.service-perimeters"
LEVELS: Final = "gcp.access-levels"
ORG_POLICIES: Final = "gcp.organization-policies"
MEMBERSHIPS: Final = "gcp.group-memberships"
ANCESTORS: Final = "gcp.ancestors"
TAGS: Final = "gcp.tags"

WRAPPERS: Final = {
    SEARCH: ("results",),
    ASSETS: ("assets",),
    PROVIDERS: ("workloadIdentityPoolProviders", "workloadIdentityPools"),
    KEYS: ("keys", "items"),
    ROLES: ("roles",),
    CONTAINERS: ("projects", "folders", "organizations"),
    ACCOUNTS: ("accounts",),
    DENIES: ("policies",),
    BOUNDARIES: ("principalAccessBoundaryPolicies",),
    POLICY_BINDINGS: ("policyBindings",),
    ACCESS_POLICIES: ("accessPolicies",),
    PERIMETERS: ("servicePerimeters",),
    LEVELS: ("accessLevels",),
    ORG_POLICIES: ("policies",),
    MEMBERSHIPS: ("memberships", "members"),
    TAGS: ("tagBindings", "effectiveTags"),
}
"""Member that holds the list, in REST answers of each shape."""

_SAMPLE = 20
_POLICY_KEYS = {"bindings", "etag", "version", "auditConfigs", "kind", "resourceId"}
_PROVIDER_NAME = re.compile(
    r"(?://iam\.googleapis\.com/)?projects/[^/]+/locations/[^/]+/workloadIdentityPools/[^/]+(?:/providers/[^/]+)?"
)
_KEY_NAME = re.compile(r"(?://iam\.googleapis\.com/)?projects/[^/]+/serviceAccounts/[^/]+/keys/[^/]+")
_ROLE_NAME = re.compile(r"(?:(?:projects|organizations)/[^/]+/)?roles/[^/]+")
_ACCOUNT_NAME = re.compile(r"projects/[^/]+/serviceAccounts/[^/]+")
_FOLDER_NAME = re.compile(r"(?:folders|organizations)/[0-9]+")
_MEMBERSHIP_NAME = re.compile(r"groups/[^/]+/memberships/[^/]+")
_CONTAINER_KINDS = ("project", "folder", "organization")
_ORG_POLICY_V1 = {"booleanPolicy", "listPolicy", "restoreDefault"}


def recognise(document: Document) -> str | None:
    """Return the shape of a document, `None` when it is none of this cloud's."""
    hints = document.hints
    if hints.cloud not in (None, CLOUD_NAME):
        return None
    if hints.kind in _TESTS:
        return hints.kind
    content = document.content
    for shape, test in _TESTS.items():
        if any(isinstance(element, dict) and test(element) for element in _sample(shape, content)):
            return shape
    return None


def _sample(shape: str, content: Json) -> list[Json]:
    if isinstance(content, list):
        # A policy has no name of its own: a list of them could not be told apart from other lists of bindings.
        return [] if shape == IAM_POLICY else content[:_SAMPLE]
    if not isinstance(content, dict):
        return []
    for wrapper in WRAPPERS.get(shape, ()):
        inner = content.get(wrapper)
        if isinstance(inner, list):
            return inner[:_SAMPLE]
    return [content]


def _text(item: Mapping[str, Json], name: str) -> str:
    value = item.get(name)
    return value if isinstance(value, str) else ""


def _is_policy(item: Mapping[str, Json]) -> bool:
    bindings = item.get("bindings")
    if isinstance(bindings, list):
        return all(isinstance(each, dict) and ("role" in each or "members" in each) for each in bindings)
    # A policy that grants nothing is printed as its etag alone.
    return isinstance(item.get("etag"), str) and set(item) <= _POLICY_KEYS


def _is_search_result(item: Mapping[str, Json]) -> bool:
    return _text(item, "resource").startswith("//") and isinstance(item.get("policy"), dict)


def _is_asset(item: Mapping[str, Json]) -> bool:
    return _text(item, "name").startswith("//") and bool(_text(item, "assetType") or _text(item, "asset_type"))


def _is_provider(item: Mapping[str, Json]) -> bool:
    return bool(_PROVIDER_NAME.fullmatch(_text(item, "name")))


def _is_key(item: Mapping[str, Json]) -> bool:
    return bool(_KEY_NAME.fullmatch(_text(item, "name"))) or _text(item, "kind") == HMAC


def _is_role(item: Mapping[str, Json]) -> bool:
    return bool(_ROLE_NAME.fullmatch(_text(item, "name"))) and bool(
        {"includedPermissions", "title", "stage", "etag"} & set(item)
    )


def _is_container(item: Mapping[str, Json]) -> bool:
    if "projectId" in item:
        return "projectNumber" in item and ("lifecycleState" in item or "parent" in item or "createTime" in item)
    return bool(_FOLDER_NAME.fullmatch(_text(item, "name"))) and "displayName" in item


def _is_account(item: Mapping[str, Json]) -> bool:
    return bool(_ACCOUNT_NAME.fullmatch(_text(item, "name"))) and bool(_text(item, "email"))


def _named(pattern: re.Pattern[str]) -> Callable[[Mapping[str, Json]], bool]:
    """Return the test of a kind of thing whose name has a form of its own."""
    return lambda item: pattern.fullmatch(_text(item, "name")) is not None


def _is_deny_policy(item: Mapping[str, Json]) -> bool:
    if DENY_NAME.fullmatch(_text(item, "name")):
        return True
    # The file that a policy is made from holds its rules alone.
    rules = item.get("rules")
    return isinstance(rules, list) and any(
        isinstance(rule, dict) and bool({"denyRule", "deny_rule"} & set(rule)) for rule in rules[:_SAMPLE]
    )


def _is_org_policy(item: Mapping[str, Json]) -> bool:
    if _text(item, "constraint").startswith("constraints/"):
        return bool(_ORG_POLICY_V1 & set(item))
    return bool(ORG_POLICY_NAME.fullmatch(_text(item, "name"))) and bool({"spec", "dryRunSpec"} & set(item))


def _is_membership(item: Mapping[str, Json]) -> bool:
    if _text(item, "kind") == "admin#directory#member":
        return True
    if _MEMBERSHIP_NAME.fullmatch(_text(item, "name")):
        return bool({"preferredMemberKey", "memberKey", "roles"} & set(item))
    return isinstance(item.get("memberships"), list) and bool({"groupKey", "groupEmail"} & set(item))


def _is_tag(item: Mapping[str, Json]) -> bool:
    bound = _text(item, "name").startswith("tagBindings/") and bool(_text(item, "parent"))
    return bound or bool(_text(item, "namespacedTagKey") and _text(item, "namespacedTagValue"))


def _is_ancestor(item: Mapping[str, Json]) -> bool:
    return _text(item, "type") in _CONTAINER_KINDS and "id" in item and set(item) <= {"id", "type", "policy"}


_TESTS: Final[dict[str, Callable[[Mapping[str, Json]], bool]]] = {
    ASSETS: _is_asset,
    SEARCH: _is_search_result,
    PROVIDERS: _is_provider,
    KEYS: _is_key,
    ACCOUNTS: _is_account,
    ROLES: _is_role,
    CONTAINERS: _is_container,
    DENIES: _is_deny_policy,
    BOUNDARIES: _named(BOUNDARY_NAME),
    POLICY_BINDINGS: _named(POLICY_BINDING_NAME),
    ACCESS_POLICIES: _named(ACCESS_NAME),
    PERIMETERS: _named(PERIMETER_NAME),
    LEVELS: _named(LEVEL_NAME),
    ORG_POLICIES: _is_org_policy,
    MEMBERSHIPS: _is_membership,
    ANCESTORS: _is_ancestor,
    TAGS: _is_tag,
    IAM_POLICY: _is_policy,
}
