"""Test files with anything in them: an answer or an error, never a crash."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idtrans import api, report
from idtrans.model.errors import IdtransError

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner), max_leaves=8
)
WORDS = st.sampled_from(
    [
        "*",
        "s3:GetObject",
        "arn:aws:iam::111122223333:user/ana",
        "arn:aws:iam::111122223333:role/r",
        "arn:aws:s3:::b/a",
        "user:ana@example.com",
        "entra:a0000000-0000-4000-8000-00000000000a",
        "anonymous",
        "111122223333",
        "\ud800",
        "\x00`",
        "",
    ]
)
DOCUMENT = st.fixed_dictionaries(
    {"inline": ANYTHING | st.fixed_dictionaries({"Statement": ANYTHING | st.fixed_dictionaries({"Effect": WORDS})})},
    optional={
        "layer": st.sampled_from(["identity", "resource", "trust", "scp", "rcp", "endpoint", "session", "boundary"]),
        **dict.fromkeys(("principal", "resource", "scope", "account"), WORDS),
    },
)
CASE = st.fixed_dictionaries(
    {"principal": WORDS, "action": WORDS, "resource": WORDS, "expect": st.sampled_from(["allow", "deny"])},
    optional={
        "context": st.dictionaries(st.text(max_size=4), SCALARS | st.lists(SCALARS, max_size=2), max_size=2),
        **dict.fromkeys(("session", "resource_account", "management_account", "organization", "plane"), WORDS),
    },
)
TOKEN = st.fixed_dictionaries(
    {"target": WORDS, "claims": st.dictionaries(st.text(), ANYTHING), "expect": st.just("deny")}
)
SUITE = st.fixed_dictionaries(
    {"documents": st.lists(DOCUMENT, max_size=3), "cases": st.lists(CASE | TOKEN, min_size=1, max_size=3)}
)


@settings(max_examples=150)
@given(ANYTHING | SUITE | st.lists(SUITE, max_size=2))
def test_any_content(content):
    answer = api.run_suites(["-"], stdin=json.dumps(content).encode())
    assert all(isinstance(error, IdtransError) for error in answer.errors)
    assert answer.results or answer.errors
    report.text(answer)
    report.json_v1(answer)


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"[" * 10_000, b"cases: &a [*a]", b'{"cases": [{"expect": NaN}]}'])
def test_any_bytes(data):
    answer = api.run_suites(["-"], stdin=data)
    assert ((), 1) == (answer.results, len(answer.errors))
