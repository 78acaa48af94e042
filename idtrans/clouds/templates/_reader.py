"""The reader of plans and templates: it says what access they speak of, so that they are never taken for clean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.clouds.templates import _parse, _shapes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from idtrans.model.documents import Document, Unsupported


class Templates:
    """Plans and states of Terraform, templates of CloudFormation and of Azure Resource Manager."""

    @property
    def name(self) -> str:
        """`templates`."""
        return _shapes.NAME

    def recognise(self, document: Document) -> str | None:
        """Return the shape of a document, such as `templates.terraform-plan`, or `None`."""
        return _shapes.recognise(document)

    def parse(self, document: Document, shape: str) -> Iterable[Unsupported]:
        """Yield a note for each resource that is about access, and at least one."""
        return _parse.parse(document, shape)


READER: Final = Templates()
"""The one instance; readers are stateless."""
