from __future__ import annotations

import pytest

from idtrans.clouds.aws._parse import parse
from idtrans.model.documents import Document, Format, Hints, Unsupported
from idtrans.model.entities import Container, IdentityProvider
from idtrans.model.spans import Place

GITHUB = "token.actions.githubusercontent.com"
ARN = f"arn:aws:iam::111122223333:oidc-provider/{GITHUB}"


def parsed(content, **hints):
    return list(parse(Document(Place("p.json"), Format.JSON, content, Hints(**hints)), "aws.open-id-connect-providers"))


def of(kind, entities):
    return [entity for entity in entities if isinstance(entity, kind)]


@pytest.mark.parametrize(
    ("expected", "content", "hints"),
    [
        ((ARN, GITHUB, ()), {"OpenIDConnectProviderList": [{"Arn": ARN}]}, {}),
        ((ARN, GITHUB, ()), [{"OpenIDConnectProviderList": [{"Arn": ARN}]}], {}),
        ((ARN, GITHUB, ("sts.amazonaws.com",)), {"Arn": ARN, "Url": GITHUB, "ClientIDList": ["sts.amazonaws.com"]}, {}),
        ((ARN, f"https://{GITHUB}", ()), [{"Arn": ARN, "Url": f"https://{GITHUB}", "ClientIDList": []}], {}),
        ((ARN, GITHUB, ("a",)), {"Url": GITHUB, "ClientIDList": "a"}, {"account": "111122223333"}),
        ((ARN, f"https://{GITHUB}", ()), {"Url": f"https://{GITHUB}", "ClientIDList": []}, {"account": "111122223333"}),
        ((ARN, GITHUB, ()), {"Url": GITHUB, "ClientIDList": []}, {"resource": ARN}),
        (
            ("arn:aws-cn:iam::444455556666:oidc-provider/oidc.example/id/1", "oidc.example/id/1", ()),
            {"OpenIDConnectProviderList": [{"Arn": "arn:aws-cn:iam::444455556666:oidc-provider/oidc.example/id/1"}]},
            {},
        ),
    ],
)
def test_providers(expected, content, hints):
    entities = parsed(content, **hints)
    (provider,) = of(IdentityProvider, entities)
    assert expected == (provider.id, provider.issuer, provider.audiences)
    assert "oidc" == provider.kind
    assert 1 == len(of(Container, entities))
    assert [] == of(Unsupported, entities)


def test_one_description_without_an_account():
    entities = parsed({"Url": GITHUB, "ClientIDList": []}, resource="arn:aws:s3:::logs")
    (provider,) = of(IdentityProvider, entities)
    assert f"oidc-provider/{GITHUB}" == provider.id
    (note,) = of(Unsupported, entities)
    assert "it is not known in which account" in note.reason


@pytest.mark.parametrize(
    ("expected", "content"),
    [
        ("is no OIDC provider", {"OpenIDConnectProviderList": ["x"]}),
        ("neither `Url` nor", {"OpenIDConnectProviderList": [{"Arn": "arn:aws:iam::111122223333:saml-provider/x"}]}),
        ("neither `Url` nor", {"OpenIDConnectProviderList": [{}]}),
        ("is no text", {"Arn": ARN, "ClientIDList": [None]}),
        ("not a list", {"OpenIDConnectProviderList": {}}),
        ("is no page of a reply", [{"Arn": ARN}, 3]),
        ("is no reply of the command line", "x"),
    ],
)
def test_what_is_not_understood_is_reported(expected, content):
    (note,) = of(Unsupported, parsed(content))
    assert expected in note.reason
