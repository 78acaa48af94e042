from __future__ import annotations

from typing import Any

import pytest

from idtrans.algebra import ANY_TEXT, NEVER, Has, Opaque, Truth, all_of, any_of, evaluate, negate, opaques, reduce
from idtrans.clouds.aws import CLOUD
from idtrans.clouds.aws._compile import Rule
from idtrans.clouds.aws._web_identity import admission, issuer_of, rename
from idtrans.model.decisions import Knowledge, Request
from idtrans.model.entities import IdentityProvider, PolicyStatement
from idtrans.model.values import Effect, Layer, Reach
from idtrans.ports import Trust, TrustKind
from tests.clouds.aws.builders import ACCOUNT, ANA, HERE, OTHER, account, allow, deny, estate, lower, person, trust

GITHUB = "token.actions.githubusercontent.com"
PROVIDER = f"arn:aws:iam::{ACCOUNT}:oidc-provider/{GITHUB}"
WEB = "sts:AssumeRoleWithWebIdentity"
MAIN = "repo:acme/app:ref:refs/heads/main"
THEIRS = f"arn:aws:iam::{OTHER}:role/x"
AUD = {f"{GITHUB}:aud": "sts.amazonaws.com"}


def web(condition: dict[str, Any] | None = None, *, action: Any = WEB, provider: str = PROVIDER) -> dict[str, Any]:
    more = {"Condition": condition} if condition is not None else {}
    return allow(action, None, Principal={"Federated": provider}, **more)


def one(*statements: dict[str, Any]) -> Trust:
    [found] = CLOUD.trusts(estate(account(ACCOUNT), trust(*statements)))
    return found


def codes(found: Trust) -> set[str]:
    return {note.code for note in found.notes}


def admits(found: Trust, **claims: str) -> Truth:
    context = {name: (value,) for name, value in claims.items()}
    request = Request("p", "a", "r", context, Knowledge.CLOSED)
    residual = reduce(found.admits, request)
    return Truth.UNKNOWN if opaques(residual) else (Truth.FALSE if residual == NEVER else Truth.TRUE)


def test_a_github_trust_is_a_condition_over_claims():
    found = one(web({"StringEquals": AUD, "StringLike": {f"{GITHUB}:sub": MAIN}}))
    assert (TrustKind.WEB_IDENTITY, f"https://{GITHUB}", None) == (found.kind, found.issuer, found.reach)
    assert Truth.TRUE is admits(found, aud="sts.amazonaws.com", sub=MAIN)
    assert Truth.FALSE is admits(found, aud="sts.amazonaws.com", sub="repo:Acme/app:ref:refs/heads/main")
    assert Truth.FALSE is admits(found, sub=MAIN)
    assert () == found.notes
    assert {"sub", "aud", "repository_owner_id"} <= (found.claims or frozenset())
    assert "event_name" not in (found.claims or frozenset())


def test_the_order_of_conditions_and_the_case_of_keys_have_no_meaning():
    plain = one(web({"StringEquals": {**AUD, f"{GITHUB}:sub": MAIN}}))
    other = one(web({"StringEquals": {f"{GITHUB.upper()}:SUB": MAIN, f"{GITHUB}:Aud": "sts.amazonaws.com"}}))
    for claims in ({"aud": "sts.amazonaws.com", "sub": MAIN}, {"aud": "x", "sub": MAIN}, {}):
        assert admits(plain, **claims) is admits(other, **claims)


@pytest.mark.parametrize(
    ("condition", "noted"),
    [
        ({"StringEquals": {**AUD, f"{GITHUB}:sub": MAIN}}, set()),
        ({"StringEquals": AUD}, {"NO_SUBJECT"}),
        (None, {"NO_SUBJECT"}),
        ({"StringEquals": {f"{GITHUB}:repository_id": "2"}}, set()),
        ({"StringEquals": {f"{GITHUB}:event_name": "push"}}, {"NO_SUBJECT", "KEY_NEVER_PRESENT"}),
        ({"StringEquals": {f"{GITHUB}:sub": "repo:acme/app:*"}}, {"LITERAL_WILDCARD"}),
        ({"StringLike": {f"{GITHUB}:sub": "repo:acme/app:*"}}, set()),
        ({"ForAllValues:StringLike": {f"{GITHUB}:sub": "repo:acme/app:*"}}, {"SET_OPERATOR"}),
        ({"StringLikeIfExists": {f"{GITHUB}:sub": "repo:acme/app:*"}}, {"IF_EXISTS"}),
        ({"StringNotLike": {f"{GITHUB}:sub": "repo:evil/*"}}, {"NEGATION"}),
        ({"StringEquals": {f"{GITHUB}:aud": MAIN}}, {"SUBJECT_UNDER_AUD", "NO_SUBJECT"}),
        ({"StringEquals": {f"{GITHUB}:sub": MAIN, f"{GITHUB}:iss": "x"}}, {"KEY_NEVER_PRESENT"}),
        ({"StringEquals": {f"{GITHUB}:sub": MAIN, f"{GITHUB}:event_name": "push"}}, {"KEY_NEVER_PRESENT"}),
        ({"StringEquals": {f"{GITHUB}:sub": MAIN, "gitlab.com:sub": "x"}}, {"KEY_NEVER_PRESENT"}),
        ({"StringEquals": {f"{GITHUB}:sub": MAIN, "sts:ExternalId": "x"}}, {"KEY_NEVER_PRESENT"}),
        ({"StringEquals": {f"{GITHUB}:sub": MAIN, "aws:RequestedRegion": "x"}}, {"UNREAD_CONDITION"}),
        ({"StringMatches": {f"{GITHUB}:sub": MAIN}}, {"UNREAD_CONDITION"}),
        ({"StringEquals": {f"{GITHUB}:sub": "${aws:username}"}}, set()),
    ],
)
def test_what_is_remarkable_about_a_statement_is_noted(condition, noted):
    assert noted == codes(one(web(condition)))


