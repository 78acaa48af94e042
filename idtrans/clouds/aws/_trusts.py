"""Trust policies: who outside can become which role, one trust for each role and trusted party.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from idtrans.algebra import PRINCIPAL, Condition, Quantifier, Test, all_of, any_of, negate
from idtrans.catalog import aws_claims
from idtrans.clouds.aws._arns import account_of
from idtrans.clouds.aws._breadth import Breadth, breadth
from idtrans.clouds.aws._holders import PSEUDO
from idtrans.clouds.aws._index import CLOUD, Index, index_of, parties
from idtrans.clouds.aws._operators import Absence, Sense, read_operator
from idtrans.clouds.aws._principals import Party, PartyKind, party_language
from idtrans.clouds.aws._service_notes import account_notes, service_notes
from idtrans.clouds.aws._services import service_reach
from idtrans.clouds.aws._trust_notes import unread, wrong_action
from idtrans.clouds.aws._web_identity import ASSUME_WEB, SESSION_NAME, admission, issuer_of
from idtrans.model.values import Effect, Layer, Reach, rank
from idtrans.ports import Note, Trust, TrustKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.clouds.aws._compile import Rule
    from idtrans.model.entities import ConditionTest, Policy
    from idtrans.model.estate import Estate

_ASSUME: Final = "sts:AssumeRole"
_ASSUME_SAML: Final = "sts:AssumeRoleWithSAML"
_EXTERNAL_ID: Final = "sts:externalid"
_STARTS: Final = {
    PartyKind.EVERYONE: Reach.ANYONE,
    PartyKind.ACCOUNT: Reach.TENANT,
    PartyKind.DELETED: Reach.DEAD,
}


@dataclass(slots=True)
class _Role:
    """The trust statements of one role."""

    target: str
    account: str | None
    version: str
    allows: list[tuple[Rule, Party]] = field(default_factory=list)
    denies: list[tuple[Rule, Party]] = field(default_factory=list)

    def against(self, *keys: str) -> list[Rule]:
        """Return the denies that name one of some parties, or everyone."""
        return [rule for rule, party in self.denies if party.key in {"*", *keys}]


def trusts(estate: Estate) -> tuple[Trust, ...]:
    """Return every trust of every role, in the order of the input."""
    index = index_of(estate)
    return tuple(trust for role in _roles(index) for trust in _of_role(role, index))


def _roles(index: Index) -> Iterable[_Role]:
    roles: dict[str, _Role] = {}
    for policy in index.layers.get(Layer.TRUST, ()):
        target = _target(policy, index)
        role = roles.setdefault(target, _Role(target, account_of(target), policy.version))
        for rule in index.compiled(policy):
            for each, party, _ in parties(rule):
                (role.allows if rule.effect is Effect.ALLOW else role.denies).append((each, party))
    return roles.values()


def _target(policy: Policy, index: Index) -> str:
    if isinstance(policy.owner, str):
        return policy.owner
    numbers = (number for number, other in enumerate(index.documents, start=1) if other is policy)
    return f"{PSEUDO}{next(numbers, 0)}"


def _of_role(role: _Role, index: Index) -> Iterable[Trust]:
    groups: dict[tuple[TrustKind, str], list[tuple[Rule, Party]]] = defaultdict(list)
    for rule, party in role.allows:
        groups[_group(rule, party)].append((rule, party))
    for (kind, name), members in groups.items():
        sources = dict.fromkeys(rule.source for rule, _ in members)
        yield replace(_trust(kind, name, role, members, index), further_sources=tuple(sources)[1:])


def _trust(kind: TrustKind, name: str, role: _Role, members: list[tuple[Rule, Party]], index: Index) -> Trust:
    if kind is TrustKind.WEB_IDENTITY:
        return _web(role, name, members, index)
    if kind is TrustKind.SAML:
        return _saml(role, members)
    if kind is TrustKind.SERVICE:
        return _service(role, name, members)
    return _account(role, name, members, index)


def _group(rule: Rule, party: Party) -> tuple[TrustKind, str]:
    if party.kind is PartyKind.EVERYONE and rule.actions.matches(ASSUME_WEB) and not rule.actions.matches(_ASSUME):
        return TrustKind.WEB_IDENTITY, _tested_issuer(rule.statement.conditions)
    if party.kind is PartyKind.FEDERATED:
        provider = party.id.removeprefix("federated:")
        kind = TrustKind.SAML if ":saml-provider/" in provider else TrustKind.WEB_IDENTITY
        return kind, provider
    if party.kind is PartyKind.SERVICE:
        return TrustKind.SERVICE, party.id
    return TrustKind.ACCOUNT, party.account or party.id


def _tested_issuer(tests: Iterable[ConditionTest]) -> str:
    """Return the issuer whose claims a statement for everyone tests; `*` for none."""
    issuers = (test.key.rpartition(":")[0] for test in tests if "." in test.key.partition(":")[0])
    return next(issuers, "*")


def _web(role: _Role, provider: str, members: list[tuple[Rule, Party]], index: Index) -> Trust:
    issuer = issuer_of(provider)
    anyone = provider == "*"
    rules = [rule for rule, _ in members]
    found = admission(rules, role.against(f"federated:{provider}"), issuer, role.version)
    known = index.providers.get(provider)
    return Trust(
        CLOUD,
        TrustKind.WEB_IDENTITY,
        role.target,
        None if anyone else f"https://{issuer}",
        found.admits,
        rules[0].source,
        audiences=known.audiences if known is not None else (),
        claims=aws_claims(issuer) | {SESSION_NAME},
        reach=Reach.ANYONE if anyone else None,
        notes=found.notes,
    )


def _saml(role: _Role, members: list[tuple[Rule, Party]]) -> Trust:
    admits = _admits(role, members, _ASSUME_SAML)
    reach = Reach.TENANT if any(rule.actions.matches(_ASSUME_SAML) for rule, _ in members) else Reach.DEAD
    notes = _notes(members, _ASSUME_SAML)
    source = members[0][0].source
    parties = _parties(members)
    return Trust(CLOUD, TrustKind.SAML, role.target, None, admits, source, parties, reach=reach, notes=notes)


def _service(role: _Role, name: str, members: list[tuple[Rule, Party]]) -> Trust:
    reaches = []
    for rule, _ in _effective(members, _ASSUME):
        found = breadth(service_reach(name), rule.statement.conditions)
        # A service whose behaviour is not known is limited all the same by a source that is fixed.
        limited = breadth(Reach.PLATFORM, rule.statement.conditions).reach if found.source_fixed else found.reach
        reaches.append(Reach.UNKNOWN if rule.doubts else limited)
    source = members[0][0].source
    said = service_notes(name, [rule.statement.conditions for rule, _ in _effective(members, _ASSUME)])
    notes = (*_notes(members, _ASSUME), *said)
    admits = _admits(role, members, _ASSUME)
    reach = _widest(reaches)
    return Trust(CLOUD, TrustKind.SERVICE, role.target, None, admits, source, (name,), reach=reach, notes=notes)


def _account(role: _Role, name: str, members: list[tuple[Rule, Party]], index: Index) -> Trust:
    effective = _effective(members, _ASSUME)
    found = [(rule, _breadth(role, rule, party)) for rule, party in effective]
    reaches = [Reach.UNKNOWN if rule.doubts else each.reach for rule, each in found]
    outside = _outside(role, name, [each for _, each in found], index)
    required = bool(effective) and all(_asks_external_id(rule.statement.conditions) for rule, _ in effective)
    return Trust(
        CLOUD,
        TrustKind.ACCOUNT,
        role.target,
        None,
        _admits(role, members, _ASSUME),
        members[0][0].source,
        _parties(effective),
        reach=_widest(reaches),
        outside_account=outside,
        external_id=required if outside else None,
        notes=(*_notes(members, _ASSUME), *account_notes([rule.statement.conditions for rule, _ in effective])),
    )


def _breadth(role: _Role, rule: Rule, party: Party) -> Breadth:
    """Return how far a statement reaches after its own conditions and the denies that spare somebody."""
    start = _STARTS.get(party.kind, Reach.WORKLOAD)
    found = breadth(start, rule.statement.conditions)
    for deny in role.against(party.key):
        if deny.actions.matches(_ASSUME) and len(deny.statement.conditions) == 1 and not deny.doubts:
            spared = breadth(found.reach, deny.statement.conditions, sense=Sense.NEGATED)
            found = Breadth(spared.reach, spared.accounts or found.accounts, found.source_fixed)
    return found


def _outside(role: _Role, name: str, found: list[Breadth], index: Index) -> str:
    """Return the account that is let in from outside, or the text `*` for accounts that nothing names."""
    own = index.accounts | ({role.account} if role.account is not None else set())
    if name == "*":
        named = {account for each in found for account in (each.accounts or {"*"})}
        return min(named - own, default="")
    # Without any account of its own the estate cannot tell outside from inside.
    return name if own and name not in own and name.isdecimal() else ""


def _effective(members: list[tuple[Rule, Party]], action: str) -> list[tuple[Rule, Party]]:
    return [(rule, party) for rule, party in members if rule.actions.matches(action)]


def _parties(members: list[tuple[Rule, Party]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(party.id for _, party in members))


def _widest(reaches: list[Reach]) -> Reach:
    """Return the widest reach; UNKNOWN wins, no statement that works is dead."""
    return max(reaches, key=rank, default=Reach.DEAD)


def _admits(role: _Role, members: list[tuple[Rule, Party]], action: str) -> Condition:
    accepted = [all_of(_caller(party), rule.condition) for rule, party in _effective(members, action)]
    refused = [negate(all_of(_caller(party), rule.condition)) for rule, party in _effective(role.denies, action)]
    return all_of(any_of(*accepted), *refused)


def _caller(party: Party) -> Condition:
    return Test(PRINCIPAL, Quantifier.ONE, party_language(party))


def _asks_external_id(tests: Iterable[ConditionTest]) -> bool:
    """Tell whether a statement holds only for callers that give a fixed external id.

    https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_common-scenarios_third-party.html
    """
    for test in tests:
        applied = read_operator(test.operator)
        if test.key.lower() != _EXTERNAL_ID or applied is None or applied.operator.sense is Sense.NEGATED:
            continue
        if applied.absence is Absence.FAILS and test.values and not any(set(value) <= {"*"} for value in test.values):
            return True
    return False


def _notes(members: list[tuple[Rule, Party]], action: str) -> tuple[Note, ...]:
    notes: dict[Note, None] = {}
    for rule, party in members:
        notes.update(dict.fromkeys(map(unread, rule.doubts)))
        if not rule.actions.matches(action):
            notes[wrong_action(action)] = None
        if party.kind is PartyKind.DELETED:
            notes[Note("DELETED_PRINCIPAL", f"`{party.id}` is an identity that no longer exists")] = None
    return tuple(notes)
