"""Names of GitHub things, checked before they go into policies: what GitHub itself would refuse is refused here.

https://docs.github.com/en/actions/reference/security/oidc and git-check-ref-format(1).
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from idtrans.model.errors import UsageError

_OWNER: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9_])?")
_REPO: Final = re.compile(r"[A-Za-z0-9._-]{1,100}")
_ID: Final = re.compile(r"[1-9][0-9]{0,19}")
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,62}")
_ENVIRONMENT: Final = re.compile(r"[^\x00-\x1f\x7f*?\"'`\\$%<>{}\u0085\u2028\u2029]{1,255}")
"""Without what quotes, expands or matches in a shell, a policy or a workflow."""
_REF: Final = re.compile(r"refs/(?:heads|tags)/[A-Za-z0-9._/@+=,#-]{1,240}")
_REF_FAULTS: Final = re.compile(r"\.\.|//|@\{|/\.|\.lock(?:/|$)|[./]$")
_WORKFLOW: Final = re.compile(
    r"(?:(?P<owner>[^/@]+)/(?P<repo>[^/@]+)/)?(?P<file>\.github/workflows/[A-Za-z0-9._-]{1,100}\.ya?ml)@(?P<ref>.+)"
)
_SHA: Final = re.compile(r"[0-9a-f]{40}")


class Repository(NamedTuple):
    """An owner and a repository, by name."""

    owner: str
    name: str


def read_repository(text: str) -> Repository:
    """Return the parts of `OWNER/REPO`. Raises `UsageError` for anything else."""
    owner, slash, name = text.partition("/")
    if not slash or not _OWNER.fullmatch(owner) or not _REPO.fullmatch(name) or name in {".", ".."}:
        raise _refused("repository", text, "write it as `OWNER/REPO`, without wildcards and ids")
    return Repository(owner, name)


def read_id(text: str, what: str) -> str:
    """Return an id. Raises `UsageError` for anything but digits."""
    if not _ID.fullmatch(text):
        raise _refused(what, text, "it is a number, as `gh api repos/OWNER/REPO` prints it")
    return text


def read_environment(text: str) -> str:
    """Return the name of an environment as subjects spell it. Raises `UsageError` for a name that cannot be meant."""
    if not _ENVIRONMENT.fullmatch(text) or text != text.strip():
        raise _refused("environment", text, "name one environment, without quotes and wildcards")
    return text.replace(":", "%3A")


def read_ref(text: str) -> str:
    """Return a full ref. Raises `UsageError` for a short name, a pattern, or what git refuses."""
    if not _REF.fullmatch(text) or _REF_FAULTS.search(text):
        raise _refused("ref", text, "give one branch or tag in full, such as `refs/heads/main`")
    return text


def read_workflow(text: str, repository: Repository) -> str:
    """Return the `job_workflow_ref` of a workflow file with its ref; the repository may be left out.

    Raises:
        UsageError: it names no file and ref.
    """
    found = _WORKFLOW.fullmatch(text)
    advice = (
        "write it as `.github/workflows/deploy.yml@refs/heads/main`, with the repository before it if it is another"
    )
    if found is None:
        raise _refused("workflow", text, advice)
    home = repository if found["owner"] is None else read_repository(f"{found['owner']}/{found['repo']}")
    ref = found["ref"] if _SHA.fullmatch(found["ref"]) else read_ref(found["ref"])
    return f"{home.owner}/{home.name}/{found['file']}@{ref}"


def read_name(text: str) -> str:
    """Return a base name for what is created. Raises `UsageError` for one that some cloud refuses."""
    if not _NAME.fullmatch(text):
        raise _refused("name", text, "use up to 63 letters, digits and hyphens, a letter first")
    return text


def base_name(*parts: str) -> str:
    """Return a base name made of some parts."""
    text = re.sub(r"[^a-z0-9]+", "-", "-".join(parts).lower()).strip("-")
    return (text if text[:1].isalpha() else f"github-{text}")[:32].strip("-")


def _refused(what: str, text: str, advice: str) -> UsageError:
    shown = text if len(text) <= 80 else f"{text[:80]}..."  # noqa: PLR2004 - a line
    return UsageError(f"`{shown!r}` is no {what} of GitHub".replace("`'", "`").replace("'`", "`"), advice=advice)
