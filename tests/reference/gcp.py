"""Google Cloud authorization by definition: what the vendor's pages say, in plain code, to be read beside them.

`decide(world)` answers one request. It is slow and repeats itself on purpose, and shares nothing with `idtrans`: they
can only agree where both read the pages the same way. Truth has three values; `None` is unknown (Kleene).

A world is plain data:

    parents     {project, folder: folder or organization above}; what is missing is not known
    aliases     {project id: project number}, both as `projects/x`
    homes       {resource: project} for resources that are not projects
    roles       {role: [permission]}; a role that is missing is not known
    groups      {group: [member]}; a group that is missing was not supplied
    allow       list of {scope, role, members, condition}
    deny        list of {point, principals, exceptions, permissions, spared, condition}
    boundaries  {name: {resources, version}}; a boundary that is missing was not supplied
    bound       list of {set, boundary, condition}
    blocked     {version: [permission]} that boundaries of a version surely block
    spared      [permission] that no boundary blocks
    request     {principal, permission, resource, time, tags: {key: value}, and perhaps granted: [role]}

Pages, cited by their last part below: https://cloud.google.com/iam/docs/...
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from collections.abc import Iterable

ALLOW, EXPLICIT_DENY, IMPLICIT_DENY, UNKNOWN = "allow", "explicit-deny", "implicit-deny", "unknown"
ERROR = "error"
"""The third outcome of a condition: it cannot be evaluated."""
Truth = bool | None
Json = dict[str, Any]


# -- truth ------------------------------------------------------------------------------------------------------------


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


# -- one request ------------------------------------------------------------------------------------------------------


class Case:
    """One world, and the unknowns that were met."""

    def __init__(self, world: Json, assume: Json) -> None:
        self.world, self.request, self.assume = world, world["request"], assume
        self.me = self.request["principal"]
        self.unknowns: set[str] = set()

    def unknown(self, text: str) -> Any:
        self.unknowns.add(text)
        return self.assume.get(text)


def decide(world: Json) -> str:
    """Return the answer: allow, explicit-deny, implicit-deny or unknown."""
    return answer(world)[0]


def answer(world: Json, assume: Json | None = None) -> tuple[str, set[str]]:
    """Return the answer, and what is not known; `assume` says how it turns out to be.

    Boundaries, then deny policies, then allow policies: policy-types#evaluation.
    """
    case = Case(world, assume or {})
    denied = any3([rule_denies(rule, case) for rule in world["deny"]])
    passed = boundary_passes(case)
    allowed = any3([binding_grants(binding, case) for binding in world["allow"]])
    if denied is True:
        return EXPLICIT_DENY, case.unknowns
    if False in (passed, allowed):
        return IMPLICIT_DENY, case.unknowns
    return (ALLOW if passed and allowed and denied is False else UNKNOWN), case.unknowns


# -- allow policies ---------------------------------------------------------------------------------------------------


def binding_grants(binding: Json, case: Case) -> Truth:
    """Return whether a binding grants the request: allow-policies."""
    return all3(
        [
            lies_in(case.request["resource"], binding["scope"], case),
            role_holds(binding["role"], case.request["permission"], case),
            any3([is_member(case.me, text, case) for text in binding["members"]]),
            met(binding.get("condition"), case, failing=False),
        ]
    )


def role_holds(role: str, permission: str, case: Case) -> Truth:
    held = case.world["roles"].get(role)
    return case.unknown(f"?{role}") if held is None else permission in held


# -- deny policies ----------------------------------------------------------------------------------------------------


def rule_denies(rule: Json, case: Case) -> Truth:
    """Return whether a deny rule applies: deny-overview. "If the condition cannot be evaluated, the rule applies"."""
    permission = case.request["permission"]
    return all3(
        [
            lies_in(case.request["resource"], rule["point"], case),
            any3([is_named(permission, text, case) for text in rule["permissions"]]),
            not3(any3([is_named(permission, text, case) for text in rule["spared"]])),
            any3([is_member(case.me, text, case) for text in rule["principals"]]),
            not3(any3([is_member(case.me, text, case) for text in rule["exceptions"]])),
            met(rule.get("condition"), case, failing=True),
        ]
    )


SERVICES = {"resourcemanager": "cloudresourcemanager.googleapis.com"}


def is_named(permission: str, text: str, case: Case) -> Truth:
    """Return whether a text of a deny policy names a permission: deny-permissions-support#permission-groups.

    Of `SERVICE/RESOURCE.VERB` the resource, the verb or both may be a star. What has another form is unreadable, and so
    is what it denies, at least within the service.
    """
    service, _, rest = permission.partition(".")
    host, slash, wanted = text.partition("/")
    if slash and host != SERVICES.get(service, f"{service}.googleapis.com"):
        return False
    if not slash or not re.fullmatch(r"(\*|\w+)\.(\*|\w+)", wanted):
        meant: Truth = case.unknown(f"{text} names {permission}")
        return meant
    if wanted in ("*.*", "*"):
        return True
    if wanted.startswith("*."):
        return rest.rpartition(".")[2] == wanted.removeprefix("*.")
    return rest.startswith(wanted.removesuffix("*")) if wanted.endswith(".*") else rest == wanted


# -- principal access boundaries --------------------------------------------------------------------------------------


def boundary_passes(case: Case) -> Truth:
    """Return whether the boundaries let the request pass: principal-access-boundary-policies#evaluation.

    Blocked when some boundary that the principal is subject to can block the permission and none that it is subject to
    makes the resource eligible. What several versions do together is not known.
    """
    subject: dict[str, Truth] = {}
    for binding in case.world["bound"]:
        applies = all3([is_member(case.me, binding["set"], case), met(binding.get("condition"), case, failing=True)])
        subject[binding["boundary"]] = any3([subject.get(binding["boundary"], False), applies])
    subject = {name: how for name, how in subject.items() if how is not False}
    known = {name: case.world["boundaries"].get(name) for name in subject}
    eligible = any3([all3([how, is_eligible(name, known[name], case)]) for name, how in subject.items()])
    blocking = all3(
        [any3(subject.values()), can_block({each["version"] if each else "" for each in known.values()}, case)]
    )
    return any3([eligible, not3(blocking)])


def is_eligible(name: str, boundary: Json | None, case: Case) -> Truth:
    if boundary is None:
        unlisted: Truth = case.unknown(f"?{name}")
        return unlisted
    return any3([lies_in(case.request["resource"], each, case) for each in boundary["resources"]])


def can_block(versions: set[str], case: Case) -> Truth:
    permission = case.request["permission"]
    if not versions:
        return False
    known = [version for version in versions if version in case.world["blocked"]]
    if len(known) == len(versions):
        if permission in case.world["spared"].get(min(known), []) and len(versions) == 1:
            return False
        if all(permission in case.world["blocked"][version] for version in known):
            return True
    undecided: Truth = case.unknown(f"?versions {sorted(versions)}")
    return undecided


# -- the hierarchy ----------------------------------------------------------------------------------------------------


def chain(resource: str, case: Case) -> list[str]:
    """Return a resource and all that is known to hold it."""
    found: list[str] = []
    at: str | None = number(resource, case)
    while at is not None and at not in found:
        found.append(at)
        above: str | None = case.world["homes"].get(at) or case.world["parents"].get(at)
        at = number(above, case) if above is not None else None
    return found


def number(name: str, case: Case) -> str:
    known: str = case.world["aliases"].get(name, name)
    return known


def lies_in(resource: str, scope: str, case: Case) -> Truth:
    """Return whether a scope holds a resource: resource-hierarchy-access-control."""
    held_by = chain(resource, case)
    scope = number(scope, case)
    if scope in held_by:
        return True
    top = held_by[-1]
    whole = top.startswith("organizations/")
    higher = scope.startswith(("folders/", "organizations/")) or (
        scope.startswith("projects/") and not is_container(top)
    )
    return False if whole or not higher else case.unknown(f"?{resource} in {scope}")


def is_container(name: str) -> bool:
    return name.startswith(("projects/", "folders/", "organizations/"))


# -- principals -------------------------------------------------------------------------------------------------------


def is_member(me: str, text: str, case: Case) -> Truth:  # noqa: PLR0911 - one case after the other, as the page has them
    """Return whether a principal is one that a text of any policy names: principal-identifiers."""
    text = spelled(text)
    if me.startswith("deleted:") or text.startswith("deleted:"):
        return False
    if text in (me, "allUsers"):
        return True
    if text == "allAuthenticatedUsers":
        return me.startswith(("user:", "serviceAccount:", "group:"))
    if text.startswith("group:"):
        return in_group(me, text, case)
    if text.startswith("domain:"):
        return me.startswith(("user:", "group:")) and me.endswith("@" + text.removeprefix("domain:"))
    if text.startswith("principalSet://goog/cloudIdentityCustomerId/"):
        return case.unknown(f"?{me} in {text}") if me.startswith(("user:", "group:")) else False
    if text.startswith("principalSet://cloudresourcemanager.googleapis.com/"):
        return in_container(me, text.removeprefix("principalSet://cloudresourcemanager.googleapis.com/"), case)
    return in_pool(me, text, case)


V2 = {
    "principal://goog/subject/": "user:",
    "principalSet://goog/group/": "group:",
    "principal://iam.googleapis.com/projects/-/serviceAccounts/": "serviceAccount:",
    "//cloudresourcemanager.googleapis.com/": "principalSet://cloudresourcemanager.googleapis.com/",
    "//iam.googleapis.com/locations/global/workspace/": "principalSet://goog/cloudIdentityCustomerId/",
}


def spelled(text: str) -> str:
    """Return a principal as allow policies spell it."""
    if text == "principalSet://goog/public:all":
        return "allUsers"
    for start, other in V2.items():
        if text.startswith(start):
            return other + text.removeprefix(start)
    return f"principalSet:{text}/*" if text.startswith("//iam.googleapis.com/") else text


def in_group(me: str, group: str, case: Case) -> Truth:
    """Return whether a principal is in a group, directly or through groups. Pool identities are in none here."""
    if not me.startswith(("user:", "serviceAccount:", "group:")):
        return False
    seen, queue, doubts = {group}, [group], []
    while queue:
        at = queue.pop()
        members = case.world["groups"].get(at)
        if members is None:
            doubts.append(at)
            continue
        for each in members:
            if each == me:
                return True
            if each.startswith("group:") and each not in seen:
                seen.add(each)
                queue.append(each)
    return any3([case.unknown(f"?{me} in {each}") for each in doubts if each != me])


def in_container(me: str, text: str, case: Case) -> Truth:
    """Return whether a principal belongs to a project, folder or organization.

    `.../type/ServiceAccount` and `.../type/ServiceAgent` name these alone; the sets of boundaries hold both, and pools:
    principal-access-boundary-policies#principal-sets.
    """
    container, _, only = text.partition("/type/")
    if me.startswith("serviceAccount:"):
        agent = re.match(r"serviceAccount:service-([0-9]+)@gcp-sa-", me)
        if only and (only == "ServiceAgent") is not (agent is not None):
            return False
        host = me.rpartition("@")[2].split(".")[0]
        return lies_in(f"projects/{agent[1] if agent else host}", container, case)
    if only:
        return False
    workload = re.match(r"principal://iam\.googleapis\.com/(projects/[^/]+)/", me)
    if workload is not None:
        return lies_in(workload[1], container, case)
    return case.unknown(f"?{me} in {container}") if container.startswith("organizations/") else False


def in_pool(me: str, text: str, case: Case) -> Truth:
    """Return whether an identity of a pool is in a set of that pool."""
    if not text.startswith(("user:", "serviceAccount:", "principal:", "principalSet:")):
        # Nobody knows whom a text means that is no principal.
        meant: Truth = case.unknown(f"{me} is meant by {text}")
        return meant
    found = re.fullmatch(r"principalSet:(//iam\.googleapis\.com/.*Pools/[^/]+)/(.*)", text)
    if found is None or not me.startswith(f"principal:{found[1]}/subject/"):
        return False
    return True if found[2] == "*" else case.unknown(f"?{me} in {text}")


# -- conditions -------------------------------------------------------------------------------------------------------

TOKEN = re.compile(r"""\s*("[^"]*"|'[^']*'|[0-9]+|[A-Za-z_]\w*|&&|\|\||[=!<>]=|[-+!<>?:().,\[\]])""")


