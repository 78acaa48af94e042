"""Every capability of every cloud, said in every other: verdict, what is gained, what is missing.

Run as a program, it writes `golden.json` anew; review what changes.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from idtrans.api import clouds
from idtrans.catalog import capabilities
from idtrans.model.documents import Unsupported
from idtrans.model.estate import Estate
from idtrans.model.intents import Scope
from idtrans.ports import GrantPlan, RoleUse
from idtrans.translate import translate

PATH = Path(__file__).with_name("golden.json")
PAIRS = [(one, other) for one in sorted(clouds()) for other in sorted(clouds()) if one != other]
PRINCIPALS = {
    "aws": "arn:aws:iam::111122223333:role/reader",
    "gcp": "user:ana@b.example",
    "azure": "entra:cccccccc-0000-4000-8000-000000000009",
}
ACCOUNTS = {
    "aws": "*",
    "gcp": "//cloudresourcemanager.googleapis.com/projects/p",
    "azure": "/subscriptions/aaaaaaaa-1111-4000-8000-000000000001",
}


def cell(source, target, capability):
    """Return the verdict on one capability that is held on a whole account, `none` where it cannot be held."""
    column = capability.column(source)
    if not column.permissions:
        return "none"
    cloud = clouds()[source]
    use = RoleUse(Scope("account", ACCOUNTS[source]), (capability.id,), tuple(column.written.values()), None)
    emission = cloud.emit_grants(GrantPlan(PRINCIPALS[source], (use,), "golden"))
    read = tuple(cloud.reread(emission.natives))
    stated = tuple(each for each in read if not isinstance(each, Unsupported))
    assert stated == read
    estate = Estate(stated, datetime(2026, 11, 1, tzinfo=UTC))
    found = [
        each
        for principal in cloud.principals(estate)
        for each in translate(cloud, clouds()[target], estate, principal=principal)
    ]
    [answer] = [each for each in found if each.capabilities or each.residue]
    wanted = [each for each in answer.capabilities if each.id == capability.id]
    row: dict[str, object] = {"verdict": answer.verdict.value}
    if wanted and wanted[0].missing:
        row["missing"] = list(wanted[0].missing)
    extra = sorted({each.permission for verdict in answer.capabilities for each in verdict.extra})
    if extra:
        row["extra"] = extra
    gained = sorted({why for each in answer.capabilities for why in each.reasons if "is gained" in why})
    if gained:
        row["gained"] = gained
    others = sorted(each.id for each in answer.capabilities if each.id != capability.id)
    if others:
        row["also"] = others
    return row


def table(source, target):
    """Return the cells of one ordered pair by capability."""
    return {each.id: cell(source, target, each) for each in capabilities()}


if __name__ == "__main__":
    content = {f"{source} > {target}": table(source, target) for source, target in PAIRS}
    PATH.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n", encoding="utf-8")
