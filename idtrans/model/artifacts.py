"""What emitters produce: native objects, and neutral data for commands and Terraform that `report` alone quotes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from idtrans.model.documents import Json


@dataclass(frozen=True, slots=True)
class Native:
    """One object in the vendor's own JSON."""

    kind: str
    """Shape name that the cloud's own reader recognises, such as `aws.trust-policy`."""
    name: str
    """File-name-like label, such as `trust-policy`."""
    content: Json


@dataclass(frozen=True, slots=True)
class Argv:
    """One command as its words; JSON arguments are values, not text."""

    words: tuple[str | JsonArgument, ...]
    why: str = ""
    stdin: JsonArgument | None = None
    """What the command reads, where it takes no such argument."""


@dataclass(frozen=True, slots=True)
class JsonArgument:
    """A command argument that is compact JSON."""

    content: Json


@dataclass(frozen=True, slots=True)
class Reference:
    """A Terraform expression that names another block, such as `aws_iam_role.deploy.name`. Never built from input."""

    path: str


@dataclass(frozen=True, slots=True)
class JsonEncode:
    """A Terraform `jsonencode(...)` of a value."""

    content: TerraformValue


@dataclass(frozen=True, slots=True)
class NestedBlock:
    """A Terraform block inside a block, such as `condition { ... }`."""

    body: Mapping[str, TerraformValue]


TerraformValue = (
    str
    | int
    | bool
    | None
    | Reference
    | JsonEncode
    | NestedBlock
    | tuple["TerraformValue", ...]
    | Mapping[str, "TerraformValue"]
)
"""A value in a Terraform block; strings are literals and are escaped when rendered."""


@dataclass(frozen=True, slots=True)
class TerraformBlock:
    """One top-level block."""

    type: str
    """`resource`, `data`, `variable`, `output`, ..."""
    labels: tuple[str, ...]
    body: Mapping[str, TerraformValue]


class LossEffect(StrEnum):
    """What a loss does to the meaning."""

    NARROW = "narrow"
    WIDEN = "widen"
    DROP = "drop"
    SPLIT = "split"


@dataclass(frozen=True, slots=True)
class Loss:
    """One feature of the intent that the target says differently."""

    feature: str
    effect: LossEffect
    why: str


@dataclass(frozen=True, slots=True)
class Emission:
    """Everything written for one target."""

    natives: tuple[Native, ...] = ()
    commands: tuple[Argv, ...] = ()
    terraform: tuple[TerraformBlock, ...] = ()
    losses: tuple[Loss, ...] = ()
    placeholders: tuple[str, ...] = ()
    """Names that the user must fill in, such as `<AWS_ACCOUNT_ID>`, in order of first use."""


class ArtifactFormat(StrEnum):
    """How artifacts are written out."""

    NATIVE = "native"
    CLI = "cli"
    TERRAFORM = "terraform"


@dataclass(frozen=True, slots=True)
class Artifact:
    """One rendered output, ready to be saved."""

    kind: str
    name: str
    format: ArtifactFormat
    content: str
