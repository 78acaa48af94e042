"""Renders what the model holds: text, JSON, native documents, shell commands and Terraform."""

from __future__ import annotations

from idtrans.report._artifacts import artifacts
from idtrans.report._html import html
from idtrans.report._json_v1 import json_v1, schemas
from idtrans.report._markdown import markdown
from idtrans.report._page_translations import translations_page
from idtrans.report._safe import safe
from idtrans.report._style import Colour
from idtrans.report._text import Answer, text

__all__ = [
    "Answer",
    "Colour",
    "artifacts",
    "html",
    "json_v1",
    "markdown",
    "safe",
    "schemas",
    "text",
    "translations_page",
]
