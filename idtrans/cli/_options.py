"""Arguments and options that several commands share, with their words for the help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated

import typer

from idtrans.model.artifacts import ArtifactFormat
from idtrans.model.documents import Hints
from idtrans.model.errors import UsageError
from idtrans.model.values import Layer


class OutputFormat(StrEnum):
    """How an answer is written."""

    TEXT = "text"
    JSON = "json"


class PageFormat(StrEnum):
    """How an answer is written that is also a page for people."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    HTML = "html"


PageForm = Annotated[PageFormat, typer.Option("--format", help="How to write the answer.")]
Format = Annotated[OutputFormat, typer.Option("--format", help="How to write the answer.")]
Paths = Annotated[
    list[str], typer.Argument(metavar="PATH...", help="Files, folders, or - for standard input.", show_default=False)
]
In = Annotated[
    list[str],
    typer.Option("--in", metavar="PATH", help="File, folder, or - for standard input.", show_default=False),
]
ContextKeys = Annotated[
    list[str] | None,
    typer.Option(
        "--context", metavar="KEY=VALUE", help="A key of the request; the same key twice has two values.",
        show_default=False,
    ),
]  # fmt: skip
Closed = Annotated[bool, typer.Option("--closed", help="Take keys that are not given as absent, not as unknown.")]
Chains = Annotated[
    bool,
    typer.Option("--chains/--no-chains", help="Look for who can become one of those that may."),
]
PlaneName = Annotated[
    str | None,
    typer.Option("--plane", metavar="PLANE", help="control or data, where an operation exists on both."),
]
Owner = Annotated[
    str | None,
    typer.Option("--principal", metavar="ID", help="Who holds a bare policy that does not say so itself."),
]
OwnerResource = Annotated[
    str | None, typer.Option("--resource", metavar="ID", help="What a bare resource policy hangs on.")
]
OwnerScope = Annotated[str | None, typer.Option("--scope", metavar="ID", help="Where a bare allow policy hangs.")]
OwnerAccount = Annotated[str | None, typer.Option("--account", metavar="ID", help="Account that owns a bare document.")]
OwnerLayer = Annotated[Layer | None, typer.Option("--layer", help="Which part a bare policy plays.")]
Emit = Annotated[ArtifactFormat, typer.Option("--emit", help="How to write what is to be applied.")]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="Name of a thing in the target cloud, such as aws-account-id=111122223333.",
        show_default=False,
    ),
]  # fmt: skip


def hints(
    principal: str | None = None,
    resource: str | None = None,
    scope: str | None = None,
    account: str | None = None,
    layer: Layer | None = None,
) -> Hints:
    """Return what the options say about documents that do not say it themselves."""
    return Hints(principal=principal, resource=resource, scope=scope, account=account, layer=layer)


def many_values(option: str, entries: Sequence[str] | None) -> Mapping[str, tuple[str, ...]]:
    """Return `key=value` entries; a key that is given again has one more value.

    Raises:
        UsageError: an entry has no `=` or no key.
    """
    found: dict[str, tuple[str, ...]] = {}
    for entry in entries or ():
        key, equals, value = entry.partition("=")
        if not equals or not key.strip():
            raise UsageError(f"`{entry}` is not `key=value`", advice=f"write `{option} key=value`")
        found[key.strip()] = (*found.get(key.strip(), ()), value)
    return found


def one_value(option: str, entries: Sequence[str] | None) -> Mapping[str, str]:
    """Return `key=value` entries of which each key may be given once.

    Raises:
        UsageError: an entry has no `=` or no key, or a key is given twice.
    """
    found = many_values(option, entries)
    for key, values in found.items():
        if len(values) > 1:
            raise UsageError(f"`{key}` is given {len(values)} times", advice=f"give `{option} {key}=...` once")
    return {key: value for key, (value,) in found.items()}
