"""Which documents are plans or templates, told by their shape.

https://developer.hashicorp.com/terraform/internals/json-format
https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/template-anatomy.html
https://learn.microsoft.com/azure/azure-resource-manager/templates/syntax
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from idtrans.model.documents import Document, Json

NAME: Final = "templates"
"""Name of this reader."""
PLAN: Final = "templates.terraform-plan"
"""What `terraform show -json` prints, of a plan or of a state."""
STATE: Final = "templates.terraform-state"
"""A file of state as Terraform keeps it."""
CLOUDFORMATION: Final = "templates.cloudformation"
RESOURCE_MANAGER: Final = "templates.resource-manager"

SHAPES: Final = {
    PLAN: "Terraform plan",
    STATE: "Terraform state",
    CLOUDFORMATION: "CloudFormation template",
    RESOURCE_MANAGER: "template of Azure Resource Manager",
}
"""What people call each shape."""
_PLANNED: Final = frozenset({"planned_values", "resource_changes", "values", "prior_state"})
_STATE: Final = frozenset({"terraform_version", "resources"})
_TYPE: Final = re.compile(r"(?:AWS|Custom|Alexa)::\S*|\w+::\w+::\S+")
_SCHEMA: Final = re.compile(r"https?://schema\.management\.azure\.com/.*deploymentTemplate\.json#?", re.IGNORECASE)


def recognise(document: Document) -> str | None:
    """Return the shape of a plan or a template, `None` for any other document.

    A hint of a cloud, of a layer or of another kind decides against.
    """
    hints = document.hints
    if hints.cloud not in {None, NAME} or hints.layer is not None:
        return None
    if hints.kind is not None:
        return hints.kind if hints.kind in SHAPES else None
    content = document.content
    return _shape(content) if isinstance(content, dict) else None


def _shape(content: dict[str, Json]) -> str | None:
    if "format_version" in content and not _PLANNED.isdisjoint(content):
        return PLAN
    if content.keys() >= _STATE:
        return STATE
    if _is_cloudformation(content) or _is_cloudformation(content.get("TemplateBody")):
        return CLOUDFORMATION
    if isinstance(content.get("TemplateBody"), str) and "StagesAvailable" in content:
        return CLOUDFORMATION
    schema = content.get("$schema")
    return RESOURCE_MANAGER if isinstance(schema, str) and _SCHEMA.fullmatch(schema.strip()) else None


def _is_cloudformation(content: Json) -> bool:
    if not isinstance(content, dict) or "Resources" not in content:
        return False
    if "AWSTemplateFormatVersion" in content:
        return True
    resources = content["Resources"]
    stated = resources.values() if isinstance(resources, dict) else ()
    kinds = (resource.get("Type") for resource in stated if isinstance(resource, dict))
    return any(isinstance(kind, str) and _TYPE.fullmatch(kind) for kind in kinds)
