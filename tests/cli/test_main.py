"""The entry points: what other programs see of a run."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from idtrans import __version__, api, cli
from idtrans.cli import ExitCode, app, main
from idtrans.cli._audit import Persona
from idtrans.cli._exit import first
from idtrans.cli._federate_options import SubjectFormat
from idtrans.cli._help import HELP
from idtrans.cli._main import _known_answer
from idtrans.cli._outcomes import OF_OUTCOME, OF_VERDICT
from idtrans.model.data import fixtures_dir
from idtrans.model.decisions import Outcome
from idtrans.model.diffs import DiffVerdict
from idtrans.model.errors import InternalError

ACME = str(fixtures_dir() / "acme")


@pytest.fixture
def call(monkeypatch, capsys):
    """Run `main` with arguments; return the exit code, the answer and what was said beside it."""

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["idtrans", *words])
        code = main()
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.mark.parametrize(
    ("codes", "winner"),
    [
        ((), 0),
        ((0, 3), 3),
        ((3, 1), 1),
        ((1, 2, 3, 0), 2),
    ],
)
def test_one_code_wins(codes, winner):
    assert winner == first(*map(ExitCode, codes))


def test_every_answer_has_a_code():
    assert set(Outcome) == set(OF_OUTCOME)
    assert set(DiffVerdict) == set(OF_VERDICT)


def test_choices_are_those_of_the_engines():
    from idtrans.audit import Persona as Known

    assert [member.value for member in Known] == [member.value for member in Persona]
    assert [member.value for member in api.SubjectFormat] == [member.value for member in SubjectFormat]


def test_version(call):
    assert (0, f"idtrans {__version__}\n", "") == call("--version")


def test_without_arguments_there_is_help(call):
    code, out, err = call()
    assert (2, True) == (code, "Usage: idtrans" in out + err)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("frobnicate",), "error: no such command 'frobnicate' (see `idtrans --help`)\n"),
        (("audit", "--frobnicate", "x"), "error: no such option"),
        (("audit",), "error: missing argument 'PATH...' (see `idtrans audit --help`)\n"),
        (("trust", ACME, "--fail-on", "\x1b"), "error: invalid value for '--fail-on': '\\x1b' is not one of"),
    ],
)
def test_usage_errors_are_one_line(call, words, said):
    code, out, err = call(*words)
    assert (2, "") == (code, out)
    assert err.startswith(said)
    assert 1 == err.count("\n")


def test_an_answer_that_fails_its_own_check_is_an_error(call, monkeypatch):
    def broken(*_, **__):
        raise InternalError("a witness does not replay")

    monkeypatch.setattr(api, "diff", broken)
    code, _, err = call("diff", ACME, ACME, "--quiet")
    assert (2, "error: a witness does not replay\n") == (code, err)


@pytest.mark.parametrize("error", [KeyboardInterrupt, BrokenPipeError])
def test_a_run_that_is_cut_short_is_quiet(call, monkeypatch, error):
    def cut(*_, **__):
        raise error

    monkeypatch.setattr(api, "diff", cut)
    silenced = []
    monkeypatch.setattr("idtrans.cli._main.silence", lambda: silenced.append(1))
    code, out, err = call("diff", ACME, ACME, "--quiet")
    assert ("", "") == (out, err)
    assert ((130, []) if error is KeyboardInterrupt else (0, [1])) == (code, silenced)


def _process(*words, **options):
    return subprocess.run(
        [sys.executable, "-m", "idtrans", *words], capture_output=True, check=False, timeout=120, **options
    )


def test_the_process_returns_the_code():
    assert 0 == _process("rules").returncode
    assert 2 == _process("audit", "no-such-file").returncode


def test_a_closed_pipe_leaves_no_trace():
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        done = subprocess.run(
            [sys.executable, "-m", "idtrans", "audit", ACME, "--quiet"],
            stdout=closed,
            stderr=subprocess.PIPE,
            check=False,
            timeout=120,
        )
    assert (b"", 1) == (done.stderr, done.returncode)


def test_a_terminal_that_is_not_utf_8_gets_the_answer(tmp_path):
    statement = {"Sid": "\u6f22", "Effect": "Allow", "Action": "*", "Resource": "*"}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    (tmp_path / "p.json").write_text(policy, "utf-8")
    words = ("can", "policy:#1", "s3:GetObject", "arn:aws:s3:::b/o", "--in", "p.json")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = _process(*words, cwd=tmp_path, env=environment)
    assert b"\\u6f22" in done.stdout
    assert 0 == done.returncode


def test_colour_is_for_terminals(monkeypatch):
    from idtrans.cli._session import Session
    from idtrans.report import Colour

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert Colour.ANSI is Session().colour()
    assert Colour.NONE is Session(output=fixtures_dir()).colour()
    monkeypatch.setenv("NO_COLOR", "1")
    assert Colour.NONE is Session().colour()
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert Colour.NONE is Session().colour()


def test_the_app_is_what_the_documentation_reads():
    from typer.main import get_command

    commands = getattr(get_command(app), "commands", {})
    assert all(command.help for command in commands.values())


@pytest.mark.parametrize(("words", "code"), [(("rules",), ExitCode.OK), (("explain", "nothing"), ExitCode.BROKEN)])
def test_streams_that_the_caller_closed(monkeypatch, words, code):
    monkeypatch.setattr(sys, "argv", ["idtrans", *words])
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert code == main()
    for stream in (sys.stdout, sys.stderr):
        stream.close()


@pytest.mark.parametrize("word", ["--help", "-h"])
def test_help_that_stands_ready_is_that_of_the_commands(call, monkeypatch, word):
    monkeypatch.delenv("COLUMNS", raising=False)
    ready = call(word)
    monkeypatch.setattr("idtrans.cli._main._known_answer", lambda _: None)
    monkeypatch.setenv("COLUMNS", "100")
    assert call(word) == ready
    assert (0, HELP, "") == ready


@pytest.mark.parametrize(
    ("columns", "ready"), [("80", True), ("200", True), ("79", False), ("0", True), ("wide", True), ("", True)]
)
def test_help_is_cut_anew_for_narrow_terminals(call, monkeypatch, columns, ready):
    monkeypatch.setenv("COLUMNS", columns)
    code, out, err = call("--help")
    assert (0, ready, "") == (code, out == HELP, err)
    assert "Translate and audit identity policy" in out


def test_the_version_needs_no_commands(call, monkeypatch):
    ready = call("--version")
    monkeypatch.setattr("idtrans.cli._main._known_answer", lambda _: None)
    assert call("--version") == ready


def test_completion_is_left_to_the_commands(monkeypatch):
    monkeypatch.setenv("_IDTRANS_COMPLETE", "bash_source")
    assert None is _known_answer(["--help"])


def test_the_room_has_nothing_else():
    with pytest.raises(AttributeError, match="nothing"):
        getattr(cli, "nothing")  # noqa: B009 - mypy knows that it is not there
