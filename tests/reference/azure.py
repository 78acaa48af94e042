"""Azure authorization by definition: what the vendor's pages say, in plain code, to be read beside them.

`decide(world)` answers one request. It is slow and repeats itself on purpose, and shares nothing with `idtrans`: the
two can only agree where both read the pages the same way. Truth has three values; `None` is unknown (Kleene).

A world is plain data:

    assignments list of {principal, role, scope, condition, eligible, starts, ends}
    roles       {role: list of permission objects}; a role that is not there has no known definition
    denies      list of {principals, excluded, scope, permissions, children, condition, effect}
    groups      {group: list of members}; `None`: its members are not known
    parents     {management group or subscription: group above}; `/` above the tenant's root group
    accounts    {id of a storage account: {shared: true, false or null, services: {blob: true or false}}}
    keyed       {id of another resource with keys: true, false or null for the property that is about its keys}
    now         time of the request
    request     {principal, action, planes, resource, context: {attribute: list of texts}}; `planes` are those in which
                the operation may stand

`EVERYONE` as a principal is every principal.

Pages, cited by their last part below: https://learn.microsoft.com/azure/role-based-access-control/...
"""

from __future__ import annotations

import operator
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

ALLOW, EXPLICIT_DENY, IMPLICIT_DENY, UNKNOWN = "allow", "explicit-deny", "implicit-deny", "unknown"
EVERYONE = "everyone"
Truth = bool | None
Json = dict[str, Any]

CONTROL, DATA = "control", "data"
LISTS = {CONTROL: ("actions", "notActions"), DATA: ("dataActions", "notDataActions")}
STORAGE = "/providers/microsoft.storage/storageaccounts/"
GROUPS = "/providers/microsoft.management/managementgroups/"
LISTING = ("listkeys", "regeneratekey", "listaccountsas", "listservicesas")


# -- truth ----------------------------------------------------------------------------------------------------------


def all3(values: Iterable[Truth]) -> Truth:
    known = list(values)
    if False in known:
        return False
    return None if None in known else True


def any3(values: Iterable[Truth]) -> Truth:
    known = list(values)
    if True in known:
        return True
    return None if None in known else False


def not3(value: Truth) -> Truth:
    return None if value is None else not value


# -- one request ----------------------------------------------------------------------------------------------------


class Case:
    """One operation asked in one world, and the unknowns that were met."""

    def __init__(self, world: Json, assume: dict[str, bool]) -> None:
        self.world, self.assume = world, assume
        self.unknowns: set[str] = set()
        request = world["request"]
        self.principal, self.action = request["principal"], request["action"].lower()
        self.resource = path_of(request["resource"])
        self.context = {attribute_key(key): values for key, values in request["context"].items()}
        self.context.setdefault("@environment[utcnow]", [world["now"]])
        self.blind = False
        """Whether attributes of the request and the resource are those of another request, and not known."""

    def about(self, action: str, resource: str) -> Case:
        """Return the same for another operation, whose attributes nobody stated."""
        other = Case(self.world, self.assume)
        other.unknowns, other.action, other.resource, other.blind = self.unknowns, action, resource, True
        return other

    def unknown(self, text: str) -> Truth:
        self.unknowns.add(text)
        return self.assume.get(text)


def decide(world: Json) -> str:
    """Return the answer: allow, explicit-deny, implicit-deny or unknown."""
    return answer(world)[0]


def answer(world: Json, assume: dict[str, bool] | None = None) -> tuple[str, set[str]]:
    """Return the answer, and what is not known; `assume` says how it turns out to be.

    Deny assignments are checked before role assignments: overview#how-azure-rbac-determines-if-a-user-has-access.
    """
    case = Case(world, assume or {})
    planes = world["request"]["planes"]
    allowed = any3([all3([is_of(plane, case), allowed_in(plane, case)]) for plane in planes])
    denied = any3([denied_in(plane, case) for plane in planes])
    # What an administrator reads as an explicit deny is one that surely applies where nothing else opens the way.
    if allowed is True:
        return ALLOW, case.unknowns
    if allowed is None:
        return UNKNOWN, case.unknowns
    return (EXPLICIT_DENY if denied is True else IMPLICIT_DENY), case.unknowns


