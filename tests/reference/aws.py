"""AWS authorization by definition: what the vendor's pages say, in plain code, to be read beside them.

`decide(world)` answers one request. It is slow and repeats itself on purpose, and shares nothing with `idtrans`: the
two can only agree where both read the pages the same way. Truth has three values; `None` is unknown (Kleene).

A world is plain data:

    policies    list of {layer, document, owner, level}. `layer`: identity, boundary, session, resource, trust, scp, rcp
                or endpoint. `owner`: ARN of the user, group, role, session, resource or endpoint. `level`: the account,
                unit or root that an scp or rcp is attached to. An scp or rcp without level, or an endpoint policy
                without owner, may apply or not. A `document` of `None` exists and was not read.
    principals  {ARN: {groups: [ARN], tags: {key: value}}} of the identities whose policies are known
    parents     {account or unit: unit or root above}
    accounts    {bucket ARN: account} for resources whose ARN does not tell
    now         time of the request
    closed      whether nothing exists that is not stated: identities without policies hold nothing, resources without
                policies let nobody in, organisation and endpoint policies apply (all scps without level as one level)
    request     {principal, action, resource, context: {key: text or list of texts}}, and where they matter
                session (a name, with the ARN of a role), resource_account, management_account (its id), organization
                (of the caller; `False`: none), service_linked_role, aws_managed_key
    rcp_services
                services that honour rcps, where that is known; else all may

A request principal is an ARN (that of a role stands for a session of it with a name that no policy mentions),
`service:NAME`, `federated:PROVIDER` or `anonymous`.

Pages, cited by their last part below: https://docs.aws.amazon.com/IAM/latest/UserGuide/...
"""

from __future__ import annotations

import base64
import binascii
import ipaddress
import operator
import re
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

ALLOW, EXPLICIT_DENY, IMPLICIT_DENY, UNKNOWN = "allow", "explicit-deny", "implicit-deny", "unknown"
Truth = bool | None
Json = dict[str, Any]

MANY, ONE = "many", "one"
"""Wildcards in a pattern, which is a list; every other item is one character."""
ARN_FIELDS = 6


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


class Who(NamedTuple):
    """The caller: what it is, and of which account."""

    id: str
    kind: str
    """user, role, session, root, federated-user, service, federated or anonymous."""
    account: str | None
    role: str
    """Name of the role, without its path."""


class Case:
    """One world, its caller and its context, and the unknowns that were met."""

    def __init__(self, world: Json, assume: dict[str, bool]) -> None:
        self.world, self.request, self.assume = world, world["request"], assume
        self.unknowns: set[str] = set()
        self.closed = bool(world.get("closed"))
        self.who = caller_of(self.request)
        self.carrier = carrier_of(self.who, world)
        self.resource_account = resource_account(self.request, self.who, world)
        self.context = context_of(self)

    def unknown(self, text: str) -> Truth:
        self.unknowns.add(text)
        return self.assume.get(text)


def decide(world: Json) -> str:
    """Return the answer: allow, explicit-deny, implicit-deny or unknown."""
    return answer(world)[0]


def answer(world: Json, assume: dict[str, bool] | None = None) -> tuple[str, set[str]]:
    """Return the answer, and what is not known; `assume` says how it turns out to be.

    "An explicit deny in any policy overrides any allow": reference_policies_evaluation-logic.html.
    """
    case = Case(world, assume or {})
    if case.who.account is not None and case.request["action"].lower() == "sts:getcalleridentity":
        # Needs no permission, and is possible under an explicit deny:
        # https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html
        return ALLOW, set()
    cases = [case, *(as_asked(case, action) for action in also_needed(case))]
    denied = any3([explicitly_denied(policy, each) for each in cases for policy in world["policies"]])
    allowed = all3([holds(each) for each in cases for holds in (granted, service_control_allows, endpoint_allows)])
    if denied is True:
        return EXPLICIT_DENY, case.unknowns
    if allowed is False:
        return IMPLICIT_DENY, case.unknowns
    return (ALLOW if allowed and denied is False else UNKNOWN), case.unknowns


