"""Sets of IP addresses."""

from __future__ import annotations

import pickle
from ipaddress import ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idtrans.algebra import IpSet, Kind
from idtrans.model.errors import DataError

NOT_ADDRESSES = [
    "",
    "a",
    "10.0.0",
    "10.0.0.256",
    "010.0.0.1",
    " 10.0.0.1",
    "10.0.0.1\n",
    "fe80::1%eth0",
    "1:2:3",
    "10",
    "\N{ARABIC-INDIC DIGIT THREE}.0.0.1",
    "0" * 60,
]
NOT_NETWORKS = [
    *NOT_ADDRESSES,
    "10.0.0.0/33",
    "10.0.0.0/255.0.0.0",
    "10.0.0.0/",
    "::/129",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
]


@pytest.mark.parametrize(
    ("networks", "text", "expected"),
    [
        (["10.0.0.0/8"], "10.255.0.1", True),
        (["10.0.0.0/8"], "11.0.0.0", False),
        (["10.0.0.7/8"], "10.1.2.3", True),
        (["10.0.0.7"], "10.0.0.7", True),
        (["10.0.0.7"], "10.0.0.8", False),
        (["0.0.0.0/0"], "255.255.255.255", True),
        (["0.0.0.0/0"], "::1", False),
        (["0.0.0.0/0"], "::ffff:10.0.0.1", False),
        (["::/0"], "10.0.0.1", False),
        (["::/0"], "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", True),
        (["2001:DB8::/32"], "2001:db8:0::1", True),
        (["10.0.0.0/8", "2001:db8::/32"], "2001:db8::1", True),
        ([], "10.0.0.1", False),
    ],
)
def test_matching(networks, text, expected):
    assert expected is IpSet.of(networks).matches(text)
    assert expected is not (~IpSet.of(networks)).matches(text)


@pytest.mark.parametrize("text", NOT_NETWORKS)
def test_what_is_no_address(text):
    assert not IpSet.everything().matches(text)
    assert not (~IpSet.of(["10.0.0.0/8"])).matches(text)
    with pytest.raises(DataError, match="is not an IP address or network"):
        IpSet.of(["10.0.0.0/8", text])


def test_a_network_is_no_address():
    assert not IpSet.everything().matches("10.0.0.0/8")


@pytest.mark.parametrize(
    ("witness", "words", "addresses"),
    [
        (None, "nothing", IpSet.nothing()),
        (None, "nothing", IpSet.of(["10.0.0.0/8"]) - IpSet.of(["0.0.0.0/0"])),
        ("203.0.113.10", "any IP address", IpSet.everything()),
        ("203.0.113.10", "any IP address", IpSet.of(["0.0.0.0/0", "::/0"])),
        ("203.0.113.10", "in `0.0.0.0/0`", IpSet.of(["0.0.0.0/1", "128.0.0.0/1"])),
        ("10.0.0.1", "in `10.0.0.0/8`", IpSet.of(["10.0.0.0/8", "10.1.0.0/16"])),
        ("172.16.0.0", "in `172.16.0.0/12`", IpSet.of(["172.16.0.0/12"])),
        ("10.9.8.7", "in `10.9.8.7`", IpSet.of(["10.9.8.7"])),
        ("2001:db8::1", "in `10.9.8.7` or `2001:db8::/32`", IpSet.of(["2001:db8::/32", "10.9.8.7/32"])),
        ("203.0.113.10", "not in `10.0.0.0/8`", ~IpSet.of(["10.0.0.0/8"])),
        ("2001:db8::1", "not in `0.0.0.0/0` or `::1`", ~IpSet.of(["0.0.0.0/0", "::1"])),
        ("10.0.0.128", "in `10.0.0.128/25`", IpSet.of(["10.0.0.0/24"]) & IpSet.of(["10.0.0.128/25"])),
    ],
)
def test_witness_and_description(witness, words, addresses):
    assert witness == addresses.witness()
    assert (witness is None) is addresses.is_empty()
    assert words == addresses.describe()
    assert words == str(addresses)


def test_values():
    assert Kind.IP is IpSet.nothing().kind
    assert 1 == len({IpSet.of(["10.0.0.0/8"]), IpSet.of(["10.0.0.0/9", "10.128.0.0/9"]), IpSet.of(["10.1.1.1/8"])})
    assert IpSet.of(["::1"]) == pickle.loads(pickle.dumps(IpSet.of(["0::1"])))  # noqa: S301 - written here
    assert ~IpSet.everything() == IpSet.nothing()
    many = IpSet.of(f"10.{number // 250}.{number % 250}.0/25" for number in range(5_000))
    assert 5_000 == len([*many.networks()])


networks = st.lists(
    st.tuples(st.integers(0, 15), st.integers(28, 32)).map(lambda pair: f"10.0.0.{pair[0]}/{pair[1]}"), max_size=4
)


@given(networks, networks)
def test_sets_agree_with_the_standard_library(one, two):
    first, second = IpSet.of(one), IpSet.of(two)
    for host in range(18):
        text = f"10.0.0.{host}"
        in_first, in_second = (
            any(ip_address(text) in ip_network(network, strict=False) for network in networks)
            for networks in (one, two)
        )
        assert in_first is first.matches(text)
        assert (in_first and in_second) is (first & second).matches(text)
        assert (in_first or in_second) is (first | second).matches(text)
        assert (in_first and not in_second) is (first - second).matches(text)
    assert ~~first == first
    assert IpSet.of(map(str, first.networks())) == first
