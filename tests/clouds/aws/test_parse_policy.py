from __future__ import annotations

import json
from urllib.parse import quote

import pytest

from idtrans.clouds.aws._parse import parse
from idtrans.clouds.aws._shapes import recognise
from idtrans.model.documents import Document, Format, Hints, Unsupported
from idtrans.model.entities import Container, Policy, Principal, PrincipalKind, Resource
from idtrans.model.errors import InternalError
from idtrans.model.spans import Place, Source
from idtrans.model.values import UNKNOWN, Effect, Layer

PLACE = Place("policy.json")
ROLE = "arn:aws:iam::111122223333:role/ci/deploy"
READ = {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::logs/*"}
OPEN = {**READ, "Principal": "*"}
TRUST = {"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"AWS": "444455556666"}}


def document(content, *, problems=(), **hints):
    return Document(PLACE, Format.JSON, content, Hints(**hints), problems)


def parsed(content, *, problems=(), **hints):
    found = document(content, problems=problems, **hints)
    return list(parse(found, recognise(found) or "aws.policy"))


def of(kind, entities):
    return [entity for entity in entities if isinstance(entity, kind)]


def policy(content, *, problems=(), **hints):
    (found,) = of(Policy, parsed(content, problems=problems, **hints))
    return found


def reasons(entities):
    return [entity.reason for entity in of(Unsupported, entities)]


def statements(*items, **more):
    return {"Version": "2012-10-17", "Statement": list(items), **more}


@pytest.mark.parametrize(
    ("expected", "content", "hints"),
    [
        (Layer.IDENTITY, statements(READ), {}),
        (Layer.RESOURCE, statements(OPEN), {}),
        (Layer.RESOURCE, statements({**READ, "NotPrincipal": {"AWS": "111122223333"}}), {}),
        (Layer.TRUST, statements(TRUST), {}),
        (Layer.TRUST, statements({**TRUST, "Action": ["sts:AssumeRoleWithWebIdentity", "sts:TagSession"]}), {}),
        (Layer.TRUST, statements({**TRUST, "Action": "STS:*"}), {}),
        (Layer.RESOURCE, statements(TRUST, OPEN), {}),
        (Layer.RESOURCE, statements({**TRUST, "Resource": "*"}), {}),
        (Layer.TRUST, statements({**TRUST, "Action": "sts:GetCallerIdentity"}), {}),
        (Layer.TRUST, statements({"Effect": "Allow", "NotAction": "sts:AssumeRole", "Principal": "*"}), {}),
        (Layer.TRUST, statements({**TRUST, "Action": "*"}), {"principal": ROLE}),
        (Layer.IDENTITY, statements(READ), {"principal": ROLE}),
        (Layer.RESOURCE, statements(READ), {"resource": "arn:aws:s3:::logs"}),
        (Layer.TRUST, statements(TRUST), {"resource": ROLE}),
        (Layer.IDENTITY, statements(READ), {"resource": "arn:aws:iam::111122223333:policy/p"}),
        (Layer.SCP, statements(READ), {"layer": Layer.SCP}),
        (Layer.BOUNDARY, statements(READ), {"kind": "aws.permissions-boundary"}),
        (Layer.RESOURCE, statements(READ), {"kind": "bucket-policy"}),
    ],
)
def test_layers(expected, content, hints):
    assert expected == policy(content, **hints).layer


def test_a_bare_identity_policy_is_read_without_an_owner():
    entities = parsed(statements(READ, Id="x"))
    (found,) = entities
    assert (UNKNOWN, "2012-10-17", ()) == (found.owner, found.version, found.doubts)
    assert "aws.policy#identity/policy.json" == found.id
    assert Source(PLACE, "/Statement/0") == found.statements[0].source


def test_a_statement_object_is_one_statement():
    one, listed = policy({"Statement": READ}), policy({"Statement": [READ]})
    assert "2008-10-17" == one.version
    assert Source(PLACE, "/Statement") == one.statements[0].source
    assert [item.actions for item in one.statements] == [item.actions for item in listed.statements]


def test_a_named_owner_is_described_with_its_account():
    entities = parsed(statements(READ), principal=ROLE, account="111122223333")
    assert ["111122223333"] == [found.id for found in of(Container, entities)]
    (principal,) = of(Principal, entities)
    assert (ROLE, PrincipalKind.ROLE, "deploy", "111122223333") == (
        principal.id,
        principal.kind,
        principal.name,
        principal.container,
    )
    assert ("role/deploy", "arn:aws:iam::111122223333:role/deploy") == principal.aliases
    (found,) = of(Policy, entities)
    assert (ROLE, f"{ROLE}#identity/policy.json") == (found.owner, found.id)


def test_a_session_is_no_identity_of_its_own():
    entities = parsed(statements(READ), principal="arn:aws:sts::111122223333:assumed-role/deploy/ci")
    assert ([], 1) == (of(Principal, entities), len(of(Container, entities)))


@pytest.mark.parametrize("principal", ["user/ana", "arn:aws:iam::111122223333:root"])
def test_other_owners_are_kept_as_they_are(principal):
    entities = parsed(statements(READ), principal=principal)
    assert ([], principal) == (of(Principal, entities), of(Policy, entities)[0].owner)


@pytest.mark.parametrize(
    ("expected", "arn", "hints"),
    [
        (("bucket", "logs", None), "arn:aws:s3:::logs", {}),
        (("bucket", "logs", "111122223333"), "arn:aws:s3:::logs", {"account": "111122223333"}),
        (("bucket", "logs", None), "arn:aws:s3:::logs", {"account": "acme-prod"}),
        (("bucket", "logs", None), "arn:aws-cn:s3:::logs", {}),
        (("access-point", "ap", "444455556666"), "arn:aws:s3:eu-west-1:444455556666:accesspoint/ap", {}),
        (("key", "1234", "444455556666"), "arn:aws:kms:eu-west-1:444455556666:key/1234", {}),
        (("queue", "jobs", "444455556666"), "arn:aws:sqs:eu-west-1:444455556666:jobs", {}),
        (("secret", "db-AbC", "444455556666"), "arn:aws:secretsmanager:eu-west-1:444455556666:secret:db-AbC", {}),
        (("function", "f", "444455556666"), "arn:aws:lambda:eu-west-1:444455556666:function:f", {}),
        (("resource", "a", "444455556666"), "arn:aws:new:eu-west-1:444455556666:thing/a", {}),
        (("resource", "logs", None), "logs", {}),
    ],
)
def test_a_resource_policy_belongs_to_the_resource_that_is_named(expected, arn, hints):
    entities = parsed(statements(OPEN), resource=arn, layer=Layer.RESOURCE, **hints)
    (resource,) = of(Resource, entities)
    assert expected == (resource.kind, resource.name, resource.container)
    assert arn == resource.id == of(Policy, entities)[0].owner


@pytest.mark.parametrize(
    ("expected", "resources"),
    [
        ("arn:aws:s3:::logs", ["arn:aws:s3:::logs", "arn:aws:s3:::logs/*"]),
        ("arn:aws-us-gov:s3:::logs", ["arn:aws-us-gov:s3:::logs/a/${aws:username}"]),
        (None, ["arn:aws:s3:::logs/*", "arn:aws:s3:::other/*"]),
        (None, ["arn:aws:s3:::logs*"]),
        (None, ["arn:aws:s3:::lo?s/*"]),
        (None, ["*"]),
        (None, ["arn:aws:s3:::logs/*", "*"]),
        (None, ["arn:aws:s3:::${var.bucket}/*"]),
        (None, ["arn:aws:sqs:*:111122223333:jobs"]),
        (None, ["arn:aws:sqs:eu-west-1:111122223333:jo*"]),
        (None, ["arn:aws:execute-api:eu-west-1:111122223333:a*/prod/GET"]),
        (None, ["arn:aws:kms:eu-west-1:111122223333:alias/main"]),
    ],
)
def test_a_bucket_is_known_when_every_resource_names_it(expected, resources):
    entities = parsed(statements({**OPEN, "Resource": resources}))
    if expected is None:
        assert UNKNOWN is of(Policy, entities)[0].owner
        assert "a resource policy, and it is not known of which resource" in reasons(entities)
    else:
        assert [expected] == [found.id for found in of(Resource, entities)]
        assert (expected, []) == (of(Policy, entities)[0].owner, reasons(entities))


