"""Whose access is asked for: its account, the keys that policies know it by, and the policies that it carries."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from idtrans.algebra import ALWAYS, ANY_TEXT, Condition, Language, Opaque, exact
from idtrans.clouds.aws._arns import account_of, read_arn
from idtrans.clouds.aws._compile import Rule
from idtrans.clouds.aws._gaps import is_gap
from idtrans.clouds.aws._index import ANY_CANONICAL
from idtrans.clouds.aws._managed import known_policy
from idtrans.clouds.aws._principals import role_key, role_language
from idtrans.model.documents import Unsupported
from idtrans.model.entities import Attachment, Policy, PolicyStatement
from idtrans.model.spans import NOWHERE, Source
from idtrans.model.values import UNKNOWN, Effect, Layer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from idtrans.clouds.aws._index import Index, Named

IDENTITY: Final = Layer.IDENTITY
BOUNDARY: Final = Layer.BOUNDARY
PSEUDO: Final = "policy:#"
"""What the ids of documents without owner start with; a number follows, by order of input."""
UNREAD: Final = "unread identity policies of "
"""What the symbols start with that stand for identity policies beside documents that are read by themselves."""
_ADVICE: Final = "add the output of `aws iam get-account-authorization-details` or `aws iam get-policy-version`"


@dataclass(frozen=True, slots=True)
class Holder:
    """A principal whose access is compiled."""

    id: str
    carrier: str
    """Id of the identity that carries the policies: the role of a session, else the principal itself."""
    account: str | None
    language: Language
    """The request principals that it is: itself, and the sessions of a role."""
    keys: tuple[str, ...]
    """Keys of the parties that name it."""
    bounded: bool
    root: bool

    def named(self, index: Index) -> list[Named]:
        """Return the rules of resource and trust policies that name it, in order."""
        found = [named for key in self.keys for named in index.named.get(key, ())]
        if index.bare:
            found += index.delegations.get(self.account or "", ())
        if self.id == self.carrier:
            return found
        return [named for named in found if not (named.principals & self.language).is_empty()]

    def has(self, layer: Layer, index: Index) -> bool:
        """Tell whether it carries a policy of a layer."""
        stores = (index.owned, index.attached)
        return any(store.get((bearer, layer)) for store in stores for bearer in _bearers(self, index, layer))


def pseudo_policy(principal: str, index: Index) -> Policy | None:
    """Return the document without owner that an id such as `policy:#1` stands for."""
    number = principal.removeprefix(PSEUDO)
    if number == principal or not number.isascii() or not number.isdecimal():
        return None
    position = int(number[:9]) - 1
    return index.documents[position] if 0 <= position < len(index.documents) else None


def holder_of(principal: str, index: Index) -> Holder:
    """Return what the estate knows of a principal."""
    arn = read_arn(principal)
    account = account_of(principal)
    if arn is None or account is None:
        return Holder(principal, principal, None, exact(principal), (principal, "*"), bounded=False, root=False)
    carrier, language = principal, exact(principal)
    keys = [principal, account, "*", ANY_CANONICAL]
    if arn.service == "iam" and arn.kind == "role":
        language = role_language(principal)
        key = role_key(account, arn.name)
        keys += [key, *index.named_sessions.get(key, ())]
    elif arn.service == "sts" and arn.kind == "assumed-role":
        role = arn.second
        key = role_key(account, role)
        carrier = index.roles.get(key, f"arn:{arn.partition}:iam::{account}:role/{role}")
        keys.append(key)
    bounded = any(store.get((carrier, BOUNDARY)) for store in (index.owned, index.attached))
    root = arn.service == "iam" and arn.resource == "root"
    return Holder(principal, carrier, account, language, tuple(dict.fromkeys(keys)), bounded=bounded, root=root)


def carried(holder: Holder, index: Index, layer: Layer) -> tuple[Rule, ...]:
    """Return the rules of the policies of a layer that a principal carries, by itself and by its groups."""
    found: list[Rule] = []
    for policy, bearer in _hanging(holder, index, layer):
        if isinstance(policy, Rule):
            found.append(policy)
        else:
            found += index.placed(policy, layer, None if bearer in {holder.carrier, holder.id} else bearer)
    return tuple(found)


def documents(holder: Holder, index: Index, layer: Layer) -> list[Policy | Rule]:
    """Return the policies of a layer that a principal carries; a rule stands for one that was not read."""
    return [policy for policy, _ in _hanging(holder, index, layer)]


def _hanging(holder: Holder, index: Index, layer: Layer) -> Iterator[tuple[Policy | Rule, str]]:
    """Yield the policies of a layer with who carries each: the principal, its role, or a group."""
    if layer is IDENTITY:
        yield from ((rule, holder.carrier) for rule in _stand_ins(holder, index))
    for bearer in _bearers(holder, index, layer):
        yield from ((policy, bearer) for policy in index.owned.get((bearer, layer), ()))
        for attachment in index.attached.get((bearer, layer), ()):
            yield from ((policy, bearer) for policy in _attached(attachment, index))


def _bearers(holder: Holder, index: Index, layer: Layer) -> tuple[str, ...]:
    """Return whose policies of a layer count: a session policy may be stated for one session or for all of a role."""
    if layer is Layer.SESSION and holder.id != holder.carrier:
        return holder.carrier, holder.id
    return (holder.carrier, *(index.groups.get(holder.carrier, ()) if layer is IDENTITY else ()))


def _attached(attachment: Attachment, index: Index) -> list[Policy | Rule]:
    """Return the policy of an attachment; one that was not read may allow and deny anything."""
    found = index.policies.get(attachment.policy) or known_policy(attachment.policy)
    if found is not None:
        return [found]
    owned = index.owned.get((attachment.principal, attachment.layer), ())
    inline = attachment.policy.partition("#")[2]
    if inline and any(policy.id.partition("#")[2] == inline for policy in owned):
        return []
    known = index.principals.get(attachment.principal)
    if is_gap(attachment.policy) and known is not None and known.policies is not UNKNOWN:
        return []
    name = f"policy {attachment.policy.rpartition('/')[2]}"
    reason = f"managed policy `{attachment.policy}` is attached but was not read"
    if "#" in attachment.policy:
        identity, _, what = attachment.policy.partition("#")
        reason = f"the {what.rpartition('/')[2]} of `{identity}` were not read"
    allows, denies = (
        _stand_in(attachment.layer, name, Opaque(f"policy {attachment.policy}{verb}", reason), attachment.source)
        for verb in ("", " denies it")
    )
    return [allows, replace(denies, effect=Effect.DENY, statement=replace(denies.statement, effect=Effect.DENY))]


def _stand_ins(holder: Holder, index: Index) -> list[Rule]:
    """Return what stands for identity policies that no document has: those of the root user, and of strangers."""
    if holder.root:
        # https://docs.aws.amazon.com/IAM/latest/UserGuide/id_root-user.html
        return [_stand_in(IDENTITY, "the root user of the account", ALWAYS, NOWHERE)]
    if holder.account is None:
        return []
    if described(holder, index):
        groups = index.groups.get(holder.carrier, ())
        return [_unread(f"the policies of `{group}`", group) for group in groups if not index.described(group)]
    return [_unread(f"the identity policies of `{holder.carrier}`", holder.carrier)]


def _unread(what: str, identity: str) -> Rule:
    condition = Opaque(f"identity policies of {identity}", f"{what} were not read")
    return _stand_in(IDENTITY, "identity policies", condition, NOWHERE)


def described(holder: Holder, index: Index) -> bool:
    """Tell whether the identity policies of a principal were read."""
    return holder.carrier in index.groups or index.described(holder.carrier)


def _stand_in(layer: Layer, name: str, condition: Condition, source: Source) -> Rule:
    doubts = (condition.reason,) if isinstance(condition, Opaque) else ()
    statement = PolicyStatement(effect=Effect.ALLOW, source=source, actions=("*",), resources=("*",))
    return Rule(Effect.ALLOW, statement, layer.value, ANY_TEXT, ANY_TEXT, condition, name, source, doubts)


def missing(rule: Rule, subject: str, index: Index) -> Unsupported:
    """Return a rule that stands for something unread as a report entry; a policy of nobody may be what is missing."""
    advice = _ADVICE
    loose = (number for number, policy in enumerate(index.documents, 1) if _is_loose(policy))
    first = next(loose, None)
    if first is not None:
        advice += f"; `--principal`, or `principal` in `estate.yaml`, says who holds a policy such as `{PSEUDO}{first}`"
        advice += f" ({index.documents[first - 1].source.path})"
    return Unsupported(f"{rule.doubts[0]}: {advice}", rule.source, "aws", subject)


def _is_loose(policy: Policy) -> bool:
    return policy.owner is UNKNOWN and policy.layer is IDENTITY
