"""What every test shares: no network, the same examples each time, and optional outside case data."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent

# No deadline: a busy machine must not fail a law. `make fuzz` looks further, with examples of its own each time.
settings.register_profile(
    "default", deadline=None, max_examples=100, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("fuzz", deadline=None, max_examples=5_000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("IDTRANS_HYPOTHESIS", "default"))


class NetworkUseError(AssertionError):
    """A test tried to talk to something. No `OSError`, so that no retry or fallback takes it for a network fault."""


def _refuse(*args: object, **_: object) -> NoReturn:
    raise NetworkUseError(f"a test tried to use the network: {args[-1] if args else '?'!r}")


@pytest.fixture(autouse=True)
def _offline(monkeypatch):
    """Refuse every outgoing connection and name look-up, local ones too."""
    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, _refuse)
    for name in ("create_connection", "getaddrinfo", "gethostbyname", "gethostbyname_ex", "gethostbyaddr"):
        monkeypatch.setattr(socket, name, _refuse)


@pytest.fixture(scope="session")
def root():
    """Top level of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def shared():
    """Folder of case data that is not part of the repository; without it the test is skipped."""
    named = os.environ.get("IDTRANS_SHARED")
    folder = Path(named) if named else ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("outside case data is absent; set IDTRANS_SHARED to its folder")
    return folder
