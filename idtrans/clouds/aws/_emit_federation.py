"""Keyless trust written as a role trust policy and an OIDC provider.

https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_providers_create_oidc.html
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from idtrans.catalog import aws_built_in_issuers, aws_claims
from idtrans.clouds.aws._emit_names import as_terraform, iam_name, label, placeholders
from idtrans.clouds.aws._web_identity import ASSUME_WEB
from idtrans.model.artifacts import (
    Argv,
    Emission,
    JsonArgument,
    JsonEncode,
    Loss,
    LossEffect,
    Native,
    Reference,
    TerraformBlock,
)
from idtrans.model.errors import UsageError

if TYPE_CHECKING:
    from idtrans.model.artifacts import TerraformValue
    from idtrans.model.documents import Json
    from idtrans.model.intents import FederationIntent, Names

AUDIENCE: Final = "sts.amazonaws.com"
"""The audience that tokens for AWS carry unless told otherwise."""
_AUDIENCE_KEYS: Final = {"accounts.google.com": "oaud"}
"""The key of the audience that was asked for, where `aud` is something else.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_iam-condition-keys.html#condition-keys-wif
"""
_DEFAULT_LIMIT: Final = 2048
_HIGHEST_LIMIT: Final = 8192
"""Characters of a trust policy, by default and after a raised quota; white space does not count.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
"""


def emit_federation(intent: FederationIntent, names: Names) -> Emission:
    """Return the trust policy and the provider for an intent, without thumbprints, which AWS ignores.

    Raises:
        UsageError: the issuer cannot be a provider, no subject is given, or the policy is too long for any quota.
    """
    host = _host(intent.issuer)
    if not intent.subjects or "" in intent.subjects:
        raise UsageError("a trust without a subject lets in every token of the issuer", advice="name a subject")
    audience = intent.audience or AUDIENCE
    provider = (
        host if host in aws_built_in_issuers() else f"arn:aws:iam::{names.get('aws-account-id')}:oidc-provider/{host}"
    )
    trust = _trust(intent, host, provider, audience)
    role = iam_name(names.values.get("aws-role-name") or intent.name)
    natives = [Native("aws.trust-policy", "trust-policy", trust)]
    if host not in aws_built_in_issuers():
        content = {"Url": f"https://{host}", "ClientIDList": [audience]}
        natives.append(Native("aws.open-id-connect-provider", "oidc-provider", content))
    commands = _commands(host, audience, role, trust)
    losses = (*_dropped(intent, host), *_size(trust))
    terraform = _terraform(host, audience, role, trust)
    return Emission(tuple(natives), commands, terraform, losses, placeholders(natives, commands))


def _host(issuer: str) -> str:
    """Return an issuer without its scheme."""
    parts = urlsplit(issuer)
    if parts.scheme != "https" or not parts.netloc or parts.query or ":" in parts.netloc or "@" in parts.netloc:
        advice = "AWS takes `https://` URLs without port and query"
        raise UsageError(f"`{issuer}` cannot be an OIDC provider of AWS", advice=advice)
    return issuer.removeprefix("https://")


def _trust(intent: FederationIntent, host: str, provider: str, audience: str) -> Json:
    blocks: dict[str, dict[str, Json]] = defaultdict(dict)
    blocks["StringEquals"][f"{host}:{_AUDIENCE_KEYS.get(host, 'aud')}"] = audience
    _add(blocks, f"{host}:sub", intent.subjects)
    for pin in intent.pins:
        if _is_testable(pin.claim, host):
            _add(blocks, f"{host}:{pin.claim}", pin.values)
    statement = {
        "Effect": "Allow",
        "Principal": {"Federated": provider},
        "Action": ASSUME_WEB,
        "Condition": dict(blocks),
    }
    return {"Version": "2012-10-17", "Statement": [statement]}


def _is_testable(claim: str, host: str) -> bool:
    return claim in aws_claims(host) and claim not in {"aud", "oaud", "sub"}


def _add(blocks: dict[str, dict[str, Json]], key: str, values: tuple[str, ...]) -> None:
    """Add a key: literally when no value has a star, else with the other special characters escaped."""
    patterns = any("*" in value for value in values)
    written = [_escaped(value) if patterns else value.replace("${", "${$}{") for value in values]
    blocks["StringLike" if patterns else "StringEquals"][key] = written[0] if len(written) == 1 else written


def _escaped(value: str) -> str:
    """Return a value whose `*` is a wildcard and whose `?` and `$` are not.

    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_variables.html#policy-vars-specialchars
    """
    return value.replace("${", "${$}{").replace("?", "${?}")


def _dropped(intent: FederationIntent, host: str) -> list[Loss]:
    return [
        Loss(f"claim {pin.claim}", LossEffect.DROP, f"AWS has no condition key for the claim `{pin.claim}` of {host}")
        for pin in intent.pins
        if pin.claim not in {"aud", "oaud", "sub"} and not _is_testable(pin.claim, host)
    ]


def _size(trust: Json) -> list[Loss]:
    size = len(json.dumps(trust, separators=(",", ":"), ensure_ascii=False))
    if size > _HIGHEST_LIMIT:
        advice = f"name fewer subjects: {_HIGHEST_LIMIT} is the most that AWS grants"
        raise UsageError(f"the trust policy has {size} characters", advice=advice)
    if size <= _DEFAULT_LIMIT:
        return []
    why = (
        f"it has {size} characters, more than the default quota of {_DEFAULT_LIMIT}: raise the quota or use more roles"
    )
    return [Loss("trust policy size", LossEffect.SPLIT, why)]


def _commands(host: str, audience: str, role: str, trust: Json) -> tuple[Argv, ...]:
    provider = (
        "aws",
        "iam",
        "create-open-id-connect-provider",
        "--url",
        f"https://{host}",
        "--client-id-list",
        audience,
    )
    document = JsonArgument(trust)
    create = ("aws", "iam", "create-role", "--role-name", role, "--assume-role-policy-document", document)
    found = [] if host in aws_built_in_issuers() else [Argv(provider, "register the issuer, once for each account")]
    return (*found, Argv(create, "create the role that its tokens can assume"))


def _terraform(host: str, audience: str, role: str, trust: Json) -> tuple[TerraformBlock, ...]:
    issuer = label(host)
    blocks = []
    policy = trust
    if host not in aws_built_in_issuers():
        body: dict[str, TerraformValue] = {"url": f"https://{host}", "client_id_list": (audience,)}
        blocks.append(TerraformBlock("resource", ("aws_iam_openid_connect_provider", issuer), body))
        provider = Reference(f"aws_iam_openid_connect_provider.{issuer}.arn")
        policy = {**trust, "Statement": [{**trust["Statement"][0], "Principal": {"Federated": provider}}]}
    role_body: dict[str, TerraformValue] = {"name": role, "assume_role_policy": JsonEncode(as_terraform(policy))}
    return (*blocks, TerraformBlock("resource", ("aws_iam_role", label(role)), role_body))
