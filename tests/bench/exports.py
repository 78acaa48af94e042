"""Steps over exports of Google Cloud and lists of Azure: load and index, who can, conditions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from idtrans import access, api
from idtrans.algebra import ALWAYS, reduce
from idtrans.clouds.azure._index import index_of as azure_index
from idtrans.clouds.gcp._conditions import request_condition, request_pair
from idtrans.clouds.gcp._index import index_of as gcp_index
from idtrans.ports import Query
from tests.bench.dumps import asset_export, assignment_list, gcp_conditions
from tests.bench.peers import ABSENT, module
from tests.bench.table import Row, at_least, rate, seconds, shown

if TYPE_CHECKING:
    from idtrans.model.estate import Estate

RUNS = 3
MANY = 200
"""Resources that are asked about one after the other."""
NOW = "2026-11-30T12:00:00Z"
BUCKET = "//storage.googleapis.com/projects/_/buckets/team-{}-bucket-{}"
ACCOUNT = (
    "/subscriptions/00000000-0000-0000-0000-{:012}/resourceGroups/group-{}"
    "/providers/Microsoft.Storage/storageAccounts/app"
)


@dataclass(frozen=True)
class Export:
    """One kind of input, and what is asked of it."""

    name: str
    cloud: str
    write: Callable[[Path, int], Path]
    index: Callable[[Estate], object]
    """Build what every question needs."""
    action: str
    resource: Callable[[int], str]


def _index_gcp(estate: Estate) -> None:
    index = gcp_index(estate)
    _ = index.by_member, index.resources, index.at_scope
    api.clouds()["gcp"].principals(estate)


def _index_azure(estate: Estate) -> None:
    azure_index(estate)
    api.clouds()["azure"].principals(estate)


EXPORTS = (
    Export(
        "assets",
        "gcp",
        asset_export,
        _index_gcp,
        "storage.objects.get",
        lambda number: BUCKET.format(number % 500, number) + "/objects/x",
    ),
    Export(
        "assignments",
        "azure",
        assignment_list,
        _index_azure,
        "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/read",
        lambda number: ACCOUNT.format(number % 40, number % 997),
    ),
)


def rows(folder: Path, sizes: tuple[int, ...]) -> Iterator[Row]:
    """Yield the rows of both clouds, and those of conditions."""
    for export in EXPORTS:
        yield from _loads(export, folder, sizes)
        yield from _asked(export, export.write(folder, sizes[-1]), sizes[-1])
    yield from conditions()


def _loads(export: Export, folder: Path, sizes: tuple[int, ...]) -> Iterator[Row]:
    """Yield how fast files of some sizes load and are indexed, and how that grows."""
    # The first load of a process pays for what is read once.
    api.load([export.write(folder, 100)])
    found: list[float] = []
    for size in sizes:
        path = export.write(folder, size)
        found.append(seconds(lambda: export.index(api.load([path])), RUNS))  # noqa: B023 - run at once
        speed = path.stat().st_size / 1e6 / found[-1]
        step = f"load and index, {size:,} {export.name}"
        yield Row(step, f"{speed:,.1f} MB/s", f"in {shown(found[-1])}", speed / 60, ">= 60 MB/s", speed >= 60)
    for (small, quick), (large, slow) in pairwise(zip(sizes, found, strict=True)):
        exponent = math.log(slow / quick) / math.log(large / small)
        step = f"growth exponent, {small:,} -> {large:,} {export.name}"
        yield Row(step, f"{exponent:.2f}", target="<= 1.1", met=exponent <= 1.1)


def _asked(export: Export, path: Path, size: int) -> Iterator[Row]:
    """Yield how long it takes to find who may read one resource, and then many others."""
    estate, cloud = api.load([path]), api.clouds()[export.cloud]
    query = Query("", export.action, export.resource(7))
    cold = seconds(lambda: api.who_can(estate, query.action, query.resource))
    yield Row(f"who can, cold, {size:,} {export.name}", shown(cold))
    others = [replace(query, resource=export.resource(number)) for number in range(1000, 1000 + MANY)]
    found = [0]

    def ask_all() -> None:
        found[0] = sum(len(access.who_can(cloud, estate, each).allowed) for each in others)

    own = seconds(ask_all) / MANY
    yield Row(f"who can, each of {MANY} other resources, {found[0]} found", shown(own), f"{rate(1, own)}")


def conditions() -> Iterator[Row]:
    """Yield how long it takes to lower and to evaluate a condition, beside cel-python."""
    texts, cloud = gcp_conditions(), api.clouds()["gcp"]
    held = [request_condition(text) for text in texts]
    lowering = seconds(lambda: [request_pair.__wrapped__(text) for text in texts]) / len(texts)
    yield Row("lower a condition, once for each text", shown(lowering))
    estate = api.load(["-"], stdin=b'{"bindings": []}')
    name = "projects/_/buckets/logs-3/objects/public/x"
    query = Query(
        "user:a@b.example", "storage.objects.get", f"//storage.googleapis.com/{name}", {"request.time": (NOW,)}
    )
    request = cloud.request(query, estate)
    own = seconds(lambda: [reduce(each, request) for _ in range(200) for each in held], RUNS) / 200 / len(held)
    peer = module("celpy")
    step = f"evaluate a condition, {len(texts)} texts"
    if peer is None:
        yield Row(step, shown(own), f"cel-python {ABSENT}", target=">= 50x")
        return
    environment, given = peer.Environment(), _activation(peer.celtypes, name)
    programs = [environment.program(environment.compile(text)) for text in texts]
    theirs = seconds(lambda: [each.evaluate(given) for _ in range(20) for each in programs], RUNS) / 20 / len(texts)
    alike = [bool(each.evaluate(given)) for each in programs] == [reduce(each, request) == ALWAYS for each in held]
    yield at_least(step if alike else f"{step}, not alike", own, ("cel-python", theirs), 50)


def _activation(types: Any, name: str) -> dict[str, Any]:
    """Return the request as cel-python takes it."""
    attributes = {"type": "storage.googleapis.com/Object", "name": name}
    resource = {types.StringType(key): types.StringType(value) for key, value in attributes.items()}
    request = {types.StringType("time"): types.TimestampType(NOW)}
    return {"request": types.MapType(request), "resource": types.MapType(resource)}
