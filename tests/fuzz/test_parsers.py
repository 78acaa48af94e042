"""Every reader over damaged inputs: no crash, no hang, and nothing that was not understood is passed over in silence.

The files of the sample estate are what is damaged: bytes for the decoders, values for the parsers behind them. `make
fuzz` looks much further than the tests do.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from idtrans import api
from idtrans.api._clouds import readers
from idtrans.api._load import Loading, take
from idtrans.documents import read
from tests.fuzz.aws_replies import aws_replies

if TYPE_CHECKING:
    from idtrans.model.documents import Document

NOW = datetime(2026, 11, 1, tzinfo=UTC)
ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(path for path in (ROOT / "fixtures/acme").rglob("*") if path.suffix in {".json", ".yaml", ".csv", ".tf"})
READERS = readers()
ODD: tuple[Any, ...] = (None, True, -1, 1e308, "", "*", "\x00", "${", "arn:::::", [], {}, [[]], {"": None}, "a" * 3_000)

relaxed = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@given(st.data())
@relaxed
def test_damaged_bytes_are_read_or_refused(tmp_path_factory, data) -> None:
    source = data.draw(st.sampled_from(FILES))
    content = bytearray(source.read_bytes()[:4_000])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, max(0, len(content) - 1)))
        content[at : at + data.draw(st.integers(0, 8))] = data.draw(st.binary(max_size=8))
    path = tmp_path_factory.getbasetemp() / f"damaged{source.suffix}"
    path.write_bytes(content)
    estate = api.load([path], now=NOW)
    assert estate.entities or estate.unsupported or estate.errors or any(entry.shape for entry in estate.inputs)


def _documents() -> list[Document]:
    return [document for path in FILES for document in read([path]).documents]


DOCUMENTS = [*_documents(), *aws_replies()]


@pytest.mark.parametrize("name", READERS)
@given(data=st.data())
@relaxed
def test_values_of_the_wrong_kind_are_read_or_named(name, data) -> None:
    cloud = READERS[name]
    known = [one for one in DOCUMENTS if cloud.recognise(one) is not None] or DOCUMENTS
    document = data.draw(st.sampled_from(known))
    content = json.loads(json.dumps(document.content))
    for _ in range(data.draw(st.integers(1, 3))):
        content = _damaged(content, data)
    damaged = type(document)(document.origin, document.format, content, document.hints)
    shape = cloud.recognise(damaged)
    if shape is not None:
        for found in cloud.parse(damaged, shape):
            assert str(found)
    loading = Loading()
    take(loading, damaged, READERS)
    assert loading.entities or loading.unsupported or loading.errors or loading.inputs


def _damaged(content: Any, data: Any) -> Any:
    """Return a value in which something was replaced, renamed or left out."""
    at, path = content, []
    while isinstance(at, (dict, list)) and at and data.draw(st.integers(0, 5)):
        key = data.draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))
        path.append((at, key))
        at = at[key]
    odd = json.loads(json.dumps(data.draw(st.sampled_from(ODD))))
    if not path:
        return odd
    holder, key = path[-1]
    if data.draw(st.booleans()):
        holder[key] = odd
    else:
        del holder[key]
    return content


@pytest.mark.parametrize("number", range(len(aws_replies())))
@given(data=st.data())
@relaxed
def test_replies_of_aws_are_read_or_named(number, data) -> None:
    document = aws_replies()[number]
    content = json.loads(json.dumps(document.content))
    for _ in range(data.draw(st.integers(1, 3))):
        content = _damaged(content, data)
    loading = Loading()
    take(loading, type(document)(document.origin, document.format, content, document.hints), READERS)
    assert loading.entities or loading.unsupported or loading.errors or loading.inputs