def is_of(plane: str, case: Case) -> Truth:
    """Tell whether the operation is one of a plane: it is in one list of its provider, and which may not be known."""
    if len(case.world["request"]["planes"]) == 1:
        return True
    on_data = case.unknown("the operation is a data action")
    return on_data if plane == DATA else not3(on_data)


def allowed_in(plane: str, case: Case) -> Truth:
    granted = all3([not3(denied_in(plane, case)), granted_in(plane, case)])
    return any3([granted, by_key(case)]) if plane == DATA else granted


def denied_in(plane: str, case: Case) -> Truth:
    return any3([deny_applies(deny, plane, case) for deny in case.world["denies"]])


def deny_applies(deny: Json, plane: str, case: Case) -> Truth:
    """Tell whether a deny assignment blocks: deny-assignments#deny-assignment-properties."""
    if deny["effect"] == "audit":
        return False
    return all3(
        [
            any3(is_principal(name, case) for name in deny["principals"]),
            not3(any3(is_principal(name, case) for name in deny["excluded"])),
            contains(deny["scope"], case) if deny["children"] else path_of(deny["scope"]) == case.resource,
            any3(gives(block, plane, case) for block in deny["permissions"]),
            condition_holds(deny["condition"], case),
        ]
    )


def granted_in(plane: str, case: Case) -> Truth:
    """Tell whether any role assignment gives the operation: they add up, and `notActions` is no deny."""
    return any3([assignment_gives(assignment, plane, case) for assignment in case.world["assignments"]])


def assignment_gives(assignment: Json, plane: str, case: Case) -> Truth:
    blocks = case.world["roles"].get(assignment["role"])
    return all3(
        [
            is_principal(assignment["principal"], case),
            is_in_force(assignment, case),
            contains(assignment["scope"], case),
            case.unknown(f"role {assignment['role']} gives it")
            if blocks is None
            else any3(gives(block, plane, case) for block in blocks),
            condition_holds(assignment["condition"], case),
        ]
    )


def is_in_force(assignment: Json, case: Case) -> Truth:
    """Tell active from eligible: pim-integration. An eligible role gives nothing until it is activated."""
    activated = not assignment["eligible"] or case.context.get("@pim[activated]") == ["true"]
    now = moment(case.world["now"])
    starts, ends = assignment["starts"], assignment["ends"]
    return activated and (starts is None or moment(starts) <= now) and (ends is None or now < moment(ends))


def gives(block: Json, plane: str, case: Case) -> Truth:
    """Tell whether a permission object gives an operation: role-definitions#control-and-data-actions."""
    listed, left_out = LISTS[plane]
    found = matches(block.get(listed, []), case.action) and not matches(block.get(left_out, []), case.action)
    return all3([found, condition_holds(block.get("condition"), case)])


def matches(patterns: list[str], action: str) -> bool:
    """`*` stands for any characters, slashes too; case means nothing: role-definitions#actions."""
    return any(like(pattern.lower(), action, "*") for pattern in patterns)


# -- principals -----------------------------------------------------------------------------------------------------


def is_principal(name: str, case: Case) -> Truth:
    """Tell whether a name is the caller or a group it is in, through other groups too: overview#groups."""
    if name in {EVERYONE, case.principal}:
        return True
    if name not in case.world["groups"]:
        return False
    inside = nested(name, case.world)
    if any(case.principal in (case.world["groups"][group] or []) for group in inside):
        return True
    if any(case.world["groups"][group] is None for group in inside):
        return case.unknown(f"{case.principal} is in {name}")
    return False


def nested(group: str, world: Json) -> set[str]:
    found, waiting = {group}, [group]
    while waiting:
        members = world["groups"][waiting.pop()] or []
        new = [member for member in members if member in world["groups"] and member not in found]
        found.update(new)
        waiting += new
    return found


# -- scopes ---------------------------------------------------------------------------------------------------------


