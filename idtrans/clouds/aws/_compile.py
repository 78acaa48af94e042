"""Statements of AWS policies, compiled to action, resource and condition sets.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements.html
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from idtrans.algebra import (
    ALWAYS,
    ANY_TEXT,
    RESOURCE,
    Box,
    Condition,
    Language,
    Opaque,
    Quantifier,
    Template,
    Test,
    all_of,
    exact,
    glob,
    prefix,
    union,
)
from idtrans.clouds.aws._arns import read_arn
from idtrans.clouds.aws._conditions import compile_conditions
from idtrans.clouds.aws._patterns import resource_pattern
from idtrans.clouds.aws._principals import PartyKind, read_party
from idtrans.model.entities import PolicyStatement
from idtrans.model.values import UNKNOWN, Effect, Layer

if TYPE_CHECKING:
    from idtrans.algebra import Resources
    from idtrans.model.entities import Policy
    from idtrans.model.spans import Source

_WITHOUT_PRINCIPALS: Final = frozenset({Layer.IDENTITY, Layer.BOUNDARY, Layer.SESSION, Layer.SCP})
_ACTION: Final = re.compile(r"\*+|[A-Za-z0-9*?-]+:[A-Za-z0-9*?-]+")
_STS: Final = glob("sts:*", fold=True)


@dataclass(frozen=True, slots=True)
class Rule:
    """One compiled statement, not yet tied to principals."""

    effect: Effect
    statement: PolicyStatement
    layer: str
    actions: Language
    resources: Resources
    condition: Condition
    name: str
    source: Source
    doubts: tuple[str, ...] = ()
    """Why it was not understood; then the condition is opaque."""

    def box(self, principals: Language = ANY_TEXT) -> Box:
        """Return the statement for some principals."""
        return Box(
            self.effect, self.layer, principals, self.actions, self.resources, self.condition, self.name, self.source
        )


def compile_policy(policy: Policy) -> tuple[Rule, ...]:
    """Return the rules of a policy in order. What is not understood becomes an opaque allow and an opaque deny."""
    layer, shown = _layer_name(policy), title(policy)
    found: list[Rule] = []
    for number, statement in enumerate(policy.statements, start=1):
        name = f"statement {statement.sid or number} of {shown}"
        # What is wrong with a statement that was not understood anyway says nothing more.
        doubts = (*policy.doubts, *statement.doubts) or _invalid(policy, statement)
        if doubts:
            found += _unclear(policy, statement, name, doubts)
        else:
            found.append(_rule(policy, statement, layer, name))
    if policy.doubts:
        found += _hidden(policy, shown)
    return tuple(found)


def _layer_name(policy: Policy) -> str:
    return policy.layer.value if policy.layer is not UNKNOWN else "unknown"


def _hidden(policy: Policy, shown: str) -> list[Rule]:
    """Return what a policy that was not read as a whole may hold beside its statements: anything."""
    statement = PolicyStatement(effect=UNKNOWN, source=policy.source)
    return _unclear(policy, statement, f"unread part of {shown}", policy.doubts)


def title(policy: Policy) -> str:
    """Return how people call a policy: by its name, or by what it belongs to."""
    if policy.name is not None:
        return f"policy {policy.name}"
    if isinstance(policy.owner, str) and policy.layer is not UNKNOWN:
        return f"the {policy.layer.value} policy of {policy.owner}"
    return f"policy {policy.id}"


def symbol(policy: Policy) -> str:
    """Return a name of a policy for what is not known of it, the same for equal policies wherever they were read."""
    if policy.name is not None or isinstance(policy.owner, str):
        return title(policy)
    digests = "-".join(_digest(statement) for statement in policy.statements)
    return f"policy [{digests}]"


def _rule(policy: Policy, statement: PolicyStatement, layer: str, name: str) -> Rule:
    effect = Effect.ALLOW if statement.effect is Effect.ALLOW else Effect.DENY
    condition = compile_conditions(statement.conditions, policy.version)
    resources, limit = _resources(policy, statement)
    actions = _actions(statement)
    if policy.layer is Layer.TRUST:
        actions &= _STS
    return Rule(effect, statement, layer, actions, resources, all_of(condition, limit), name, statement.source)


def _unclear(policy: Policy, statement: PolicyStatement, name: str, doubts: tuple[str, ...]) -> list[Rule]:
    """Return an opaque box for each effect that the statement may have, over all that its policy can speak of."""
    layer = _layer_name(policy)
    actions = _STS if policy.layer is Layer.TRUST else ANY_TEXT
    effects = (Effect.ALLOW, Effect.DENY) if statement.effect is UNKNOWN else (statement.effect,)
    text = f"{'; '.join(doubts)} [{_digest(statement)}]"
    # An allow and a deny of one statement are two questions: one symbol for both would answer itself.
    symbols = {effect: text if len(effects) == 1 else f"{effect.value}: {text}" for effect in effects}
    unread = {effect: Opaque(symbol, doubts[0]) for effect, symbol in symbols.items()}
    return [
        Rule(effect, statement, layer, actions, _within(policy), condition, name, statement.source, doubts)
        for effect, condition in unread.items()
    ]


def _digest(statement: PolicyStatement) -> str:
    """Return a short name of what a statement says, so that only equal statements share their doubt."""
    content = repr(
        (
            statement.effect,
            statement.principals,
            statement.not_principals,
            statement.actions,
            statement.not_actions,
            statement.resources,
            statement.not_resources,
            [(test.operator, test.key, test.values) for test in statement.conditions],
        )
    )
    return hashlib.sha256(content.encode(errors="surrogatepass")).hexdigest()[:8]


def _invalid(policy: Policy, statement: PolicyStatement) -> tuple[str, ...]:
    """Return what makes a statement one that AWS would not accept."""
    found: list[str] = []
    if statement.effect is UNKNOWN:
        found.append("its effect is neither `Allow` nor `Deny`")
    found += _invalid_actions(statement)
    found += _invalid_resources(policy, statement)
    found += _invalid_principals(policy, statement)
    return tuple(found)


def _invalid_principals(policy: Policy, statement: PolicyStatement) -> list[str]:
    listed = (*(statement.principals or ()), *(statement.not_principals or ()))
    if policy.layer is Layer.TRUST and statement.not_principals is not None:
        return ["`NotPrincipal` is not allowed in a trust policy"]
    if statement.principals is not None and statement.not_principals is not None:
        return ["it has both `Principal` and `NotPrincipal`"]
    if listed and policy.layer in _WITHOUT_PRINCIPALS:
        return ["it names a principal, which its kind of policy cannot"]
    if policy.layer is Layer.RCP and [entry.value for entry in statement.principals or ()] != ["*"]:
        # https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_rcps_syntax.html
        return ["the principal of a resource control policy must be `*`"]
    if policy.layer is Layer.ENDPOINT and statement.principals is None and statement.not_principals is None:
        return ["it needs a principal"]
    return [
        f"`{entry.value}` is no principal of kind `{entry.kind}`"
        for entry in listed
        if read_party(entry).kind is PartyKind.INVALID
    ]


def _invalid_actions(statement: PolicyStatement) -> list[str]:
    if (statement.actions is None) == (statement.not_actions is None):
        return ["it needs either `Action` or `NotAction`"]
    listed = (*(statement.actions or ()), *(statement.not_actions or ()))
    return [f"`{action}` is no action" for action in listed if not _ACTION.fullmatch(action)]


def _invalid_resources(policy: Policy, statement: PolicyStatement) -> list[str]:
    listed = (*(statement.resources or ()), *(statement.not_resources or ()))
    if statement.resources is not None and statement.not_resources is not None:
        return ["it has both `Resource` and `NotResource`"]
    if statement.resources is None and statement.not_resources is None:
        return [] if policy.layer is Layer.TRUST else ["it needs either `Resource` or `NotResource`"]
    return [
        f"`{resource}` is no resource pattern"
        for resource in listed
        if resource_pattern(resource, policy.version) is None
    ]


@lru_cache(maxsize=65536)
def actions_language(actions: tuple[str, ...]) -> Language:
    """Return the actions that some patterns match; case does not matter."""
    return union(glob(action, fold=True) for action in actions)


def _actions(statement: PolicyStatement) -> Language:
    if statement.not_actions is not None:
        return ~actions_language(statement.not_actions)
    return actions_language(statement.actions or ())


def _resources(policy: Policy, statement: PolicyStatement) -> tuple[Resources, Condition]:
    """Return the resources of a statement, and what remains to be asked of them."""
    within = _within(policy)
    if statement.not_resources is not None:
        return _outside(statement.not_resources, policy.version, within)
    if statement.resources is None:
        return within, ALWAYS
    sets = [resource_pattern(text, policy.version) for text in statement.resources]
    plain = union(found for found in sets if isinstance(found, Language))
    open_ = tuple(found for found in sets if isinstance(found, Template))
    if not open_:
        return plain & within, ALWAYS
    limit = ALWAYS if within == ANY_TEXT else Test(RESOURCE, Quantifier.ONE, within)
    return ((plain & within, *open_) if statement.resources else open_), limit


def _within(policy: Policy) -> Language:
    """Return the resources that a policy can speak of."""
    owner = policy.owner if policy.layer in {Layer.RESOURCE, Layer.TRUST} and policy.owner is not UNKNOWN else None
    return owner_language(owner) if owner is not None else ANY_TEXT


def _outside(excluded: tuple[str, ...], version: str, within: Language) -> tuple[Resources, Condition]:
    """Return everything but some resources; a pattern whose variables have no value excludes nothing."""
    sets = [resource_pattern(text, version) for text in excluded]
    plain = union(found for found in sets if isinstance(found, Language))
    tests = [
        Test(RESOURCE, Quantifier.ONE, Template(found.parts, negated=True, segmented=True))
        for found in sets
        if isinstance(found, Template)
    ]
    return ~plain & within, all_of(*tests)


def owner_language(owner: str) -> Language:
    """Return the resources that a resource policy can speak of: the owner, and what lies in it."""
    arn = read_arn(owner)
    if arn is not None and (arn.service, arn.resource) == ("glue", "catalog"):
        # One policy is about everything in the catalogue, whose parts are not named after it.
        return prefix(owner.removesuffix("catalog"))
    if arn is not None and (arn.service, arn.resource) == ("logs", EVERYTHING):
        return prefix(owner.removesuffix(EVERYTHING))
    if arn is not None and arn.service in {"s3", "s3express", "secretsmanager"} | _CONTAINERS:
        return exact(owner) | prefix(f"{owner}/") | prefix(f"{owner}:")
    return exact(owner)


EVERYTHING: Final = "*"
"""What stands for all resources of a service, in one region of an account, where a policy belongs to those."""
_CONTAINERS: Final = frozenset(
    {"lambda", "logs", "es", "backup", "dynamodb", "execute-api", "glue", "events"}
    | {"mediastore", "s3tables", "vpc-lattice"}
)
"""Services whose resource policies also speak of versions, aliases, streams and the like below the owner."""