def met(text: str | None, case: Case, *, failing: bool) -> Truth:
    """Return whether a condition is met; `failing` is what counts when it cannot be evaluated."""
    if text is None:
        return True
    value = Reader(TOKEN.findall(text)).expression()
    found = evaluate(value, case)
    return failing if found == ERROR else found


class Reader:
    """Recursive descent over the expression language: conditions-overview#cel."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = [*tokens, ""]

    def take(self, *wanted: str) -> str:
        return self.tokens.pop(0) if self.tokens[0] in wanted else ""

    def expression(self) -> Any:
        test = self.chain("||", lambda: self.chain("&&", self.relation))
        if not self.take("?"):
            return test
        yes = self.expression()
        self.take(":")
        return ("?", test, yes, self.expression())

    def chain(self, operator: str, part: Any) -> Any:
        found = [part()]
        while self.take(operator):
            found.append(part())
        return (operator, *found) if len(found) > 1 else found[0]

    def relation(self) -> Any:
        left = self.sum()
        operator = self.take("==", "!=", "<=", ">=", "<", ">", "in")
        return (operator, left, self.sum()) if operator else left

    def sum(self) -> Any:
        found = self.unary()
        while operator := self.take("+", "-"):
            found = (operator, found, self.unary())
        return found

    def unary(self) -> Any:
        return ("!", self.unary()) if self.take("!") else self.member()

    def member(self) -> Any:
        found = self.primary()
        while self.take("."):
            name = self.tokens.pop(0)
            found = ("call", name, found, *self.listed(")")) if self.take("(") else ("get", found, name)
        return found

    def primary(self) -> Any:
        token = self.tokens.pop(0)
        if token == "(":
            found = self.expression()
            self.take(")")
            return found
        if token == "[":
            return ("list", *self.listed("]"))
        if token[0] in "'\"":
            return ("value", token[1:-1])
        if token.isdigit():
            return ("value", int(token))
        if token in ("true", "false"):
            return ("value", token == "true")
        return ("call", token, None, *self.listed(")")) if self.take("(") else ("get", None, token)

    def listed(self, end: str) -> list[Any]:
        found = []
        while not self.take(end):
            found.append(self.expression())
            self.take(",")
        return found


def evaluate(node: Any, case: Case) -> Any:  # noqa: PLR0911 - one case after the other, as the page has them
    """Return the value of an expression: a value, ERROR, or `None` for unknown."""
    kind = node[0]
    if kind == "value":
        return node[1]
    if kind == "list":
        return [evaluate(each, case) for each in node[1:]]
    if kind in ("&&", "||"):
        return connected(kind, [evaluate(each, case) for each in node[1:]])
    if kind == "!":
        found = evaluate(node[1], case)
        return found if found in (None, ERROR) else not found
    if kind == "?":
        test = evaluate(node[1], case)
        return test if test in (None, ERROR) else evaluate(node[2 if test else 3], case)
    if kind == "get":
        return attribute(path(node), case)
    if kind == "call":
        return called(node, case)
    return compared(kind, evaluate(node[1], case), evaluate(node[2], case))


def connected(kind: str, values: list[Any]) -> Any:
    """An error does not matter where another part decides: it is absorbed by false in `&&` and by true in `||`."""
    decisive = kind == "||"
    if any(value is decisive for value in values):
        return decisive
    if None in values:
        return None
    return ERROR if ERROR in values else not decisive


def compared(operator: str, left: Any, right: Any) -> Any:  # noqa: PLR0911 - one case after the other
    if left is None or right is None:
        return None
    if isinstance(left, bool) and not isinstance(right, bool):
        return left  # something unknown, of which it is assumed how the comparison turns out
    if ERROR in (left, right):
        return ERROR
    if operator == "in":
        return left in right
    if operator in ("+", "-"):
        return left + right if operator == "+" else left - right
    answers = {"==": left == right, "!=": left != right}
    if operator in answers:
        return answers[operator]
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[operator]


def path(node: Any) -> str:
    return f"{path(node[1])}.{node[2]}" if node[1] is not None else node[2]


HAVE_NAMES = ("storage.googleapis.com", "secretmanager.googleapis.com")
HAVE_NO_NAMES = ("cloudresourcemanager.googleapis.com", "iam.googleapis.com")


def full_name(case: Case) -> str:
    resource = number(case.request["resource"], case)
    return f"//cloudresourcemanager.googleapis.com/{resource}" if is_container(resource) else resource


def attribute(name: str, case: Case) -> Any:  # noqa: PLR0911 - one case after the other, as the page has them
    """Return an attribute: conditions-attribute-reference."""
    host, _, rest = full_name(case).removeprefix("//").partition("/")
    if name == "resource.service":
        return host
    if name == "resource.name":
        return rest if host in HAVE_NAMES else ERROR
    if name == "resource.type":
        kinds = {"projects": "Project", "folders": "Folder", "organizations": "Organization"}
        if host == "storage.googleapis.com":
            return f"{host}/{'Object' if '/objects/' in rest else 'Bucket'}"
        return f"{host}/{kinds.get(rest.partition('/')[0], 'Other')}"
    if name == "request.time":
        return datetime.fromisoformat(case.request["time"])
    if name in ("principal.type", "principal.subject"):
        return principal_attribute(name, case)
    return case.unknown(f"cel:{name}")


def principal_attribute(name: str, case: Case) -> Any:
    """Return an attribute of the conditions of boundaries: principal-access-boundary-policies#conditions."""
    kinds = {"user": "WorkspaceIdentity", "serviceAccount": "ServiceAccount", "principal": "WorkloadPoolIdentity"}
    kind, _, rest = case.me.partition(":")
    if kind not in kinds:
        return case.unknown(f"cel:{name}")
    return f"iam.googleapis.com/{kinds[kind]}" if name == "principal.type" else rest.rpartition("/subject/")[2]


