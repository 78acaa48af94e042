"""What a trust is expected to be, and what it was found to be."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from idtrans import api
from idtrans.model.answers import Admission
from idtrans.model.values import Reach, rank
from tests.federation.labelled.documents import Documents

if TYPE_CHECKING:
    from pathlib import Path

    from idtrans.model.answers import TrustAnswer

NOW = datetime(2026, 11, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Label:
    """A trust, how far it reaches and what ties it down."""

    name: str
    documents: Documents
    reach: Reach
    pinned_by: str = "none"


def found(label: Label, folder: Path) -> TrustAnswer:
    """Return the widest trust of a label, after the tokens of strangers were shown to get in."""
    listed = []
    for number, entry in enumerate(label.documents.entries):
        name = f"{number}.json"
        (folder / name).write_text(json.dumps(entry["content"]), "utf-8")
        listed.append({"path": name, **{key: value for key, value in entry.items() if key != "content"}})
    (folder / "estate.yaml").write_text(json.dumps(listed), "utf-8")
    estate = api.load([folder], now=NOW)
    assert () == estate.errors
    widest = api.trust(estate).trusts[0]
    for token in widest.outsiders:
        again = api.trust(estate, claims=token).token
        assert again is not None
        doubtful = {Admission.UNKNOWN} if widest.reach is Reach.UNKNOWN else set()
        assert again.admitted in {Admission.YES, *doubtful}
    if widest.reach is Reach.PLATFORM and widest.issuer_kind != "none":
        assert widest.outsiders
    assert (rank(widest.reach) >= rank(Reach.PLATFORM)) or not widest.outsiders
    return widest