def path_of(text: str) -> str:
    return text.lower().rstrip("/") or "/"


def is_below(path: str, scope: str) -> bool:
    return scope in {"/", path} or path.startswith(f"{scope}/")


def contains(written: str, case: Case) -> Truth:
    """Tell whether a scope contains the resource: scope-overview. Above subscriptions, the hierarchy must tell."""
    scope = path_of(written)
    if is_below(case.resource, scope):
        return True
    if not scope.startswith(GROUPS):
        return False
    container = container_of(case.resource)
    if container is None:
        return False
    above = chain_of(container, case.world)
    if scope in above:
        return True
    return False if above[-1] == "/" else case.unknown(f"the resource is below {scope}")


def container_of(resource: str) -> str | None:
    found = re.match(r"/subscriptions/[^/]+|/providers/microsoft\.management/managementgroups/[^/]+", resource)
    return found.group() if found else None


def chain_of(container: str, world: Json) -> list[str]:
    chain = [container]
    while chain[-1] in world["parents"]:
        chain.append(world["parents"][chain[-1]])
    return chain


# -- account keys -----------------------------------------------------------------------------------------------------


def by_key(case: Case) -> Truth:
    """Tell whether the data is open to who can get a key. Getting the key is authorized by roles, its use is not."""
    return any3([by_account_key(case), *(by_other_key(keys, case) for keys in KEYS)])


class Keys(NamedTuple):
    """Keys of a service that is not storage."""

    kind: str
    """Types of the resource, as they stand in ids, with `/` and a name after each."""
    listings: tuple[str, ...]
    opens: tuple[str, ...]
    refused_by: bool
    """Value of the property of the outermost resource with which keys are refused."""


COSMOS = "microsoft.documentdb/databaseaccounts"
BUS = "microsoft.servicebus/namespaces"
REGISTRY = "microsoft.containerregistry/registries"
KEYS = (
    # cosmos-db/how-to-disable-key-based-authentication: `disableLocalAuth`
    Keys(COSMOS, (f"{COSMOS}/listkeys/action", f"{COSMOS}/regeneratekey/action"), (f"{COSMOS}/*",), refused_by=True),
    Keys(COSMOS, (f"{COSMOS}/listconnectionstrings/action",), (f"{COSMOS}/*",), refused_by=True),
    Keys(
        COSMOS,
        (f"{COSMOS}/readonlykeys/action", f"{COSMOS}/readonlykeys/read"),
        tuple(f"{COSMOS}/{name}" for name in ("*/read", "readmetadata", "*/executequery", "*/readchangefeed")),
        refused_by=True,
    ),
    # service-bus-messaging/disable-local-authentication, and service-bus-sas: rules of a namespace, and of a queue
    Keys(
        BUS,
        (
            f"{BUS}/authorizationrules/listkeys/action",
            f"{BUS}/authorizationrules/regeneratekeys/action",
            f"{BUS}/disasterrecoveryconfigs/authorizationrules/listkeys/action",
        ),
        (f"{BUS}/*",),
        refused_by=True,
    ),
    Keys(
        f"{BUS}/queues",
        tuple(f"{BUS}/queues/authorizationrules/{name}/action" for name in ("listkeys", "regeneratekeys")),
        (f"{BUS}/*",),
        refused_by=True,
    ),
    # container-registry/container-registry-authentication: `adminUserEnabled`
    Keys(
        REGISTRY,
        (f"{REGISTRY}/listcredentials/action", f"{REGISTRY}/regeneratecredential/action"),
        (f"{REGISTRY}/*",),
        refused_by=False,
    ),
)


