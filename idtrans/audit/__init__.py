"""Rule files in, findings out."""

from __future__ import annotations

from idtrans.audit._audit import audit
from idtrans.audit._baseline import Baseline, read_baseline
from idtrans.audit._credentials import credential_facts
from idtrans.audit._facts import Facts, collect_facts
from idtrans.audit._findings import fingerprint
from idtrans.audit._load import explain, load_rules, read_rule
from idtrans.audit._page import Snippet
from idtrans.audit._rule import Rule
from idtrans.audit._suppressions import Suppression, read_suppressions
from idtrans.model.values import Persona

__all__ = [
    "Baseline",
    "Facts",
    "Persona",
    "Rule",
    "Snippet",
    "Suppression",
    "audit",
    "collect_facts",
    "credential_facts",
    "explain",
    "fingerprint",
    "load_rules",
    "read_baseline",
    "read_rule",
    "read_suppressions",
]
