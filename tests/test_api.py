"""The functions that the package offers: reading files, and asking what they say."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

import idtrans
from idtrans import api
from idtrans.api import _clouds
from idtrans.api._names import GivenNames
from idtrans.model.answers import Admission
from idtrans.model.data import fixtures_dir
from idtrans.model.decisions import Outcome
from idtrans.model.diffs import DiffVerdict
from idtrans.model.documents import Hints, Unsupported
from idtrans.model.entities import Principal, PrincipalKind
from idtrans.model.errors import DataError, DocumentError, UnrecognisedError, UsageError
from idtrans.model.values import Layer, Reach
from tests.fakes import FakeCloud, box, estate_of, source

NOW = datetime(2026, 11, 1, tzinfo=UTC)
POLICY: dict[str, Any] = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::b/*"}],
}
ANA = "arn:aws:iam::111122223333:user/ana"
OBJECT = "arn:aws:s3:::b/o"


@pytest.fixture(scope="module")
def acme():
    return idtrans.load([fixtures_dir() / "acme"], now=NOW)


@pytest.fixture
def folder(tmp_path):
    """Write files by name and content, and return their folder."""

    def write(**files):
        for name, content in files.items():
            text = content if isinstance(content, str) else json.dumps(content)
            (tmp_path / name.replace("__", ".")).write_text(text, "utf-8")
        return tmp_path

    return write


class Claimer:
    """A reader that takes every document."""

    def __init__(self, name, *stated):
        self.name = name
        self.stated = stated

    def recognise(self, document):
        return f"{self.name}.thing" if document.content else None

    def parse(self, document, shape):
        assert f"{self.name}.thing" == shape
        return iter(self.stated)


@pytest.fixture
def readers(monkeypatch):
    def use(*found):
        monkeypatch.setattr("idtrans.api._load.readers", lambda: {reader.name: reader for reader in found})

    return use


def test_entities_and_doubts_are_sorted(folder, readers):
    ana = Principal("x", "ana", PrincipalKind.USER, source("a.json"))
    doubt = Unsupported("odd", source("a.json"), "x")
    readers(Claimer("x", ana, doubt, doubt))
    estate = api.load([folder(a__json={"k": 1})], now=NOW)
    assert (ana,) == estate.entities
    assert (doubt,) == estate.unsupported
    assert [("a.json", "x.thing", False)] == [(one.path, one.shape, one.explicit) for one in estate.inputs]
    assert () == estate.errors
    assert NOW == estate.now


def test_a_document_that_two_readers_claim_is_unknown(folder, readers):
    readers(Claimer("x"), Claimer("y"))
    estate = api.load([folder(a__json={"k": 1}) / "a.json"])
    assert ["it can be read as `x.thing` and `y.thing`, and nothing says which"] == [
        one.reason for one in estate.unsupported
    ]
    assert [None] == [one.shape for one in estate.inputs]


def test_what_the_decoder_met_is_kept(folder, readers):
    readers(Claimer("x"))
    estate = api.load([folder(a__json='{"k": 1, "k": 2}')])
    assert [("x", "a.json")] == [(one.cloud, one.source.path) for one in estate.unsupported]


def test_a_file_that_is_named_must_be_recognised(folder):
    path = folder(a__json={"nothing": "known"}) / "a.json"
    (error,) = api.load([path]).errors
    assert isinstance(error, UnrecognisedError)
    assert "not a kind of document that is recognised" == error.message


def test_files_in_folders_are_counted(folder):
    root = folder(a__json={"nothing": "known"}, b__json=POLICY, c__txt="hello: [")
    estate = api.load([root])
    assert () == estate.errors
    shapes = {one.path: one.shape for one in estate.inputs}
    assert {"a.json": None, "b.json": "aws.policy", "c.txt": None} == shapes
    assert ["c.txt"] == [one.path for one in estate.inputs if one.reason]


def test_nothing_recognised_at_all_is_an_error(folder):
    (error,) = api.load([folder(a__json={"nothing": "known"})]).errors
    assert "nothing here is recognised" == error.message
    (error,) = api.load([]).errors
    assert "input: nothing here is recognised" in str(error)


def test_a_broken_file_does_not_hide_the_others(folder):
    root = folder(a__json="{", b__json=POLICY)
    estate = api.load([root])
    assert ["a.json"] == [error.source.path for error in estate.errors if error.source]
    assert 1 == len(estate.entities)


def test_a_file_without_content_is_an_error_whatever_it_is_said_to_be(folder):
    path = folder(cut_off__json=" ") / "cut_off.json"
    said = Hints(principal="arn:aws:iam::111122223333:user/ana", layer=Layer.IDENTITY)
    (error,) = api.load([path], hints=said).errors
    assert "the file is empty" == error.message


def test_an_operator_that_aws_does_not_have_is_compared_as_it_stands(folder):
    plain = POLICY["Statement"][0]
    odd = {**plain, "Condition": {"StringFuzzy": {"aws:UserAgent": "x"}}}
    other = {**plain, "Action": "ec2:RunInstances", "Resource": "*"}
    root = folder(
        plain__json={**POLICY, "Statement": [plain]},
        odd__json={**POLICY, "Statement": [odd]},
        more__json={**POLICY, "Statement": [other, odd]},
        turned__json={**POLICY, "Statement": [odd, other]},
    )
    estates = {name: api.load([root / f"{name}.json"]) for name in ("plain", "odd", "more", "turned")}
    assert DiffVerdict.NO_NEW_ACCESS is api.diff(estates["plain"], estates["odd"]).verdict
    assert DiffVerdict.NO_NEW_ACCESS is api.diff(estates["more"], estates["turned"]).verdict
    assert DiffVerdict.UNKNOWN is api.diff(estates["odd"], estates["plain"]).verdict


def test_standard_input_is_given_as_bytes():
    estate = api.load(["-"], stdin=json.dumps(POLICY).encode(), hints=Hints(principal=ANA, layer=Layer.IDENTITY))
    assert Outcome.ALLOW is api.can(estate, ANA, "s3:GetObject", OBJECT).outcome


def test_a_broken_manifest_is_an_error_of_its_own(folder):
    with pytest.raises(DataError):
        api.load([folder(estate__yaml="- {path: a.json, what: b}", a__json=POLICY)])


def test_every_document_of_the_sample_is_read(acme):
    left = [one.path for one in acme.inputs if one.shape is None]
    assert ["translate/map.yaml", "README.md"] == left
    assert ("aws", "azure", "gcp") == acme.clouds
    assert () == acme.errors


@pytest.mark.parametrize(
    ("principal", "action", "resource", "outcome"),
    [
        (
            "arn:aws:iam::111122223333:user/data-scientist",
            "s3:GetObject",
            "arn:aws:s3:::my-bucket/r.csv",
            "conditional",
        ),
        ("arn:aws:iam::111122223333:user/data-scientist", "s3:PutObject", "arn:aws:s3:::my-bucket/r", "implicit-deny"),
        (
            "user:data-scientist@company.com",
            "storage.objects.get",
            "//storage.googleapis.com/projects/_/buckets/my-bucket/objects/o",
            "allow",
        ),
    ],
)
def test_can(acme, principal, action, resource, outcome):
    assert outcome == api.can(acme, principal, action, resource).outcome.value


@pytest.mark.parametrize(
    ("principal", "words"),
    [
        ("ana@acme.example", "`user:ana@acme.example`"),
        ("ana", "AWS ARN"),
    ],
)
def test_a_principal_of_no_cloud_is_a_usage_error(acme, principal, words):
    with pytest.raises(UsageError) as caught:
        api.can(acme, principal, "s3:GetObject", OBJECT)
    assert words in (caught.value.advice or "")


def test_a_principal_of_two_clouds_goes_to_the_one_that_is_there(monkeypatch):
    one, two = FakeCloud(name="fake"), FakeCloud(name="other")
    monkeypatch.setattr(_clouds, "clouds", lambda: {"fake": one, "other": two})
    assert "fake" == _clouds.cloud_of("ana", estate_of("ana")).name
    with pytest.raises(UsageError, match="can be a principal of fake and other"):
        _clouds.cloud_of("ana", estate_of())


def test_an_unknown_cloud_is_a_usage_error():
    with pytest.raises(UsageError, match="`oracle` is not a cloud"):
        _clouds.cloud_named("oracle")
    assert "aws" == _clouds.cloud_named("aws").name


def test_who_can(acme):
    answer = api.who_can(acme, "s3:GetObject", "arn:aws:s3:::my-bucket/r.csv")
    assert "arn:aws:iam::111122223333:user/data-scientist" in [one.request.principal for one in answer.allowed]
    assert len(answer.allowed) < answer.examined


@pytest.fixture
def fakes(monkeypatch):
    """Two clouds, of which the second refuses every request."""

    class Refusing(FakeCloud):
        def request(self, query, estate):
            raise UsageError("not mine", advice="ask otherwise")

    def use(*found):
        monkeypatch.setattr("idtrans.api._questions.clouds", lambda: {cloud.name: cloud for cloud in found})

    return use, Refusing


def test_who_can_asks_the_clouds_that_read_the_request(fakes):
    use, refusing = fakes
    cloud, estate = FakeCloud(), estate_of("ana", "ben")
    cloud.give(estate, "ana", box("get", "b"))
    use(cloud, refusing(name="refusing"))
    answer = api.who_can(estate, "get", "b")
    assert (["ana"], 2) == ([one.request.principal for one in answer.allowed], answer.examined)


def test_who_can_of_a_request_that_no_cloud_reads(fakes):
    use, refusing = fakes
    use(refusing())
    with pytest.raises(UsageError, match="not mine"):
        api.who_can(estate_of("ana"), "get", "b")


def test_who_can_of_a_request_that_several_clouds_refuse(acme):
    with pytest.raises(UsageError, match="no cloud of this input reads `get` on `b`"):
        api.who_can(acme, "get", "b")


def test_diff(folder):
    wide = {**POLICY, "Statement": [{**POLICY["Statement"][0], "Action": "s3:*"}]}
    root = folder(old__json=POLICY, new__json=wide)
    old, new = api.load([root / "old.json"], now=NOW), api.load([root / "new.json"], now=NOW)
    assert DiffVerdict.NEW_ACCESS is api.diff(old, new).verdict
    assert DiffVerdict.NO_NEW_ACCESS is api.diff(new, old).verdict
    assert DiffVerdict.NO_NEW_ACCESS is api.diff(old, old).verdict


def test_diff_with_a_file_that_was_not_read_proves_nothing(folder):
    root = folder(good__json=POLICY, bad__json="{")
    good, bad = api.load([root / "good.json"], now=NOW), api.load([root / "bad.json"], now=NOW)
    assert DiffVerdict.UNKNOWN is api.diff(good, bad).verdict
    assert DiffVerdict.UNKNOWN is api.diff(bad, good).verdict


def test_audit_takes_rules_baseline_and_suppressions(acme, folder):
    first = api.audit(acme)
    rule = first.findings[0].rule
    only = api.audit(acme, select=[rule])
    assert {rule} == {finding.rule for finding in only.findings}
    assert rule not in {finding.rule for finding in api.audit(acme, ignore=[rule]).findings}
    root = folder(s__yaml=f"- {{rule: {rule}, reason: accepted}}")
    states = {one.state.value for one in api.audit(acme, select=[rule], suppressions=root / "s.yaml").findings}
    assert {"suppressed"} == states


def test_a_file_that_steers_must_be_one_file(acme, folder):
    root = folder(b__json=POLICY)
    with pytest.raises(UsageError, match="is not one file"):
        api.audit(acme, baseline=root)
    with pytest.raises(DocumentError, match="no such file"):
        api.audit(acme, baseline=root / "gone.json")
    with pytest.raises(DataError, match="not a baseline"):
        api.audit(acme, baseline=root / "b.json")


def test_an_unknown_persona_is_a_usage_error(acme):
    with pytest.raises(UsageError, match="`nobody` is not a persona"):
        api.audit(acme, persona="nobody")


def test_rules_and_their_pages():
    lines = api.rules().rules
    assert sorted(line.id for line in lines) == [line.id for line in lines]
    assert f"# {lines[0].id}" in api.explain(lines[0].id).text
    with pytest.raises(UsageError):
        api.explain("no-such-rule")


def test_trusts_are_sorted_by_reach(acme):
    answer = api.trust(acme)
    assert Reach.PLATFORM is answer.trusts[0].reach
    assert Reach.DEAD is answer.trusts[-1].reach
    assert answer.token is None


GITHUB = {"iss": "https://token.actions.githubusercontent.com", "aud": "sts.amazonaws.com"}


@pytest.mark.parametrize(
    ("claims", "admitted"),
    [
        ({**GITHUB, "sub": "repo:acme/web:ref:refs/heads/release/1"}, Admission.YES),
        ({**GITHUB, "iss": "https://elsewhere.example", "sub": "x"}, Admission.NO),
    ],
)
def test_a_token_is_tried_at_every_trust(acme, claims, admitted):
    token = api.trust(acme, claims=claims).token
    assert token is not None
    assert (admitted, True) == (token.admitted, bool(token.reasons))


def test_a_token_where_no_trust_takes_tokens(folder):
    estate = api.load([folder(a__json=POLICY)])
    token = api.trust(estate, claims=GITHUB).token
    assert token is not None
    assert ("no trust of the input takes tokens",) == token.reasons


def test_claims_are_an_object(folder):
    root = folder(c__json=GITHUB, l__json=[GITHUB])
    assert GITHUB == api.read_claims(root / "c.json")
    with pytest.raises(DataError, match="not the claims of a token"):
        api.read_claims(root / "l.json")


@pytest.mark.parametrize("form", ["json", "graphml", "mermaid", "dot"])
def test_the_graph_is_exported(acme, form):
    assert api.export_graph(acme, form)


def test_the_graph_is_counted(acme):
    counts = api.count_graph(acme)
    assert sum(counts.nodes.values()) == len(list(api.graph(acme).nodes()))
    assert list(counts.nodes.values()) == sorted(counts.nodes.values(), reverse=True)


def test_names_that_nothing_asks_for_are_typing_errors():
    given = GivenNames({"aws-acount-id": "1", "name": "x"})
    assert "x" == given.names().get("name")
    assert "<OTHER>" == given.names().get("other")
    with pytest.raises(UsageError, match="nothing here is named by `aws-acount-id`"):
        given.check()
    GivenNames(None).check()


def _python(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert 0 == done.returncode, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("name", ["audit", "diff", "graph", "translate"])
def test_a_room_that_is_named_like_a_question_answers_it(name):
    module = f"import idtrans.{name} as room; print(callable(room), room.__all__ != [])"
    assert "True True" == _python(module)
    assert "True" == _python(f"from idtrans import {name} as room; print(callable(room))")


def test_questions_are_asked_of_the_package():
    code = f"""
