"""Keyless trust for pipelines, written for several clouds at once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from idtrans.api._clouds import cloud_named, clouds
from idtrans.api._file import read_file
from idtrans.api._names import GivenNames
from idtrans.federation import (
    AskedTokens,
    Breadth,
    GithubIds,
    GithubInfo,
    GithubJob,
    SubjectFormat,
    asked_intent,
    aws_caller_intent,
    customised,
    github_info,
    github_intent,
    github_issuer,
)
from idtrans.federation import federate as write
from idtrans.model.answers import FederationAnswer, FederationPart
from idtrans.model.artifacts import ArtifactFormat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from idtrans.model.intents import FederationIntent

__all__ = [
    "AskedTokens",
    "Breadth",
    "GithubIds",
    "GithubInfo",
    "GithubJob",
    "SubjectFormat",
    "asked_intent",
    "aws_caller_intent",
    "customised",
    "federate",
    "github_info",
    "github_intent",
    "github_issuer",
    "read_github_info",
]


def read_github_info(path: str | os.PathLike[str]) -> GithubInfo:
    """Return what a saved answer of GitHub says of the subjects of a repository.

    Raises:
        DocumentError: the file cannot be read or decoded.
        UsageError: it is another document.
    """
    return github_info(read_file(path).content)


def federate(
    intent: FederationIntent,
    targets: Sequence[str],
    *,
    names: Mapping[str, str] | None = None,
    form: ArtifactFormat = ArtifactFormat.NATIVE,
) -> FederationAnswer:
    """Return the trust that lets an intent's tokens into each target cloud, and the workflow that uses it.

    `names` name things in the targets, such as `aws-account-id`; what is not named becomes a placeholder. `form` is
    how reports write the artifacts out. The reach of each part is judged on what was written.

    Raises:
        UsageError: there is no such cloud, one cannot say the intent without admitting more, or a name fits nothing.
    """
    given = GivenNames(names)
    result = write(intent, clouds(), [cloud_named(target).name for target in targets], given.names())
    given.check()
    parts = (FederationPart(part.cloud, part.reach, part.emission, part.losses) for part in result.targets)
    return FederationAnswer(intent, tuple(parts), result.workflow, form)
