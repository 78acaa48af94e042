"""A tiny cloud for tests of the engines: principals hold boxes that the test builds by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

from idtrans.algebra import ALWAYS, ANY_TEXT, AnyOf, Box, Condition, Domain, Except, exact, glob
from idtrans.model.decisions import Knowledge, Request
from idtrans.model.entities import Principal, PrincipalKind
from idtrans.model.estate import Estate
from idtrans.model.spans import Place, Source
from idtrans.model.values import Effect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from idtrans.algebra import Access
    from idtrans.model.documents import Unsupported
    from idtrans.model.facts import ExposureFact, GrantFact
    from idtrans.ports import Cloud, Query, Trust

NOW = datetime(2026, 11, 1, tzinfo=UTC)


def source(path: str, pointer: str = "") -> Source:
    """Return a source in a file that has no text."""
    return Source(Place(path), pointer)


def box(actions: str, resources: str, *, deny: bool = False, when: Condition = ALWAYS, name: str = "s") -> Box:
    """Return a statement for everybody over two globs."""
    effect = Effect.DENY if deny else Effect.ALLOW
    return Box(effect, "identity", ANY_TEXT, glob(actions), glob(resources), when, name, source("p.json", f"/{name}"))


def estate_of(*principals: str, unsupported: tuple[Unsupported, ...] = ()) -> Estate:
    """Return an estate that states principals and nothing else."""
    entities = tuple(Principal("fake", name, PrincipalKind.USER, source("e.json", f"/{name}")) for name in principals)
    return Estate(entities, NOW, unsupported)


@dataclass
class FakeCloud:
    """Access by estate and principal, as the test states it."""

    held: dict[int, dict[str, tuple[Box, ...]]] = field(default_factory=dict)
    remarks: tuple[Unsupported, ...] = ()
    name: str = "fake"
    trusted: tuple[Trust, ...] = ()
    exposed: tuple[ExposureFact, ...] = ()
    granted: tuple[GrantFact, ...] = ()

    def give(self, estate: Estate, principal: str, *boxes: Box) -> None:
        """Let a principal hold statements in an estate."""
        self.held.setdefault(id(estate), {})[principal] = boxes

    def owns(self, principal: str) -> bool:
        """Own everything."""
        return bool(principal)

    def principal(self, text: str, estate: Estate) -> str:
        """Take ids as they are."""
        return text

    def request(self, query: Query, estate: Estate) -> Request:
        """Take queries as they are."""
        knowledge = Knowledge.CLOSED if query.closed else Knowledge.OPEN
        return Request(query.principal, query.action, query.resource, query.context, knowledge)

    def worlds(self, estate: Estate, queries: Sequence[Query]) -> tuple[Estate, ...]:
        """Ask every query of the estate as it is."""
        return tuple(estate for _ in queries)

    def shown(self, request: Request) -> Request:
        """Show requests as they are."""
        return request

    def principals(self, estate: Estate) -> tuple[str, ...]:
        """Name the principals of the estate."""
        return tuple(sorted(entity.id for entity in estate.of(Principal)))

    def access(self, principal: str, estate: Estate) -> Access:
        """Unite the allows and take away the denies."""
        boxes = self.held.get(id(estate), {}).get(principal, ())
        allows = tuple(one for one in boxes if one.effect is Effect.ALLOW)
        denies = tuple(one for one in boxes if one.effect is Effect.DENY)
        return Except(AnyOf(allows), AnyOf(denies))

    def domain(self, estate: Estate) -> Domain:
        """Know nothing about requests."""
        return Domain()

    def trusts(self, estate: Estate) -> tuple[Trust, ...]:
        """Name the trusts of the test."""
        return self.trusted

    def exposures(self, estate: Estate) -> tuple[ExposureFact, ...]:
        """Name the exposures of the test."""
        return self.exposed

    def grants(self, estate: Estate) -> tuple[GrantFact, ...]:
        """Name the grants of the test."""
        return self.granted

    def doubts(self, principal: str, estate: Estate) -> tuple[Unsupported, ...]:
        """Repeat the remarks of the test."""
        return self.remarks


def only(cloud: FakeCloud) -> dict[str, Cloud]:
    """Return clouds by name that hold one fake; it has the methods that engines under test call, not all."""
    return {cloud.name: cast("Cloud", cloud)}


__all__ = ["NOW", "FakeCloud", "box", "estate_of", "exact", "only", "source"]
