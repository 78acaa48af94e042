"""Grants: which identity carries which policy, and how dangerous that is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from idtrans.algebra import ALWAYS, ANY_TEXT, opaques, union
from idtrans.catalog import false_reader_by_pattern
from idtrans.clouds.aws._arns import read_arn
from idtrans.clouds.aws._grant_notes import grant_notes
from idtrans.clouds.aws._holders import PSEUDO
from idtrans.clouds.aws._index import CLOUD, Index, index_of
from idtrans.clouds.aws._managed import known_policy
from idtrans.clouds.aws._planes import worst
from idtrans.model.entities import PrincipalKind
from idtrans.model.facts import GrantFact
from idtrans.model.values import UNKNOWN, Effect, Layer, Plane, Unknown, Use, rank

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.clouds.aws._compile import Rule
    from idtrans.model.entities import Attachment, Policy
    from idtrans.model.estate import Estate

_KINDS: Final = {"user": PrincipalKind.USER, "role": PrincipalKind.ROLE, "group": PrincipalKind.GROUP}
_SELF_ADMIN: Final = (
    "iam:AttachGroupPolicy",
    "iam:AttachRolePolicy",
    "iam:AttachUserPolicy",
    "iam:CreatePolicyVersion",
    "iam:PutGroupPolicy",
    "iam:PutRolePolicy",
    "iam:PutUserPolicy",
    "iam:SetDefaultPolicyVersion",
)
"""Actions that, on every resource, let an identity give itself everything."""


def grants(estate: Estate) -> tuple[GrantFact, ...]:
    """Return every identity policy that an identity carries, inline and managed; a group's are told once, for it.

    A policy that no document ties to an identity is told for the pseudo-principal that stands for it.
    """
    index = index_of(estate)
    return (*_inline(index), *_attached(index), *_alone(index))


def _inline(index: Index) -> Iterator[GrantFact]:
    for (owner, layer), policies in index.owned.items():
        if layer is Layer.IDENTITY:
            for policy in policies:
                yield from _facts(owner, policy, index.compiled(policy), index)


def _attached(index: Index) -> Iterator[GrantFact]:
    for (holder, layer), attachments in index.attached.items():
        if layer is not Layer.IDENTITY:
            continue
        for attachment in attachments:
            policy = index.policies.get(attachment.policy)
            maintained = known_policy(attachment.policy) if policy is None else None
            if policy is not None:
                yield from _facts(holder, policy, index.compiled(policy), index)
            elif maintained is not None:
                # What AWS maintains stands in no document: the place to look at is the attachment.
                facts = _facts(holder, maintained, index.compiled(maintained), index)
                yield from (replace(fact, source=attachment.source) for fact in facts)
            else:
                yield _unread(holder, attachment, index)


def _alone(index: Index) -> Iterator[GrantFact]:
    for number, policy in enumerate(index.documents, start=1):
        if policy.layer is Layer.IDENTITY:
            yield from _facts(f"{PSEUDO}{number}", policy, index.compiled(policy), index)


def _facts(holder: str, policy: Policy, rules: tuple[Rule, ...], index: Index) -> Iterator[GrantFact]:
    """Yield what a policy gives; one that only denies gives nothing."""
    allows = [rule for rule in rules if rule.effect is Effect.ALLOW]
    if allows:
        yield _fact(holder, policy, rules, allows, index)


def _fact(holder: str, policy: Policy, rules: tuple[Rule, ...], allows: list[Rule], index: Index) -> GrantFact:
    """Return what a policy gives a holder; all but the holder is found once a policy."""
    known = index.granted.get(id(policy))
    if known is None:
        known = index.granted[id(policy)] = _first_fact(holder, policy, rules, allows)
    return replace(known, subject=holder, principal_kind=_kind(holder, index))


def _first_fact(holder: str, policy: Policy, rules: tuple[Rule, ...], allows: list[Rule]) -> GrantFact:
    found = [worst(rule.statement, rule.doubts) for rule in allows]
    scopes = dict.fromkeys(text for rule in allows for text in _scopes(rule))
    return GrantFact(
        CLOUD,
        holder,
        policy.source,
        PrincipalKind.UNKNOWN,
        policy.name or policy.id.rpartition("/")[2],
        " ".join(scopes) or "nothing",
        "account" if any(_everywhere(rule) for rule in allows) else "resource",
        _plane([plane for plane, _ in found]),
        _owner_like(rules),
        all(rule.condition != ALWAYS for rule in allows),
        _read_only([use for _, use in found]),
        _is_false_reader(policy.name or policy.id.rpartition("/")[2], rules),
        notes=tuple(grant_notes(allows)),
    )


def _is_false_reader(name: str, rules: tuple[Rule, ...]) -> bool:
    """Tell whether a policy is called a reader and gives more, apart from what it denies itself always."""
    taken = union(
        rule.actions
        for rule in rules
        if rule.effect is Effect.DENY and rule.condition == ALWAYS and rule.resources == ANY_TEXT and not rule.doubts
    )
    given = (rule.actions - taken for rule in rules if rule.effect is Effect.ALLOW and not rule.doubts)
    return false_reader_by_pattern(CLOUD, name, given)


def _unread(holder: str, attachment: Attachment, index: Index) -> GrantFact:
    name = attachment.policy.rpartition("/")[2]
    kind = _kind(holder, index)
    scope, level = "*", "account"
    return GrantFact(
        CLOUD,
        holder,
        attachment.source,
        kind,
        name,
        scope,
        level,
        UNKNOWN,
        UNKNOWN,
        conditional=False,
        read_only=UNKNOWN,
    )


def _kind(holder: str, index: Index) -> PrincipalKind:
    known = index.principals.get(holder)
    if known is not None:
        return known.kind
    arn = read_arn(holder)
    return _KINDS.get(arn.kind, PrincipalKind.UNKNOWN) if arn is not None else PrincipalKind.UNKNOWN


def _scopes(rule: Rule) -> tuple[str, ...]:
    statement = rule.statement
    return (*(statement.resources or ()), *(f"not {text}" for text in statement.not_resources or ()))


def _everywhere(rule: Rule) -> bool:
    """Tell whether a rule covers the account as a whole, but for what it may leave out."""
    return rule.statement.not_resources is not None or "*" in (rule.statement.resources or ())


def _plane(planes: list[Plane | Unknown]) -> Plane | Unknown:
    known = [plane for plane in planes if plane is not UNKNOWN]
    highest = max(known, key=rank, default=Plane.METADATA)
    return UNKNOWN if len(known) < len(planes) and highest is not Plane.ADMIN else highest


def _read_only(uses: list[Use | Unknown]) -> bool | Unknown:
    known = [use for use in uses if use is not UNKNOWN]
    if any(use is not Use.READ for use in known):
        return False
    return UNKNOWN if len(known) < len(uses) else bool(uses)


def _owner_like(rules: tuple[Rule, ...]) -> bool | Unknown:
    """Tell whether rules give everything, or enough of IAM on every resource to take everything."""
    taken = [rule for rule in rules if rule.effect is Effect.DENY and not rule.doubts]
    sure = [rule for rule in taken if rule.condition == ALWAYS and rule.resources == ANY_TEXT]
    wide = [rule for rule in rules if rule.effect is Effect.ALLOW and not _unread_part(rule) and _everywhere(rule)]
    for action in _SELF_ADMIN if wide else ():
        denied = any(rule.actions.matches(action) for rule in sure)
        if not denied and any(rule.actions.matches(action) for rule in wide):
            return True
    return UNKNOWN if any(_unread_part(rule) for rule in rules if rule.effect is Effect.ALLOW) else False


def _unread_part(rule: Rule) -> bool:
    """Tell whether something in a statement was not understood, such as an operator that AWS does not have."""
    return bool(rule.doubts or opaques(rule.condition))
