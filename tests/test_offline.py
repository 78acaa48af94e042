from __future__ import annotations

import socket
import urllib.request

import pytest


def _connect():
    with socket.socket() as stream:
        stream.connect(("192.0.2.1", 443))


def _connect_locally():
    with socket.socket() as stream:
        stream.connect_ex(("127.0.0.1", 9))


def _send():
    with socket.socket(type=socket.SOCK_DGRAM) as datagrams:
        datagrams.sendto(b"?", ("192.0.2.1", 53))


def _look_up():
    socket.getaddrinfo("cloud.example", 443)


def _open_url():
    urllib.request.urlopen("http://cloud.example/")


@pytest.mark.parametrize("attempt", [_connect, _connect_locally, _send, _look_up, _open_url])
def test_no_test_can_reach_a_network(attempt):
    with pytest.raises(AssertionError, match="a test tried to use the network"):
        attempt()
