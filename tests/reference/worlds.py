"""Random worlds for the reference evaluator, from alphabets small enough that statements and requests often meet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

Json = dict[str, Any]
Placed = tuple[str, str | None, str | None]
"""Layer, owner and level of a policy."""

A, B = "111122223333", "444455556666"
UNIT, OTHER_UNIT, TOP = "ou-one", "ou-two", "r-top"
ANA, BO, ZED = f"arn:aws:iam::{A}:user/ana", f"arn:aws:iam::{B}:user/bo", f"arn:aws:iam::{A}:user/zed"
APP, OPS = f"arn:aws:iam::{A}:role/team/app", f"arn:aws:iam::{B}:role/ops"
LINKED = f"arn:aws:iam::{A}:role/aws-service-role/ecs.amazonaws.com/AWSServiceRoleForECS"
SESSION, OTHER_SESSION = f"arn:aws:sts::{A}:assumed-role/app/s1", f"arn:aws:sts::{A}:assumed-role/app/s2"
OPS_SESSION, LINKED_SESSION = (
    f"arn:aws:sts::{B}:assumed-role/ops/s1",
    f"arn:aws:sts::{A}:assumed-role/AWSServiceRoleForECS/x",
)
GROUP = f"arn:aws:iam::{A}:group/g"
ROOT, OTHER_ROOT = f"arn:aws:iam::{A}:root", f"arn:aws:iam::{B}:root"
FEDERATED_USER = f"arn:aws:sts::{A}:federated-user/fed"
PROVIDER = f"arn:aws:iam::{A}:oidc-provider/token.example.com"
SERVICE = "ec2.amazonaws.com"
IDENTITIES = (ANA, APP, LINKED, BO, OPS)
CALLERS = (ANA, ANA, SESSION, SESSION, OTHER_SESSION, APP, BO, OPS_SESSION, OPS, LINKED_SESSION, ROOT, OTHER_ROOT, ZED)
OUTSIDERS = (FEDERATED_USER, f"service:{SERVICE}", "anonymous", f"federated:{PROVIDER}")

BUCKET, OTHER_BUCKET = "arn:aws:s3:::b", "arn:aws:s3:::c"
ENDPOINT = f"arn:aws:ec2:eu-west-1:{A}:vpc-endpoint/vpce-1"
KEY, QUEUE = f"arn:aws:kms:eu-west-1:{A}:key/1", f"arn:aws:sqs:eu-west-1:{A}:q"
DEPLOY = f"arn:aws:iam::{A}:role/deploy"
TARGETS = {
    f"{BUCKET}/ana/1": ("s3:GetObject", "s3:PutObject"),
    f"{BUCKET}/X": ("s3:GetObject", "s3:PutObject"),
    BUCKET: ("s3:ListBucket", "s3:PutBucketPolicy"),
    f"{OTHER_BUCKET}/ana/1": ("s3:GetObject",),
    KEY: ("kms:Decrypt", "kms:RetireGrant"),
    QUEUE: ("sqs:SendMessage",),
    DEPLOY: ("sts:AssumeRole", "sts:AssumeRole", "sts:TagSession", "iam:PassRole", "iam:GetRole"),
    APP: ("sts:AssumeRole", "iam:PassRole"),
    "*": ("s3:ListAllMyBuckets", "iam:ListUsers", "s3:ListAllMyBuckets", "iam:ListUsers", "sts:GetCallerIdentity"),
}
FACTS: dict[str, tuple[Any, ...]] = {
    "management_account": (A, B),
    "organization": ("X", False),
    "service_linked_role": (True, False),
}
BROKEN: tuple[tuple[str, Any], ...] = (
    ("Effect", "allow"),
    ("Resources", "*"),
    ("Resource", "b/*"),
    ("Principal", {"AWS": f"arn:aws:iam::{A}:role/*"}),
    ("NotAction", "*"),
    ("Action", "*"),
    ("Action", " s3:GetObject"),
)
"""Elements that, put into a statement, make it one that AWS would not accept, or may."""
RCP_SERVICES = ["s3", "sts", "kms", "sqs"]
"""Those of the services above that resource control policies reach.