def by_other_key(keys: Keys, case: Case) -> Truth:
    """Tell whether a key that can be got opens the data, where the resource does not refuse keys."""
    provider, *types = keys.kind.split("/")
    below = "".join(f"/{name}/[^/]+" for name in types)
    held = re.match(rf".*/providers/{re.escape(provider)}{below}(?=/|$)", case.resource)
    if held is None or not matches(list(keys.opens), case.action):
        return False
    root = re.match(rf".*/providers/{re.escape(provider)}/{types[0]}/[^/]+", case.resource)
    assert root is not None
    stated = {path_of(name): value for name, value in case.world.get("keyed", {}).items()}
    if root.group() not in stated:
        accepted = case.unknown(f"{root.group()} accepts keys")
    elif stated[root.group()] is None:
        accepted = keys.refused_by
    else:
        accepted = stated[root.group()] is not keys.refused_by
    asked = [case.about(name, held.group()) for name in keys.listings]
    return all3([accepted, any3(allowed_in(CONTROL, each) for each in asked)])


def by_account_key(case: Case) -> Truth:
    """Tell whether keys of a storage account open the data: storage/common/shared-key-authorization-prevent."""
    service = re.match(r"microsoft\.storage/storageaccounts/(blob|file|queue|table)services/", case.action)
    account = account_of(case.resource)
    if service is None or account is None:
        return False
    listing = [case.about(f"microsoft.storage/storageaccounts/{name}/action", account) for name in LISTING]
    return all3([accepts(account, service.group(1), case), any3(allowed_in(CONTROL, each) for each in listing)])


def account_of(resource: str) -> str | None:
    head, found, tail = resource.partition(STORAGE)
    return f"{head}{found}{tail.split('/')[0]}" if found else None


def accepts(account: str, service: str, case: Case) -> Truth:
    """Tell whether keys are accepted; `null` means that they are."""
    known = {path_of(name): settings for name, settings in case.world["accounts"].items()}.get(account)
    if known is None:
        return case.unknown(f"{account} accepts keys")
    shared = known["shared"] is not False
    own = known["services"].get(service)
    if own is None or own is shared:
        return shared
    return False if own is False else case.unknown(f"{account} accepts keys of {service}")


# -- conditions -----------------------------------------------------------------------------------------------------


WORDS = re.compile(
    r"\s*(?:(?P<text>'(?:[^'\\]|\\.)*')|(?P<attribute>@\w+\[[^\]]*\])|(?P<sign>&&|\|\||[!(){},])"
    r"|(?P<value>-?\d+\b(?!-)|[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|[0-9a-fA-F]{32})|(?P<word>[A-Za-z]+(?::[A-Za-z]+)?))"
)
SAME = {"&&": "and", "||": "or", "!": "not"}
Token = tuple[str, str]


class NotACondition(Exception):  # noqa: N818 - it says what the text is
    """The text cannot be read."""


def condition_holds(text: str | None, case: Case) -> Truth:
    """Tell whether a condition is met: conditions-format. One that cannot be read is unknown as a whole."""
    if text is None:
        return True
    try:
        return Reader(text, case).whole()
    except NotACondition:
        return case.unknown(f"condition {text}")


