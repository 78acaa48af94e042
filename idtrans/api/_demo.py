"""The demonstration: the main questions, asked of the bundled estate."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from idtrans.api._audits import audit, rules
from idtrans.api._clouds import clouds
from idtrans.api._federations import GithubJob, federate, github_intent
from idtrans.api._load import load
from idtrans.api._questions import count_graph
from idtrans.api._translations import translate
from idtrans.model.answers import CloudCount, Demonstration, TranslationsAnswer
from idtrans.model.artifacts import ArtifactFormat
from idtrans.model.data import fixtures_dir
from idtrans.model.entities import Credential, Resource

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from idtrans.model.estate import Estate

COLLECTED: Final = datetime(2026, 11, 1, tzinfo=UTC)
"""When the bundled estate was collected; its ages count from here."""


def demonstrate(progress: Callable[[str], None], *, now: datetime | None = None) -> Demonstration:
    """Return the demonstration; `progress` is told what comes next, a line each."""
    moment = now or COLLECTED
    folder = fixtures_dir() / "acme"
    progress("[1/5] reading three clouds")
    estate = load([folder], now=moment)
    progress("[2/5] building the permission graph")
    graph = count_graph(estate)
    progress("[3/5] auditing")
    report = audit(estate)
    progress("[4/5] translating a read grant, from each cloud to each other")
    translations = _translations(folder / "translate", moment)
    progress("[5/5] writing keyless trust for a GitHub job")
    intent = github_intent("acme/app", GithubJob(environment="prod"))
    federation = federate(intent, list(clouds()), form=ArtifactFormat.TERRAFORM)
    return Demonstration(
        clouds=tuple(_count(estate, name) for name in clouds()),
        graph=graph,
        audit=report,
        fact_kinds={rule.id: rule.fact for rule in rules().rules},
        translations=translations,
        federation=federation,
    )


def _translations(folder: Path, now: datetime) -> TranslationsAnswer:
    estate = load([folder], now=now)
    answers = [translate(estate, name, mapping=folder / "map.yaml") for name in clouds()]
    found = [entry for answer in answers for entry in answer.translations]
    return TranslationsAnswer(tuple(sorted(found, key=lambda entry: entry.source.cloud)), estate.unsupported)


def _count(estate: Estate, name: str) -> CloudCount:
    cloud = clouds()[name]
    return CloudCount(
        cloud=name,
        documents=sum(entry.shape is not None and entry.shape.startswith(f"{name}.") for entry in estate.inputs),
        principals=len(cloud.principals(estate)),
        grants=len(cloud.grants(estate)),
        trusts=len(cloud.trusts(estate)),
        credentials=len(estate.of(Credential, name)),
        resources=len(estate.of(Resource, name)),
    )
