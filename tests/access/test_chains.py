"""Who can become one of those that may: chains of roles, memberships, impersonation and tokens."""

from __future__ import annotations

import json

import pytest

from idtrans import api
from idtrans.access import _chains
from idtrans.model.decisions import HopKind, Outcome
from idtrans.model.entities import Policy
from idtrans.model.values import Layer
from tests.clouds.aws.builders import ACCOUNT, ANA, APP, OTHER, allow, deny, estate, identity, person, trust

ROLES = [f"arn:aws:iam::{ACCOUNT}:role/{name}" for name in ("first", "second", "third")]
FIRST, SECOND, THIRD = ROLES
TABLE = f"arn:aws:dynamodb:eu-west-1:{ACCOUNT}:table/t"
MFA = {"Bool": {"aws:MultiFactorAuthPresent": "true"}}


def trusting(role, party, **more):
    return trust({"Effect": "Allow", "Principal": party, "Action": "sts:AssumeRole", **more}, role=role)


def reading(*entities):
    """Return the answer on reading the table, which the last role alone may."""
    base = (*(person(arn) for arn in (*ROLES, ANA, APP)), identity(THIRD, allow("dynamodb:GetItem", TABLE)))
    policies = [entity for group in entities for entity in group if isinstance(entity, Policy)]
    held = {policy.owner for policy in policies if policy.layer is Layer.IDENTITY}
    empty = [identity(arn, deny("s3:*")) for arn in (FIRST, SECOND, ANA, APP) if arn not in held]
    return api.who_can(estate(*base, *empty, *entities), "dynamodb:GetItem", TABLE)


def shown(answer):
    return {
        chain.principal: (chain.outcome.value, [chain.principal, *(hop.target for hop in chain.hops)])
        for chain in answer.chains
    }


def test_roles_lead_to_roles():
    answer = reading(
        trusting(THIRD, {"AWS": SECOND}),
        trusting(SECOND, {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}),
        identity(FIRST, allow("sts:AssumeRole", SECOND)),
        trusting(FIRST, {"AWS": ANA}),
    )
    assert [THIRD] == [decision.request.principal for decision in answer.allowed]
    assert {
        SECOND: ("allow", [SECOND, THIRD]),
        FIRST: ("allow", [FIRST, SECOND, THIRD]),
        ANA: ("allow", [ANA, FIRST, SECOND, THIRD]),
    } == shown(answer)
    assert {HopKind.CAN_ASSUME} == {hop.kind for chain in answer.chains for hop in chain.hops}
    assert {"sts:AssumeRole"} == {hop.through for chain in answer.chains for hop in chain.hops}


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        (allow("sts:AssumeRole", THIRD), "allow"),
        (allow("sts:AssumeRole", THIRD, Condition=MFA), "conditional"),
        (allow("sts:AssumeRole", SECOND), None),
        (deny("sts:AssumeRole", THIRD), None),
        (allow("sts:AssumeRole", THIRD, Condition={"Strange": {"aws:userid": "x"}}), "unknown"),
    ],
)
def test_a_trusted_account_leaves_it_to_its_own_policies(held, expected):
    answer = reading(trusting(THIRD, {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}), identity(ANA, held))
    found = shown(answer)
    assert expected == (found[ANA][0] if ANA in found else None)
    assert APP not in found


def test_the_surest_chain_is_shown_though_another_is_shorter():
    answer = reading(
        trusting(THIRD, {"AWS": [ANA, FIRST]}, Condition={}),
        trusting(FIRST, {"AWS": ANA}),
        identity(ANA, allow("sts:AssumeRole", FIRST), deny("sts:AssumeRole", THIRD, Condition=MFA)),
    )
    assert ("allow", [ANA, FIRST, THIRD]) == shown(answer)[ANA]


def test_roles_that_trust_each_other_end():
    answer = reading(
        trusting(THIRD, {"AWS": SECOND}), trusting(SECOND, {"AWS": [FIRST, THIRD]}), trusting(FIRST, {"AWS": SECOND})
    )
    assert {SECOND, FIRST} == set(shown(answer))


def test_outsiders_and_services_and_issuers():
    github = "token.actions.githubusercontent.com"
    answer = reading(
        trusting(THIRD, {"AWS": f"arn:aws:iam::{OTHER}:root"}),
        trusting(THIRD, {"Service": "ec2.amazonaws.com"}),
        trust(
            {
                "Effect": "Allow",
                "Principal": {"Federated": f"arn:aws:iam::{ACCOUNT}:oidc-provider/{github}"},
                "Action": "sts:AssumeRoleWithWebIdentity",
                "Condition": {"StringEquals": {f"{github}:sub": "repo:acme/app:ref:refs/heads/main"}},
            },
            role=THIRD,
        ),
    )
    found = {(hop.kind, hop.party, hop.reach and hop.reach.value) for chain in answer.chains for hop in chain.hops}
    assert (HopKind.FEDERATES, f"https://{github}", "workload") in found
    assert (HopKind.CAN_ASSUME, "service:ec2.amazonaws.com") in {each[:2] for each in found}
    assert (HopKind.CAN_ASSUME, OTHER, "tenant") in found


def test_what_is_too_much_is_said(monkeypatch):
    monkeypatch.setattr(_chains, "MOST_WALKED", 1)
    answer = reading(trusting(THIRD, {"AWS": SECOND}), trusting(SECOND, {"AWS": FIRST}))
    assert ([SECOND], 1) == (list(shown(answer)), answer.not_walked)


def test_chains_can_be_left_out():
    whole = estate(person(THIRD), identity(THIRD, allow("s3:*")), trusting(THIRD, {"AWS": ANA}))
    assert () == api.who_can(whole, "s3:ListAllMyBuckets", "*", chains=False).chains


def test_service_accounts_and_groups(tmp_path):
    account = "reader@proj-a.iam.gserviceaccount.com"
    project = "//cloudresourcemanager.googleapis.com/projects/proj-a"

    def policy(*bindings):
        return {"version": 1, "etag": "x", "bindings": [{"role": role, "members": [who]} for role, who in bindings]}

    files = {
        "project.json": policy(("roles/storage.objectViewer", f"serviceAccount:{account}")),
        "account.json": policy(("roles/iam.serviceAccountTokenCreator", "group:ops@acme.example")),
        "members.json": [{"groupKey": {"id": "ops@acme.example"}, "memberships": []}],
    }
    for name, content in files.items():
        (tmp_path / name).write_text(json.dumps(content), "utf-8")
    resources = {
        "project.json": project,
        "account.json": f"//iam.googleapis.com/projects/proj-a/serviceAccounts/{account}",
    }
    entries = [{"path": name, "resource": resource} for name, resource in resources.items()]
    (tmp_path / "estate.yaml").write_text(json.dumps(entries), "utf-8")
    answer = api.who_can(api.load([tmp_path]), "storage.objects.get", f"{project}")
    found = shown(answer)
    assert ("allow", ["group:ops@acme.example", f"serviceAccount:{account}"]) == found["group:ops@acme.example"]
    assert Outcome.ALLOW is answer.allowed[0].outcome
