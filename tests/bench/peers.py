"""What others need for the same questions. A peer that is not there is named and skipped."""

from __future__ import annotations

import importlib
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.bench.dumps import ACCOUNT

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / ".cache" / "bench"
"""What `make bench-peers` installs."""
ABSENT = "absent: make bench-peers"


@dataclass(frozen=True)
class Asked:
    """A request by a role of an account dump."""

    principal: str
    action: str
    resource: str


@dataclass(frozen=True)
class Simulated:
    """What iam-simulate answered."""

    seconds: float
    allowed: int


def policies_of(dump: Path) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Return the policy documents of an account dump by name, and the names that each role carries."""
    data = json.loads(dump.read_text())
    documents = {each["Arn"]: each["PolicyVersionList"][0]["Document"] for each in data["Policies"]}
    carried = {}
    for role in data["RoleDetailList"]:
        own = {f"{role['Arn']}/{each['PolicyName']}": each["PolicyDocument"] for each in role["RolePolicyList"]}
        documents |= own
        carried[role["Arn"]] = [*own, *(each["PolicyArn"] for each in role["AttachedManagedPolicies"])]
    return documents, carried


def iam_simulate(dump: Path, asked: list[Asked], teams: dict[str, str], folder: Path) -> Simulated | None:
    """Return how the npm package does on some requests, `None` where node or the package is absent."""
    modules = PEERS / "node" / "node_modules"
    if shutil.which("node") is None or not (modules / "@cloud-copilot" / "iam-simulate").is_dir():
        return None
    documents, carried = policies_of(dump)
    requests = [
        {
            "principal": one.principal,
            "action": one.action,
            "resource": one.resource,
            "account": ACCOUNT,
            "context": {"aws:PrincipalTag/team": teams[one.principal]},
            "policies": carried[one.principal],
        }
        for one in asked
    ]
    question = folder / "requests.json"
    question.write_text(json.dumps({"policies": documents, "requests": requests}))
    # Node looks for packages beside the script.
    script = PEERS / "node" / "iam_simulate.mjs"
    shutil.copyfile(Path(__file__).with_name("iam_simulate.mjs"), script)
    done = subprocess.run(["node", script, question], capture_output=True, text=True, check=True)  # noqa: S607 - on PATH
    return Simulated(**json.loads(done.stdout))


@cache
def module(name: str) -> Any:
    """Return an installed module, `None` where it is absent."""
    # Last of all, so that what the peers bring along replaces nothing.
    if str(PEERS / "python") not in sys.path:
        sys.path.append(str(PEERS / "python"))
    try:
        return importlib.import_module(name)
    except ImportError:
        return None