def test_what_a_bucket_policy_leaves_out_names_no_bucket():
    content = statements({"Effect": "Deny", "Principal": "*", "Action": "*", "NotResource": "arn:aws:s3:::logs/*"})
    assert UNKNOWN is policy(content).owner


@pytest.mark.parametrize("encode", [json.dumps, lambda value: quote(json.dumps(value)), lambda value: value])
@pytest.mark.parametrize(
    ("wrap", "pointer"),
    [
        (lambda value: {"Policy": value}, "/Policy"),
        (lambda value: {"PolicyDocument": value}, "/PolicyDocument"),
        (lambda value: {"PolicyVersion": {"Document": value}}, "/PolicyVersion/Document"),
        (lambda value: {"Policy": {"PolicySummary": {}, "Content": value}}, "/Policy/Content"),
        (lambda value: {"Attributes": {"Policy": value}}, "/Attributes/Policy"),
        (lambda value: {"ResourcePolicy": value}, "/ResourcePolicy"),
        (lambda value: [{"PolicyDocument": value}], "/0/PolicyDocument"),
    ],
)
def test_wrapped_documents_are_read_and_point_to_what_carries_them(encode, wrap, pointer):
    carried = encode(statements(READ))
    found = policy(wrap(carried), layer=Layer.IDENTITY)
    inner = "/Statement/0" if isinstance(carried, dict) else ""
    assert (Source(PLACE, pointer), ("s3:GetObject",)) == (found.source, found.statements[0].actions)
    assert Source(PLACE, pointer + inner) == found.statements[0].source


