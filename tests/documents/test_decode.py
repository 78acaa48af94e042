"""Bytes to documents: notations, encodings, errors with their places, limits."""

from __future__ import annotations

import gc
from datetime import UTC, datetime

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from idtrans.documents import LIMITS, Limits, _yaml_text, decode, paused_gc
from idtrans.documents._faults import Fault
from idtrans.model.documents import Document, Format, Hints
from idtrans.model.errors import DocumentError

FORMATS = [
    ("object", b'{"a": 1}', "x", Format.JSON, {"a": 1}),
    ("list", b'[1, "b", null, true, 1.5]', "x", Format.JSON, [1, "b", None, True, 1.5]),
    ("scalar", b'"text"', "x", Format.JSON, "text"),
    ("number", b"12", "x", Format.JSON, 12),
    ("null", b"null", "x.json", Format.JSON, None),
    ("json whatever its name says", b'{"a": 1}', "x.csv", Format.JSON, {"a": 1}),
    ("json named yaml", b'{"a": 1}', "x.yaml", Format.JSON, {"a": 1}),
    ("utf-8 mark", b'\xef\xbb\xbf{"a": "\xc3\xa9"}', "x", Format.JSON, {"a": "é"}),
    ("utf-16 little", b"\xff\xfe" + '{"a": "é"}'.encode("utf-16-le"), "x", Format.JSON, {"a": "é"}),
    ("utf-16 big", b"\xfe\xff" + '["a"]'.encode("utf-16-be"), "x", Format.JSON, ["a"]),
    ("pair of surrogates", rb'["\ud83d\ude00"]', "x", Format.JSON, ["\U0001f600"]),
    ("backslash before ud800", rb'["\\ud800"]', "x", Format.JSON, ["\\ud800"]),
    ("ndjson", b'{"a": 1}\r\n{"a": 2}\n', "x", Format.NDJSON, [{"a": 1}, {"a": 2}]),
    ("one value after another", b'{\n"a": 1\n}\n{\n"a": 2\n}', "x", Format.NDJSON, [{"a": 1}, {"a": 2}]),
    ("one line named ndjson", b'{"a": 1}\n', "x.ndjson", Format.NDJSON, [{"a": 1}]),
    ("one line named jsonl", b'{"a": 1}\n', "x.jsonl", Format.NDJSON, [{"a": 1}]),
    ("yaml", b"a: 1\nb: [x, y]\n", "x", Format.YAML, {"a": 1, "b": ["x", "y"]}),
    ("yaml named json", b"a: 1\n", "x.json", Format.YAML, {"a": 1}),
    ("yaml flow", b"{a: 1}", "x", Format.YAML, {"a": 1}),
    ("yaml flow named yaml", b'{"a": 1,}', "x.yml", Format.YAML, {"a": 1}),
    ("yaml with a quoted key", b'"a": 1\n', "x", Format.YAML, {"a": 1}),
    ("yaml after a blank line", b'\n"a": 1\n', "x", Format.YAML, {"a": 1}),
    ("yaml with words in brackets", b"[a, b]", "x", Format.YAML, ["a", "b"]),
    ("yaml stream", b"a: 1\n---\nb: 2\n", "x", Format.YAML, [{"a": 1}, {"b": 2}]),
    ("prose", b"only words", "x", Format.YAML, "only words"),
    ("csv", b"user,arn\nana,x\n", "x", Format.CSV, [{"user": "ana", "arn": "x"}]),
    ("csv quoted", b'user,arn\r\n"a,b","x\ny"\r\n\r\nc,d', "x.csv", Format.CSV,
     [{"user": "a,b", "arn": "x\ny"}, {"user": "c", "arn": "d"}]),
    ("csv header alone", b"user,arn\n", "x.csv", Format.CSV, []),
    ("two words are not csv", b"yes, no\nand, more, words", "x", Format.YAML, "yes, no and, more, words"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "path", "notation", "content"), [row[1:] for row in FORMATS],
                         ids=[row[0] for row in FORMATS])  # fmt: skip
def test_notation_is_told_by_content(data, path, notation, content):
    document = decode(data, path)
    assert (notation, content, ()) == (document.format, document.content, document.problems)


