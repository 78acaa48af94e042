"""Files, folders, standard input and manifests."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime

import pytest

from idtrans.documents import Candidate, Limits, Skipped, discover, read
from idtrans.documents._found import shown_path
from idtrans.model.documents import Hints
from idtrans.model.errors import DataError, DocumentError
from idtrans.model.values import Layer


@pytest.fixture
def tree(tmp_path):
    """Write files by relative path, and return the folder."""

    def make(files):
        for name, data in files.items():
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data if isinstance(data, bytes) else data.encode())
        return tmp_path

    return make


def paths_of(reading):
    return [document.source.path for document in reading.documents]


def test_a_folder_is_walked_by_name_and_paths_are_relative_to_it(tree):
    root = tree({"b.json": "{}", "a/z.json": "[]", "a/b/c.yaml": "a: 1", "a.json": "1", ".hidden.json": "2"})
    reading = read([root])
    assert [".hidden.json", "a/b/c.yaml", "a/z.json", "a.json", "b.json"] == paths_of(reading)
    assert {False} == {document.explicit for document in reading.documents}
    assert ((), ()) == (reading.errors, reading.skipped)


def test_a_file_keeps_the_name_that_was_given(tree, monkeypatch):
    root = tree({"a/x.json": "{}"})
    monkeypatch.chdir(root)
    reading = read(["./a//x.json", str(root / "a" / ".." / "a" / "x.json"), "a"])
    assert ["a/x.json", (root / "a/x.json").as_posix(), "x.json"] == paths_of(reading)
    assert [True, True, False] == [document.explicit for document in reading.documents]


def test_standard_input():
    reading = read(["-"], stdin=b'{"a": 1}', hints=Hints(kind="k"))
    assert [("-", {"a": 1}, Hints(kind="k"), True)] == [
        (document.source.path, document.content, document.hints, document.explicit) for document in reading.documents
    ]
    assert ["-: nothing on standard input (pipe a document in, or name a file)"] == [
        str(error) for error in read(["-"]).errors
    ]


def test_broken_and_missing_files_never_stop_the_others(tree):
    root = tree({"a.json": '{\n"a" 1}', "b.json": "{}", "c.yaml": "a: *b", "d.csv": "a,b\n1\n", "e": b'{"a": 1,}'})
    reading = read([root / "missing.json", root])
    assert ["b.json"] == paths_of(reading)
    assert [(root / "missing.json").as_posix(), "a.json", "c.yaml", "d.csv", "e"] == [
        error.source.path for error in reading.errors if error.source
    ]
    assert "a.json:2: broken JSON: expecting ':' delimiter, found `1}`, at line 2, column 5" == str(reading.errors[1])
    assert str(reading.errors[0]).endswith("missing.json: no such file or folder")


OTHER_FILES = {
    "picture.png": b"\x89PNG\0\0",
    "latin.txt": b"caf\xe9",
    "main.tf": 'resource "a" "b" {\n  c = "a: b: c"\n}\n',
    "notes.md": "[![badge](x)](y)\n\ttext: *a*\n",
    "config.toml": "[tool]\na = [1\n",
}


def test_files_in_a_folder_that_are_something_else_are_skipped_with_a_reason(tree):
    root = tree(OTHER_FILES | {"a.json": "{}"})
    reading = read([root])
    assert ["a.json"] == paths_of(reading)
    assert () == reading.errors
    assert sorted(OTHER_FILES) == sorted(skipped.path for skipped in reading.skipped)
    assert all(skipped.reason.startswith("not JSON, YAML or CSV: ") for skipped in reading.skipped)


@pytest.mark.parametrize("name", OTHER_FILES)
def test_the_same_files_are_errors_when_they_are_named(tree, name):
    root = tree(OTHER_FILES)
    reading = read([root / name])
    assert (1, 0, 0) == (len(reading.errors), len(reading.documents), len(reading.skipped))


def test_a_limit_in_a_folder_is_an_error_whatever_the_name(tree):
    reading = read([tree({"x": "- - - 1", "y": "[[[1]]]", "z": "- 1"})], limits=Limits(max_depth=2))
    assert ["x", "y"] == [error.source.path for error in reading.errors if error.source]
    assert ["z"] == paths_of(reading)


@pytest.mark.parametrize("data", [b"\0", b"\xff", b"a: *b"])
def test_a_file_in_a_folder_that_calls_itself_data_is_an_error(tree, data):
    reading = read([tree({"x.yaml": data})])
    assert ["x.yaml"] == [error.source.path for error in reading.errors if error.source]


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX systems")
def test_links_hidden_folders_and_pipes(tree, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "secret.json"
    outside.write_bytes(b"{}")
    root = tree({"a/x.json": "{}", ".git/config.json": "{}", "..data/y.json": "[]"})
    (root / "loop").symlink_to(root)
    (root / "self").symlink_to(root / "self")
    (root / "inside.json").symlink_to(root / "..data" / "y.json")
    (root / "outside.json").symlink_to(outside)
    (root / "folder").symlink_to(outside.parent)
    (root / "nothing.json").symlink_to(root / "gone.json")
    os.mkfifo(root / "pipe")
    reading = read([root])
    assert ["a/x.json", "inside.json"] == paths_of(reading)
    assert {
        "..data": "a hidden folder",
        ".git": "a hidden folder",
        "folder": "a link that leaves the folder",
        "loop": "a link to a folder, which is read by its own name",
        "nothing.json": "a link to nothing",
        "outside.json": "a link that leaves the folder",
        "pipe": "not a regular file",
    } == {skipped.path: skipped.reason for skipped in reading.skipped if skipped.path != "self"}
    assert "self" in {skipped.path for skipped in reading.skipped} | {e.source.path for e in reading.errors if e.source}


def test_a_hidden_folder_that_is_named_is_read(tree):
    assert ["x.json"] == paths_of(read([tree({".hidden/x.json": "{}"}) / ".hidden"]))


def test_too_many_files(tree):
    root = tree({"a.json": "{}", "b.json": "{}", "c.json": "{}"})
    reading = read([root], limits=Limits(max_files=2))
    assert ["a.json", "b.json"] == paths_of(reading)
    assert ["more files than the limit of 2 (`max_files`)"] == [error.message for error in reading.errors]


def test_a_file_that_is_too_large(tree):
    reading = read([tree({"a.json": "[1, 2, 3]", "b.json": "[]"})], limits=Limits(max_bytes=5))
    assert ["b.json"] == paths_of(reading)
    assert ["the file is larger than the limit of 5 bytes (`max_bytes`)"] == [e.message for e in reading.errors]


def test_what_the_system_refuses_is_an_error(tree, monkeypatch):
    root = tree({"a/x.json": "{}", "b.json": "{}"})
    scandir = os.scandir

    def refuse(path):
        if os.fspath(path).endswith("a"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    reading = read([root])
    assert ["b.json"] == paths_of(reading)
    assert ["a: cannot be read: permission denied"] == [str(error) for error in reading.errors]


def test_a_file_that_goes_away_is_an_error(tmp_path):
    with pytest.raises(DocumentError, match="x: cannot be read: no such file or directory"):
        Candidate("x", tmp_path / "x").load(Limits())


def test_a_name_that_is_too_long_is_an_error():
    found = list(discover(["x" * 5000]))
    assert [DocumentError] == [type(item) for item in found]


def test_a_name_with_a_nul_is_an_error():
    (found,) = discover(["a\0b"])
    assert isinstance(found, DocumentError)
    assert "no such file or folder" == found.message


def test_names_that_are_not_utf_8_can_be_written():
    assert "a\ufffd.json" == shown_path(os.fsdecode(b"a\xff.json"))


MANIFEST = """\
- path: a.json
  kind: aws/policy
  cloud: aws
  layer: scp
  principal: "arn:aws:iam::111122223333:role/r"
  resource: r
  scope: s
  account: 111122223333
  ancestors: [f, o]
  collected_at: 2026-01-02T03:04:05