def test_a_key_that_is_never_present_closes_the_trust():
    token = {"aud": "sts.amazonaws.com", "sub": MAIN}
    dead = one(web({"StringEquals": {f"{GITHUB}:sub": MAIN, f"{GITHUB}:iss": f"https://{GITHUB}"}}))
    assert Truth.FALSE is admits(dead, **token)
    foreign = one(web({"StringEquals": {f"{GITHUB}:sub": MAIN, "gitlab.com:sub": "x"}}))
    assert Truth.FALSE is admits(foreign, **token)


@pytest.mark.parametrize(
    "condition",
    [
        {"StringEquals": {f"{GITHUB}:sub": MAIN}, "IpAddress": {"aws:SourceIp": "10.0.0.0/8"}},
        {"StringMatches": {f"{GITHUB}:sub": MAIN}},
        {"StringEquals": {f"{GITHUB}:sub": "${aws:username}"}},
    ],
)
def test_what_a_token_does_not_decide_is_unknown(condition):
    assert Truth.UNKNOWN is admits(one(web(condition)), sub=MAIN)


def test_values_and_statements_are_alternatives_and_a_deny_wins():
    statements = [
        web({"StringLike": {f"{GITHUB}:sub": [MAIN, "repo:acme/*"]}}),
        web({"StringEquals": {f"{GITHUB}:repository_owner_id": "7", f"{GITHUB}:sub": "x"}}),
    ]
    found = one(*statements)
    assert Truth.TRUE is admits(found, sub="repo:acme/web:pull_request")
    assert Truth.TRUE is admits(found, sub="x", repository_owner_id="7")
    closed = one(
        *statements, deny("sts:*", None, Principal="*", Condition={"StringLike": {f"{GITHUB}:sub": "repo:acme/*"}})
    )
    assert Truth.FALSE is admits(closed, sub="repo:acme/web:pull_request")
    assert Truth.TRUE is admits(closed, sub="x", repository_owner_id="7")
    elsewhere = one(*statements, deny("sts:TagSession", None, Principal="*"))
    assert Truth.TRUE is admits(elsewhere, sub="repo:acme/web:pull_request")


def test_a_statement_without_the_right_action_lets_nobody_in():
    found = one(web({"StringEquals": {f"{GITHUB}:sub": MAIN}}, action="sts:AssumeRole"))
    assert Truth.FALSE is admits(found, sub=MAIN)
    assert {"WRONG_ACTION"} == codes(found)


def test_a_statement_for_all_actions_is_noted():
    assert {"ACTION_TOO_WIDE"} == codes(one(web({"StringEquals": {f"{GITHUB}:sub": MAIN}}, action="sts:*")))


def test_built_in_issuers_need_no_provider():
    found = one(
        web(
            {"ForAnyValue:StringLike": {"cognito-identity.amazonaws.com:amr": "authenticated"}},
            provider="cognito-identity.amazonaws.com",
        )
    )
    assert "https://cognito-identity.amazonaws.com" == found.issuer
    assert set() == codes(found)
    assert Truth.TRUE is admits(found, amr="authenticated")


def test_a_swapped_audience_and_subject_is_noted_and_does_not_match():
    host = "oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLE"
    provider = f"arn:aws:iam::{ACCOUNT}:oidc-provider/{host}"
    found = one(web({"StringEquals": {f"{host}:aud": "system:serviceaccount:app:reader"}}, provider=provider))
    assert f"https://{host}" == found.issuer
    assert {"SUBJECT_UNDER_AUD", "NO_SUBJECT"} == codes(found)
    assert Truth.FALSE is admits(found, aud="sts.amazonaws.com", sub="system:serviceaccount:app:reader")