def called(node: Any, case: Case) -> Any:  # noqa: PLR0911 - one case after the other, as the page has them
    _, name, target, *arguments = node
    values = [evaluate(each, case) for each in arguments]
    if target is None and name in ("timestamp", "date", "duration"):
        return instant(name, values[0])
    if target is None or (target[0] == "get" and path(target) in ("resource", "api")):
        return resource_function(name, values, case)
    found = evaluate(target, case)
    if found is None or found == ERROR or isinstance(found, bool):
        return found
    if name in ("startsWith", "endsWith"):
        return found.startswith(values[0]) if name == "startsWith" else found.endswith(values[0])
    if name == "extract":
        return extracted(found, values[0])
    if name == "hasOnly":
        return set(found) <= set(values[0])
    return part_of_time(found, name, *values)


def instant(name: str, text: str) -> Any:
    if name == "duration":
        return timedelta(seconds=int(text.removesuffix("s")))
    pattern = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ" if name == "timestamp" else r"\d{4}-\d\d-\d\d"
    if not re.fullmatch(pattern, text):
        return ERROR
    return datetime.fromisoformat(text if name == "timestamp" else f"{text}T00:00:00Z")


def resource_function(name: str, values: list[Any], case: Case) -> Any:
    tags = case.request["tags"]
    if name in ("matchTag", "matchTagId"):
        return tags.get(values[0]) == values[1]
    if name in ("hasTagKey", "hasTagKeyId"):
        return values[0] in tags
    if name == "getAttribute":
        return case.request.get("granted", values[1])
    return case.unknown(f"cel:{name}{values}")