@pytest.mark.parametrize(
    ("expected", "content", "hints"),
    [
        (("arn:aws:iam::111122223333:role/x", "p"), {"RoleName": "x", "PolicyName": "p"}, {"account": "111122223333"}),
        ((UNKNOWN, "p"), {"UserName": "ana", "PolicyName": "p"}, {}),
        ((UNKNOWN, None), {}, {"account": "111122223333"}),
        ((ROLE, "p"), {"RoleName": "deploy", "PolicyName": "p"}, {"principal": ROLE, "account": "111122223333"}),
    ],
)
def test_inline_policies_name_their_owner(expected, content, hints):
    found = policy({**content, "PolicyDocument": statements(READ)}, **hints)
    assert expected == (found.owner, found.name)


def test_a_version_of_a_managed_policy_is_that_policy():
    arn = "arn:aws:iam::111122223333:policy/teams/Reader"
    found = policy({"PolicyVersion": {"Document": statements(READ)}}, resource=arn)
    assert (arn, None, "Reader", Layer.IDENTITY) == (found.id, found.owner, found.name, found.layer)


@pytest.mark.parametrize(
    ("expected", "kind"), [(Layer.SCP, "SERVICE_CONTROL_POLICY"), (Layer.RCP, "RESOURCE_CONTROL_POLICY")]
)
def test_policies_of_an_organisation_say_their_layer(expected, kind):
    summary = {"Name": "guard", "Type": kind}
    found = policy({"Policy": {"PolicySummary": summary, "Content": json.dumps(statements(READ))}}, scope="ou-1")
    assert (expected, "ou-1", "guard") == (found.layer, found.owner, found.name)


