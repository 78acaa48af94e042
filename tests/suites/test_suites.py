"""Policy unit tests: how documents and facts are stated, and what a case that cannot be decided comes to."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest

from idtrans import api
from idtrans.clouds.aws import _compile, _index
from idtrans.model.decisions import Outcome
from idtrans.model.suites import Expectation

ANA = "arn:aws:iam::111122223333:user/ana"
READ = {"action": "s3:GetObject", "resource": "arn:aws:s3:::data/a"}


def policy(action="s3:GetObject", resource="*", effect="Allow", **more):
    return {"Version": "2012-10-17", "Statement": [{"Effect": effect, "Action": action, "Resource": resource, **more}]}


@pytest.fixture
def run(tmp_path):
    def call(content, name="tests.json"):
        file = tmp_path / name
        file.write_text(content if isinstance(content, str) else json.dumps(content, indent=1), "utf-8")
        return api.run_suites([file])

    return call


def suite(*cases, documents=()):
    return {
        "documents": list(documents),
        "cases": [{"principal": ANA, **READ, "expect": "allow", **one} for one in cases],
    }


@pytest.mark.parametrize(
    ("expectation", "met"),
    [
        (Expectation.ALLOW, {Outcome.ALLOW}),
        (Expectation.DENY, {Outcome.EXPLICIT_DENY, Outcome.IMPLICIT_DENY}),
        (Expectation.EXPLICIT_DENY, {Outcome.EXPLICIT_DENY}),
        (Expectation.IMPLICIT_DENY, {Outcome.IMPLICIT_DENY}),
    ],
)
def test_what_is_not_known_never_meets_an_expectation(expectation, met):
    assert met == {outcome for outcome in Outcome if expectation.met_by(outcome)}


def test_documents_stand_in_files_beside_the_test_file(run, tmp_path):
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "read.json").write_text(json.dumps(policy()), "utf-8")
    entry = {"path": "policies/read.json", "layer": "identity", "principal": ANA}
    answer = run(suite({}, {"action": "s3:PutObject", "expect": "implicit-deny"}, documents=[entry]))
    assert ((), ()) == (answer.failures, answer.errors)
    (reason,) = [reason for reason in answer.results[0].reasons if reason.layer == "identity"]
    assert reason.source.path.endswith("policies/read.json")


def test_a_reason_says_where_an_inline_statement_stands(run):
    text = f"""\
documents:
  - layer: identity
    principal: {ANA}
    inline:
      Version: "2012-10-17"
      Statement:
        - Effect: Deny
          Action: "*"
          Resource: "*"
cases:
  - {{principal: "{ANA}", action: "s3:GetObject", resource: "*", expect: allow}}