BROKEN = [
    ("trailing comma in an object", b'{"a": 1,\n}', "x", 1, 8, "trailing comma before `}`"),
    ("trailing comma in a list", b'{"a":\n [1, 2 , ]}', "x", 2, 8, "trailing comma before `]`"),
    ("two commas", b"[1,,2]", "x", 1, 4, "expecting value, found `,2]`"),
    ("no colon", b'{"a" 1}', "x", 1, 6, "expecting ':' delimiter, found `1}`"),
    ("end too soon", b'{"a": [1', "x", 1, 9, "found the end of the text"),
    ("two values on a line", b'{"a": 1} {"a": 2}', "x", 1, 10, "extra data"),
    ("broken second line", b'{"a": 1}\n{"a": }', "x.ndjson", 2, 7, "expecting value"),
    ("not a number", b'{"NaN": "NaN",\n "b": NaN}', "x", 2, 7, "not a JSON value: `NaN`"),
    ("a word that begins like a constant", b'["NaN",\n NaNs]', "x", 2, 2, "not a JSON value: `NaN`"),
    ("infinity", b"[1, -Infinity]", "x", 1, 5, "`-Infinity`"),
    ("overflow", b"[1e999]", "x", 1, 2, "number out of range `1e999`"),
    ("long number", b'["' + b"9" * 1001 + b'",\n' + b"9" * 1001 + b"]", "x", 2, 1, "more than 1000 digits"),
    ("long fraction", b"[0." + b"9" * 1001 + b"]", "x", 1, 2, "number out of range"),
    ("lone surrogate", rb'["\ud83d\ude00", "\ud83d"]', "x", 1, 19, "half of a surrogate pair"),
    ("lone low surrogate", rb'{"a\uDC00": 1}', "x", 1, 4, "half of a surrogate pair"),
    ("single quotes named json", b"{'a': 1}", "x.json", 1, 2, "broken JSON"),
    ("words named json", b"only words", "x.json", 1, 1, "broken JSON"),
    ("comment named json", b"# words", "x.json", None, None, None),
    ("brackets that are neither", b"[a", "x", 1, 2, "broken JSON"),
    ("brackets named yaml", b"[a", "x.yaml", 1, 3, "broken YAML"),
    ("not utf-8", b'{"a":\n"\xff"}', "x", 2, 2, "not UTF-8 text: byte `0xff`"),
    ("half of utf-16", b"\xff\xfea", "x", 1, 1, "not UTF-16-LE text"),
    ("nul", b"ab\0", "x", 1, 3, "NUL"),
    ("nul in utf-16", b"\xff\xfe\0\0a\0"[:2] + b"a\0\0\0", "x", 1, 2, "NUL"),
    ("yaml tab", b"a: 1\n\tb: 2\n", "x", 2, 1, "broken YAML"),
    ("yaml control character", b"a: \x07", "x", 1, 4, "character `U+0007` is not allowed"),
    ("yaml key that is a list", b"? [a]\n: 1\n", "x", 1, 3, "a mapping key must be text"),
    ("yaml key that is an alias of a list", b"- &a [1]\n- ? *a\n  : 1\n", "x", 2, 5, "a mapping key must be text"),
    ("yaml alias to nothing", b"a: *b\n", "x", 1, 4, "alias `*b` stands for no finished value"),
    ("yaml alias to itself", b"&a [*a]\n", "x", 1, 5, "alias `*a`"),
    ("yaml merge of a scalar", b"<<: 1\n", "x", 1, 5, "`<<` merges mappings only"),
    ("csv row too long", b"user,arn\na,b\nc,d,e\n", "x.csv", 3, 1, "row `c,d,e` has 3 fields, the header has 2"),
    ("csv with carriage returns alone", b"a,b\r1,2\r3\r", "x.csv", 1, 11, "row `3` has 1 fields"),
    ("csv quotes", b'user,arn\na,"b\n', "x.csv", 2, 1, "broken CSV"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "path", "line", "column", "words"), [row[1:] for row in BROKEN],
                         ids=[row[0] for row in BROKEN])  # fmt: skip
def test_broken_texts_are_errors_with_line_and_column(data, path, line, column, words):
    if words is None:
        assert decode(data, path).content is None
        return
    with pytest.raises(DocumentError) as caught:
        decode(data, path)
    source = caught.value.source
    assert source is not None
    assert (path, line) == (source.path, source.line)
    assert f"at line {line}, column {column}" in caught.value.message
    assert words in caught.value.message