def also_needed(case: Case) -> list[str]:
    """Tags and a source identity of a session are permissions of their own.

    id_session-tags.html, id_credentials_temp_control-access_monitor.html: they must stand in the trust policy of the
    role, too, and a source identity that the caller has already goes with it into the next role.
    """
    action = case.request["action"].lower()
    given = [key for key, values in case.context.items() if values]
    assumes = action in {"sts:assumerole", "sts:assumerolewithsaml", "sts:assumerolewithwebidentity"}
    tags = [key for key in given if key.startswith(("aws:requesttag/", "aws:tagkeys", "sts:transitivetagkeys"))]
    names = {"sts:sourceidentity", "aws:sourceidentity"}.intersection(given)
    found = ["sts:TagSession"] if tags and (assumes or action == "sts:getfederationtoken") else []
    return found + (["sts:SetSourceIdentity"] if names and assumes else [])


def as_asked(case: Case, action: str) -> Case:
    """Return the same request for another action; what is not known is not known of both."""
    other = Case(case.world | {"request": case.request | {"action": action}}, case.assume)
    other.unknowns = case.unknowns
    return other


def caller_of(request: Json) -> Who:
    who = read_principal(request["principal"])
    if "session" not in request:
        return who
    return read_principal(f"arn:aws:sts::{who.account}:assumed-role/{who.role}/{request['session']}")


def read_principal(text: str) -> Who:
    """Take a principal apart: reference_identifiers.html."""
    prefix, _, name = text.partition(":")
    if not text.startswith("arn:"):
        return Who(text, prefix, None, "")
    fields = text.split(":", ARN_FIELDS - 1)
    kind, _, name = fields[5].partition("/")
    if kind == "assumed-role":
        return Who(text, "session", fields[4], name.partition("/")[0])
    return Who(text, kind, fields[4], name.rpartition("/")[2] if kind == "role" else "")


def carrier_of(who: Who, world: Json) -> str:
    """Return the identity whose policies a caller has: a session has those of its role, whose path its ARN lacks."""
    if who.kind != "session":
        return who.id
    for arn in world["principals"]:
        known = read_principal(arn)
        if (known.kind, known.account, known.role) == ("role", who.account, who.role):
            return str(arn)
    return f"arn:aws:iam::{who.account}:role/{who.role}"


def resource_account(request: Json, who: Who, world: Json) -> str | None:
    """Return the owner of a resource: stated, in its ARN, or the caller's own account."""
    fields = request["resource"].split(":", ARN_FIELDS - 1)
    stated = fields[4] if len(fields) == ARN_FIELDS else ""
    bucket = request["resource"].partition("/")[0]
    return request.get("resource_account") or stated or world["accounts"].get(bucket) or who.account


def context_of(case: Case) -> dict[str, list[str]]:
    """Return the keys of a request, in lower case, with those that follow from the caller.

    reference_policies_condition-keys.html: a session has the ARN of its role as aws:PrincipalArn; anonymous requests
    have none of these keys; aws:username is there for users only; key names ignore case.
    """
    who, found = case.who, dict[str, Any]()
    if who.account is not None:
        found["aws:principalarn"] = case.carrier
        found["aws:principalaccount"] = who.account
        found["aws:principalisawsservice"] = "false"
    if who.kind in PRINCIPAL_TYPES:
        found["aws:principaltype"] = PRINCIPAL_TYPES[who.kind]
    if who.kind == "user":
        found["aws:username"] = who.id.rpartition("/")[2]
    if who.kind == "service":
        found["aws:principalisawsservice"] = "true"
        found["aws:principalservicename"] = who.id.partition(":")[2]
    for tag, value in case.world["principals"].get(case.carrier, {}).get("tags", {}).items():
        found[f"aws:principaltag/{tag.lower()}"] = value
    if case.request["resource"] != "*" and case.resource_account is not None:
        found["aws:resourceaccount"] = case.resource_account
    if case.request.get("organization"):
        found["aws:principalorgid"] = case.request["organization"]
    found |= service_keys(case.request["action"], who, found)
    found["aws:currenttime"] = case.world["now"]
    found |= {key.lower(): values for key, values in case.request["context"].items()}
    return {key: [values] if isinstance(values, str) else values for key, values in found.items()}


PRINCIPAL_TYPES = {
    "root": "Account",
    "user": "User",
    "federated-user": "FederatedUser",
    "role": "AssumedRole",
    "session": "AssumedRole",
    "service": "Service",
    "anonymous": "Anonymous",
}
"""reference_policies_variables.html#principaltable: what `aws:PrincipalType` is for whom."""


