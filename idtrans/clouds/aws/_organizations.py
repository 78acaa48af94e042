"""What the estate knows of organisations: which account is below what, and which policies hang where.

https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_scps_evaluation.html
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, cast

from idtrans.clouds.aws._listing import LISTED
from idtrans.clouds.aws._org_words import (
    ACCOUNT,
    ALL_ACCOUNTS,
    ALL_POLICIES,
    ALL_TARGETS,
    MANAGEMENT,
    ORGANIZATION,
    POLICY_RESOURCE,
    ROOT,
    all_listed,
    policy_key,
    status,
)
from idtrans.clouds.aws._parse_statement import unknown_statement
from idtrans.model.entities import Attachment, Container, Policy, PolicyStatement, Resource
from idtrans.model.spans import NOWHERE
from idtrans.model.values import UNKNOWN, Effect, Layer

if TYPE_CHECKING:
    from idtrans.model.estate import Estate
    from idtrans.model.spans import Source

_CLOUD: Final = "aws"
_ELSEWHERE: Final = frozenset(LISTED.values())
"""Attributes of accounts that say nothing of an organisation."""
_LAYERS: Final = (Layer.SCP, Layer.RCP)
_NAMES: Final = {Layer.SCP: "service control policy", Layer.RCP: "resource control policy"}
_VERSION: Final = "2012-10-17"
_FEW: Final = 20
"""As many levels are told apart in what is said of resource control policies that were not listed."""
_FULL_ACCESS: Final = {Layer.SCP: "p-FullAWSAccess", Layer.RCP: "p-RCPFullAWSAccess"}
"""Policies of AWS that allow everything.

