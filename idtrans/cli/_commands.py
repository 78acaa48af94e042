"""Every command, in the order of the help."""

from __future__ import annotations

from idtrans.cli._app import application
from idtrans.cli._audit import audit
from idtrans.cli._can import can
from idtrans.cli._capabilities import capabilities
from idtrans.cli._catalog import catalog
from idtrans.cli._demo import demo
from idtrans.cli._diff import diff
from idtrans.cli._federate import federate
from idtrans.cli._graph import graph
from idtrans.cli._paths import paths
from idtrans.cli._rules import explain, rules
from idtrans.cli._test import run_tests
from idtrans.cli._translate import translate
from idtrans.cli._trust import trust
from idtrans.cli._who_can import who_can

app = application(
    {
        "demo": demo,
        "audit": audit,
        "can": can,
        "who-can": who_can,
        "paths": paths,
        "diff": diff,
        "test": run_tests,
        "trust": trust,
        "translate": translate,
        "federate": federate,
        "graph": graph,
        "rules": rules,
        "explain": explain,
        "capabilities": capabilities,
        "catalog": catalog,
    }
)
"""The command line as typer runs it."""
