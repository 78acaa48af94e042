"""Translation: from a few capabilities to the roles of a catalogue, of a whole umbrella policy, and of every role."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from idtrans import api
from idtrans.algebra import Language, one_of
from idtrans.api import clouds
from idtrans.catalog import builtin_roles, capabilities, capability, managed_policy, use_catalog
from idtrans.model.documents import Hints
from idtrans.model.intents import Scope, Wanted
from idtrans.model.values import Layer
from idtrans.translate import translate
from idtrans.translate._closure import closure
from idtrans.translate._place import Placed
from idtrans.translate._realise import Item, realise
from tests.bench.table import Row, seconds, shown

ROLES = Path(__file__).resolve().parents[3] / "shared" / "data" / "gcp_roles_indexed.json"
"""Every role of Google Cloud, where it is at hand; it is no part of the project."""
NOW = datetime(2026, 11, 1, tzinfo=UTC)
PROJECT = Scope("account", "//cloudresourcemanager.googleapis.com/projects/acme", {"project_id": "acme"})
TEN = (
    "objstore.object.read",
    "objstore.object.list",
    "secret.metadata.read",
    "queue.config.read",
    "log.entry.read",
    "metric.read",
    "dns.record.read",
    "function.config.read",
    "key.list",
    "vm.list",
)
"""Capabilities of ten kinds; those that are called otherwise are replaced by the first that Google Cloud has."""
_WARM, _SECOND, _A_MILLISECOND = 0.005, 1.0, 20
READER = "arn:aws:iam::111122223333:role/reader"


def rows(folder: Path) -> Iterator[Row]:
    """Yield a row for each step; what needs the catalogue says so where it is not at hand."""
    yield _umbrella()
    if not ROLES.is_file():
        yield Row("ten capabilities to GCP, every role", "skipped", "the roles are not at hand")
        return
    use_catalog(_imported(folder))
    try:
        yield _ten()
        yield _recognised()
    finally:
        use_catalog(None)


def _umbrella() -> Row:
    policy = managed_policy("arn:aws:iam::aws:policy/ReadOnlyAccess")
    assert policy is not None
    statements = [
        {"Effect": "Allow", "Action": list(each.actions or ()), "Resource": list(each.resources or ["*"])}
        for each in policy.statements
    ]
    content = json.dumps({"Version": "2012-10-17", "Statement": statements}).encode()

    def step() -> None:
        # A new estate each time: what was derived of the last one is not used again.
        estate = api.load(["-"], stdin=content, hints=Hints(layer=Layer.IDENTITY, principal=READER))
        assert translate(clouds()["aws"], clouds()["gcp"], estate, principal=READER)

    step()
    taken = seconds(step, 3)
    return Row("ReadOnlyAccess to GCP", shown(taken), "", None, "1 s", taken < _SECOND)


def _ten() -> Row:
    here = [
        each for each in capabilities() if each.column("gcp").permissions and "account" in each.column("gcp").levels
    ]
    named = {each.id for each in here}
    spare = (each.id for each in here if each.id not in TEN)
    wanted = [name if name in named else next(spare) for name in TEN]
    items = [Item(Wanted(name, PROJECT), Placed(PROJECT)) for name in wanted]
    assert all(capability(name) for name in wanted)

    def step() -> None:
        assert realise(items, clouds()["gcp"], NOW).sites

    step()
    taken = seconds(step, 9)
    return Row("ten capabilities to GCP, every role", shown(taken), "", None, "5 ms", taken < _WARM)


def _recognised() -> Row:
    held: list[Language] = [
        one_of([name for block in role.blocks for name in block.actions], fold=True) for role in builtin_roles("gcp")
    ]

    def step() -> None:
        for permissions in held:
            closure(permissions, "gcp", PROJECT)

    step()
    taken = seconds(step, 5)
    fast = len(held) / (taken * 1e3)
    return Row(f"recognise {len(held):,} roles", f"{fast:,.0f} a ms", "", None, "20 a ms", fast >= _A_MILLISECOND)


def _imported(folder: Path) -> Path:
    """Write the catalogue that `idtrans catalog import` would write of the roles."""
    content: dict[str, Any] = json.loads(ROLES.read_text("utf-8"))
    names = content["permissions"]
    roles = [
        {"name": name, "title": title, "etag": "x", "includedPermissions": [names[place] for place in _places(spans)]}
        for name, (title, *_, spans) in content["roles"].items()
    ]
    file, written = folder / "roles.json", folder / "catalog.json"
    file.write_text(json.dumps(roles), "utf-8")
    written.write_text(api.import_catalog([file], now=NOW), "utf-8")
    return written


def _places(spans: list[Any]) -> Iterator[int]:
    """Yield the numbers of permissions that spans and single numbers hold."""
    for span in spans:
        if isinstance(span, list):
            yield from range(span[0], span[1] + 1)
        else:
            yield span