https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_scps_syntax.html
https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_rcps_syntax.html
"""


@dataclass(slots=True)
class Organizations:
    """Levels of all organisations that documents describe."""

    parents: Mapping[str, str]
    attributes: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    """What is known of a level, by its id."""
    kinds: dict[str, str] = field(default_factory=dict)
    placed: dict[str, list[Policy]] = field(default_factory=dict)
    """Policies as they hang on levels, by the id under which they were read."""
    unread: dict[str, list[Policy]] = field(default_factory=lambda: defaultdict(list))
    """What stands on a level for policies that hang there and were not read."""
    unlisted: dict[str, list[Policy]] = field(default_factory=lambda: defaultdict(list))
    """What stands on a level of which the policies were not listed."""

    def levels(self, account: str) -> list[str]:
        """Return an account and what is above it, as far as it is known."""
        found = [account]
        while (parent := self.parents.get(found[-1])) is not None and parent not in found:
            found.append(parent)
        return found

    def organization(self, level: str) -> str | None:
        """Return the organisation of an account or a unit, where it is known."""
        for name in self.levels(level):
            if name.startswith("o-") and name in self.kinds:
                return name
            if stated := self.attributes[name].get(ORGANIZATION) if name in self.attributes else None:
                return stated
        return None

    def path(self, account: str) -> str | None:
        """Return the path of an account as `aws:PrincipalOrgPaths` holds it, `None` when a step of it is not known."""
        levels = self.levels(account)
        if len(levels) < len(("account", "root", "organisation")) or not levels[-1].startswith("o-"):
            return None
        return "".join(f"{level}/" for level in reversed(levels[1:]))

    def manages(self, account: str) -> bool:
        """Tell whether an account is known to be the management account, which the policies spare."""
        organization = self.organization(account)
        return organization is not None and self._of(organization).get(MANAGEMENT) == account

    def outside(self, account: str, level: str) -> bool:
        """Tell whether an account is surely not below a level: its organisation is another, or lists all its own."""
        own, other = self.organization(account), self.organization(level)
        if other is None:
            return False
        if own is not None:
            return own != other
        return self._of(other).get(ALL_ACCOUNTS) == "true"

    def lists_all(self, level: str) -> bool:
        """Tell whether the accounts of the organisation of a level are all known, and what is above each of them."""
        organization = self.organization(level)
        if organization is None or self._of(organization).get(ALL_ACCOUNTS) != "true":
            return False
        accounts = (name for name, kind in self.kinds.items() if kind == ACCOUNT)
        return all(self.is_complete(name) for name in accounts if self.organization(name) == organization)

    def is_complete(self, account: str) -> bool:
        """Tell whether everything above an account is known."""
        return self.levels(account)[-1].startswith("o-")

    def _of(self, name: str) -> dict[str, str]:
        return self.attributes.get(name, {})

    def listed(self, level: str, layer: Layer) -> bool:
        """Tell whether all policies of a kind on a level are known."""
        return self._of(level).get(all_listed(layer)) == "true"

    def uses(self, level: str, layer: Layer) -> bool:
        """Tell whether the organisation of a level is known to use a kind of policies."""
        organization = self.organization(level)
        return organization is not None and self._of(organization).get(status(layer)) == "enabled"


def organizations_of(estate: Estate) -> Organizations:
    """Return what is known of the organisations of an estate, found once."""
    key = (_CLOUD, "organizations")
    if key not in estate.memo:
        estate.memo[key] = _build(estate)
    return cast("Organizations", estate.memo[key])


def _build(estate: Estate) -> Organizations:
    found = Organizations(estate.parents)
    for container in estate.of(Container, _CLOUD):
        found.kinds.setdefault(container.id, container.kind)
        for name, value in container.attributes.items():
            if name not in _ELSEWHERE:
                found.attributes[container.id].setdefault(name, value)
    attachments = [item for item in estate.of(Attachment, _CLOUD) if item.layer in _LAYERS]
    if not attachments and not any(found.attributes.values()):
        return found
    _use(found, attachments)
    _list_all(found, estate)
    _place(found, attachments, estate)
    for layer in _LAYERS:
        _stand_in(found, layer)
    return found


def _use(found: Organizations, attachments: list[Attachment]) -> None:
    """Note on each organisation which kinds of policies it uses: a root says so, or something hangs on a level."""
    for name, attributes in list(found.attributes.items()):
        organization = found.organization(name)
        if organization is not None and found.kinds.get(name) == ROOT:
            for layer in _LAYERS:
                if status(layer) in attributes:
                    found.attributes[organization].setdefault(status(layer), attributes[status(layer)])
    for item in attachments:
        organization = found.organization(item.principal)
        if organization is not None:
            found.attributes[organization].setdefault(status(item.layer), "enabled")


def _list_all(found: Organizations, estate: Estate) -> None:
    """Note the levels of which all policies are known because all policies, and the targets of each, are."""
    listed: dict[tuple[object, str], dict[str, object]] = defaultdict(dict)
    for resource in estate.of(Resource, _CLOUD):
        if resource.kind == POLICY_RESOURCE:
            listed[resource.settings.get("Type"), resource.id].update(resource.settings)
    for layer in _LAYERS:
        mine = [settings for (kind, _), settings in listed.items() if kind == layer.value]
        complete = [settings for settings in mine if settings.get(ALL_POLICIES) is True]
        if complete and all(settings.get(ALL_TARGETS) is True for settings in mine):
            for level in found.kinds:
                found.attributes[level].setdefault(all_listed(layer), "true")


def _place(found: Organizations, attachments: list[Attachment], estate: Estate) -> None:
    """Hang each policy on the levels that it is attached to; one that was not read may say anything."""
    read: dict[str, Policy] = {}
    for policy in estate.of(Policy, _CLOUD):
        if policy.layer in _LAYERS and policy.owner is UNKNOWN:
            read.setdefault(policy_key(policy.id), policy)
    seen: set[tuple[str, str]] = set()
    for item in attachments:
        key = policy_key(item.policy)
        if (key, item.principal) in seen or key == _FULL_ACCESS[Layer.RCP]:
            continue
        seen.add((key, item.principal))
        hanging = read.get(key) or _full_access(item, key)
        if hanging is None:
            reason = f"{_NAMES[item.layer]} `{item.policy}` is attached to `{item.principal}` but was not read"
            found.unread[item.principal].append(_unknown(item.principal, item.layer, key, (reason, item.source)))
        else:
            copy = replace(hanging, id=f"{item.principal}#{hanging.id}", owner=item.principal)
            found.placed.setdefault(hanging.id, []).append(copy)


def _full_access(item: Attachment, key: str) -> Policy | None:
    if key != _FULL_ACCESS[Layer.SCP]:
        return None
    everything = PolicyStatement(Effect.ALLOW, item.source, actions=("*",), resources=("*",))
    return Policy(_CLOUD, item.policy, Layer.SCP, UNKNOWN, _VERSION, (everything,), item.source, "FullAWSAccess")


def _stand_in(found: Organizations, layer: Layer) -> None:
    """Put what may be anything on the levels whose policies were not listed, where policies of the kind are in use."""
    levels = [
        level
        for level, kind in found.kinds.items()
        if kind != "organization" and found.uses(level, layer) and not found.listed(level, layer)
    ]
    if layer is Layer.RCP and len(levels) > _FEW:
        levels = [level for level, kind in found.kinds.items() if kind == ROOT and found.uses(level, layer)]
    for level in levels:
        reason = f"the {_NAMES[layer].removesuffix('y')}ies of `{level}` were not listed"
        found.unlisted[level].append(_unknown(level, layer, "not-listed", (reason, NOWHERE)))


def _unknown(level: str, layer: Layer, key: str, said: tuple[str, Source]) -> Policy:
    reason, source = said
    statement = unknown_statement(source, reason)
    return Policy(_CLOUD, f"{level}#{layer.value}/{key}", layer, level, _VERSION, (statement,), source)


def hung(estate: Estate) -> Iterator[Policy]:
    """Yield the policies of an estate, those of organisations as they hang on levels."""
    found = organizations_of(estate)
    for policy in estate.of(Policy, _CLOUD):
        if policy.layer not in _LAYERS or policy.id not in found.placed or policy.owner is not UNKNOWN:
            yield policy
    for copies in found.placed.values():
        yield from copies
    for stand_ins in (*found.unread.values(), *found.unlisted.values()):
        yield from stand_ins
