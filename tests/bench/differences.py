"""Differences of documents and estates: small pairs beside z3, large ones for how they grow.

z3 gets the same documents in the usual encoding (`tests/reference/solver.py`). Both sides are shown from the parsed
JSON to the answer, and for the search alone once all it needs is built; by the median, which z3 answers in
milliseconds for small pairs, and for all pairs together, where its slow ones count. A question that z3 does not answer
within its limit counts as the limit, which makes the ratio a lower bound; how many are late stands in the row.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

from idtrans import api
from idtrans.algebra import Status, difference
from idtrans.clouds.aws import CLOUD
from idtrans.model.documents import Document, Format, Hints, Unsupported
from idtrans.model.estate import Estate
from idtrans.model.spans import Place
from tests.bench.dumps import account_dump
from tests.bench.peers import ABSENT, ROOT, module
from tests.bench.table import Row, at_least, at_most, seconds, shown
from tests.reference.solver import NotTakenError, Question

Json = dict[str, Any]
Pair = tuple[Json, Json]
"""New and old."""
NOW = datetime(2026, 11, 1, tzinfo=UTC)
LIMIT = ("timeout", 5_000)
"""Milliseconds that z3 may take for one question."""
HARD = 20
MANAGED = 40
STATEMENTS = (10_000, 100_000)
CHANGED = 10
WANTED = 200


@dataclass(frozen=True)
class Timed:
    """Processor time for one question: to build what it needs, and to answer it."""

    build: float
    answer: float
    found: bool | None
    """Whether there is new access; `None` when that was not told."""

    @property
    def whole(self) -> float:
        """Both."""
        return self.build + self.answer


def rows(folder: Path) -> Iterator[Row]:
    """Yield small pairs of three kinds, then large documents and large accounts."""
    yield from _beside_z3("labelled pairs", _labelled())
    yield from _beside_z3("managed policies", _managed())
    yield from _beside_z3("pairs of patterns", _hard())
    yield from _large_documents(folder)
    yield from _accounts(folder)


def _beside_z3(name: str, pairs: list[Pair]) -> Iterator[Row]:
    z3 = module("z3")
    if not pairs:
        yield Row(f"diff, {name}", "", "absent", target=f">= {WANTED}x")
        return
    asked = [(pair, _by_z3(z3, pair)) for pair in pairs]
    taken = [(pair, found) for pair, found in asked if found is not None]
    for pair, _ in taken:
        _by_idtrans(pair)
    own = [_by_idtrans(pair) for pair, _ in taken]
    if z3 is None:
        yield Row(f"diff, {name}", shown(median(one.whole for one in own)), f"z3 {ABSENT}", target=f">= {WANTED}x")
        return
    late = sum(found.found is None for _, found in taken)
    differing = sum(None is not found.found is not one.found for one, (_, found) in zip(own, taken, strict=True))
    notes = [f"{late} late"] * bool(late) + [f"{differing} DIFFER"] * bool(differing)
    peer = f"z3 ({', '.join(notes)})" if notes else "z3"
    for part, what in (("whole", "with reading"), ("answer", "search only")):
        mine = [getattr(one, part) for one in own]
        theirs = [getattr(found, part) for _, found in taken]
        yield at_least(f"diff, {name}, {what}, median", median(mine), (peer, median(theirs)), WANTED)
        yield at_least(f"diff, {name}, {what}, all {len(taken)}", sum(mine), (peer, sum(theirs)), WANTED)


def _by_z3(z3: Any, pair: Pair) -> Timed | None:
    """Return how z3 does, `None` when the encoding does not take the question; without z3 all are taken."""
    if z3 is None:
        return Timed(0, 0, None)
    begin = process_time()
    try:
        question = Question(z3, *pair, limit=LIMIT)
    except NotTakenError:
        return None
    built = process_time()
    found = question.answer()
    return Timed(built - begin, process_time() - built, found)


def _by_idtrans(pair: Pair) -> Timed:
    begin = process_time()
    new, old = map(_estate, pair)
    principals = sorted({*CLOUD.principals(new), *CLOUD.principals(old)})
    held = [(CLOUD.access(one, new), CLOUD.access(one, old)) for one in principals]
    domain = CLOUD.domain(new)
    built = process_time()
    found = [difference(*both, domain=domain).status for both in held]
    verdict = Status.WITNESS in found or (None if Status.UNKNOWN in found else False)
    return Timed(built - begin, process_time() - built, verdict)


def _estate(document: Json) -> Estate:
    read = Document(Place("pair.json"), Format.JSON, document, Hints(cloud="aws", kind="aws.policy"))
    return Estate(tuple(one for one in CLOUD.parse(read, "aws.policy") if not isinstance(one, Unsupported)), NOW)


def _labelled() -> list[Pair]:
    """Return AWS's own labelled pairs, which are beside the repository where they are at all."""
    path = Path(os.environ.get("IDTRANS_SHARED") or ROOT.parent / "shared") / "data" / "aws_no_new_access.json"
    if not path.is_file():
        return []
    return [(case["candidate"], case["reference"]) for case in json.loads(path.read_text())["cases"]]


