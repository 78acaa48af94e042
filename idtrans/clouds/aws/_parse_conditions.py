"""The Condition element of a statement, lowered to tests.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition.html
"""

from __future__ import annotations

from dataclasses import dataclass

from idtrans.clouds.aws._parse_values import Variables, has_reference, shown, texts
from idtrans.model.documents import Json
from idtrans.model.entities import ConditionTest
from idtrans.model.spans import Source


@dataclass(frozen=True, slots=True)
class Conditions:
    """The tests of a statement, all of which must hold, and what of them was not understood."""

    tests: tuple[ConditionTest, ...]
    doubts: tuple[str, ...] = ()


def lower_conditions(raw: Json, source: Source) -> Conditions:
    """Read the Condition element of the statement at `source`."""
    if not isinstance(raw, dict):
        return Conditions((), (f"malformed condition {shown(raw)}",))
    tests: list[ConditionTest] = []
    doubts: list[str] = []
    for operator, keys in raw.items():
        if not isinstance(keys, dict):
            doubts.append(f"malformed condition: {shown(operator)} is {shown(keys)}, not an object of condition keys")
            continue
        if not keys:
            doubts.append(f"malformed condition: {shown(operator)} tests no condition key")
        for key, value in keys.items():
            test, unclear = _test(str(operator), str(key), value, source.at("Condition", operator, key))
            tests.append(test)
            doubts += unclear
    return Conditions(tuple(tests), tuple(doubts))


def _test(operator: str, key: str, value: Json, source: Source) -> tuple[ConditionTest, tuple[str, ...]]:
    found = texts(value, key, Variables.ALLOWED)
    doubts = found.doubts
    for name in (operator, key):
        if has_reference(name, Variables.NONE):
            doubts = (*doubts, f"{shown(name)} in `Condition` is not resolved")
    return ConditionTest(operator, key, found.values, source), doubts