class Reader:
    """Reads a condition and evaluates it on the way."""

    def __init__(self, text: str, case: Case) -> None:
        self.case, self.tokens = case, words(text)

    def peek(self) -> Token:
        return self.tokens[0] if self.tokens else ("end", "")

    def take(self) -> Token:
        if not self.tokens:
            raise NotACondition
        return self.tokens.pop(0)

    def sign(self, wanted: str) -> None:
        if self.take() != ("sign", wanted):
            raise NotACondition

    def whole(self) -> Truth:
        found = self.joined()
        if self.tokens:
            raise NotACondition
        return found

    def joined(self) -> Truth:
        """AND and OR side by side need parentheses: conditions-format#grouping-and-precedence."""
        parts, joiners = [self.negated()], set()
        while self.peek() in {("sign", "and"), ("sign", "or")}:
            joiners.add(self.take()[1])
            parts.append(self.negated())
        if is_ambiguous(joiners):
            raise NotACondition
        return any3(parts) if "or" in joiners else all3(parts)

    def negated(self) -> Truth:
        if self.peek() == ("sign", "not"):
            self.take()
            return not3(self.negated())
        return self.single()

    def single(self) -> Truth:
        kind, text = self.peek()
        if (kind, text) == ("sign", "("):
            self.take()
            found = self.joined()
            self.sign(")")
            return found
        if kind == "word" and text in FUNCTIONS:
            self.take()
            return FUNCTIONS[text](self)
        left, (kind, name), right = self.side(), self.take(), self.side()
        if kind != "word":
            raise NotACondition
        return compare(left, name, right, self.case)

    def side(self) -> list[Token]:
        if self.peek() != ("sign", "{"):
            return [self.operand()]
        self.take()
        found = [self.operand()]
        while self.peek() == ("sign", ","):
            self.take()
            found.append(self.operand())
        self.sign("}")
        if any(kind == "attribute" for kind, _ in found):
            raise NotACondition
        return found

    def operand(self) -> Token:
        kind, text = self.take()
        if kind == "word" and text in {"true", "false"}:
            return ("value", text)
        if kind not in {"text", "value", "attribute"}:
            raise NotACondition
        return kind, text

    def action_matches(self) -> Truth:
        return matches([text for _, text in self.side()], self.case.action)

    def sub_operation_matches(self) -> Truth:
        patterns = [text.lower() for _, text in self.side()]
        values = attribute(("attribute", "@Request[subOperation]"), self.case)
        if values is None:
            return self.case.unknown(f"sub-operation {patterns}")
        return any(like(pattern, value.lower(), "*?") for pattern in patterns for value in values)

    def exists(self) -> Truth:
        token = self.take()
        if token[0] != "attribute":
            raise NotACondition
        values = attribute(token, self.case)
        return self.case.unknown(token[1]) if values is None else bool(values)


FUNCTIONS: dict[str, Callable[[Reader], Truth]] = {
    "actionmatches": Reader.action_matches,
    "suboperationmatches": Reader.sub_operation_matches,
    "exists": Reader.exists,
}


def is_ambiguous(joiners: set[str]) -> bool:
    return len(joiners) > 1


def words(text: str) -> list[Token]:
    found: list[Token] = []
    place = 0
    while text[place:].strip():
        match = WORDS.match(text, place)
        if match is None:
            raise NotACondition
        kind, raw = str(match.lastgroup), match[str(match.lastgroup)]
        place = match.end()
        if kind == "text":
            raw = raw[1:-1]
        elif kind in {"word", "sign"}:
            raw = SAME.get(raw.lower(), raw.lower())
            kind = "sign" if raw in {"and", "or", "not"} else kind
        found.append((kind, raw))
    return found


def attribute_key(text: str) -> str:
    return text.lower()


def attribute(token: Token, case: Case) -> list[str] | None:
    """Return the values of an attribute, none when it is absent, `None` when they are not known."""
    key = attribute_key(token[1])
    if case.blind and key.startswith(("@request", "@resource")):
        return None
    return list(case.context.get(key, []))


CROSSES: dict[str, tuple[Callable[[Iterable[object]], bool], Callable[[Iterable[object]], bool]]] = {
    "foranyofanyvalues": (any, any),
    "forallofanyvalues": (all, any),
    "foranyofallvalues": (any, all),
    "forallofallvalues": (all, all),
}
NEGATIVE = re.compile(r"(string|guid|bool|numeric|datetime)not(equals|startswith|like)(ignorecase)?")


class Operator(NamedTuple):
    """How two sides are compared: which pairs must pass the test, and whether passing is failing it."""

    test: Callable[[str, str], bool]
    left: Callable[[Iterable[object]], bool] | None
    right: Callable[[Iterable[object]], bool] | None
    negative: bool


def compare(left: list[Token], written: str, right: list[Token], case: Case) -> Truth:
    """Compare two sides: conditions-format#cross-product-comparison-operators."""
    said = f"{left} {written} {right}"
    how = operator_of(written)
    if how is None or (how.left is None and max(len(left), len(right)) > 1):
        return case.unknown(said)
    both = all(side[0][0] == "attribute" for side in (left, right))
    turned = left[0][0] != "attribute" and right[0][0] == "attribute"
    if (both and not for_attributes(written)) or (turned and "like" in written):
        return case.unknown(said)
    plain = left if "like" in written else [*left, *right]
    if any(kind != "attribute" and "\\" in text.replace("\\'", "") for kind, text in plain):
        # Documented as an escape in patterns, which stand at the right of Like operators, and nowhere else.
        return case.unknown(said)
    values = [values_of(side, case) for side in (left, right)]
    if values[0] is None or values[1] is None:
        return case.unknown(said)
    found = compare_values(values[0], how, values[1], one_right=both)
    return case.unknown(said) if found is None else found


