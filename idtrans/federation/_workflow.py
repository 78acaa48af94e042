"""The workflow that uses a trust: a job that may ask for a token, and the login step of each cloud.

Every value is written as a double-quoted YAML string, which JSON strings are (https://yaml.org/spec/1.2.2/#12-json).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from idtrans.model.errors import UsageError

if TYPE_CHECKING:
    from idtrans.model.artifacts import Emission
    from idtrans.model.intents import FederationIntent, Names

CHECKOUT: Final = "actions/checkout@v6"

_PUSHED: Final = {"refs/heads/": "branches", "refs/tags/": "tags"}
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
    tails = tuple(dict.fromkeys(map(_tail, intent.subjects)))
    lines = [f"name: {_quoted(intent.name)}", *_trigger(tails), "permissions: {}", "jobs:", "  deploy:"]
    lines += ['    runs-on: "ubuntu-latest"', *_environment(tails)]
    lines += ["    permissions:", '      id-token: "write"', '      contents: "read"', "    steps:"]
    for action, inputs in steps:
        lines += [f"      - uses: {_quoted(action)}", "        with:"]
        lines += [f"          {name}: {_quoted(value)}" for name, value in inputs.items()]
    return "\n".join(lines) + "\n"


def _tail(subject: str) -> tuple[str, str]:
    """Return what a subject says of the job: a word and its value."""
    words = [*subject.split(":"), "", ""]
    for kind in ("environment", "ref"):
        if kind in words:
            return kind, words[words.index(kind) + 1]
    return ("pull_request" if "pull_request" in words else "", "")


def _trigger(tails: Sequence[tuple[str, str]]) -> Iterator[str]:
    yield "on:"
    refs = [value for kind, value in tails if kind == "ref"]
    names = {start: [ref.removeprefix(start) for ref in refs if ref.startswith(start)] for start in _PUSHED}
    if any(names.values()):
        yield "  push:"
        for start, found in names.items():
            if found:
                yield f"    {_PUSHED[start]}: [{', '.join(map(_quoted, found))}]"
    elif ("pull_request", "") in tails:
        yield "  pull_request:"
    else:
        yield "  workflow_dispatch:"


def _environment(tails: Sequence[tuple[str, str]]) -> Iterator[str]:
    names = [value for kind, value in tails if kind == "environment"]
    if names:
        yield f"    environment: {_quoted(names[0].replace('%3A', ':'))}"


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
    if names.values.get("gcp-role") is not None:
        return "google-github-actions/auth@v3", {"workload_identity_provider": provider}
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
