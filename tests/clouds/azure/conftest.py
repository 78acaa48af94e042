"""Builds estates from inline documents, and asks them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from idtrans.algebra import decide
from idtrans.clouds.azure import CLOUD
from idtrans.model.documents import Document, Format, Hints, Unsupported
from idtrans.model.entities import Entity
from idtrans.model.estate import Estate
from idtrans.model.spans import Place
from idtrans.ports import Query

SUB = "/subscriptions/00000000-0000-0000-0000-000000000001"
ALICE = "a0000000-0000-4000-8000-00000000000a"


class Lab:
    """What the tests of this folder do with documents."""

    sub = SUB
    alice = ALICE
    user = f"entra:{ALICE}"

    @staticmethod
    def document(content, path="<memory>", **hints):
        return Document(Place(path), Format.JSON, content, Hints(**hints))

    def parse(self, content, **hints):
        document = self.document(content, **hints)
        shape = CLOUD.recognise(document)
        assert shape is not None
        return list(CLOUD.parse(document, shape))

    def estate(self, *documents, **hints):
        found: list[Entity | Unsupported] = []
        for number, content in enumerate(documents):
            document = self.document(content, f"document-{number}.json", **hints)
            shape = CLOUD.recognise(document)
            assert shape is not None, content
            found += CLOUD.parse(document, shape)
        unsupported = tuple(item for item in found if isinstance(item, Unsupported))
        entities = tuple(item for item in found if not isinstance(item, Unsupported))
        return Estate(entities, datetime(2026, 11, 1, tzinfo=UTC), unsupported)

    def can(self, estate, action, resource, principal=None, **query):
        """Return the outcome of one question."""
        asked = Query(principal or self.user, action, resource, closed=query.pop("closed", True), **query)
        request = CLOUD.request(asked, estate)
        return str(decide(CLOUD.access(request.principal, estate), request).outcome)

    @staticmethod
    def assignment(role, scope, principal=ALICE, **fields):
        return {"principalId": principal, "principalType": "User", "roleDefinitionId": role, "scope": scope, **fields}

    @staticmethod
    def role(name, **lists):
        identifier = f"{sum(name.encode()):08x}-0000-4000-8000-000000000000"
        block = {"actions": [], "notActions": [], "dataActions": [], "notDataActions": [], **lists}
        return {"name": identifier, "roleName": name, "permissions": [block], "assignableScopes": [SUB]}


@pytest.fixture
def lab():
    return Lab()