https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_rcps.html#rcp-supported-services
"""
VERSIONS = (*["2012-10-17"] * 4, "2008-10-17", None)
ACTIONS = ("*", "s3:*", "S3:getobject", "s3:?etObject", "s3:Get*", "kms:*", "sts:*", "iam:*", "sqs:*", "*:*Object")
RESOURCES = (
    "*",
    f"{BUCKET}/*",
    BUCKET,
    f"{BUCKET}*",
    "arn:aws:s3:::?/ana/*",
    "arn:aws:s3:::b/x",
    "arn:aws:s3:::b/${aws:username}/*",
    "arn:aws:s3:::b/${aws:PrincipalTag/team, 'X'}",
    "arn:aws:s3:::b/${s3:prefix}",
    "arn:aws:s3:::b/${*}",
    "arn:aws:sqs:*",
    "arn:aws:sqs:*:q",
    f"arn:aws:*:*:{A}:*",
    "arn:aws:kms:eu-west-1:*:key/?",
    "arn:aws:iam::*:role/*",
    "arn:aws:s3",
)
ENTRIES: tuple[Any, ...] = (
    "*",
    {"AWS": "*"},
    {"AWS": A},
    {"AWS": ROOT},
    {"AWS": OTHER_ROOT},
    {"AWS": ANA},
    {"AWS": [APP, OPS]},
    {"AWS": SESSION},
    {"AWS": [OPS_SESSION, OTHER_SESSION]},
    {"AWS": BO},
    {"AWS": LINKED},
    {"AWS": FEDERATED_USER},
    {"AWS": "AIDAEXAMPLEEXAMPLE11"},
    {"Service": SERVICE},
    {"Federated": PROVIDER},
    {"AWS": [ZED, APP], "Service": SERVICE},
)
SPARED: tuple[Any, ...] = (
    {"AWS": [A, ANA]},
    {"AWS": ANA},
    {"AWS": [ROOT, APP, SESSION]},
    {"AWS": [APP, SESSION]},
    {"AWS": [OTHER_ROOT, BO, A]},
    {"Service": SERVICE},
    {"AWS": [B, OPS]},
)

TEXTS, ARNS, NUMBERS, DATES, BOOLS, ADDRESSES, LISTS, BYTES, PLACES = (
    *("text", "arn", "number", "date", "bool", "address"),
    *("list", "bytes", "place"),
)
KEYS = {
    "s3:prefix": TEXTS,
    "aws:username": TEXTS,
    "aws:PrincipalTag/Team": TEXTS,
    "aws:PrincipalAccount": TEXTS,
    "aws:ResourceAccount": TEXTS,
    "aws:PrincipalOrgID": TEXTS,
    "aws:PrincipalArn": ARNS,
    "aws:SourceArn": ARNS,
    "sts:SourceIdentity": TEXTS,
    "kms:CallerAccount": TEXTS,
    "s3:ResourceAccount": TEXTS,
    "s3:max-keys": NUMBERS,
    "aws:CurrentTime": DATES,
    "aws:TokenIssueTime": DATES,
    "aws:SecureTransport": BOOLS,
    "aws:PrincipalIsAWSService": BOOLS,
    "aws:SourceIp": ADDRESSES,
    "aws:TagKeys": LISTS,
    "x:blob": BYTES,
    "aws:SourceVpce": PLACES,
}
GIVEN = (
    *("s3:prefix", "aws:SourceArn", "s3:max-keys", "aws:TokenIssueTime", "aws:SecureTransport", "aws:SourceIp"),
    *("aws:TagKeys", "x:blob", "aws:SourceVpce", "sts:SourceIdentity"),
)
RARE = ("aws:TagKeys", "sts:SourceIdentity")
"""Those that an `sts:AssumeRole` has when it asks for more than a session."""
VALUES: dict[str, tuple[str, ...]] = {
    TEXTS: ("ana", "X", "x", "a*", "ana/1", A, B, "*"),
    ARNS: (ANA, APP, SESSION, OPS, "arn:aws:sns:eu-west-1:111122223333:t:u", "arn:aws:sns:eu-west-1:111122223333:t"),
    NUMBERS: ("1", "2", "2.0", "10", "ten"),
    DATES: ("2026-01-01T00:00:00Z", "2026-09-01T12:00:00Z", "2027-01-01T00:00:00+02:00", "1788264000", "soon"),
    BOOLS: ("true", "false", "True"),
    ADDRESSES: ("10.0.0.1", "10.0.0.2", "192.0.2.7", "2001:db8::1", "nowhere"),
    LISTS: ("a", "b", "A"),
    BYTES: ("QUJD", "QUI="),
    PLACES: ("vpce-1", "vpce-1", "vpce-2"),
}
WANTED: dict[str, tuple[str, ...]] = {
    TEXTS: (
        *VALUES[TEXTS],
        *("?", "${aws:username}", "${aws:username}*", "${s3:prefix}", "${*}"),
        *("${aws:PrincipalTag/team, 'x'}", "${aws:username, 'a*'}"),
    ),
    ARNS: (
        *VALUES[ARNS],
        *("*", "arn:aws:iam::*", f"arn:aws:iam::{A}:*", "arn:aws:iam::*:role/*", "arn:aws:sns:*:t"),
        *("arn:aws:sns:*:*:t", "arn:aws:iam::${aws:PrincipalAccount}:user/${aws:username}", "arn:aws:?am::*:user/an?"),
    ),
    NUMBERS: VALUES[NUMBERS][:-1],
    DATES: (*VALUES[DATES][:-1], "2026-09-01"),
    BOOLS: VALUES[BOOLS],
    ADDRESSES: (*VALUES[ADDRESSES][:-1], "10.0.0.0/8", "10.0.0.7/31", "0.0.0.0/0", "2001:db8::/32"),
    LISTS: (*VALUES[LISTS], "?", "${s3:prefix}", "${aws:PrincipalTag/team, 'a'}"),
    BYTES: VALUES[BYTES],
    PLACES: (*VALUES[PLACES], "vpce-?"),
}
_STRINGS = (
    *("StringEquals", "StringNotEquals", "StringLike", "StringNotLike"),
    *("StringEqualsIgnoreCase", "StringNotEqualsIgnoreCase"),
)
_ORDER = ("Equals", "NotEquals", "LessThan", "LessThanEquals", "GreaterThan", "GreaterThanEquals")
TAKES: dict[str, tuple[str, ...]] = {
    TEXTS: _STRINGS,
    ARNS: ("ArnEquals", "ArnLike", "ArnNotEquals", "ArnNotLike", "StringLike", "StringEquals", "StringNotLike"),
    NUMBERS: tuple(f"Numeric{name}" for name in _ORDER),
    DATES: tuple(f"Date{name}" for name in _ORDER),
    BOOLS: ("Bool",),
    ADDRESSES: ("IpAddress", "NotIpAddress"),
    LISTS: _STRINGS,
    BYTES: ("BinaryEquals",),
    PLACES: _STRINGS,
}
_WITH_PRINCIPALS = ("resource", "trust", "rcp", "endpoint")


def draw_world(random: Random) -> Json:
    """Return a world with one request."""
    request = draw_request(random)
    known = draw_known(random, request)
    owners = {BUCKET: random.choice((A, B)), OTHER_BUCKET: random.choice((A, B))}
    world: Json = {
        "policies": [],
        "principals": {arn: {"groups": [], "tags": {}} for arn in known},
        "parents": {A: UNIT, UNIT: TOP, B: random.choice((OTHER_UNIT, TOP)), OTHER_UNIT: TOP},
        "accounts": owners,
        "now": "2026-09-01T12:00:00+00:00",
        "rcp_services": RCP_SERVICES,
        "request": request,
    }
    if ANA in known and random.random() < 0.5:
        world["principals"][ANA]["groups"].append(GROUP)
    for arn in known:
        if random.random() < 0.3:
            world["principals"][arn]["tags"]["Team"] = random.choice(VALUES[TEXTS][:4])
    if random.random() < 0.4:
        _close(random, world)
    world["policies"] = [
        {"layer": layer, "owner": owner, "level": level, "document": draw_document(random, layer, request)}
        for layer, owner, level in _places(random, request, known)
    ]
    return world


def _close(random: Random, world: Json) -> None:
    """Say that nothing exists but what is stated, and state more."""
    request = world["request"]
    world["closed"] = True
    for name, values in FACTS.items():
        if random.random() < 0.15:
            request[name] = random.choice(values)
    if request["principal"] in {APP, OPS} and random.random() < 0.5:
        request["session"] = "s1"
    bucket = request["resource"].partition("/")[0]
    if bucket in world["accounts"] and random.random() < 0.3:
        request["resource_account"] = world["accounts"].pop(bucket)


def draw_known(random: Random, request: Json) -> list[str]:
    """Return the identities whose policies are known: nearly always the caller's, and some others."""
    carrier = _carrier(request["principal"])
    found = [arn for arn in IDENTITIES if random.random() < (0.95 if arn == carrier else 0.2)]
    # Without any identity, documents are read as they stand and nobody is asked for anything else.
    return found or [ANA]


