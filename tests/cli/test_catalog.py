"""`idtrans catalog`: importing, status, and the option that every command has."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from idtrans import api
from idtrans.cli._commands import app

ROLE = {"name": "roles/new.viewer", "title": "New Viewer", "etag": "x", "includedPermissions": ["new.things.get"]}


@pytest.fixture
def run():
    runner = CliRunner()
    yield lambda *words, **options: runner.invoke(app, [str(word) for word in words], **options)
    api.use_catalog(None)


def test_import_writes_what_status_reads(run, tmp_path):
    roles, target = tmp_path / "roles.json", tmp_path / "catalog.json"
    roles.write_text(json.dumps([ROLE]), encoding="utf-8")
    assert 0 == run("catalog", "import", roles, "--output", target).exit_code
    for found in (
        run("catalog", "status", "--format", "json", "--catalog", target),
        run("catalog", "status", "--format", "json", env={"IDTRANS_CATALOG": str(target)}),
    ):
        answer = json.loads(found.stdout)
        assert (str(target), {"azure": 0, "gcp": 1}) == (
            answer["path"],
            {line["cloud"]: line["supplied"] for line in answer["clouds"]},
        )
    assert "1 supplied" in run("catalog", "status", "--catalog", target).stdout


def test_mistakes(run, tmp_path):
    assert 2 == run("catalog", "import").exit_code
    assert 2 == run("catalog", "status", tmp_path / "x.json").exit_code
    assert 2 == run("catalog", "status", "--catalog", tmp_path / "none.json").exit_code
    assert "no catalogue file is in use" in run("catalog", "status").stdout
