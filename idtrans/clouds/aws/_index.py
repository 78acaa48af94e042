"""What an estate states of AWS, by look-up keys. Built once an estate and kept in its memo."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, cast

from idtrans.algebra import ANY_TEXT, Access, Gate, Language, Opaque, all_of
from idtrans.clouds.aws._arns import account_of, is_account, read_arn
from idtrans.clouds.aws._compile import Rule, compile_policy
from idtrans.clouds.aws._listing import LISTED
from idtrans.clouds.aws._org_words import ORGANIZATION
from idtrans.clouds.aws._organizations import hung
from idtrans.clouds.aws._principals import (
    Party,
    PartyKind,
    exempt_language,
    party_language,
    read_party,
    role_key,
)
from idtrans.clouds.aws._public_block import Blocks, blocks_of
from idtrans.model.entities import (
    Attachment,
    Container,
    IdentityProvider,
    Membership,
    Policy,
    Principal,
    PrincipalKind,
    Resource,
)
from idtrans.model.values import UNKNOWN, Effect, Layer

if TYPE_CHECKING:
    from idtrans.clouds.aws._owners import Owners
    from idtrans.model.entities import PolicyPrincipal
    from idtrans.model.estate import Estate
    from idtrans.model.facts import GrantFact

CLOUD: Final = "aws"
"""Name that entities of this cloud carry."""
ANY_CANONICAL: Final = "canonical:*"
"""Key of all rules that name a canonical user id."""
EVERYONE: Final = Party(PartyKind.EVERYONE, "*")
"""The party that `*` names."""


@dataclass(frozen=True, slots=True)
class Named:
    """A rule of a resource or trust policy, for one of the parties that it names."""

    rule: Rule
    party: Party
    principals: Language
    policy: Policy
    account: str | None
    """Account that owns the resource, where it is known."""

    @property
    def placed(self) -> bool:
        """Whether it is known which resource the policy belongs to."""
        return isinstance(self.policy.owner, str)


@dataclass(slots=True)
class Index:
    """Everything that compiling looks up."""

    principals: dict[str, Principal] = field(default_factory=dict)
    aliases: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    roles: dict[str, str] = field(default_factory=dict)
    """Role ARN by role key."""
    policies: dict[str, Policy] = field(default_factory=dict)
    """Managed policies by ARN."""
    owned: dict[tuple[str, Layer], list[Policy]] = field(default_factory=lambda: defaultdict(list))
    """Policies by owner and layer."""
    layers: dict[Layer, list[Policy]] = field(default_factory=lambda: defaultdict(list))
    documents: list[Policy] = field(default_factory=list)
    """Policies that are asked about by themselves, in input order: those of which the owner is not known, and all of
    them when no identity is known that could hold anything."""
    attached: dict[tuple[str, Layer], list[Attachment]] = field(default_factory=lambda: defaultdict(list))
    groups: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """Groups by member."""
    named: dict[str, list[Named]] = field(default_factory=lambda: defaultdict(list))
    """Rules of resource and trust policies by the key of the party."""
    accounts: set[str] = field(default_factory=set)
    """Accounts that documents were read of, or that an organisation lists."""
    homes: set[str] = field(default_factory=set)
    """Those accounts, without the ones that only a list of an organisation names."""
    listed: set[tuple[str, str]] = field(default_factory=set)
    """Accounts with a kind of identities of which all were listed."""
    owners: dict[str, str] = field(default_factory=dict)
    """Account of a resource whose ARN does not say it."""
    providers: dict[str, IdentityProvider] = field(default_factory=dict)
    named_sessions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Keys of single sessions that resource policies name, by role key."""
    delegations: dict[str, list[Named]] = field(default_factory=lambda: defaultdict(list))
    """Allow rules with which resources of an account leave the decision to that account, by account."""
    denies: dict[str, Access] = field(default_factory=dict)
    """What resource policies deny, by the key of the party; filled on first use."""
    sides: dict[str, Gate] = field(default_factory=dict)
    """What the side of the resource is for all identities of an account; filled on first use."""
    known_owners: Owners | None = None
    """Which account owns the resources that have a policy; filled on first use."""
    points: dict[str, Resource] = field(default_factory=dict)
    """Access points of S3 by ARN, with what their descriptions say."""
    blocks: Blocks = field(default_factory=Blocks)
    """Public access blocks of buckets and accounts."""
    rules: dict[int, tuple[Rule, ...]] = field(default_factory=dict)
    """Rules of a policy, by its identity; filled on first use."""
    elsewhere: dict[tuple[int, Layer, str | None], tuple[Rule, ...]] = field(default_factory=dict)
    """The same as they are called where a policy hangs on another layer or on a group; filled on first use."""
    granted: dict[int, GrantFact] = field(default_factory=dict)
    """What a policy gives to its first holder, by its identity; filled on first use."""

    @property
    def bare(self) -> bool:
        """Whether only documents were read, and nothing about the identities that could hold access."""
        carried = (Layer.IDENTITY, Layer.BOUNDARY, Layer.SESSION)
        stores = (self.attached, self.owned)
        return not self.principals and not any(layer in carried for store in stores for _, layer in store)

    def described(self, identity: str) -> bool:
        """Tell whether what an identity holds was read, if only that it holds nothing."""
        known = self.principals.get(identity)
        stores = (self.attached, self.owned)
        if (known is not None and known.policies is not UNKNOWN) or any(
            (identity, Layer.IDENTITY) in store for store in stores
        ):
            return True
        return known is None and self.is_missing(identity)

    def is_missing(self, identity: str) -> bool:
        """Tell whether an identity is not among those of its account, all of which were listed."""
        arn = read_arn(identity) if self.listed else None
        known = arn is None or identity in self.principals or arn.service != "iam"
        return arn is not None and not known and (arn.account, arn.kind) in self.listed

    def read(self, account: str) -> bool:
        """Tell whether what identities of an account hold was read."""
        held = (identity for store in (self.attached, self.owned) for identity, layer in store)
        return any(account_of(identity) == account for identity in held)

    def compiled(self, policy: Policy) -> tuple[Rule, ...]:
        """Return the rules of a policy, compiled once."""
        found = self.rules.get(id(policy))
        if found is None:
            found = self.rules[id(policy)] = compile_policy(policy)
        return found

    def placed(self, policy: Policy, layer: Layer, group: str | None) -> tuple[Rule, ...]:
        """Return the rules of a policy under the layer that it hangs on, and the group that it comes through."""
        if policy.layer is layer and group is None:
            return self.compiled(policy)
        key = (id(policy), layer, group)
        if key not in self.elsewhere:
            through = "" if group is None else f" through the group {group.rpartition('/')[2]}"
            self.elsewhere[key] = tuple(
                replace(rule, layer=layer.value, name=f"{rule.name}{through}") for rule in self.compiled(policy)
            )
        return self.elsewhere[key]

    def account(self, resource: str) -> str | None:
        """Return the account that owns a resource, where it is known.

        A resource whose account nothing states, such as a bucket, belongs to the account that was read when there is
        only one.
        """
        stated = self.stated(resource)
        return stated if stated is not None or len(self.homes) != 1 else next(iter(self.homes))

    def stated(self, resource: str) -> str | None:
        """Return the account that an ARN, or a document about the resource or what holds it, states."""
        return account_of(resource) or self.owners.get(resource) or self.owners.get(resource.partition("/")[0])


