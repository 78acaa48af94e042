"""Commands in one process: what they answer, and the exit code."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from idtrans import report
from idtrans.cli import app
from idtrans.model.data import fixtures_dir

ACME = str(fixtures_dir() / "acme")
ANA = "arn:aws:iam::111122223333:user/ana"
POLICY: dict[str, Any] = {
    "Version": "2012-10-17",
    "Statement": [
        {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::b/*"},
        {"Effect": "Deny", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::b/secret"},
        {
            "Effect": "Allow",
            "Action": "s3:PutObject",
            "Resource": "arn:aws:s3:::b/*",
            "Condition": {"IpAddress": {"aws:SourceIp": "10.0.0.0/8"}},
        },
    ],
}
CLOSED = {**POLICY, "Statement": POLICY["Statement"][1:]}


@pytest.fixture
def run():
    runner = CliRunner()

    def call(*words, **options):
        return runner.invoke(app, [str(word) for word in words], **options)

    return call


@pytest.fixture
def file(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
        return path

    return write


def _checked(text):
    """Parse JSON output, which names the schema that it keeps."""
    found = json.loads(text)
    report.schemas()[found["schema"]].model_validate(found)
    return found


@pytest.mark.parametrize(
    ("words", "code", "start"),
    [
        (("s3:GetObject", "arn:aws:s3:::b/o"), 0, "allow:"),
        (("s3:GetObject", "arn:aws:s3:::b/secret"), 1, "explicit-deny:"),
        (("s3:GetObject", "arn:aws:s3:::c/o"), 1, "implicit-deny:"),
        (("s3:PutObject", "arn:aws:s3:::b/o"), 3, "conditional:"),
        (("s3:PutObject", "arn:aws:s3:::b/o", "--closed"), 1, "implicit-deny:"),
        (("s3:PutObject", "arn:aws:s3:::b/o", "--context", "aws:SourceIp=10.1.2.3"), 0, "allow:"),
        (("s3:PutObject", "arn:aws:s3:::b/o", "--context", "aws:SourceIp"), 2, ""),
        (("PutObject", "arn:aws:s3:::b/o"), 2, ""),
    ],
)
def test_can(run, file, words, code, start):
    path = file("p.json", POLICY)
    done = run("can", ANA, *words, "--in", path, "--principal", ANA, "--layer", "identity")
    assert (code, True) == (done.exit_code, done.stdout.startswith(start))
    if code == 2:
        assert done.stderr.startswith("error: ")
        assert "Traceback" not in done.stderr


def test_can_in_json(run, file):
    path = file("p.json", POLICY)
    done = run(
        "can", ANA, "s3:PutObject", "arn:aws:s3:::b/o", "--in", path, "--principal", ANA, "--layer", "identity",
        "--format", "json", "--now", "2026-11-01",
    )  # fmt: skip
    found = _checked(done.stdout)
    assert ("idtrans/decision/v1", "conditional") == (found["schema"], found["decision"])
    assert found["residual"]
    assert ["2026-11-01T00:00:00Z"] == found["request"]["context"]["aws:CurrentTime"]


def test_a_key_that_is_given_twice_has_two_values(run, file):
    words = ("--context", "aws:TagKeys=a", "--context", "aws:TagKeys=b", "--format", "json")
    path = file("p.json", POLICY)
    done = run("can", ANA, "s3:GetObject", "arn:aws:s3:::b/o", "--in", path, *words)
    assert ["a", "b"] == _checked(done.stdout)["request"]["context"]["aws:TagKeys"]


@pytest.mark.parametrize(
    ("action", "code"),
    [("s3:GetObject", 0), ("s3:DeleteBucket", 1)],
)
def test_who_can(run, file, action, code):
    resource = "arn:aws:s3:::b" if code else "arn:aws:s3:::b/o"
    path = file("p.json", POLICY)
    words = ("who-can", action, resource, "--in", path, "--principal", ANA, "--layer", "identity")
    assert code == run(*words).exit_code
    assert (code == 0) == bool(_checked(run(*words, "--format", "json").stdout)["allowed"])


def test_who_can_when_something_was_not_understood(run, file):
    odd = {**POLICY, "Statement": [{**POLICY["Statement"][0], "Effect": "Perhaps"}]}
    done = run("who-can", "s3:GetObject", "arn:aws:s3:::b/o", "--in", file("p.json", odd))
    assert 3 == done.exit_code
    assert "it cannot be told" in done.stdout


PERHAPS = {**POLICY, "Statement": [{"Effect": "Perhaps", "Action": "*", "Resource": "*"}]}


@pytest.mark.parametrize(
    ("sides", "code", "verdict"),
    [
        ((POLICY, POLICY), 0, "no-new-access"),
        ((POLICY, CLOSED), 0, "no-new-access"),
        ((CLOSED, POLICY), 1, "new-access"),
        ((POLICY, PERHAPS), 3, "unknown"),
    ],
)
def test_diff(run, file, sides, code, verdict):
    old, new = sides
    words = ("diff", file("old.json", old), file("new.json", new))
    done = run(*words)
    assert (code, True) == (done.exit_code, done.stdout.startswith(f"{verdict}: "))
    found = _checked(run(*words, "--format", "json").stdout)
    assert verdict == found["verdict"]
    assert (verdict == "new-access") == bool(found["new"])


def test_audit_of_the_sample(run):
    done = run("audit", ACME, "--now", "2026-11-01T00:00:00Z")
    assert 1 == done.exit_code
    assert "aws/credential-report.csv:2" in done.stdout
    found = _checked(run("audit", ACME, "--now", "2026-11-01T00:00:00Z", "--format", "json").stdout)
    severities = ["critical", "high", "medium", "low", "info"]
    ranks = [severities.index(finding["severity"]) for finding in found["findings"]]
    assert sorted(ranks) == ranks
    assert all(not place["path"].startswith("/") for one in found["findings"] for place in one["locations"])


def test_the_baseline_of_an_audit_is_its_own_output(run, tmp_path):
    baseline = tmp_path / "baseline.json"
    assert 1 == run("audit", ACME, "--format", "json", "--output", baseline).exit_code
    done = run("audit", ACME, "--baseline", baseline)
    assert "no findings" in done.stdout
    assert 1 != done.exit_code


@pytest.mark.parametrize(
    ("more", "code"),
    [
        (("--fail-on", "critical", "--select", "dead-trust"), 0),
        (("--fail-on", "low", "--select", "dead-trust"), 1),
        (("--select", "no-such-rule"), 2),
        (("--baseline", "gone.json"), 2),
        (("--rules", "gone"), 2),
        (("--fail-on", "terrible"), 2),
    ],
)
def test_what_makes_an_audit_fail(run, more, code):
    assert code == run("audit", ACME, *more).exit_code


def test_what_was_not_understood_makes_an_audit_unsure(run, file):
    done = run("audit", file("p.json", PERHAPS))
    assert (3, True) == (done.exit_code, "not evaluated: " in done.stdout)


def test_accepted_defects_are_read_from_the_current_folder(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "idtrans-suppressions.yaml").write_text("- {rule: dead-trust, reason: kept for a test}\n")
    done = run("audit", ACME, "--select", "dead-trust")
    assert "no findings" in done.stdout
    assert "accepted defects are read from idtrans-suppressions.yaml" in done.stderr


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ((), 0),
        (("--fail-on", "platform"), 1),
        (("--fail-on", "anyone"), 0),
    ],
)
def test_trust(run, more, code):
    done = run("trust", ACME, *more)
    assert (code, True) == (done.exit_code, done.stdout.startswith("platform  "))


@pytest.mark.parametrize(
    ("subject", "code", "admitted"),
    [("repo:acme/web:ref:refs/heads/release/1", 0, "yes"), ("system:serviceaccount:x:y", 1, "no")],
)
def test_trust_with_a_token(run, file, subject, code, admitted):
    # One role admits every subject; without it the others decide.
    issuer = "https://token.actions.githubusercontent.com" if code == 0 else "https://elsewhere.example"
    claims = file("claims.json", {"iss": issuer, "aud": "sts.amazonaws.com", "sub": subject})
    done = run("trust", ACME, "--claims", claims, "--format", "json")
    found = _checked(done.stdout)
    assert (code, admitted) == (done.exit_code, found["token"]["admitted"])


@pytest.mark.parametrize("form", ["json", "graphml", "mermaid", "dot"])
def test_graph(run, form):
    done = run("graph", ACME, "--format", form)
    assert (0, True) == (done.exit_code, bool(done.stdout))
    if form == "json":
        _checked(done.stdout)


@pytest.mark.parametrize("emit", ["native", "cli", "terraform"])
def test_federate(run, emit):
    words = ("federate", "github", "--repo", "acme/app", "--environment", "prod", "--to", "aws", "--to", "gcp")
    done = run(*words, "--to", "azure", "--emit", emit, "--set", "aws-account-id=111122223333")
    assert 0 == done.exit_code
    assert "id-token" in done.stdout
    found = _checked(run(*words, "--emit", emit, "--format", "json").stdout)
    assert {emit} == {one["format"] for target in found["targets"] for one in target["artifacts"]}
    assert ["workload", "workload"] == [target["reach"] for target in found["targets"]]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        (("--environment", "prod", "--repo-id", "1", "--owner-id", "2"), 0),
        (("--environment", "prod", "--repo-id", "1", "--owner-id", "2", "--subject-format", "both"), 0),
        (("--ref", "refs/heads/main"), 0),
        (("--pull-request",), 0),
        (("--any-ref",), 0),
        (("--any-ref", "--pull-request"), 2),
        ((), 2),
        (("--environment", "a'b"), 2),
        (("--environment", "prod", "--set", "nothing=1"), 2),
        (("--environment", "prod", "--set", "aws-region=a", "--set", "aws-region=b"), 2),
        (("--environment", "prod", "--to", "oracle"), 2),
    ],
)
def test_which_jobs_are_let_in(run, more, code):
    done = run("federate", "github", "--repo", "acme/app", "--to", "aws", *more)
    assert code == done.exit_code


def test_rules_and_pages(run):
    found = _checked(run("rules", "--format", "json").stdout)
    first = found["rules"][0]["id"]
    assert first in run("rules").stdout
    assert f"# {first}" in run("explain", first).stdout
    assert first == _checked(run("explain", first, "--format", "json").stdout)["id"]
    done = run("explain", first[:-1])
    assert (2, True) == (done.exit_code, f"`{first}`" in done.stderr)


def test_broken_files_are_told_while_others_are_read(run, file):
    good, bad = file("good.json", POLICY), file("bad.json", '{"a": ')
    done = run("audit", good, bad)
    assert 2 == done.exit_code
    assert "bad.json" in done.stderr
    assert "findings" in done.stdout


def test_a_broken_file_comes_before_a_finding(run, file):
    assert 2 == run("audit", ACME, file("bad.json", "{")).exit_code


@pytest.mark.parametrize("name", ["unknown.json", "gone.json"])
def test_a_named_file_must_be_there_and_known(run, file, tmp_path, name):
    file("unknown.json", {"nothing": "known"})
    done = run("audit", tmp_path / name)
    assert 2 == done.exit_code
    assert f"error: {(tmp_path / name).as_posix()}" in done.stderr


def test_unrecognised_files_in_folders_are_listed_unless_quiet(run, file, tmp_path):
    file("p.json", POLICY)
    for number in range(25):
        file(f"x{number:02}.json", {"nothing": number})
    done = run("graph", tmp_path)
    assert 0 == done.exit_code
    assert "25 files in folders were not recognised:\n  x00.json" in done.stderr
    assert "... and 5 more" in done.stderr
    assert "" == run("graph", tmp_path, "--quiet").stderr


def test_standard_input(run):
    done = run("graph", "-", input=json.dumps(POLICY))
    assert 0 == done.exit_code
    assert _checked(done.stdout)["nodes"]


def test_output_goes_to_a_file(run, file, tmp_path):
    path = file("p.json", POLICY)
    done = run("graph", path, "--output", tmp_path / "out.json")
    assert (0, "") == (done.exit_code, done.stdout)
    _checked((tmp_path / "out.json").read_text("utf-8"))
    done = run("graph", path, "--output", tmp_path / "no" / "out.json")
    assert 2 == done.exit_code
    assert "cannot be written: no such file or directory" in done.stderr


def test_a_time_that_is_none(run, file):
    done = run("graph", file("p.json", POLICY), "--now", "yesterday")
    assert 2 == done.exit_code
    assert "error: `yesterday` is not a time (write it as ISO 8601" in done.stderr


def test_help_is_plain(run):
    for command in ("audit", "can", "federate"):
        said = run(command, "--help").stdout
        assert "[required]" in said
        assert "\\[" not in said


def test_help_lists_the_commands(run):
    said = run("--help").stdout
    for command in ("audit", "can", "who-can", "diff", "trust", "translate", "federate", "graph", "rules", "demo"):
        assert f"\n  {command} " in said


TRANSLATE = f"{ACME}/translate"
MAP = f"{TRANSLATE}/map.yaml"
SCIENTIST = "arn:aws:iam::111122223333:user/data-scientist"
AWS_GRANT = f"{TRANSLATE}/aws-identity-policy.json"


@pytest.mark.parametrize("target", ["aws", "gcp", "azure"])
def test_translate_the_triangle(run, target):
    words = ("translate", TRANSLATE, "--to", target, "--map", MAP, "--quiet")
    done = run(*words)
    assert 0 == done.exit_code
    assert 2 == done.stdout.count("exact-with-parts: ")
    found = _checked(run(*words, "--format", "json").stdout)
    assert "idtrans/translations/v1" == found["schema"]
    assert {target} == {entry["target"] for entry in found["translations"]}
    assert all(entry["artifacts"] for entry in found["translations"])


@pytest.mark.parametrize("emit", ["native", "cli", "terraform"])
def test_translate_one_principal(run, emit):
    words = ("translate", AWS_GRANT, "--to", "gcp", "--principal", SCIENTIST, "--layer", "identity", "--emit", emit)
    done = run(*words, "--format", "json")
    found = _checked(done.stdout)
    assert ("idtrans/translation/v1", SCIENTIST) == (found["schema"], found["principal"])
    assert {emit} == {artifact["format"] for artifact in found["artifacts"]}
    assert ["<GCP_PRINCIPAL>"] == found["placeholders"]


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        (("--set", "gcp-principal=user:ana@acme.example"), 0, ""),
        (("--set", "gcp-principle=user:ana@acme.example"), 2, "nothing here is named by `gcp-principle` (names here: "),
        (("--to", "aws"), 2, "is of aws already"),
        (("--to", "oracle"), 2, "`oracle` is not a cloud"),
        (("--map", "gone.yaml"), 2, "gone.yaml: no such file or folder"),
        (("--principal", "ana"), 2, "`ana` is not a principal id"),
    ],
)
def test_what_a_translation_is_asked(run, more, code, said):
    done = run("translate", AWS_GRANT, "--to", "gcp", "--principal", SCIENTIST, "--layer", "identity", *more)
    assert (code, True) == (done.exit_code, said in done.stderr)


def test_names_where_all_is_named(run):
    words = ("--principal", SCIENTIST, "--layer", "identity", "--map", MAP, "--set", "gcp-principal=user:a@b.example")
    done = run("translate", AWS_GRANT, "--to", "gcp", *words)
    assert (2, True) == (done.exit_code, "nothing is left to be named" in done.stderr)


@pytest.mark.parametrize(("form", "start"), [("markdown", "# Translation\n"), ("html", "<!doctype html>\n")])
def test_translate_as_a_page(run, form, start):
    done = run("translate", AWS_GRANT, "--to", "gcp", "--map", MAP, "--format", form)
    assert (0, True) == (done.exit_code, done.stdout.startswith(start))
    assert "Side by side" in done.stdout


def test_translate_where_there_is_nothing_to_say(run):
    done = run("translate", f"{ACME}/aws/access-keys.json", "--to", "aws")
    assert (2, True) == (done.exit_code, "no grants of a cloud other than aws" in done.stderr)


def test_a_translation_that_is_refused(run, file):
    table = {
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Action": "dynamodb:GetItem", "Resource": "*"}],
    }
    done = run("translate", file("p.json", table), "--to", "azure", "--principal", ANA, "--layer", "identity")
    assert (1, True) == (done.exit_code, done.stdout.startswith("refused: "))


def test_capabilities(run):
    assert "objstore.object.read" in run("capabilities").stdout
    found = _checked(run("capabilities", "--format", "json").stdout)
    (entry,) = [entry for entry in found["capabilities"] if entry["id"] == "objstore.object.read"]
    assert ["s3:GetObject"] == entry["permissions"]["aws"]


def test_demo(run):
    done = run("demo")
    assert 0 == done.exit_code
    assert [f"[{step}/5]" for step in range(1, 6)] == [line.split()[0] for line in done.stderr.splitlines()]
    for part in ("aws/credential-report.csv:2", "Broad trust", "aws to gcp: exact-with-parts", "aws_iam_role"):
        assert part in done.stdout


def test_demo_in_json(run):
    done = run("demo", "--format", "json", "--quiet")
    found = _checked(done.stdout)
    assert ("", 6) == (done.stderr, len(found["translations"]["translations"]))
    assert ["aws", "azure", "gcp"] == [count["cloud"] for count in found["clouds"]]


NAME = "\x1b[31m\u202e${x}'\"\n`$(y)`"


def test_hostile_names_reach_no_terminal(run, file, tmp_path):
    statement = {"Sid": NAME, "Effect": "Allow", "Action": "s3:GetObject", "Resource": f"arn:aws:s3:::{NAME}/*"}
    path = file("p.json", {"Version": "2012-10-17", "Statement": [statement]})
    (tmp_path / "\x1b[31m.json").write_text("{", "utf-8")
    (tmp_path / "\x1b[32m.json").write_text("{}", "utf-8")
    words = ("--principal", ANA, "--layer", "identity")
    for done in (
        run("can", ANA, "s3:GetObject", f"arn:aws:s3:::{NAME}/o", "--in", path, *words),
        run("who-can", "s3:GetObject", f"arn:aws:s3:::{NAME}/o", "--in", path, *words),
        run("diff", file("old.json", CLOSED), path, *words),
        run("translate", path, "--to", "gcp", *words),
        run("translate", path, "--to", "azure", "--emit", "terraform", *words),
        run("translate", path, "--to", "azure", "--emit", "cli", *words),
        run("audit", tmp_path),
        run("can", NAME, NAME, NAME, "--in", path),
        run("explain", NAME),
        run("federate", "github", "--repo", NAME, "--to", NAME, "--environment", NAME),
    ):
        assert done.exception is None or isinstance(done.exception, SystemExit)
        assert all(line.isprintable() for line in (done.stdout + done.stderr).split("\n"))
