"""The question of this room: what does a principal hold in one cloud, said in another?"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from idtrans.algebra import ALWAYS, all_of
from idtrans.model.artifacts import Emission, Loss, LossEffect
from idtrans.model.entities import Principal
from idtrans.model.errors import InternalError, UsageError
from idtrans.model.intents import Names
from idtrans.model.translations import Residue, TargetGrant, Translation, TranslationSource
from idtrans.model.values import Verdict
from idtrans.ports import Denying, Employing, GrantPlan, Public
from idtrans.translate._cover import NODE_LIMIT
from idtrans.translate._denials import read_denials
from idtrans.translate._deny import Asking, check_denials, settle, verdict_of
from idtrans.translate._fill import fill, fill_scope
from idtrans.translate._judge import Judgement, judge, worst
from idtrans.translate._levels import OBJECT_STORE, read_scope
from idtrans.translate._limits import named, words
from idtrans.translate._map import NO_MAP, IdMap
from idtrans.translate._place import Placement, at_home
from idtrans.translate._readback import read_back
from idtrans.translate._realise import Item, Realisation, realise
from idtrans.translate._recognise import Recognised, recognise
from idtrans.translate._workloads import around, identity_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from idtrans.model.estate import Estate
    from idtrans.model.intents import Scope
    from idtrans.ports import Cloud, Holding, RoleUse
    from idtrans.translate._denials import Denied
    from idtrans.translate._place import Placed
    from idtrans.translate._readback import Given

_NO_NAMES: Final = Names()
_NOT_NAME: Final = re.compile(r"[^a-z0-9]+")
_NAME_LENGTH: Final = 40
_MOST_SERVICES: Final = 5
"""Services that a reason names; the residue names all."""


def translate(
    cloud_from: Cloud,
    cloud_to: Cloud,
    estate: Estate,
    *,
    principal: str | None = None,
    mapping: IdMap = NO_MAP,
    names: Names = _NO_NAMES,
    allow_broader: bool = False,
) -> tuple[Translation, ...]:
    """Return what principals of one cloud hold, as grants of another, one translation for each that holds anything.

    `principal` is one canonical id of the source; without it all are translated. `mapping` says what stands for what,
    `names` fills placeholders by key, such as `gcp-project-id`. What would give more than was held is refused and
    writes nothing, unless `allow_broader`; what would give access of a more dangerous kind is always refused.

    Raises:
        InternalError: what was written does not read back as what was meant.
        DataError: a capability or role file breaks its schema.
    """
    asked = (principal,) if principal is not None else _acting(cloud_from, estate)
    placement = Placement(cloud_from, cloud_to, mapping, names)
    found = (_one(each, estate, placement, allow_broader=allow_broader) for each in asked)
    return tuple(translation for translation in found if translation is not None)


def _acting(cloud: Cloud, estate: Estate) -> tuple[str, ...]:
    """Return the principals that can have a counterpart: services stand for the workloads that run as a role."""
    named = cloud.principals(estate)
    return tuple(each for each in named if not isinstance(cloud, Employing) or not cloud.is_service(each))


def _one(principal: str, estate: Estate, placement: Placement, *, allow_broader: bool) -> Translation | None:
    source, target = placement.source, placement.target
    holdings = source.holdings(principal, estate)
    doubts = source.doubts(principal, estate)
    denied = read_denials(principal, source, estate)
    if not holdings and not doubts and not denied:
        return None
    recognised = recognise(principal, _kind(principal, estate), holdings, source)
    base = Translation(
        source=TranslationSource(source.name, _path(holdings)),
        principal=principal,
        target=target.name,
        verdict=Verdict.REFUSED,
        residue=tuple(Residue(service, names) for service, names in recognised.intent.residue.items()),
    )
    if recognised.unsure:
        return replace(base, reasons=tuple(f"less may be held than is granted: {each}" for each in recognised.unsure))
    more = tuple(dict.fromkeys((*recognised.unclear, *(doubt.reason for doubt in doubts))))
    recognised = replace(recognised, unclear=more)
    everybody = isinstance(source, Public) and source.is_everybody(principal)
    if everybody and placement.id_map.principal(principal, target) is None:
        return replace(base, reasons=(f"`{principal}` is everybody: map it to a principal of {target.name}",))
    places = [*(each.scope for each in recognised.intent.wanted), *(each.scope for each in denied)]
    placement = at_home(principal, estate, placement, places)
    try:
        return _written(base, (recognised, denied), estate, placement, allow_broader=allow_broader)
    except UsageError as refusal:
        return replace(base, reasons=(str(refusal),))


def _written(
    base: Translation,
    read: tuple[Recognised, tuple[Denied, ...]],
    estate: Estate,
    placement: Placement,
    *,
    allow_broader: bool,
) -> Translation:
    (recognised, denied), target, names = read, placement.target, placement.names
    items = tuple(
        Item(wanted, _placed(wanted.scope, placement), recognised.limits.get(wanted, ALWAYS))
        for wanted in recognised.intent.wanted
    )
    asking = Asking(placement.source, target, names, lambda scope: _placed(scope, placement), items)
    settled = settle(denied, asking, estate)
    realisation = realise(settled.remaining.items, target, estate.now)
    realisation.missing.update(settled.remaining.unsaid)
    name = _name(base.principal, estate)
    identity = identity_for(base.principal, name, estate, placement)
    holder = placement.id_map.principal(base.principal, target) or names.get(f"{target.name}-principal")
    holder = holder if identity is None else identity.principal
    plan = GrantPlan(holder, realisation.uses, name)
    emission = fill(target.emit_grants(plan), names) if plan.uses else Emission()
    judgement = judge(realisation, _read_back(plan, emission, target, estate), target, frozenset(recognised.implied))
    _add_source_side(judgement, recognised, base.source.cloud)
    emission = _with_denials(emission, replace(plan, uses=settled.uses, name=f"{plan.name}-denies"), placement, estate)
    emission = around(emission, identity, placement) if emission.natives else emission
    verdict = worst((_overall(judgement, recognised, emission), settled.verdict))
    reasons = [*judgement.reasons, *(loss.why for loss in (*settled.losses, *emission.losses))]
    reasons += [
        f"{item.capability.id} is granted and not held: {deny.denial.name} denies it"
        for item, deny in settled.remaining.gone.items()
    ]
    reasons += [remark for item in items for remark in item.placed.remarks]
    reasons += identity.remarks if identity is not None else ()
    if not realisation.searched.complete:
        reasons.append(f"the search for roles ended after {NODE_LIMIT} sets on one scope: others may give less beside")
    draft = replace(
        base,
        verdict=verdict,
        capabilities=tuple(judgement.verdicts),
        denials=tuple(map(verdict_of, settled.answers)),
        losses=(*judgement.losses, *settled.losses, *emission.losses),
        searched=realisation.searched,
    )
    if verdict is Verdict.REFUSED or (verdict is Verdict.BROADER and not allow_broader):
        return replace(draft, verdict=Verdict.REFUSED, reasons=_refusal(verdict, realisation, reasons))
    return replace(
        draft,
        reasons=tuple(
            dict.fromkeys([*reasons, *_unfilled(emission, None if identity is not None else holder, base.principal)])
        ),
        grants=tuple(
            TargetGrant(holder, use.role, use.scope.native, _condition(use), use.capabilities) for use in plan.uses
        ),
        emission=emission,
        placeholders=emission.placeholders,
    )


def _condition(use: RoleUse) -> str | None:
    """Return the condition of a grant: what the target writes as it stands, and the limit in words."""
    told = [text for text in (use.condition, words(all_of(use.limit, named(use.scope)))) if text is not None]
    return " and ".join(told) or None


def _with_denials(emission: Emission, plan: GrantPlan, placement: Placement, estate: Estate) -> Emission:
    """Return what is written with denies before it. Raises `UsageError` for a principal that they cannot name."""
    target = placement.target
    if not plan.uses or not isinstance(target, Denying):
        return emission
    denies = fill(target.emit_denials(plan), placement.names)
    check_denials(plan, denies.natives, target, estate.now)
    return Emission(
        (*denies.natives, *emission.natives),
        (*denies.commands, *emission.commands),
        (*denies.terraform, *emission.terraform),
        (*denies.losses, *emission.losses),
        tuple(dict.fromkeys((*denies.placeholders, *emission.placeholders))),
    )


def _read_back(plan: GrantPlan, emission: Emission, target: Cloud, estate: Estate) -> tuple[Given, ...]:
    """Return what was written. Raises `UsageError` when it is not understood for the principal of the map alone."""
    try:
        return read_back(emission.natives, target, estate.now)
    except InternalError as error:
        anybody = replace(plan, principal=_NO_NAMES.get(f"{target.name}-principal"))
        read_back(target.emit_grants(anybody).natives, target, estate.now)
        raise UsageError(f"`{plan.principal}` is no principal of {target.name}", advice="mend the map") from error


def _placed(scope: Scope, placement: Placement) -> Placed:
    placed = placement.place(scope)
    filled = fill_scope(placed.scope, placement.names)
    if filled.kind != OBJECT_STORE:
        # Written by its parts alone, it is to be found again in what is read back.
        filled = read_scope(filled.native, placement.target)
    return replace(placed, scope=filled)


def _refusal(verdict: Verdict, realisation: Realisation, reasons: Sequence[str]) -> tuple[str, ...]:
    first = "the target would give more than is held, and nothing is written without `--allow-broader`"
    if verdict is Verdict.REFUSED:
        first = "the target cannot say it without access of a more dangerous kind"
        if not realisation.refused:
            first = "nothing of what is held can be said in the target"
    return tuple(dict.fromkeys([first, *reasons]))


def _unfilled(emission: Emission, holder: str | None, principal: str) -> list[str]:
    reasons = []
    if holder in emission.placeholders:
        reasons.append(f"nothing says who `{principal}` is in the target: map the principal")
    if emission.placeholders:
        names = ", ".join(emission.placeholders)
        reasons.append(f"the output cannot be applied as it stands: replace {names}, or name them in a map")
    return reasons


def _add_source_side(judgement: Judgement, recognised: Recognised, cloud: str) -> None:
    """Say what the source gives that is not carried over by name."""
    for loss in recognised.losses:
        judgement.losses[loss] = None
        judgement.reasons[f"{loss.feature}: {loss.why}"] = None
    for name in (each for each in recognised.implied if each not in judgement.given):
        judgement.reasons[f"{name} comes with what is held in {cloud} and is not asked for by itself"] = None
    if recognised.along:
        names = ", ".join(f"`{name}`" for name in recognised.along)
        judgement.reasons[f"parts of the same object that {cloud} names apart are left out: {names}"] = None
    for reason in recognised.unclear:
        judgement.reasons[f"more may be held, which is not carried over: {reason}"] = None
    for scope in recognised.unplaced:
        judgement.reasons[f"no other cloud can grant what is held on `{scope}`, so that it is not carried over"] = None
    for name in recognised.partial:
        judgement.reasons[f"only a part of {name} is held, so that it is not carried over"] = None
    wanted = len(recognised.shares)
    if wanted:
        held, known = (sum(share[place] for share in recognised.shares.values()) for place in (0, 1))
        told = f"what {wanted} services state is carried over service by service, which is approximate"
        judgement.reasons[f"{told}: {held} of {known} permissions of it are held"] = None
    judgement.reasons |= dict.fromkeys(_residue_words(recognised.intent.residue))


def _residue_words(residue: Mapping[str, tuple[str, ...]]) -> list[str]:
    if not residue:
        return []
    count, services = sum(map(len, residue.values())), ", ".join(list(residue)[:_MOST_SERVICES])
    more = f" and {len(residue) - _MOST_SERVICES} more services" if len(residue) > _MOST_SERVICES else ""
    return [f"no capability explains {count} of the permissions held, in {services}{more}"]


def _overall(judgement: Judgement, recognised: Recognised, emission: Emission) -> Verdict:
    verdicts = [judgement.worst]
    if recognised.along or not judgement.given.issuperset(recognised.implied):
        verdicts.append(Verdict.EXACT_WITH_PARTS)
    if recognised.intent.residue or recognised.unclear or _has(emission.losses, LossEffect.NARROW):
        verdicts.append(Verdict.NARROWER)
    if _has(emission.losses, LossEffect.WIDEN):
        verdicts.append(Verdict.BROADER)
    if not emission.natives:
        verdicts.append(Verdict.REFUSED)
    return worst(verdicts)


def _has(losses: Iterable[Loss], effect: LossEffect) -> bool:
    return any(loss.effect is effect for loss in losses)


def _kind(principal: str, estate: Estate) -> str:
    kinds = (each.kind.value for each in estate.of(Principal) if each.id == principal)
    return next(kinds, "unknown")


def _path(holdings: Iterable[Holding]) -> str:
    return next((holding.source.path for holding in holdings), "")


def _name(principal: str, estate: Estate) -> str:
    """Return a base name for what is created: what the principal is called, or the last part of its id."""
    called = (each.name for each in estate.of(Principal) if each.id == principal and each.name)
    last = re.split(r"[/:]", next(called, principal).partition("@")[0])[-1]
    return f"{_NOT_NAME.sub('-', last.lower()).strip('-')[:_NAME_LENGTH].strip('-') or 'principal'}-translated"
