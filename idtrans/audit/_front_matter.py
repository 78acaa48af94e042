"""The schema of a rule's front matter. Imported only when rules are loaded: it loads pydantic."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from idtrans.model.values import Confidence, Persona, Severity

Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
Line = Annotated[str, StringConstraints(min_length=1, max_length=300, pattern=r"^[^\x00-\x1f\x7f]+$")]
Link = Annotated[str, StringConstraints(pattern=r"^https://[^\s<>\"]+$", max_length=500)]


class FrontMatter(BaseModel):
    """What stands between the lines of `+++`. Keys that it does not know are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    id: Name
    title: Line
    severity: Severity = Field(strict=False)
    confidence: Confidence = Field(strict=False)
    persona: Persona = Field(default=Persona.REGULAR, strict=False)
    clouds: list[Name] = Field(min_length=1)
    select: Name
    where: dict[str, dict[str, Any]] = Field(min_length=1)
    subject: Line = "{subject}"
    message: Line
    identity_fields: list[str] = Field(min_length=1)
    references: list[Link] = Field(min_length=1)
    frameworks: list[Line] = []
