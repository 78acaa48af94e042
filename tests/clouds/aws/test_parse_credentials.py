from __future__ import annotations

import base64
from datetime import UTC, datetime, timedelta, timezone

import pytest

from idtrans.clouds.aws._parse import parse
from idtrans.clouds.aws._parse_values import as_date
from idtrans.model.documents import Document, Format, Hints, Unsupported
from idtrans.model.entities import Container, Credential, CredentialKind, CredentialStatus, Principal, PrincipalKind
from idtrans.model.spans import Place
from idtrans.model.values import UNKNOWN

PLACE = Place("report.csv")
ANA = "arn:aws:iam::111122223333:user/staff/ana"
ROOT = "arn:aws:iam::111122223333:root"
COLUMNS = (
    *("user", "arn", "user_creation_time", "mfa_active"),
    *("password_enabled", "password_last_used", "password_last_changed", "password_next_rotation"),
    *("access_key_1_active", "access_key_1_last_rotated", "access_key_1_last_used_date"),
    *("access_key_2_active", "access_key_2_last_rotated", "access_key_2_last_used_date"),
    *("cert_1_active", "cert_1_last_rotated", "cert_2_active", "cert_2_last_rotated"),
)
BLANK = {
    **dict.fromkeys(COLUMNS, "N/A"),
    **{column: "false" for column in COLUMNS if column.endswith("_active")},
    "user": "ana",
    "arn": ANA,
    "password_enabled": "false",
}
ACTIVE, INACTIVE = CredentialStatus.ACTIVE, CredentialStatus.INACTIVE


def day(year, month=1, date=1):
    return datetime(year, month, date, tzinfo=UTC)


def of(kind, entities):
    return [entity for entity in entities if isinstance(entity, kind)]


def reasons(entities):
    return [entity.reason for entity in of(Unsupported, entities)]


def report(*rows, **hints):
    return list(parse(Document(PLACE, Format.CSV, list(rows), Hints(**hints)), "aws.credential-report"))


def keys(content, **hints):
    return list(parse(Document(PLACE, Format.JSON, content, Hints(**hints)), "aws.access-keys"))


def test_a_user_without_credentials():
    entities = report(BLANK)
    assert ([], []) == (of(Credential, entities), reasons(entities))
    (user,) = of(Principal, entities)
    assert (ANA, PrincipalKind.USER, "ana", "111122223333") == (user.id, user.kind, user.name, user.container)
    assert ("user/ana", "arn:aws:iam::111122223333:user/ana") == user.aliases
    assert ["111122223333"] == [found.id for found in of(Container, entities)]


@pytest.mark.parametrize(
    ("expected", "active", "rotated", "used"),
    [
        ((ACTIVE, day(2022), day(2023)), "true", "2022-01-01T00:00:00+00:00", "2023-01-01T00:00:00+00:00"),
        ((ACTIVE, day(2022), day(2023)), "TRUE", "2022-01-01T00:00:00Z", "2023-01-01"),
        ((INACTIVE, day(2022), None), "false", "2022-01-01T00:00:00+00:00", "N/A"),
        ((ACTIVE, day(2022), None), "true", "2022-01-01T00:00:00+00:00", "N/A"),
        ((ACTIVE, day(2022), UNKNOWN), "true", "2022-01-01T00:00:00+00:00", "no_information"),
        ((ACTIVE, UNKNOWN, UNKNOWN), "true", "not_supported", "not_supported"),
        ((ACTIVE, UNKNOWN, None), "true", "N/A", "N/A"),
        ((INACTIVE, UNKNOWN, None), "false", "no_information", "N/A"),
        ((UNKNOWN, day(2022), None), "not_supported", "2022-01-01T00:00:00+00:00", "N/A"),
        ((UNKNOWN, day(2022), None), "N/A", "2022-01-01T00:00:00+00:00", "N/A"),
        (None, "false", "N/A", "N/A"),
        (None, "N/A", "N/A", "N/A"),
        (None, "N/A", "no_information", "no_information"),
        (None, "not_supported", "N/A", "N/A"),
    ],
)
@pytest.mark.parametrize("slot", ["access_key_1", "access_key_2"])
def test_access_keys(expected, active, rotated, used, slot):
    cells = {f"{slot}_active": active, f"{slot}_last_rotated": rotated, f"{slot}_last_used_date": used}
    entities = report({**BLANK, **cells})
    assert [] == reasons(entities)
    found = of(Credential, entities)
    if expected is None:
        assert [] == found
    else:
        (key,) = found
        assert expected == (key.status, key.created, key.last_used)
        assert (f"{ANA}#{slot}", CredentialKind.AWS_ACCESS_KEY, ANA, None) == (key.id, key.kind, key.owner, key.expires)


