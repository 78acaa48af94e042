"""Keys that follow from a principal, and what the symbolic search may assume of requests.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from idtrans.algebra import Domain, Has, Language, Test, Truth, arn_glob, exact, leaves, union
from idtrans.catalog import aws_condition_key
from idtrans.clouds.aws._actions import known_actions, resource_hint
from idtrans.clouds.aws._arns import account_of, is_unique_id, read_arn
from idtrans.clouds.aws._holders import UNREAD, pseudo_policy
from idtrans.clouds.aws._index import Index, index_of
from idtrans.clouds.aws._organizations import organizations_of
from idtrans.clouds.aws._plain_values import plain_values
from idtrans.clouds.aws._principals import ANONYMOUS, account_language, role_key, role_language
from idtrans.model.values import Layer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from idtrans.model.entities import Policy
    from idtrans.model.estate import Estate

_DERIVED: Final = frozenset(
    {
        "aws:principalarn",
        "aws:principalaccount",
        "aws:principaltype",
        "aws:principalisawsservice",
        "aws:principalservicename",
    }
)
"""Keys that follow from the id of the principal alone.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html
"""


_NAMING: Final = frozenset({Layer.RESOURCE, Layer.TRUST, Layer.RCP, Layer.ENDPOINT})
"""Layers of policies that say whom they are about."""


def principal_keys(caller: str, estate: Estate) -> Mapping[str, tuple[str, ...]]:
    """Return the keys that follow from a principal and what the estate says of it; no values say that it is absent."""
    index = index_of(estate)
    if pseudo_policy(caller, index) is not None:
        return {}
    found: dict[str, tuple[str, ...]] = dict.fromkeys(_DERIVED, ())
    found |= _derived(caller, index)
    found |= organization_keys(account_of(caller), "principal", estate)
    described = index.principals.get(_carrier(caller, index))
    if described is not None:
        found |= {f"aws:principaltag/{tag.lower()}": (value,) for tag, value in described.attributes.items()}
    arn = read_arn(caller)
    if arn is None or arn.kind != "user":
        return found | {"aws:username": ()}
    unique = [alias for alias in (described.aliases if described else ()) if is_unique_id(alias)]
    return found | {"aws:username": (arn.name,)} | ({"aws:userid": (unique[0],)} if unique else {})


def organization_keys(account: str | None, whose: str, estate: Estate) -> dict[str, tuple[str, ...]]:
    """Return the keys about the organisation of an account, as far as the estate knows it.

    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-principalorgpaths
    """
    known = organizations_of(estate)
    organization = known.organization(account) if account is not None else None
    if account is None or organization is None:
        return {}
    path = known.path(account)
    found: dict[str, tuple[str, ...]] = {f"aws:{whose}orgid": (organization,)}
    return found | ({f"aws:{whose}orgpaths": (path,)} if path is not None else {})


def _carrier(caller: str, index: Index) -> str:
    arn = read_arn(caller)
    if arn is not None and arn.kind == "assumed-role":
        return index.roles.get(role_key(arn.account, arn.second), caller)
    return caller


def _derived(caller: str, index: Index) -> dict[str, tuple[str, ...]]:
    """Return the same as `derive`, with the ARN of a role that the estate knows.

    The ARN of a session leaves out the path of its role; `aws:PrincipalArn` has it.
    https://docs.aws.amazon.com/singlesignon/latest/userguide/referencingpermissionsets.html
    """
    carrier = _carrier(caller, index)
    return derive(caller) | ({"aws:principalarn": (carrier,)} if carrier != caller else {})


def derive(caller: str) -> dict[str, tuple[str, ...]]:
    """Return the keys that follow from the id of a principal alone; a key that is left out is absent."""
    if caller.startswith("service:"):
        name = caller.removeprefix("service:")
        return {
            "aws:principalisawsservice": ("true",),
            "aws:principalservicename": (name,),
            "aws:principaltype": ("Service",),
        }
    arn = read_arn(caller)
    account = account_of(caller)
    if arn is None or account is None:
        return {"aws:principaltype": ("Anonymous",)} if caller == ANONYMOUS else {}
    shown_arn = f"arn:{arn.partition}:iam::{account}:role/{arn.second}" if arn.kind == "assumed-role" else caller
    return {
        "aws:principalarn": (shown_arn,),
        "aws:principalaccount": (account,),
        "aws:principaltype": (_TYPES.get(arn.kind, "AssumedRole"),),
        "aws:principalisawsservice": ("false",),
    }


_TYPES: Final = {"root": "Account", "user": "User", "federated-user": "FederatedUser"}


def domain(estate: Estate) -> Domain:
    """Return what the symbolic search may assume of AWS requests."""
    index = index_of(estate)
    known = Domain(
        single=_single,
        required=frozenset({"aws:currenttime", "aws:epochtime", "aws:securetransport"}),
        actions=known_actions(index),
        resource_hint=resource_hint,
        plain=plain_values,
    )
    if index.bare:
        # Documents alone are compared by what they say, whatever identity policies there may be beside them.
        # https://docs.aws.amazon.com/IAM/latest/UserGuide/access-analyzer-custom-policy-checks.html
        known = replace(known, assumed=lambda symbol: symbol.text.startswith(UNREAD))
    if any(policy.layer not in _NAMING or not _follows(policy, index) for policy in index.documents):
        # Documents without owner stand for principals of which nothing is known, unless they name them.
        return known
    return replace(known, derived=_DERIVED, derive=partial(_derived, index=index), inverse=inverse)


def _follows(policy: Policy, index: Index) -> bool:
    """Tell whether all that a document asks of derived keys can be said as principals."""
    tests = (leaf for rule in index.compiled(policy) for leaf in leaves(rule.condition))
    derived = (leaf for leaf in tests if isinstance(leaf, Test | Has) and leaf.key in _DERIVED)
    return all(inverse(leaf) is not None for leaf in derived)


def _single(key: str) -> bool:
    """Tell whether AWS says of a key that a request has one value of it at most."""
    known = aws_condition_key(key)
    return known is not None and not known.multivalued


def inverse(atom: Test | Has) -> Language | None:
    """Return the principals for which a test of a derived key holds, where it lists ARNs or accounts."""
    source = _SOURCES.get(atom.key)
    if source is None:
        return None
    if isinstance(atom, Has):
        return _CALLERS
    if not isinstance(atom.values, Language):
        return None
    members, left_out = atom.values.members(), (~atom.values).members()
    if members is not None:
        inside = union(map(source, members))
    elif left_out is not None:
        inside = _CALLERS - union(map(source, left_out))
    else:
        return None
    return inside | ~_CALLERS if atom.missing is Truth.TRUE else inside


_CALLERS: Final = arn_glob("arn:*:iam::*:*") | arn_glob("arn:*:sts::*:*")


def _of_arn(text: str) -> Language:
    arn = read_arn(text)
    return role_language(text) if arn is not None and arn.kind == "role" else exact(text)


_SOURCES: Final[dict[str, Callable[[str], Language]]] = {
    "aws:principalarn": _of_arn,
    "aws:principalaccount": account_language,
}
"""Principals by one value of a derived key."""
