"""Pairs of AWS policy documents put to z3: an independent reading of the policy language as formulas over texts.

The encoding is the usual one: action, resource, principal and the values of keys are texts, a pattern is an equation, a
fixed beginning or end, or a regular expression, addresses are bit vectors, and each key is present or not. It is sound
for what it takes; what it does not take raises `NotTakenError`.
"""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import Any

Json = dict[str, Any]
_LIKE = {"stringequals": False, "stringlike": True, "arnequals": True, "arnlike": True, "stringequalsignorecase": False}
"""Operators that compare texts, and whether their values are patterns."""
STEPS = ("rlimit", 1_000_000)
"""What z3 may spend on one question: its own count, so that every machine gives up at the same place."""


class NotTakenError(Exception):
    """The question says something that this encoding has no words for."""


class Question:
    """Does NEW grant what OLD does not? As z3 is asked."""

    def __init__(self, z3: Any, new: Json, old: Json, *, limit: tuple[str, int] = STEPS) -> None:
        self._z3 = z3
        self._action, self._resource, self._principal = map(z3.String, ("action", "resource", "principal"))
        self._solver = z3.Solver()
        self._solver.set(*limit)
        self._solver.add(self._granted(new), z3.Not(self._granted(old)))

    def answer(self) -> bool | None:
        """Return whether there is such a request; `None` when z3 does not tell in time."""
        return {"sat": True, "unsat": False}.get(str(self._solver.check()))

    def _granted(self, document: Json) -> Any:
        statements = _listed(document["Statement"])
        allows = [self._holds(one) for one in statements if one["Effect"] == "Allow"]
        denies = [self._holds(one) for one in statements if one["Effect"] == "Deny"]
        return self._z3.And(self._z3.Or(allows), self._z3.Not(self._z3.Or(denies)))

    def _holds(self, statement: Json) -> Any:
        if "NotPrincipal" in statement:
            raise NotTakenError("NotPrincipal")
        parts = []
        for name, matches in (("Action", self._is_action), ("Resource", self._is_resource)):
            if name in statement:
                parts.append(self._z3.Or([matches(each) for each in _listed(statement[name])]))
            elif f"Not{name}" in statement:
                parts.append(self._z3.Not(self._z3.Or([matches(each) for each in _listed(statement[f"Not{name}"])])))
        if "Principal" in statement:
            parts.append(self._z3.Or([self._is_principal(*each) for each in _parties(statement["Principal"])]))
        for operator, tests in statement.get("Condition", {}).items():
            parts += [self._passes(operator.lower(), key.lower(), _listed(values)) for key, values in tests.items()]
        return self._z3.And(parts)

    def _is_action(self, pattern: str) -> Any:
        return self._like(self._action, pattern.lower())

    def _is_resource(self, pattern: str) -> Any:
        if "${" in pattern:
            raise NotTakenError(pattern)
        return self._arn_like(self._resource, pattern)

    def _is_principal(self, kind: str, name: str) -> Any:
        if kind == "AWS" and name == "*":
            return self._z3.BoolVal(val=True)
        if kind == "AWS" and name.isdigit():
            return self._z3.Or(
                [self._like(self._principal, f"arn:aws:{service}::{name}:*") for service in ("iam", "sts")]
            )
        return self._principal == self._z3.StringVal(name if kind == "AWS" else f"{kind.lower()}:{name}")

    def _passes(self, operator: str, key: str, values: list[str]) -> Any:
        if operator.startswith("for") or any("${" in str(value) for value in values):
            raise NotTakenError(operator)
        here = self._present(key)
        if operator == "null":
            return self._z3.Not(here) if str(values[0]).lower() == "true" else here
        lenient = operator.endswith("ifexists")
        operator = operator.removesuffix("ifexists")
        negated = "not" in operator
        held = self._z3.Or([self._compares(operator.replace("not", ""), key, str(value)) for value in values])
        if negated:
            return self._z3.Or(self._z3.Not(here), self._z3.Not(held))
        return self._z3.Or(self._z3.Not(here), held) if lenient else self._z3.And(here, held)

    def _present(self, key: str) -> Any:
        return self._z3.BoolVal(val=True) if key == "aws:principalarn" else self._z3.Bool(f"has {key}")

    def _compares(self, operator: str, key: str, value: str) -> Any:
        text = self._principal if key == "aws:principalarn" else self._z3.String(f"text {key}")
        if operator in _LIKE:
            if operator.endswith("ignorecase"):
                raise NotTakenError(operator)
            if operator.startswith("arn"):
                return self._arn_like(text, value)
            return self._like(text, value) if _LIKE[operator] else text == self._z3.StringVal(value)
        if operator == "bool":
            return text == self._z3.StringVal(value.lower())
        if operator == "ipaddress" and ":" not in value:
            network = IPv4Network(value, strict=False)
            address = self._z3.BitVec(f"address {key}", 32)
            shift = 32 - network.prefixlen
            bits = int(network.network_address)
            return self._z3.LShR(address, shift) == bits >> shift if shift < 32 else self._z3.BoolVal(val=True)
        if operator.startswith("numeric"):
            number, bound = self._z3.Int(f"number {key}"), int(value)
            return {
                "numericequals": number == bound,
                "numericlessthan": number < bound,
                "numericlessthanequals": number <= bound,
                "numericgreaterthan": number > bound,
                "numericgreaterthanequals": number >= bound,
            }[operator]
        raise NotTakenError(operator)

    def _like(self, text: Any, pattern: str) -> Any:
        """Return what is quickest for z3: an equation, a beginning or an end where that is all a pattern says."""
        inner = pattern.strip("*")
        if "?" in pattern or "*" in inner:
            return self._z3.InRe(text, self._glob(pattern, self._any_char()))
        starts, ends = pattern.startswith("*"), pattern.endswith("*")
        value = self._z3.StringVal(inner)
        if not inner and starts:
            return self._z3.BoolVal(val=True)
        if starts and ends:
            return self._z3.Contains(text, value)
        if starts or ends:
            return (self._z3.SuffixOf if starts else self._z3.PrefixOf)(value, text)
        return text == value

    def _arn_like(self, text: Any, pattern: str) -> Any:
        *fields, last = pattern.split(":", 5)
        if len(fields) < 5 or not {"*", "?"} & set("".join(fields)):
            return self._like(text, pattern)
        colon = self._z3.Re(":")
        inside = self._z3.Intersect(self._any_char(), self._z3.Complement(colon))
        parts = [part for field in fields for part in (self._glob(field, inside), colon)]
        return self._z3.InRe(text, self._z3.Concat([*parts, self._glob(last, self._any_char())]))

    def _any_char(self) -> Any:
        return self._z3.AllChar(self._z3.ReSort(self._z3.StringSort()))

    def _glob(self, pattern: str, char: Any) -> Any:
        parts: list[Any] = []
        literal = ""
        for one in pattern:
            if one not in "*?":
                literal += one
                continue
            parts += [self._z3.Re(literal)] if literal else []
            parts.append(self._z3.Star(char) if one == "*" else char)
            literal = ""
        parts += [self._z3.Re(literal)] if literal or not parts else []
        return parts[0] if len(parts) == 1 else self._z3.Concat(parts)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _parties(principal: Any) -> list[tuple[str, str]]:
    if principal == "*":
        return [("AWS", "*")]
    return [(kind, name) for kind, names in principal.items() for name in _listed(names)]
