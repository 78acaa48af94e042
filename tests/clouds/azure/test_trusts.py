"""Which tokens federated credentials let in."""

from __future__ import annotations

import pytest

from idtrans.algebra import ALWAYS, Truth, opaques, reduce
from idtrans.clouds.azure import CLOUD
from idtrans.model.decisions import Knowledge, Request

GITHUB = "https://token.actions.githubusercontent.com"
AUDIENCE = "api://AzureADTokenExchange"
APP = "entra:77777777-0000-4000-8000-000000000001"


def credential(subject=None, expression=None, **fields):
    body = {"name": "c", "issuer": GITHUB, "audiences": [AUDIENCE], **fields}
    if subject is not None:
        body["subject"] = subject
    if expression is not None:
        body["claimsMatchingExpression"] = {"value": expression, "languageVersion": 1}
    return body


def admits(trust, **claims):
    context = {key: value if isinstance(value, tuple) else (value,) for key, value in claims.items()}
    rest = reduce(trust.admits, Request("", "", "", {"aud": (AUDIENCE,), **context}, Knowledge.CLOSED))
    if rest == ALWAYS:
        return Truth.TRUE
    return Truth.UNKNOWN if opaques(rest) else Truth.FALSE


def codes(trust):
    return [note.code for note in trust.notes]


@pytest.mark.parametrize(
    ("subject", "token", "expected"),
    [
        ("repo:acme/app:environment:prod", "repo:acme/app:environment:prod", Truth.TRUE),
        # By case too.
        ("repo:acme/app:environment:prod", "repo:acme/app:environment:Prod", Truth.FALSE),
        # A star is a plain character.
        ("repo:acme/app:ref:refs/tags/*", "repo:acme/app:ref:refs/tags/v1", Truth.FALSE),
        # Repositories with immutable subjects send another text.
        ("repo:acme/app:ref:refs/heads/main", "repo:acme@1001/app@2002:ref:refs/heads/main", Truth.FALSE),
    ],
)
def test_a_classic_subject_is_compared_exactly(lab, subject, token, expected):
    [trust] = CLOUD.trusts(lab.estate([credential(subject)], principal=APP))
    assert expected == admits(trust, sub=token)
    assert (["LITERAL_WILDCARD"] if "*" in subject else []) == codes(trust)
    assert (APP, GITHUB, (AUDIENCE,)) == (trust.target, trust.issuer, trust.audiences)


def test_the_audience_must_be_among_those_of_the_token(lab):
    [trust] = CLOUD.trusts(lab.estate([credential("s")], principal=APP))
    answers = [admits(trust, sub="s", aud=aud) for aud in ("other", (AUDIENCE, "other"), AUDIENCE.lower())]
    assert [Truth.FALSE, Truth.TRUE, Truth.FALSE] == answers


def test_each_credential_is_a_trust_of_its_own(lab):
    found = CLOUD.trusts(lab.estate([credential("a"), credential("c", issuer="https://other")], principal=APP))
    assert [GITHUB, "https://other"] == [trust.issuer for trust in found]
    assert [Truth.TRUE, Truth.FALSE] == [admits(found[0], sub=sub) for sub in "ac"]


@pytest.mark.parametrize(
    ("expression", "claims", "expected"),
    [
        ("claims['sub'] eq 's'", {"sub": "s"}, Truth.TRUE),
        ("claims['sub'] matches 'repo:acme/app:*'", {"sub": "repo:acme/app:ref:refs/heads/x"}, Truth.TRUE),
        ("claims['sub'] matches 'repo:acme/app:*'", {"sub": "repo:acme/apps:x"}, Truth.FALSE),
        ("claims['sub'] matches 'v?'", {"sub": "v1"}, Truth.TRUE),
        ("claims['sub'] eq 'v*'", {"sub": "v1"}, Truth.FALSE),
        (
            "claims['sub'] matches 'repo:a@1/b@2:*' and claims['repository_id'] eq '2'",
            {"sub": "repo:a@1/b@2:x", "repository_id": "2"},
            Truth.TRUE,
        ),
        (
            "claims['sub'] matches 'repo:a@1/b@2:*' and claims['repository_id'] eq '2'",
            {"sub": "repo:a@1/b@2:x", "repository_id": "3"},
            Truth.FALSE,
        ),
    ],
)
def test_flexible_expressions(lab, expression, claims, expected):
    [trust] = CLOUD.trusts(lab.estate([credential(None, expression)], principal=APP))
    assert expected == admits(trust, **claims)


