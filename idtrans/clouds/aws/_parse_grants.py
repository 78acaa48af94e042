"""`aws kms list-grants` and `list-retirable-grants`, lowered to statements of resource policies of the keys.

https://docs.aws.amazon.com/kms/latest/APIReference/API_GrantListEntry.html
"""

from __future__ import annotations

from typing import Final

from idtrans.clouds.aws._arns import read_arn
from idtrans.clouds.aws._key_grants import CREATE_GRANT, GRANT_MARK, OPERATIONS, RETIRE_GRANT, WITH_CONTEXT
from idtrans.clouds.aws._parse_document import Belonging, PolicyText, write_policy
from idtrans.clouds.aws._parse_pages import page_faults, pages_of, section_items
from idtrans.clouds.aws._parse_resource import resource_of
from idtrans.clouds.aws._parse_state import Parsed, Parsing, unsupported
from idtrans.clouds.aws._parse_values import name_of, shown
from idtrans.model.documents import Json
from idtrans.model.entities import ConditionTest, PolicyPrincipal, PolicyStatement
from idtrans.model.spans import Source
from idtrans.model.values import UNKNOWN, Effect, Layer

_LIST: Final = "Grants"
_PAGE: Final = frozenset({_LIST, "Truncated", "NextMarker", "NextToken"})
_SIGNS: Final = ("GrantId", "GranteePrincipal", "GranteeServicePrincipal")
_CONTEXTS: Final = ("EncryptionContextSubset", "EncryptionContextEquals")
_SOURCE: Final = "SourceArn"
_CREATE: Final = CREATE_GRANT.removeprefix("kms:")


def is_grants(page: dict[str, Json]) -> bool:
    """Tell whether an object is a list of grants of KMS; an empty one has nothing else beside the list."""
    grants = page.get(_LIST)
    if not isinstance(grants, list):
        return False
    if not grants:
        return _PAGE.issuperset(page)
    return any(isinstance(grant, dict) and any(sign in grant for sign in _SIGNS) for grant in grants)


def parse_grants(parsing: Parsing) -> Parsed:
    """Yield each grant as a policy of its key."""
    yield from parsing.hinted_account()
    for page in pages_of(parsing):
        for source, item in section_items(page, _LIST):
            yield from _grant(parsing, item, source)
    yield from page_faults(parsing, (_LIST,))


def _grant(parsing: Parsing, raw: Json, source: Source) -> Parsed:
    if not isinstance(raw, dict):
        yield unsupported(f"grant {shown(raw)} is not an object", source)
        return
    key = _key(raw.get("KeyId")) or _key(parsing.hints.resource)
    if key is None:
        yield unsupported("a grant, and it is not known of which key", source)
    else:
        yield resource_of(parsing, key, source)
        yield from parsing.account(key, source)
    place = f"{source.path}#{source.pointer}" if source.pointer else source.path
    name = name_of(raw.get("GrantId")) or place
    statements = tuple(_statements(raw, name, source))
    text = PolicyText(source, version="2012-10-17", statements=statements)
    yield from write_policy(text, Belonging(f"{key or ''}{GRANT_MARK}{name}", Layer.RESOURCE, key or UNKNOWN))


def _key(value: Json) -> str | None:
    arn = read_arn(value) if isinstance(value, str) else None
    return str(value) if arn is not None and (arn.service, arn.kind) == ("kms", "key") else None


