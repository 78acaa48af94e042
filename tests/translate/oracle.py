"""Whether a translation gives more than its source, decided by the definitional evaluators of `tests/reference` alone.

Nothing of `idtrans` decides here: what was written is read as plain data, and the operations of the clouds that stand
for each other are listed by hand. Only the contents of predefined roles come from the tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from idtrans.catalog import builtin_role
from tests.reference import aws, azure, gcp

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from idtrans.model.artifacts import Native

Json = dict[str, Any]

READER = "arn:aws:iam::111122223333:role/reader"
ANA = "user:ana@b.example"
USER = "cccccccc-0000-4000-8000-000000000009"
SUBSCRIPTION = "/subscriptions/aaaaaaaa-1111-4000-8000-000000000001"
STORE = f"{SUBSCRIPTION}/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/stdata"
VAULT = f"{SUBSCRIPTION}/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv/secrets/s1"
BLOBS = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs"


@dataclass(frozen=True)
class Operation:
    """One operation as each cloud names it."""

    name: str
    gcp: str
    azure: str
    sources: tuple[str, ...]
    """Actions of AWS of which any is a licence for it: the own one, and those of which it is a part."""
    on: str
    """`object`, `bucket` or `secret`."""
    sub: str | None = None


OPERATIONS = (
    Operation("read", "storage.objects.get", f"{BLOBS}/read", ("s3:GetObject",), "object"),
    Operation("list", "storage.objects.list", f"{BLOBS}/read", ("s3:ListBucket",), "bucket", "Blob.List"),
    # Google overwrites by deleting, so that whoever writes may delete.
    Operation("delete", "storage.objects.delete", f"{BLOBS}/delete", ("s3:DeleteObject", "s3:PutObject"), "object"),
    Operation("write", "storage.objects.create", f"{BLOBS}/write", ("s3:PutObject",), "object"),
    Operation("policy", "storage.buckets.getIamPolicy", "-", ("s3:GetBucketPolicy",), "bucket"),
    Operation(
        "secret",
        "secretmanager.versions.access",
        "Microsoft.KeyVault/vaults/secrets/getSecret/action",
        ("secretsmanager:GetSecretValue",),
        "secret",
    ),
)


@dataclass(frozen=True)
class Situation:
    """What is asked for, in no cloud's words, and what is known of the request."""

    operation: Operation
    bucket: str = "data"
    name: str = "a"
    """Name of the object, or what the names that a listing asks for start with."""
    time: str = "2026-06-01T00:00:00Z"
    tag: str | None = None
    """Value of the tag `env` of the resource."""
    object_tag: str | None = None
    address: str = "10.1.2.3"
    mfa: bool = False


def situations(random: Random, count: int) -> Iterable[Situation]:
    """Draw situations."""
    for _ in range(count):
        yield Situation(
            operation=random.choice(OPERATIONS),
            bucket=random.choice(("data", "data", "other")),
            name=random.choice(("a", "logs/x", "secret/x", "secret/y.key", "")),
            time=random.choice(("2026-06-01T00:00:00Z", "2028-06-01T00:00:00Z")),
            tag=random.choice((None, "prod", "dev")),
            object_tag=random.choice((None, "prod", "dev")),
            address=random.choice(("10.1.2.3", "8.8.8.8")),
            mfa=random.choice((True, False)),
        )


# -- the source -------------------------------------------------------------------------------------------------------


def source_grants(document: Json, case: Situation) -> bool:
    """Tell whether AWS grants an operation, or one that it is a part of."""
    return any(_aws(document, action, case) for action in case.operation.sources)


def _aws(document: Json, action: str, case: Situation) -> bool:
    operation = case.operation
    resource = f"arn:aws:s3:::{case.bucket}" + (f"/{case.name}" if operation.on == "object" else "")
    if operation.on == "secret":
        resource = "arn:aws:secretsmanager:eu-west-1:111122223333:secret:s1-AbCdEf"
    context: Json = {"aws:SourceIp": case.address, "aws:SecureTransport": "true"}
    context["aws:MultiFactorAuthPresent"] = "true" if case.mfa else "false"
    if operation.name == "list":
        context["s3:prefix"] = case.name
    if case.tag is not None:
        context["aws:ResourceTag/env"] = case.tag
    # Writing and deleting do not look at the tags of what is there.
    if case.object_tag is not None and operation.name == "read":
        context["s3:ExistingObjectTag/env"] = case.object_tag
    world = {
        "policies": [{"layer": "identity", "document": document, "owner": READER, "level": None}],
        "principals": {READER: {"groups": [], "tags": {}}},
        "parents": {},
        "accounts": {f"arn:aws:s3:::{name}": "111122223333" for name in ("data", "other")},
        "now": case.time,
        "closed": True,
        "request": {"principal": READER, "action": action, "resource": resource, "context": context},
    }
    return aws.decide(world) == aws.ALLOW


# -- the targets ------------------------------------------------------------------------------------------------------


