"""Denies of the target: where they can stand, what they deny beyond what was asked, and what is said about them.

A deny that denies less than asked leaves more access: it is broader. One that denies more is narrower.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from idtrans.algebra import (
    ALWAYS,
    NEVER,
    Both,
    Condition,
    all_of,
    any_of,
    describe,
    one_of,
    opaques,
    positive,
    rewrite,
    same,
)
from idtrans.catalog import ACCOUNT, REST, capabilities
from idtrans.model.artifacts import Loss, LossEffect
from idtrans.model.documents import Unsupported
from idtrans.model.errors import InternalError, UsageError
from idtrans.model.estate import Estate
from idtrans.model.translations import DenialVerdict
from idtrans.model.values import Verdict, rank
from idtrans.ports import Denying, RoleUse
from idtrans.translate._closure import leftover
from idtrans.translate._denials import Denied, Remaining, limit_of, remaining
from idtrans.translate._levels import key_of, place_of, read_scope
from idtrans.translate._limits import named, plain, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from idtrans.catalog import Capability
    from idtrans.model.artifacts import Native
    from idtrans.model.intents import Names, Scope
    from idtrans.ports import Cloud, GrantPlan, Holding
    from idtrans.translate._place import Placed
    from idtrans.translate._realise import Item

_MOST_NAMED: Final = 5
"""Names that a reason lists."""


@dataclass(frozen=True, slots=True)
class Answered:
    """One capability that is to be denied on one scope, and how the target denies it."""

    number: int
    """Place of the deny among those of the source."""
    denied: Denied
    capability: Capability
    use: RoleUse | None = None
    """`None`: it is not denied in the target."""
    less: str | None = None
    """Why less is denied than was asked for; `None` when it is not."""
    more: tuple[str, ...] = ()
    """Why more is denied than was asked for."""

    @property
    def verdict(self) -> Verdict:
        """A deny that denies less leaves more access."""
        if self.less is not None:
            return Verdict.BROADER
        return Verdict.NARROWER if self.more else Verdict.EXACT


@dataclass(frozen=True, slots=True)
class Asking:
    """What is needed to find how the target denies something."""

    source: Cloud
    target: Cloud
    names: Names
    place: Callable[[Scope], Placed]
    items: tuple[Item, ...]
    """What is to be granted: denying more must not take it away."""

    def answer(self, number: int, denied: Denied, wanted: Capability) -> Answered:
        """Return how the target denies one capability."""
        found = Answered(number, denied, wanted)
        try:
            return self._written(found)
        except UsageError as refusal:
            return replace(found, less=f"{refusal}")

    def _written(self, found: Answered) -> Answered:
        target, column = self.target, found.capability.column(self.target.name)
        if not isinstance(target, Denying):
            raise UsageError(f"{target.name} has no denies")
        if not column.permissions:
            raise UsageError(column.no_counterpart or f"{target.name} has no permission of it")
        placed = self.place(found.denied.scope)
        if placed.narrower is not None:
            raise UsageError(placed.narrower)
        names = self._chosen(found)
        use = RoleUse(placed.scope, (found.capability.id,), names, None)
        stand = target.place_denial(use, self.names)
        limit, dropped = _weakened(limit_of(found.denied, found.capability, self.source), names, target)
        use = replace(use, scope=stand.scope, limit=limit)
        wide = [reason for reason in (placed.broader, stand.wider) if reason is not None]
        more = [*wide, *(f"it is denied in any case, not only if {each}" for each in dropped)]
        lost = self._lost(found, use, wider=bool(more))
        if lost:
            ids = ", ".join(dict.fromkeys(item.wanted.capability for item in lost))
            raise UsageError(f"{'; '.join(more) or 'the permissions are shared'}: it would take {ids} away, too")
        return replace(found, use=use, more=(*more, *self._beside(found, names)))

    def _chosen(self, found: Answered) -> tuple[str, ...]:
        """Return the permissions to deny: all of a capability, or of one that is denied in part what is its own."""
        needed = found.capability.column(self.source.name).permissions
        column = found.capability.column(self.target.name)
        if not all(map(found.denied.permissions.matches, needed)):
            spared = self._needed(each for each in capabilities() if each not in found.denied.taken)
            own = tuple(text for name, text in column.written.items() if name not in spared)
            if own:
                return own
        return tuple(column.written.values())

    def _needed(self, caps: Iterable[Capability]) -> set[str]:
        return {name for each in caps for name in each.column(self.target.name).permissions}

    def _lost(self, found: Answered, use: RoleUse, *, wider: bool) -> list[Item]:
        """Return what is wanted, is not denied by the source, and would be taken away."""
        taken = {name.lower() for name in use.permissions}
        return [
            item
            for item in self.items
            if (wider or item.capability not in found.denied.taken)
            and taken.intersection(map(str.lower, item.capability.column(self.target.name).written.values()))
        ]

    def _beside(self, found: Answered, names: Iterable[str]) -> list[str]:
        """Say which capabilities are denied beside, that are none of what the source denies."""
        known = {each.id for each in found.denied.taken}
        known |= {part for each in found.denied.taken for part in each.parts}
        taken = {name.lower() for name in names}
        beside = [
            each.id
            for each in capabilities()
            if each.id not in known
            and taken.intersection(map(str.lower, each.column(self.target.name).written.values()))
        ]
        return [f"{self.target.name} denies {', '.join(beside)} with it"] if beside else []


def _weakened(limit: Condition, permissions: Sequence[str], cloud: Denying) -> tuple[Condition, list[str]]:
    """Return a limit without what the denies of a cloud cannot say, which makes them deny more; and what that is."""

    def change(leaf: Condition) -> Condition:
        return any_of(*(cloud.fit_denial(leaf, name) for name in permissions))

    asked = rewrite(positive(limit), change)
    parts = asked.parts if isinstance(asked, Both) else (asked,)
    kept = [part for part in parts if not opaques(part)]
    dropped = [f"{symbol.text} ({symbol.reason})" for part in parts for symbol in opaques(part)]
    return all_of(*kept), list(dict.fromkeys(dropped))


@dataclass(frozen=True, slots=True)
class Settled:
    """What of the denies of the source is denied in the target, and what is left to be granted."""

    answers: tuple[Answered, ...]
    remaining: Remaining
    left_open: tuple[str, ...]
    """What is not denied, because no capability explains it; in words."""

    @property
    def uses(self) -> tuple[RoleUse, ...]:
        """What is to be denied in the target."""
        return tuple(each.use for each in self.answers if each.use is not None)

    @property
    def verdict(self) -> Verdict:
        """The worst verdict on a deny."""
        found = [each.verdict for each in self.answers]
        return max([*found, *([Verdict.BROADER] if self.left_open else [])], key=rank, default=Verdict.EXACT)

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What is denied in another way than in the source, or not at all."""
        found = [
            Loss("deny", LossEffect.WIDEN if each.less is not None else LossEffect.NARROW, reason)
            for each in self.answers
            for reason in verdict_of(each).reasons
        ]
        found += [Loss("deny", LossEffect.WIDEN, why) for why in self.left_open]
        return tuple(dict.fromkeys(found))


