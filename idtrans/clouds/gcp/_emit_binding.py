"""What a pool's identities are bound to: a service account that they become, or a resource that they use directly.

https://cloud.google.com/iam/docs/workload-identity-federation#access_management
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from idtrans.clouds.gcp._members import project_of_account
from idtrans.clouds.gcp._names import ACCOUNTS, IAM_HOST
from idtrans.model.artifacts import Argv, TerraformBlock
from idtrans.model.errors import UsageError

if TYPE_CHECKING:
    from idtrans.model.intents import Names

ROLE: Final = "roles/iam.workloadIdentityUser"
"""Role that lets its holder become a service account."""
_BUCKETS: Final = "//storage.googleapis.com/projects/_/buckets/"
_PROJECTS: Final = "//cloudresourcemanager.googleapis.com/projects/"


@dataclass(frozen=True, slots=True)
class Binding:
    """A role on a resource, which the identities of a pool get."""

    resource: str
    """Full resource name."""
    role: str
    project: str
    account: str | None = None
    """The service account that the resource is, `None` for direct access."""

    def command(self, member: str) -> Argv:
        """Return the command that adds a member."""
        place = (f"--project={self.project}",)
        if self.account is not None:
            what: tuple[str, ...] = ("iam", "service-accounts", "add-iam-policy-binding", self.account, *place)
        elif self.resource.startswith(_BUCKETS):
            bucket = self.resource.removeprefix(_BUCKETS)
            what = ("storage", "buckets", "add-iam-policy-binding", f"gs://{bucket}")
        else:
            what = ("projects", "add-iam-policy-binding", self.resource.removeprefix(_PROJECTS))
        return Argv(("gcloud", *what, f"--role={self.role}", f"--member={member}", "--condition=None"))

    def block(self, member: str, label: str) -> TerraformBlock:
        """Return the Terraform resource that adds a member."""
        if self.account is not None:
            kind = "google_service_account_iam_member"
            place = {"service_account_id": f"projects/{self.project}/serviceAccounts/{self.account}"}
        elif self.resource.startswith(_BUCKETS):
            kind, place = "google_storage_bucket_iam_member", {"bucket": self.resource.removeprefix(_BUCKETS)}
        else:
            kind, place = "google_project_iam_member", {"project": self.resource.removeprefix(_PROJECTS)}
        return TerraformBlock("resource", (kind, label), {**place, "role": self.role, "member": member})


def binding_of(names: Names, project: str) -> Binding:
    """Return what is bound: the service account, or the resource that is named together with a role on it.

    Raises:
        UsageError: a role is named without a resource, or a resource that no command is known for.
    """
    role, resource = names.values.get("gcp-role"), names.values.get("gcp-resource")
    if role is None and resource is None:
        account = _account(names.get("gcp-service-account"), project)
        # A placeholder keeps its spelling, so the name is not made canonical here.
        full = f"{IAM_HOST}projects/{project_of_account(account) or project}{ACCOUNTS}{account}"
        return Binding(full, ROLE, project, account)
    if role is None or resource is None:
        advice = "give both `gcp-role` and `gcp-resource`"
        raise UsageError("direct access needs a role and the resource that it is on", advice=advice)
    known = next((start for start in (_BUCKETS, _PROJECTS) if resource.startswith(start)), None)
    if known is None or not resource.removeprefix(known) or "/" in resource.removeprefix(known):
        advice = f"give `{_BUCKETS}BUCKET` or `{_PROJECTS}PROJECT`, or let a service account be impersonated"
        raise UsageError(f"`{resource}` is no resource that is opened directly here", advice=advice)
    return Binding(resource, role, project)


def _account(name: str, project: str) -> str:
    return name if "@" in name or name.startswith("<") else f"{name}@{project}.iam.gserviceaccount.com"