def draw_request(random: Random) -> Json:
    """Return a request."""
    target = random.choice(tuple(TARGETS))
    action = random.choice(TARGETS[target])
    caller = random.choice(OUTSIDERS if random.random() < 0.2 else CALLERS)
    if caller in {ROOT, OTHER_ROOT, "anonymous"} and action == "sts:AssumeRole":
        # STS takes no such callers at all: https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html
        caller = ANA
    if caller.startswith("federated:"):
        target, action = DEPLOY, "sts:AssumeRoleWithWebIdentity"
    context: dict[str, Any] = {}
    for key in GIVEN:
        if random.random() < (0.2 if key in RARE and action.startswith("sts:") else 0.5):
            values = VALUES[KEYS[key]]
            many = key == "aws:TagKeys" or random.random() < 0.03
            context[key] = (
                [random.choice(values) for _ in range(random.choice((1, 2)))] if many else random.choice(values)
            )
    return {"principal": caller, "action": action, "resource": target, "context": context}


def _places(random: Random, request: Json, known: list[str]) -> list[Placed]:
    """Return which policies a world has: always those that let something happen, sometimes those that limit."""
    found: list[Placed] = [*_carried(random, request, known), *_on_resources(random, request["resource"])]
    levels = (A, UNIT, TOP, TOP, B, OTHER_UNIT, None)
    found += [("scp", None, level) for level in levels if random.random() < (0.08 if level is not None else 0.04)]
    covered = (A, B, UNIT, TOP, None) if request["resource"] != "*" else (None,)
    found += [("rcp", None, random.choice(covered))] if random.random() < 0.1 else []
    found += [("endpoint", random.choice((ENDPOINT, None)), None)] if random.random() < 0.1 else []
    return found


