"""Chains from one place to another, and who in an estate speaks with the tokens of a cloud."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, cast

from idtrans.algebra import Language, Quantifier, Test, all_of, exact, glob, leaves
from idtrans.api._clouds import clouds, trusters
from idtrans.model.decisions import HopKind
from idtrans.model.entities import Container, Principal, Resource, RoleBinding
from idtrans.model.errors import UsageError
from idtrans.model.values import Reach

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from idtrans.access import Ways
    from idtrans.model.decisions import Hop, Paths
    from idtrans.model.estate import Estate
    from idtrans.ports import Trust

MOST: Final = 10
"""Chains that are wanted, when nobody says how many."""
_SUBJECT: Final = "sub"
_CLAIM: Final = re.compile(r"(?P<name>[A-Za-z][\w./-]{0,80})=(?P<value>.+)", re.DOTALL)
_SPEAK: Final = {"aws": "aws", "entra": "azure", "google": "gcp"}
"""Kinds of issuers whose subjects are identities of a cloud, and that cloud."""


def paths(estate: Estate, start: str, end: str, *, most: int = MOST) -> Paths:
    """Return the chains by which one place leads to another, the surest first and then the shortest.

    Both are ids as the cloud writes them, aliases or globs. A start may also be `CLAIM=GLOB`: whoever gets a token with
    such a claim, as in `repository=acme/app` or `sub=repo:acme/app:*`. An end may be a place that roles are held on.

    Raises:
        UsageError: nothing in the estate is called so.
    """
    from idtrans import access

    known = _Known(estate)
    ends = known.named(end)
    if not ends:
        raise UsageError(f"nothing in the input is called `{end}`", advice="`idtrans graph` lists what there is")
    return access.paths(access.Asked(start, known.begins(start), end, ends, most), ways(estate))


def ways(estate: Estate) -> Ways:
    """Return what an estate says about becoming each of its identities, gathered once."""
    from idtrans import access
    from idtrans.federation import judge

    key = ("access", "ways")
    if key not in estate.memo:
        speakers = _Known(estate).speakers
        estate.memo[key] = access.Ways(estate, clouds(), trusters(), lambda trust: judge(trust).reach, speakers)
    return cast("Ways", estate.memo[key])


@dataclass(frozen=True)
class _Known:
    """The names of an estate."""

    estate: Estate
    _kinds: dict[str, str | None] = field(default_factory=dict)

    def named(self, text: str) -> frozenset[str]:
        """Return the ids that a text means: one of that spelling, of that alias, or all that fit a glob."""
        if text in self._ids:
            return frozenset({text})
        if text in self._aliases:
            return frozenset(self._aliases[text])
        pattern = glob(text)
        return frozenset(each for each in self._ids if pattern.matches(each))

    def begins(self, text: str) -> Callable[[Hop], bool]:
        """Return a function that tells whether a link starts where a text says."""
        named: Collection[str] = self._aliases.get(text, ())
        pattern = glob(text)
        claim = _CLAIM.fullmatch(text)
        if claim is None:
            return lambda hop: hop.party in named or pattern.matches(hop.party)
        bearer = Test(claim["name"], Quantifier.ANY, glob(claim["value"]))
        return lambda hop: (
            hop.kind is HopKind.FEDERATES
            and any(
                trust.issuer == hop.party and _has_claim(trust, claim["name"]) and _still_admits(trust, bearer)
                for trust in self._trusts.get(hop.target, ())
            )
        )

    def speakers(self, trust: Trust) -> Iterator[str]:
        """Yield the identities of the estate that a trust names as subjects of tokens of their own cloud."""
        home = self._home(trust.issuer or "")
        if home is None:
            return
        subjects = {text for leaf in leaves(trust.admits) if isinstance(leaf, Test) for text in _subjects(leaf)}
        for text in sorted(subjects):
            found = sorted(self._speakers.get((home, text), ()))
            if found and _still_admits(trust, Test(_SUBJECT, Quantifier.ONE, exact(text))):
                yield from found

    def _home(self, issuer: str) -> str | None:
        from idtrans.catalog import issuer_of

        if issuer not in self._kinds:
            self._kinds[issuer] = _SPEAK.get(issuer_of(issuer).issuer.kind)
        return self._kinds[issuer]

    @cached_property
    def _ids(self) -> frozenset[str]:
        places = (each.scope for each in self.estate.of(RoleBinding) if isinstance(each.scope, str))
        estate = self.estate
        entities: tuple[Container | Principal | Resource, ...] = (
            *estate.of(Container),
            *estate.of(Principal),
            *estate.of(Resource),
        )
        described = (each.id for each in entities)
        held = (name for cloud in clouds().values() for name in cloud.principals(self.estate))
        return frozenset((*places, *described, *held, *self._trusts))

    @cached_property
    def _aliases(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for each in self.estate.of(Principal):
            for text in (*_spellings(each), each.name):
                if text is not None:
                    found[text].add(each.id)
        return found

    @cached_property
    def _speakers(self) -> dict[tuple[str, str], set[str]]:
        """Identities by their cloud and what the tokens of their cloud call them."""
        found: dict[tuple[str, str], set[str]] = defaultdict(set)
        for each in self.estate.of(Principal):
            for text in _spellings(each):
                found[each.cloud, text].add(each.id)
        return found

    @cached_property
    def _trusts(self) -> dict[str, list[Trust]]:
        found: dict[str, list[Trust]] = defaultdict(list)
        for source in trusters().values():
            for trust in source.trusts(self.estate):
                found[trust.target].append(trust)
        return found


def _spellings(principal: Principal) -> Iterator[str]:
    """Yield what a principal is called, with and without the kind that its cloud puts before it."""
    for text in (principal.id, *principal.aliases):
        yield text
        yield text.partition(":")[2] or text


def _subjects(test: Test) -> Iterable[str]:
    if test.key != _SUBJECT or not isinstance(test.values, Language):
        return ()
    return test.values.members() or ()


def _has_claim(trust: Trust, name: str) -> bool:
    """Tell whether tokens of an issuer have a claim; of an issuer that is not known it is taken to be so."""
    from idtrans.catalog import issuer_of

    issuer = issuer_of(trust.issuer or "").issuer
    return not issuer.certain or any(shape.claim(name) is not None for shape in issuer.shapes)


def _still_admits(trust: Trust, bearer: Test) -> bool:
    """Tell whether a trust lets in some token of which more is known."""
    from idtrans.federation import judge

    # The token has the claim, whether or not the cloud lets a trust test it.
    seen = None if trust.claims is None else trust.claims | {bearer.key}
    return judge(replace(trust, admits=all_of(trust.admits, bearer), claims=seen)).reach is not Reach.DEAD
