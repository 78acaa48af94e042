"""What translations write is read by the languages it is written in, whatever names hold, and means those names."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any, Final

import hcl2
import pytest

from idtrans.api import clouds
from idtrans.model.artifacts import ArtifactFormat
from idtrans.model.documents import Unsupported
from idtrans.model.errors import UsageError
from idtrans.model.intents import Names
from idtrans.report import artifacts
from idtrans.translate import IdMap, Pair
from tests.translate.conftest import ACCOUNT, ANA, BUCKET, READER, SUBSCRIPTION, USER

if TYPE_CHECKING:
    from collections.abc import Iterator

HOSTILE = [
    'a"b',
    "it's",
    "a\nb",
    "$(reboot)",
    "`reboot`",
    "${path.module}",
    "%{ for x in y }",
    "back\\slash",
    "; reboot #",
    "\x1b[31m",
    "nul\x00",
    "\u202eltr",
    "漢字",
    "-rf",
    "EOT\nEOT",
]
BLOB_READER = f"{SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/2a2b9908-6ea1-4ae2-8e65-a410df84e7d1"
PROJECT = "//cloudresourcemanager.googleapis.com/projects/acme"


def allow(action: Any, resource: Any, **more: Any) -> dict[str, Any]:
    return {"Effect": "Allow", "Action": action, "Resource": resource, **more}


def cases(name: str) -> Iterator[tuple[str, str, tuple[Any, ...], dict[str, Any]]]:
    """Yield translations in which a name stands wherever the map, the names and the source take one."""
    names = Names(
        {
            **dict.fromkeys(("gcp-project-id", "gcp-bucket", "azure-resource-group", "azure-storage-account"), name),
            **dict.fromkeys(("azure-subscription-id", "aws-account-id", "aws-bucket", "azure-container"), name),
        }
    )
    tag = {"StringEquals": {f"s3:ExistingObjectTag/{name}": name}}
    until = {"DateLessThan": {"aws:CurrentTime": "2027-01-01T00:00:00Z"}}
    denied = {"Effect": "Deny", "Action": "s3:DeleteObject", "Resource": "*"}
    for to in ("gcp", "azure"):
        for statements in (
            (allow("s3:GetObject", "arn:aws:s3:::data/*"),),
            (allow("s3:GetObject", f"arn:aws:s3:::data/{name}*", Condition=until),),
            (allow("s3:GetObject", f"arn:aws:s3:::{name}*/*"),),
            (allow("s3:GetObject", f"arn:aws:s3:::{name}/*"),),
            (allow("s3:ListBucket", "arn:aws:s3:::data", Condition={"StringLike": {"s3:prefix": f"{name}*"}}),),
            (allow("s3:GetObject", "arn:aws:s3:::data/*", Condition=tag),),
            (allow(["s3:GetObject", "secretsmanager:GetSecretValue"], "*"), denied),
        ):
            yield "aws", to, statements, {"names": names}
        owner = Pair(READER, f"user:{name}@b.example" if to == "gcp" else f"entra:{name}")
        yield "aws", to, (allow("s3:GetObject", "*"),), {"mapping": IdMap((owner,))}
    for to in ("aws", "azure"):
        for scope in (BUCKET, PROJECT):
            yield "gcp", to, (scope, {"role": "roles/storage.objectViewer"}), {"names": names}
        yield "gcp", to, (BUCKET, {"role": "roles/storage.objectViewer"}), {"mapping": IdMap((Pair(ANA, name),))}
    for to in ("aws", "gcp"):
        for scope in (SUBSCRIPTION, f"{ACCOUNT}/blobServices/default/containers/logs"):
            yield "azure", to, ({"scope": scope, "roleDefinitionId": BLOB_READER},), {"names": names}
        mapping = IdMap((Pair(USER, name),))
        yield "azure", to, ({"scope": ACCOUNT, "roleDefinitionId": BLOB_READER},), {"mapping": mapping}


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_every_output_is_read_by_its_language(speak, name, tmp_path):
    written = 0
    for source, to, given, options in cases(name):
        try:
            found = getattr(speak, source)(to, *given, **options)
        except UsageError:
            continue
        if not found.emission.natives:
            continue
        written += 1
        texts = {kind: artifacts(found.emission, kind) for kind in ArtifactFormat}
        for native in texts[ArtifactFormat.NATIVE]:
            json.loads(native.content)
        [script] = texts[ArtifactFormat.CLI]
        _check_script(script.content, tmp_path)
        [block] = texts[ArtifactFormat.TERRAFORM]
        _check_terraform(block.content)
        assert not [entry for entry in clouds()[to].reread(found.emission.natives) if isinstance(entry, Unsupported)]
    assert written


_PRELUDE: Final = """set -u
said() { while read -r -t 0.01 _; do :; done; printf '%s\\0' "$#" "$@"; }
aws() { said aws "$@"; }
gcloud() { said gcloud "$@"; }
az() { said az "$@"; }
"""


def _check_script(script: str, tmp_path: Any) -> None:
    """Run a script where there are no programs: only its own commands may be called, with the words that they have."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    path = tmp_path / "script.sh"
    path.write_text(_PRELUDE + script, "utf-8")
    done = subprocess.run([bash, str(path)], capture_output=True, check=False, env={"PATH": ""}, cwd=tmp_path)
    assert (b"", 0) == (done.stderr, done.returncode)
    assert done.stdout.startswith(tuple(f"{count}\0{name}\0".encode() for count in range(3, 40) for name in _TOOLS))
    assert [path] == list(tmp_path.iterdir())


_TOOLS: Final = ("aws", "gcloud", "az")


def _check_terraform(text: str) -> None:
    parsed = hcl2.load(io.StringIO(text))
    assert {"resource"} <= set(parsed)
    assert set(parsed) <= {"resource", "data", "output", "variable", "__comments__", "__inline_comments__"}
    for value in strings(parsed):
        inside = value.replace("$${", "").replace("%%{", "")
        assert "%{" not in inside
        assert all(part.startswith(_REFERENCES) for part in inside.split("${")[1:]), value


_REFERENCES = ("aws_", "google_", "azurerm_", "azuread_", "data.", "jsonencode(")