def extracted(text: str, template: str) -> str:
    """The text between the first BEFORE and the first AFTER behind it, or nothing: conditions-overview#extract."""
    before, after = re.split(r"\{\w+\}", template)
    _, found, rest = text.partition(before) if before else ("", "start", text)
    if not found:
        return ""
    value, end, _ = rest.partition(after) if after else (rest, "end", "")
    return value if end else ""


def part_of_time(moment: datetime, name: str, zone: str = "UTC") -> Any:
    offset = re.fullmatch(r"([+-])(\d\d):(\d\d)", zone)
    try:
        sign = 1 if offset and offset[1] == "+" else -1
        shift = timedelta(hours=int(offset[2]), minutes=int(offset[3])) if offset else None
        local = moment.astimezone(timezone(sign * shift) if shift is not None else ZoneInfo(zone))
    except (KeyError, ValueError):
        return ERROR
    first = datetime(local.year, 1, 1, tzinfo=UTC)
    return {
        "getFullYear": local.year,
        "getMonth": local.month - 1,
        "getDate": local.day,
        "getDayOfMonth": local.day - 1,
        "getDayOfWeek": local.isoweekday() % 7,
        "getDayOfYear": (local.replace(tzinfo=UTC) - first).days,
        "getHours": local.hour,
        "getMinutes": local.minute,
        "getSeconds": local.second,
    }[name]