@pytest.mark.parametrize("mark", [b"\xff\xfe\0\0", b"\0\0\xfe\xff"])
def test_utf_32_is_refused(mark):
    with pytest.raises(DocumentError, match=r"^x: UTF-32 text is not read \(save the file as UTF-8\)$"):
        decode(mark + b"a\0\0\0", "x")


PARSERS = [yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)]


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("escape", [rb"\ud800", rb"\UFFFFFFFF", rb"\U00110000"])
def test_yaml_escapes_that_are_no_characters_are_errors_in_both_parsers(monkeypatch, parser, escape):
    monkeypatch.setattr(_yaml_text, "_PARSER", parser)
    with pytest.raises(DocumentError, match="broken YAML"):
        decode(b'a: "' + escape + b'"\n', "x")


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="{}[]\",: \n01ae-&*!<?%\t#|>'é", max_size=60))
def test_both_yaml_parsers_read_the_same(text):
    results = [outcome(text, parser) for parser in PARSERS]
    # Libyaml and PyYAML differ in what they refuse; what both read, they read alike.
    assert "broken" in results or results[0] == results[1]


def outcome(text, parser):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_yaml_text, "_PARSER", parser)
        try:
            return repr((parsed := _yaml_text.parse_yaml(text, LIMITS)).values), sorted(parsed.marks)
        except Fault:
            return "broken"


def test_an_offending_text_cannot_steer_a_terminal():
    with pytest.raises(DocumentError) as caught:
        decode(b'["a" \x1b[2J`', "x")
    assert "found `?[2J?`" in caught.value.message


@pytest.mark.parametrize(
    ("data", "path", "notation", "reason"),
    [
        (b"", "x", Format.JSON, "the file is empty"),
        (b" \n\t", "x.yaml", Format.YAML, "the file is empty"),
        (b"\xef\xbb\xbf", "x.csv", Format.CSV, "the file is empty"),
        (b"# nothing\n", "x", Format.YAML, "the file holds no value"),
    ],
)
def test_an_empty_file_is_a_document_with_a_problem(data, path, notation, reason):
    document = decode(data, path)
    assert (notation, None, [reason]) == (
        document.format,
        document.content,
        [problem.reason for problem in document.problems],
    )


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'{"a": 1,\n "a": 2}', [("/a", 2, "key `a` is written more than once; only its last value is read")]),
        (b'[{"b": 1},\n{"x/y": 1, "x/y": 2}]', [("/1/x~1y", 2, None)]),
        (b'{"a": {"b": 1, "b": 2},\n "a": 3}', [("/a", 2, None)]),
        (b'{"a": [[{"b": 1, "b": 2, "c": 0, "c": 0, "b": 3}]]}', [("/a/0/0/b", 1, None), ("/a/0/0/c", 1, None)]),
        (b'{"a": 1}\n{"a": 1, "a": 1}\n', [("/1/a", 2, None)]),
        (b"a: 1\nb: 2\na: 3\n", [("/a", 3, "key `a` is written more than once; only its last value is read")]),
        (b"- {}\n---\n- a: 1\n  a: 2\n", [("/1/0/a", 4, None)]),
        (b'{"a": 1, "b": {"a": 1}, "c": [{"a": 1}, {"a": 2}]}', []),
    ],
)
def test_duplicate_keys_are_reported_where_the_last_one_stands(data, expected):
    problems = decode(data, "x").problems
    assert [(pointer, line) for pointer, line, _ in expected] == [
        (problem.source.pointer, problem.source.line) for problem in problems
    ]
    for (_, _, reason), problem in zip(expected, problems, strict=True):
        assert reason in {None, problem.reason}


def test_the_last_of_duplicate_keys_is_the_content():
    assert {"a": [2]} == decode(b'{"a": [1], "a": [2]}', "x").content


def test_duplicate_columns_are_reported():
    document = decode(b"a,b,a\n1,2,3\n", "x.csv")
    assert [{"a": "3", "b": "2"}] == document.content
    assert ["column `a` stands more than once; its last value is read"] == [p.reason for p in document.problems]


