"""Options of `idtrans federate`, with their words for the help."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class SubjectFormat(StrEnum):
    """How subjects name their owner and repository."""

    DEFAULT = "default"
    IMMUTABLE = "immutable"
    BOTH = "both"


class Accepted(StrEnum):
    """How wide a trust may be."""

    WORKLOAD = "workload"
    PROJECT = "project"
    TENANT = "tenant"


Issuer = Annotated[
    str,
    typer.Argument(metavar="ISSUER", help="Whose tokens are let in: github, gitlab, kubernetes, google, aws, ..."),
]
Targets = Annotated[list[str], typer.Option("--to", metavar="CLOUD", help="Cloud that lets them in.")]
Parts = Annotated[
    list[str] | None,
    typer.Option(
        "--part",
        "--subject-part",
        metavar="KEY=VALUE",
        help="What the tokens say, such as project=acme/app; the same key twice means either.",
        show_default=False,
    ),
]
AnyPart = Annotated[
    list[str] | None,
    typer.Option("--any", metavar="KEY", help="A part that may be anything.", show_default=False),
]
Widest = Annotated[Accepted, typer.Option("--reach", help="The widest reach that is accepted.")]
IssuerUrl = Annotated[
    str | None, typer.Option("--issuer", metavar="URL", help="URL of the issuer, where it is not the usual one.")
]
Audience = Annotated[
    str | None, typer.Option("--audience", metavar="TEXT", help="Audience of the tokens, if not the usual one.")
]
Repository = Annotated[
    str | None, typer.Option("--repo", metavar="OWNER/REPO", help="GitHub: repository whose jobs are let in.")
]
Environments = Annotated[
    list[str] | None,
    typer.Option("--environment", metavar="NAME", help="GitHub: jobs of this environment.", show_default=False),
]
Refs = Annotated[
    list[str] | None,
    typer.Option("--ref", metavar="REF", help="GitHub: jobs on this full ref.", show_default=False),
]
Workflows = Annotated[
    list[str] | None,
    typer.Option("--workflow", metavar="FILE@REF", help="GitHub: jobs of this workflow file.", show_default=False),
]
PullRequest = Annotated[bool, typer.Option("--pull-request", help="GitHub: jobs that pull requests start.")]
AnyRef = Annotated[bool, typer.Option("--any-ref", help="GitHub: every job of the repository.")]
RepoId = Annotated[str | None, typer.Option("--repo-id", metavar="ID", help="GitHub: id of the repository.")]
OwnerId = Annotated[str | None, typer.Option("--owner-id", metavar="ID", help="GitHub: id of its owner.")]
RepoInfo = Annotated[
    Path | None,
    typer.Option(
        "--repo-info",
        metavar="FILE",
        help="GitHub: output of gh api repos/OWNER/REPO/actions/oidc/customization/sub.",
    ),
]
Format = Annotated[
    SubjectFormat | None,
    typer.Option("--subject-format", help="GitHub: how the subject is spelled.", show_default=False),
]
GcpDirect = Annotated[
    bool, typer.Option("--gcp-direct", help="GCP: open the resource gcp-resource itself, with the role gcp-role.")
]
Name = Annotated[str | None, typer.Option("--name", metavar="NAME", help="Base name of what is created.")]

__all__ = [
    "Accepted",
    "AnyPart",
    "AnyRef",
    "Audience",
    "Environments",
    "Format",
    "GcpDirect",
    "Issuer",
    "IssuerUrl",
    "Name",
    "OwnerId",
    "Parts",
    "PullRequest",
    "Refs",
    "RepoId",
    "RepoInfo",
    "Repository",
    "SubjectFormat",
    "Targets",
    "Widest",
    "Workflows",
]