def gcp_grants(natives: Iterable[Native], case: Situation) -> bool:
    """Tell whether Google Cloud grants an operation by what was written."""
    found = list(natives)
    bindings = [row for native in found if native.kind == "gcp.search-all-iam-policies" for row in native.content]
    custom = {
        role["name"]: role["includedPermissions"]
        for native in found
        if native.kind == "gcp.custom-roles"
        for role in native.content
    }
    bucket = f"//storage.googleapis.com/projects/_/buckets/{case.bucket}"
    resource = f"{bucket}/objects/{case.name}" if case.operation.on == "object" else bucket
    if case.operation.on == "secret":
        resource = "//secretmanager.googleapis.com/projects/acme/secrets/s1/versions/1"
    request: Json = {"principal": ANA, "permission": case.operation.gcp, "resource": resource, "time": case.time}
    request["tags"] = {} if case.tag is None else {"<GCP_TAG_PARENT>/env": case.tag}
    if case.operation.name == "list":
        request["granted"] = case.name
    world = {
        "parents": {"projects/acme": "organizations/1"},
        "aliases": {},
        "homes": {
            f"{bucket}/objects/{case.name}": bucket,
            bucket: "projects/acme",
            "//secretmanager.googleapis.com/projects/acme/secrets/s1/versions/1": _SECRET,
            _SECRET: "projects/acme",
        },
        "roles": _Roles(custom),
        "groups": {},
        "allow": [
            {
                "scope": row["resource"].removeprefix("//cloudresourcemanager.googleapis.com/"),
                "role": binding["role"],
                "members": binding["members"],
                "condition": binding.get("condition", {}).get("expression"),
            }
            for row in bindings
            for binding in row["policy"]["bindings"]
        ],
        "deny": [rule for native in found if native.kind == "gcp.deny-policies" for rule in _denies(native.content)],
        "boundaries": {},
        "bound": [],
        "blocked": {},
        "spared": [],
        "request": request,
    }
    answer = gcp.decide(world)
    assert answer != gcp.UNKNOWN, world
    return answer == gcp.ALLOW


_SECRET = "//secretmanager.googleapis.com/projects/acme/secrets/s1"


class _Roles(dict[str, list[str]]):
    """Custom roles that were written, and the predefined ones."""

    def get(self, name: str, default: Any = None) -> Any:
        if name in self:
            return self[name]
        role = builtin_role("gcp", name)
        return default if role is None else [action for block in role.blocks for action in block.actions]


def _denies(policy: Json) -> Iterable[Json]:
    point = policy["name"].split("/")[1].replace("%2F", "/").removeprefix("cloudresourcemanager.googleapis.com/")
    for rule in (each["denyRule"] for each in policy["rules"]):
        yield {
            "point": point,
            "principals": rule["deniedPrincipals"],
            "exceptions": [],
            "permissions": rule["deniedPermissions"],
            "spared": [],
            "condition": rule.get("denialCondition", {}).get("expression"),
        }


def azure_grants(natives: Iterable[Native], case: Situation) -> bool:
    """Tell whether Azure grants an operation by what was written."""
    operation, found = case.operation, list(natives)
    container = f"{STORE}/blobServices/default/containers/{case.bucket}"
    resource = f"{container}/blobs/{case.name}" if operation.on == "object" else container
    context: dict[str, list[str]] = {}
    if operation.sub is not None:
        context = {"@Request[subOperation]": [operation.sub], f"@Request[{BLOBS}:prefix]": [case.name]}
    elif operation.on == "object":
        context = {f"@Resource[{BLOBS}:path]": [case.name]}
        if case.object_tag is not None:
            context[f"@Resource[{BLOBS}/tags:env<$key_case_sensitive$>]"] = [case.object_tag]
    roles = {
        native.content["name"]: native.content["permissions"] for native in found if "permissions" in native.content
    }
    assignments = [native.content for native in found if "principalId" in native.content]
    for assignment in assignments:
        name = assignment["roleDefinitionId"].rpartition("/")[2]
        known = builtin_role("azure", name)
        if name not in roles and known is not None:
            roles[name] = [
                {"actions": each.actions, "notActions": each.not_actions}
                | {"dataActions": each.data_actions, "notDataActions": each.not_data_actions}
                for each in known.blocks
            ]
    world = {
        "assignments": [
            {
                "principal": each["principalId"],
                "role": each["roleDefinitionId"].rpartition("/")[2],
                "scope": each["scope"],
                "condition": each.get("condition"),
                "eligible": False,
                "starts": None,
                "ends": None,
            }
            for each in assignments
        ],
        "roles": roles,
        "denies": [],
        "groups": {},
        "parents": {SUBSCRIPTION.lower(): "/"},
        "accounts": {STORE: {"shared": False, "services": {}}},
        "now": case.time,
        "request": {
            "principal": USER,
            "action": operation.azure,
            "planes": ["data"],
            "resource": VAULT if operation.on == "secret" else resource,
            "context": context,
        },
    }
    answer = azure.decide(world)
    assert answer != azure.UNKNOWN, world
    return answer == azure.ALLOW


GRANTS = {"gcp": gcp_grants, "azure": azure_grants}


def exceeds(document: Json, target: str, natives: Iterable[Native], cases: Iterable[Situation]) -> list[Situation]:
    """Return the situations in which the target grants what the source does not."""
    written = list(natives)
    return [case for case in cases if GRANTS[target](written, case) and not source_grants(document, case)]
