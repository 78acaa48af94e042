"""Random worlds for Google Cloud, in the vendor's own documents, and the question put to the compiled engine."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from idtrans.algebra import decide
from idtrans.clouds.gcp import CLOUD
from idtrans.model.documents import Document, Format, Hints, Unsupported
from idtrans.model.entities import Container, Resource
from idtrans.model.estate import Estate
from idtrans.model.spans import NOWHERE, Place
from idtrans.ports import Query

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

Json = dict[str, Any]

ORG, FOLDER, SUBFOLDER = "organizations/9", "folders/2", "folders/5"
ONE, OTHER, LOOSE = "projects/1", "projects/3", "projects/7"
BUCKET = "//storage.googleapis.com/projects/_/buckets/b"
ACCOUNT = "//iam.googleapis.com/projects/acme/serviceAccounts/app@acme.iam.gserviceaccount.com"
SECRET = "//secretmanager.googleapis.com/projects/3/secrets/s"
POOL = "projects/1/locations/global/workloadIdentityPools/ci"
HOST = "//cloudresourcemanager.googleapis.com/"

PRINCIPALS = (
    "user:ana@example.com",
    "user:bob@other.example",
    "serviceAccount:app@acme.iam.gserviceaccount.com",
    "serviceAccount:service-1@gcp-sa-pubsub.iam.gserviceaccount.com",
    f"principal://iam.googleapis.com/{POOL}/subject/s",
    "group:g@example.com",
)
V1_SETS = (
    "allUsers",
    "allAuthenticatedUsers",
    "group:g@example.com",
    "group:h@example.com",
    "group:hidden@example.com",
    "domain:example.com",
    f"principalSet://iam.googleapis.com/{POOL}/*",
    f"principalSet://iam.googleapis.com/{POOL}/attribute.a/v",
    "principalSet://cloudresourcemanager.googleapis.com/folders/2/type/ServiceAccount",
    "deleted:user:ana@example.com?uid=1",
    "usr:ana@example.com",
)
V2_SETS = (
    "principalSet://goog/public:all",
    "principalSet://goog/group/g@example.com",
    "principalSet://goog/group/hidden@example.com",
    "principalSet://goog/cloudIdentityCustomerId/C01",
    "robot:x",
    f"principalSet://iam.googleapis.com/{POOL}/*",
    "principalSet://cloudresourcemanager.googleapis.com/projects/1/type/ServiceAccount",
    "principalSet://cloudresourcemanager.googleapis.com/folders/2/type/ServiceAgent",
    "principalSet://cloudresourcemanager.googleapis.com/organizations/9/type/ServiceAccount",
)
BOUNDARY_SETS = (
    f"{HOST}projects/1",
    f"{HOST}folders/2",
    f"{HOST}organizations/9",
    f"{HOST}projects/3",
    f"//iam.googleapis.com/{POOL}",
    "//iam.googleapis.com/locations/global/workspace/C01",
)
TARGETS = {
    ONE: "resourcemanager.projects.delete",
    "projects/acme": "resourcemanager.projects.get",
    OTHER: "resourcemanager.projects.delete",
    LOOSE: "resourcemanager.projects.get",
    FOLDER: "resourcemanager.folders.get",
    BUCKET: "storage.buckets.get",
    f"{BUCKET}/objects/logs/2026/x": "storage.objects.get",
    f"{BUCKET}/objects/data/a": "storage.objects.get",
    ACCOUNT: "iam.serviceAccounts.getAccessToken",
    f"{ACCOUNT} ": "iam.serviceAccounts.createTagBinding",
    SECRET: "secretmanager.versions.access",
}
"""Resources with a permission that is used on them; a space at the end tells two questions about one resource apart."""
PERMISSIONS = sorted(set(TARGETS.values()))
SCOPES = (ORG, FOLDER, SUBFOLDER, ONE, "projects/acme", OTHER, LOOSE, BUCKET)
DENIED = (
    "cloudresourcemanager.googleapis.com/projects.delete",
    "cloudresourcemanager.googleapis.com/projects.*",
    "cloudresourcemanager.googleapis.com/*.*",
    "cloudresourcemanager.googleapis.com/*.get",
    "storage.googleapis.com/objects.get",
    "storage.googleapis.com/*.*",
    "storage.googleapis.com/*.get",
    "storage.googleapis.com/objects",
    "iam.googleapis.com/serviceAccounts.*",
    "iam.googleapis.com/serviceAccounts.getAccessToken",
    "secretmanager.googleapis.com/versions.access",
)
BLOCKED = {"1": [], "3": ["iam.serviceAccounts.getAccessToken"]}
SPARED = {"3": ["iam.serviceAccounts.createTagBinding"]}
TESTS = (
    "resource.matchTag('1/env', 'prod')",
    "resource.hasTagKey('1/env')",
    "resource.matchTagId('tagKeys/7', 'tagValues/8')",
    "resource.name.startsWith('projects/_/buckets/b/objects/logs/')",
    "resource.name.endsWith('a')",
    "resource.name.extract('/objects/logs/{y}/') == '2026'",
    "resource.name.extract('/buckets/{b}/').startsWith('b')",
    "resource.name.extract('/objects/{y}/') == ''",
    "resource.name.extract('{x}logs') != ''",
    "resource.name.extract('{x}/objects/') == 'projects/_/buckets/b'",
    "resource.service == 'storage.googleapis.com'",
    "resource.type == 'storage.googleapis.com/Object'",
    "resource.type != 'cloudresourcemanager.googleapis.com/Project'",
    "request.time < timestamp('2026-07-01T00:00:00Z')",
    "request.time >= date('2026-06-30') + duration('3600s')",
    "request.time < timestamp('soon')",
    "request.time.getHours('Europe/Berlin') < 12",
    "request.time.getDayOfWeek('America/New_York') in [1, 2, 3]",
    "request.time.getMonth() == 5",
    "request.time.getDayOfWeek() == 0",
    "request.time.getHours('Nowhere/Land') > 3",
    "api.getAttribute('iam.googleapis.com/modifiedGrantsByRole', []).hasOnly(['roles/x'])",
    "resource.futureFunction('x')",
    "true",
)
BOUND_TESTS = (
    "principal.type == 'iam.googleapis.com/ServiceAccount'",
    "principal.type in ['iam.googleapis.com/WorkspaceIdentity', 'iam.googleapis.com/WorkloadPoolIdentity']",
    "principal.type != 'iam.googleapis.com/ServiceAccount'",
    "principal.subject.endsWith('@example.com')",
    "principal.subject == 's'",
    "principal.other == 'x'",
)
TIMES = (
    "2026-06-29T23:30:00+00:00",
    "2026-06-30T09:00:00+00:00",
    "2026-07-05T03:59:00+00:00",
    "2026-06-01T22:00:00+00:00",
)


def draw_world(random: Random) -> Json:
    """Return a random world."""
    target = random.choice(sorted(TARGETS))
    permission = TARGETS[target] if random.random() < 0.9 else random.choice(PERMISSIONS)
    names = [f"organizations/9/locations/global/principalAccessBoundaryPolicies/{each}" for each in "xy"]
    bounded = random.random() < 0.4
    return {
        "parents": {ONE: SUBFOLDER, SUBFOLDER: FOLDER, FOLDER: ORG, OTHER: ORG},
        "aliases": {"projects/acme": ONE},
        "homes": {
            BUCKET: ONE,
            **{f"{BUCKET}/objects/{each}": BUCKET for each in ("logs/2026/x", "data/a")},
            ACCOUNT: ONE,
            SECRET: OTHER,
        },
        "roles": {f"{ORG}/roles/r{number}": _some(random, PERMISSIONS, 5) for number in range(3)},
        "groups": {
            "group:g@example.com": _some(random, (*PRINCIPALS[:3], "group:h@example.com"), 2),
            "group:h@example.com": _some(random, (*PRINCIPALS[:3], "group:hidden@example.com"), 1),
        },
        "allow": [_binding(random) for _ in range(random.randint(1, 4))],
        "deny": [_rule(random) for _ in range(random.choice((0, 0, 1, 1, 2)))],
        "boundaries": {name: _boundary(random) for name in names if bounded and random.random() < 0.9},
        "bound": [_bound(random, names) for _ in range(random.randint(1, 3))] if bounded else [],
        "blocked": BLOCKED,
        "spared": SPARED,
        "request": {
            "principal": random.choice(PRINCIPALS),
            "permission": permission,
            "resource": target.strip(),
            "time": random.choice(TIMES),
            "granted": random.choice(([], ["roles/x"], ["roles/x", "roles/owner"])),
            "tags": random.choice(({}, {"1/env": "prod"}, {"1/env": "dev", "tagKeys/7": "tagValues/8"})),
        },
    }


def _some(random: Random, values: Any, most: int) -> list[Any]:
    return random.sample(sorted(values), random.randint(0, min(most, len(values))))


def _condition(random: Random, tests: tuple[str, ...], depth: int = 0) -> str:
    shape = random.random()
    if depth > 1 or shape < 0.5:
        return random.choice(tests)
    parts = [_condition(random, tests, depth + 1) for _ in range(3)]
    if shape < 0.65:
        return f"!({parts[0]})"
    if shape < 0.8:
        return f"({parts[0]}) && ({parts[1]})"
    return f"({parts[0]}) || ({parts[1]})" if shape < 0.92 else f"({parts[0]}) ? ({parts[1]}) : ({parts[2]})"


def _maybe(random: Random, tests: tuple[str, ...], share: float) -> str | None:
    return _condition(random, tests) if random.random() < share else None


def _binding(random: Random) -> Json:
    role = random.choice(
        (
            *(f"{ORG}/roles/r{number}" for number in range(3)),
            "roles/not.known" if random.random() < 0.2 else f"{ORG}/roles/r0",
        )
    )
    members = _some(random, (*PRINCIPALS, *V1_SETS), 3) or ["allUsers"]
    return {"scope": random.choice(SCOPES), "role": role, "members": members, "condition": _maybe(random, TESTS, 0.4)}


def _v2(principal: str) -> str:
    kind, _, name = principal.partition(":")
    starts = {
        "user": "principal://goog/subject/",
        "group": "principalSet://goog/group/",
        "serviceAccount": "principal://iam.googleapis.com/projects/-/serviceAccounts/",
    }
    return starts[kind] + name if kind in starts else principal


def _rule(random: Random) -> Json:
    everybody = (*map(_v2, PRINCIPALS), *V2_SETS)
    return {
        "point": random.choice((ORG, FOLDER, SUBFOLDER, ONE, "projects/acme", OTHER, LOOSE)),
        "principals": _some(random, everybody, 3) or ["principalSet://goog/public:all"],
        "exceptions": _some(random, everybody, 2) if random.random() < 0.5 else [],
        "permissions": _some(random, DENIED, 4) or [DENIED[0]],
        "spared": _some(random, DENIED, 2) if random.random() < 0.3 else [],
        "condition": _maybe(random, TESTS, 0.4),
    }


def _boundary(random: Random) -> Json:
    return {
        "resources": _some(random, (ORG, FOLDER, ONE, OTHER, LOOSE), 2),
        "version": random.choice(("1", "3", "3", "3", "3")),
    }


def _bound(random: Random, names: list[str]) -> Json:
    return {
        "set": random.choice(BOUNDARY_SETS),
        "boundary": random.choice(names),
        "condition": _maybe(random, BOUND_TESTS, 0.3),
    }


# -- the same world as documents --------------------------------------------------------------------------------------


def ask(world: Json) -> str:
    """Return the answer of the compiled engine."""
    estate = estate_of(world)
    asked = world["request"]
    context = {f"resource.tag:{key}": (value,) for key, value in asked["tags"].items()}
    if "granted" in asked:
        context["iam.googleapis.com/modifiedGrantsByRole"] = tuple(asked["granted"])
    query = Query(
        asked["principal"],
        asked["permission"],
        asked["resource"],
        {**context, "request.time": (asked["time"],)},
        closed=True,
    )
    request = CLOUD.request(query, estate)
    return decide(CLOUD.access(request.principal, estate), request).outcome.value


def estate_of(world: Json) -> Estate:
    """Return the estate that the documents of a world make."""
    found = [each for content, hints in _documents(world) for each in _read(content, hints)]
    numbers = {number: alias for alias, number in world["aliases"].items()}
    containers = [
        Container(
            "gcp",
            child,
            child.partition("/")[0][:-1],
            NOWHERE,
            parent,
            aliases=(numbers[child],) if child in numbers else (),
        )
        for child, parent in world["parents"].items()
    ]
    entities = [each for each in found if not isinstance(each, Unsupported)]
    unsupported = tuple(each for each in found if isinstance(each, Unsupported))
    homes = [Resource("gcp", BUCKET, "bucket", NOWHERE, container=world["homes"][BUCKET])]
    return Estate((*containers, *homes, *entities), datetime(2026, 1, 1, tzinfo=UTC), unsupported)


def _read(content: Any, hints: Json) -> list[Any]:
    document = Document(Place("world.json"), Format.JSON, content, Hints(**hints))
    shape = CLOUD.recognise(document)
    assert shape is not None, content
    return list(CLOUD.parse(document, shape))


def _documents(world: Json) -> Iterator[tuple[Any, Json]]:
    for binding in world["allow"]:
        written = {"role": binding["role"], "members": binding["members"]}
        yield {"bindings": [_with(written, "condition", binding["condition"])]}, _scope_hints(binding["scope"], world)
    for number, rule in enumerate(world["deny"]):
        yield _deny_policy(number, rule), {}
    for name, boundary in world["boundaries"].items():
        details = {
            "rules": [{"resources": [HOST + each for each in boundary["resources"]], "effect": "ALLOW"}],
            "enforcementVersion": boundary["version"],
        }
        yield {"name": name, "details": details}, {}
    for number, bound in enumerate(world["bound"]):
        written = {
            "name": f"organizations/9/locations/global/policyBindings/{number}",
            "target": {"principalSet": bound["set"]},
            "policyKind": "PRINCIPAL_ACCESS_BOUNDARY",
            "policy": bound["boundary"],
        }
        yield _with(written, "condition", bound["condition"]), {}
    for group, members in world["groups"].items():
        items = [_membership(number, each) for number, each in enumerate(members)]
        yield items, {"principal": group, "kind": "gcp.group-memberships"}
    for role, permissions in world["roles"].items():
        yield {"name": role, "title": role, "includedPermissions": permissions}, {}


def _with(written: Json, name: str, condition: str | None) -> Json:
    return written if condition is None else {**written, name: {"title": "t", "expression": condition}}


def _scope_hints(scope: str, world: Json) -> Json:
    if not scope.startswith("//"):
        return {"scope": scope}
    home = world["homes"].get(scope)
    return {"resource": scope} if home is None else {"resource": scope, "ancestors": (home,)}


def _deny_policy(number: int, rule: Json) -> Json:
    deny = {
        "deniedPrincipals": rule["principals"],
        "exceptionPrincipals": rule["exceptions"],
        "deniedPermissions": rule["permissions"],
        "exceptionPermissions": rule["spared"],
    }
    point = f"cloudresourcemanager.googleapis.com/{rule['point']}".replace("/", "%2F")
    return {
        "name": f"policies/{point}/denypolicies/p{number}",
        "kind": "DenyPolicy",
        "rules": [{"denyRule": _with(deny, "denialCondition", rule["condition"])}],
    }


def _membership(number: int, member: str) -> Json:
    kind, _, address = member.partition(":")
    kinds = {"user": "USER", "group": "GROUP", "serviceAccount": "SERVICE_ACCOUNT"}
    return {
        "name": f"groups/1/memberships/{number}",
        "preferredMemberKey": {"id": address},
        "roles": [{"name": "MEMBER"}],
        "type": kinds[kind],
    }
