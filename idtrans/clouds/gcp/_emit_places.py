"""Resources that a binding can stand on beside buckets and containers: how commands and Terraform name them.

https://cloud.google.com/iam/docs/resource-types-with-policies
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from idtrans.model.intents import Scope


@dataclass(frozen=True, slots=True)
class Way:
    """How one kind of resource is named; texts have the parts of its scope in braces."""

    command: tuple[str, ...]
    """Words after `gcloud` and before the member."""
    block: str
    """Type of the Terraform resource."""
    arguments: Mapping[str, str]
    """Arguments of it that name the resource."""


_PROJECT: Final = "--project={project_id}"

WAYS: Final[Mapping[str, Way]] = {
    "secret": Way(
        ("secrets", "add-iam-policy-binding", "{name}", _PROJECT),
        "google_secret_manager_secret_iam_member",
        {"project": "{project_id}", "secret_id": "{name}"},
    ),
    "key": Way(
        ("kms", "keys", "add-iam-policy-binding", "{name}", "--keyring={key_ring}", "--location={location}", _PROJECT),
        "google_kms_crypto_key_iam_member",
        {"crypto_key_id": "{project_id}/{location}/{key_ring}/{name}"},
    ),
    "queue": Way(
        ("pubsub", "subscriptions", "add-iam-policy-binding", "{name}", _PROJECT),
        "google_pubsub_subscription_iam_member",
        {"project": "{project_id}", "subscription": "{name}"},
    ),
    "topic": Way(
        ("pubsub", "topics", "add-iam-policy-binding", "{name}", _PROJECT),
        "google_pubsub_topic_iam_member",
        {"project": "{project_id}", "topic": "{name}"},
    ),
    "registry": Way(
        ("artifacts", "repositories", "add-iam-policy-binding", "{name}", "--location={location}", _PROJECT),
        "google_artifact_registry_repository_iam_member",
        {"project": "{project_id}", "location": "{location}", "repository": "{name}"},
    ),
    "function": Way(
        ("functions", "add-iam-policy-binding", "{name}", "--region={location}", _PROJECT),
        "google_cloudfunctions_function_iam_member",
        {"project": "{project_id}", "region": "{location}", "cloud_function": "{name}"},
    ),
    "service-account": Way(
        ("iam", "service-accounts", "add-iam-policy-binding", "{name}", _PROJECT),
        "google_service_account_iam_member",
        {"service_account_id": "projects/{project_id}/serviceAccounts/{name}"},
    ),
    "vm": Way(
        ("compute", "instances", "add-iam-policy-binding", "{name}", "--zone={zone}", _PROJECT),
        "google_compute_instance_iam_member",
        {"project": "{project_id}", "zone": "{zone}", "instance_name": "{name}"},
    ),
}
"""Ways by kind of scope. A data set has no command of its own: Terraform and the policy itself name it."""


def command_of(scope: Scope) -> tuple[str, ...] | None:
    """Return the words that add a binding to a resource, `None` for a kind without a command."""
    way = WAYS.get(scope.kind)
    return tuple(_filled(word, scope.parts) for word in way.command) if way is not None else None


def block_of(scope: Scope) -> tuple[str, Mapping[str, str]] | None:
    """Return the Terraform resource of a binding on a resource and the arguments that name it."""
    way = WAYS.get(scope.kind)
    if way is None:
        return None
    return way.block, {name: _filled(text, scope.parts) for name, text in way.arguments.items()}


def _filled(text: str, parts: Mapping[str, str]) -> str:
    for name, value in parts.items():
        text = text.replace(f"{{{name}}}", value)
    return text