def service_keys(action: str, who: Who, known: dict[str, Any]) -> dict[str, Any]:
    """Two services have their own names for the account of the caller, and that of the resource.

    https://docs.aws.amazon.com/kms/latest/developerguide/conditions-kms.html#conditions-kms-caller-account
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/amazon-s3-policy-keys.html
    """
    service = action.lower().partition(":")[0]
    if service == "kms" and who.account is not None:
        return {"kms:calleraccount": who.account}
    return (
        {"s3:resourceaccount": known["aws:resourceaccount"]}
        if service == "s3" and "aws:resourceaccount" in known
        else {}
    )


# -- layers ---------------------------------------------------------------------------------------------------------


def granted(case: Case) -> Truth:
    """Return whether identity and resource policies grant the request, service control policies aside."""
    if case.who.account is None:
        return any3([names_and_allows(policy, case, "anyone") for policy in resource_policies(case)])
    if case.who.account == case.resource_account:
        return granted_within_account(case)
    return granted_across_accounts(case)


def granted_within_account(case: Case) -> Truth:
    """In one account an identity policy or a resource policy is enough: reference_policies_evaluation-logic.html.

    A grant to a role is limited by its boundary and session policy; one to a session, a user, a federated user or `*`
    is not (reference_policies_elements_principal.html, access_policies_boundaries.html). A key policy
    (https://docs.aws.amazon.com/kms/latest/developerguide/key-policies.html) and a role trust policy must themselves
    allow: by naming the caller, or the account, which then leaves it to identity policies.
    """
    policies = resource_policies(case)
    by_identity = all3([identity_allows(case), *limits(case)])
    if policies and needs_own_policy(case):
        by_identity = all3([by_identity, any3([names_and_allows(policy, case, "account") for policy in policies])])
    to_role = any3([names_and_allows(policy, case, "role") for policy in policies])
    to_caller = any3([names_and_allows(policy, case, "caller") for policy in policies])
    return any3([by_identity, all3([to_role, *limits(case)]), to_caller])


def granted_across_accounts(case: Case) -> Truth:
    """Both accounts must allow: reference_policies_evaluation-logic-cross-account.html."""
    policies = resource_policies(case)
    other_side = any3([names_and_allows(policy, case, "anyone") for policy in policies])
    if not policies_of_resource(case):
        other_side = False if case.closed else case.unknown("policy of the resource in the other account")
    return all3([identity_allows(case), other_side, *limits(case)])


def needs_own_policy(case: Case) -> bool:
    service, _, name = case.request["action"].lower().partition(":")
    arn = case.request["resource"].split(":", ARN_FIELDS - 1)
    is_key = len(arn) == ARN_FIELDS and arn[2] == "kms" and service == "kms"
    is_role = len(arn) == ARN_FIELDS and arn[2] == "iam" and arn[5].startswith("role/")
    by_trust = name.startswith("assumerole") or name in {"tagsession", "setsourceidentity"}
    return is_key or (is_role and service == "sts" and by_trust)


def identity_allows(case: Case) -> Truth:
    """The root user may do everything (id_root-user.html); others what their and their groups' policies allow."""
    if case.who.kind == "root":
        return True
    if case.carrier not in case.world["principals"]:
        return False if case.closed or is_missing(case) else case.unknown(f"identity policies of {case.carrier}")
    return any3([allows(policy, case) for policy in case.world["policies"] if carries(policy, case, "identity")])


def is_missing(case: Case) -> bool:
    """The identities of a world come from one reply that has all users, and all roles, of an account if it has any.

    https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetAccountAuthorizationDetails.html
    """
    asked = read_principal(case.carrier)
    listed = [read_principal(arn) for arn in case.world["principals"]]
    return any((who.kind, who.account) == (asked.kind, asked.account) for who in listed)


def limits(case: Case) -> list[Truth]:
    """A permissions boundary and a session policy must allow, when there is one: access_policies_boundaries.html."""
    found = []
    for layer in ("boundary", "session"):
        policies = [policy for policy in case.world["policies"] if carries(policy, case, layer)]
        if policies:
            found.append(any3([allows(policy, case) for policy in policies]))
    return found


