"""The verdict: what was written and read back, compared with what was asked for."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from idtrans.algebra import ALWAYS, NEVER, Condition, Language, any_of, describe, one_of, same, union
from idtrans.catalog import ACCOUNT, Capability, action_profile, known_losses, listed, noise
from idtrans.model.artifacts import Loss, LossEffect
from idtrans.model.errors import InternalError, UsageError
from idtrans.model.translations import CapabilityVerdict, Extra
from idtrans.model.values import Verdict, rank
from idtrans.translate._closure import alongside, belonging, closure, is_nothing, unexplained
from idtrans.translate._levels import lies_in, place_of
from idtrans.translate._readback import same_place

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from idtrans.ports import Cloud
    from idtrans.translate._readback import Given
    from idtrans.translate._realise import Item, Realisation, Site


_MOST_MISSING: Final = 5
"""Capabilities that are told apart when they are left out; the verdicts tell the reason of each."""


@dataclass(slots=True)
class Judgement:
    """Verdicts by wanted capability, with what is to be said beside them."""

    verdicts: list[CapabilityVerdict] = field(default_factory=list)
    reasons: dict[str, None] = field(default_factory=dict)
    losses: dict[Loss, None] = field(default_factory=dict)
    given: set[str] = field(default_factory=set)
    """Ids of the capabilities that the target gives."""
    held: frozenset[str] = frozenset()
    """Ids of the capabilities that came with the wanted ones in the source."""

    @property
    def worst(self) -> Verdict:
        """The worst of the verdicts."""
        return worst(each.verdict for each in self.verdicts)


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the worst of some verdicts, EXACT for none."""
    return max(verdicts, key=rank, default=Verdict.EXACT)


def judge(
    realisation: Realisation, given: Sequence[Given], cloud: Cloud, held: frozenset[str] = frozenset()
) -> Judgement:
    """Return the verdict on every wanted capability.

    `held` are ids of capabilities that came with those in the source, so that they are nothing more in the target.

    Raises:
        InternalError: what was written does not give what was asked for, or gives something else unannounced.
        UsageError: something that comes with most roles was to be limited, and comes with another role without limit.
    """
    judgement = Judgement(held=held)
    for site in realisation.sites:
        _judge_site(site, realisation, given, cloud, judgement)
    for item, reason in realisation.missing.items():
        _leave_out(item, Verdict.NARROWER, reason, judgement)
    _tell_missing(realisation.missing, cloud.name, judgement)
    for item, reason in realisation.refused.items():
        _leave_out(item, Verdict.REFUSED, reason, judgement)
    _check_elsewhere(realisation, given, cloud.name)
    return judgement


def _leave_out(item: Item, verdict: Verdict, reason: str, judgement: Judgement) -> None:
    said = f"{item.capability.id}: {reason}"
    if verdict is Verdict.REFUSED:
        judgement.reasons[said] = None
    judgement.verdicts.append(
        CapabilityVerdict(
            item.capability.id,
            item.wanted.scope.native,
            verdict,
            item.wanted.condition,
            missing=(reason,),
            reasons=(said,),
        )
    )


def _tell_missing(missing: Mapping[Item, str], cloud: str, judgement: Judgement) -> None:
    """Say what cannot be said: each with its reason, or many by name."""
    if len(missing) > _MOST_MISSING:
        names = ", ".join(dict.fromkeys(item.capability.id for item in missing))
        judgement.reasons[f"{len(missing)} capabilities cannot be said in {cloud}: {names}"] = None
        return
    for item, reason in missing.items():
        judgement.reasons[f"{item.capability.id}: {reason}"] = None


@dataclass(frozen=True, slots=True)
class _Ground:
    """What is known of one site when its capabilities are judged."""

    site: Site
    cloud: str
    permissions: Language
    """What reading back says is given there."""
    around: tuple[Capability, ...]
    """Capabilities that are wanted there, or on something around it."""
    gained: tuple[Capability, ...]
    """Capabilities that are given and not wanted."""
    rest: Language
    """Permissions that nothing wanted explains."""

    @property
    def parts(self) -> frozenset[str]:
        """Ids of what may come along."""
        return frozenset(part for each in self.around for part in (*each.parts, *each.synonyms))