def _carried(random: Random, request: Json, known: list[str]) -> list[Placed]:
    carrier = _carrier(request["principal"])
    found: list[Placed] = []
    for owner in (*known, GROUP):
        near = owner == carrier or (owner == GROUP and carrier == ANA)
        found += [("identity", owner, None)] * (random.choice((1, 1, 2)) if near or random.random() < 0.1 else 0)
        if owner != GROUP and random.random() < (0.3 if near else 0.05):
            found.append(("boundary", owner, None))
    for owner in (*known, SESSION):
        if ":role/" in owner or owner == SESSION:
            odds = 0.3 if owner in {carrier, request["principal"]} else 0.05
            found += [("session", owner, None)] if random.random() < odds else []
    return found


def _on_resources(random: Random, resource: str) -> list[Placed]:
    found: list[Placed] = []
    for owner in (BUCKET, OTHER_BUCKET, QUEUE, KEY, DEPLOY, APP):
        # Every key has a policy, and so has every role.
        always = owner in {KEY, DEPLOY, APP}
        if (resource.startswith(owner) and (always or random.random() < 0.8)) or random.random() < 0.05:
            found.append(("trust" if ":role/" in owner else "resource", owner, None))
    return found


def _carrier(principal: str) -> str:
    return {
        SESSION: APP,
        OTHER_SESSION: APP,
        OPS_SESSION: OPS,
        LINKED_SESSION: LINKED,
    }.get(principal, principal)