def settle(denied: Sequence[Denied], asking: Asking, estate: Estate) -> Settled:
    """Return how the target denies what the source denies, and take away from what is granted what it does not."""
    source = asking.source
    gone = remaining(asking.items, denied, source, estate, frozenset()).gone
    kept = replace(asking, items=tuple(item for item in asking.items if item not in gone))
    answers = tuple(kept.answer(number, deny, each) for number, deny in enumerate(denied) for each in deny.asked)
    enforced = frozenset((each.number, each.capability.id) for each in answers if each.use is not None)
    rest = remaining(asking.items, denied, source, estate, enforced)
    left_open = (undenied(deny, source) for deny in denied)
    return Settled(answers, rest, tuple(dict.fromkeys(each for each in left_open if each is not None)))


def verdict_of(answer: Answered) -> DenialVerdict:
    """Return the verdict on one capability that is to be denied."""
    use, held = answer.use, answer.denied.denial.denied
    told = [answer.less] if answer.less is not None else answer.more
    start = "is not denied" if answer.less is not None else "is denied more widely"
    return DenialVerdict(
        id=answer.capability.id,
        resource=answer.denied.scope.native,
        verdict=answer.verdict,
        condition=None if held.condition == ALWAYS else held.condition_text or describe(held.condition),
        permissions=() if use is None else use.permissions,
        target=None if use is None else use.scope.native,
        limit=None if use is None else words(use.limit),
        reasons=tuple(f"{answer.capability.id} {start}: {each}" for each in told),
    )


