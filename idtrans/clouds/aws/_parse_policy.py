"""Policy documents that stand alone: bare, or in the reply of a command."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from idtrans.clouds.aws._arns import read_arn
from idtrans.clouds.aws._gaps import Gap, gaps, told
from idtrans.clouds.aws._parse_document import Belonging, read_policy, write_policy
from idtrans.clouds.aws._parse_identity import identity_of, named_identity, parse_role
from idtrans.clouds.aws._parse_resource import only_owner, resource_of
from idtrans.clouds.aws._parse_state import Parsed, Parsing, unsupported
from idtrans.clouds.aws._parse_values import shown
from idtrans.clouds.aws._repositories import is_repositories, located
from idtrans.clouds.aws._shapes import POLICY, layer_of_kind
from idtrans.clouds.aws._wrappers import Holds, Wrapped, unwrap
from idtrans.model.documents import Hints
from idtrans.model.entities import PolicyStatement
from idtrans.model.spans import Source
from idtrans.model.values import UNKNOWN, Layer, Unknown

_ON_RESOURCES: Final = frozenset({Layer.RESOURCE, Layer.ENDPOINT})
_REPOSITORY_ACTIONS: Final = ("ecr:", "ecr-public:")
_ON_ACCOUNTS: Final = frozenset({Layer.SCP, Layer.RCP})


def parse_policies(parsing: Parsing) -> Parsed:
    """Yield what a policy document, a wrapped one, or a list of those states."""
    yield from parsing.hinted_account()
    content = parsing.document.content
    found = located(unwrap(content) or (Wrapped(content),), content)
    if all(wrapped.holds is Holds.POLICY for wrapped in found):
        yield from _hinted_principal(parsing)
    for wrapped in found:
        source = parsing.document.source.at(*wrapped.place)
        if wrapped.holds is Holds.ROLE:
            yield from _role(parsing, wrapped, source)
        else:
            yield from _parse_policy(parsing, wrapped, source)
    if isinstance(content, list) and unwrap(content):
        read = {wrapped.place[0] for wrapped in found}
        for number, item in enumerate(content):
            if number not in read and not is_repositories(item):
                source = parsing.document.source.at(number)
                yield unsupported(f"{shown(item)} is no policy document", source)


def _role(parsing: Parsing, wrapped: Wrapped, source: Source) -> Parsed:
    """Yield a role; but for what a dump tells, its policies are in other replies, and of a list, its boundary too.

    https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListRoles.html
    """
    stated = parse_role(parsing, wrapped.value, source)
    if isinstance(wrapped.value, dict) and "RolePolicyList" in wrapped.value:
        yield from stated
        return
    listed = "Roles" in wrapped.place and "PermissionsBoundary" not in wrapped.value
    yield from gaps(stated, (Gap.INLINE, Gap.ATTACHED, *((Gap.BOUNDARY,) if listed else ())))
    arn = wrapped.value.get("Arn") if isinstance(wrapped.value, dict) else None
    if isinstance(arn, str) and not listed:
        yield told(arn, Gap.BOUNDARY, source)


def _parse_policy(parsing: Parsing, wrapped: Wrapped, source: Source) -> Parsed:
    managed = _managed(parsing.hints)
    if managed is not None and not wrapped.in_force:
        # https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_managed-versioning.html
        yield unsupported(f"not the default version of `{managed}`: another one is in force", source)
        return
    text = read_policy(parsing, wrapped.value, source)
    layer = _layer(parsing.hints, wrapped, text.statements)
    if layer is Layer.RESOURCE:
        text = replace(text, statements=tuple(map(_on_repository, text.statements)))
    owner = _owner(parsing.hints, wrapped, layer)
    if layer is Layer.RESOURCE and owner is UNKNOWN:
        owner = only_owner(text.statements) or UNKNOWN
        if owner is UNKNOWN:
            yield unsupported("a resource policy, and it is not known of which resource", text.source)
    if layer in _ON_RESOURCES and isinstance(owner, str):
        yield resource_of(parsing, owner, text.source)
        yield from parsing.account(owner, text.source)
    yield from write_policy(text, _belonging(parsing, wrapped, layer, owner, source))


def _on_repository(statement: PolicyStatement) -> PolicyStatement:
    """Return a statement of a repository policy with the resource that it has none of: it is about the repository.

    https://docs.aws.amazon.com/AmazonECR/latest/userguide/repository-policies.html
    """
    if statement.resources is not None or statement.not_resources is not None or not statement.actions:
        return statement
    ours = all(action.lower().startswith(_REPOSITORY_ACTIONS) for action in statement.actions)
    return replace(statement, resources=("*",)) if ours else statement


def _layer(hints: Hints, wrapped: Wrapped, statements: Iterable[PolicyStatement]) -> Layer:
    """Return what the user says, else what the wrapper tells, else what the content shows."""
    said = hints.layer or layer_of_kind(hints.kind) or wrapped.layer
    if said is not None:
        return said
    named = [item for item in statements if item.principals is not None or item.not_principals is not None]
    if hints.resource is not None and _managed(hints) is None and hints.principal is None:
        return Layer.TRUST if _role_arn(hints.resource) else Layer.RESOURCE
    if not named:
        return Layer.IDENTITY
    if hints.principal is not None and hints.resource is None:
        return Layer.TRUST
    return Layer.TRUST if all(_is_trust(statement) for statement in named) else Layer.RESOURCE


def _is_trust(statement: PolicyStatement) -> bool:
    """Tell whether a statement can only be one of a trust policy: about STS alone, and without a resource."""
    if statement.resources is not None or statement.not_resources is not None:
        return False
    named = (*(statement.actions or ()), *(statement.not_actions or ()))
    return bool(named) and all(action.lower().startswith("sts:") for action in named)


def _owner(hints: Hints, wrapped: Wrapped, layer: Layer) -> str | Unknown | None:
    """Return the owner, `None` for a managed policy."""
    if layer is Layer.TRUST:
        return hints.principal or hints.resource or UNKNOWN
    if layer in _ON_RESOURCES:
        return hints.resource or wrapped.owner or UNKNOWN
    if layer in _ON_ACCOUNTS:
        return hints.scope or hints.account or UNKNOWN
    if hints.principal is not None:
        return hints.principal
    if _managed(hints) is not None:
        return None
    named = wrapped.owner
    return identity_of(hints.account, named) if named is not None else UNKNOWN


def _managed(hints: Hints) -> str | None:
    """Return the ARN of the managed policy that the user says the document is."""
    arn = read_arn(hints.resource or "")
    return hints.resource if arn is not None and (arn.service, arn.kind) == ("iam", "policy") else None


def _role_arn(text: str) -> bool:
    arn = read_arn(text)
    return arn is not None and (arn.service, arn.kind) == ("iam", "role")


def _belonging(
    parsing: Parsing, wrapped: Wrapped, layer: Layer, owner: str | Unknown | None, source: Source
) -> Belonging:
    if owner is None:
        arn = _managed(parsing.hints) or ""
        return Belonging(arn, layer, None, wrapped.name or arn.rpartition("/")[2])
    place = f"{source.path}#{source.pointer}" if source.pointer else source.path
    start = owner if isinstance(owner, str) else POLICY
    if wrapped.id is not None and owner is UNKNOWN:
        return Belonging(wrapped.id, layer, UNKNOWN, wrapped.name)
    return Belonging(f"{start}#{layer.value}/{wrapped.name or place}", layer, owner, wrapped.name)


def _hinted_principal(parsing: Parsing) -> Parsed:
    """Yield the identity that the user named, so that it exists even when its policy says nothing."""
    arn = read_arn(parsing.hints.principal or "")
    if parsing.hints.principal is None or arn is None:
        return
    yield from parsing.account(parsing.hints.principal, parsing.document.source)
    if arn.service == "iam":
        for named in named_identity(parsing.hints.principal, parsing.document.source):
            yield replace(named, policies=UNKNOWN)