def test_attributes_name_their_queue():
    arn = "arn:aws:sqs:eu-west-1:444455556666:jobs"
    entities = parsed({"Attributes": {"QueueArn": arn, "Policy": json.dumps(statements(OPEN))}})
    assert (["444455556666"], [arn], arn) == (
        [found.id for found in of(Container, entities)],
        [found.id for found in of(Resource, entities)],
        of(Policy, entities)[0].owner,
    )


def test_roles_bring_their_trust_policy():
    role = {"RoleName": "deploy", "Arn": ROLE, "AssumeRolePolicyDocument": quote(json.dumps(statements(TRUST)))}
    expected = [(ROLE, Layer.TRUST)]
    for content in (role, {"Role": role}, {"Roles": [role]}):
        entities = parsed(content, principal=ROLE)
        assert expected == [(found.owner, found.layer) for found in of(Policy, entities) if found.owner is not None]
        assert 1 == len(of(Principal, entities))


def test_a_list_may_hold_what_is_no_policy():
    entities = parsed([statements(READ), 7, {"x": 1}])
    assert 1 == len(of(Policy, entities))
    assert ["`7` is no policy document", '`{"x": 1}` is no policy document'] == reasons(entities)


@pytest.mark.parametrize(
    "content", [None, {}, "", {"Version": "2012-10-17"}, statements(), {"Statement": None}, {"PolicyDocument": None}]
)
def test_an_empty_document_grants_nothing_and_says_so(content):
    entities = parsed(content, layer=Layer.IDENTITY)
    (found,) = of(Policy, entities)
    assert ((), ()) == (found.statements, found.doubts)
    (reason,) = reasons(entities)
    assert reason.endswith("grants nothing")


@pytest.mark.parametrize(
    ("expected", "content"),
    [
        ("is not an object", [1]),
        ("is not an object", 5),
        ("is not an object", "[]"),
        ("broken JSON at line 1, column", '{"Statement": [],}'),
        ("broken JSON", "allow all"),
        ("is not UTF-8", "%7B%FF%7D"),
        ("`NaN` is not a JSON value", '{"Statement": NaN}'),
        ("too many digits", '{"Statement": ' + "1" * 5000 + "}"),
        ("nested deeper", '{"Statement": ' + "[" * 300 + "]" * 300 + "}"),
        ("nested deeper", '{"Statement": ' + "[" * 90_000 + "]" * 90_000 + "}"),
    ],
)
def test_a_document_that_cannot_be_read_may_say_anything(expected, content):
    entities = parsed(content, layer=Layer.IDENTITY, principal=ROLE)
    (found,) = of(Policy, entities)
    assert [UNKNOWN] == [statement.effect for statement in found.statements]
    (note,) = of(Unsupported, entities)
    assert expected in note.reason
    assert expected in found.statements[0].doubts[0]
    assert ROLE == note.subject


def test_a_byte_order_mark_in_a_text_is_skipped():
    assert 1 == len(policy({"PolicyDocument": "\ufeff" + json.dumps(statements(READ))}).statements)


def test_percent_signs_in_a_plain_text_stay():
    carried = json.dumps(statements({**READ, "Resource": "arn:aws:s3:::logs/%7Bzz/*"}))
    assert ("arn:aws:s3:::logs/%7Bzz/*",) == policy({"Policy": carried}).statements[0].resources


@pytest.mark.parametrize(
    ("expected", "changes"),
    [
        ("unknown policy element `Statements`", {"Statements": []}),
        ("unknown policy version `2012-10-18`", {"Version": "2012-10-18"}),
        ("unknown policy version `20121017`", {"Version": 20121017}),
        ("unknown policy version `null`", {"Version": None}),
    ],
)
def test_a_doubtful_head_puts_every_statement_in_doubt(expected, changes):
    entities = parsed({**statements(READ), **changes}, principal=ROLE)
    (found,) = of(Policy, entities)
    assert (expected,) == found.doubts
    assert [(expected, ROLE)] == [(note.reason, note.subject) for note in of(Unsupported, entities)]