def carries(policy: Json, case: Case, layer: str) -> bool:
    groups = case.world["principals"].get(case.carrier, {}).get("groups", []) if layer == "identity" else []
    own = [case.carrier, case.who.id] if layer == "session" else [case.carrier]
    return bool(policy["layer"] == layer and policy["owner"] in [*own, *groups])


def resource_policies(case: Case) -> list[Json]:
    """Return the policies of the resource; a trust policy has a say in STS actions alone."""
    is_sts = case.request["action"].lower().startswith("sts:")
    return [policy for policy in policies_of_resource(case) if policy["layer"] == "resource" or is_sts]


def policies_of_resource(case: Case) -> list[Json]:
    """A resource policy speaks of its own resource and of what lies in it; a trust policy of its role."""
    found = []
    for policy in case.world["policies"]:
        if policy["layer"] in {"resource", "trust"}:
            owner, resource = policy["owner"], case.request["resource"]
            if resource == owner or (policy["layer"] == "resource" and resource.startswith(f"{owner}/")):
                found.append(policy)
    return found


def service_control_allows(case: Case) -> Truth:
    """Every level from the root to the account must allow.

    https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_scps_evaluation.html
    """
    if not has_service_control(case):
        return True
    found: list[Truth] = []
    policies = [policy for policy in case.world["policies"] if policy["layer"] == "scp"]
    for level in [*levels_of(case.who.account, case.world), *([None] if case.closed else [])]:
        attached = [policy for policy in policies if policy["level"] == level]
        if attached:
            found.append(any3([allows(policy, case) for policy in attached]))
    loose = [policy for policy in policies if policy["level"] is None and not case.closed]
    found += [any3([allows(policy, case), not3(applies(policy, case))]) for policy in loose]
    return all3(found)


def has_service_control(case: Case) -> bool:
    """SCPs limit users and roles of member accounts, root users too; not service-linked roles, not outsiders.

    https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_scps.html
    """
    managed = case.who.account == case.request.get("management_account")
    outside = case.who.account is None or case.request.get("organization") is False
    return not outside and not managed and not is_service_linked(case)


def is_service_linked(case: Case) -> bool:
    return bool(case.request.get("service_linked_role")) or ":role/aws-service-role/" in case.carrier


def levels_of(account: str | None, world: Json) -> list[str]:
    found = [account] if account is not None else []
    while found and found[-1] in world["parents"]:
        found.append(world["parents"][found[-1]])
    return found


def endpoint_allows(case: Case) -> Truth:
    """https://docs.aws.amazon.com/vpc/latest/privatelink/vpc-endpoints-access.html."""
    endpoints = [policy for policy in case.world["policies"] if policy["layer"] == "endpoint"]
    return all3([any3([names_and_allows(policy, case, "anyone"), not3(applies(policy, case))]) for policy in endpoints])


def applies(policy: Json, case: Case) -> Truth:
    """Return whether a policy has a say in this request at all."""
    layer = policy["layer"]
    if layer in {"resource", "trust"}:
        return policy in resource_policies(case)
    if layer == "endpoint":
        return is_endpoint(policy, case)
    if layer == "scp":
        return has_service_control(case) and is_above(policy, case.who.account, case)
    if layer == "rcp":
        return has_resource_control(case) and is_above(policy, case.resource_account, case)
    return carries(policy, case, layer)


def is_above(policy: Json, account: str | None, case: Case) -> Truth:
    """Return whether an organisation policy is attached to an account or to a level above it."""
    if policy["level"] is None:
        return case.closed or case.unknown(f"policy {case.world['policies'].index(policy)} applies")
    return policy["level"] in levels_of(account, case.world)


def is_endpoint(policy: Json, case: Case) -> Truth:
    """Return whether a policy is that of the endpoint that the request passes."""
    used = case.context.get("aws:sourcevpce", [])
    if policy["owner"] is None:
        return case.closed or case.unknown(f"policy {case.world['policies'].index(policy)} applies")
    if len(used) > 1:
        return case.unknown("aws:SourceVpce of several values")
    return used == [policy["owner"].rpartition("/")[2]] or (case.closed and not used)


