"""The names and functions of IAM conditions.

https://cloud.google.com/iam/docs/conditions-attribute-reference
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from idtrans.algebra import (
    Has,
    IpSet,
    NumberSet,
    Quantifier,
    Test,
    Truth,
    all_of,
    exact,
    negate,
    one_of,
)
from idtrans.clouds.gcp._cel import Call, Expression, ListOf, Literal, Operation, Path
from idtrans.clouds.gcp._clock import clock_test
from idtrans.clouds.gcp._members import Member
from idtrans.clouds.gcp._resource_terms import Extract, ResourceName, ResourceService, ResourceType
from idtrans.clouds.gcp._terms import Attribute, Claim, Constant, Pair, Term
from idtrans.model.entities import PrincipalKind
from idtrans.model.errors import DataError

TAG_PREFIX: Final = "resource.tag:"
"""What the context keys of tags start with: `resource.tag:123456789012/env`, or `resource.tag:tagKeys/281...`."""
GRANTED_ROLES: Final = "iam.googleapis.com/modifiedGrantsByRole"
"""Context key of the roles that a request to set an allow policy adds or removes."""

_TERMS: Final[Mapping[tuple[str, ...], Term]] = {
    ("resource", "name"): ResourceName(),
    ("resource", "service"): ResourceService(),
    ("resource", "type"): ResourceType(),
    ("request", "path"): Claim("request.path"),
    ("request", "host"): Claim("request.host"),
    ("origin", "region_code"): Claim("origin.region_code"),
}
_ADDRESSES: Final = (("destination", "ip"), ("origin", "ip"))
_PORT: Final = ("destination", "port")
_LEVELS: Final = ("request", "auth", "access_levels")


class RequestVocabulary:
    """Names of the conditions of bindings and of deny rules."""

    def term(self, node: Expression) -> Term | None:
        """Return an attribute of the resource or of the request."""
        match node:
            case Path(names=names):
                return _TERMS.get(names)
            case Call(
                function="extract", target=Path(names=("resource", "name")), arguments=(Literal(value=str(text)),)
            ):
                return Extract.of(text)
            case Call(
                function="getAttribute",
                target=Path(names=("api",)),
                arguments=(Literal(value=str(key)), Literal(value=str(default))),
            ):
                return Attribute(key, default)
            case _:
                return None

    def test(self, node: Expression) -> Pair | None:
        """Return when a function or a comparison of this vocabulary's own holds, `None` for all others."""
        if isinstance(node, Operation):
            return clock_test(node) or _port(node) or _address(node) or _level(node)
        if isinstance(node, Call):
            lower = _FUNCTIONS.get(node.function)
            return lower(node) if lower is not None else None
        return None


_KINDS: Final = {
    PrincipalKind.USER: "iam.googleapis.com/WorkspaceIdentity",
    PrincipalKind.SERVICE_IDENTITY: "iam.googleapis.com/ServiceAccount",
}


@dataclass(frozen=True, slots=True)
class PrincipalVocabulary:
    """Names of the conditions of principal access boundary bindings: type and subject of one principal.

    https://cloud.google.com/iam/docs/principal-access-boundary-policies#conditions
    """

    me: Member

    def term(self, node: Expression) -> Term | None:
        """Return `principal.type` or `principal.subject`, `None` where it is not known."""
        match node:
            case Path(names=("principal", "type")):
                kind = self._type()
                return Constant(kind) if kind is not None else None
            case Path(names=("principal", "subject")):
                subject = self._subject()
                return Constant(subject) if subject is not None else None
            case _:
                return None

    def test(self, node: Expression) -> Pair | None:  # noqa: ARG002 - the protocol's signature
        """Return `None`: there are no functions."""
        return None

    def _type(self) -> str | None:
        if self.me.pool is None:
            return _KINDS.get(self.me.kind)
        workforce = self.me.pool.pool.startswith("locations/")
        return f"iam.googleapis.com/{'Workforce' if workforce else 'Workload'}PoolIdentity"

    def _subject(self) -> str | None:
        if self.me.pool is not None:
            return self.me.pool.value if self.me.pool.kind == "subject" else None
        return self.me.name if self.me.kind in _KINDS else None


def _texts(node: Expression) -> tuple[str, ...] | None:
    """Return the texts of a list, `None` when it holds anything else."""
    if not isinstance(node, ListOf):
        return None
    texts = tuple(item.value for item in node.items if isinstance(item, Literal) and isinstance(item.value, str))
    return texts if len(texts) == len(node.items) else None


def _arguments(node: Call) -> tuple[str, ...]:
    """Return the arguments of a call that are texts."""
    return tuple(each.value for each in node.arguments if isinstance(each, Literal) and isinstance(each.value, str))