@pytest.mark.parametrize("status", ["true", "false"])
def test_root_keys_have_a_kind_of_their_own(status):
    row = {**BLANK, "user": "<root_account>", "arn": ROOT, "password_enabled": "not_supported"}
    row |= {"password_last_changed": "not_supported", "password_next_rotation": "not_supported"}
    row |= {"access_key_1_active": status, "access_key_1_last_rotated": "2021-01-01T00:00:00+00:00"}
    entities = report(row)
    key, password = of(Credential, entities)
    assert (CredentialKind.AWS_ROOT_ACCESS_KEY, ROOT, day(2021)) == (key.kind, key.owner, key.created)
    assert (ACTIVE if status == "true" else INACTIVE) is key.status
    assert (CredentialKind.AWS_PASSWORD, UNKNOWN, UNKNOWN, UNKNOWN) == (
        password.kind,
        password.status,
        password.created,
        password.expires,
    )
    (root,) = of(Principal, entities)
    assert (ROOT, "<root_account>", ()) == (root.id, root.name, root.aliases)


@pytest.mark.parametrize(
    ("expected", "cells"),
    [
        ((ACTIVE, day(2024), day(2025), None), ("true", "2025-01-01T00:00:00Z", "2024-01-01T00:00:00Z", "N/A")),
        ((ACTIVE, day(2024), UNKNOWN, day(2026)),
         ("true", "no_information", "2024-01-01T00:00:00Z", "2026-01-01T00:00:00Z")),
        (None, ("false", "N/A", "N/A", "N/A")),
        (None, ("false", "2025-01-01T00:00:00Z", "N/A", "N/A")),
    ],
)  # fmt: skip
def test_passwords(expected, cells):
    columns = ("password_enabled", "password_last_used", "password_last_changed", "password_next_rotation")
    found = of(Credential, report({**BLANK, **dict(zip(columns, cells, strict=True))}))
    shown = [(item.status, item.created, item.last_used, item.expires) for item in found]
    assert ([expected] if expected else []) == shown


def test_certificates_do_not_say_when_they_were_used():
    (found,) = of(Credential, report({**BLANK, "cert_2_active": "true", "cert_2_last_rotated": "2020-01-01T00:00:00Z"}))
    assert (f"{ANA}#cert_2", CredentialKind.AWS_SIGNING_CERTIFICATE, day(2020), UNKNOWN) == (
        found.id,
        found.kind,
        found.created,
        found.last_used,
    )


@pytest.mark.parametrize(
    ("expected", "changes"),
    [
        ("`access_key_1_active` is `yes`", {"access_key_1_active": "yes"}),
        ("`access_key_1_last_rotated` is `last week`", {"access_key_1_last_rotated": "last week"}),
        ("`access_key_1_last_used_date` is `7`", {"access_key_1_last_used_date": 7}),
        ("`cert_1_active` is `[]`", {"cert_1_active": []}),
        (
            "more credentials than the report describes: `2 access keys`",
            {"additional_credentials_info": "2 access keys"},
        ),
        ("has no ARN of a user", {"arn": "arn:aws:iam::111122223333:role/x"}),
        ("has no ARN of a user", {"arn": None}),
    ],
)
def test_cells_that_cannot_be_read_are_reported(expected, changes):
    (reason,) = reasons(report({**BLANK, **changes}))
    assert expected in reason


def test_truth_values_that_a_client_decoded():
    cells = {"access_key_1_active": True, "access_key_1_last_rotated": "2022-01-01T00:00:00Z"}
    assert [ACTIVE] == [found.status for found in of(Credential, report({**BLANK, **cells}))]


def test_columns_that_are_left_out_are_reported_once():
    row = {column: cell for column, cell in BLANK.items() if not column.startswith("cert_")}
    (reason,) = reasons(report(row, row))
    assert "the credential report leaves out `cert_1_active`, `cert_1_last_rotated`" in reason


def reply(text):
    return {"Content": text, "ReportFormat": "text/csv", "GeneratedTime": "2026-11-01T00:00:00Z"}


CSV = ",".join(COLUMNS) + "\r\n" + ",".join({**BLANK, "access_key_1_active": "true"}[name] for name in COLUMNS) + "\r\n"


@pytest.mark.parametrize(
    "content", [CSV, base64.b64encode(CSV.encode()).decode(), base64.encodebytes(CSV.encode()).decode()]
)
def test_a_report_in_a_reply(content):
    for document in (reply(content), [reply(content)]):
        entities = list(parse(Document(PLACE, Format.JSON, document), "aws.credential-report"))
        assert [f"{ANA}#access_key_1"] == [found.id for found in of(Credential, entities)]
        expected = "/Content" if document is not None and isinstance(document, dict) else "/0/Content"
        assert expected == of(Principal, entities)[0].source.pointer


