"""Secrets, certificates and account keys."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from idtrans.model.documents import Unsupported
from idtrans.model.entities import Credential, CredentialKind, CredentialStatus, Principal, PrincipalKind, Resource
from idtrans.model.values import UNKNOWN

ACCOUNT = "/subscriptions/S/resourceGroups/RG/providers/Microsoft.Storage/storageAccounts/SA1"
LATER = "2027-01-01T00:00:00Z"


def credentials(found):
    return [item for item in found if isinstance(item, Credential)]


def test_the_kinds_of_credentials_of_one_application(lab):
    application = {
        "id": "77777777-0000-4000-8000-000000000001",
        "appId": "BBBBBBBB-0000-4000-8000-000000000001",
        "displayName": "deploy",
        "passwordCredentials": [{"keyId": "old", "endDateTime": "2025-01-01T00:00:00.1234567Z"}],
        "keyCredentials": [
            {"keyId": "c1", "customKeyIdentifier": "AAA=", "usage": "Sign", "endDateTime": LATER},
            {"keyId": "c2", "customKeyIdentifier": "AAA=", "usage": "Verify", "endDateTime": LATER},
        ],
        "federatedIdentityCredentials": [{"issuer": "https://i", "subject": "s", "audiences": ["a"]}],
    }
    found = lab.parse([application], collected_at=datetime(2026, 10, 1, tzinfo=UTC))
    expected = [
        ("old", CredentialKind.ENTRA_CLIENT_SECRET, CredentialStatus.INACTIVE),
        # A pair of usages is one certificate.
        ("c1", CredentialKind.ENTRA_CERTIFICATE, CredentialStatus.ACTIVE),
    ]
    assert expected == [(item.id, item.kind, item.status) for item in credentials(found)]
    owner = "entra:77777777-0000-4000-8000-000000000001"
    assert {owner} == {item.owner for item in found if hasattr(item, "owner")}
    [principal] = [item for item in found if isinstance(item, Principal)]
    assert (PrincipalKind.APPLICATION, owner) == (principal.kind, principal.id)


def test_a_service_principal_is_a_service_identity(lab):
    [principal] = lab.parse([{"id": "o", "appId": "a", "servicePrincipalType": "Application"}])
    assert PrincipalKind.SERVICE_IDENTITY == principal.kind


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"hint": "abc", "secretText": None}, CredentialKind.ENTRA_CLIENT_SECRET),
        ({}, CredentialKind.ENTRA_CLIENT_SECRET),
        ({"usage": "Verify", "type": "AsymmetricX509Cert"}, CredentialKind.ENTRA_CERTIFICATE),
    ],
)
def test_a_list_of_credentials_has_no_owner_of_its_own(lab, fields, kind):
    [bare] = lab.parse([{"keyId": "k", "endDateTime": LATER, **fields}])
    assert (kind, UNKNOWN) == (bare.kind, bare.owner)
    [owned] = lab.parse([{"keyId": "k", "endDateTime": LATER, **fields}], principal="entra:x")
    assert "entra:x" == owned.owner


@pytest.mark.parametrize(
    ("end", "expires", "status"),
    [
        (LATER, datetime(2027, 1, 1, tzinfo=UTC), CredentialStatus.ACTIVE),
        ("2027-01-01T00:00:00", datetime(2027, 1, 1, tzinfo=UTC), CredentialStatus.ACTIVE),
        (None, None, CredentialStatus.ACTIVE),
        ("soon", UNKNOWN, UNKNOWN),
        (17, UNKNOWN, UNKNOWN),
    ],
)
def test_the_end_of_a_secret(lab, end, expires, status):
    [found] = lab.parse([{"keyId": "k", "endDateTime": end}])
    assert (expires, status) == (found.expires, found.status)


@pytest.mark.parametrize("value", ["x", [7], {"a": 1}])
def test_credentials_that_cannot_be_read_are_reported(lab, value):
    fields = {"passwordCredentials": value, "federatedIdentityCredentials": [3]}
    found = lab.parse([{"id": "o", "appId": "a", **fields}])
    assert 2 == len([item for item in found if isinstance(item, Unsupported)])


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"allowSharedKeyAccess": None}, CredentialStatus.ACTIVE),
        ({}, CredentialStatus.ACTIVE),
        ({"allowSharedKeyAccess": True}, CredentialStatus.ACTIVE),
        ({"allowSharedKeyAccess": "yes"}, UNKNOWN),
        ({"allowSharedKeyAccess": []}, UNKNOWN),
        ({"allowSharedKeyAccess": False}, None),
        ({"allowSharedKeyAccess": False, "allowSharedKeyAccessForServices": {"blob": {"enabled": True}}}, UNKNOWN),
        ({"allowSharedKeyAccessForServices": dict.fromkeys(("blob", "file", "queue", "table"), False)}, None),
        ({"allowSharedKeyAccessForServices": {"blob": False}}, CredentialStatus.ACTIVE),
    ],
)
def test_an_account_key_works_unless_it_is_turned_off(lab, fields, status):
    found = lab.parse([{"id": ACCOUNT, "type": "Microsoft.Storage/storageAccounts", **fields}])
    expected = [] if status is None else [(ACCOUNT.lower(), status)]
    assert expected == [(item.owner, item.status) for item in credentials(found)]


def test_an_account_key_is_as_old_as_its_older_half(lab):
    times = {"key1": "2026-01-01T00:00:00Z", "key2": "2024-01-01T00:00:00Z"}
    content = {"id": ACCOUNT, "type": "Microsoft.Storage/storageAccounts", "properties": {"keyCreationTime": times}}
    [key] = credentials(lab.parse({"value": [content]}))
    assert datetime(2024, 1, 1, tzinfo=UTC) == key.created


def test_settings_are_kept_as_stated(lab):
    content = {
        "id": ACCOUNT,
        "allowBlobPublicAccess": None,
        "publicNetworkAccess": 7,
        "networkRuleSet": {"defaultAction": "Deny"},
    }
    found = lab.parse([content])
    [account] = [item for item in found if isinstance(item, Resource)]
    expected = {"allowBlobPublicAccess": None, "publicNetworkAccess": UNKNOWN, "defaultAction": "Deny"}
    assert expected == account.settings
    assert 1 == len([item for item in found if isinstance(item, Unsupported)])


def test_network_rules_that_cannot_be_read_are_unknown(lab):
    [account] = [
        item
        for item in lab.parse([{"id": ACCOUNT, "allowBlobPublicAccess": True, "networkAcls": "x"}])
        if isinstance(item, Resource)
    ]
    assert UNKNOWN == account.settings["defaultAction"]
