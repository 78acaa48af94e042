"""Sets of IP addresses, of both versions side by side."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
    summarize_address_range,
)
from typing import TYPE_CHECKING, Final, TypeVar

from idtrans.algebra._intervals import EMPTY, Cut, Line, Side, union_of
from idtrans.algebra._sets import Kind
from idtrans.algebra._text_words import enumerate_words
from idtrans.model.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_Parsed = TypeVar("_Parsed")

_LONGEST: Final = 49
"""Length of the longest spelling of an IPv6 network."""

_SPELLING: Final = re.compile(r"[0-9A-Fa-f:.]+(?:/[0-9]{1,3})?")

_READABLE: Final = ("203.0.113.10", "198.51.100.10", "10.0.0.1", "192.168.0.1", "2001:db8::1")
"""Addresses that a witness uses when it can; the first two and the last are reserved for documentation."""


def _span(first: int, last: int) -> tuple[Cut, Cut]:
    return Cut(Decimal(first), Side.BEFORE), Cut(Decimal(last + 1), Side.BEFORE)


_ALL_V4: Final = union_of([_span(0, (1 << 32) - 1)])
_ALL_V6: Final = union_of([_span(0, (1 << 128) - 1)])


@dataclass(frozen=True, slots=True)
class IpSet:
    """A set of IP addresses. An IPv4 address and the IPv6 address that maps it are different addresses."""

    v4: Line
    v6: Line

    @classmethod
    def of(cls, texts: Iterable[str]) -> IpSet:
        """Return the addresses of some networks or single addresses; raise `DataError` for any other text.

        Bits of an address behind the prefix length are ignored: `10.0.0.7/8` is `10.0.0.0/8`.
        """
        spans: dict[int, list[tuple[Cut, Cut]]] = {4: [], 6: []}
        for text in texts:
            network = _network(text)
            if network is None:
                message = f"`{text}` is not an IP address or network"
                raise DataError(message, advice="write it like `10.0.0.0/8` or `2001:db8::/32`")
            spans[network.version].append(_span(int(network.network_address), int(network.broadcast_address)))
        return cls(union_of(spans[4]), union_of(spans[6]))

    @classmethod
    def everything(cls) -> IpSet:
        """Return the set of all addresses of both versions."""
        return cls(_ALL_V4, _ALL_V6)

    @classmethod
    def nothing(cls) -> IpSet:
        """Return the empty set."""
        return cls(EMPTY, EMPTY)

    @property
    def kind(self) -> Kind:
        """IP addresses."""
        return Kind.IP

    def matches(self, text: str) -> bool:
        """Tell whether the address is a member; text that is no single address never is."""
        address = _address(text)
        if address is None:
            return False
        return (self.v4 if address.version == 4 else self.v6).holds(Decimal(int(address)))  # noqa: PLR2004 - IPv4

    def is_empty(self) -> bool:
        """Tell whether there is no member."""
        return self.v4 == EMPTY and self.v6 == EMPTY

    def witness(self) -> str | None:
        """Return a member, one reserved for documentation if possible; `None` when there is none."""
        readable = (text for text in _READABLE if self.matches(text))
        return next(readable, None) or next((str(network.network_address) for network in self.networks()), None)

    def networks(self) -> Iterator[IPv4Network | IPv6Network]:
        """Yield the networks that the set is made of, the fewest possible, IPv4 first."""
        for first, last in _ranges(self.v4):
            yield from summarize_address_range(IPv4Address(first), IPv4Address(last))
        for first, last in _ranges(self.v6):
            yield from summarize_address_range(IPv6Address(first), IPv6Address(last))

    def describe(self) -> str:
        """Say what the set holds, by networks; by those left out when that is shorter."""
        if self.is_empty():
            return "nothing"
        if self == self.everything():
            return "any IP address"
        inside, outside = [*self.networks()], [*(~self).networks()]
        networks, word = (outside, "not in") if len(outside) < len(inside) else (inside, "in")
        return f"{word} {enumerate_words([_spell(network) for network in networks], 'or')}"

    def __and__(self, other: IpSet) -> IpSet:
        """Return the addresses in both sets."""
        return IpSet(self.v4 & other.v4, self.v6 & other.v6)

    def __or__(self, other: IpSet) -> IpSet:
        """Return the addresses in either set."""
        return IpSet(self.v4 | other.v4, self.v6 | other.v6)

    def __sub__(self, other: IpSet) -> IpSet:
        """Return the addresses in this set and not in the other."""
        return self & ~other

    def __invert__(self) -> IpSet:
        """Return the other addresses of both versions."""
        return IpSet(_ALL_V4 & ~self.v4, _ALL_V6 & ~self.v6)

    def __str__(self) -> str:
        """Render like `describe`."""
        return self.describe()


def _ranges(line: Line) -> Iterator[tuple[int, int]]:
    bounds = [int(cut.point) for cut in line.cuts]
    return ((first, end - 1) for first, end in zip(bounds[::2], bounds[1::2], strict=True))


def _spell(network: IPv4Network | IPv6Network) -> str:
    return f"`{network.network_address if network.prefixlen == network.max_prefixlen else network}`"


def _address(text: str) -> IPv4Address | IPv6Address | None:
    return None if "/" in text else _read(ip_address, text)


def _network(text: str) -> IPv4Network | IPv6Network | None:
    return _read(lambda spelling: ip_network(spelling, strict=False), text)


def _read(parse: Callable[[str], _Parsed], text: str) -> _Parsed | None:
    """Parse what looks like an address: without zone, netmask or spaces, which the standard library would take."""
    if len(text) > _LONGEST or not _SPELLING.fullmatch(text):
        return None
    try:
        return parse(text)
    except ValueError:
        return None
