"""What an emitter wrote, rendered in the format that the user asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idtrans.model.artifacts import Artifact, ArtifactFormat
from idtrans.report._native import native
from idtrans.report._shell import shell
from idtrans.report._terraform import terraform

if TYPE_CHECKING:
    from idtrans.model.artifacts import Emission


def artifacts(emission: Emission, form: ArtifactFormat) -> tuple[Artifact, ...]:
    """Return the rendered artifacts of an emission: one for each native object, or one text of commands or blocks."""
    if form is ArtifactFormat.NATIVE:
        return tuple(Artifact(entry.kind, entry.name, form, native(entry)) for entry in emission.natives)
    if form is ArtifactFormat.CLI:
        text = shell(emission.commands)
        return (Artifact("commands", "commands.sh", form, text),) if text else ()
    text = terraform(emission.terraform)
    return (Artifact("terraform", "main.tf", form, text),) if text else ()
