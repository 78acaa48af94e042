"""Users, groups and roles as the lists of IAM tell them, one kind of thing a reply: who there is, and what each holds.

The lists of one identity do not repeat its name: a hint says it (`principal`), or a field beside the list, such as
`RoleName`. What no list was read of stays unknown: an identity is tied to the lists it needs, like to its policies.
https://docs.aws.amazon.com/IAM/latest/APIReference/API_Operations.html
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from idtrans.clouds.aws._arns import read_arn
from idtrans.clouds.aws._gaps import Gap, gaps, inline_id, told
from idtrans.clouds.aws._parse_identity import Groups, identity_of, parse_attached, parse_group, parse_user
from idtrans.clouds.aws._parse_pages import Page, is_truncated, page_faults, pages_of, section_items
from idtrans.clouds.aws._parse_state import CLOUD, Parsed, Parsing, unsupported
from idtrans.clouds.aws._parse_values import name_of, shown
from idtrans.model.documents import Json
from idtrans.model.entities import Attachment, Membership
from idtrans.model.spans import Source
from idtrans.model.values import Layer

_NAMES: Final = {"RoleName": "role", "UserName": "user", "GroupName": "group"}
_ENTITIES: Final = {"PolicyUsers": "UserName", "PolicyGroups": "GroupName", "PolicyRoles": "RoleName"}
_LISTS: Final = ("Users", "Groups", "AttachedPolicies", "PolicyNames", "Policies", *_ENTITIES)


def parse_listings(parsing: Parsing) -> Parsed:
    """Yield the identities, attachments and memberships of a list, and what each identity still needs to be told."""
    yield from parsing.hinted_account()
    pages = list(pages_of(parsing))
    complete = not is_truncated(pages)
    for page in pages:
        for section, reader in _READERS.items():
            if section in page.raw:
                yield from reader(parsing, page)
    if complete:
        yield from _complete(parsing, pages)
    yield from page_faults(parsing, _LISTS)


def is_listing(page: dict[str, Json]) -> bool:
    """Tell whether an object is a reply of IAM that lists identities or what they hold."""
    if any(isinstance(page.get(name), list) for name in ("AttachedPolicies", "PolicyNames", *_ENTITIES)):
        return True
    if isinstance(page.get("Groups"), list) and "UserName" in page:
        return True
    listed = [item for name in ("Users", "Groups", "Policies") for item in _items(page.get(name))]
    single = [page[name] for name in ("User", "Group", "Policy") if isinstance(page.get(name), dict)]
    return any(_is_of_iam(item) for item in (*listed, *single))


def _items(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _is_of_iam(item: Json) -> bool:
    arn = read_arn(name_of(item.get("Arn")) or "") if isinstance(item, dict) else None
    return arn is not None and arn.service == "iam" and arn.kind in {"user", "group", "policy"}


def _subject(parsing: Parsing, page: Page) -> str | None:
    """Return the identity that a list is about."""
    for key, kind in _NAMES.items():
        name = name_of(page.raw.get(key))
        found = identity_of(parsing.hints.account, f"{kind}/{name}") if name is not None else None
        if isinstance(found, str):
            return found
    arn = read_arn(parsing.hints.principal or "")
    return parsing.hints.principal if arn is not None and arn.kind in _NAMES.values() else None


def _users(parsing: Parsing, page: Page) -> Parsed:
    """`list-users`; in `get-group`, the members."""
    group = page.raw.get("Group")
    arn = name_of(group.get("Arn")) if isinstance(group, dict) else None
    for source, item in section_items(page, "Users"):
        yield from _user(parsing, item, source, (Gap.BOUNDARY,))
        member = name_of(item.get("Arn")) if isinstance(item, dict) else None
        if arn is not None and member is not None:
            yield Membership(CLOUD, member, arn, source)


def _one_user(parsing: Parsing, page: Page) -> Parsed:
    """`get-user`, which tells the boundary too."""
    item, source = page.raw["User"], page.source.at("User")
    yield from _user(parsing, item, source, ())
    arn = name_of(item.get("Arn")) if isinstance(item, dict) else None
    if arn is not None:
        yield told(arn, Gap.BOUNDARY, source)


def _user(parsing: Parsing, item: Json, source: Source, more: tuple[Gap, ...]) -> Parsed:
    yield from gaps(parse_user(parsing, item, source, Groups({})), (Gap.INLINE, Gap.ATTACHED, Gap.GROUPS, *more))


def _groups(parsing: Parsing, page: Page) -> Parsed:
    """`list-groups`; with a user, `list-groups-for-user`."""
    user = _subject(parsing, page)
    for source, item in section_items(page, "Groups"):
        yield from _group(parsing, item, source)
        group = name_of(item.get("Arn")) if isinstance(item, dict) else None
        if user is not None and group is not None:
            yield Membership(CLOUD, user, group, source)


def _one_group(parsing: Parsing, page: Page) -> Parsed:
    yield from _group(parsing, page.raw["Group"], page.source.at("Group"))


def _group(parsing: Parsing, item: Json, source: Source) -> Parsed:
    yield from gaps(parse_group(parsing, item, source), (Gap.INLINE, Gap.ATTACHED))


def _attached(parsing: Parsing, page: Page) -> Parsed:
    """`list-attached-role-policies` and its like."""
    subject = _subject(parsing, page)
    if subject is None:
        yield unsupported("attached policies, and it is not known of whom", page.source.at("AttachedPolicies"))
        return
    for source, item in section_items(page, "AttachedPolicies"):
        yield from parse_attached(item, source, subject)


def _inline(parsing: Parsing, page: Page) -> Parsed:
    """`list-role-policies` and its like: names of inline policies, which other replies hold."""
    subject = _subject(parsing, page)
    if subject is None:
        yield unsupported("names of inline policies, and it is not known of whom", page.source.at("PolicyNames"))
        return
    for source, item in section_items(page, "PolicyNames"):
        if name_of(item) is None:
            yield unsupported(f"{shown(item)} is no name of a policy", source, subject)
        yield Attachment(CLOUD, inline_id(subject, shown(item).strip("`")), subject, Layer.IDENTITY, source)


def _entities(parsing: Parsing, page: Page) -> Parsed:
    """`list-entities-for-policy`: who has a policy attached, by name."""
    policy = name_of(page.raw.get("PolicyArn")) or parsing.hints.resource
    arn = read_arn(policy or "")
    if policy is None or arn is None or arn.kind != "policy":
        yield unsupported("who has a policy attached, and it is not known which policy", page.source)
        return
    account = parsing.hints.account or arn.account
    layer = Layer.BOUNDARY if page.raw.get("PolicyUsageFilter") == "PermissionsBoundary" else Layer.IDENTITY
    for section, key in _ENTITIES.items():
        for source, item in section_items(page, section):
            name = name_of(item.get(key)) if isinstance(item, dict) else None
            holder = identity_of(account, f"{_NAMES[key]}/{name}") if name is not None else None
            if isinstance(holder, str):
                yield Attachment(CLOUD, policy, holder, layer, source)
            else:
                yield unsupported(f"{shown(item)} in `{section}` has no `{key}`, or its account is not known", source)


def _policies(parsing: Parsing, page: Page) -> Parsed:
    """`list-policies` and `get-policy`: what they say is in the attachments and versions of each."""
    single = [(page.source.at("Policy"), page.raw["Policy"])] if "Policy" in page.raw else []
    for source, item in (*section_items(page, "Policies"), *single):
        arn = name_of(item.get("Arn")) if isinstance(item, dict) else None
        if arn is None:
            yield unsupported(f"managed policy {shown(item)} has no `Arn`", source)
        yield from parsing.account(arn, source)


def _complete(parsing: Parsing, pages: list[Page]) -> Parsed:
    """Yield which lists were told as a whole."""
    for page in pages:
        subject = _subject(parsing, page)
        for section, gap in (("AttachedPolicies", Gap.ATTACHED), ("PolicyNames", Gap.INLINE), ("Groups", Gap.GROUPS)):
            if subject is not None and isinstance(page.raw.get(section), list):
                yield told(subject, gap, page.source.at(section))


_READERS: Final[dict[str, Callable[[Parsing, Page], Parsed]]] = {
    "Users": _users,
    "User": _one_user,
    "Groups": _groups,
    "Group": _one_group,
    "AttachedPolicies": _attached,
    "PolicyNames": _inline,
    "PolicyUsers": _entities,
    "Policies": _policies,
    "Policy": _policies,
}
LISTING_SIGNS: Final = frozenset({*_READERS, *_ENTITIES})
"""Keys, one of which every such reply has."""