def operator_of(written: str) -> Operator | None:
    cross, colon, plain = written.rpartition(":")
    negative = NEGATIVE.fullmatch(plain) is not None
    test = OPERATORS.get(plain.replace("not", "", 1) if negative else plain)
    if test is None or (colon and cross not in CROSSES):
        return None
    left, right = CROSSES[cross] if colon else (None, None)
    return Operator(test, left, right, negative)


def for_attributes(written: str) -> bool:
    """Tell whether an operator takes attributes on both sides, as far as any page shows."""
    return re.fullmatch(r"(.*:)?string(not)?(equals|startswith)(ignorecase)?", written) is not None


def compare_values(left: list[str], how: Operator, right: list[str], *, one_right: bool) -> Truth:
    """Compare values. Several where one is asked for, or at the right of two attributes, are in no page: unknown."""
    if not left:
        return when_absent(left, how, right)
    if (how.left is None and max(len(left), len(right)) > 1) or (one_right and len(right) > 1):
        return None
    if not right:
        return when_absent(left, how, right)
    over_left, over_right = how.left or all, how.right or all
    return over_left([over_right([how.test(one, two) is not how.negative for two in right]) for one in left])


def when_absent(left: list[str], how: Operator, right: list[str]) -> Truth:
    """What a negative operator, or one over all of no values, says is not documented. All others fail."""
    every = (not left and how.left is all) or (not right and how.right is all)
    return None if how.negative or every else False


def values_of(side: list[Token], case: Case) -> list[str] | None:
    return attribute(side[0], case) if side[0][0] == "attribute" else [text for _, text in side]


# -- operators ------------------------------------------------------------------------------------------------------


def like(pattern: str, text: str, wildcards: str) -> bool:
    r"""`*` is any characters and `?` is one, `\` makes the next one plain: conditions-format#stringlike."""
    if not pattern:
        return not text
    first, rest = pattern[0], pattern[1:]
    if first == "*" and first in wildcards:
        return any(like(rest, text[place:], wildcards) for place in range(len(text) + 1))
    if first == "?" and first in wildcards:
        return bool(text) and like(rest, text[1:], wildcards)
    if first == "\\" and rest and "?" in wildcards:
        first, rest = rest[0], rest[1:]
    return text.startswith(first) and like(rest, text[1:], wildcards)


def folded(test: Callable[[str, str], bool]) -> Callable[[str, str], bool]:
    return lambda left, right: test(left.lower(), right.lower())


def moment(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def ordered(read: Callable[[str], Any], test: Callable[[Any, Any], bool]) -> Callable[[str, str], bool]:
    return lambda left, right: test(read(left), read(right))


def same_guid(left: str, right: str) -> bool:
    return left.replace("-", "").lower() == right.replace("-", "").lower()


ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "equals": operator.eq,
    "lessthan": operator.lt,
    "lessthanequals": operator.le,
    "greaterthan": operator.gt,
    "greaterthanequals": operator.ge,
}
OPERATORS: dict[str, Callable[[str, str], bool]] = {
    "stringequals": operator.eq,
    "stringequalsignorecase": folded(operator.eq),
    "stringstartswith": str.startswith,
    "stringstartswithignorecase": folded(str.startswith),
    "stringlike": lambda left, right: like(right, left, "*?"),
    "stringlikeignorecase": folded(lambda left, right: like(right, left, "*?")),
    "guidequals": same_guid,
    "boolequals": folded(operator.eq),
    **{f"numeric{name}": ordered(int, test) for name, test in ORDERS.items()},
    **{f"datetime{name}": ordered(moment, test) for name, test in ORDERS.items()},
}