def draw_document(random: Random, layer: str, request: Json) -> Json:
    """Return a policy document of a layer, leaning towards a request."""
    statements = [draw_statement(random, layer, request) for _ in range(random.choice((1, 1, 2, 2, 3)))]
    if layer == "scp" and random.random() < 0.6:
        statements.append({"Effect": "Allow", "Action": "*", "Resource": "*"})
    document: Json = {"Statement": statements if len(statements) > 1 or random.random() < 0.7 else statements[0]}
    version = "2012-10-17" if layer == "rcp" else random.choice(VERSIONS)
    if version is not None:
        document["Version"] = version
    return document


def draw_statement(random: Random, layer: str, request: Json) -> Json:
    """Return a statement."""
    deny = random.random() < (1 if layer == "rcp" else 0.2)
    statement: Json = {"Effect": "Deny" if deny else "Allow"}
    if layer in _WITH_PRINCIPALS:
        if layer == "resource" and random.random() < (0.3 if deny else 0.04):
            statement["NotPrincipal"] = random.choice(SPARED)
        else:
            everyone = layer == "rcp" and random.random() < 0.97
            statement["Principal"] = "*" if everyone else _entry(random, request)
    near: tuple[str, ...] = (request["action"], request["action"].partition(":")[0].upper() + ":*")
    if request["action"].startswith("sts:Assume"):
        near += ("sts:TagSession", "sts:SetSourceIdentity")
    element = "NotAction" if random.random() < 0.12 else "Action"
    statement[element] = _some(random, near * 6 + ACTIONS)
    if layer != "trust":
        element = "NotResource" if random.random() < 0.12 else "Resource"
        statement[element] = _some(random, (request["resource"], "*") * 8 + RESOURCES)
    if random.random() < 0.4:
        statement["Condition"] = draw_condition(random)
    if random.random() < 0.015:
        name, value = random.choice(BROKEN)
        statement[name] = value
    return statement


def _entry(random: Random, request: Json) -> Any:
    principal = request["principal"]
    if random.random() < 0.4 or not principal.startswith("arn:"):
        return random.choice(ENTRIES)
    account = principal.split(":")[4]
    return {"AWS": random.choice((principal, _carrier(principal), account, f"arn:aws:iam::{account}:root"))}


def _some(random: Random, values: tuple[str, ...]) -> str | list[str]:
    if random.random() < 0.6:
        return random.choice(values)
    return [random.choice(values) for _ in range(random.choice((1, 2)))]


def draw_condition(random: Random) -> Json:
    """Return a condition block of one or two tests."""
    block: Json = {}
    for _ in range(random.choice((1, 1, 1, 2))):
        name, key, wanted = draw_test(random)
        block.setdefault(name, {})[random.choice((key, key.lower(), key.upper()))] = wanted
    return block


def draw_test(random: Random) -> tuple[str, str, Any]:
    """Return an operator, a key and values."""
    key = random.choice(tuple(KEYS))
    kind = KEYS[key]
    if random.random() < 0.08:
        return "Null", key, random.choice(("true", "false", "TRUE", True))
    if random.random() < 0.03:
        return "StringMatches", key, random.choice(VALUES[TEXTS])
    name = random.choice(TAKES[kind])
    suffix = "IfExists" if random.random() < 0.25 else ""
    if kind is LISTS or random.random() < 0.08:
        prefix = random.choice(("ForAllValues:", "ForAnyValue:"))
        return f"{prefix}{name}{suffix}", key, _some(random, WANTED[kind])
    return f"{name}{suffix}", key, _some(random, WANTED[kind])
