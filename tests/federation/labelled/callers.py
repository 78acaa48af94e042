"""Roles that trust accounts, services and certificates instead of tokens, and how far each reaches."""

from __future__ import annotations

from idtrans.model.values import Reach
from tests.federation.labelled.documents import ACCOUNT, OTHER, policy, statement
from tests.federation.labelled.label import Label

DEAD, WORKLOAD, PROJECT, TENANT = Reach.DEAD, Reach.WORKLOAD, Reach.PROJECT, Reach.TENANT
PLATFORM, UNKNOWN, ANYONE = Reach.PLATFORM, Reach.UNKNOWN, Reach.ANYONE
ROOT = f"arn:aws:iam::{OTHER}:root"
BUILD = f"arn:aws:iam::{OTHER}:role/build"
ANCHOR = f"arn:aws:rolesanywhere:eu-west-1:{ACCOUNT}:trust-anchor/11111111-2222-4333-8444-555555555555"
EXTERNAL = {"StringEquals": {"sts:ExternalId": "x1"}}
ORGANIZATION = {"StringEquals": {"aws:PrincipalOrgID": "o-abcdefghij"}}
SOURCE = {"StringEquals": {"aws:SourceAccount": ACCOUNT}}
TOPIC = {"ArnEquals": {"aws:SourceArn": f"arn:aws:sns:eu-west-1:{ACCOUNT}:topic"}}
SESSION = ["sts:AssumeRole", "sts:TagSession"]


def _role(name, principal, tests, reach, **more):
    return Label(name, policy(statement(principal, tests, **more)), reach)


def _service(name, tests, reach, **more):
    return _role(f"{name} {tests or {}}", {"Service": f"{name}.amazonaws.com"}, tests, reach, **more)


