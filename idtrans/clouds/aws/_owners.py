"""Which account owns the resources that policies speak of, put together once for all principals of an estate."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from idtrans.algebra import NO_TEXT, Language, arn_glob, exact, union
from idtrans.clouds.aws._compile import owner_language
from idtrans.clouds.aws._key_grants import is_grant
from idtrans.model.values import Layer

if TYPE_CHECKING:
    from idtrans.clouds.aws._index import Index

_ANY_RESOURCE = exact("*")


@dataclass(slots=True)
class Owners:
    """Resources that have a policy, by the account that owns them."""

    stated: dict[str, str]
    """Account of a resource whose ARN does not say it."""
    resources: dict[str | None, list[str]] = field(default_factory=lambda: defaultdict(list))
    roles: dict[str | None, list[str]] = field(default_factory=lambda: defaultdict(list))
    """Roles whose trust policy was read."""
    elsewhere: Language = NO_TEXT
    """Resources of which no policy was read."""
    others: dict[str, Language] = field(default_factory=dict)

    @property
    def unknown(self) -> list[str]:
        """Resources with a policy of which the account is not known, sorted."""
        return sorted(self.resources.get(None, ()))

    def local(self, account: str) -> Language:
        """Return the resources that an account owns, as far as ARNs and documents tell."""
        others = self._others(account)
        return in_account(account) if others.is_empty() else in_account(account) - others

    def foreign(self, account: str) -> Language:
        """Return the resources of other accounts of which no policy was read."""
        # What an account owns is among what its ARNs may name, so the policies that were read need not be told apart
        # by account, and accounts share what they leave out.
        return self.elsewhere & ~self.local(account)

    def _others(self, account: str) -> Language:
        """Return the resources that documents place in other accounts, or in none; the same for most accounts."""
        key = account if account in self.stated.values() else ""
        if key not in self.others:
            placed = [resource for resource, owner in self.stated.items() if owner != account]
            self.others[key] = union(map(owner_language, (*placed, *self.unknown)))
        return self.others[key]


def owners_of(index: Index) -> Owners:
    """Return the owners of an index, found once."""
    if index.known_owners is None:
        found = Owners(index.owners)
        _group(found.resources, index, Layer.RESOURCE)
        _group(found.roles, index, Layer.TRUST)
        groups = (
            *found.resources.values(),
            *(listed for account, listed in found.roles.items() if account is not None),
        )
        known = (owner for listed in groups for owner in listed)
        found.elsewhere = ~union((_ANY_RESOURCE, *map(owner_language, known)))
        index.known_owners = found
    return index.known_owners


def _group(groups: dict[str | None, list[str]], index: Index, layer: Layer) -> None:
    # A grant says nothing of what the policy of its key leaves to others.
    named = (policy.owner for policy in index.layers.get(layer, ()) if not is_grant(policy.id))
    for owner in dict.fromkeys(name for name in named if isinstance(name, str)):
        groups[index.account(owner)].append(owner)


@lru_cache(maxsize=4096)
def in_account(account: str) -> Language:
    """Return the resources whose ARN names an account, or none."""
    named = (arn_glob(f"arn:*:*:*:{owner}:*") for owner in (account, "", "aws"))
    return union((*named, _ANY_RESOURCE))
