"""Principal elements: whom an entry names, and which request principals that is.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from idtrans.algebra import ANY_TEXT, NO_TEXT, Language, arn_glob, exact, prefix, union
from idtrans.clouds.aws._arns import Arn, is_account, is_unique_id, read_arn
from idtrans.model.entities import PolicyPrincipal

if TYPE_CHECKING:
    from collections.abc import Iterable

ANONYMOUS: Final = "anonymous"
"""Id of a caller without credentials."""
_IDENTITY_KINDS: Final = frozenset({"user", "federated-user"})


class PartyKind(StrEnum):
    """What an entry of a Principal element is."""

    EVERYONE = "everyone"
    ACCOUNT = "account"
    ROLE = "role"
    SESSION = "session"
    IDENTITY = "identity"
    """A user or a federated user."""
    SERVICE = "service"
    FEDERATED = "federated"
    CANONICAL = "canonical"
    """The canonical user id of an account or of a CloudFront identity."""
    DELETED = "deleted"
    """A unique id: what AWS shows for an identity that is gone. It matches nobody, not even a new one of that name."""
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class Party:
    """One entry of a Principal element."""

    kind: PartyKind
    id: str
    """Canonical id: an ARN, an account id, `service:NAME`, `federated:PROVIDER`, `canonical:ID`, or the text itself."""
    account: str | None = None

    @property
    def key(self) -> str:
        """Key under which statements that name this party are found."""
        if self.kind is PartyKind.ROLE:
            return role_key(self.account or "", self.id.rpartition("/")[2])
        return "*" if self.kind is PartyKind.EVERYONE else self.id


def role_key(account: str, name: str) -> str:
    """Return the look-up key of a role; role names are unique in an account, whatever their path."""
    return f"role:{account}/{name}"


@lru_cache(maxsize=65536)
def read_party(entry: PolicyPrincipal) -> Party:
    """Return whom an entry names."""
    value = entry.value
    match entry.kind:
        case "*" if value == "*":
            return Party(PartyKind.EVERYONE, "*")
        case "AWS":
            return _aws_party(value)
        case "Service" if "*" not in value:
            return Party(PartyKind.SERVICE, f"service:{value}")
        case "Federated":
            return Party(PartyKind.FEDERATED, f"federated:{value}")
        case "CanonicalUser":
            return Party(PartyKind.CANONICAL, f"canonical:{value}")
        case _:
            return Party(PartyKind.INVALID, value)


def _aws_party(value: str) -> Party:
    if value == "*":
        return Party(PartyKind.EVERYONE, "*")
    if is_account(value):
        return Party(PartyKind.ACCOUNT, value, value)
    if is_unique_id(value):
        return Party(PartyKind.DELETED, value)
    arn = read_arn(value)
    kind = _arn_kind(value, arn) if arn is not None else PartyKind.INVALID
    if arn is None or kind is PartyKind.INVALID:
        return Party(PartyKind.INVALID, value)
    return Party(kind, arn.account if kind is PartyKind.ACCOUNT else value, arn.account)


def _arn_kind(value: str, arn: Arn) -> PartyKind:
    kind = _ARN_KINDS.get((arn.service, arn.kind), PartyKind.INVALID)
    complete = bool(arn.second) or kind is PartyKind.ACCOUNT
    # A Principal element takes no wildcards but a lone `*`.
    return kind if is_account(arn.account) and complete and "*" not in value and "?" not in value else PartyKind.INVALID


_ARN_KINDS: Final = {
    ("iam", "root"): PartyKind.ACCOUNT,
    ("iam", "role"): PartyKind.ROLE,
    ("iam", "user"): PartyKind.IDENTITY,
    ("sts", "assumed-role"): PartyKind.SESSION,
    ("sts", "federated-user"): PartyKind.IDENTITY,
}


def party_language(party: Party) -> Language:
    """Return the request principals that a party is."""
    match party.kind:
        case PartyKind.EVERYONE:
            return ANY_TEXT
        case PartyKind.ACCOUNT:
            return account_language(party.id)
        case PartyKind.ROLE:
            return role_language(party.id)
        case PartyKind.DELETED | PartyKind.INVALID:
            return NO_TEXT
        case _:
            return exact(party.id)


@lru_cache(maxsize=4096)
def account_language(account: str) -> Language:
    """Return all identities and sessions of an account, its root user included."""
    return arn_glob(f"arn:*:iam::{account}:*") | arn_glob(f"arn:*:sts::{account}:*")


@lru_cache(maxsize=65536)
def role_language(role: str) -> Language:
    """Return a role itself and all of its sessions, whose ARN leaves out the path of the role."""
    arn = read_arn(role)
    if arn is None:
        return exact(role)
    return exact(role) | prefix(f"arn:{arn.partition}:sts::{arn.account}:assumed-role/{arn.name}/")


def principals_language(entries: Iterable[PolicyPrincipal]) -> Language:
    """Return the request principals that the entries of a Principal element are, together."""
    return union(party_language(read_party(entry)) for entry in entries)


def exempt_language(entries: Iterable[PolicyPrincipal]) -> tuple[Language, Language]:
    """Return who is surely, and who is possibly, left out by a NotPrincipal element.

    A user is left out when its account is listed too, a session when its role and account are listed too; AWS says that
    otherwise the statement *might* deny them all the same. An account alone leaves out its root user.
    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_notprincipal.html
    """
    parties = [read_party(entry) for entry in entries]
    accounts = {party.id for party in parties if party.kind is PartyKind.ACCOUNT}
    roles = [party for party in parties if party.kind is PartyKind.ROLE and party.account in accounts]
    sessions = union(role_language(role.id) for role in roles)
    sure = union(_surely(party, accounts, sessions) for party in parties)
    possible = union(_root(party.id) if party.kind is PartyKind.ACCOUNT else party_language(party) for party in parties)
    return sure, possible | sure


def _root(account: str) -> Language:
    return arn_glob(f"arn:*:iam::{account}:root")


def _surely(party: Party, accounts: set[str], sessions: Language) -> Language:
    match party.kind:
        case PartyKind.ACCOUNT:
            return _root(party.id)
        case PartyKind.IDENTITY:
            return exact(party.id) if party.account in accounts else NO_TEXT
        case PartyKind.SESSION:
            return exact(party.id) & sessions
        case PartyKind.ROLE:
            # The role ARN as a request principal stands for any session, none of which is listed.
            return NO_TEXT
        case _:
            return party_language(party)