CALLER_LABELS = (
    _role("role", {"AWS": BUILD}, None, WORKLOAD),
    _role("user", {"AWS": f"arn:aws:iam::{OTHER}:user/ana"}, None, WORKLOAD),
    _role("session", {"AWS": f"arn:aws:sts::{OTHER}:assumed-role/build/x"}, None, WORKLOAD),
    _role("deleted", {"AWS": "AROAEXAMPLEEXAMPLEEX1"}, None, DEAD),
    _role("account by its number", {"AWS": OTHER}, None, TENANT),
    _role("account", {"AWS": ROOT}, None, TENANT),
    _role("account with an external id", {"AWS": ROOT}, EXTERNAL, TENANT),
    _role("account and one role of it", {"AWS": ROOT}, {"ArnEquals": {"aws:PrincipalArn": BUILD}}, WORKLOAD),
    _role(
        "account and a pattern of roles",
        {"AWS": ROOT},
        {"ArnLike": {"aws:PrincipalArn": f"arn:aws:iam::{OTHER}:role/build-*"}},
        TENANT,
    ),
    _role("two accounts", {"AWS": [ROOT, f"arn:aws:iam::{ACCOUNT}:root"]}, None, TENANT),
    _role("role and everyone", {"AWS": [BUILD, "*"]}, None, ANYONE),
    _role("everyone", "*", None, ANYONE),
    _role("everyone, longer", {"AWS": "*"}, None, ANYONE),
    _role("everyone with an external id", "*", EXTERNAL, ANYONE),
    _role("everyone with MFA", "*", {"Bool": {"aws:MultiFactorAuthPresent": "true"}}, ANYONE),
    _role("everyone of the organisation", "*", ORGANIZATION, PLATFORM),
    _role(
        "everyone of the organisation, if it exists",
        "*",
        {"StringEqualsIfExists": {"aws:PrincipalOrgID": "o-abcdefghij"}},
        ANYONE,
    ),
    _role("everyone but the organisation", "*", {"StringNotEquals": {"aws:PrincipalOrgID": "o-abcdefghij"}}, ANYONE),
    _role("everyone of any organisation", "*", {"StringLike": {"aws:PrincipalOrgID": "o-*"}}, ANYONE),
    _role("everyone of an account", "*", {"StringEquals": {"aws:PrincipalAccount": OTHER}}, TENANT),
    _role("everyone that is one role", "*", {"StringEquals": {"aws:PrincipalArn": BUILD}}, WORKLOAD),
    _role("everyone that is one role by pattern", "*", {"StringLike": {"aws:PrincipalArn": BUILD}}, WORKLOAD),
    _role("everyone that is called so", "*", {"StringLike": {"aws:PrincipalArn": "arn:aws:iam::*:role/build"}}, ANYONE),
    _role("everyone but one role", "*", {"ArnNotEquals": {"aws:PrincipalArn": BUILD}}, ANYONE),
    _role("everyone with a tag", "*", {"StringEquals": {"aws:PrincipalTag/team": "core"}}, ANYONE),
    _role("everyone of a VPC", "*", {"StringEquals": {"aws:SourceVpc": "vpc-1"}}, TENANT),
    _role("everyone of a network", "*", {"IpAddress": {"aws:SourceIp": "198.51.100.0/24"}}, TENANT),
    _role("everyone of every network", "*", {"IpAddress": {"aws:SourceIp": "0.0.0.0/0"}}, ANYONE),
    _role("everyone over TLS", "*", {"Bool": {"aws:SecureTransport": "true"}}, ANYONE),
    _role("action of another call", {"AWS": ROOT}, None, DEAD, Action="sts:AssumeRoleWithSAML"),
    _role("only session tags", {"AWS": ROOT}, None, DEAD, Action="sts:TagSession"),
    _role(
        "SAML",
        {"Federated": f"arn:aws:iam::{ACCOUNT}:saml-provider/idp"},
        {"StringEquals": {"SAML:aud": "https://signin.aws.amazon.com/saml"}},
        TENANT,
        Action="sts:AssumeRoleWithSAML",
    ),
    _role(
        "SAML without audience",
        {"Federated": f"arn:aws:iam::{ACCOUNT}:saml-provider/idp"},
        None,
        TENANT,
        Action="sts:AssumeRoleWithSAML",
    ),
    _role(
        "SAML with the call for tokens",
        {"Federated": f"arn:aws:iam::{ACCOUNT}:saml-provider/idp"},
        None,
        DEAD,
        Action="sts:AssumeRoleWithWebIdentity",
    ),
    # Services.
    _service("ec2", None, TENANT),
    _service("lambda", None, TENANT),
    _service("ecs-tasks", None, TENANT),
    _service("pods.eks", None, TENANT, Action=SESSION),
    _service("rolesanywhere", None, TENANT, Action=[*SESSION, "sts:SetSourceIdentity"]),
    _service("sns", None, PLATFORM),
    _service("sns", SOURCE, TENANT),
    _service("sns", TOPIC, WORKLOAD),
    _service("cloudtrail", None, PLATFORM),
    _service("config", None, PLATFORM),
    _service("events", TOPIC, WORKLOAD),
    _service("scheduler", SOURCE, TENANT),
    _service("states", None, PLATFORM),
    _service("bedrock", None, PLATFORM),
    _service(
        "bedrock",
        {
            "StringEquals": {"aws:SourceAccount": ACCOUNT},
            "ArnLike": {"aws:SourceArn": f"arn:aws:bedrock:eu-west-1:{ACCOUNT}:agent/*"},
        },
        TENANT,
    ),
    _service("sns", {"StringEqualsIfExists": {"aws:SourceAccount": ACCOUNT}}, PLATFORM),
    _service("sns", {"StringNotEquals": {"aws:SourceAccount": OTHER}}, PLATFORM),
    _service("sns", {"ArnLike": {"aws:SourceArn": "arn:aws:sns:*:*:*"}}, PLATFORM),
    _service("sns", {"ArnLike": {"aws:SourceArn": f"arn:aws:sns:*:{ACCOUNT}:*"}}, TENANT),
    _service("sns", {"StringLike": {"aws:SourceAccount": "*"}}, PLATFORM),
    _service("glue", {"StringEquals": {"aws:SourceOrgID": "o-abcdefghij"}}, PLATFORM),
    _service(
        "rolesanywhere",
        {"ArnEquals": {"aws:SourceArn": ANCHOR}, "StringEquals": {"aws:PrincipalTag/x509Subject/CN": "app"}},
        WORKLOAD,
    ),
    _service("rolesanywhere", {"ArnEquals": {"aws:SourceArn": ANCHOR}}, WORKLOAD),
    _service("pods.eks", {"StringEquals": {"aws:RequestTag/kubernetes-namespace": "app"}}, TENANT, Action=SESSION),
    _service("no-such-service", None, UNKNOWN),
    _service("no-such-service", SOURCE, TENANT),
)