@pytest.mark.parametrize(
    ("expected", "content"),
    [
        ("is not the base64 of a CSV text", "*no base64*"),
        ("is not the base64 of a CSV text", base64.b64encode(b"\xff\xfe\xff").decode()),
        ("is not the base64 of a CSV text", 'user,arn\r\n"x'),
        ("is not the base64 of a CSV text", "\u00e4"),
        ("has no rows", ""),
        ("has no ARN of a user", "user,arn\r\nana,x,more,fields\r\n"),
        ("has no ARN of a user", "user,arn\r\nana\r\n"),
    ],
)
def test_a_reply_that_cannot_be_read_is_reported(expected, content):
    (reason,) = reasons(list(parse(Document(PLACE, Format.JSON, reply(content)), "aws.credential-report")))
    assert expected in reason


@pytest.mark.parametrize("content", [None, 7, ["x"], {"user": "ana"}])
def test_a_report_of_another_form_is_reported(content):
    (reason,) = reasons(list(parse(Document(PLACE, Format.JSON, content), "aws.credential-report")))
    assert "has no ARN of a user" in reason


KEY = {
    "UserName": "ana",
    "AccessKeyId": "AKIAIOSFODNN7EXAMPLE",
    "Status": "Active",
    "CreateDate": "2022-01-01T00:00:00Z",
}


@pytest.mark.parametrize(
    ("expected", "changes", "hints"),
    [
        ("arn:aws:iam::111122223333:user/ana", {}, {"account": "111122223333"}),
        (ANA, {}, {"account": "111122223333", "principal": ANA}),
        (ANA, {"UserName": None}, {"principal": ANA}),
        ("arn:aws:iam::111122223333:user/ben", {"UserName": "ben"}, {"account": "111122223333", "principal": ANA}),
        (UNKNOWN, {"UserName": None}, {"account": "111122223333"}),
        (UNKNOWN, {}, {}),
        (UNKNOWN, {}, {"account": "acme"}),
    ],
)
def test_owners_of_listed_keys(expected, changes, hints):
    entities = keys({"AccessKeyMetadata": [{**KEY, **changes}]}, **hints)
    (key,) = of(Credential, entities)
    assert expected == key.owner
    assert (expected is UNKNOWN) == ("it is not known in which account" in "".join(reasons(entities)))


def test_listed_keys_do_not_say_when_they_were_used():
    entities = keys(
        [{"AccessKeyMetadata": [KEY]}, {"AccessKeyMetadata": [{**KEY, "Status": "Inactive"}]}], account="111122223333"
    )
    found = of(Credential, entities)
    assert [(ACTIVE, day(2022), UNKNOWN), (INACTIVE, day(2022), UNKNOWN)] == [
        (key.status, key.created, key.last_used) for key in found
    ]
    assert [CredentialKind.AWS_ACCESS_KEY] * 2 == [key.kind for key in found]
    assert (["111122223333"], []) == ([item.id for item in of(Container, entities)], reasons(entities))


def test_a_key_of_the_root_user():
    (key,) = of(Credential, keys({"AccessKeyMetadata": [{**KEY, "UserName": None}]}, principal=ROOT))
    assert (CredentialKind.AWS_ROOT_ACCESS_KEY, ROOT) == (key.kind, key.owner)


@pytest.mark.parametrize(
    ("expected", "content"),
    [
        ("has no `AccessKeyId`", {"AccessKeyMetadata": [{"UserName": "ana"}]}),
        ("has no `AccessKeyId`", {"AccessKeyMetadata": ["AKIAIOSFODNN7EXAMPLE"]}),
        ("access key status `active` is not known", {"AccessKeyMetadata": [{**KEY, "Status": "active"}]}),
        ("access key date `null` is no date", {"AccessKeyMetadata": [{**KEY, "CreateDate": None}]}),
        ("`AccessKeyMetadata` is `{}`, not a list", {"AccessKeyMetadata": {}}),
        ("the reply is truncated", {"AccessKeyMetadata": [], "IsTruncated": True}),
        ("is no page of a reply", [{"AccessKeyMetadata": []}, None]),
    ],
)
def test_keys_that_cannot_be_read_are_reported(expected, content):
    (reason,) = reasons(keys(content, account="111122223333"))
    assert expected in reason


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        (day(2022), "2022-01-01T00:00:00Z"),
        (day(2022), " 2022-01-01 "),
        (day(2022), 1640995200),
        (day(2022), 1640995200.0),
        (day(2022), datetime(2022, 1, 1, 2, tzinfo=timezone(timedelta(hours=2))).isoformat()),
        (None, "0001-01-01T00:00:00+23:59"),
        (None, 1e300),
        (None, True),
        (None, None),
        (None, "soon"),
    ],
)
def test_dates(expected, value):
    assert expected == as_date(value)
