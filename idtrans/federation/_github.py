"""Which jobs of a GitHub repository are to be let in, as a federation intent that admits no others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from idtrans.catalog import issuer_of
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

    environment: str | Sequence[str] | None = None
    """One, or several of which any will do; the same for refs and workflows."""
    ref: str | Sequence[str] | None = None
    """In full, such as `refs/heads/main`."""
    workflow: str | Sequence[str] | None = None
    """File and ref, such as `.github/workflows/deploy.yml@refs/heads/main`, of this or of `OWNER/REPO/...`."""
    breadth: Breadth = Breadth.NAMED

    @property
    def environments(self) -> tuple[str, ...]:
        """The environments, without repetition."""
        return _several(self.environment)

    @property
    def refs(self) -> tuple[str, ...]:
        """The refs, without repetition."""
        return _several(self.ref)

    @property
    def workflows(self) -> tuple[str, ...]:
        """The workflows, without repetition."""
        return _several(self.workflow)


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
    contexts = _contexts(job)
    return FederationIntent(
        issuer=ISSUER,
        issuer_kind=KIND,
        name=read_name(name) if name is not None else base_name(repo.name, *(job.environments[:1] or (_short(job),))),
        subjects=tuple(f"repo:{home}:{context}" for home in _homes(repo, ids, chosen) for context in contexts),
        pins=_pins(repo, job, ids),
        reach=Reach.PROJECT if job.breadth is Breadth.ANY else Reach.WORKLOAD,
    )


def github_issuer(intent: FederationIntent, url: str) -> FederationIntent:
    """Return an intent for another issuer of GitHub: of an enterprise, of GHE.com, or of a server.

    Raises:
        UsageError: the URL is no issuer of GitHub, or no token spells it so.
    """
    match = issuer_of(url)
    if match.spelled is not None:
        raise UsageError(f"no token says that its issuer is `{url}`", advice=f"write `{match.spelled}`")
    if match.issuer.kind != KIND:
        advice = (
            "issuers are `https://token.actions.githubusercontent.com/ENTERPRISE` and `https://HOST/_services/token`"
        )
        raise UsageError(f"`{url}` is no issuer of GitHub", advice=advice)
    return replace(intent, issuer=url)


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


def _contexts(job: GithubJob) -> tuple[str, ...]:
    """Return the tails of the subjects."""
    named = job.environments or job.refs or job.workflows
    if job.breadth is not Breadth.NAMED and (job.environments or job.refs):
        raise UsageError(
            f"`{job.breadth.value}` and an environment or a ref exclude each other", advice="ask for one of them"
        )
    if job.environments:
        return tuple(f"environment:{read_environment(name)}" for name in job.environments)
    if job.refs:
        return tuple(f"ref:{read_ref(ref)}" for ref in job.refs)
    if job.breadth is Breadth.PULL_REQUEST:
        return ("pull_request",)
    if job.breadth is Breadth.NAMED and not named:
        advice = "name an environment or a ref, or ask for any job on purpose"
        raise UsageError("nothing says which jobs of the repository are meant", advice=advice)
    return ("*",)


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
        "repository_id": _several(ids.repo_id),
        "repository_owner_id": _several(ids.owner_id),
        # Beside an environment, whose subject does not say it.
        "ref": tuple(map(read_ref, job.refs)) if job.environments else (),
        "job_workflow_ref": tuple(read_workflow(each, repo) for each in job.workflows),
    }
    return tuple(ClaimPin(claim, values) for claim, values in wanted.items() if values)


def _short(job: GithubJob) -> str:
    """Return a word for what is let in."""
    return job.refs[0].rpartition("/")[2] if job.refs else job.breadth.value.replace("named", "workflow")


def _several(given: str | Sequence[str] | None) -> tuple[str, ...]:
    texts = (given,) if isinstance(given, str) else given or ()
    return tuple(dict.fromkeys(texts))
