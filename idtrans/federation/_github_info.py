"""What GitHub itself says of the subjects of a repository: `GET /repos/OWNER/REPO/actions/oidc/customization/sub`.

The prefix is what counts: a repository has carried ids in its subject while its settings said otherwise.
https://docs.github.com/en/rest/actions/oidc
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from idtrans.federation._github import GithubIds, SubjectFormat
from idtrans.model.errors import UsageError

if TYPE_CHECKING:
    from idtrans.model.documents import Json
    from idtrans.model.intents import FederationIntent

_PREFIX: Final = re.compile(
    r"repo:(?P<owner>[^/@:*]+)(?:@(?P<owner_id>[0-9]+))?/(?P<name>[^/@:*]+)(?:@(?P<repo_id>[0-9]+))?:?"
)
_USUAL: Final = ("repo", "context")


@dataclass(frozen=True, slots=True)
class GithubInfo:
    """How the tokens of one repository spell their subject."""

    repository: str
    ids: GithubIds
    subject_format: SubjectFormat
    keys: tuple[str, ...] = _USUAL
    """Keys that the subject is put together from."""


def github_info(content: Json) -> GithubInfo:
    """Return what the answer of the API says. Raises `UsageError` for another document, or one without the prefix."""
    prefix = content.get("sub_claim_prefix") if isinstance(content, Mapping) else None
    found = _PREFIX.fullmatch(prefix) if isinstance(prefix, str) else None
    if found is None:
        advice = "save the output of `gh api repos/OWNER/REPO/actions/oidc/customization/sub`"
        raise UsageError("the repository information has no `sub_claim_prefix`", advice=advice)
    ids = GithubIds(found["repo_id"], found["owner_id"])
    style = SubjectFormat.IMMUTABLE if ids.complete else SubjectFormat.DEFAULT
    keys = content.get("include_claim_keys")
    custom = content.get("use_default") is False and isinstance(keys, Sequence) and not isinstance(keys, str)
    chosen = tuple(map(str, keys)) if custom else _USUAL
    return GithubInfo(f"{found['owner']}/{found['name']}", ids, style, chosen)


def customised(intent: FederationIntent, info: GithubInfo) -> FederationIntent:
    """Return an intent whose subjects are put together from the keys of the repository.

    Raises:
        UsageError: a key says something that the intent does not name.
    """
    if info.keys == _USUAL:
        return intent
    subjects = [":".join(_text(key, subject, intent) for key in info.keys) for subject in intent.subjects]
    return replace(intent, subjects=tuple(dict.fromkeys(subjects)))


def _text(key: str, subject: str, intent: FederationIntent) -> str:
    """Return what a key says in the subject of one job."""
    _, home, context = subject.split(":", 2)
    kind, _, value = context.partition(":")
    pins = {pin.claim: pin.values[0] for pin in intent.pins if len(pin.values) == 1}
    names = "/".join(part.partition("@")[0] for part in home.split("/"))
    known = {
        "repo": home,
        "repository": names,
        "repository_owner": names.partition("/")[0],
        **({kind: value} if kind in {"environment", "ref"} else {}),
        **pins,
    }
    if key == "context":
        return context
    if key not in known:
        advice = "name it with an option, or reset the subject of the repository"
        raise UsageError(f"the subject of the repository also says `{key}`", advice=advice)
    return f"{key}:{known[key]}"