def has_resource_control(case: Case) -> bool:
    """RCPs limit every caller, on resources of member accounts, with the exceptions that are listed.

    https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_rcps.html
    """
    action = case.request["action"].lower()
    spared = is_service_linked(case) or bool(case.request.get("aws_managed_key")) or action == "kms:retiregrant"
    managed = case.resource_account is not None and case.resource_account == case.request.get("management_account")
    services = case.world.get("rcp_services")
    supported = services is None or action.partition(":")[0] in services
    return supported and not spared and not managed


def explicitly_denied(policy: Json, case: Case) -> Truth:
    """Return whether some statement of a policy that applies denies the request."""
    applied = applies(policy, case)
    if applied is False:
        return False
    found = [matches(statement, policy, case, "Deny") for statement in statements(policy, "Deny")]
    return all3([applied, any3(found)])


def allows(policy: Json, case: Case) -> Truth:
    if policy["document"] is None:
        return case.unknown(f"policy {case.world['policies'].index(policy)} was not read")
    return any3([matches(statement, policy, case, "Allow") for statement in statements(policy, "Allow")])


def names_and_allows(policy: Json, case: Case, how: str) -> Truth:
    """Return whether a policy with principals allows, naming the caller in a certain way.

    `account`: by its account. `role`: by the role of a session. `caller`: in any other way. `anyone`: in some way.
    """
    found = []
    for statement in statements(policy, "Allow"):
        everyone = is_unreadable(statement, policy) or "NotPrincipal" in statement
        entries = parties("*" if everyone else statement.get("Principal", {}))
        ways = {way for entry in entries if (way := naming(entry, case.who)) is not None}
        if ways if how == "anyone" else how in ways:
            found.append(matches(statement, policy, case, "Allow"))
    return any3(found)


def statements(policy: Json, effect: str) -> list[Json]:
    """Return the statements that have an effect, or may have it."""
    if policy["document"] is None:
        return []
    found = listed(policy["document"]["Statement"])
    return [each for each in found if each.get("Effect") == effect or each.get("Effect") not in {"Allow", "Deny"}]


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


# -- statements -----------------------------------------------------------------------------------------------------


def matches(statement: Json, policy: Json, case: Case, effect: str) -> Truth:
    """All elements of a statement must match: reference_policies_elements.html."""
    if is_unreadable(statement, policy):
        return case.unknown(f"{effect} by {statement}")
    version = policy["document"].get("Version", "2008-10-17")
    return all3(
        [
            principal_matches(statement, policy, case),
            action_matches(statement, case.request["action"]),
            resource_matches(statement, version, case),
            conditions_match(statement, version, case),
        ]
    )


def is_unreadable(statement: Json, policy: Json) -> bool:
    """Tell whether a statement is one that AWS does not accept, so that nobody can say what it does.

    reference_policies_grammar.html; no principal and no element of a resource may stand where they have no meaning.
    """
    layer, principals = policy["layer"], [name for name in ("Principal", "NotPrincipal") if name in statement]
    resources = [name for name in ("Resource", "NotResource") if name in statement]
    entries = [entry for name in principals for entry in parties(statement[name])]
    texts = [text for name in resources for text in listed(statement[name])]
    return (
        statement.get("Effect") not in {"Allow", "Deny"}
        or ("Action" in statement) == ("NotAction" in statement)
        or any(name not in ELEMENTS for name in statement)
        or len(resources) != (0 if layer == "trust" else 1)
        or (bool(principals) and layer in {"identity", "boundary", "session", "scp"})
        or len(principals) > 1
        # An RCP is for everyone: orgs_manage_policies_rcps_syntax.html; an endpoint policy names somebody.
        or (layer == "rcp" and (principals != ["Principal"] or [value for _, value in entries] != ["*"]))
        or (layer == "endpoint" and not principals)
        or any(text != "*" and not text.startswith("arn:") for text in texts)
        or any(not is_action(text) for name in ("Action", "NotAction") for text in listed(statement.get(name, [])))
        or any(kind == "AWS" and not is_principal(value) for kind, value in entries)
    )


ELEMENTS = {
    *("Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction"),
    *("Resource", "NotResource", "Condition"),
}


def is_action(text: str) -> bool:
    """Tell whether a text names actions: a service, a colon and a name, with wildcards, or everything."""
    return bool(re.fullmatch(r"\*+|[A-Za-z0-9*?-]+:[A-Za-z0-9*?-]+", text))