import idtrans
from idtrans.audit import load_rules
estate = idtrans.load([{str(fixtures_dir() / "acme" / "aws")!r}])
print(bool(idtrans.audit(estate).findings), idtrans.diff(estate, estate).verdict.value)
"""
    assert "True no-new-access" == _python(code)


def test_the_package_lists_its_questions():
    assert set(idtrans.__all__) <= set(dir(idtrans))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = idtrans.nothing


def test_no_answer_calls_safe_what_was_not_read(folder):
    root = folder(good__json=POLICY, bad__json="{")
    said = Hints(principal=ANA, layer=Layer.IDENTITY)
    whole = api.load([root / "good.json"], now=NOW, hints=said)
    holed = api.load([root / "good.json", root / "bad.json"], now=NOW, hints=said)
    assert ["bad.json"] == [entry.source.path.rpartition("/")[2] for entry in api.audit(holed).not_evaluated]
    decision = api.can(holed, ANA, "s3:GetObject", OBJECT)
    assert (Outcome.UNKNOWN, True) == (decision.outcome, "bad.json" in decision.notes[0])
    for old, new in ((holed, whole), (whole, holed)):
        report = api.diff(old, new)
        assert (DiffVerdict.UNKNOWN, 1) == (report.verdict, len(report.not_evaluated))
    assert DiffVerdict.NO_NEW_ACCESS is api.diff(whole, whole).verdict


def test_what_belongs_to_no_cloud_leaves_answers_open(acme):
    odd = replace(acme, unsupported=(Unsupported("two readers claim it", source("x.json")),), memo={})
    principal = "user:data-scientist@company.com"
    resource = "//storage.googleapis.com/projects/_/buckets/my-bucket/objects/o"
    assert Outcome.ALLOW is api.can(acme, principal, "storage.objects.get", resource).outcome
    assert Outcome.UNKNOWN is api.can(odd, principal, "storage.objects.get", resource).outcome


def test_problems_of_files_that_are_no_input_do_not_matter(folder):
    estate = api.load([folder(a__json='{"k": 1, "k": 2}', b__json=POLICY)])
    assert [] == [entry for entry in estate.unsupported if entry.source.path == "a.json"]
