"""AWS Organizations: the hierarchy, and which policies hang where, as the command line prints them.

The replies leave out what was asked for: the parent, the target or the policy. A hint says it (`scope`, `resource`), or
a field beside the list (`ParentId`, `TargetId`, `ChildId`, `PolicyId`). Replies may be merged into one
object, with `ParentId` on units and accounts, and `Content` and `Targets` on policies.
https://docs.aws.amazon.com/organizations/latest/APIReference/API_Operations.html
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from idtrans.clouds.aws._arns import is_account, read_arn
from idtrans.clouds.aws._org_words import (
    ACCOUNT,
    ALL_ACCOUNTS,
    MANAGEMENT,
    ORGANIZATION,
    POLICY_TYPES,
    ROOT,
    UNIT,
    level_kind,
    listed,
    status,
)
from idtrans.clouds.aws._parse_org_policies import (
    Place,
    is_management_policy,
    parse_listed,
    parse_single,
    parse_targets,
)
from idtrans.clouds.aws._parse_pages import Page, page_faults, pages_of
from idtrans.clouds.aws._parse_state import CLOUD, Parsed, Parsing, unsupported
from idtrans.clouds.aws._parse_values import name_of, shown
from idtrans.model.documents import Json
from idtrans.model.entities import Container

_LISTS: Final = ("Roots", "OrganizationalUnits", "Accounts", "Parents", "Children", "Policies", "Targets")
_ADMINISTRATORS: Final = "DelegatedAdministrators"
_TYPES: Final = {"ROOT": ROOT, "ORGANIZATIONAL_UNIT": UNIT, "ACCOUNT": ACCOUNT}


def parse_organizations(parsing: Parsing) -> Parsed:
    """Yield the levels of an organisation, its policies, and where those hang."""
    yield from parsing.hinted_account()
    pages = list(pages_of(parsing))
    for number, page in enumerate(pages, start=1):
        for section, reader in _READERS.items():
            if section in page.raw:
                yield from reader(parsing, page)
        if number < len(pages) and name_of(page.raw.get("NextToken")) is not None:
            # Pages may be of different replies, so that the next one is not what the token asks for.
            yield unsupported("the reply is truncated: later pages are missing", page.source.at("NextToken"))
    yield from page_faults(parsing, (*_LISTS, _ADMINISTRATORS))


def _organization(parsing: Parsing, page: Page) -> Parsed:
    """`aws organizations describe-organization`."""
    raw, source = page.raw["Organization"], page.source.at("Organization")
    name = name_of(raw.get("Id")) if isinstance(raw, dict) else None
    if name is None or not isinstance(raw, dict):
        yield unsupported(f"organisation {shown(raw)} has no `Id`", source)
        return
    facts = {}
    manager = name_of(raw.get("MasterAccountId")) or name_of(raw.get("ManagementAccountId"))
    if manager is not None and is_account(manager):
        facts[MANAGEMENT] = manager
        yield Container(CLOUD, manager, ACCOUNT, source, attributes={ORGANIZATION: name})
    if raw.get("FeatureSet") == "CONSOLIDATED_BILLING":
        # Policies need all features.
        # https://docs.aws.amazon.com/organizations/latest/userguide/orgs_getting-started_concepts.html#feature-set
        facts |= {status(kind): "disabled" for kind in POLICY_TYPES.values()}
    yield Container(CLOUD, name, "organization", source, attributes=facts)
    yield from parsing.account(manager, source)


@dataclass(frozen=True, slots=True)
class _Level:
    """A root, a unit or an account, as one item of a reply."""

    raw: dict[str, Json]
    place: Place
    kind: str
    parent: str | None


def _levels(section: str, kind: str) -> Callable[[Parsing, Page], Parsed]:
    """Return the reader of `list-roots`, `list-organizational-units-for-parent` and `list-accounts(-for-parent)`."""

    def read(parsing: Parsing, page: Page) -> Parsed:
        asked = name_of(page.raw.get("ParentId"))
        if asked is None and kind != ROOT:
            asked = parsing.hints.scope
        items = page.raw[section] if isinstance(page.raw[section], list) else ()
        organizations: set[str] = set()
        for number, raw in enumerate(items):
            source = page.source.at(section, number)
            if not isinstance(raw, dict) or name_of(raw.get("Id")) is None:
                yield unsupported(f"{kind} {shown(raw)} has no `Id`", source)
                continue
            parent = name_of(raw.get("ParentId")) or asked
            for container in _described(_Level(raw, Place(parsing, source), kind, parent)):
                organizations |= {container.attributes.get(ORGANIZATION, "")} - {""}
                yield container
        if section == "Accounts" and asked is None and name_of(page.raw.get("NextToken")) is None:
            for organization in sorted(organizations):
                yield Container(
                    CLOUD, organization, "organization", page.source.at(section), attributes={ALL_ACCOUNTS: "true"}
                )

    return read


def _single(section: str, kind: str) -> Callable[[Parsing, Page], Parsed]:
    """Return the reader of `describe-organizational-unit` and `describe-account`."""

    def read(parsing: Parsing, page: Page) -> Parsed:
        raw, source = page.raw[section], page.source.at(section)
        if isinstance(raw, dict) and name_of(raw.get("Id")) is not None:
            parent = name_of(raw.get("ParentId")) or name_of(page.raw.get("ParentId"))
            yield from _described(_Level(raw, Place(parsing, source), kind, parent))
        else:
            yield unsupported(f"{kind} {shown(raw)} has no `Id`", source)

    return read


def _described(level: _Level) -> Iterator[Container]:
    """Yield a level with the one above it, as its path, its parent or its ARN tells."""
    raw, source = level.raw, level.place.source
    own = str(raw["Id"])
    organization = _organization_of(raw)
    facts = {ORGANIZATION: organization} if organization is not None else {}
    if level.kind == ROOT:
        facts |= _policy_types(raw)
    parent = organization if level.kind == ROOT else level.parent
    for above, below in _steps(raw, own):
        if below == own:
            parent = above
        elif organization is not None:
            yield Container(CLOUD, below, level_kind(below), source, above, attributes={ORGANIZATION: organization})
    yield Container(CLOUD, own, level.kind, source, parent, name_of(raw.get("Name")), attributes=facts)


def _steps(raw: dict[str, Json], own: str) -> Iterator[tuple[str, str]]:
    """Yield the pairs of levels, one above the other, on the path that a reply states.

    https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_last-accessed-view-data-orgs.html#access_policies_last-accessed-viewing-orgs-entity-path
    """
    paths = raw.get("Paths") if isinstance(raw.get("Paths"), list) else [raw.get("Path")]
    text = paths[0] if isinstance(paths, list) and len(paths) == 1 and isinstance(paths[0], str) else ""
    words = [word for word in text.split("/") if word]
    if not words or not words[0].startswith("o-"):
        return
    if words[-1] != own:
        words.append(own)
    yield from pairwise(words)


def _organization_of(raw: dict[str, Json]) -> str | None:
    """Return the organisation that an ARN such as `arn:aws:organizations::1:ou/o-1/ou-2` names."""
    arn = read_arn(name_of(raw.get("Arn")) or "")
    named = arn.second if arn is not None and arn.service == "organizations" else ""
    return named if named.startswith("o-") else None


def _policy_types(raw: dict[str, Json]) -> dict[str, str]:
    """Return which kinds of policies a root has turned on, where its description lists them."""
    types = raw.get("PolicyTypes")
    if not isinstance(types, list):
        return {}
    found = {status(kind): "disabled" for kind in POLICY_TYPES.values()}
    for item in types:
        kind = POLICY_TYPES.get(str(item.get("Type"))) if isinstance(item, dict) else None
        if kind is not None and isinstance(item, dict) and item.get("Status") != "PENDING_ENABLE":
            found[status(kind)] = "enabled"
    return found


def _parents(parsing: Parsing, page: Page) -> Parsed:
    """`aws organizations list-parents`: the child is the one that was asked for."""
    child = name_of(page.raw.get("ChildId")) or parsing.hints.scope
    for number, raw in enumerate(listed(page.raw["Parents"])):
        source = page.source.at("Parents", number)
        parent = name_of(raw.get("Id")) if isinstance(raw, dict) else None
        if parent is None or child is None:
            reason = f"parent {shown(raw)} has no `Id`" if parent is None else "parents, and it is not known of what"
            yield unsupported(reason, source)
        else:
            yield Container(CLOUD, child, level_kind(child), source, parent)


def _children(parsing: Parsing, page: Page) -> Parsed:
    """`aws organizations list-children`: the parent is the one that was asked for."""
    parent = name_of(page.raw.get("ParentId")) or parsing.hints.scope
    for number, raw in enumerate(listed(page.raw["Children"])):
        source = page.source.at("Children", number)
        child = name_of(raw.get("Id")) if isinstance(raw, dict) else None
        if parent is None or child is None:
            reason = f"child {shown(raw)} has no `Id`" if child is None else "children, and it is not known of what"
            yield unsupported(reason, source)
        else:
            yield Container(CLOUD, child, level_kind(child), source, parent)


def is_organizations(page: dict[str, Json]) -> bool:
    """Tell whether an object is a reply of Organizations, other than a policy document."""
    organization = page.get("Organization")
    if isinstance(organization, dict) and str(organization.get("Id")).startswith("o-"):
        return True
    if isinstance(page.get("Roots"), list) or isinstance(page.get("OrganizationalUnits"), list):
        return True
    return any(_are(page.get(name), fits) for name, fits in _MARKS.items())


def _are(items: Json, fits: Callable[[dict[str, Json]], bool]) -> bool:
    """Tell whether a value is an object that fits, or a list that holds one."""
    found = items if isinstance(items, list) else [items]
    return any(isinstance(item, dict) and fits(item) for item in found)


def _is_ours(item: dict[str, Json]) -> bool:
    arn = read_arn(name_of(item.get("Arn")) or "")
    return arn is not None and arn.service == "organizations"


def _is_step(item: dict[str, Json]) -> bool:
    return item.get("Type") in _TYPES and isinstance(item.get("Id"), str)


_MARKS: Final[dict[str, Callable[[dict[str, Json]], bool]]] = {
    "Accounts": _is_ours,
    _ADMINISTRATORS: _is_ours,
    "Account": _is_ours,
    "OrganizationalUnit": _is_ours,
    "Policies": lambda item: isinstance(item.get("Type"), str) and _is_ours(item),
    "Policy": is_management_policy,
    "Targets": lambda item: item.get("Type") in _TYPES and isinstance(item.get("TargetId"), str),
    "Parents": _is_step,
    "Children": _is_step,
}
"""What tells the lists of Organizations from lists of the same name elsewhere."""
ORGANIZATION_SIGNS: Final = frozenset({"Organization", "Roots", "OrganizationalUnits", *_MARKS})
"""Keys, one of which every reply of Organizations has."""
_READERS: Final[dict[str, Callable[[Parsing, Page], Parsed]]] = {
    "Organization": _organization,
    "Roots": _levels("Roots", ROOT),
    "OrganizationalUnits": _levels("OrganizationalUnits", UNIT),
    "OrganizationalUnit": _single("OrganizationalUnit", UNIT),
    "Accounts": _levels("Accounts", ACCOUNT),
    _ADMINISTRATORS: _levels(_ADMINISTRATORS, ACCOUNT),
    "Account": _single("Account", ACCOUNT),
    "Parents": _parents,
    "Children": _children,
    "Policies": parse_listed,
    "Policy": parse_single,
    "Targets": parse_targets,
}