def is_principal(value: str) -> bool:
    """Names of principals have no wildcards: reference_policies_elements_principal.html."""
    return bool(re.fullmatch(r"\*|\d{12}|A[A-Z]{3}[A-Z0-9]+|arn:aws:(iam|sts)::\d{12}:[^*?]+", value))


def action_matches(statement: Json, action: str) -> bool:
    """Names of actions ignore case: reference_policies_elements_action.html, ..._notaction.html."""
    element = "NotAction" if "NotAction" in statement else "Action"
    found = any(like(wild(pattern.lower()), action.lower()) for pattern in listed(statement[element]))
    return not found if element == "NotAction" else found


def resource_matches(statement: Json, version: str, case: Case) -> Truth:
    """reference_policies_elements_resource.html, ..._notresource.html; trust policies have no such element."""
    for element in ("NotResource", "Resource"):
        if element in statement:
            patterns = [pattern_of(text, version, case, wild) for text in listed(statement[element])]
            found = any3([text_matches(pattern, case.request["resource"], arn_like) for pattern in patterns])
            return not3(found) if element == "NotResource" else found
    return True


def principal_matches(statement: Json, policy: Json, case: Case) -> Truth:
    """reference_policies_elements_principal.html; identity-based policies have no such element."""
    if policy["layer"] not in {"resource", "trust", "rcp", "endpoint"}:
        return True
    if "NotPrincipal" in statement:
        return not_principal_matches(parties(statement["NotPrincipal"]), case, statement["Effect"])
    return any(naming(entry, case.who) is not None for entry in parties(statement.get("Principal", {})))


def parties(element: Any) -> list[tuple[str, str]]:
    """`*` is short for {"AWS": "*"}."""
    if element == "*":
        return [("AWS", "*")]
    return [(kind, value) for kind, values in element.items() for value in listed(values)]


def naming(entry: tuple[str, str], who: Who) -> str | None:
    """Return how an entry of Principal names a caller: as in `names_and_allows`, `None` when it does not."""
    kind, value = entry
    if kind != "AWS":
        return "caller" if who.id == f"{kind.lower()}:{value}" else None
    if value == "*":
        return "caller"
    if who.account is None:
        return None
    if value in {who.account, f"arn:aws:iam::{who.account}:root"}:
        # The account as a whole: reference_policies_elements_principal.html#principal-accounts.
        return "account"
    named = read_principal(value) if value.startswith("arn:") else None
    if named is not None and named.kind == "role" and who.kind in {"role", "session"}:
        same = (named.account, named.role) == (who.account, who.role)
        return "role" if same and (who.kind == "session" or value == who.id) else None
    return "caller" if value == who.id else None


def not_principal_matches(entries: list[tuple[str, str]], case: Case, effect: str) -> Truth:
    """Match all but the listed: reference_policies_elements_notprincipal.html. With Allow that is the public, too.

    A user must be listed with its account, a session with its role and account; else AWS says that it *might* be denied
    all the same. A caller with a permissions boundary is always denied: access_policies_boundaries.html.
    """
    who = case.who
    ways = {naming(entry, who) for entry in entries}
    if effect == "Deny" and any(carries(policy, case, "boundary") for policy in case.world["policies"]):
        return True
    needed = {"session": {"account", "role", "caller"}, "root": {"account"}, "role": {"account", "role", "caller"}}
    wanted = needed.get(who.kind, {"account", "caller"} if who.account is not None else {"caller"})
    if ("AWS", "*") in entries or wanted <= ways:
        return False
    if ways <= {None, "account"}:
        return True
    return case.unknown(f"{effect} of NotPrincipal {entries} is about the caller")


# -- conditions -----------------------------------------------------------------------------------------------------


def conditions_match(statement: Json, version: str, case: Case) -> Truth:
    """All operators and all their keys must hold.

    reference_policies_condition-logic-multiple-context-keys-or-values.html
    """
    return all3(
        [
            condition_holds(written, key, [str(value) for value in listed(values)], version, case)
            for written, keys in statement.get("Condition", {}).items()
            for key, values in keys.items()
        ]
    )