def index_of(estate: Estate) -> Index:
    """Return the index of an estate."""
    key = (CLOUD, "index")
    if key not in estate.memo:
        estate.memo[key] = _build(estate)
    return cast("Index", estate.memo[key])


def _build(estate: Estate) -> Index:
    index = Index()
    _add_accounts(index, estate)
    _add_principals(index, estate)
    _add_resources(index, estate)
    policies = list(hung(estate))
    for policy in policies:
        _add_policy(index, policy)
    for attachment in estate.of(Attachment, CLOUD):
        named = _full(index, attachment.principal)
        whole = attachment if named == attachment.principal else replace(attachment, principal=named)
        index.attached[named, attachment.layer].append(whole)
    index.documents += _documents(index, policies)
    for membership in estate.of(Membership, CLOUD):
        index.groups[_full(index, membership.member)].append(_full(index, membership.group))
    for provider in estate.of(IdentityProvider, CLOUD):
        index.providers.setdefault(provider.id, provider)
    index.blocks = blocks_of(estate)
    for policy in (*index.layers[Layer.RESOURCE], *index.layers[Layer.TRUST]):
        _add_named(index, policy)
    return index


def _add_accounts(index: Index, estate: Estate) -> None:
    for container in estate.of(Container, CLOUD):
        named = [text for text in (container.id, *container.aliases) if is_account(text)]
        index.accounts.update(named)
        if ORGANIZATION not in container.attributes:
            index.homes.update(named)
        index.listed |= {(container.id, kind) for kind, name in LISTED.items() if name in container.attributes}


def _add_resources(index: Index, estate: Estate) -> None:
    for resource in estate.of(Resource, CLOUD):
        if resource.container is not None and is_account(resource.container):
            index.owners.setdefault(resource.id, resource.container)
        if resource.kind == "access-point" and (resource.id not in index.points or resource.settings):
            index.points[resource.id] = resource


