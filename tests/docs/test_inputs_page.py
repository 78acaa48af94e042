"""The page of inputs lists every shape that the reader of a cloud knows."""

from __future__ import annotations

import re
from pathlib import Path

from idtrans.clouds.aws._resource_replies import RESOURCE_REPLIES

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "inputs.md").read_text("utf-8")
CLOUDS = ("aws", "azure", "gcp")
LISTED = set(re.findall(rf"^\| `((?:{'|'.join(CLOUDS)})\.[a-z-]+)` \|", PAGE, re.MULTILINE))


def shapes() -> set[str]:
    """Return the names that the modules of shapes give, the kinds of policies aside, which are one shape."""
    found: set[str] = set()
    for cloud in CLOUDS:
        path = ROOT / "idtrans" / "clouds" / cloud / "_shapes.py"
        pattern = rf'^[A-Z_]+(?:: Final)? = "({cloud}\.[a-z-]+)"$'
        found |= set(re.findall(pattern, path.read_text("utf-8"), re.MULTILINE))
    return found


def test_every_shape_is_listed() -> None:
    assert shapes() == LISTED


def test_every_reply_with_a_policy_is_listed() -> None:
    assert [] == [row.command for row in RESOURCE_REPLIES if f"`{row.command}`" not in PAGE]
