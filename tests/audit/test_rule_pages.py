"""Every rule page is its own test: the real readers read its inputs, and the rule finds the one and not the other."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from itertools import groupby

import pytest

from idtrans.api import load, trusters
from idtrans.audit import audit, load_rules
from idtrans.model.values import Severity

NOW = datetime(2026, 11, 1, tzinfo=UTC)
"""The time that the ages in the pages count from."""

RULES = load_rules()
SECTIONS = ("Example", "Use instead")


def groups(section):
    """Inputs of each section that is judged on its own: those under one heading of level three."""
    found = []
    for rule in RULES:
        snippets = rule.page.section(section).snippets
        for name, group in groupby(snippets, key=lambda snippet: snippet.group):
            found.append(pytest.param(rule, list(group), id=f"{rule.id}:{name or 'first'}"))
    return found


def estate_of(folder, snippets):
    """Write inputs with what their info strings say of them, and read them as a user's folder is read."""
    entries = []
    for number, snippet in enumerate(snippets):
        hints = dict(snippet.hints)
        path = hints.pop("path", f"input-{number}.{snippet.language}")
        if "ancestors" in hints:
            hints["ancestors"] = hints["ancestors"].split(",")
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(snippet.text, "utf-8")
        entries.append({"path": path, **hints})
    (folder / "estate.yaml").write_text(json.dumps(entries), "utf-8")
    estate = load([folder], now=NOW)
    assert [] == [str(error) for error in estate.errors]
    assert [] == [entry.path for entry in estate.inputs if entry.shape is None]
    return estate


@pytest.mark.parametrize(("rule", "snippets"), groups("Example"))
def test_the_example_is_found(tmp_path, rule, snippets):
    estate = estate_of(tmp_path, snippets)
    report = audit(estate, trusters(), RULES)
    own = [finding for finding in report.findings if finding.rule == rule.id]
    assert 1 == len(own), report
    paths = {entry.path for entry in estate.inputs}
    assert all(place.path in paths and place.line for place in own[0].locations)
    assert {rule.id} == {finding.rule for finding in report.findings}
    assert [] == [note for note in report.not_evaluated if note.rule is not None]


@pytest.mark.parametrize(("rule", "snippets"), groups("Use instead"))
def test_the_remedy_is_not_found(tmp_path, rule, snippets):
    report = audit(estate_of(tmp_path, snippets), trusters(), RULES)
    # A pattern that a remedy needs may be worth a remark of a neighbour.
    worse = (finding for finding in report.findings if finding.rule == rule.id or finding.severity is not Severity.INFO)
    assert [] == [finding.message for finding in worse]
    assert [] == [note for note in report.not_evaluated if note.rule is not None]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_the_neighbours_that_a_page_names_exist(rule):
    text = " ".join(rule.page.body.split())
    named = re.findall(r"(?:matter of|found besides, as|fix of its own:|that of) `([a-z-]+)`", text)
    assert [] == [name for name in named if name not in {other.id for other in RULES}]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_page_says_what_to_do_in_one_paragraph_and_links_its_references(rule):
    assert 40 < len(rule.remediation) < 600
    links = rule.page.section("References").text
    assert [] == [link for link in rule.references if link not in links]


def test_each_kind_of_fact_has_its_rules():
    kinds = [rule.select for rule in RULES]
    assert {"credential", "exposure", "grant", "trust"} <= set(kinds)
    assert 25 <= kinds.count("trust")