def condition_holds(written: str, key: str, wanted: list[str], version: str, case: Case) -> Truth:
    """reference_policies_elements_condition_operators.html; ..._condition-single-vs-multi-valued-context-keys.html."""
    quantifier, _, name = written.rpartition(":")
    if_exists = name.endswith("IfExists")
    name = name.removesuffix("IfExists")
    readable = name in OPERATORS and quantifier in {"", "ForAllValues", "ForAnyValue"}
    plain_null = name != "Null" or written == "Null"
    if not readable or not plain_null or not all(is_value(name, text) for text in wanted):
        return case.unknown(f"{written} {key.lower()} {wanted}")
    found = case.context.get(key.lower())
    if name == "Null":
        return null_holds(found, wanted, case)
    if not found:
        return when_missing(name, quantifier, if_exists=if_exists)
    results = [value_holds(name, wanted, value, version, case) for value in found]
    if quantifier == "ForAllValues":
        return all3(results)
    if quantifier == "ForAnyValue":
        return any3(results)
    return results[0] if len(results) == 1 else case.unknown(f"{written} {key.lower()} {wanted} of several values")


def when_missing(name: str, quantifier: str, *, if_exists: bool) -> bool:
    """IfExists and ForAllValues hold for an absent key, ForAnyValue does not, a negated operator does."""
    if if_exists or quantifier == "ForAllValues":
        return True
    return is_negated(name) and quantifier == ""


def is_negated(name: str) -> bool:
    return "Not" in name


def null_holds(found: list[str] | None, wanted: list[str], case: Case) -> Truth:
    """`true`: the key is absent: reference_policies_elements_condition_operators.html#Conditions_Null."""
    if found is not None and not found:
        return case.unknown("Null of a key without values")
    return any((text.lower() == "true") == (found is None) for text in wanted)


def value_holds(name: str, wanted: list[str], value: str, version: str, case: Case) -> Truth:
    """The values of a policy are alternatives; a negated operator holds when none of them matches (NOR).

    Whether a value that is no number, date or address is "not" a certain one, no page says.
    """
    if is_negated(name) and not is_value(name, value):
        return case.unknown(f"{value!r} for {name}")
    result = any3([compare(name, text, value, version, case) for text in wanted])
    return not3(result) if is_negated(name) else result


def compare(name: str, wanted: str, value: str, version: str, case: Case) -> Truth:
    """Compare one value of a policy with one of the request, the negation aside."""
    plain = name.replace("Not", "")
    if plain.startswith(("String", "Arn")):
        return compare_texts(plain, wanted, value, version, case)
    read = READERS[re.match(r"Numeric|Date|Bool|Binary|IpAddress", plain)[0]]  # type: ignore[index]
    left, right = read(value), read(wanted)
    if plain == "IpAddress":
        return in_network(value, wanted)
    for suffix, relation in RELATIONS.items():
        if plain.endswith(suffix):
            return left is not None and bool(relation(left, right))
    return left is not None and left == right


RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "LessThanEquals": operator.le,
    "LessThan": operator.lt,
    "GreaterThanEquals": operator.ge,
    "GreaterThan": operator.gt,
}


def compare_texts(plain: str, wanted: str, value: str, version: str, case: Case) -> Truth:
    """StringEquals takes `*` literally; ArnEquals and ArnLike are the same; only IgnoreCase ignores case."""
    tokens = literal if plain.startswith("StringEquals") else wild
    pattern = pattern_of(wanted, version, case, tokens)
    if plain == "StringEqualsIgnoreCase" and isinstance(pattern, list):
        pattern, value = [token.lower() for token in pattern], value.lower()
    return text_matches(pattern, value, arn_like if plain.startswith("Arn") else like)


def text_matches(pattern: list[str] | None, value: str, how: Callable[[list[str], str], bool]) -> Truth:
    if pattern is None:
        return None
    return VALUELESS not in pattern and how(pattern, value)


def is_value(name: str, text: str) -> bool:
    """Tell whether an operator takes a value."""
    kind = re.match(r"Numeric|Date|Bool|Binary|IpAddress|NotIpAddress|Null", name)
    return kind is None or READERS[kind[0].removeprefix("Not")](text) is not None


