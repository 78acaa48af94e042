"""Rule files: what is read from them, and every way in which one can be wrong."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idtrans.audit import explain, load_rules, read_rule
from idtrans.audit._load import MAX_BYTES
from idtrans.model.errors import DataError, UsageError
from idtrans.model.values import Confidence, Severity

FRONT = """\
id = "old-key"
title = "A key is old"
severity = "high"
confidence = "medium"
clouds = ["fake"]
select = "credential"
message = "`{credential}` of `{subject}` is {age_days} days old"
identity_fields = ["subject", "credential"]
references = ["https://example.com/keys"]

[where]
status = { eq = "active" }
age_days = { gte = 90 }
"""
BODY = """\
## What it finds

Old keys.

## Why it matters

They leak.

## Example

```json path=a.json account=1
{"a":
## not a heading
}
```

### Second

```csv
a,b
```

## Use instead

Use no keys,
none at all.

Really.

```yaml
a: b
```

## References

- [Keys](https://example.com/keys)
"""


def page(front=FRONT, body=BODY):
    return f"+++\n{front}+++\n\n{body}"


def changed(old, new):
    assert old in FRONT
    return page(FRONT.replace(old, new))


def test_a_rule_is_read():
    rule = read_rule(page(), "rules/old-key.md")
    assert ("old-key", "A key is old", Severity.HIGH, Confidence.MEDIUM) == (
        rule.id,
        rule.title,
        rule.severity,
        rule.confidence,
    )
    assert ("regular", ("fake",), "credential") == (rule.persona, rule.clouds, rule.select)
    assert [("status", "eq", "active"), ("age_days", "gte", 90)] == [
        (test.field, test.operator, test.operand) for test in rule.where
    ]
    assert "Use no keys, none at all." == rule.remediation


def test_snippets_keep_their_hints_lines_and_groups():
    rule = read_rule(page(), "old-key.md")
    first, second = rule.page.section("Example").snippets
    assert ("json", (("path", "a.json"), ("account", "1")), "") == (first.language, first.hints, first.group)
    assert '{"a":\n## not a heading\n}\n' == first.text
    assert "```json path=a.json account=1" == rule.page.origin.text.splitlines()[first.line - 1]
    assert ("csv", "Second", "a,b\n") == (second.language, second.group, second.text)


def test_words_before_the_first_section_belong_to_none():
    rule = read_rule(page(body="Words.\n\n```json\n{}\n```\n\n" + BODY), "old-key.md")
    assert "Old keys." == rule.page.sections[0].text.strip()
    assert () == rule.page.sections[0].snippets


def test_lines_of_a_page_may_end_as_on_windows():
    assert read_rule(page(), "old-key.md") == read_rule(page().replace("\n", "\r\n"), "old-key.md")


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("", "no front matter", 1),
        ("id = 1\n", "no front matter", 1),
        ("+++\nid = 1\n", "no front matter", 1),
        (changed('"A key is old"', '"A key'), "broken TOML", 3),
        (changed('title = "A key is old"', 'title = "a"\ntitle = "b"'), "broken TOML", 4),
        (page("x = " + "[" * 5_000 + "]" * 5_000 + "\n"), "nested too deeply", 1),
        (changed('title = "A key is old"\n', ""), "`title` is not valid: field required", 1),
        (changed("title =", "run = 'x'\ntitle ="), "unknown key `run`", 3),
        (changed('"high"', '"awful"'), "`severity` is not valid", 4),
        (changed('"medium"', "2"), "`confidence` is not valid", 5),
        (changed('"A key is old"', "7"), "`title` is not valid", 3),
        (changed('"A key is old"', '"a\\u001b[31m"'), "`title` is not valid", 3),
        (changed('"old-key"', '"Old Key"'), "`id` is not valid", 2),
        (changed('"old-key"', '"../old-key"'), "`id` is not valid", 2),
        (changed('"old-key"', '"new-key"'), "is not in a file of its name", 2),
        (changed('["fake"]', "[]"), "`clouds` is not valid", 6),
        (changed('"https://example.com/keys"', '"javascript:alert(1)"'), "`references.0` is not valid", 10),
        (changed('"credential"\nm', '"secret"\nm'), "unknown kind of facts `secret`", 7),
        (changed("{age_days}", "{age_years}"), "have no field `age_years`", 8),
        (changed("{age_days}", "{subject.__class__}"), "a brace can only stand around", 8),
        (changed("{age_days}", "{age_days!r}"), "a brace can only stand around", 8),
        (changed("{age_days}", "{age_days:>9}"), "a brace can only stand around", 8),
        (changed("{age_days}", "{"), "a brace can only stand around", 8),
        (changed("{age_days}", "{source}"), "have no field `source`", 8),
        (changed('["subject", "credential"]', '["line"]'), "have no field `line`", 9),
        (changed("[where]", "[where]\nline = { eq = 1 }"), "have no field `line`", 13),
        (changed("{ gte = 90 }", "{}"), "`age_days` is compared with nothing", 14),
        (changed("{ gte = 90 }", "90"), "`where.age_days` is not valid", 14),
        (changed("{ gte = 90 }", "{ gt = 90 }"), "unknown operator `gt`", 14),
        (changed("{ gte = 90 }", "{ at_least = 90 }"), "`at_least` does not fit the field `age_days`", 14),
        (changed("{ gte = 90 }", '{ gte = "90" }'), "is compared with a whole number", 14),
        (changed("{ gte = 90 }", "{ gte = true }"), "is compared with a whole number", 14),
        (changed("{ gte = 90 }", "{ gte = 90.5 }"), "is compared with a whole number", 14),
        (changed("{ gte = 90 }", "{ in = 90 }"), "takes a list", 14),
        (changed("{ gte = 90 }", "{ in = [] }"), "takes a list", 14),
        (changed("{ gte = 90 }", "{ in = [[1]] }"), "is compared with a whole number", 14),
        (changed('{ eq = "active" }', '{ at_least = "active" }'), "`at_least` does not fit", 13),
        (changed('{ eq = "active" }', "{ eq = true }"), "is compared with a text", 13),
        (changed('{ eq = "active" }', '{ eq = "on" }'), "is one of `active`, `inactive`", 13),
        (changed("status = {", "never_expires = {"), "is compared with true or false", 13),
        (changed('status = { eq = "active" }', "never_expires = { gte = true }"), "`gte` does not fit", 13),
        (changed('[where]\nstatus = { eq = "active" }\nage_days = { gte = 90 }\n', "[where]\n"), "`where`", 12),
        (page(body=BODY.replace("## Why it matters", "## Why")), "section `Why` is not in its place", 21),
        (page(body=BODY + "## More\n"), "section `More` is not in its place", 53),
        (page(body=BODY.partition("## References")[0]), "section `References` is missing", 49),
        (page(body=BODY.replace("```yaml\na: b\n```\n", "")), "section `Use instead` has no fenced input", 49),
        (page(body=BODY.replace("```csv", "```python")), "cannot be read as `python`", 35),
        (page(body=BODY.replace("```csv", "```")), "cannot be read as ``", 35),
        (page(body=BODY.replace("account=1", "account")), "`account` does not say anything", 27),
        (page(body=BODY.replace("account=1", "account='1")), "a quote in the line", 27),
        (page(body=BODY + "```json\n"), "is not closed", 53),
    ],
)
def test_a_wrong_rule_is_an_error_with_its_line(text, message, line):
    with pytest.raises(DataError) as caught:
        read_rule(text, "rules/old-key.md")
    assert message in str(caught.value)
    source = caught.value.source
    assert source is not None
    assert ("rules/old-key.md", line) == (source.path, source.line)


@pytest.mark.parametrize(
    ("select", "where"),
    [
        ("trust", 'reach = { at_least = "platform" }'),
        ("trust", 'notes = { in = ["LITERAL_WILDCARD"] }'),
        ("trust", "tests_subject = { eq = false }"),
        ("exposure", 'plane = { in = ["secret", "admin"] }\nreach = { at_least = "tenant" }'),
        ("grant", 'scope_level = { in = ["root"] }'),
        ("credential", "age_days = { gte = 1, lte = 90 }"),
    ],
)
def test_these_conditions_are_fine(select, where):
    front = FRONT.partition("[where]")[0].replace('select = "credential"', f'select = "{select}"')
    front = front.replace("`{credential}` of `{subject}` is {age_days} days old", "{subject}")
    rule = read_rule(page(front.replace('"subject", "credential"', '"subject"') + f"[where]\n{where}\n"), "old-key.md")
    assert select == rule.select


@pytest.mark.parametrize(
    "where", ['notes = { eq = "X" }', 'reach = { eq = "unknown" }', 'reach = { gte = "tenant" }', "reach = { eq = 3 }"]
)
def test_these_conditions_on_a_trust_are_not(where):
    front = FRONT.partition("[where]")[0].replace('select = "credential"', 'select = "trust"')
    front = front.replace("`{credential}` of `{subject}` is {age_days} days old", "{subject}")
    with pytest.raises(DataError):
        read_rule(page(front.replace('"subject", "credential"', '"subject"') + f"[where]\n{where}\n"), "old-key.md")


@given(st.text() | st.text(alphabet='+\n#` `{}[]="abc', max_size=300).map(lambda text: f"+++\n{text}"))
def test_any_text_is_a_rule_or_an_error(text):
    with pytest.raises(DataError):
        read_rule(text, "old-key.md")


def write(folder, name="old-key.md", text=None):
    (folder / name).write_text(page() if text is None else text, "utf-8")


def test_rules_of_a_folder_are_added(tmp_path):
    write(tmp_path)
    (tmp_path / "notes.txt").write_text("not a rule", "utf-8")
    assert {"old-key"} == {rule.id for rule in load_rules([tmp_path])} - {rule.id for rule in load_rules()}
    names = [rule.id for rule in load_rules([tmp_path])]
    assert sorted(names) == names


def test_a_rule_with_a_byte_order_mark_is_read(tmp_path):
    (tmp_path / "old-key.md").write_bytes(b"\xef\xbb\xbf" + page().encode())
    assert "old-key" in {rule.id for rule in load_rules([tmp_path])}


def test_two_rules_of_one_id_are_an_error(tmp_path):
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
        write(folder)
    with pytest.raises(DataError, match=r"rule `old-key` is already in `.*/a/old-key\.md`"):
        load_rules(folders)


def _folder(path):
    (path / "old-key.md").mkdir()


def _large(path):
    write(path, text=page() + "x" * MAX_BYTES)


def _binary(path):
    (path / "old-key.md").write_bytes(b"\xff\xfe\x00")


def _pipe(path):
    os.mkfifo(path / "old-key.md")


def _many(path):
    for number in range(2_001):
        (path / f"{number}.md").touch()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (_folder, "is not a regular file"),
        (_pipe, "is not a regular file"),
        (_large, "is larger than"),
        (_binary, "is not UTF-8 text"),
        (_many, "more than 2000 rule files"),
        (os.rmdir, "cannot be listed: no such file or directory"),
    ],
)
def test_a_folder_that_is_no_folder_of_rules(tmp_path, make, message):
    folder = tmp_path / "rules"
    folder.mkdir()
    make(folder)
    with pytest.raises(DataError, match=message):
        load_rules([folder])


def test_a_rule_that_cannot_be_opened(tmp_path, monkeypatch):
    write(tmp_path)

    def refuse(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    bundled = load_rules()
    assert bundled
    monkeypatch.setattr("pathlib.Path.open", refuse)
    with pytest.raises(DataError, match="cannot be read: permission denied"):
        load_rules([tmp_path])


def test_a_page_is_explained():
    rule = read_rule(page(FRONT.replace("[where]", 'frameworks = ["CIS 1"]\n\n[where]')), "old-key.md")
    text = explain("old-key", [rule])
    assert text.startswith("# old-key\n\nA key is old.\n\n- severity high, confidence medium\n")
    assert "- asked for by: CIS 1\n" in text
    assert text.endswith("- [Keys](https://example.com/keys)\n")
    assert "asked for by" not in explain("old-key", [read_rule(page(), "old-key.md")])
    assert "gcp-user-managed-key" in explain("gcp-user-managed-key")


@pytest.mark.parametrize(
    ("name", "advice"),
    [("old-kay", "did you mean `old-key`"), ("zzz", "`idtrans rules` lists them"), ("x" * 100_000, "lists them")],
)
def test_a_page_that_does_not_exist(name, advice):
    with pytest.raises(UsageError) as caught:
        explain(name, [read_rule(page(), "old-key.md")])
    assert advice in str(caught.value.advice)
