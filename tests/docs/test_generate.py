from __future__ import annotations

import sys
from enum import StrEnum
from types import SimpleNamespace
from typing import Annotated

import pytest
import typer

from docs import _generate


class Kind(StrEnum):
    """Kinds of a sample."""

    FIRST = "first"
    """The one that
    comes first."""
    SECOND = "second"


@pytest.fixture
def docs(tmp_path, monkeypatch):
    """An empty repository whose one target owns `page.md` and `parts/*.json`."""
    monkeypatch.setattr(_generate, "ROOT", tmp_path)
    targets = (
        _generate.Target("page.md", lambda: {"page.md": "new\n"}),
        _generate.Target("parts/*.json", lambda: {"parts/a.json": "{}\n"}),
    )
    monkeypatch.setattr(_generate, "TARGETS", targets)
    return tmp_path


def _run(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["_generate.py", *arguments])
    return _generate.main()


def test_check_reports_drift_and_changes_nothing(docs, monkeypatch, capsys):
    (docs / "page.md").write_text("old\n")
    assert 1 == _run(monkeypatch, "--check")
    said = capsys.readouterr()
    assert "-old" in said.out
    assert "+new" in said.out
    assert "2 generated files have drifted" in said.err
    assert "old\n" == (docs / "page.md").read_text()
    assert not (docs / "parts").exists()


def test_writing_mends_everything(docs, monkeypatch):
    (docs / "parts").mkdir()
    (docs / "parts" / "stale.json").write_text("{}")
    (docs / "parts" / "by-hand.md").write_text("kept")
    assert 0 == _run(monkeypatch)
    assert ["a.json", "by-hand.md"] == sorted(path.name for path in (docs / "parts").iterdir())
    assert "new\n" == (docs / "page.md").read_text()
    assert 0 == _run(monkeypatch, "--check")


def test_long_differences_are_cut_short(docs, monkeypatch, capsys):
    (docs / "page.md").write_text("line\n" * 100)
    assert 1 == _run(monkeypatch, "--check")
    assert "more lines" in capsys.readouterr().out


def _rule(severity, title):
    words = [f'severity = "{severity}"', f'id = "{severity}-rule"', f'title = "{title}"']
    return "\n".join(["+++", *words, 'confidence = "high"', 'clouds = ["aws"]', "+++", f"# {title}", ""])


def test_rules_are_indexed_by_severity(tmp_path, monkeypatch):
    (tmp_path / "audit").mkdir()
    (tmp_path / "audit" / "a.md").write_text(_rule("low", "a | b"))
    (tmp_path / "audit" / "b.md").write_text(_rule("critical", "worse"))
    monkeypatch.setattr("idtrans.model.data.rules_dir", lambda: tmp_path)
    rows = [line for line in _generate.rule_pages()["docs/rules.md"].splitlines() if line.startswith("| [")]
    assert [
        "| [`critical-rule`](../rules/audit/b.md) | critical | high | aws | worse |",
        "| [`low-rule`](../rules/audit/a.md) | low | high | aws | a \\| b |",
    ] == rows


def test_a_rule_without_front_matter_is_named(tmp_path, monkeypatch):
    (tmp_path / "audit").mkdir()
    (tmp_path / "audit" / "a.md").write_text("# a rule\n")
    monkeypatch.setattr("idtrans.model.data.rules_dir", lambda: tmp_path)
    with pytest.raises(SystemExit, match=r"a\.md: no front matter"):
        _generate.rule_pages()


def test_commands_are_described_from_the_app(monkeypatch):
    app = typer.Typer()

    @app.command()
    def can(
        principal: Annotated[str, typer.Argument(help="Who asks.")],
        paths: Annotated[list[str], typer.Option("--in", help="Files or\nfolders.")],
    ) -> None:
        """May it?"""

    @app.command(hidden=True)
    def secret() -> None:
        """Nobody reads this."""

    @app.command()
    def rules() -> None:
        """List the rules."""

    monkeypatch.setitem(sys.modules, "idtrans.cli", SimpleNamespace(app=app))
    page = _generate.command_pages()["docs/commands.md"]
    assert ["## idtrans can", "## idtrans rules"] == [line for line in page.splitlines() if line.startswith("## ")]
    assert "| `PRINCIPAL` | required | Who asks. |" in page
    assert "| `--in` | required, repeatable | Files or folders. |" in page


def test_kinds_are_described_by_their_docstrings(monkeypatch):
    monkeypatch.setitem(sys.modules, "idtrans.graph", SimpleNamespace(NodeKind=Kind, EdgeKind=Kind))
    page = _generate.graph_pages()["docs/graph.md"]
    assert 2 == page.count("| `first` | The one that comes first. |")
    assert 2 == page.count("| `second` |  |")


@pytest.mark.parametrize(
    ("room", "pages"),
    [
        ("idtrans.cli", _generate.command_pages),
        ("idtrans.graph", _generate.graph_pages),
        ("idtrans.report", _generate.schema_pages),
    ],
)
def test_a_room_that_exposes_nothing_gives_no_page(monkeypatch, room, pages):
    monkeypatch.setitem(sys.modules, room, SimpleNamespace())
    assert {} == pages()


def test_schemas_are_published_by_name(monkeypatch):
    from pydantic import BaseModel

    class Finding(BaseModel):
        rule: str

    monkeypatch.setitem(
        sys.modules, "idtrans.report", SimpleNamespace(schemas=lambda: {"idtrans/findings/v1": Finding})
    )
    pages = _generate.schema_pages()
    assert ["docs/schemas/findings-v1.json"] == list(pages)
    assert '"rule"' in pages["docs/schemas/findings-v1.json"]


@pytest.fixture
def readme(tmp_path, monkeypatch):
    """Write a README with one example of `explain` and a package whose `explain` repeats its arguments."""
    monkeypatch.setattr(_generate, "ROOT", tmp_path)
    monkeypatch.setattr(_generate, "_command_names", lambda: frozenset({"explain"}))
    (tmp_path / "idtrans").mkdir()
    (tmp_path / "idtrans" / "__init__.py").touch()

    def write(words, program):
        (tmp_path / "idtrans" / "__main__.py").write_text(program)
        text = f"before\n\n<!-- run 2: idtrans {words} -->\n```console\n$ old\nold\n```\n\nafter\n"
        (tmp_path / "README.md").write_text(text)
        return _generate.example_pages()["README.md"]

    return write


def test_an_example_shows_what_the_command_prints(readme):
    page = readme("explain 'a b'", "import sys; print(*sys.argv[1:3], sep='|')")
    assert "```console\n$ idtrans explain 'a b'\nexplain|a b\n```\n\nafter" in page


def test_a_long_example_is_cut(readme):
    page = readme("explain", "print('1\\n2\\n3'); raise SystemExit(1)")
    assert "\n1\n2\n...\n```" in page


def test_an_example_of_a_command_to_come_is_left_alone(readme):
    assert "$ old\nold\n" in readme("other", "")


def test_an_example_that_fails_stops_the_run(readme):
    with pytest.raises(SystemExit, match="`idtrans explain` failed"):
        readme("explain", "raise SystemExit(2)")
