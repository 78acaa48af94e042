"""Managed policies of AWS that are attached without their document: what the catalogue knows stands in for it."""

from __future__ import annotations

from functools import cache
from typing import Final

from idtrans.catalog import managed_policy
from idtrans.model.entities import Policy
from idtrans.model.values import Layer

_VERSION: Final = "2012-10-17"
"""Policy language of every document that AWS maintains."""


@cache
def known_policy(arn: str) -> Policy | None:
    """Return a managed policy of AWS whose content is known, `None` for all others."""
    found = managed_policy(arn)
    if found is None:
        return None
    return Policy("aws", arn, Layer.IDENTITY, None, _VERSION, found.statements, found.source, found.name)