SMALL = Limits(max_bytes=60, max_depth=3, max_values=8, max_files=2, max_alias_values=4)
LIMITED = [
    ("bytes", b'"' + b"a" * 60 + b'"', "max_bytes", None),
    ("json depth", b"[\n[[\n[]]]]", "max_depth", 3),
    ("json depth in objects", b'{"[": {"a": {"a":\n {}}}}', "max_depth", 2),
    ("json values by commas", b"[1,2,3,4,5,6,7,8,9]", "max_values", 1),
    ("json values by containers", b"[[[]],[[]],[[]],[[]]]", "max_values", 1),
    ("depth of one line of several", b'{"a": 1}\n{"a": [[\n[]]]}', "max_depth", 3),
    ("values of lines by containers", b"{}\n" * 9, "max_values", 1),
    ("values of lines by members", b'{"a": {"b": [1]}}\n' * 3, "max_values", 1),
    ("yaml depth", b"- - -\n     - a\n", "max_depth", 2),
    ("yaml depth by tags", b"- !a [!b [1]]\n", "max_depth", 1),
    ("yaml depth by alias", b"- &a [[1]]\n- [*a]\n", "max_depth", 2),
    ("yaml values", b"- 1\n- 2\n- 3\n- 4\n- 5\n- 6\n- 7\n- 8\n", "max_values", 8),
    ("yaml aliases", b"- &a [1, 2]\n- *a\n- *a\n", "max_alias_values", 3),
    ("csv values", b"a,b\n1,2\n1,2\n1,2\n1,2\n1,2\n", "max_values", 6),
]


@pytest.mark.parametrize(("data", "name", "line"), [row[1:] for row in LIMITED], ids=[row[0] for row in LIMITED])
def test_limits_are_errors_that_name_themselves_and_say_how_to_raise_them(data, name, line):
    with pytest.raises(DocumentError, match=f"`{name}`") as caught:
        decode(data, "x", limits=SMALL)
    assert f"Limits({name}=...)" in str(caught.value.advice)
    assert caught.value.source is not None
    assert line == caught.value.source.line


@pytest.mark.parametrize("data", [b"[[[1]]]", b'{"a": {"b": {"c": "[[[[["}}}', b"- - - 1\n", b"[1,2,3,4,5,6,7]"])
def test_inputs_at_the_limit_are_fine(data):
    assert decode(data, "x", limits=SMALL).content


@pytest.mark.parametrize("bracket", [b"[", b'{"a":', b"[[", b"- "])
def test_deep_nesting_is_an_error_and_not_a_crash(bracket):
    with pytest.raises(DocumentError, match="max_depth"):
        decode(bracket * 50_000 + b"1", "x")


def test_a_limit_beyond_what_python_can_read_does_not_crash():
    with pytest.raises(DocumentError, match="nested deeper than this Python can read"):
        decode(b"[" * 200_000 + b"1" + b"]" * 200_000, "x", limits=Limits(max_depth=1_000_000))


def test_an_alias_bomb_is_refused():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
    with pytest.raises(DocumentError, match="max_alias_values"):
        decode("\n".join(lines).encode(), "x")


YAML_VALUES = [
    ("2012-10-17", "2012-10-17"),
    ("2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z"),
    ("012345670123", "012345670123"),
    ("111122223333", 111122223333),
    ("1_000", "1_000"),
    ("22:22:22", "22:22:22"),
    ("0x1F", 31),
    ("1.5", 1.5),
    ("-1.5e+3", -1500.0),
    ("1.0e+999", "1.0e+999"),
    ("12e3", "12e3"),
    (".nan", ".nan"),
    ("9" * 1001, "9" * 1001),
    ("٣", "٣"),
    ("yes", True),
    ("Off", False),
    ("~", None),
    ("", None),
    ("'yes'", "yes"),
    ("!!str 12", "12"),
    ("!!int 12", 12),
    ("! 12", "12"),
    ("!!timestamp 2012-10-17", "2012-10-17"),
    ("!!map {a: 1}", {"a": 1}),
    ("!!seq [1]", [1]),
]


@pytest.mark.parametrize(("text", "expected"), YAML_VALUES)
def test_yaml_words_keep_what_they_say(text, expected):
    document = decode(f"a: {text}\n".encode(), "x")
    assert ({"a": expected}, ()) == (document.content, document.problems)