"""
    (failure,) = run(text, "tests.yaml").failures
    assert (Outcome.EXPLICIT_DENY, 11) == (failure.outcome, failure.source.line)
    assert [7] == [reason.source.line for reason in failure.reasons]
    assert f"{ANA} s3:GetObject *" == failure.question


@pytest.mark.parametrize(
    "inline",
    [
        policy(),
        json.dumps(policy()),
        quote(json.dumps(policy()), safe=""),
    ],
)
def test_inline_documents_are_objects_or_their_text(run, inline):
    assert () == run(suite({}, documents=[{"inline": inline, "layer": "identity"}])).failures


def test_a_document_that_is_null_does_not_exist(run):
    answer = run(
        suite({"expect": "implicit-deny"}, documents=[{"inline": None, "layer": "identity", "principal": ANA}])
    )
    assert ((), ()) == (answer.failures, answer.errors)


@pytest.mark.parametrize(
    "entry", [{"path": "absent.json"}, {"inline": "{"}, {"inline": "%7B%ff", "layer": "identity"}, {"inline": {"x": 1}}]
)
def test_cases_about_a_document_that_cannot_be_read_fail_and_no_others(run, entry):
    first = suite({"expect": "deny"}, documents=[entry])
    second = suite({"expect": "deny", "name": "other"})
    answer = run([first, second])
    assert [Outcome.UNKNOWN, Outcome.IMPLICIT_DENY] == [result.outcome for result in answer.results]
    assert ("a document of the suite could not be read",) == answer.failures[0].notes
    assert 1 == len(answer.errors)


@pytest.mark.parametrize(
    ("case", "note"),
    [
        ({"action": "s3:Get*"}, "is no AWS action"),
        ({"resource": "data"}, "is no AWS resource"),
        ({"principal": "ana@example.com"}, "is not a principal id"),
        ({"principal": "user:ana@example.com", "session": "x"}, "no fact `session`"),
        ({"principal": "entra:a0000000-0000-4000-8000-00000000000a", "organization": "o-1"}, "no fact `organization`"),
        ({"session": "x"}, "has no sessions"),
        ({"resource_account": "12"}, "is no account"),
        ({"resource": "arn:aws:sqs:eu-west-1:111122223333:q", "resource_account": "444455556666"}, "is not in the acc"),
    ],
)
def test_a_case_that_cannot_be_asked_fails_and_says_why(run, case, note):
    answer = run(suite({**case, "expect": "deny"}, {"expect": "deny"}))
    assert [False, True] == [result.passed for result in answer.results]
    assert Outcome.UNKNOWN is answer.results[0].outcome
    assert note in " ".join(answer.results[0].notes)


def test_what_is_not_understood_fails_whatever_is_expected(run):
    odd = policy(Condition={"StringAlmost": {"aws:username": "ana"}})
    answer = run(suite({"expect": "allow"}, {"expect": "deny"}, documents=[{"inline": odd, "layer": "identity"}]))
    assert [Outcome.UNKNOWN] * 2 == [result.outcome for result in answer.failures]
    assert all("StringAlmost" in " ".join(result.notes) for result in answer.failures)


def test_values_of_keys_are_texts_lists_or_nothing(run):
    numbers = policy(Condition={"NumericLessThan": {"s3:max-keys": "10"}, "Bool": {"aws:SecureTransport": "true"}})
    several = policy("s3:PutObject", Condition={"ForAllValues:StringEquals": {"aws:TagKeys": ["a", "1"]}})
    given = {"s3:max-keys": 9, "aws:SecureTransport": True}
    answer = run(
        suite(
            {"context": given},
            {"context": {**given, "s3:max-keys": 10.5}, "expect": "implicit-deny"},
            {"context": {**given, "aws:SecureTransport": None}, "expect": "implicit-deny"},
            {"action": "s3:PutObject", "context": {"aws:TagKeys": ["a", 1]}},
            {"action": "s3:PutObject", "context": {"aws:TagKeys": []}},
            {"action": "s3:PutObject", "context": {"aws:TagKeys": "b"}, "expect": "implicit-deny"},
            documents=[{"inline": numbers, "layer": "identity"}, {"inline": several, "layer": "identity"}],
        )
    )
    assert () == answer.failures


@pytest.mark.parametrize(
    "who",
    [
        {"service": "logs.amazonaws.com"},
        {"service": "logs.amazonaws.com", "principal": "logs.amazonaws.com"},
        {"principal": "service:logs.amazonaws.com"},
    ],
)
def test_a_service_asks_by_its_name(run, who):
    grant = policy("s3:PutObject", "arn:aws:s3:::data/*", Principal={"Service": "logs.amazonaws.com"})
    content = suite({"action": "s3:PutObject"}, documents=[{"inline": grant, "layer": "resource"}])
    content["cases"][0] = {**{k: v for k, v in content["cases"][0].items() if k != "principal"}, **who}
    assert () == run(content).failures


@pytest.mark.parametrize(
    "who", [{"anonymous": True}, {"anonymous": True, "principal": "*"}, {"principal": "anonymous"}]
)
def test_a_stranger_asks(run, who):
    grant = policy(resource="arn:aws:s3:::data/*", Principal="*")
    content = suite({}, documents=[{"inline": grant, "layer": "resource", "resource": "arn:aws:s3:::data/a"}])
    content["cases"][0] = {**{k: v for k, v in content["cases"][0].items() if k != "principal"}, **who}
    assert () == run(content).failures


def test_facts_hold_in_their_own_case(run):
    deny = {"Version": "2012-10-17", "Statement": []}
    answer = run(
        suite(
            {"expect": "implicit-deny"},
            {"management_account": True},
            {"management_account": "111122223333"},
            {"management_account": False, "expect": "implicit-deny"},
            {"service_linked_role": True},
            {"expect": "implicit-deny"},
            documents=[{"inline": policy(), "layer": "identity"}, {"inline": deny, "layer": "scp", "level": "root"}],
        )
    )
    assert () == answer.failures


@pytest.mark.parametrize(
    ("levels", "outcome"),
    [
        ([{"level": "root"}, {"level": "unit"}], Outcome.IMPLICIT_DENY),
        ([{"level": "unit"}, {"level": "unit"}], Outcome.ALLOW),
        ([{}, {}], Outcome.ALLOW),
        ([{"level": 1}, {"level": 2}], Outcome.IMPLICIT_DENY),
        ([{"scope": "r-1"}, {"scope": "ou-1"}], Outcome.IMPLICIT_DENY),
        (
            [{"level": "root", "account": "111122223333"}, {"level": "unit", "account": "111122223333"}],
            Outcome.IMPLICIT_DENY,
        ),
        ([{"level": "root"}, {"level": "account", "account": "111122223333"}], Outcome.IMPLICIT_DENY),
        ([{"level": "root"}, {"level": "account", "account": "444455556666"}], Outcome.ALLOW),
    ],
)
def test_every_level_of_the_organisation_must_allow(run, levels, outcome):
    allows = [policy("s3:*"), policy("ec2:*")]
    documents = [{"inline": each, "layer": "scp", **level} for each, level in zip(allows, levels, strict=True)]
    answer = run(suite({}, documents=[{"inline": policy(), "layer": "identity"}, *documents]))
    assert [outcome] == [result.outcome for result in answer.results]


def test_the_organisation_and_the_account_of_the_resource_are_keys_too(run):
    condition = {"StringEquals": {"aws:PrincipalOrgID": "o-1", "aws:ResourceAccount": "111122223333"}}
    documents = [{"inline": policy(Condition=condition), "layer": "identity"}]
    answer = run(
        suite(
            {"organization": "o-1"},
            {"organization": "o-1", "resource_account": 111122223333},
            {"organization": "o-2", "expect": "implicit-deny"},
            {"organization": False, "expect": "implicit-deny"},
            {"expect": "implicit-deny"},
            documents=documents,
        )
    )
    assert () == answer.failures


def test_a_token_at_a_door_that_no_document_names(run):
    claims = {"iss": "https://token.actions.githubusercontent.com"}
    cases = [
        {"target": "arn:aws:iam::111122223333:role/x", "claims": claims, "expect": "deny"},
        {"target": "nothing known", "claims": claims, "expect": "deny"},
    ]
    answer = run({"cases": cases})
    assert [Outcome.UNKNOWN] * 2 == [result.outcome for result in answer.failures]
    assert ["case 1", "case 2"] == [result.name for result in answer.results]


@pytest.mark.parametrize(
    ("federated", "outcome"),
    [
        ("arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com", Outcome.ALLOW),
        ("arn:aws:iam::111122223333:saml-provider/corp", Outcome.IMPLICIT_DENY),
    ],
)
def test_a_token_and_the_kind_of_trust(run, federated, outcome):
    action = "sts:AssumeRoleWithSAML" if "saml" in federated else "sts:AssumeRoleWithWebIdentity"
    trust = {
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Principal": {"Federated": federated}, "Action": action}],
    }
    role = "arn:aws:iam::111122223333:role/x"
    claims = {"iss": "https://token.actions.githubusercontent.com", "sub": "repo:a/b:ref:refs/heads/main"}
    documents = [{"inline": trust, "layer": "trust", "principal": role}]
    answer = run({"documents": documents, "cases": [{"target": role, "claims": claims, "expect": "allow"}]})
    assert [outcome] == [result.outcome for result in answer.results]


def test_a_trust_of_nobody_is_of_the_one_target_that_all_cases_are_about(run):
    federated = "arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com"
    statement = {"Effect": "Allow", "Principal": {"Federated": federated}, "Action": "sts:AssumeRoleWithWebIdentity"}
    claims = {"sub": "repo:a/b:ref:refs/heads/main"}
    cases = [{"target": f"arn:aws:iam::111122223333:role/{name}", "claims": claims, "expect": "allow"} for name in "xy"]
    documents = [{"inline": {"Version": "2012-10-17", "Statement": statement}, "layer": "trust"}]
    assert () == run({"documents": documents, "cases": cases[:1]}).failures
    assert 2 == len(run({"documents": documents, "cases": cases}).failures)


def test_a_suite_is_compiled_once_and_equal_documents_are_read_once(run, monkeypatch):
    compiled = []
    read = []

    def compile_policy(found):
        compiled.append(found)
        return _compile.compile_policy(found)

    def loads(*args, **more):
        read.append(args)
        return embedded(*args, **more)

    from idtrans import documents

    embedded = documents.embedded
    monkeypatch.setattr(_index, "compile_policy", compile_policy)
    monkeypatch.setattr(documents, "embedded", loads)
    cases = [{"resource": f"arn:aws:s3:::data/{number}"} for number in range(50)]
    one = suite(*cases, documents=[{"inline": policy(), "layer": "identity", "principal": ANA}])
    assert () == run([one, one]).failures
    assert (1, 1) == (len(compiled), len(read))


def test_a_folder_of_test_files(tmp_path):
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text(json.dumps(suite({"name": name, "expect": "deny"})), "utf-8")
    assert ["a.json", "b.json"] == [result.name for result in api.run_suites([tmp_path]).results]


def test_no_test_at_all_is_an_error(tmp_path):
    (error,) = api.run_suites([tmp_path]).errors
    assert f"no policy test in `{tmp_path}`" == str(error)
    (error,) = api.run_suites(["-"], stdin=b"[]").errors
    assert "no policy test in `-`" == str(error)


def test_standard_input():
    answer = api.run_suites(["-"], stdin=json.dumps(suite({"expect": "deny"})).encode())
    assert [("-", True)] == [(result.source.path, result.passed) for result in answer.results]
