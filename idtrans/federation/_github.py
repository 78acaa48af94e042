"""Which jobs of a GitHub repository are to be let in, as a federation intent that admits no others."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from idtrans.federation._github_names import (
    Repository,
    base_name,
    read_environment,
    read_id,
    read_name,
    read_ref,
    read_repository,
    read_workflow,
)
from idtrans.model.artifacts import Loss, LossEffect
from idtrans.model.errors import UsageError
from idtrans.model.intents import ClaimPin, FederationIntent
from idtrans.model.values import Reach

ISSUER: Final = "https://token.actions.githubusercontent.com"
KIND: Final = "github"


class SubjectFormat(StrEnum):
    """How subjects name their owner and repository."""

    DEFAULT = "default"
    """By name: repositories from before 2026-07-15 that have not opted in to ids."""
    IMMUTABLE = "immutable"
    """By name and id: repositories created, renamed or transferred since then, and those that opted in."""
    BOTH = "both"
    """Either, for the time of the change from one to the other."""


class Breadth(StrEnum):
    """Which jobs are meant where neither an environment nor a ref is named."""

    NAMED = "named"
    """None: something must be named."""
    PULL_REQUEST = "pull-request"
    """Jobs that pull requests start."""
    ANY = "any"
    """Every job of the repository."""


@dataclass(frozen=True, slots=True)
class GithubJob:
    """Which jobs of a repository: an environment, a ref, a workflow, several of these at once, or more on request."""

    environment: str | None = None
    ref: str | None = None
    """In full, such as `refs/heads/main`."""
    workflow: str | None = None
    """File and ref, such as `.github/workflows/deploy.yml@refs/heads/main`, of this or of `OWNER/REPO/...`."""
    breadth: Breadth = Breadth.NAMED


@dataclass(frozen=True, slots=True)
class GithubIds:
    """Ids of a repository and its owner, as `gh api repos/OWNER/REPO` prints them."""

    repo_id: str | None = None
    owner_id: str | None = None

    @property
    def complete(self) -> bool:
        """Whether both are given."""
        return self.repo_id is not None and self.owner_id is not None


def github_intent(
    repository: str,
    job: GithubJob,
    *,
    ids: GithubIds | None = None,
    subject_format: SubjectFormat | None = None,
    name: str | None = None,
) -> FederationIntent:
    """Return the intent to let some jobs of `OWNER/REPO` in, and nobody else.

    With ids the subject is the immutable one unless asked otherwise, and the ids are tested beside it.

    Raises:
        UsageError: a name is not one that GitHub would give, nothing narrows the jobs, or ids are missing.
    """
    repo = read_repository(repository)
    ids = GithubIds(
        read_id(ids.repo_id, "repository id") if ids is not None and ids.repo_id is not None else None,
        read_id(ids.owner_id, "owner id") if ids is not None and ids.owner_id is not None else None,
    )
    chosen = subject_format or (SubjectFormat.IMMUTABLE if ids.repo_id or ids.owner_id else SubjectFormat.DEFAULT)
    if chosen is not SubjectFormat.DEFAULT and not ids.complete:
        advice = "give both `--repo-id` and `--owner-id`, or ask for `--subject-format default`"
        raise UsageError("the immutable subject holds the ids of the repository and of its owner", advice=advice)
    context = _context(job)
    return FederationIntent(
        issuer=ISSUER,
        issuer_kind=KIND,
        name=read_name(name) if name is not None else base_name(repo.name, job.environment or _short(job)),
        subjects=tuple(f"repo:{home}:{context}" for home in _homes(repo, ids, chosen)),
        pins=_pins(repo, job, ids),
        reach=Reach.PROJECT if job.breadth is Breadth.ANY else Reach.WORKLOAD,
    )


def github_losses(intent: FederationIntent) -> tuple[Loss, ...]:
    """Return what an intent costs, whichever cloud it is written for."""
    immutable = ["@" in subject.split("/", 1)[0] for subject in intent.subjects]
    losses = []
    if not any(pin.claim == "repository_id" for pin in intent.pins):
        why = "whoever takes the name of the owner or repository once it is given up gets in; ids are never reused"
        losses.append(Loss("name instead of id", LossEffect.WIDEN, why))
    if not any(immutable):
        why = (
            "repositories created, renamed or transferred since 2026-07-15 carry ids in their subject, "
            "`repo:OWNER@OWNER_ID/REPO@REPO_ID:...`, and do not get in"
        )
        losses.append(Loss("subject by name", LossEffect.NARROW, why))
    if all(immutable):
        why = "repositories from before 2026-07-15 get in once they have opted in to immutable subjects"
        losses.append(Loss("subject with ids", LossEffect.NARROW, why))
    return tuple(losses)


def _context(job: GithubJob) -> str:
    """Return the tail of the subject."""
    named = job.environment or job.ref or job.workflow
    if job.breadth is not Breadth.NAMED and (job.environment or job.ref):
        raise UsageError(
            f"`{job.breadth.value}` and an environment or a ref exclude each other", advice="ask for one of them"
        )
    if job.environment is not None:
        return f"environment:{read_environment(job.environment)}"
    if job.ref is not None:
        return f"ref:{read_ref(job.ref)}"
    if job.breadth is Breadth.PULL_REQUEST:
        return "pull_request"
    if job.breadth is Breadth.NAMED and not named:
        advice = "name an environment or a ref, or ask for any job on purpose"
        raise UsageError("nothing says which jobs of the repository are meant", advice=advice)
    return "*"


def _homes(repo: Repository, ids: GithubIds, chosen: SubjectFormat) -> tuple[str, ...]:
    legacy = f"{repo.owner}/{repo.name}"
    immutable = f"{repo.owner}@{ids.owner_id}/{repo.name}@{ids.repo_id}"
    return {
        SubjectFormat.DEFAULT: (legacy,),
        SubjectFormat.IMMUTABLE: (immutable,),
        SubjectFormat.BOTH: (legacy, immutable),
    }[chosen]


def _pins(repo: Repository, job: GithubJob, ids: GithubIds) -> tuple[ClaimPin, ...]:
    wanted = {
        "repository_id": ids.repo_id,
        "repository_owner_id": ids.owner_id,
        # Beside an environment, whose subject does not say it.
        "ref": read_ref(job.ref) if job.environment is not None and job.ref is not None else None,
        "job_workflow_ref": read_workflow(job.workflow, repo) if job.workflow is not None else None,
    }
    return tuple(ClaimPin(claim, (value,)) for claim, value in wanted.items() if value is not None)


def _short(job: GithubJob) -> str:
    """Return a word for what is let in."""
    return job.ref.rpartition("/")[2] if job.ref is not None else job.breadth.value.replace("named", "workflow")
