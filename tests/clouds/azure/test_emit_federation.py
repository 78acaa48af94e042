"""Federated credentials that are written, and read back."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from idtrans.algebra import ALWAYS, reduce
from idtrans.clouds.azure import CLOUD
from idtrans.model.artifacts import JsonArgument, LossEffect
from idtrans.model.decisions import Knowledge, Request
from idtrans.model.documents import Unsupported
from idtrans.model.errors import UsageError
from idtrans.model.estate import Estate
from idtrans.model.intents import ClaimPin, FederationIntent, Names

GITHUB = "https://token.actions.githubusercontent.com"
AUDIENCE = "api://AzureADTokenExchange"
PROD = "repo:acme@1/app@2:environment:prod"
ANY = "repo:acme@1/app@2:*"
REPO = ClaimPin("repository_id", ("2",))
IDENTITY = Names({"azure-identity-name": "mi", "azure-resource-group": "rg", "azure-subscription-id": "s"})


def intent(*subjects, pins=(), **fields):
    return FederationIntent(
        GITHUB, fields.pop("issuer_kind", "github"), fields.pop("name", "app prod"), subjects, pins, **fields
    )


def lets_in(emission, **claims):
    found = tuple(item for item in CLOUD.reread(emission.natives) if not isinstance(item, Unsupported))
    trusts = CLOUD.trusts(Estate(found, datetime(2026, 11, 1, tzinfo=UTC)))
    context = {key: (value,) for key, value in {"aud": AUDIENCE, **claims}.items()}
    return any(reduce(trust.admits, Request("", "", "", context, Knowledge.CLOSED)) == ALWAYS for trust in trusts)


def test_an_application_lets_one_subject_in():
    emission = CLOUD.emit_federation(intent(PROD), Names())
    body = {"name": "app-prod", "issuer": GITHUB, "audiences": [AUDIENCE], "subject": PROD}
    [native] = emission.natives
    assert ("azure.federated-credentials", "app-prod", body) == (native.kind, native.name, native.content)
    [command] = emission.commands
    prefix = ("az", "ad", "app", "federated-credential", "create", "--id", "<AZURE_APPLICATION_OBJECT_ID>")
    assert (*prefix, "--parameters", JsonArgument(body)) == command.words
    [block] = emission.terraform
    assert ("azuread_application_federated_identity_credential", "app_prod") == block.labels
    assert ("<AZURE_APPLICATION_OBJECT_ID>",) == emission.placeholders
    assert () == emission.losses
    assert lets_in(emission, sub=PROD)
    assert not lets_in(emission, sub=PROD.replace("prod", "dev"))


def test_a_managed_identity_lets_one_subject_in():
    emission = CLOUD.emit_federation(intent(PROD, audience="other"), IDENTITY)
    [command] = emission.commands
    assert ("az", "identity", "federated-credential", "create", "--identity-name", "mi") == command.words[:6]
    assert "other" == command.words[-1]
    [block] = emission.terraform
    assert ("azurerm_federated_identity_credential", "app_prod") == block.labels
    path = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/mi"
    assert path == block.body["parent_id"]
    assert () == emission.placeholders


def test_each_subject_has_a_credential_of_its_own():
    emission = CLOUD.emit_federation(intent("repo:a/b:pull_request", PROD), Names())
    assert ["app-prod-1", "app-prod-2"] == [native.name for native in emission.natives]
    assert [LossEffect.SPLIT] == [loss.effect for loss in emission.losses]
    assert [True, True, False] == [lets_in(emission, sub=sub) for sub in ("repo:a/b:pull_request", PROD, "x")]


def test_a_wildcard_becomes_an_expression_with_an_id():
    emission = CLOUD.emit_federation(intent(ANY, pins=(REPO,)), Names({"azure-application-object-id": "o"}))
    expression = f"claims['sub'] matches '{ANY}' and claims['repository_id'] eq '2'"
    assert {"value": expression, "languageVersion": 1} == emission.natives[0].content["claimsMatchingExpression"]
    assert "subject" not in emission.natives[0].content
    assert "https://graph.microsoft.com/beta/applications/o/federatedIdentityCredentials" in emission.commands[0].words
    assert "azuread_application_flexible_federated_identity_credential" == emission.terraform[0].labels[0]
    assert lets_in(emission, sub=PROD, repository_id="2")
    assert not lets_in(emission, sub=PROD, repository_id="3")
    assert not lets_in(emission, sub=PROD)
    assert () == emission.losses


def test_alternatives_of_a_pin_are_credentials_of_their_own():
    pins = (ClaimPin("repository_owner_id", ("1", "7")), ClaimPin("job_workflow_ref", ("w@r",)))
    emission = CLOUD.emit_federation(intent(ANY, pins=pins), Names())
    claims = [{"repository_owner_id": owner, "job_workflow_ref": "w@r"} for owner in ("1", "7", "8")]
    assert [True, True, False] == [lets_in(emission, sub=PROD, **some) for some in claims]


def test_an_identity_takes_expressions_through_the_api_alone():
    emission = CLOUD.emit_federation(intent(ANY, pins=(REPO,)), IDENTITY)
    assert "put" in emission.commands[0].words
    body = emission.commands[0].words[-1]
    assert isinstance(body, JsonArgument)
    assert ["properties"] == list(body.content)
    assert () == emission.terraform
    assert ["terraform"] == [loss.feature for loss in emission.losses]


@pytest.mark.parametrize(
    ("subject", "pin", "fixed"),
    [
        (PROD, ClaimPin("repository_id", ("2",)), True),
        (PROD, ClaimPin("repository_owner_id", ("1",)), True),
        (PROD, ClaimPin("repository", ("acme/app",)), True),
        (PROD, ClaimPin("repository_owner", ("acme",)), True),
        (PROD, ClaimPin("environment", ("prod",)), True),
        ("repo:a/b:ref:refs/heads/main", ClaimPin("ref", ("refs/heads/main",)), True),
        ("repo:a/b:pull_request", ClaimPin("event_name", ("pull_request",)), True),
        (PROD, ClaimPin("repository_id", ("3",)), False),
        ("repo:a/b:environment:prod", ClaimPin("repository_id", ("2",)), False),
        (PROD, ClaimPin("runner_environment", ("github-hosted",)), False),
        (PROD, ClaimPin("ref", ("refs/heads/main",)), False),
        ("repo:a/b:environment:x:ref:y", ClaimPin("environment", ("x:ref:y",)), False),
        ("job:a", ClaimPin("repository", ("a/b",)), False),
    ],
)
def test_a_pin_that_azure_does_not_test_is_told(subject, pin, fixed):
    [loss] = CLOUD.emit_federation(intent(subject, pins=(pin,)), Names()).losses
    assert (LossEffect.DROP, f"claim `{pin.claim}`") == (loss.effect, loss.feature)
    assert fixed == loss.why.endswith("the subject already fixes this claim")


@pytest.mark.parametrize(
    "wrong",
    [
        intent(),
        intent(*(f"repo:a/b:environment:{number}" for number in range(21))),
        intent(ANY),
        intent(ANY, pins=(ClaimPin("ref", ("x",)),)),
        intent("project_path:g/*", pins=(REPO,), issuer_kind="gitlab"),
        intent("repo:a/b?:*", pins=(REPO,)),
        intent("repo:a/b:'*", pins=(REPO,)),
        intent(ANY, pins=(ClaimPin("repository_id", ("2' or '",)),)),
        intent("x" * 601),
    ],
)
def test_what_azure_cannot_say_is_refused(wrong):
    with pytest.raises(UsageError) as raised:
        CLOUD.emit_federation(wrong, Names())
    assert raised.value.advice


@pytest.mark.parametrize(("name", "expected"), [("a", "a00"), ("!!", "idtrans"), ("x" * 300, "x" * 110)])
def test_names_are_those_that_azure_takes(name, expected):
    [native] = CLOUD.emit_federation(intent(PROD, name=name), Names()).natives
    assert expected == native.content["name"]