@pytest.mark.parametrize(
    "expression",
    [
        "claims['sub'] eq 'a' or claims['sub'] eq 'b'",
        "claims['sub'] contains 'a'",
        "claims['sub'] eq 'a' and",
        "not claims['sub'] eq 'a'",
        "claims.sub eq 'a'",
        "",
        "x" * 5_000,
    ],
)
def test_an_expression_that_cannot_be_read_is_unknown(lab, expression):
    [trust] = CLOUD.trusts(lab.estate([credential(None, expression)], principal=APP))
    assert Truth.UNKNOWN == admits(trust, sub="a")
    assert ["EXPRESSION_UNREADABLE"] == codes(trust)


@pytest.mark.parametrize("value", [{"value": "claims['sub'] eq 'a'", "languageVersion": 2}, {"value": 7}, 7])
def test_an_expression_of_another_language_is_unknown(lab, value):
    [trust] = CLOUD.trusts(lab.estate([credential(claimsMatchingExpression=value)], principal=APP))
    assert Truth.UNKNOWN == admits(trust, sub="a")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"expression": "claims['sub'] matches 'repo:acme/*'"}, ["FLEXIBLE_WITHOUT_ID"]),
        ({"expression": "claims['sub'] matches 'x' and claims['repository_owner_id'] eq '1'"}, []),
        ({"expression": "claims['sub'] matches 'x'", "issuer": "https://gitlab.com"}, ["FLEXIBLE_WITHOUT_ID"]),
        ({"expression": "claims['sub'] matches 'x'", "issuer": "https://app.terraform.io"}, []),
        ({"expression": "claims['sub'] eq 'x'", "subject": "x"}, ["SUBJECT_AND_EXPRESSION"]),
        ({"subject": "x", "audiences": ["a", "b"]}, ["AUDIENCE_COUNT"]),
        ({"subject": "x", "issuer": f"{GITHUB} "}, ["ISSUER_BLANK"]),
    ],
)
def test_remarks(lab, fields, expected):
    [trust] = CLOUD.trusts(lab.estate([credential(**fields)], principal=APP))
    assert expected == codes(trust)


def test_a_credential_without_audience_is_unknown(lab):
    [trust] = CLOUD.trusts(lab.estate([credential("s", audiences=[])], principal=APP))
    assert Truth.UNKNOWN == admits(trust, sub="s")


def test_the_target_is_the_identity_that_holds_access(lab):
    application = {"id": APP.partition(":")[2], "appId": "APP-1", "federatedIdentityCredentials": [credential("s")]}
    alone = CLOUD.trusts(lab.estate([application]))
    service = {"id": "5e000000-0000-4000-8000-000000000005", "appId": "app-1", "servicePrincipalType": "Application"}
    known = CLOUD.trusts(lab.estate([application], [service]))
    assert [APP, "entra:5e000000-0000-4000-8000-000000000005"] == [alone[0].target, known[0].target]


def test_a_managed_identity_is_known_by_its_arm_id_until_its_object_id_is(lab):
    path = f"{lab.sub}/resourceGroups/RG/providers/Microsoft.ManagedIdentity/userAssignedIdentities/Mi"
    held = credential("s", id=f"{path}/federatedIdentityCredentials/c")
    identity = {"id": path, "principalId": "P", "type": "Microsoft.ManagedIdentity/userAssignedIdentities"}
    targets = [CLOUD.trusts(estate)[0].target for estate in (lab.estate([held]), lab.estate([held], [identity]))]
    assert [path.lower(), "entra:P"] == targets


def test_credentials_without_owner_are_those_of_one_application(lab):
    found = CLOUD.trusts(lab.estate([credential("a"), credential("b")]))
    assert ["entra:<owner of document-0.json>"] * 2 == [trust.target for trust in found]
    assert [["OWNER_UNKNOWN"]] * 2 == [list(codes(trust)) for trust in found]
