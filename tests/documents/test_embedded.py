"""Documents carried as text inside other documents."""

from __future__ import annotations

import json
import pickle
from urllib.parse import quote

import pytest

from idtrans.documents import Decoding, Limits, decode, embedded
from idtrans.model.documents import Format, Hints
from idtrans.model.errors import DocumentError

POLICY = {"Statement": [{"Effect": "Allow", "Action": "s3:Get*", "Resource": "arn:aws:s3:::a/%zz é+"}]}


def carried(text):
    return decode(b'{"Roles": [\n{"Doc":\n' + json.dumps(text).encode() + b"}]}", "dump.json", hints=Hints(kind="k"))


TEXTS = [
    ("url-encoded", quote(json.dumps(POLICY, ensure_ascii=False)), Decoding.BY_SHAPE, POLICY),
    ("lower case", " " + quote(json.dumps(POLICY)).replace("%7B", "%7b"), Decoding.BY_SHAPE, POLICY),
    ("decoded by the client", json.dumps(POLICY), Decoding.BY_SHAPE, POLICY),
    ("resource policy", json.dumps(POLICY), Decoding.PLAIN, POLICY),
    ("decoded once", quote('{"a": "%7B%25"}'), Decoding.BY_SHAPE, {"a": "%7B%25"}),
    ("not decoded in part", '{"a": "%7B%25zz"}', Decoding.BY_SHAPE, {"a": "%7B%25zz"}),
]


@pytest.mark.parametrize(("text", "decoding", "expected"), [row[1:] for row in TEXTS], ids=[row[0] for row in TEXTS])
def test_carried_texts_are_decoded_once_by_their_origin(text, decoding, expected):
    document = embedded(carried(text), "/Roles/0/Doc", url_encoded=decoding)
    assert (expected, Format.JSON, (), Hints(kind="k")) == (
        document.content,
        document.format,
        document.problems,
        document.hints,
    )


def test_sources_inside_keep_the_carrying_place():
    document = embedded(carried(json.dumps(POLICY)), "/Roles/0/Doc", url_encoded=Decoding.PLAIN)
    source = document.source.at("Statement", 0)
    assert ("dump.json", 3, "/Roles/0/Doc/Statement/0") == (source.path, source.line, source.pointer)
    assert 2 == document.origin.line("/Roles/0")
    assert 3 == document.origin.line("")
    assert 3 == pickle.loads(pickle.dumps(document.origin)).line("/Roles/0/Doc/x")  # noqa: S301 - our own bytes


def test_two_documents_of_one_file_have_different_sources():
    parent = decode(b'["{}", "{}"]', "x")
    first, second = (embedded(parent, pointer, url_encoded=Decoding.PLAIN).source for pointer in ("/0", "/1"))
    assert first.at("a") != second.at("a")


def test_a_text_inside_a_text():
    inner = json.dumps({"doc": json.dumps({"a": 1, "b": 2})})
    middle = embedded(carried(inner), "/Roles/0/Doc", url_encoded=Decoding.PLAIN)
    document = embedded(middle, "/doc", url_encoded=Decoding.PLAIN)
    assert {"a": 1, "b": 2} == document.content
    assert ("/Roles/0/Doc/doc/a", 3) == (document.source.at("a").pointer, document.source.at("a").line)


def test_duplicate_keys_inside_are_reported_with_the_whole_pointer():
    document = embedded(carried('{"a": [{"b": 1, "b": 2}]}'), "/Roles/0/Doc", url_encoded=Decoding.PLAIN)
    assert [("/Roles/0/Doc/a/0/b", 3)] == [(p.source.pointer, p.source.line) for p in document.problems]


def test_a_value_that_is_already_decoded_is_returned_with_its_own_problems():
    parent = decode(b'{"a": 1, "a": 2,\n "doc": {"b": 1,\n "b": 2}, "docs": {"c": 1, "c": 2}}', "x")
    document = embedded(parent, "/doc", url_encoded=Decoding.BY_SHAPE)
    assert ({"b": 2}, "/doc", 2) == (document.content, document.pointer, document.source.line)
    assert [("/doc/b", 3)] == [(p.source.pointer, p.source.line) for p in document.problems]


BROKEN = [
    ('{"a": 1,}', Decoding.BY_SHAPE, "trailing comma before `}`, at line 1, column 8 of the text at `/Roles/0/Doc`"),
    ('{"a":\n %7B}', Decoding.BY_SHAPE, "at line 2, column 2 of the text"),
    ("%7B%7D", Decoding.PLAIN, "expecting value, found `%7B%7D`"),
    ("%7B%ff%7D", Decoding.BY_SHAPE, "the URL-encoded document is not UTF-8"),
    ("{}\n{}", Decoding.BY_SHAPE, "more than one value, at line 2, column 1"),
    ("", Decoding.BY_SHAPE, "found the end of the text"),
    ("[" * 300 + "]" * 300, Decoding.BY_SHAPE, "nested deeper than the limit"),
    ('{"a": NaN}', Decoding.PLAIN, "not a JSON value: `NaN`"),
]


@pytest.mark.parametrize(("text", "decoding", "words"), BROKEN)
def test_broken_texts_are_errors_at_the_carrying_place(text, decoding, words):
    with pytest.raises(DocumentError) as caught:
        embedded(carried(text), "/Roles/0/Doc", url_encoded=decoding)
    assert words in caught.value.message
    source = caught.value.source
    assert source is not None
    assert ("dump.json", 3, "/Roles/0/Doc") == (source.path, source.line, source.pointer)


@pytest.mark.parametrize("pointer", ["/Roles/1/Doc", "/Roles/x", "/No", "Roles", "/Roles/0/Doc/a", "/Roles/00"])
def test_a_pointer_to_nothing_is_an_error(pointer):
    with pytest.raises(DocumentError, match="no value at"):
        embedded(carried("{}"), pointer, url_encoded=Decoding.PLAIN)


def test_limits_hold_inside_too():
    with pytest.raises(DocumentError, match="max_depth"):
        embedded(carried("[[[]]]"), "/Roles/0/Doc", url_encoded=Decoding.PLAIN, limits=Limits(max_depth=2))
