"""Random worlds of Azure for the reference evaluator, and the same as documents, read and asked as users do it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from idtrans.access import can
from idtrans.clouds.azure import CLOUD
from idtrans.model.documents import Document, Format, Unsupported
from idtrans.model.entities import Entity
from idtrans.model.estate import Estate
from idtrans.model.spans import Place
from idtrans.ports import Query

if TYPE_CHECKING:
    from random import Random

Json = dict[str, Any]

NOW, BEFORE, AFTER = "2026-11-01T00:00:00+00:00", "2026-10-01T00:00:00+00:00", "2026-12-01T00:00:00+00:00"
USERS, TEAMS = ("ana", "ben"), ("crew", "team", "guild")
IDS = {name: f"{number:08x}-0000-4000-8000-000000000000" for number, name in enumerate((*USERS, *TEAMS), 1)}
IDS["everyone"] = "00000000-0000-0000-0000-000000000000"

TENANT = "/providers/microsoft.management/managementgroups/top"
UNIT = "/providers/microsoft.management/managementgroups/unit"
OTHER = "/providers/microsoft.management/managementgroups/other"
SUB, ELSEWHERE = "/subscriptions/s1", "/subscriptions/s2"
RG = f"{SUB}/resourceGroups/rg"
SITE = f"{RG}/providers/Microsoft.Web/sites/w"
ACCOUNT = f"{RG}/providers/Microsoft.Storage/storageAccounts/a"
CONTAINER = f"{ACCOUNT}/blobServices/default/containers/c"
BLOB = f"{CONTAINER}/blobs/x"
COSMOS = f"{RG}/providers/Microsoft.DocumentDB/databaseAccounts/d"
ITEMS = f"{COSMOS}/sqlDatabases/s/containers/c"
BUS = f"{RG}/providers/Microsoft.ServiceBus/namespaces/n"
QUEUE = f"{BUS}/queues/q"
REGISTRY = f"{RG}/providers/Microsoft.ContainerRegistry/registries/r"
FAR = f"{ELSEWHERE}/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/b"
SCOPES = (
    "/",
    "/",
    TENANT,
    UNIT,
    OTHER,
    SUB,
    SUB,
    RG,
    SUB.upper(),
    f"{SUB}/",
    RG,
    f"{RG}2",
    ACCOUNT,
    CONTAINER,
    SITE,
    ELSEWHERE,
)
KEYED_SCOPES = {"documentdb": (COSMOS, ITEMS), "servicebus": (BUS, QUEUE), "containerregistry": (REGISTRY,)}
"""More scopes, for operations of a provider."""

BLOBS = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs"
CONTROL, DATA = ["control"], ["data"]
OPERATIONS: dict[str, tuple[tuple[str, ...], list[str]]] = {
    "Microsoft.Web/sites/read": ((SITE, RG, SUB, UNIT, "/"), CONTROL),
    "Microsoft.Web/sites/write": ((SITE, RG, f"{RG}2"), CONTROL),
    "Microsoft.Storage/storageAccounts/listKeys/action": ((ACCOUNT, FAR), CONTROL),
    f"{BLOBS}/read": ((BLOB, CONTAINER, f"{FAR}/blobServices/default"), DATA),
    f"{BLOBS}/write": ((BLOB, ACCOUNT), DATA),
    "Microsoft.Storage/storageAccounts/queueServices/queues/messages/read": (
        (f"{ACCOUNT}/queueServices/default/queues/q",),
        DATA,
    ),
    "Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/items/read": ((ITEMS, COSMOS), DATA),
    "Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/items/create": ((ITEMS,), DATA),
    "Microsoft.ServiceBus/namespaces/messages/receive/action": ((QUEUE, BUS, f"{BUS}/queues/p"), DATA),
    "Microsoft.ContainerRegistry/registries/repositories/content/read": ((REGISTRY, f"{REGISTRY}2"), DATA),
    "Microsoft.MessagingCatalog/things/read": ((RG, ELSEWHERE), [*CONTROL, *DATA]),
}
PATTERNS = (
    "*",
    "*",
    "*",
    "*/read",
    "*/READ",
    "*/write",
    "Microsoft.Web/*",
    "microsoft.web/sites/*",
    "Microsoft.Storage/*",
    "Microsoft.Storage/storageAccounts/listKeys/action",
    "*/action",
    f"{BLOBS}/read",
    f"{BLOBS}/*",
    "Microsoft.MessagingCatalog/*",
)
KEYED_PATTERNS = {
    "documentdb": (
        "Microsoft.DocumentDB/*",
        "Microsoft.DocumentDB/databaseAccounts/readonlykeys/action",
        "Microsoft.DocumentDB/databaseAccounts/*/read",
    ),
    "servicebus": (
        "Microsoft.ServiceBus/*",
        "Microsoft.ServiceBus/namespaces/authorizationRules/*",
        "Microsoft.ServiceBus/namespaces/queues/authorizationRules/listkeys/action",
    ),
    "containerregistry": ("Microsoft.ContainerRegistry/registries/*", "*/listCredentials/action"),
}
"""More patterns, for operations of a provider."""
ATTRIBUTES = ("@Resource[a]", "@Resource[b]", "@Request[c]", "@Principal[d]", "@RESOURCE[A]")
NAMES = ("x", "X", "xy", "y", "x*", "x?y", "")
LITERALS = ("x", "X", "xy", "y", r"x\*", "x*", "*y", "x?y", "?", "")
GUIDS = (
    "8e3af657-a8ff-443c-a75c-2fe8c4bcb635",
    "8E3AF657A8FF443CA75C2FE8C4BCB635",
    "11111111-1111-4111-8111-111111111111",
)
CROSSES = ("ForAnyOfAnyValues:", "ForAllOfAnyValues:", "ForAnyOfAllValues:", "ForAllOfAllValues:")
TEXTS = tuple(
    f"String{no}{name}{fold}"
    for no in ("", "Not")
    for name in ("Equals", "StartsWith", "Like")
    for fold in ("", "IgnoreCase")
)
ORDERS = ("Equals", "LessThan", "LessThanEquals", "GreaterThan", "GreaterThanEquals", "NotEquals")
KINDS = {
    "@Resource[n]": ([f"Numeric{name}" for name in ORDERS], ("1", "2", "3")),
    "@Resource[t]": ([f"DateTime{name}" for name in ORDERS], ("'2026-01-01T00:00:00Z'", "'2026-06-01T00:00:00Z'")),
    "@Resource[g]": (["GuidEquals", "GuidNotEquals"], GUIDS),
    "@Resource[f]": (["BoolEquals", "BoolNotEquals"], ("true", "false", "'True'")),
    "@Environment[UtcNow]": (["DateTimeLessThan", "DateTimeGreaterThan"], ("'2026-10-01'", "'2026-12-01'")),
}
"""Attributes of other kinds than texts, with the operators and literals that fit them."""
VALUES = {
    "@resource[n]": ("1", "2", "3"),
    "@resource[t]": ("2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z"),
    "@resource[g]": GUIDS,
    "@resource[f]": ("true", "False"),
    "@request[suboperation]": ("Blob.List", "blob.read"),
}
ODD = (
    "@Resource[a] SoundsLike 'x'",
    "ForSome @Resource[a]",
    "@Resource[a] StringEquals {'x', 'y'}",
    "(",
    "@Resource[a] =",
)


# -- drawing ----------------------------------------------------------------------------------------------------------


def draw_world(random: Random) -> Json:
    """Return one world."""
    action = random.choice(tuple(OPERATIONS))
    resources, planes = OPERATIONS[action]
    roles = {name: [draw_block(random) for _ in range(random.choice((1, 1, 2)))] for name in ("r1", "r2", "r3")}
    world = {
        "assignments": [draw_assignment(random) for _ in range(random.choice((1, 2, 3, 4)))],
        "roles": roles,
        "denies": [draw_deny(random) for _ in range(random.choice((0, 0, 1, 1, 2)))],
        "groups": {name: draw_members(random, name) for name in TEAMS},
        "parents": draw_parents(random),
        "accounts": draw_accounts(random),
        "now": NOW,
        "request": {
            "principal": random.choice(("ana", "ana", "ana", "ben")),
            "action": random.choice((action, action, action.upper())),
            "planes": planes,
            "resource": random.choice(resources),
            "context": draw_context(random),
        },
    }
    add_keys(world, random, action.lower().removeprefix("microsoft.").partition("/")[0])
    return world


def add_keys(world: Json, random: Random, provider: str) -> None:
    """Turn some scopes and operations of a world about a resource with keys to the keys, and say which are refused."""
    world["keyed"] = {}
    if provider not in KEYED_PATTERNS:
        return
    patterns, scopes = KEYED_PATTERNS[provider], KEYED_SCOPES[provider]
    if random.random() < 0.75:
        world["keyed"][scopes[0]] = random.choice((True, False, False, None))
    denied = [each["permissions"] for each in world["denies"]]
    for block in (block for blocks in (*world["roles"].values(), *denied) for block in blocks):
        for listed in ("actions", "notActions"):
            if listed in block and random.random() < 0.6:
                block[listed] = [random.choice(patterns)]
    for each in (*world["assignments"], *world["denies"]):
        if random.random() < 0.4:
            each["scope"] = random.choice(scopes)


def draw_block(random: Random) -> Json:
    block: Json = {}
    for listed, left_out in (("actions", "notActions"), ("dataActions", "notDataActions")):
        if random.random() < 0.8:
            block[listed] = [random.choice(PATTERNS) for _ in range(random.choice((1, 2)))]
        if random.random() < 0.2:
            block[left_out] = [random.choice(PATTERNS)]
    block["condition"] = draw_condition(random, 0.15)
    return block


def draw_assignment(random: Random) -> Json:
    return {
        "principal": random.choice(("ana", "ana", "ana", "ben", "crew", "team", "guild", "everyone")),
        "role": random.choice(("r1", "r1", "r2", "r3", "r1", "r2", "missing")),
        "scope": random.choice(SCOPES),
        "condition": draw_condition(random, 0.35),
        "eligible": random.random() < 0.1,
        "starts": random.choice((None,) * 20 + (BEFORE, AFTER)),
        "ends": random.choice((None,) * 20 + (BEFORE, AFTER, NOW)),
    }


def draw_deny(random: Random) -> Json:
    return {
        "principals": random.choice((["everyone"], ["everyone"], ["ana"], ["crew"], ["ben", "team"])),
        "excluded": random.choice(([], [], [], ["ben"], ["ana"], ["team"], ["crew"])),
        "scope": random.choice(SCOPES),
        "permissions": [draw_block(random)],
        "children": random.random() < 0.8,
        "condition": draw_condition(random, 0.2),
        "effect": random.choice((None, None, "enforced", "audit")),
    }


def draw_members(random: Random, name: str) -> list[str] | None:
    if random.random() < 0.2:
        return None
    return [other for other in ("ana", "ben", *TEAMS) if other != name and random.random() < 0.25]


def draw_parents(random: Random) -> dict[str, str]:
    parents = {SUB: random.choice((UNIT, UNIT, OTHER, TENANT)), UNIT: random.choice((TENANT, OTHER)), OTHER: TENANT}
    parents |= {TENANT: "/", ELSEWHERE: random.choice((OTHER, TENANT))}
    for name in (TENANT, UNIT, SUB, ELSEWHERE):
        if random.random() < 0.12:
            del parents[name]
    return parents


def draw_accounts(random: Random) -> Json:
    return {
        name: {"shared": random.choice((True, True, False, None)), "services": draw_services(random)}
        for name in (ACCOUNT, FAR)
        if random.random() < 0.85
    }


def draw_services(random: Random) -> dict[str, bool]:
    if random.random() < 0.7:
        return {}
    return {name: random.random() < 0.5 for name in ("blob", "queue") if random.random() < 0.7}


def draw_context(random: Random) -> dict[str, list[str]]:
    context = {}
    for key in ("@resource[a]", "@resource[b]", "@request[c]", "@principal[d]"):
        if random.random() < 0.8:
            context[key] = [random.choice(NAMES) for _ in range(random.choice((1, 1, 2)))]
    for key, values in VALUES.items():
        if random.random() < 0.7:
            context[key] = [random.choice(values)]
    if random.random() < 0.1:
        context["@pim[activated]"] = ["true"]
    return context


def draw_condition(random: Random, chance: float) -> str | None:
    if random.random() >= chance:
        return None
    if random.random() < 0.4:
        action = random.choice((*OPERATIONS, "*/read"))
        return f"(!(ActionMatches{{'{action}'}})) OR ({draw_expression(random, 1)})"
    return draw_expression(random, 2)


def draw_expression(random: Random, depth: int) -> str:
    kind = random.random()
    if depth == 0 or kind < 0.55:
        return draw_leaf(random)
    if kind < 0.7:
        return f"{random.choice(('NOT ', '!', 'not '))}({draw_expression(random, depth - 1)})"
    parts = [draw_expression(random, depth - 1) for _ in range(2)]
    joined = f" {random.choice(('AND', 'OR', '&&', '||'))} ".join(f"({part})" for part in parts)
    if random.random() < 0.06:
        joined += f" {random.choice(('AND', 'OR'))} {draw_leaf(random)}"
    return joined


def draw_leaf(random: Random) -> str:
    kind = random.random()
    if kind < 0.12:
        return f"ActionMatches{{'{random.choice(PATTERNS)}'}}"
    if kind < 0.2:
        return f"SubOperationMatches{{'{random.choice(('Blob.List', 'blob.*', 'Other'))}'}}"
    if kind < 0.28:
        return f"{random.choice(('Exists', 'NOT Exists'))} {random.choice(ATTRIBUTES)}"
    if kind < 0.31:
        return random.choice(ODD)
    if kind < 0.5:
        return draw_typed(random)
    return draw_comparison(random)


def draw_typed(random: Random) -> str:
    attribute, (operators, literals) = random.choice(tuple(KINDS.items()))
    name, literal = random.choice(operators), random.choice(literals)
    if random.random() < 0.25:
        return f"{literal} {name} {attribute}"
    if random.random() < 0.4:
        return f"{attribute} {random.choice(CROSSES)}{name} {{{literal}, {random.choice(literals)}}}"
    return f"{attribute} {name} {literal}"


def draw_comparison(random: Random) -> str:
    sides = [draw_side(random, 0.85), draw_side(random, 0.15)]
    cross = random.choice(CROSSES) if any("," in side for side in sides) or random.random() < 0.4 else ""
    return f"{sides[0]} {cross}{random.choice(TEXTS)} {sides[1]}"


def draw_side(random: Random, attribute: float) -> str:
    if random.random() < attribute:
        return random.choice(ATTRIBUTES)
    if random.random() < 0.6:
        return f"'{random.choice(LITERALS)}'"
    return f"{{'{random.choice(LITERALS)}', '{random.choice(LITERALS)}'}}"


# -- asking -----------------------------------------------------------------------------------------------------------


def ask(world: Json) -> str:
    """Return the answer of the compiled engine to the request of a world."""
    request = world["request"]
    context = {key: tuple(values) for key, values in request["context"].items()}
    query = Query(f"entra:{IDS[request['principal']]}", request["action"], request["resource"], context, closed=True)
    return can(CLOUD, estate_of(world), query).outcome.value


def estate_of(world: Json) -> Estate:
    """Return the estate that the documents of a world state."""
    documents = (roles_of(world), assignments_of(world), denies_of(world), groups_of(world))
    entities: list[Entity] = []
    resources = (accounts_of(world), keyed_of(world))
    for number, rows in enumerate((*documents, containers_of(world), *resources)):
        if rows:
            document = Document(Place(f"{number}.json"), Format.JSON, rows)
            shape = CLOUD.recognise(document)
            assert shape is not None, rows
            found = list(CLOUD.parse(document, shape))
            assert not [item for item in found if isinstance(item, Unsupported)], rows
            entities += (item for item in found if not isinstance(item, Unsupported))
    return Estate(tuple(entities), datetime.fromisoformat(world["now"]))


def role_id(name: str) -> str:
    return f"{sum(name.encode()):08x}-1111-4111-8111-111111111111"


def roles_of(world: Json) -> list[Json]:
    return [
        {"name": role_id(name), "roleName": name, "permissions": blocks, "assignableScopes": ["/"]}
        for name, blocks in world["roles"].items()
    ]


def assignments_of(world: Json) -> list[Json]:
    kinds = dict.fromkeys(USERS, "User") | dict.fromkeys(TEAMS, "Group") | {"everyone": "Everyone"}
    eligible = "Microsoft.Authorization/roleEligibilityScheduleInstances"
    return [
        {
            "type": eligible if each["eligible"] else "Microsoft.Authorization/roleAssignmentScheduleInstances",
            "properties": {
                "principalId": IDS[each["principal"]],
                "principalType": kinds[each["principal"]],
                "roleDefinitionId": f"/providers/Microsoft.Authorization/roleDefinitions/{role_id(each['role'])}",
                "scope": each["scope"],
                "condition": each["condition"],
                "startDateTime": each["starts"],
                "endDateTime": each["ends"],
            },
        }
        for each in world["assignments"]
    ]


def denies_of(world: Json) -> list[Json]:
    kinds = dict.fromkeys(USERS, "User") | dict.fromkeys(TEAMS, "Group") | {"everyone": "SystemDefined"}
    return [
        {
            "denyAssignmentName": f"deny-{number}",
            "scope": each["scope"],
            "permissions": each["permissions"],
            "principals": [{"id": IDS[name], "type": kinds[name]} for name in each["principals"]],
            "excludePrincipals": [{"id": IDS[name], "type": kinds[name]} for name in each["excluded"]],
            "doNotApplyToChildScopes": not each["children"],
            "denyAssignmentEffect": each["effect"],
            "condition": each["condition"],
        }
        for number, each in enumerate(world["denies"])
    ]


def groups_of(world: Json) -> list[Json]:
    """Return the groups whose members are known; the others are known as groups by those that name them."""
    kinds = dict.fromkeys(USERS, "user") | dict.fromkeys(TEAMS, "group")
    return [
        {
            "id": IDS[name],
            "securityEnabled": True,
            **(
                {"@odata.type": "#microsoft.graph.group"}
                if members is None
                else {
                    "members": [{"@odata.type": f"#microsoft.graph.{kinds[each]}", "id": IDS[each]} for each in members]
                }
            ),
        }
        for name, members in world["groups"].items()
    ]


def containers_of(world: Json) -> list[Json]:
    rows = []
    for name, parent in world["parents"].items():
        management = "managementgroups" in name
        kind = "Microsoft.Management/managementGroups" if management else "Microsoft.Resources/subscriptions"
        rows.append({"id": name, "type": kind, "name": name.rsplit("/", 1)[-1], "parent": {"id": parent}})
    return rows


def accounts_of(world: Json) -> list[Json]:
    return [
        {
            "id": name,
            "allowSharedKeyAccess": settings["shared"],
            "allowSharedKeyAccessForServices": {key: {"enabled": flag} for key, flag in settings["services"].items()},
        }
        for name, settings in world["accounts"].items()
    ]


def keyed_of(world: Json) -> list[Json]:
    names = {"containerregistry": "adminUserEnabled"}
    rows = []
    for name, value in world.get("keyed", {}).items():
        provider = name.partition("/providers/Microsoft.")[2].partition("/")[0].lower()
        rows.append({"id": name, "properties": {names.get(provider, "disableLocalAuth"): value}})
    return rows
