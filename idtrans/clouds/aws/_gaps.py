"""What a description of an identity leaves to other replies: tied to it like a policy, and missed until it is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import Enum
from typing import Final

from idtrans.clouds.aws._arns import read_arn
from idtrans.clouds.aws._parse_state import CLOUD
from idtrans.model.documents import Unsupported
from idtrans.model.entities import Attachment, Entity, Policy, Principal
from idtrans.model.spans import Source
from idtrans.model.values import UNKNOWN, Layer


class Gap(Enum):
    """A list that some other reply holds."""

    INLINE = "inline policies"
    ATTACHED = "attached policies"
    GROUPS = "groups"
    BOUNDARY = "permissions boundary"


_MARK: Final = "#list/"


def gaps(stated: Iterable[Entity | Unsupported], missing: tuple[Gap, ...]) -> Iterator[Entity | Unsupported]:
    """Yield what a reply states; its identities need lists that other replies hold."""
    for each in stated:
        if not isinstance(each, Principal):
            yield each
            continue
        yield replace(each, policies=UNKNOWN)
        for gap in missing:
            yield Attachment(CLOUD, _id(each.id, gap), each.id, Layer.IDENTITY, each.source)


def told(identity: str, gap: Gap, source: Source) -> Policy:
    """Return what says that a list of an identity was read: a policy that grants nothing."""
    return Policy(CLOUD, _id(identity, gap), Layer.IDENTITY, None, "2012-10-17", (), source, gap.value)


def inline_id(identity: str, name: str) -> str:
    """Return the id of an inline policy."""
    return f"{identity}#identity/{name}"


def is_gap(policy: str) -> bool:
    """Tell whether the id of a policy stands for a list."""
    return _MARK in policy


def _id(identity: str, gap: Gap) -> str:
    arn = read_arn(identity)
    # Lists name identities without their path.
    name = f"arn:{arn.partition}:iam::{arn.account}:{arn.kind}/{arn.name}" if arn is not None else identity
    return f"{name}{_MARK}{gap.value}"
