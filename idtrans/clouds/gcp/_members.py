"""Principals: one canonical id for every spelling of a member.

Allow policies, deny policies and principal access boundaries write the same principal in three ways; the v1 member of
allow policies is the canonical one. https://cloud.google.com/iam/docs/principal-identifiers
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from idtrans.clouds.gcp._fields import shown
from idtrans.model.entities import PrincipalKind

ALL_USERS: Final = "allUsers"
"""Everybody on the internet."""
ALL_AUTHENTICATED: Final = "allAuthenticatedUsers"
"""Everybody who is signed in with any Google account or service account."""

UNREAD: Final = "?"
"""Stands for members that are written as no text, and so could be anybody."""

VALID_FORMS: Final = (
    "`principal://POOL/subject/S`, `principalSet://POOL/attribute.NAME/VALUE`, "
    "`principalSet://POOL/group/G` or `principalSet://POOL/*`"
)
"""The identifiers of federated principals, in words."""

_EMAIL_KINDS: Final = {
    "user": PrincipalKind.USER,
    "serviceAccount": PrincipalKind.SERVICE_IDENTITY,
    "group": PrincipalKind.GROUP,
    "domain": PrincipalKind.CONTAINER,
}
_PROJECT_ROLES: Final = {
    "projectOwner": "roles/owner",
    "projectEditor": "roles/editor",
    "projectViewer": "roles/viewer",
}
_PUBLIC: Final = {
    ALL_USERS: ALL_USERS,
    ALL_AUTHENTICATED: ALL_AUTHENTICATED,
    "principalSet://goog/public:all": ALL_USERS,
}
_V2: Final = (
    ("principal://goog/subject/", "user:"),
    ("principalSet://goog/group/", "group:"),
    ("principal://iam.googleapis.com/projects/-/serviceAccounts/", "serviceAccount:"),
    ("//iam.googleapis.com/projects/-/serviceAccounts/", "serviceAccount:"),
)
_POOL: Final = re.compile(
    r"(?P<scheme>principal:|principalSet:|)//iam\.googleapis\.com/"
    r"(?P<pool>projects/[^/]+/locations/[^/]+/workloadIdentityPools/[^/]+|locations/[^/]+/workforcePools/[^/]+)"
    r"(?:/(?P<rest>.*))?",
    re.DOTALL,
)
_POOL_IN: Final = re.compile(
    r"projects/[^/]+/locations/[^/]+/workloadIdentityPools/[^/]+|locations/[^/]+/workforcePools/[^/]+"
)
_SEPARATORS: Final = re.compile(r"[\s,;]")
"""What no address and no domain holds."""
_ATTRIBUTE: Final = re.compile(r"attribute\.(?P<name>[^/]+)/(?P<value>.+)", re.DOTALL)
_CONTAINER_SET: Final = re.compile(
    r"(?:principalSet:)?//cloudresourcemanager\.googleapis\.com/"
    r"(?P<container>(?:projects|folders|organizations)/[^/]+)(?:/type/(?P<type>ServiceAccount|ServiceAgent))?"
)
_WORKSPACE: Final = re.compile(r"//iam\.googleapis\.com/locations/global/workspace/(?P<customer>[^/]+)")
_CUSTOMER: Final = re.compile(r"principalSet://goog/cloudIdentityCustomerId/[^/]+")
_GKE: Final = re.compile(r"(?P<project>[^\[\]]+)\.svc\.id\.goog\[(?P<namespace>[^/\]]+)/(?P<account>[^\]]+)\]")
_NUMBERED: Final = re.compile(
    r"service-(?P<agent>[0-9]+)@(?:gcp-sa-[a-z0-9-]+|compute-system|container-engine-robot|containerregistry|"
    r"cloud-filer|cloud-redis|cloudcomposer-accounts|dataflow-service-producer-prod|dataproc-accounts|"
    r"gcf-admin-robot|serverless-robot-prod|service-networking|gs-project-accounts|cloud-tpu|bigquery-encryption|"
    r"firebase-rules|endpoints-portal|sourcerepo-service-accounts)\.iam\.gserviceaccount\.com"
    r"|(?P<apis>[0-9]+)@cloudservices\.gserviceaccount\.com"
    r"|(?P<default>[0-9]+)(?:-compute@developer|@cloudbuild)\.gserviceaccount\.com"
)
_PLACEHOLDER: Final = re.compile(r"<[A-Z][A-Z0-9_]*>")
_OTHER_IDENTITY: Final = re.compile(r"principal(?:Set)?://[a-z0-9.-]+/.+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class PoolMember:
    """Some identities of a workload or workforce identity pool."""

    pool: str
    """`projects/N/locations/global/workloadIdentityPools/P`."""
    kind: str
    """`subject`, `group`, `attribute`, `*`, or for Kubernetes pools `namespace` or `kubernetes.cluster`."""
    value: str = ""
    attribute: str = ""
    """Name of the attribute, without `attribute.`."""


@dataclass(frozen=True, slots=True)
class Member:
    """A canonical principal id and what it stands for."""

    id: str
    kind: PrincipalKind
    doubt: str | None = None
    """Why the text is not a valid or not a known principal; `None` when it is one."""
    valid: bool = True
    """False for a text that the API refuses: it grants nobody anything."""
    pool: PoolMember | None = None
    container: str | None = None
    """For a set of all service accounts of a container, the container; for project roles, the project."""
    role: str | None = None
    """For `projectOwner:P` and the like, the basic role that its members hold."""
    only: str | None = None
    """For a set of identities of a container, `ServiceAccount` or `ServiceAgent` when it holds these alone."""

    @property
    def name(self) -> str:
        """The part after the prefix: an e-mail address, a domain."""
        return self.id.partition(":")[2]

    @property
    def deleted(self) -> bool:
        """Whether the principal was deleted: the binding grants nobody."""
        return self.id.startswith("deleted:")


@lru_cache(maxsize=65536)
def member(text: str) -> Member:
    """Return the canonical principal that a text names. A text that is no principal keeps its spelling and a doubt."""
    if text in _PUBLIC:
        return Member(_PUBLIC[text], PrincipalKind.PUBLIC)
    for spelling, canonical in _V2:
        if text.startswith(spelling):
            found = _by_email(canonical + text.removeprefix(spelling))
            return found if found.doubt is None else _invalid(text)
    pool = _POOL.fullmatch(text)
    if pool is not None:
        return _of_pool(text, pool)
    for form in (_of_container, _special, _by_email):
        found = form(text)
        if found.doubt is None:
            return found
    if _OTHER_IDENTITY.fullmatch(text):
        return Member(text, PrincipalKind.UNKNOWN, f"the kind of principal {shown(text)} is not known")
    return _invalid(text)


def pool_in(text: str) -> str | None:
    """Return the pool that a text names anywhere, `None` for none."""
    found = _POOL_IN.search(text)
    return found[0] if found is not None else None


def email_domain(address: str) -> str:
    """Return the domain of an e-mail address in lower case."""
    return address.rpartition("@")[2].lower()


def project_of_account(address: str) -> str | None:
    """Return the project id or number that the address of a service account names, `None` when it names none.

    https://cloud.google.com/iam/docs/service-account-types
    """
    numbered = _NUMBERED.fullmatch(address)
    if numbered is not None:
        return numbered["agent"] or numbered["apis"] or numbered["default"]
    name, _, host = address.partition("@")
    if host.endswith(".iam.gserviceaccount.com") and host.count(".") >= 3:  # noqa: PLR2004 - PROJECT.iam.gserviceaccount.com
        labels = host.removesuffix(".iam.gserviceaccount.com").split(".")
        # Projects of a domain-scoped organisation write `example.com:project` as `project.example.com`.
        return labels[0] if len(labels) == 1 else f"{'.'.join(labels[1:])}:{labels[0]}"
    return name if host == "appspot.gserviceaccount.com" else None


def is_agent(address: str) -> bool:
    """Tell whether a service account is an agent that a service made for itself.

    https://cloud.google.com/iam/docs/service-agents
    """
    numbered = _NUMBERED.fullmatch(address)
    if numbered is not None:
        return numbered["default"] is None
    return address.partition("@")[2].startswith("gcp-sa-") and address.endswith(".iam.gserviceaccount.com")


def _invalid(text: str, why: str = "") -> Member:
    reason = f"{shown(text)} is not a valid principal identifier{why}"
    return Member(text, PrincipalKind.UNKNOWN, reason, valid=False)


def _by_email(text: str) -> Member:
    prefix, _, name = text.partition(":")
    kind = _EMAIL_KINDS.get(prefix)
    if kind is None or not name:
        return _invalid(text, "" if kind is None else ": it has no name")
    gke = _GKE.fullmatch(name) if kind is PrincipalKind.SERVICE_IDENTITY else None
    if gke is not None:
        pool = PoolMember(f"{gke['project']}.svc.id.goog", "subject", f"ns/{gke['namespace']}/sa/{gke['account']}")
        return Member(text, PrincipalKind.FEDERATED, pool=pool)
    if _SEPARATORS.search(name):
        return _invalid(text, ": it names more than one address")
    return Member(f"{prefix}:{name.lower()}", kind)


def _special(text: str) -> Member:
    prefix, _, name = text.partition(":")
    if prefix == "deleted" and name:
        kind = _EMAIL_KINDS.get(name.partition(":")[0], PrincipalKind.FEDERATED)
        return Member(f"deleted:{name.lower() if kind is not PrincipalKind.FEDERATED else name}", kind)
    if prefix in _PROJECT_ROLES and name:
        return Member(text, PrincipalKind.CONTAINER, container=f"projects/{name}", role=_PROJECT_ROLES[prefix])
    workspace = _WORKSPACE.fullmatch(text)
    if workspace is not None:
        return Member(f"principalSet://goog/cloudIdentityCustomerId/{workspace['customer']}", PrincipalKind.CONTAINER)
    if _CUSTOMER.fullmatch(text):
        return Member(text, PrincipalKind.CONTAINER)
    # Placeholders stand in documents that idtrans wrote and nobody has filled in yet.
    return Member(text, PrincipalKind.UNKNOWN) if _PLACEHOLDER.fullmatch(text) else _invalid(text)


def _of_container(text: str) -> Member:
    found = _CONTAINER_SET.fullmatch(text)
    if found is None:
        return _invalid(text)
    canonical = text if text.startswith("principalSet:") else f"principalSet:{text}"
    return Member(canonical, PrincipalKind.CONTAINER, container=found["container"], only=found["type"])


def _of_pool(text: str, found: re.Match[str]) -> Member:
    scheme, pool, rest = found["scheme"], found["pool"], found["rest"]
    part = _pool_part(pool, rest if rest or scheme else "*")
    if part is None or scheme == ("principalSet:" if part.kind == "subject" else "principal:"):
        return _invalid(text, f"; valid are {VALID_FORMS}")
    prefix = "principal" if part.kind == "subject" else "principalSet"
    return Member(f"{prefix}://iam.googleapis.com/{pool}/{rest or '*'}", PrincipalKind.FEDERATED, pool=part)


def _pool_part(pool: str, rest: str | None) -> PoolMember | None:
    if rest == "*":
        return PoolMember(pool, "*")
    attribute = _ATTRIBUTE.fullmatch(rest or "")
    if attribute is not None:
        return PoolMember(pool, "attribute", attribute["value"], attribute["name"])
    kind, _, value = (rest or "").partition("/")
    # The star is a wildcard only as the whole pool: a subject `*` is refused by the API.
    if kind in ("subject", "group", "namespace", "kubernetes.cluster") and value not in ("", "*"):
        return PoolMember(pool, kind, value)
    return None