- {path: sub/b.json, account: 012345678901, collected_at: "2026-01-02T03:04:05+00:00"}
- {path: sub/b.json, kind: other}
"""


def test_a_manifest_gives_hints(tree):
    root = tree({"estate.yaml": MANIFEST, "a.json": "{}", "sub/b.json": "{}", "c.json": "{}"})
    reading = read([root], hints=Hints(kind="flag", cloud="gcp"))
    when = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    full = Hints(
        kind="aws/policy",
        cloud="aws",
        layer=Layer.SCP,
        principal="arn:aws:iam::111122223333:role/r",
        resource="r",
        scope="s",
        account="111122223333",
        ancestors=("f", "o"),
        collected_at=when,
    )
    assert [
        ("a.json", full),
        ("c.json", Hints(kind="flag", cloud="gcp")),
        ("sub/b.json", Hints(kind="flag", cloud="gcp", account="012345678901", collected_at=when)),
        ("sub/b.json", Hints(kind="other", cloud="gcp")),
    ] == [(document.source.path, document.hints) for document in reading.documents]


def test_a_manifest_further_down_replaces_what_one_above_says(tree):
    root = tree({
        "estate.yaml": "[{path: sub/a.json, kind: above}, {path: sub/b.json, kind: above}]",
        "sub/estate.yaml": "- {path: ./a.json, kind: below}",
        "sub/a.json": "{}",
        "sub/b.json": "{}",
    })  # fmt: skip
    assert ["below", "above"] == [document.hints.kind for document in read([root]).documents]


def test_a_listed_file_that_is_missing_is_an_error(tree):
    reading = read([tree({"estate.yaml": "- {path: gone.json}", "a.json": "{}"})])
    assert ["a.json"] == paths_of(reading)
    assert ["gone.json: listed in `estate.yaml`, and there is no such file to read"] == [str(e) for e in reading.errors]


BAD_MANIFESTS = [
    ("- path: a.json\n  kind: x\n  owner: me\n", 3, "unknown key `owner`"),
    ("- path: a.json\n- kind: x\n", 2, "`path` is not valid: field required"),
    ("- path: a.json\n  layer: roof\n", 2, "`layer` is not valid"),
    ("- path: a.json\n  ancestors: [a,\n    {}]\n", 3, "`ancestors.1` is not valid"),
    ("- path: a.json\n  collected_at: soon\n", 2, "`collected_at` is not valid"),
    ("- path: ''\n", 1, "`path` is not valid"),
    ("- a.json\n", 1, "`entry 1` is not valid"),
    ("path: a.json\n", 1, "an estate manifest is a list of entries with a `path`"),
    ("", 1, "the file is empty"),
    ("- path: a.json\n  path: b.json\n", 2, "key `path` is written more than once"),
    ("- path: a.json\n\t\n  - b\n", 2, "broken YAML"),
    ("- path: ../a.json\n", 1, "path `../a.json` leaves the folder"),
    ("- path: /etc/passwd\n", 1, "leaves the folder"),
    ("- path: sub/../../a.json\n", 1, "leaves the folder"),
    ("- path: 'C:a.json'\n", 1, "leaves the folder"),
    ("- path: 'a\\b.json'\n", 1, "leaves the folder"),
]


@pytest.mark.parametrize(("text", "line", "words"), BAD_MANIFESTS)
def test_a_manifest_that_breaks_its_schema_is_an_error_with_its_line(tree, text, line, words):
    root = tree({"estate.yaml": text, "a.json": "{}"})
    with pytest.raises(DataError) as caught:
        read([root])
    assert words in caught.value.message
    assert caught.value.source is not None
    assert ("estate.yaml", line) == (caught.value.source.path, caught.value.source.line)


def test_a_manifest_that_is_too_large_is_an_error(tree):
    with pytest.raises(DataError, match="max_bytes"):
        read([tree({"estate.yaml": "- {path: a.json}"})], limits=Limits(max_bytes=3))


@pytest.mark.skipif(sys.platform == "win32", reason="links of POSIX systems")
def test_a_manifest_that_is_a_link_out_of_the_folder_is_not_believed(tree, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "estate.yaml"
    outside.write_bytes(b"- {path: a.json, kind: x}")
    root = tree({"a.json": "{}"})
    (root / "estate.yaml").symlink_to(outside)
    reading = read([root])
    assert [None] == [document.hints.kind for document in reading.documents]
    assert (Skipped("estate.yaml", "a link that leaves the folder"),) == reading.skipped


def test_discover_reads_nothing(tree):
    root = tree({"a.json": b"\xff broken"})
    assert [Candidate("a.json", root / "a.json", Hints(), explicit=False)] == list(discover([root]))
