"""Repositories of ECR that stand beside their policies: `describe-repositories` has the region that those leave out.

https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_DescribeRepositories.html
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from idtrans.clouds.aws._parse_values import name_of
from idtrans.clouds.aws._wrappers import Wrapped
from idtrans.model.documents import Json

_LIST: Final = "repositories"
_URI: Final = re.compile(r"([0-9]{12})\.dkr[.-]ecr(?:-fips)?\.([a-z0-9-]+)\.\S+?/(\S+)")


def is_repositories(content: Json) -> bool:
    """Tell whether a value is a list of repositories."""
    listed = content.get(_LIST) if isinstance(content, dict) else None
    return isinstance(listed, list) and all(isinstance(item, dict) and _arn(item) for item in listed)


def located(found: tuple[Wrapped, ...], content: Json) -> tuple[Wrapped, ...]:
    """Return policies with the repositories that they belong to, where a list in the same document has exactly one."""
    pages = content if isinstance(content, list) else [content]
    known: dict[tuple[str, str], set[str]] = {}
    for page in pages:
        listed = page.get(_LIST) if isinstance(page, dict) else None
        for item in listed if isinstance(listed, list) else ():
            arn = _arn(item) if isinstance(item, dict) else None
            if arn is not None:
                known.setdefault(_key(item), set()).add(arn)
    return tuple(_located(each, content, known) for each in found) if known else found


def _located(found: Wrapped, content: Json, known: dict[tuple[str, str], set[str]]) -> Wrapped:
    if found.owner is not None or found.place[-1:] != ("policyText",):
        return found
    holder = content
    for key in found.place[:-1]:
        holder = holder[key]
    owners = known.get(_key(holder), set())
    return replace(found, owner=next(iter(owners))) if len(owners) == 1 else found


def _key(item: dict[str, Json]) -> tuple[str, str]:
    return str(item.get("registryId")), str(item.get("repositoryName"))


def _arn(item: dict[str, Json]) -> str | None:
    stated = name_of(item.get("repositoryArn"))
    match = _URI.fullmatch(name_of(item.get("repositoryUri")) or "")
    if stated is not None or match is None:
        return stated
    return f"arn:aws:ecr:{match[2]}:{match[1]}:repository/{match[3]}"
