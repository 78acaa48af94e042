"""Translate and audit identity policy across AWS, GCP and Azure.

The functions of `idtrans.api` stand here too: `idtrans.audit(idtrans.load(["fixtures/acme"]))`. Each is imported when
it is first asked for, so that importing the package costs nothing.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from idtrans.api import audit, can, diff, federate, graph, load, run_suites, translate, trust, who_can

__all__ = [
    "__version__",
    "audit",
    "can",
    "diff",
    "federate",
    "graph",
    "load",
    "run_suites",
    "translate",
    "trust",
    "who_can",
]

__version__ = "0.1.0"

_QUESTIONS = frozenset(__all__) - {"__version__"}
_ROOMS = frozenset({"audit", "diff", "graph", "translate"})
"""Questions that are named like the room that answers them."""


class _Room(ModuleType):
    """A room whose name is also a question: it can be imported from, and called to ask."""

    def __call__(self, *arguments: object, **options: object) -> object:
        """Ask the question of the same name in `idtrans.api`."""
        return _question(self.__name__.rpartition(".")[2])(*arguments, **options)


class _Package(ModuleType):
    """This package. Importing a room binds it here, under a name that is a question too."""

    def __setattr__(self, name: str, value: object) -> None:
        """Let a room that takes the place of a question answer it too."""
        if name in _ROOMS and isinstance(value, ModuleType):
            value.__class__ = _Room
        super().__setattr__(name, value)


def _question(name: str) -> Callable[..., object]:
    from idtrans import api

    found: Callable[..., object] = getattr(api, name)
    return found


def __getattr__(name: str) -> object:
    """Import a question when it is first asked for (PEP 562)."""
    if name in _ROOMS:
        return importlib.import_module(f"{__name__}.{name}")
    if name in _QUESTIONS:
        return _question(name)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    """List the questions too."""
    return sorted({*globals(), *_QUESTIONS})


sys.modules[__name__].__class__ = _Package