def _managed() -> list[Pair]:
    """Return pairs of managed policies of a good size: shortened, joined, under one more deny, and unrelated."""
    managed = module("moto.iam.aws_managed_policies")
    if managed is None:
        return []
    data = json.loads(managed.aws_managed_policies_data)
    known = [data[name]["Document"] for name in sorted(data)]
    sized = [one for one in known if 1_500 < len(json.dumps(one)) < 8_000 and _is_plain(one)]
    found = []
    for place in range(0, len(sized), max(1, 4 * len(sized) // MANAGED)):
        one, other = _statements(sized[place]), _statements(sized[(place * 7 + 1) % len(sized)])
        secret = {"Effect": "Deny", "Action": "*", "Resource": "arn:aws:*:*:*:*secret*"}
        pairs = ((one, one[:-1] or other), (one, [*other, *reversed(one)]), (one, other), (one, [*one, secret]))
        found += [(_document(new), _document(old)) for new, old in pairs]
    return found[:MANAGED]


def _is_plain(document: Json) -> bool:
    """Tell whether a document has neither variables nor sets of values, which the encoding for z3 does not take."""
    text = json.dumps(document)
    return not any(mark in text for mark in ("${", '"ForA', "IgnoreCase", '"Date'))


def _hard() -> list[Pair]:
    return [_hard_pair(Random(seed)) for seed in range(HARD)]


def _hard_pair(random: Random) -> Pair:
    """Return a pair with several wildcards in a resource, all but some actions or resources, and refused patterns."""
    actions = ("s3:Get*", "s3:*Object*", "s3:List*", "s3:Put*Acl", "sqs:*Message*", "dynamodb:*Item")
    resources = (
        "arn:aws:s3:::app-*-data/*/logs/*",
        "arn:aws:s3:::*-data/team-?/*",
        "arn:aws:s3:::app-*/*.json",
        "arn:aws:sqs:eu-*:111122223333:q-*-dead",
        "arn:aws:dynamodb:*:111122223333:table/*/index/*",
        "arn:aws:s3:::app-eu*",
    )
    conditions: tuple[Json, ...] = (
        {"StringNotLike": {"aws:userid": ["*:admin-*", "AROA*:ci-*"]}},
        {"StringLike": {"s3:prefix": ["home/*/public/*", "shared/*"]}},
        {"IpAddress": {"aws:SourceIp": ["10.0.0.0/8", "192.168.0.0/16"]}},
        {"NotIpAddress": {"aws:SourceIp": "10.1.0.0/16"}, "Bool": {"aws:SecureTransport": "true"}},
    )

    def statement() -> Json:
        found: Json = {
            "Effect": "Allow" if random.random() < 0.7 else "Deny",
            random.choice(("Action", "Action", "Action", "NotAction")): random.sample(actions, 2),
            random.choice(("Resource", "Resource", "Resource", "NotResource")): random.sample(resources, 2),
        }
        return found | ({"Condition": random.choice(conditions)} if random.random() < 0.5 else {})

    old = [statement() for _ in range(random.randint(6, 12))]
    changed = [*old, statement()] if random.random() < 0.5 else [one for one in old if one is not old[0]]
    return _document(changed), _document(old)


def _statements(document: Json) -> list[Json]:
    found = document["Statement"]
    return found if isinstance(found, list) else [found]


def _document(statements: list[Json]) -> Json:
    return {"Version": "2012-10-17", "Statement": statements}


def _large_documents(folder: Path) -> Iterator[Row]:
    found = {}
    for count in STATEMENTS:
        files = folder / "large-old.json", folder / "large-new.json"
        for path, changed in zip(files, (0, CHANGED), strict=True):
            path.write_text(json.dumps(_large(count, changed)))
        old, new = (api.load([path], now=NOW) for path in files)
        found[count] = seconds(lambda: api.diff(old, new))  # noqa: B023 - run at once
        yield Row(f"diff, {count:,} statements, {CHANGED} changed", shown(found[count]))
    (few, many) = STATEMENTS
    exponent = math.log(found[many] / found[few]) / math.log(many / few)
    yield at_most("diff, growth exponent over statements", (f"{exponent:.2f}", "linear is 1"), exponent, 1.1)


def _large(count: int, changed: int) -> Json:
    def statement(number: int) -> Json:
        wider = "*" if number % (count // CHANGED) == 1 and changed else "/*"
        return {
            "Effect": "Allow" if number % 5 else "Deny",
            "Action": ["s3:GetObject", f"dynamodb:{'Query' if number % 2 else 'Get*'}"],
            "Resource": f"arn:aws:s3:::bucket-{number}{wider}",
        }

    statements = [statement(number) for number in range(count)]
    Random(changed).shuffle(statements)
    return _document(statements)


def _accounts(folder: Path) -> Iterator[Row]:
    sizes = (1_000, 10_000)
    found = {}
    for roles in sizes:
        path = account_dump(folder, roles)
        data = json.loads(path.read_text())
        for role in data["RoleDetailList"][:: roles // CHANGED]:
            role["RolePolicyList"].append({"PolicyName": "more", "PolicyDocument": _document([_MORE])})
        changed = folder / f"changed-{roles}.json"
        changed.write_text(json.dumps(data, indent=4))
        old, new = api.load([path], now=NOW), api.load([changed], now=NOW)
        found[roles] = seconds(partial(api.diff, old, new))
        yield Row(f"diff, accounts of {roles:,} roles, {CHANGED} changed", shown(found[roles]))
    exponent = math.log10(found[sizes[1]] / found[sizes[0]])
    yield at_most("diff, growth exponent over roles", (f"{exponent:.2f}", "linear is 1"), exponent, 1.1)


_MORE = {"Effect": "Allow", "Action": "s3:*", "Resource": "arn:aws:s3:::payroll/*"}