def read_number(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def read_date(text: str) -> datetime | None:
    """ISO 8601, or seconds since 1970."""
    try:
        moment = datetime.fromtimestamp(int(text), UTC) if text.isdecimal() else datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def read_bool(text: str) -> str | None:
    return text.lower() if text.lower() in {"true", "false"} else None


def read_binary(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        return None


def read_network(text: str) -> Any:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        return None


def in_network(value: str, wanted: str) -> bool:
    """An address without a prefix length is that address alone; IPv4 and IPv6 never match each other."""
    address, network = read_network(value), read_network(wanted)
    return address is not None and address.version == network.version and address.subnet_of(network)


READERS: dict[str, Callable[[str], Any]] = {
    "Numeric": read_number,
    "Date": read_date,
    "Bool": read_bool,
    "Binary": read_binary,
    "IpAddress": read_network,
    "Null": read_bool,
}
OPERATORS = {
    *("StringEquals", "StringNotEquals", "StringEqualsIgnoreCase", "StringNotEqualsIgnoreCase"),
    *("StringLike", "StringNotLike", "ArnEquals", "ArnLike", "ArnNotEquals", "ArnNotLike"),
    *("NumericEquals", "NumericNotEquals", "NumericLessThan", "NumericLessThanEquals"),
    *("NumericGreaterThan", "NumericGreaterThanEquals", "DateEquals", "DateNotEquals", "DateLessThan"),
    *("DateLessThanEquals", "DateGreaterThan", "DateGreaterThanEquals"),
    *("Bool", "BinaryEquals", "IpAddress", "NotIpAddress", "Null"),
}


# -- patterns -------------------------------------------------------------------------------------------------------


VALUELESS = "no value"
"""Stands in a pattern for a variable without value: the pattern matches nothing."""


def literal(text: str) -> list[str]:
    return list(text)


def wild(text: str) -> list[str]:
    return [{"*": MANY, "?": ONE}.get(char, char) for char in text]


def pattern_of(text: str, version: str, case: Case, tokens: Callable[[str], list[str]]) -> list[str] | None:
    """Put values in for variables, in version 2012-10-17 only; `None` where a key has several values.

    reference_policies_variables.html: a default stands in for an absent key, a variable without value matches nothing,
    `${*}`, `${?}` and `${$}` are the plain characters. A value that is put in has no wildcards.
    """
    if not resolves_variables(version):
        return tokens(text)
    found: list[str] = []
    for part in re.split(r"(\$\{[^{}]*\})", text):
        if not part.startswith("${"):
            found += tokens(part)
        elif part[2:-1] in {"*", "?", "$"}:
            found += literal(part[2:-1])
        else:
            name, _, default = part[2:-1].partition(", ")
            values = case.context.get(name.lower()) or ([default[1:-1]] if default else [])
            if len(values) > 1:
                case.unknown(f"{text} of several values")
                return None
            found += literal(values[0]) if values else [VALUELESS]
    return found


def resolves_variables(version: str) -> bool:
    return version == "2012-10-17"


def like(pattern: list[str], text: str) -> bool:
    """`*` is any run of characters, `?` is one: the set of places in the pattern that each character can reach."""
    places = _after_many({0}, pattern)
    for char in text:
        stay = {place for place in places if place < len(pattern) and pattern[place] == MANY}
        step = {place + 1 for place in places if place < len(pattern) and pattern[place] in {char, ONE}}
        places = _after_many(stay | step, pattern)
    return len(pattern) in places


def _after_many(places: set[int], pattern: list[str]) -> set[int]:
    found = set(places)
    for place in places:
        while place < len(pattern) and pattern[place] == MANY:
            place += 1  # noqa: PLW2901 - walks on from where it stands
            found.add(place)
    return found


def arn_like(pattern: list[str], text: str) -> bool:
    """Compare ARNs field by field: reference_policies_elements_condition_operators.html#Conditions_ARN.

    A lone `*` is everything. A pattern of fewer fields that ends in `*` leaves the other fields open.
    """
    if pattern == [MANY]:
        return True
    fields: list[list[str]] = [[]]
    for token in pattern:
        if token == ":" and len(fields) < ARN_FIELDS:
            fields.append([])
        else:
            fields[-1].append(token)
    if len(fields) < ARN_FIELDS and fields[-1][-1:] == [MANY]:
        fields += [[MANY]] * (ARN_FIELDS - len(fields))
    values = text.split(":", ARN_FIELDS - 1)
    return len(fields) == len(values) and all(map(like, fields, values))