def _statements(raw: dict[str, Json], name: str, source: Source) -> list[PolicyStatement]:
    """Return what a grant allows: its operations to the grantee, and its end to whoever may retire it."""
    constraints = raw.get("Constraints")
    doubts, listed = _operations(raw.get("Operations"))
    tests, faults = _constraints(constraints if constraints is not None else {}, source.at("Constraints"))
    plain = [test for test in tests if test.key == f"aws:{_SOURCE}"]
    more = [ConditionTest("ForAllValues:StringEquals", "kms:GrantOperations", tuple(listed), source)]
    sets: dict[tuple[ConditionTest, ...], list[str]] = {}
    for operation in listed:
        if operation == _CREATE:
            # Grants that the grantee makes allow no more than this one, under constraints that are as strict.
            # https://docs.aws.amazon.com/kms/latest/developerguide/create-grant-overview.html#grant-creategrant
            sets.setdefault((*tests, *more), []).append(operation)
        else:
            sets.setdefault(tuple(tests if operation in WITH_CONTEXT else plain), []).append(operation)
    grantee, unnamed = _party(raw, "Grantee")
    reasons = (*doubts, *faults, *unnamed)
    found = [_allow(source, name, grantee, conditions, actions) for conditions, actions in sets.items()]
    if reasons:
        actions = tuple(f"kms:{operation}" for operation in sorted(OPERATIONS))
        found = [_doubted(source, name, grantee, actions, reasons)]
    retiring, unnamed = _party(raw, "Retiring")
    if unnamed and "RetiringPrincipal" in raw:
        found.append(_doubted(source, name, None, (RETIRE_GRANT,), unnamed))
    elif retiring is not None:
        found.append(_allow(source, f"{name}, its retirement", retiring, (), [RETIRE_GRANT.removeprefix("kms:")]))
    return found


def _allow(
    source: Source,
    name: str,
    party: PolicyPrincipal | None,
    conditions: tuple[ConditionTest, ...],
    operations: list[str],
) -> PolicyStatement:
    return PolicyStatement(
        Effect.ALLOW,
        source,
        f"grant {name}",
        (party,) if party is not None else (),
        actions=tuple(f"kms:{operation}" for operation in operations),
        resources=("*",),
        conditions=conditions,
    )


def _doubted(
    source: Source, name: str, party: PolicyPrincipal | None, actions: tuple[str, ...], doubts: tuple[str, ...]
) -> PolicyStatement:
    principals = (party or PolicyPrincipal("*", "*"),)
    return PolicyStatement(
        Effect.ALLOW, source, f"grant {name}", principals, actions=actions, resources=("*",), doubts=doubts
    )


def _operations(raw: Json) -> tuple[tuple[str, ...], list[str]]:
    """Return doubts, and the operations that are known."""
    if not isinstance(raw, list) or not raw:
        return (f"operations {shown(raw)} of a grant are no list of names",), []
    known = [name for name in raw if isinstance(name, str) and name in OPERATIONS]
    doubts = tuple(f"operation {shown(name)} of a grant is not known" for name in raw if name not in known)
    return doubts, list(dict.fromkeys(known))


def _constraints(raw: Json, source: Source) -> tuple[list[ConditionTest], tuple[str, ...]]:
    """Return the tests that constraints are, and doubts about the others."""
    if not isinstance(raw, dict):
        return [], (f"constraints {shown(raw)} of a grant are not an object",)
    tests: list[ConditionTest] = []
    doubts: list[str] = []
    for name, value in raw.items():
        place = source.at(name)
        if name == _SOURCE and isinstance(value, str) and value:
            tests.append(ConditionTest("ArnEquals", f"aws:{_SOURCE}", (value,), place))
        elif name in _CONTEXTS and isinstance(value, dict) and all(isinstance(text, str) for text in value.values()):
            pairs = {str(key): str(text) for key, text in value.items()}
            tests += (
                ConditionTest("StringEquals", f"kms:EncryptionContext:{key}", (text,), place)
                for key, text in pairs.items()
            )
            if name == _CONTEXTS[1] and pairs:
                tests.append(
                    ConditionTest("ForAllValues:StringEquals", "kms:EncryptionContextKeys", tuple(pairs), place)
                )
        else:
            doubts.append(f"constraint {shown(name)} of a grant is not known or holds {shown(value)}")
    return tests, tuple(doubts)


def _party(raw: dict[str, Json], role: str) -> tuple[PolicyPrincipal | None, tuple[str, ...]]:
    """Return who is the grantee or retires: an ARN, or the name of a service, in either of two fields."""
    key, service = f"{role}Principal", f"{role}ServicePrincipal"
    value = name_of(raw.get(key)) or name_of(raw.get(service))
    if value is None:
        return None, (f"grant {shown(raw)} has no `{key}`",)
    kind = "Service" if value.endswith((".amazonaws.com", ".amazonaws.com.cn")) else "AWS"
    return PolicyPrincipal(kind, value), ()