def test_the_audiences_are_those_of_the_provider():
    provider = IdentityProvider("aws", PROVIDER, f"https://{GITHUB}", "oidc", HERE, ("a", "b"))
    [found] = CLOUD.trusts(estate(trust(web()), [provider]))
    assert ("a", "b") == found.audiences


def test_a_trust_for_everyone_with_a_token():
    named = one(allow(WEB, None, Principal="*", Condition={"StringLike": {f"{GITHUB}:sub": "repo:acme/*"}}))
    assert (TrustKind.WEB_IDENTITY, f"https://{GITHUB}") == (named.kind, named.issuer)
    unnamed = one(allow(WEB, None, Principal="*"))
    assert (None, Reach.ANYONE) == (unnamed.issuer, unnamed.reach)


def test_a_document_that_is_nobodys_is_a_target_by_its_number():
    [found] = CLOUD.trusts(estate(lower(web(), layer=Layer.TRUST)))
    assert "policy:#1" == found.target


@pytest.mark.parametrize(
    ("principal", "condition", "expected"),
    [
        ({"AWS": ACCOUNT}, {}, (Reach.TENANT, "", None)),
        ({"AWS": OTHER}, {}, (Reach.TENANT, OTHER, False)),
        (
            {"AWS": f"arn:aws:iam::{OTHER}:root"},
            {"StringEquals": {"sts:Externalid": "acme-42"}},
            (Reach.TENANT, OTHER, True),
        ),
        ({"AWS": OTHER}, {"StringLike": {"sts:ExternalId": "*"}}, (Reach.TENANT, OTHER, False)),
        ({"AWS": OTHER}, {"StringEqualsIfExists": {"sts:ExternalId": "x"}}, (Reach.TENANT, OTHER, False)),
        ({"AWS": OTHER}, {"StringNotEquals": {"sts:ExternalId": "x"}}, (Reach.TENANT, OTHER, False)),
        ({"AWS": THEIRS}, {}, (Reach.WORKLOAD, OTHER, False)),
        (
            {"AWS": OTHER},
            {"ArnEquals": {"aws:PrincipalArn": THEIRS}},
            (Reach.WORKLOAD, OTHER, False),
        ),
        ({"AWS": f"arn:aws-cn:iam::{OTHER}:role/r"}, {}, (Reach.WORKLOAD, OTHER, False)),
        ({"AWS": "AROAEXAMPLEID0000001"}, {}, (Reach.DEAD, "", None)),
        ("*", {}, (Reach.ANYONE, "*", False)),
        ("*", {"StringEquals": {"aws:PrincipalOrgID": "o-abcd123456"}}, (Reach.PLATFORM, "*", False)),
        ("*", {"StringEquals": {"aws:PrincipalAccount": ACCOUNT}}, (Reach.TENANT, "", None)),
        ("*", {"StringEquals": {"aws:PrincipalAccount": OTHER}}, (Reach.TENANT, OTHER, False)),
        ({"AWS": "who"}, {}, (Reach.UNKNOWN, "*", False)),
    ],
)
def test_who_assumes_a_role_from_other_accounts(principal, condition, expected):
    found = one(allow("sts:AssumeRole", None, Principal=principal, **({"Condition": condition} if condition else {})))
    assert TrustKind.ACCOUNT is found.kind
    assert expected == (found.reach, found.outside_account, found.external_id)


def test_accounts_whose_documents_were_read_are_not_outside():
    world = estate(account(OTHER), trust(allow("sts:AssumeRole", None, Principal={"AWS": OTHER})))
    assert [("", None)] == [(found.outside_account, found.external_id) for found in CLOUD.trusts(world)]


def test_a_deny_that_spares_an_organisation_limits_a_trust():
    found = one(
        allow("sts:AssumeRole", None, Principal="*"),
        deny("sts:*", None, Principal="*", Condition={"StringNotEquals": {"aws:PrincipalOrgID": "o-abcd123456"}}),
    )
    assert Reach.PLATFORM is found.reach


def test_an_account_trust_without_its_action_is_dead():
    found = one(allow("sts:TagSession", None, Principal={"AWS": OTHER}))
    assert Reach.DEAD is found.reach
    assert {"WRONG_ACTION"} == codes(found)


