"""`idtrans federate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from idtrans.cli import _federate_options as asked
from idtrans.cli import _options as options
from idtrans.cli._exit import ExitCode
from idtrans.cli._federate_options import Accepted, SubjectFormat
from idtrans.cli._session import Session
from idtrans.model.artifacts import ArtifactFormat
from idtrans.model.errors import UsageError
from idtrans.model.values import Reach

if TYPE_CHECKING:
    from idtrans.model.intents import FederationIntent

_GITHUB = "github"
_AWS_NATIVE = "aws-native"
_DIRECT = ("gcp-role", "gcp-resource")


@dataclass(frozen=True, slots=True)
class _Jobs:
    """The options of GitHub, as they are given."""

    repo: str | None
    environment: Sequence[str]
    ref: Sequence[str]
    workflow: Sequence[str]
    pull_request: bool
    any_ref: bool
    repo_id: str | None
    owner_id: str | None
    repo_info: Path | None
    subject_format: SubjectFormat | None


@dataclass(frozen=True, slots=True)
class _Parts:
    """The options of all other issuers, as they are given."""

    part: Mapping[str, tuple[str, ...]]
    any_part: Sequence[str]
    reach: Accepted


def federate(
    session: Session,
    issuer: asked.Issuer,
    to: asked.Targets,
    part: asked.Parts = None,
    any_part: asked.AnyPart = None,
    reach: asked.Widest = Accepted.WORKLOAD,
    issuer_url: asked.IssuerUrl = None,
    audience: asked.Audience = None,
    repo: asked.Repository = None,
    environment: asked.Environments = None,
    ref: asked.Refs = None,
    workflow: asked.Workflows = None,
    pull_request: asked.PullRequest = False,
    any_ref: asked.AnyRef = False,
    repo_id: asked.RepoId = None,
    owner_id: asked.OwnerId = None,
    repo_info: asked.RepoInfo = None,
    subject_format: asked.Format = None,
    gcp_direct: asked.GcpDirect = False,
    name: asked.Name = None,
    emit: options.Emit = ArtifactFormat.NATIVE,
    settings: options.Settings = None,
    form: options.Format = options.OutputFormat.TEXT,
) -> ExitCode:
    """Write keyless trust for a workload: provider, trust or credential for each cloud, and the workflow job.

    The trust lets in the tokens that are named and no others; what was written is read back and judged.
    """
    from idtrans import api

    jobs = _Jobs(
        repo, environment or (), ref or (), workflow or (), pull_request, any_ref, repo_id, owner_id, repo_info,
        subject_format,
    )  # fmt: skip
    parts = _Parts(options.many_values("--part", part), any_part or (), reach)
    unfit: Sequence[tuple[str, object]]
    if issuer == _GITHUB:
        unfit = (("--part", parts.part), ("--any", parts.any_part))
        intent = _github(jobs, name, issuer_url)
        intent = replace(intent, audience=audience)
    else:
        unfit = tuple((f"--{key.replace('_', '-')}", getattr(jobs, key)) for key in _Jobs.__slots__)
        intent = _other(issuer, parts, name, (issuer_url, audience))
    _refuse(issuer, unfit)
    names = _names(options.one_value("--set", settings), gcp_direct=gcp_direct)
    session.answer(api.federate(intent, to, names=names, form=emit), form)
    return ExitCode.OK


def _refuse(issuer: str, unfit: Sequence[tuple[str, object]]) -> None:
    """Refuse options that say nothing about tokens of an issuer."""
    given = [option for option, value in unfit if value]
    if given:
        advice = "name what its tokens say with `--part`" if issuer != _GITHUB else "name jobs with its own options"
        raise UsageError(f"`{given[0]}` says nothing about tokens of `{issuer}`", advice=advice)


def _github(jobs: _Jobs, name: str | None, url: str | None) -> FederationIntent:
    from idtrans import api

    if jobs.pull_request and jobs.any_ref:
        raise UsageError("`--pull-request` and `--any-ref` exclude each other", advice="give one of them")
    info = api.read_github_info(jobs.repo_info) if jobs.repo_info is not None else None
    repository = jobs.repo or (info.repository if info is not None else None)
    if repository is None:
        raise UsageError("no repository is named", advice="give `--repo OWNER/REPO` or `--repo-info FILE`")
    if info is not None and repository != info.repository:
        raise UsageError(f"`{jobs.repo_info}` is of `{info.repository}`, not of `{repository}`", advice="give one")
    breadth = api.Breadth.PULL_REQUEST if jobs.pull_request else api.Breadth.ANY if jobs.any_ref else api.Breadth.NAMED
    known = info.ids if info is not None else api.GithubIds()
    style = None if jobs.subject_format is None else api.SubjectFormat(jobs.subject_format.value)
    intent = api.github_intent(
        repository,
        api.GithubJob(tuple(jobs.environment), tuple(jobs.ref), tuple(jobs.workflow), breadth),
        ids=api.GithubIds(jobs.repo_id or known.repo_id, jobs.owner_id or known.owner_id),
        subject_format=style or (info.subject_format if info is not None else None),
        name=name,
    )
    intent = api.customised(intent, info) if info is not None else intent
    return api.github_issuer(intent, url) if url is not None else intent


def _other(
    issuer: str, parts: _Parts, name: str | None, where: tuple[str | None, str | None]
) -> FederationIntent:  # fmt: skip
    from idtrans import api

    if issuer != _AWS_NATIVE:
        url, audience = where
        chosen = api.AskedTokens(
            issuer, parts.part, frozenset(parts.any_part), url, audience, name, Reach(parts.reach.value)
        )
        return api.asked_intent(chosen)
    unknown = sorted(parts.part.keys() - {"account", "role"})
    accounts = parts.part.get("account", ())
    if unknown or len(accounts) != 1:
        advice = "give `--part account=...` once and `--part role=...` for each role"
        raise UsageError("callers of AWS are named by an account and its roles", advice=advice)
    return api.aws_caller_intent(accounts[0], parts.part.get("role", ()), name=name)


def _names(settings: Mapping[str, str], *, gcp_direct: bool) -> Mapping[str, str]:
    missing = [key for key in _DIRECT if key not in settings]
    if gcp_direct and missing:
        advice = "give `--set gcp-role=roles/... --set gcp-resource=//...`"
        raise UsageError(f"direct access needs `{missing[0]}`", advice=advice)
    if not gcp_direct and len(missing) < len(_DIRECT):
        raise UsageError("a role on a resource is given for direct access", advice="ask for it with `--gcp-direct`")
    return settings