def undenied(denied: Denied, cloud: Cloud) -> str | None:
    """Return in words what a deny is about and no capability explains, so that the target does not deny it."""
    services = dict(leftover(denied.permissions, denied.taken, cloud.name))
    unlisted = services.pop(REST, None) is not None
    names = [name for group in services.values() for name in group]
    unknown = denied.denial.denied.unlisted
    if not names and not unlisted and not unknown:
        return None
    told = [f"`{name}`" for name in names[:_MOST_NAMED]]
    told += [f"{len(names) - _MOST_NAMED} more"] if len(names) > _MOST_NAMED else []
    told += ["what is not listed here"] if unlisted else []
    told += [f"what nothing is known of ({'; '.join(unknown)})"] if unknown else []
    listed = ", ".join(told)
    return f"{denied.denial.name} denies what no capability explains, and that is not denied: {listed}"


def check_denials(plan: GrantPlan, natives: Sequence[Native], cloud: Cloud, now: datetime) -> None:
    """Check that what was written denies what it is to deny, no less and no more, as the target itself reads it.

    Raises:
        InternalError: it does not, or it is not understood.
    """
    wanted: dict[object, dict[str, list[Condition]]] = defaultdict(lambda: defaultdict(list))
    for use in plan.uses:
        for name in use.permissions:
            wanted[_place(use.scope)][name].append(all_of(use.limit, named(use.scope)))
    given = _read(natives, cloud, now)
    for place, names in wanted.items():
        for name, limits in names.items():
            asked = any_of(NEVER, *limits)
            found = any_of(
                NEVER, *(_found(held, scope, name, cloud) for held, scope in given if _at(scope, held, place, names))
            )
            if found != asked and not same(found, asked):
                raise InternalError(f"`{name}` was to be denied, and reading it back says {describe(found)}")
    for held, scope in given:
        asked_there = {name for place, names in wanted.items() if _at(scope, held, place, names) for name in names}
        beyond = _needing(held.permissions.matches, cloud.name) - _needing(asked_there.__contains__, cloud.name)
        if beyond:
            raise InternalError(f"{', '.join(sorted(beyond))} is denied on `{scope.native}` and was not to be")


def _needing(denied: Callable[[str], bool], cloud: str) -> set[str]:
    """Return the ids of the capabilities that need something that is denied."""
    return {each.id for each in capabilities() if any(map(denied, each.column(cloud).written.values()))}


def _place(scope: Scope) -> object:
    return key_of(place_of(scope))


def _at(scope: Scope, held: Holding, place: object, names: Iterable[str]) -> bool:
    """Tell whether a deny stands at a place; permissions that take no resource are denied anywhere."""
    if _place(scope) == place:
        return True
    return scope.kind == ACCOUNT and held.permissions.issubset(one_of(names, fold=True))


def _found(held: Holding, scope: Scope, name: str, cloud: Cloud) -> Condition:
    if not held.permissions.matches(name):
        return NEVER
    return all_of(named(scope), rewrite(cloud.limit(held, name, None), plain))


def _read(natives: Sequence[Native], cloud: Cloud, now: datetime) -> list[tuple[Holding, Scope]]:
    stated = tuple(cloud.reread(natives))
    problems = [entry for entry in stated if isinstance(entry, Unsupported)]
    if problems or not isinstance(cloud, Denying):
        raise InternalError(f"the denies that were written for {cloud.name} are not understood: {problems[:1]}")
    estate = Estate(tuple(entry for entry in stated if not isinstance(entry, Unsupported)), now)
    found = [each.denied for principal in cloud.principals(estate) for each in cloud.denials(principal, estate)]
    return [(held, read_scope(held.scope, cloud)) for held in found]
