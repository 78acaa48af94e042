"""What is wrong with an estate, and the rules that say so."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from idtrans.api._clouds import trusters
from idtrans.api._file import read_file
from idtrans.api._unread import unread
from idtrans.model.answers import RuleLine, RulePage, RulesAnswer
from idtrans.model.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from idtrans.audit import Persona, Rule
    from idtrans.model.estate import Estate
    from idtrans.model.findings import AuditReport


def audit(
    estate: Estate,
    *,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    folders: Sequence[str | os.PathLike[str]] = (),
    persona: str = "regular",
    baseline: str | os.PathLike[str] | None = None,
    suppressions: str | os.PathLike[str] | None = None,
) -> AuditReport:
    """Return the findings of the rules on an estate, the worst first, and what could not be judged.

    `select` names the only rules to run, `ignore` those to leave out; `folders` hold rules beside the bundled ones.
    `baseline` is the JSON output of an earlier audit, whose findings do not count again; `suppressions` a file of
    accepted defects.

    Raises:
        DataError: a rule, the baseline or the suppressions break their schema.
        DocumentError: the baseline or the suppressions cannot be read.
        UsageError: there is no rule or persona of a name.
    """
    from idtrans.audit import audit as judge
    from idtrans.audit import read_baseline, read_suppressions

    report = judge(
        estate,
        trusters(),
        _rules(folders),
        baseline=None if baseline is None else read_baseline(read_file(baseline)),
        suppressions=() if suppressions is None else read_suppressions(read_file(suppressions)),
        select=select,
        ignore=ignore,
        persona=_persona(persona),
    )
    return replace(report, not_evaluated=(*unread(estate), *report.not_evaluated))


def rules(folders: Sequence[str | os.PathLike[str]] = ()) -> RulesAnswer:
    """Return the bundled rules and those of some folders, sorted by id.

    Raises:
        DataError: a rule file breaks its schema.
    """
    found = _rules(folders)
    return RulesAnswer(tuple(RuleLine(one.id, one.title, one.severity, one.clouds, one.select) for one in found))


def explain(rule: str, folders: Sequence[str | os.PathLike[str]] = ()) -> RulePage:
    """Return the page of a rule.

    Raises:
        DataError: a rule file breaks its schema.
        UsageError: there is no such rule.
    """
    from idtrans.audit import explain as page

    return RulePage(rule, page(rule, _rules(folders)))


def _rules(folders: Sequence[str | os.PathLike[str]]) -> tuple[Rule, ...]:
    from idtrans.audit import load_rules

    return load_rules([Path(folder) for folder in folders])


def _persona(name: str) -> Persona:
    from idtrans.audit import Persona

    try:
        return Persona(name)
    except ValueError as error:
        raise UsageError(f"`{name}` is not a persona", advice=f"use one of {', '.join(Persona)}") from error