def _judge_site(
    site: Site, realisation: Realisation, given: Sequence[Given], cloud: Cloud, judgement: Judgement
) -> None:
    here = [each for each in given if _is_of(each, site, realisation, cloud.name)]
    permissions = union(each.permissions for each in here)
    _check(site, realisation, here, cloud)
    sites = [
        other for other in realisation.sites if lies_in(site.scope, other.scope) or same_place(site.scope, other.scope)
    ]
    around = tuple(each for other in sites for each in other.capabilities)
    closed = closure(permissions, cloud.name, place_of(site.scope))
    reached = [each for each in closed if not _kept_out(each, here, cloud)]
    judgement.given |= {each.id for each in reached}
    gained = tuple(each for each in reached if each not in around and each.id not in judgement.held)
    ground = _Ground(site, cloud.name, permissions, around, gained, unexplained(permissions, around, cloud.name))
    _note(ground, judgement)
    for item in site.items:
        verdict = _verdict(item, ground)
        judgement.reasons |= dict.fromkeys(verdict.reasons)
        for effect, told in ((LossEffect.WIDEN, item.fit.widened), (LossEffect.NARROW, item.fit.narrowed)):
            for why in told:
                judgement.losses[Loss("condition", effect, f"{item.capability.id}: {why}")] = None
        judgement.verdicts.append(verdict)


def _kept_out(each: Capability, given: Sequence[Given], cloud: Cloud) -> bool:
    """Tell whether conditions surely keep out a capability of which every permission is given."""
    column = each.column(cloud.name)
    return any(_limit_of(name, column.variant, given, cloud) == NEVER for name in column.permissions)


def _limit_of(name: str, variant: str | None, given: Sequence[Given], cloud: Cloud) -> Condition:
    """Return the limit under which a permission is given by any of some grants."""
    return any_of(NEVER, *(each.limit(name, variant, cloud) for each in given if each.permissions.matches(name)))


def _note(ground: _Ground, judgement: Judgement) -> None:
    """Say what comes along without being more than was asked for."""
    for loss in known_losses(ground.cloud):
        if ground.permissions.overlaps(loss.permission):
            judgement.losses[Loss(loss.feature, LossEffect.WIDEN, loss.gained)] = None
            judgement.reasons[f"{loss.feature}: {loss.gained}"] = None
    stated = {part for each in ground.around if each.tier > 1 for part in each.parts}
    for each in ground.gained:
        if each.id in ground.parts and each.id not in stated:
            judgement.reasons[f"{each.id} comes along, {ground.cloud} has no grant without it"] = None
    beside = alongside(ground.around, ground.cloud) | noise(ground.cloud).printed
    extras = _extras(ground.permissions & (beside - belonging(ground.around, ground.cloud)), ground.cloud)
    if extras:
        names = ", ".join(f"`{each.permission}`" for each in extras)
        judgement.reasons[f"parts of the same object come along: {names}"] = None


