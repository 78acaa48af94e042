"""Service accounts that jobs, functions and instances run as.

https://cloud.google.com/iam/docs/attach-service-accounts
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from idtrans.clouds.gcp._emit_text import label, placeholders
from idtrans.clouds.gcp._members import member
from idtrans.model.artifacts import Argv, Emission, Reference, TerraformBlock
from idtrans.model.entities import PrincipalKind
from idtrans.model.intents import Names
from idtrans.ports import Workload, WorkloadIdentity, WorkloadKind

_LONGEST: Final = 30
_SHORTEST: Final = 6
_NOT_ID: Final = re.compile(r"[^a-z0-9]+")
_REMARKS: Final = (
    "a project stands for the account or subscription: workloads of others run as its identity only by special leave",
    "a new service account is not known everywhere at once: what does not find it is to be tried again after a minute",
)


def workload(principal: str) -> Workload | None:
    """Return that workloads run as a service account; what runs is not stated by its bindings."""
    return Workload() if member(principal).kind is PrincipalKind.SERVICE_IDENTITY else None


def account_id(name: str) -> str:
    """Return a name as the id of a service account: 6 to 30 lower-case letters, digits and hyphens, a letter first.

    https://cloud.google.com/iam/docs/service-accounts-create
    """
    found = _NOT_ID.sub("-", name.lower()).strip("-")
    found = found if found[:1].isalpha() else f"id-{found}"
    found = found[:_LONGEST].rstrip("-")
    return found if len(found) >= _SHORTEST else f"{found}-account"


def emit_identity(used: Workload, name: str, names: Names) -> WorkloadIdentity:
    """Return a service account, and what makes workloads run as it."""
    account, project = account_id(name), names.get("gcp-project-id")
    address = f"{account}@{project}.iam.gserviceaccount.com"
    create = ("gcloud", "iam", "service-accounts", "create", account, f"--project={project}")
    commands = (Argv((*create, f"--display-name={account}"), "create the service account"),)
    block = TerraformBlock(
        "resource",
        ("google_service_account", label(account)),
        {"project": project, "account_id": account, "display_name": account},
    )
    created = Emission((), commands, (block,), (), placeholders((), commands, (block,)))
    attach = tuple(command for kind in used.kinds for command in _attach(kind, address, names))
    value = Reference(f"google_service_account.{label(account)}.email")
    outputs = (TerraformBlock("output", (f"{label(account)}_email",), {"value": value}),)
    attached = Emission((), attach, outputs, (), placeholders((), attach, ()))
    reference = Reference(f"google_service_account.{label(account)}.member")
    principal = f"serviceAccount:{address}"
    return WorkloadIdentity(principal, created, attached, reference, principal, _REMARKS)


def _attach(kind: WorkloadKind, address: str, names: Names) -> Iterator[Argv]:
    if kind is WorkloadKind.FUNCTION:
        place = (names.get("gcp-function"), f"--region={names.get('gcp-region')}")
        deploy = ("gcloud", "functions", "deploy", *place, f"--service-account={address}")
        yield Argv(deploy, "make the function run as the service account")
    if kind is WorkloadKind.INSTANCE:
        place = (names.get("gcp-instance"), f"--zone={names.get('gcp-zone')}")
        setting = ("gcloud", "compute", "instances", "set-service-account", *place, f"--service-account={address}")
        yield Argv((*setting, "--scopes=cloud-platform"), "make the instance, while it is stopped, run as it")
    if kind is WorkloadKind.CONTAINER:
        place = (names.get("gcp-job"), f"--region={names.get('gcp-region')}")
        words = ("gcloud", "run", "jobs", "update", *place, f"--service-account={address}")
        yield Argv(words, "make the job run as the service account")