def test_a_doubtful_head_without_statements_may_say_anything():
    found = policy({"Version": "2012-10-17", "statement": [READ]}, layer=Layer.IDENTITY)
    assert [UNKNOWN] == [statement.effect for statement in found.statements]


def test_keys_written_twice_in_a_text_are_doubted():
    text = '{"Statement": [{"Effect": "Allow", "Effect": "Deny", "Action": "*", "Resource": "*"}]}'
    found = policy({"PolicyDocument": text})
    assert ("key `Effect` is written more than once",) == found.doubts


def test_keys_written_twice_in_the_file_are_doubted_where_they_matter():
    odd = Unsupported("key `StringEquals` is written twice", Source(PLACE, "/0/Statement/0/Condition/StringEquals"))
    twice = Unsupported("key `Statement` is written twice", Source(PLACE, "/1/Statement"))
    entities = parsed([statements(READ), statements(), statements(READ)], problems=(odd, odd, twice))
    assert [(odd.reason,), (twice.reason,), ()] == [found.doubts for found in of(Policy, entities)]
    assert [1, 1, 1] == [len(found.statements) for found in of(Policy, entities)]
    assert not {odd.reason, twice.reason}.intersection(reasons(entities))


@pytest.mark.parametrize(
    ("expected", "statement", "layer"),
    [
        ("a principal in a policy of the layer `identity`", OPEN, Layer.IDENTITY),
        ("a principal in a policy of the layer `scp`", OPEN, Layer.SCP),
        ("a resource in a trust policy", {**TRUST, "Resource": "*"}, Layer.TRUST),
        ("`NotPrincipal` in a trust policy",
         {"Effect": "Allow", "Action": "sts:AssumeRole", "NotPrincipal": {"AWS": "111122223333"}}, Layer.TRUST),
        ("neither `Resource` nor `NotResource`", {"Effect": "Allow", "Action": "s3:*"}, Layer.IDENTITY),
        ("neither `Resource` nor `NotResource`", {"Effect": "Deny", "Action": "*", "Principal": "*"}, Layer.RCP),
    ],
)  # fmt: skip
def test_elements_that_a_layer_does_not_take_are_doubted(expected, statement, layer):
    entities = parsed(statements(statement), layer=layer, principal=ROLE, resource="arn:aws:s3:::logs", scope="r-1")
    assert (expected,) == of(Policy, entities)[0].statements[0].doubts
    assert [expected] == reasons(entities)


@pytest.mark.parametrize(
    ("statement", "layer"),
    [(TRUST, Layer.TRUST), (OPEN, Layer.RESOURCE), (OPEN, Layer.ENDPOINT), (OPEN, Layer.RCP), (READ, Layer.SCP)],
)
def test_elements_that_a_layer_takes_are_fine(statement, layer):
    entities = parsed(statements(statement), layer=layer, principal=ROLE, resource="arn:aws:s3:::logs", scope="r-1")
    assert ((), []) == (of(Policy, entities)[0].statements[0].doubts, reasons(entities))


def test_an_invalid_effect_is_reported_and_neither_allows_nor_denies_for_sure():
    entities = parsed(statements({**READ, "Effect": "allow"}, {**READ, "Effect": "Deny"}), principal=ROLE)
    assert [UNKNOWN, Effect.DENY] == [item.effect for item in of(Policy, entities)[0].statements]
    (note,) = of(Unsupported, entities)
    assert note.reason.startswith("invalid effect `allow`")
    assert (Source(PLACE, "/Statement/0"), ROLE, "aws") == (note.source, note.subject, note.cloud)


def test_a_shape_of_another_reader_is_an_error():
    with pytest.raises(InternalError, match="no parser for the shape"):
        parse(document({}), "gcp.policy")