def _verdict(item: Item, ground: _Ground) -> CapabilityVerdict:
    own = item.capability
    needed = set(own.column(ground.cloud).permissions)
    beyond = [each for each in ground.gained if each.id not in ground.parts]
    beyond = [each for each in beyond if needed.intersection(each.column(ground.cloud).permissions)]
    beside = ground.permissions & own.column(ground.cloud).alongside - belonging(ground.around, ground.cloud)
    first = ground.site.items[0] is item
    extra = [*_extras(beside, ground.cloud), *(_extras(ground.rest, ground.cloud) if first else ())]
    verdicts = [Verdict.EXACT if own.tier == 1 else Verdict.APPROXIMATE]
    reasons = [f"{own.id}: {each.id} is gained, {ground.cloud} has no grant without it" for each in beyond]
    if any(each.id in own.parts for each in ground.gained) or not is_nothing(beside):
        verdicts.append(Verdict.EXACT_WITH_PARTS)
    if item.placed.narrower is not None:
        verdicts.append(Verdict.NARROWER)
        reasons.append(item.placed.narrower)
    if item.placed.broader is not None:
        verdicts.append(Verdict.BROADER)
        reasons.append(item.placed.broader)
    if item.fit.narrowed:
        verdicts.append(Verdict.NARROWER)
        reasons += [f"{own.id}: an alternative of the condition is left out: {why}" for why in item.fit.narrowed]
    if item.fit.widened:
        verdicts.append(Verdict.BROADER)
        told = "; ".join(item.fit.widened)
        reasons.append(f"{own.id}: the condition `{item.wanted.condition}` is not carried over: {told}")
    if beyond or (first and not is_nothing(ground.rest)):
        verdicts.append(Verdict.BROADER)
    if first and not is_nothing(ground.rest):
        reasons.append(f"the target gives more: {', '.join(each.permission for each in extra)}")
    resource, condition = item.wanted.scope.native, item.wanted.condition
    return CapabilityVerdict(own.id, resource, worst(verdicts), condition, (), tuple(extra), tuple(reasons))


def _extras(permissions: Language, cloud: str) -> list[Extra]:
    if is_nothing(permissions):
        return []
    names = (name for group in listed(cloud, permissions).values() for name in group)
    return [Extra(name, action_profile(cloud, name).plane) for name in names]


def _check(site: Site, realisation: Realisation, given: Sequence[Given], cloud: Cloud) -> None:
    """Check that every permission is given under the limit that it is wanted under, no less and no more."""
    wanted: dict[tuple[str, str | None], list[Condition]] = defaultdict(list)
    for other in realisation.sites:
        if same_place(other.scope, site.scope):
            for column in (each.column(cloud.name) for each in other.capabilities):
                for name in column.permissions:
                    wanted[name, column.variant].append(other.whole_limit)
    for column in (each.column(cloud.name) for each in site.capabilities):
        for name in column.permissions:
            asked = any_of(NEVER, *wanted[name, column.variant])
            found = _limit_of(name, column.variant, given, cloud)
            if found != asked and not same(found, asked):
                raise _mismatch(name, asked, found, site, cloud.name)


def _mismatch(name: str, asked: Condition, found: Condition, site: Site, cloud: str) -> InternalError | UsageError:
    """Return what is wrong with a permission that is not given under the limit that it is wanted under."""
    rides = noise(cloud)
    if (rides.silent | rides.printed).matches(name) and same(any_of(found, asked), found):
        return UsageError(f"`{name}`, which is held under a limit, comes with another role without it")
    where = f"`{site.scope.native}`{'' if asked == ALWAYS else f' if {describe(asked)}'}"
    says = "no" if found == NEVER else describe(found)
    return InternalError(f"`{name}` was to be written on {where}, and reading it back says {says}")


def _check_elsewhere(realisation: Realisation, given: Sequence[Given], cloud: str) -> None:
    for each in given:
        if not any(
            same_place(each.scope, site.scope) or _takes_no_scope(each, site, cloud) for site in realisation.sites
        ):
            raise InternalError(f"something was written on `{each.scope.native}` that was not asked for there at all")


def _is_of(given: Given, site: Site, realisation: Realisation, cloud: str) -> bool:
    """Tell whether a grant was written for a site: it stands there, or everywhere and for no other site."""
    if same_place(given.scope, site.scope):
        return True
    elsewhere = (other for other in realisation.sites if same_place(given.scope, other.scope))
    return _takes_no_scope(given, site, cloud) and not any(_takes_no_scope(given, other, cloud) for other in elsewhere)


def _takes_no_scope(given: Given, site: Site, cloud: str) -> bool:
    """Tell whether a grant is on everything because its permissions take no resource."""
    needed = {name for each in site.capabilities for name in each.column(cloud).permissions}
    return given.scope.kind == ACCOUNT and given.permissions.issubset(one_of(needed, fold=True))
