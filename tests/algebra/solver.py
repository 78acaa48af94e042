"""Questions about access put to z3: an independent reading of statements as formulas over texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from idtrans.algebra import ALWAYS, ANY_TEXT, AnyOf, Box, Except, Quantifier, Test, Truth, arn_glob, glob
from idtrans.model.values import Effect

STEPS = 1_000_000
"""What z3 may spend on one question: its own count, so that every machine gives up at the same place."""


@dataclass(frozen=True)
class Said:
    """One statement as written: patterns of actions and resources, and a test of the key `k`."""

    effect: str
    actions: tuple[str, ...]
    resources: tuple[str, ...]
    tests: tuple[str, ...] = ()
    negated: bool = False
    """Whether the test refuses its patterns; then a missing key passes."""


def access_of(statements: tuple[Said, ...]) -> Except:
    """Return the statements as access: what is allowed minus what is denied."""
    boxes = [_box(said) for said in statements]
    allows = tuple(box for box in boxes if box.effect is Effect.ALLOW)
    return Except(AnyOf(allows), AnyOf(tuple(box for box in boxes if box.effect is Effect.DENY)))


def _box(said: Said) -> Box:
    actions, resources = _union(said.actions), _union(said.resources)
    condition: Any = ALWAYS
    if said.tests:
        values = ~_union(said.tests) if said.negated else _union(said.tests)
        condition = Test("k", Quantifier.ONE, values, Truth.of(said.negated))
    return Box(Effect(said.effect), "identity", ANY_TEXT, actions, resources, condition, name=repr(said))


def _union(patterns: tuple[str, ...]) -> Any:
    first, *others = (arn_glob(text) if text.startswith("arn:") else glob(text) for text in patterns)
    for other in others:
        first |= other
    return first


class Question:
    """Does NEW grant what OLD does not? As z3 is asked."""

    def __init__(self, z3: Any, new: tuple[Said, ...], old: tuple[Said, ...]) -> None:
        self._z3 = z3
        self._action, self._resource, self._key = (z3.String(name) for name in ("action", "resource", "k"))
        self._present = z3.Bool("present")
        self._solver = z3.Solver()
        self._solver.set("rlimit", STEPS)
        self._solver.add(self._granted(new), z3.Not(self._granted(old)))

    def answer(self) -> bool | None:
        """Return whether there is such a request; `None` when z3 does not tell in time."""
        return {"sat": True, "unsat": False}.get(str(self._solver.check()))

    def _granted(self, statements: tuple[Said, ...]) -> Any:
        allows = [self._holds(said) for said in statements if said.effect == "allow"]
        denies = [self._holds(said) for said in statements if said.effect == "deny"]
        return self._z3.And(self._z3.Or(allows), self._z3.Not(self._z3.Or(denies)))

    def _holds(self, said: Said) -> Any:
        parts = [self._in(self._action, said.actions), self._in(self._resource, said.resources)]
        if said.tests and said.negated:
            parts.append(self._z3.Or(self._z3.Not(self._present), self._z3.Not(self._in(self._key, said.tests))))
        elif said.tests:
            parts += [self._present, self._in(self._key, said.tests)]
        return self._z3.And(parts)

    def _in(self, text: Any, patterns: tuple[str, ...]) -> Any:
        return self._z3.Or([self._z3.InRe(text, self._regex(pattern)) for pattern in patterns])

    def _regex(self, pattern: str) -> Any:
        if not pattern.startswith("arn:") or pattern.count(":") < 5:
            return self._glob(pattern, self._any_char())
        *fields, last = pattern.split(":", 5)
        colon = self._z3.Re(":")
        inside = self._z3.Intersect(self._any_char(), self._z3.Complement(colon))
        parts = [part for field in fields for part in (self._glob(field, inside), colon)]
        return self._z3.Concat([*parts, self._glob(last, self._any_char())])

    def _any_char(self) -> Any:
        return self._z3.AllChar(self._z3.ReSort(self._z3.StringSort()))

    def _glob(self, pattern: str, char: Any) -> Any:
        found = [{"*": self._z3.Star(char), "?": char}.get(one) for one in pattern]
        parts = [self._z3.Re(one) if part is None else part for one, part in zip(pattern, found, strict=True)]
        if not parts:
            return self._z3.Re("")
        return parts[0] if len(parts) == 1 else self._z3.Concat(parts)
