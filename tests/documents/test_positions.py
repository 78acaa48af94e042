"""Lines of values: a lazy scan must agree with a slow reference that reads character by character."""

from __future__ import annotations

import json
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idtrans.documents import decode
from idtrans.documents._json_origin import LineIndex
from idtrans.model.documents import Format
from idtrans.model.spans import escape_token

KEYS = st.text(alphabet='ab/~"\\é\U0001f600 ', max_size=3)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | KEYS | st.text(alphabet='{}[]",:\\\n', max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=15,
)
SPACE = st.text(alphabet=" \t\r\n", max_size=3)


class Writer:
    """Writes JSON with random white space, escapes in keys and repeated keys, and notes the line of every pointer."""

    def __init__(self, draw):
        self.draw = draw
        self.text = ""
        self.lines: dict[str, int] = {}

    def space(self):
        self.text += self.draw(SPACE)

    def token(self, text):
        self.text += text
        self.space()

    def string(self, text):
        self.text += json.dumps(text, ensure_ascii=self.draw(st.booleans()))

    def write(self, value, pointer):
        for stale in [known for known in self.lines if known == pointer or known.startswith(pointer + "/")]:
            del self.lines[stale]
        self.lines[pointer] = self.text.count("\n") + 1
        if isinstance(value, dict):
            self.members(list(value.items()), pointer)
        elif isinstance(value, list):
            self.elements(value, pointer)
        elif isinstance(value, str):
            self.string(value)
        else:
            self.text += json.dumps(value)

    def members(self, members, pointer):
        if members and self.draw(st.booleans()):
            members.append((members[0][0], self.draw(VALUES)))
        self.token("{")
        for index, (key, child) in enumerate(members):
            self.token("," if index else "")
            self.string(key)
            self.space()
            self.token(":")
            self.write(child, f"{pointer}/{escape_token(key)}")
            self.space()
        self.text += "}"

    def elements(self, elements, pointer):
        self.token("[")
        for index, child in enumerate(elements):
            self.token("," if index else "")
            self.write(child, f"{pointer}/{index}")
            self.space()
        self.text += "]"


@st.composite
def texts(draw):
    writer = Writer(draw)
    writer.space()
    writer.write(draw(st.lists(VALUES, min_size=1, max_size=3) | st.dictionaries(KEYS, VALUES, max_size=3)), "")
    writer.space()
    return writer.text, writer.lines


@settings(max_examples=150, deadline=None)
@given(texts())
def test_json_lines_agree_with_the_reference(drawn):
    text, lines = drawn
    origin = decode(text.encode(), "x.json").origin
    assert lines == {pointer: origin.line(pointer) for pointer in lines}


@settings(max_examples=50, deadline=None)
@given(st.lists(texts(), min_size=2, max_size=4))
def test_ndjson_lines_agree_with_the_reference(drawn):
    document = decode("\n".join(text for text, _ in drawn).encode(), "x")
    expected: dict[str, int] = {}
    before = 0
    for index, (text, lines) in enumerate(drawn):
        expected |= {f"/{index}{pointer}": before + line for pointer, line in lines.items()}
        before += text.count("\n") + 1
    assert Format.NDJSON == document.format
    assert expected == {pointer: document.origin.line(pointer) for pointer in expected}
    assert expected["/0"] == document.origin.line("")


@settings(max_examples=80, deadline=None)
@given(VALUES.filter(lambda value: isinstance(value, dict | list)), st.sampled_from([None, 1, 2]))
def test_yaml_and_json_agree_on_texts_that_are_both(value, indent):
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    in_json = decode(text.encode(), "x")
    # A comment line makes it YAML.
    in_yaml = decode(b"# yaml\n" + text.encode(), "x.yaml")
    assert (Format.JSON, Format.YAML) == (in_json.format, in_yaml.format)
    assert in_json.content == in_yaml.content
    for pointer in pointers(value):
        line = in_json.origin.line(pointer)
        assert line is not None
        assert line + 1 == in_yaml.origin.line(pointer)


def pointers(value, pointer=""):
    yield pointer
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from pointers(child, f"{pointer}/{escape_token(str(key))}")


JSON_TEXT = b'{"a": [1,\n 2], "x\\u0041/~":\n {"": 3},\n "a": [4, [\n5]]}'


@pytest.mark.parametrize(
    ("pointer", "line"),
    [
        ("", 1),
        ("/a", 4),
        ("/a/0", 4),
        ("/a/1/0", 5),
        ("/xA~1~0", 3),
        ("/xA~1~0/", 3),
        ("/a/2", None),
        ("/a/01", None),
        ("/a/-", None),
        ("/a/" + "9" * 40, None),
        ("/a/0/0", None),
        ("/b", None),
        ("/b/c", None),
        ("a", None),
    ],
)
def test_json_pointers(pointer, line):
    assert line == decode(JSON_TEXT, "x").origin.line(pointer)


YAML_TEXT = b"""\
base: &base
  a: 1
  b: [x,
    y]
same: *base
more:
  <<: *base
  c: !Sub
    - z
"""


@pytest.mark.parametrize(
    ("pointer", "line"),
    [
        ("", 1),
        ("/base", 1),
        ("/base/a", 2),
        ("/base/b/1", 4),
        ("/same", 5),
        ("/same/b/1", 5),
        ("/more/c", 8),
        ("/more/c/!Sub", 8),
        ("/more/c/!Sub/0", 9),
        ("/more/a", 7),
        ("/base/z", None),
        ("/z", None),
        ("z", None),
    ],
)
def test_yaml_pointers(pointer, line):
    assert line == decode(YAML_TEXT, "x").origin.line(pointer)


@pytest.mark.parametrize(("pointer", "line"), [("", 1), ("/0", 1), ("/0/a", 1), ("/1", 3), ("/1/b", 3), ("/2", None)])
def test_yaml_stream_pointers(pointer, line):
    assert line == decode(b"a: 1\n---\nb: 2\n", "x").origin.line(pointer)


@pytest.mark.parametrize(
    ("pointer", "line"),
    [("", 1), ("/0", 2), ("/0/user", 2), ("/1", 4), ("/1/arn", 4), ("/2", 7), ("/3", None), ("/x", None), ("x", None)],
)
def test_csv_pointers(pointer, line):
    assert line == decode(b'user,arn\na,"b\n"\nc,d\n\n\ne,f\n', "x.csv").origin.line(pointer)


@pytest.mark.parametrize("data", [JSON_TEXT, JSON_TEXT + b"\n" + JSON_TEXT, YAML_TEXT, b"a,b\n1,2\n"])
def test_origins_can_be_pickled_before_and_after_use(data):
    origin = decode(data, "x").origin
    for pointer in ("", "/0", "/a", "/0/a", "/base/a"):
        line = pickle.loads(pickle.dumps(origin)).line(pointer)  # noqa: S301 - our own bytes
        assert line == origin.line(pointer)


def test_line_feeds_are_counted_across_blocks():
    text = "a\n" * 100_000
    index = LineIndex(text)
    for place in (0, 1, 2, 65_535, 65_536, 65_537, 131_072, len(text)):
        assert text.count("\n", 0, place) + 1 == index.line(place)