def test_who_is_let_in_can_be_asked():
    found = one(allow("sts:AssumeRole", None, Principal={"AWS": ACCOUNT}), deny("sts:*", None, Principal={"AWS": ANA}))
    for caller, refused in (
        (f"arn:aws:iam::{ACCOUNT}:user/bo", False),
        (ANA, True),
        (f"arn:aws:iam::{OTHER}:user/bo", True),
    ):
        request = Request(caller, "a", "r", {}, Knowledge.CLOSED)
        assert refused is (NEVER == reduce(found.admits, request))


@pytest.mark.parametrize(
    ("service", "condition", "reach"),
    [
        ("ec2.amazonaws.com", {}, Reach.TENANT),
        ("eks.amazonaws.com", {}, Reach.TENANT),
        ("scheduler.amazonaws.com", {}, Reach.PLATFORM),
        ("logs.eu-west-1.amazonaws.com", {}, Reach.PLATFORM),
        ("new-thing.amazonaws.com", {}, Reach.UNKNOWN),
        ("new-thing.amazonaws.com", {"StringEquals": {"aws:SourceAccount": ACCOUNT}}, Reach.TENANT),
        ("scheduler.amazonaws.com", {"StringEquals": {"aws:SourceAccount": ACCOUNT}}, Reach.TENANT),
        ("scheduler.amazonaws.com", {"ArnLike": {"aws:SourceArn": f"arn:aws:s:*:{ACCOUNT}:*"}}, Reach.TENANT),
        (
            "events.amazonaws.com",
            {"ArnEquals": {"AWS:sourcearn": f"arn:aws:events::{ACCOUNT}:r"}},
            Reach.WORKLOAD,
        ),
        ("events.amazonaws.com", {"ArnLike": {"aws:SourceArn": "arn:aws:events:*:*:*"}}, Reach.PLATFORM),
    ],
)
def test_how_far_a_service_can_be_made_to_act(service, condition, reach):
    more = {"Condition": condition} if condition else {}
    found = one(allow("sts:AssumeRole", None, Principal={"Service": service}, **more))
    assert (TrustKind.SERVICE, reach) == (found.kind, found.reach)


def test_services_of_one_statement_are_trusts_of_their_own():
    principal = {"Service": ["eks.amazonaws.com", "scheduler.amazonaws.com"]}
    found = CLOUD.trusts(estate(trust(allow("sts:AssumeRole", None, Principal=principal))))
    assert [Reach.TENANT, Reach.PLATFORM] == [each.reach for each in found]


def test_a_saml_provider_is_the_own_tenant():
    principal = {"Federated": f"arn:aws:iam::{ACCOUNT}:saml-provider/idp"}
    condition = {"IpAddress": {"aws:SourceIp": ["0.0.0.0/0"]}}
    found = one(allow("sts:AssumeRoleWithSAML", None, Principal=principal, Condition=condition))
    assert (TrustKind.SAML, None, Reach.TENANT) == (found.kind, found.issuer, found.reach)
    assert Reach.DEAD is one(allow("sts:AssumeRole", None, Principal=principal)).reach


def test_a_trust_policy_that_was_not_understood_is_unknown():
    found = one(web() | {"NotAction": "sts:TagSession"})
    assert Reach.UNKNOWN is found.reach
    assert "UNREAD_CONDITION" in codes(found)


def test_what_was_not_read_of_an_issuer_is_noted():
    rule = Rule(
        Effect.ALLOW, PolicyStatement(Effect.ALLOW, HERE), "trust", ANY_TEXT, ANY_TEXT, Opaque("x"), "r", HERE, ("odd",)
    )
    found = admission([rule], [], GITHUB, "2012-10-17")
    assert (Opaque("x"), ["UNREAD_CONDITION"]) == (found.admits, [note.code for note in found.notes])


def test_trusts_and_access_agree():
    world = estate(person(ANA), trust(allow("sts:AssumeRole", None, Principal={"AWS": ANA})))
    request = Request(ANA, "sts:AssumeRole", f"arn:aws:iam::{ACCOUNT}:role/deploy")
    assert Truth.TRUE is evaluate(CLOUD.access(ANA, world), request).truth


@pytest.mark.parametrize(
    ("provider", "issuer"),
    [(PROVIDER, GITHUB), ("accounts.google.com", "accounts.google.com"), ("https://a.b/c/", "a.b/c")],
)
def test_an_issuer_is_read_from_its_provider(provider, issuer):
    assert issuer == issuer_of(provider)


def test_renaming_reaches_every_kind_of_condition():
    old, new, other = Has("a.b:sub", "a.b:sub"), Has("sub", "sub"), Has("x")
    for before, after in (
        (old, new),
        (other, other),
        (Opaque("x"), Opaque("x")),
        (all_of(old, other), all_of(new, other)),
        (any_of(old, other), any_of(new, other)),
        (negate(old), negate(new)),
    ):
        assert after == rename(before, "a.b:sub", "sub")
