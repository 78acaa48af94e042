from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from idtrans import api
from idtrans.api import clouds
from idtrans.model.documents import Hints
from idtrans.model.values import Layer
from idtrans.translate import translate

if TYPE_CHECKING:
    from idtrans.model.translations import Translation

READER = "arn:aws:iam::111122223333:role/reader"
ANA = "user:ana@b.example"
USER = "entra:cccccccc-0000-4000-8000-000000000009"
SUBSCRIPTION = "/subscriptions/aaaaaaaa-1111-4000-8000-000000000001"
ACCOUNT = f"{SUBSCRIPTION}/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/stdata"
BUCKET = "//storage.googleapis.com/projects/_/buckets/data"


def _estate(content: Any, hints: Hints):
    estate = api.load(["-"], stdin=json.dumps(content).encode(), hints=hints)
    assert () == estate.errors
    return estate


class Speak:
    """Translate what one principal holds by a few lines of policy."""

    def aws(self, to: str, *statements: dict[str, Any], **options: Any) -> Translation:
        content = {"Version": "2012-10-17", "Statement": list(statements)}
        estate = _estate(content, Hints(layer=Layer.IDENTITY, principal=READER))
        return self.one("aws", to, estate, READER, options)

    def gcp(self, to: str, scope: str, *bindings: dict[str, Any], **options: Any) -> Translation:
        content = {"version": 3, "etag": "x", "bindings": [{"members": [ANA], **each} for each in bindings]}
        estate = _estate(content, Hints(resource=scope, scope=scope))
        return self.one("gcp", to, estate, ANA, options)

    def azure(self, to: str, *assignments: dict[str, Any], **options: Any) -> Translation:
        content = [
            {
                "id": f"{each['scope']}/providers/Microsoft.Authorization/roleAssignments/{number}",
                "principalId": USER.removeprefix("entra:"),
                "principalType": "User",
                "principalName": "user@b.example",
                **each,
            }
            for number, each in enumerate(assignments)
        ]
        return self.one("azure", to, _estate(content, Hints()), USER, options)

    def one(self, source: str, to: str, estate: Any, principal: str, options: dict[str, Any]) -> Translation:
        [found] = translate(clouds()[source], clouds()[to], estate, principal=principal, **options)
        return found


@pytest.fixture
def speak() -> Speak:
    return Speak()
