"""Test files that break the schema: what is wrong, and on which line."""

from __future__ import annotations

import pytest

from idtrans import api

HEAD = "documents: []\ncases:\n"
WHO = "principal: 'arn:aws:iam::111122223333:user/ana', action: 's3:GetObject'"


def error_of(tmp_path, text):
    file = tmp_path / "tests.yaml"
    file.write_text(text, "utf-8")
    answer = api.run_suites([file])
    assert () == answer.results
    (error,) = answer.errors
    return str(error).removeprefix(f"{file}:")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("just words", "1: not a suite of policy tests"),
        ("[1]", "1: not a suite of policy tests"),
        ("documents: []\n", "1: `cases` is not valid: field required"),
        ("cases: []\n", "1: `cases` is not valid"),
        ("cases: 1\n", "1: `cases` is not valid"),
        ("tests: []\ncases: [{}]\n", "2: `cases.0.expect` is not valid: field required"),
        (HEAD + "  - {expect: allow}\n", "3: a case has an `action` and a `resource`"),
        (HEAD + "  - {expect: maybe, " + WHO + ", resource: '*'}\n", "3: `cases.0.expect` is not valid"),
        (HEAD + "  - {expect: allow, " + WHO + "}\n", "3: a case has an `action` and a `resource`, or `target` and"),
        (HEAD + "  - expect: allow\n    action: 's3:GetObject'\n    resource: '*'\n", "3: a case says once who asks"),
        (HEAD + "  - {expect: allow, anonymous: true, " + WHO + ", resource: '*'}\n", "3: a case says once who asks"),
        (
            HEAD + "  - {expect: allow, service: a, anonymous: true, action: b, resource: c}\n",
            "3: a case says once who asks",
        ),
        (HEAD + "  - expect: deny\n    target: x\n", "3: a token case has `target` and `claims`"),
        (HEAD + "  - expect: deny\n    claims: {}\n", "3: a token case has `target` and `claims`"),
        (HEAD + "  - {expect: deny, target: x, claims: {}, action: y}\n", "3: a token case has no `action`"),
        (HEAD + "  - expect: deny\n    contexts: {}\n", "4: unknown key `contexts` (known: name, expect, principal"),
        (HEAD + "  - {expect: deny, " + WHO + ", resource: '*'}\nmore: 1\n", "4: unknown key `more` (known: documents"),
        (HEAD + "  - {expect: deny, context: {k: {}}, " + WHO + ", resource: '*'}\n", "3: `cases.0.context.k"),
        ("documents: [{}]\ncases: [{expect: deny}]\n", "1: a document is given either by `path` or `inline`"),
        (
            "documents:\n  - {path: a, inline: {}}\ncases: [{expect: deny}]\n",
            "2: a document is given either by `path` or `inline`",
        ),
        (
            "documents:\n  - {path: a, layer: identity, level: root}\ncases: [{expect: deny}]\n",
            "2: only a document of the layer `scp` or `rcp` has a `level`",
        ),
        ("documents:\n  - {path: a, layers: scp}\ncases: []\n", "2: unknown key `layers` (known: path, inline, kind"),
        ("documents:\n  - {path: a, layer: top}\ncases: []\n", "2: `documents.0.layer` is not valid"),
        ("- cases: [{expect: deny}]\n", "1: a case has an `action` and a `resource`"),
        ("cases: []\ncases: []\n", "2: key `cases` is written more than once"),
    ],
)
def test_the_offence_is_named_with_its_line(tmp_path, text, expected):
    assert error_of(tmp_path, text).startswith(expected)


def test_a_broken_file_stops_no_other(tmp_path):
    broken, good = tmp_path / "broken.yaml", tmp_path / "good.yaml"
    broken.write_text("cases: [", "utf-8")
    good.write_text(HEAD + "  - {expect: deny, " + WHO + ", resource: '*'}\n", "utf-8")
    answer = api.run_suites([broken, tmp_path / "absent.yaml", good])
    assert [True] == [result.passed for result in answer.results]
    assert ["broken.yaml", "absent.yaml"] == [
        error.source.path.rpartition("/")[2] for error in answer.errors if error.source is not None
    ]
