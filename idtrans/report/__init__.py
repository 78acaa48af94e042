"""Renders results as text, JSON and other formats; the only room that writes Terraform and shell."""

from __future__ import annotations

__all__: list[str] = []
