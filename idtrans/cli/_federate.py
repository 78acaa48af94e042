"""`idtrans federate`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from idtrans.cli import _options as options
from idtrans.cli._exit import ExitCode
from idtrans.cli._session import Session
from idtrans.model.artifacts import ArtifactFormat
from idtrans.model.errors import UsageError


class Issuer(StrEnum):
    """Whose tokens are let in."""

    GITHUB = "github"


class SubjectFormat(StrEnum):
    """How subjects name their owner and repository."""

    DEFAULT = "default"
    IMMUTABLE = "immutable"
    BOTH = "both"


def federate(
    session: Session,
    issuer: Annotated[Issuer, typer.Argument(help="Whose tokens are let in.")],  # noqa: ARG001 - there is one so far
    repo: Annotated[str, typer.Option("--repo", metavar="OWNER/REPO", help="Repository whose jobs are let in.")],
    to: Annotated[list[str], typer.Option("--to", metavar="CLOUD", help="Cloud that lets them in.")],
    environment: Annotated[
        str | None, typer.Option("--environment", metavar="NAME", help="Jobs of this environment.")
    ] = None,
    ref: Annotated[str | None, typer.Option("--ref", metavar="REF", help="Jobs on this full ref.")] = None,
    workflow: Annotated[
        str | None, typer.Option("--workflow", metavar="FILE@REF", help="Jobs of this workflow file.")
    ] = None,
    pull_request: Annotated[bool, typer.Option("--pull-request", help="Jobs that pull requests start.")] = False,
    any_ref: Annotated[bool, typer.Option("--any-ref", help="Every job of the repository.")] = False,
    repo_id: Annotated[str | None, typer.Option("--repo-id", metavar="ID", help="Id of the repository.")] = None,
    owner_id: Annotated[str | None, typer.Option("--owner-id", metavar="ID", help="Id of its owner.")] = None,
    subject_format: Annotated[
        SubjectFormat | None,
        typer.Option("--subject-format", help="How the subject is spelled.", show_default=False),
    ] = None,
    name: Annotated[str | None, typer.Option("--name", metavar="NAME", help="Base name of what is created.")] = None,
    emit: options.Emit = ArtifactFormat.NATIVE,
    settings: options.Settings = None,
    form: options.Format = options.OutputFormat.TEXT,
) -> ExitCode:
    """Write keyless trust for a pipeline: provider, trust or credential for each cloud, and the workflow job.

    The trust lets in the jobs that are named and no others; what was written is read back and judged.
    """
    from idtrans import api

    if pull_request and any_ref:
        raise UsageError("`--pull-request` and `--any-ref` exclude each other", advice="give one of them")
    breadth = api.Breadth.PULL_REQUEST if pull_request else api.Breadth.ANY if any_ref else api.Breadth.NAMED
    intent = api.github_intent(
        repo,
        api.GithubJob(environment, ref, workflow, breadth),
        ids=api.GithubIds(repo_id, owner_id),
        subject_format=None if subject_format is None else api.SubjectFormat(subject_format.value),
        name=name,
    )
    answer = api.federate(intent, to, names=options.one_value("--set", settings), form=emit)
    session.answer(answer, form)
    return ExitCode.OK
