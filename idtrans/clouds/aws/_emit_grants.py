"""Grants written as a managed policy and its attachment.

https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_managed-vs-inline.html
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from idtrans.algebra import STAR, Forms, Language, Quantifier, Test, all_of, clauses, pieces
from idtrans.catalog import aws_action
from idtrans.clouds.aws._arns import Arn, read_arn
from idtrans.clouds.aws._emit_names import as_terraform, iam_name, label, placeholders
from idtrans.clouds.aws._limits import LISTING, blocks, pattern_text
from idtrans.clouds.aws._resource_types import Part, parts_of_action
from idtrans.clouds.aws._scopes import OBJECT_STORE
from idtrans.model.artifacts import Argv, Emission, JsonArgument, JsonEncode, Native, Reference, TerraformBlock
from idtrans.model.errors import UsageError
from idtrans.model.values import Effect
from idtrans.ports import OBJECT, STORE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.model.documents import Json
    from idtrans.ports import GrantPlan, RoleUse

_VERSION: Final = "2012-10-17"
_LONGEST: Final = 6144
"""Characters of a managed policy, white space left out."""
_ATTACH: Final = {"user": ("attach-user-policy", "--user-name"), "role": ("attach-role-policy", "--role-name")}
_ATTACH_GROUP: Final = ("attach-group-policy", "--group-name")


def emit_grants(plan: GrantPlan) -> Emission:
    """Return a plan as one policy document with the narrowest resources that each action takes.

    Raises:
        UsageError: a condition is not written in the policy language.
    """
    return _emission(plan, Effect.ALLOW)


def emit_denials(plan: GrantPlan) -> Emission:
    """Return a plan as one policy document of explicit denies.

    Raises:
        UsageError: a condition is not written in the policy language.
    """
    return _emission(plan, Effect.DENY)


def _emission(plan: GrantPlan, effect: Effect) -> Emission:
    documents = _documents(_statements(plan, effect)) or [{"Version": _VERSION, "Statement": []}]
    base = iam_name(plan.name)
    names = (
        [base] if len(documents) == 1 else [iam_name(f"{plan.name}-{number + 1}") for number in range(len(documents))]
    )
    named = list(zip(names, documents, strict=True))
    natives = tuple(Native("aws.identity-policy", name, document) for name, document in named)
    commands = tuple(command for name, document in named for command in _commands(plan.principal, name, document))
    blocks = tuple(block for name, document in named for block in _terraform(plan.principal, name, document))
    return Emission(natives, commands, blocks, (), placeholders(natives, commands))


def _documents(statements: list[Json]) -> list[Json]:
    """Return statements as policies that are no longer than AWS takes.

    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html#reference_iam-quotas-entity-length
    """
    pieces = [piece for statement in statements for piece in _pieces(statement)]
    groups: list[list[Json]] = [[]]
    for piece in pieces:
        if groups[-1] and _length([*groups[-1], piece]) > _LONGEST:
            groups.append([])
        groups[-1].append(piece)
    return [{"Version": _VERSION, "Statement": group} for group in groups if group]


def _pieces(statement: Json) -> Iterable[Json]:
    """Yield a statement in as many parts as its length takes, with the same resources and conditions."""
    actions = statement["Action"]
    if _length([statement]) <= _LONGEST or len(actions) == 1:
        yield statement
        return
    half = len(actions) // 2
    for part in (actions[:half], actions[half:]):
        yield from _pieces({**statement, "Action": part})


def _length(statements: list[Json]) -> int:
    return len(json.dumps({"Version": _VERSION, "Statement": statements}, separators=(",", ":")))


def _statements(plan: GrantPlan, effect: Effect) -> list[Json]:
    groups: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for use in plan.uses:
        for permission in use.permissions:
            for resource, condition in _targets(use, permission, plan.principal):
                groups[resource, condition][permission] = None
    return [_statement(effect, list(actions), resource, condition) for (resource, condition), actions in groups.items()]


def _statement(effect: Effect, actions: list[str], resource: str, condition: str) -> Json:
    statement: dict[str, Json] = {"Effect": effect.value.capitalize(), "Action": actions, "Resource": resource}
    if condition:
        statement["Condition"] = json.loads(condition)
    return statement


def _targets(use: RoleUse, permission: str, principal: str) -> Iterable[tuple[str, str]]:
    """Yield the resources that an action needs in a statement, each with its condition as JSON text."""
    limit = use.limit
    if use.scope.parts.get("prefix"):
        limit = all_of(limit, Test(OBJECT, Quantifier.ONE, pieces((use.scope.parts["prefix"], STAR))))
    for clause in clauses(limit):
        named = [leaf for leaf in clause if isinstance(leaf, Test) and leaf.key in (OBJECT, STORE)]
        rest = [leaf for leaf in clause if leaf not in named]
        for resource, limited in _places(use, permission, principal, named):
            yield resource, _dump(_joined(_condition(use), blocks([*rest, *limited])))


def _places(use: RoleUse, permission: str, principal: str, named: list[Test]) -> Iterable[tuple[str, list[Test]]]:
    """Yield the resources of an action, each with those of the tests on names that do not stand in it."""
    known = aws_action(permission)
    if known is not None and not known.resources:
        yield "*", []
        return
    buckets = [test for test in named if test.key == STORE]
    if buckets:
        yield from _in_buckets(permission, principal, buckets, [test for test in named if test.key == OBJECT])
        return
    if use.scope.kind != OBJECT_STORE or "bucket" not in use.scope.parts:
        if named:
            yield "*", _listed(permission, named)
            return
        yield use.scope.native if read_arn(use.scope.native) is not None else "*", []
        return
    bucket = f"arn:{_partition(principal)}:s3:::{use.scope.parts['bucket']}"
    parts = parts_of_action(permission) or frozenset(Part)
    if Part.BUCKET in parts:
        yield bucket, _listed(permission, named) if named and permission.lower() in LISTING else []
    if Part.OBJECT in parts:
        for name in _names(named):
            yield f"{bucket}/{name}", []


def _in_buckets(
    permission: str, principal: str, buckets: list[Test], named: list[Test]
) -> Iterable[tuple[str, list[Test]]]:
    """Yield the resources of an action on the buckets of some names."""
    parts = parts_of_action(permission) or frozenset(Part)
    for start in _names(buckets):
        bucket = f"arn:{_partition(principal)}:s3:::{start}"
        if Part.BUCKET in parts:
            yield bucket, _listed(permission, named) if named else []
        if Part.OBJECT in parts:
            if named:
                raise UsageError(_MANY, advice=_ONE)
            yield f"{bucket}/*", []


_MANY: Final = "names of objects are limited in one bucket alone: the star for many buckets takes slashes in, too"
_ONE: Final = "grant it on a bucket"


def _listed(permission: str, named: list[Test]) -> list[Test]:
    """Return the tests on names as a listing of many buckets carries them."""
    if permission.lower() not in LISTING or any(_forms(test) is None for test in named):
        raise UsageError(_MANY, advice=_ONE)
    return named


def _forms(test: Test) -> Forms | None:
    return test.values.forms() if isinstance(test.values, Language) else None


def _names(named: list[Test]) -> list[str]:
    """Return the patterns of keys that tests on names stand for."""
    if not named:
        return ["*"]
    forms = _forms(named[0]) if len(named) == 1 else None
    if forms is None or forms.negated:
        raise UsageError("the names of objects cannot be listed", advice="grant a prefix")
    return [*forms.words, *map(pattern_text, forms.patterns)]


def _condition(use: RoleUse) -> dict[str, Json]:
    if not use.condition:
        return {}
    try:
        blocks = json.loads(use.condition)
    except ValueError:
        blocks = None
    if not isinstance(blocks, dict):
        raise UsageError(f"`{use.condition}` is no condition block of AWS", advice="write it as a JSON object")
    return blocks


def _joined(one: dict[str, Json], other: dict[str, dict[str, list[str]]]) -> dict[str, Json]:
    """Return two condition blocks as one."""
    merged = dict(one)
    for operator, tests in other.items():
        held = merged.get(operator)
        merged[operator] = {**(held if isinstance(held, dict) else {}), **tests}
    return merged


def _dump(blocks: dict[str, Json]) -> str:
    return json.dumps(blocks, sort_keys=True) if blocks else ""


def _partition(principal: str) -> str:
    arn = read_arn(principal)
    return arn.partition if arn is not None else "aws"


def _holder(principal: str) -> tuple[tuple[str, str], str]:
    """Return the command that attaches a policy to a principal, and the name it takes."""
    arn = read_arn(principal)
    if arn is None and not principal.startswith("<"):
        advice = "write it into the policies of the resources, which name their principals"
        raise UsageError(f"no policy is attached to `{principal}`", advice=advice)
    if arn is None:
        return _ATTACH["role"], principal
    if arn.kind == "assumed-role":
        return _ATTACH["role"], arn.second
    return _ATTACH_GROUP if arn.kind == "group" else _ATTACH.get(arn.kind, _ATTACH["role"]), arn.name


def _account(arn: Arn | None) -> str:
    return arn.account if arn is not None and arn.account else "<AWS_ACCOUNT_ID>"


def _commands(principal: str, name: str, document: Json) -> tuple[Argv, ...]:
    (command, option), holder = _holder(principal)
    policy = f"arn:{_partition(principal)}:iam::{_account(read_arn(principal))}:policy/{name}"
    create = ("aws", "iam", "create-policy", "--policy-name", name, "--policy-document", JsonArgument(document))
    attach = ("aws", "iam", command, option, holder, "--policy-arn", policy)
    return Argv(create, "create the policy"), Argv(attach, "give it to the principal")


def _terraform(principal: str, name: str, document: Json) -> tuple[TerraformBlock, ...]:
    (command, _), holder = _holder(principal)
    kind = command.removeprefix("attach-").removesuffix("-policy")
    block = label(name)
    policy = TerraformBlock(
        "resource", ("aws_iam_policy", block), {"name": name, "policy": JsonEncode(as_terraform(document))}
    )
    attachment = TerraformBlock(
        "resource",
        (f"aws_iam_{kind}_policy_attachment", block),
        {kind: holder, "policy_arn": Reference(f"aws_iam_policy.{block}.arn")},
    )
    return policy, attachment
