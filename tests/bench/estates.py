"""Steps over whole account dumps: load, compile, ask, audit."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from idtrans import access, algebra, api
from idtrans.audit import audit, load_rules
from idtrans.documents import paused_gc
from idtrans.federation import judge
from idtrans.ports import Query
from tests.bench.dumps import account_dump
from tests.bench.peers import ABSENT, Asked, Simulated, iam_simulate
from tests.bench.table import Row, at_least, rate, seconds, shown

if TYPE_CHECKING:
    from idtrans.model.estate import Estate

CHECKS = 4_000
QUESTIONS = (("secretsmanager:GetSecretValue", "{secret}"), ("s3:GetObject", "arn:aws:s3:::app-1/x"))
ACTIONS = ("s3:GetObject", "sqs:SendMessage", "dynamodb:GetItem", "lambda:InvokeFunction", "ec2:RunInstances")
RESOURCES = (
    "arn:aws:s3:::app-{}/x",
    "arn:aws:sqs:eu-west-1:111122223333:queue-{}",
    "arn:aws:dynamodb:eu-west-1:111122223333:table/app-{}",
    "arn:aws:lambda:eu-west-1:111122223333:function:app-{}",
    "arn:aws:ec2:eu-west-1:111122223333:instance/i-{:08}",
)


@dataclass(frozen=True)
class Growth:
    """How long load, compile and effective access of all roles take for one size."""

    roles: int
    load: float
    compile: float

    @property
    def total(self) -> float:
        """Both."""
        return self.load + self.compile


def grow(folder: Path, roles: int) -> Growth:
    """Return how long an estate of so many roles takes."""
    dump = account_dump(folder, roles)
    kept: list[Estate] = []
    loading = seconds(lambda: kept.append(api.load([dump])))
    cloud = api.clouds()["aws"]

    @paused_gc()
    def compile_all() -> None:
        """Compile as who-can does, without the cycle collector."""
        for principal in cloud.principals(kept[0]):
            for _ in algebra.boxes(cloud.access(principal, kept[0])):
                pass

    return Growth(roles, loading, seconds(compile_all))


def growth_rows(folder: Path, sizes: tuple[int, ...]) -> Iterator[Row]:
    """Yield the times by size, and the exponent between the sizes."""
    found = [grow(folder, size) for size in sizes]
    for each in found:
        figure = shown(each.total)
        yield Row(f"load + compile + access of all, {each.roles:,} roles", figure, f"of which load {shown(each.load)}")
    for small, large in pairwise(found):
        exponent = math.log(large.total / small.total) / math.log(large.roles / small.roles)
        step = f"growth exponent {small.roles:,} -> {large.roles:,}"
        yield Row(step, f"{exponent:.2f}", target="<= 1.05", met=exponent <= 1.05)


class Account:
    """One account, loaded and warm."""

    def __init__(self, folder: Path, roles: int) -> None:
        """Load it."""
        self.folder = folder
        self.dump = account_dump(folder, roles)
        self.estate = api.load([self.dump])
        self.cloud = api.clouds()["aws"]
        self.roles = [one for one in self.cloud.principals(self.estate) if ":role/role-" in one]

    @cached_property
    def asked(self) -> list[Asked]:
        """Requests of roles about resources: one of their own account in a few, all else by chance."""
        random, found = Random(1), []
        for _ in range(CHECKS):
            kind = random.randrange(len(ACTIONS))
            resource = RESOURCES[kind].format(random.randint(0, len(self.roles)))
            found.append(Asked(random.choice(self.roles), ACTIONS[kind], resource))
        return found

    @cached_property
    def simulated(self) -> Simulated | None:
        """What iam-simulate needs for the requests."""
        teams = {one.principal: self._team(one.principal) for one in self.asked}
        return iam_simulate(self.dump, self.asked, teams, self.folder)

    def _team(self, principal: str) -> str:
        request = self.cloud.request(Query(principal, "s3:GetObject", "arn:aws:s3:::a/b"), self.estate)
        return request.context["aws:principaltag/team"][0]

    def checks(self) -> Iterator[Row]:
        """Yield how many requests a second are decided, and explained."""
        queries = [Query(one.principal, one.action, one.resource, closed=True) for one in self.asked]
        requests = [self.cloud.request(query, self.estate) for query in queries]
        held = [self.cloud.access(request.principal, self.estate) for request in requests]
        pairs = list(zip(held, requests, strict=True))
        allowed = sum(algebra.holds(*pair) is algebra.Truth.TRUE for pair in pairs)
        verdict = seconds(lambda: [algebra.holds(*pair) for pair in pairs], 3) / CHECKS
        explained = seconds(lambda: [algebra.decide(*pair) for pair in pairs], 3) / CHECKS
        whole = seconds(lambda: [access.can(self.cloud, self.estate, query) for query in queries], 3) / CHECKS
        steps = (
            ("access checks: verdict", verdict, 100.0),
            ("access checks: full explanation", explained, 30.0),
        )
        for step, own, wanted in steps:
            yield self._against(step, own, wanted, allowed)
        yield Row("access checks: from text to report", rate(1, whole))

    def _against(self, step: str, own: float, wanted: float, allowed: int) -> Row:
        if self.simulated is None:
            return Row(step, rate(1, own), f"iam-simulate {ABSENT}", target=f">= {wanted:g}x")
        alike = "" if self.simulated.allowed == allowed else f" ({self.simulated.allowed} allowed, here {allowed})"
        return at_least(step + alike, own, ("iam-simulate", self.simulated.seconds / CHECKS), wanted, rate(1, own))

    def who_can(self) -> Iterator[Row]:
        """Yield how long it takes to find everybody who may do one thing, cold and warm."""
        secret = "arn:aws:secretsmanager:eu-west-1:111122223333:secret:app-7-AbCdEf"
        questions = [(action, resource.format(secret=secret)) for action, resource in QUESTIONS]
        cold = seconds(lambda: api.who_can(self.estate, *questions[0], chains=False))
        yield Row(f"who can, cold, {len(self.roles):,} roles", shown(cold))
        for action, resource in questions:
            found = len(api.who_can(self.estate, action, resource, chains=False).allowed)
            own = seconds(lambda: api.who_can(self.estate, action, resource, chains=False), 5)  # noqa: B023 - run at once
            step = f"who can {action}, warm, {found} found"
            if self.simulated is None:
                yield Row(step, shown(own), f"iam-simulate {ABSENT}", target=">= 300x")
            else:
                loop = self.simulated.seconds / CHECKS * len(self.roles)
                yield at_least(step, own, ("iam-simulate loop", loop), 300)
            api.who_can(self.estate, action, resource)
            chained = seconds(lambda: api.who_can(self.estate, action, resource), 5)  # noqa: B023 - run at once
            yield Row(f"{step}, with chains", shown(chained))

    def audits(self) -> Iterator[Row]:
        """Yield how long the audit takes, and how many trusts a second are judged."""
        fresh = api.load([self.dump])
        rules = load_rules()
        yield Row(
            f"audit, {len(self.roles):,} roles, loaded", shown(seconds(lambda: audit(fresh, api.trusters(), rules)))
        )

    def trusts(self) -> Iterator[Row]:
        """Yield how many trusts a second are judged, each another one."""
        trusts = [trust for trust in self.cloud.trusts(self.estate) if trust.issuer is not None]
        distinct = list({trust.admits: trust for trust in trusts}.values())
        judge(distinct[0])
        own = seconds(lambda: [judge(trust) for trust in distinct[1:]])
        yield Row(f"trusts judged, {len(distinct) - 1} distinct", rate(len(distinct) - 1, own))