def _is_resource(node: Call, count: int) -> bool:
    target = node.target
    return (
        isinstance(target, Path)
        and target.names == ("resource",)
        and len(_arguments(node)) == len(node.arguments) == count
    )


def _match_tag(node: Call) -> Pair | None:
    if not _is_resource(node, 2):
        return None
    key, value = _arguments(node)
    return _unless_absent(f"{TAG_PREFIX}{key}", value)


def _unless_absent(key: str, value: str) -> Pair:
    """Return when a key has a value; when it is absent, it has not."""
    language = exact(value)
    return Pair(Test(key, Quantifier.ONE, language), Test(key, Quantifier.ONE, ~language, missing=Truth.TRUE))


def _has_tag(node: Call) -> Pair | None:
    if not _is_resource(node, 1):
        return None
    has = Has(f"{TAG_PREFIX}{_arguments(node)[0]}")
    return Pair(has, negate(has))


def _has_only(node: Call) -> Pair | None:
    """Lower `api.getAttribute(KEY, []).hasOnly([...])`: a request that grants no role passes."""
    match node.target:
        case Call(
            function="getAttribute",
            target=Path(names=("api",)),
            arguments=(Literal(value=str(key)), ListOf(items=())),
        ) if len(node.arguments) == 1:
            texts = _texts(node.arguments[0])
            if texts is None:
                return None
            only = Test(key, Quantifier.ALL, one_of(texts), missing=Truth.TRUE)
            return Pair(only, negate(only))
        case _:
            return None


def _in_range(node: Call) -> Pair | None:
    if node.target is not None or len(node.arguments) != 2:  # noqa: PLR2004 - address and ranges
        return None
    address, ranges = node.arguments
    texts = _texts(ranges)
    if not isinstance(address, Path) or address.names not in _ADDRESSES or texts is None:
        return None
    return _within(address, texts)


def _within(address: Path, texts: tuple[str, ...]) -> Pair | None:
    try:
        addresses = IpSet.of(texts)
    except DataError:
        return None
    key = ".".join(address.names)
    return Pair(Test(key, Quantifier.ONE, addresses), Test(key, Quantifier.ONE, ~addresses))


def _address(node: Operation) -> Pair | None:
    match node:
        case Operation(operator="==" | "!=", operands=(Path(names=names) as path, Literal(value=str(text)))) if (
            names in _ADDRESSES
        ):
            found = _within(path, (text,))
            return found if node.operator == "==" or found is None else Pair(found.false, found.true)
        case _:
            return None


_NUMBERS: Final = {
    "==": NumberSet.equal,
    "<": NumberSet.below,
    "<=": NumberSet.at_most,
    ">": NumberSet.above,
    ">=": NumberSet.at_least,
}


def _port(node: Operation) -> Pair | None:
    match node:
        case Operation(operands=(Path(names=names), Literal(value=int(number)))) if names == _PORT:
            wanted = NumberSet.equal if node.operator == "!=" else _NUMBERS.get(node.operator)
            if wanted is None:
                return None
            numbers = ~wanted(str(number)) if node.operator == "!=" else wanted(str(number))
            key = ".".join(_PORT)
            return Pair(Test(key, Quantifier.ONE, numbers), Test(key, Quantifier.ONE, ~numbers))
        case _:
            return None


def _level(node: Operation) -> Pair | None:
    match node:
        case Operation(operator="in", operands=(Literal(value=str(level)), Path(names=names))) if names == _LEVELS:
            key = ".".join(_LEVELS)
            found = Test(key, Quantifier.ANY, exact(level))
            return Pair(found, all_of(Has(key), negate(found)))
        case _:
            return None


def _is_forwarding(node: Call) -> Pair | None:
    if not (isinstance(node.target, Path) and node.target.names == ("compute",)) or node.arguments:
        return None
    return _unless_absent("compute.isForwardingRuleCreationOperation", "true")


def _schemes(node: Call) -> Pair | None:
    texts = _texts(node.arguments[0]) if len(node.arguments) == 1 else None
    if not (isinstance(node.target, Path) and node.target.names == ("compute",)) or texts is None:
        return None
    key, language = "compute.loadBalancingScheme", one_of(texts)
    return Pair(Test(key, Quantifier.ONE, language), Test(key, Quantifier.ONE, ~language, missing=Truth.TRUE))


_FUNCTIONS: Final[Mapping[str, Callable[[Call], Pair | None]]] = {
    "matchTag": _match_tag,
    "matchTagId": _match_tag,
    "hasTagKey": _has_tag,
    "hasTagKeyId": _has_tag,
    "hasOnly": _has_only,
    "inIpRange": _in_range,
    "isForwardingRuleCreationOperation": _is_forwarding,
    "matchLoadBalancingSchemes": _schemes,
}
