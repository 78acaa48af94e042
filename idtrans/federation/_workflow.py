"""The workflow that uses a trust: a job that may ask for a token, and the login step of each cloud.

Every value is written as a double-quoted YAML string, which JSON strings are (https://yaml.org/spec/1.2.2/#12-json).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from idtrans.model.errors import UsageError

if TYPE_CHECKING:
    from idtrans.model.artifacts import Emission
    from idtrans.model.intents import FederationIntent, Names

CHECKOUT: Final = "actions/checkout@v6"

_EXPRESSION: Final = re.compile(r"\$\{\{ (?:vars|secrets)\.[A-Za-z_][A-Za-z0-9_]* \}\}")
"""The one form of expression that a name may be: anything else could run code in the workflow."""
_PROVIDER: Final = re.compile(r"projects/[^/]+/locations/global/workloadIdentityPools/[^/]+/providers/[^/]+")

Inputs = Mapping[str, str]


def github_workflow(intent: FederationIntent, emissions: Mapping[str, Emission], names: Names) -> str:
    """Return a workflow whose job logs in to each cloud that an intent was written for, in the order given.

    Raises:
        UsageError: a name would be read as an expression by the runner.
    """
    steps: list[tuple[str, Inputs]] = [(CHECKOUT, {"persist-credentials": "false"})]
    for cloud, emission in emissions.items():
        login = _LOGINS.get(cloud)
        if login is not None:
            steps.append(login(intent, emission, names))
    tail = intent.subjects[0].split(":", 2)[2] if intent.subjects else "*"
    lines = [f"name: {_quoted(intent.name)}", *_trigger(tail), "permissions: {}", "jobs:", "  deploy:"]
    lines += ['    runs-on: "ubuntu-latest"', *_environment(tail)]
    lines += ["    permissions:", '      id-token: "write"', '      contents: "read"', "    steps:"]
    for action, inputs in steps:
        lines += [f"      - uses: {_quoted(action)}", "        with:"]
        lines += [f"          {name}: {_quoted(value)}" for name, value in inputs.items()]
    return "\n".join(lines) + "\n"


def _trigger(tail: str) -> Iterator[str]:
    yield "on:"
    kind, _, value = tail.partition(":")
    if kind == "ref" and value.startswith(("refs/heads/", "refs/tags/")):
        _, sort, name = value.split("/", 2)
        yield "  push:"
        yield f"    {'branches' if sort == 'heads' else 'tags'}: [{_quoted(name)}]"
    else:
        yield f"  {'pull_request' if kind == 'pull_request' else 'workflow_dispatch'}:"


def _environment(tail: str) -> Iterator[str]:
    kind, _, value = tail.partition(":")
    if kind == "environment":
        yield f"    environment: {_quoted(value.replace('%3A', ':'))}"


def _quoted(text: str) -> str:
    if "${{" in text and not _EXPRESSION.fullmatch(text):
        raise UsageError(f"`{text}` would be read as an expression by the runner", advice="use `${{ vars.NAME }}`")
    return json.dumps(text)


def _aws(intent: FederationIntent, emission: Emission, names: Names) -> tuple[str, Inputs]:
    words = [word for command in emission.commands for word in command.words]
    named = words.index("--role-name") + 1 if "--role-name" in words else len(words)
    role = words[named] if named < len(words) else intent.name
    arn = f"arn:aws:iam::{names.get('aws-account-id')}:role/{role}"
    return "aws-actions/configure-aws-credentials@v6", {"role-to-assume": arn, "aws-region": names.get("aws-region")}


def _gcp(intent: FederationIntent, emission: Emission, names: Names) -> tuple[str, Inputs]:
    texts = (text for native in emission.natives for text in _texts(native.content))
    found = next((text for text in texts if _PROVIDER.fullmatch(text)), None)
    pool = f"projects/{names.get('gcp-project-number')}/locations/global/workloadIdentityPools"
    provider = found or f"{pool}/{names.values.get('gcp-pool', intent.name)}/providers/{names.get('gcp-provider')}"
    account = names.get("gcp-service-account")
    if "@" not in account:
        account = f"{account}@{names.get('gcp-project-id')}.iam.gserviceaccount.com"
    return "google-github-actions/auth@v3", {"workload_identity_provider": provider, "service_account": account}


def _azure(intent: FederationIntent, emission: Emission, names: Names) -> tuple[str, Inputs]:  # noqa: ARG001 - a row of a table
    keys = {"client-id": "azure-application-id", "tenant-id": "azure-tenant-id"}
    inputs = {name: names.get(key) for name, key in keys.items()}
    return "azure/login@v3", {**inputs, "subscription-id": names.get("azure-subscription-id")}


_LOGINS: Final[Mapping[str, Callable[[FederationIntent, Emission, Names], tuple[str, Inputs]]]] = {
    "aws": _aws,
    "azure": _azure,
    "gcp": _gcp,
}
"""The login step of each cloud."""


def _texts(content: Any) -> Iterator[str]:  # noqa: ANN401 - JSON
    queue = [content]
    for value in queue:
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            queue += value.values()
        elif isinstance(value, list | tuple):
            queue += value