@pytest.mark.parametrize(
    ("text", "content", "pointer"),
    [
        ("a: !Sub '${b}'\n", {"a": {"!Sub": "${b}"}}, "/a"),
        ("a: !GetAtt [b, c]\n", {"a": {"!GetAtt": ["b", "c"]}}, "/a"),
        ("a: !!python/object/apply:os.system [ls]\n", {"a": {"!!python/object/apply:os.system": ["ls"]}}, "/a"),
        ("!!binary aGk=\n", {"!!binary": "aGk="}, ""),
        ("!!set {a: null}\n", {"!!set": {"a": None}}, ""),
    ],
)
def test_unknown_yaml_tags_stay_visible_and_construct_nothing(text, content, pointer):
    document = decode(text.encode(), "x")
    assert content == document.content
    assert [(pointer, 1)] == [(problem.source.pointer, problem.source.line) for problem in document.problems]
    assert "is not understood" in document.problems[0].reason


def test_yaml_keys_are_always_text():
    assert {"1": "a", "on": "b", "~": "c", "k": "k"} == decode(b"&k k: *k\n1: a\non: b\n~: c\n", "x").content


def test_yaml_alias_as_a_key():
    assert ["k", {"k": 1}] == decode(b"- &k k\n- *k : 1\n", "x").content


def test_yaml_merges():
    text = b"""
base: &base {a: 1, b: 1}
more: &more {b: 2, c: 2}
one: {<<: *base, b: 3}
both: {<<: [*base, *more], d: 4}
text: {'<<': 5, "<<": *base}
"""
    document = decode(text, "x")
    content = document.content
    assert {"a": 1, "b": 3} == content["one"]
    assert {"a": 1, "b": 1, "c": 2, "d": 4} == content["both"]
    assert {"<<": {"a": 1, "b": 1}} == content["text"]
    assert ["/text/<<"] == [problem.source.pointer for problem in document.problems]


def test_hints_and_explicit_are_kept():
    hints = Hints(kind="x", collected_at=datetime(2026, 1, 1, tzinfo=UTC))
    document = decode(b"{}", "x", hints=hints, explicit=False)
    assert (hints, False, "x", "") == (document.hints, document.explicit, document.source.path, document.pointer)


def test_the_collector_is_left_as_it_was_found():
    assert gc.isenabled()
    with paused_gc():
        assert not gc.isenabled()
        with paused_gc():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


JSONISH = st.text(alphabet='{}[]",:\\ \n01aeNu-.&*!<?%\t#', max_size=60).map(str.encode)


@settings(max_examples=400, deadline=None)
@given(
    st.one_of(st.binary(max_size=80), JSONISH, st.text(max_size=60).map(lambda text: text.encode("utf-16"))),
    st.sampled_from(["x", "x.json", "x.ndjson", "x.yaml", "x.csv"]),
    st.sampled_from([LIMITS, SMALL]),
)
def test_any_bytes_are_a_document_or_a_document_error(data, path, limits):
    try:
        document = decode(data, path, limits=limits)
    except DocumentError:
        return
    assert isinstance(document, Document)
    for source in [document.source, *(problem.source for problem in document.problems)]:
        assert source.line is not None or document.content is None


def test_what_a_large_body_made_is_set_aside():
    gc.collect()
    gc.unfreeze()
    with paused_gc():
        few: list[list[int]] = [[] for _ in range(10)]
    assert (0, 10) == (gc.get_freeze_count(), len(few))
    with paused_gc():
        many: list[list[int]] = [[] for _ in range(200_000)]
    frozen = gc.get_freeze_count()
    gc.unfreeze()
    assert frozen >= len(many)


def test_lines_that_are_surely_small_keep_what_is_odd():
    document = decode(b'{"a": 1}\n{"a": {"b": 1, "b": 2}}\n {"c": 1, "c": 2}\n', "x")
    assert [{"a": 1}, {"a": {"b": 2}}, {"c": 2}] == document.content
    assert ["/1/a/b", "/2/c"] == [problem.source.pointer for problem in document.problems]
    assert [2, 3] == [problem.source.line for problem in document.problems]


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ('path "x" {}', Format.HCL),
        ('# about\n// more\n/* and\n * more */\n\npath "x" {}', Format.HCL),
        ("path: x\n", Format.YAML),
        ('{"path": {"x": {}}}', Format.JSON),
    ],
    ids=["block", "comments", "yaml", "json"],
)
def test_policies_of_vault_are_told_by_their_first_block(text, notation):
    assert notation is decode(text.encode(), "any").format


def test_lines_of_hcl_are_pointers():
    document = decode(b'path "x" {}\npath "y" {}', "policy.hcl")
    assert [1, 2, None, None] == [document.origin.line(pointer) for pointer in ("", "/1", "/2", "no")]