def _add_principals(index: Index, estate: Estate) -> None:
    for principal in estate.of(Principal, CLOUD):
        _keep(index.principals, principal)
        account = account_of(principal.id)
        if account is not None:
            index.accounts.add(account)
            index.homes.add(account)
        for alias in (principal.id, *principal.aliases):
            if principal.id not in index.aliases[alias]:
                index.aliases[alias].append(principal.id)
        arn = read_arn(principal.id)
        if principal.kind is PrincipalKind.ROLE and arn is not None:
            index.roles.setdefault(role_key(arn.account, arn.name), principal.id)


def _keep(principals: dict[str, Principal], principal: Principal) -> None:
    """Keep the first description of an identity, or the first that says what the identity holds."""
    known = principals.get(principal.id)
    if known is None or (known.policies is UNKNOWN and principal.policies is not UNKNOWN):
        principals[principal.id] = principal


def _add_policy(index: Index, policy: Policy) -> None:
    if policy.layer is UNKNOWN:
        return
    index.layers[policy.layer].append(policy)
    if policy.owner is None:
        index.policies.setdefault(policy.id, policy)
    elif policy.owner is not UNKNOWN:
        index.owned[_full(index, policy.owner), policy.layer].append(policy)


def _full(index: Index, identity: str) -> str:
    """Return the ARN of an identity with its path, where it was described, for one that was named without."""
    if identity in index.principals:
        return identity
    known = index.aliases.get(identity, ()) if identity.startswith("arn:") else ()
    return known[0] if len(known) == 1 else identity


def _documents(index: Index, policies: list[Policy]) -> list[Policy]:
    return [policy for policy in policies if policy.owner is UNKNOWN or policy.layer is UNKNOWN or index.bare]


def _add_named(index: Index, policy: Policy) -> None:
    account = index.account(policy.owner) if isinstance(policy.owner, str) else None
    named_by_rules = (item for rule in index.compiled(policy) for item in parties(rule))
    for whole, party, language in named_by_rules:
        delegates = whole.effect is Effect.ALLOW and party.kind is PartyKind.ACCOUNT and party.id == account
        for each, principals in index.blocks.parts(whole, language, policy, account):
            named = Named(each, party, principals, policy, account)
            (index.delegations if delegates else index.named)[party.key].append(named)
            if party.kind is PartyKind.CANONICAL:
                index.named[ANY_CANONICAL].append(named)
        _add_session(index, party)


def _add_session(index: Index, party: Party) -> None:
    arn = read_arn(party.id) if party.kind is PartyKind.SESSION else None
    if arn is not None:
        key = role_key(arn.account, arn.second)
        index.named_sessions[key] = tuple(dict.fromkeys((*index.named_sessions.get(key, ()), party.key)))


def parties(rule: Rule) -> tuple[tuple[Rule, Party, Language], ...]:
    """Return whom a rule of a resource or trust policy names, and which request principals each of them is.

    A rule that was not understood may name anyone. One without a principal names nobody.
    """
    statement = rule.statement
    if rule.doubts:
        return ((rule, EVERYONE, ANY_TEXT),)
    if statement.not_principals is not None:
        return _all_but(rule, statement.not_principals)
    found = dict.fromkeys(read_party(entry) for entry in statement.principals or ())
    return tuple(_named(rule, party) for party in found)


def _named(rule: Rule, party: Party) -> tuple[Rule, Party, Language]:
    if party.kind is PartyKind.CANONICAL and rule.effect is Effect.DENY:
        unclear = Opaque(f"{party.id} is an identity of the caller", "a canonical user id does not tell whose it is")
        return replace(rule, condition=all_of(rule.condition, unclear)), EVERYONE, ANY_TEXT
    return rule, party, party_language(party)


def _all_but(rule: Rule, entries: tuple[PolicyPrincipal, ...]) -> tuple[tuple[Rule, Party, Language], ...]:
    sure, possible = exempt_language(entries)
    listed = " ".join(entry.value for entry in entries)
    verb = "allows" if rule.effect is Effect.ALLOW else "denies"
    unclear = Opaque(f"NotPrincipal {listed} {verb} the caller", "AWS does not say whom this list of principals spares")
    doubtful = replace(rule, condition=all_of(rule.condition, unclear))
    between = possible - sure
    found = (rule, EVERYONE, ~possible), (doubtful, EVERYONE, between)
    return found[:1] if rule.effect is Effect.ALLOW and between.is_empty() else found
