"""Role assignment conditions."""

from __future__ import annotations

import json

import pytest

from idtrans.algebra import ALWAYS, Opaque, Truth, opaques, reduce
from idtrans.clouds.azure import _conditions
from idtrans.clouds.azure._conditions import lower
from idtrans.clouds.azure._stated_attributes import stated_by
from idtrans.model.decisions import Knowledge, Request

READ = "data:microsoft.storage/storageaccounts/blobservices/containers/blobs/read"
BLOB = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs"
NAME = "Microsoft.Storage/storageAccounts/blobServices/containers:name"
OWNER = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635"
BARE = OWNER.replace("-", "")
USUAL = f"((!(ActionMatches{{'{BLOB}/read'}})) OR (@Resource[{NAME}] StringEquals 'logs'))"
NO_LIST = (
    f"(!(ActionMatches{{'{BLOB}/read'}} AND NOT SubOperationMatches{{'Blob.List'}}) OR @Resource[x] BoolEquals true)"
)


def holds(text, action=READ, **context):
    spelled = {f"@resource[{key}]" if "[" not in key else key: value for key, value in context.items()}
    rest = reduce(lower(text), Request("entra:x", action, "/", spelled, Knowledge.CLOSED))
    if rest == ALWAYS:
        return Truth.TRUE
    return Truth.UNKNOWN if opaques(rest) else Truth.FALSE


@pytest.mark.parametrize(
    ("action", "name", "expected"),
    [
        (READ, "logs", Truth.TRUE),
        (READ, "Logs", Truth.FALSE),
        # Every other action passes by the expression itself.
        (READ.replace("read", "delete"), "other", Truth.TRUE),
        (READ.replace("data:", "either:"), "other", Truth.FALSE),
    ],
)
def test_the_usual_condition_limits_only_the_action_it_names(action, name, expected):
    assert expected == holds(USUAL, action, **{NAME.lower(): (name,)})


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("@Resource[k] StringEquals 'a'", ("a",), Truth.TRUE),
        ("@Resource[k] stringEQUALS 'a'", ("A",), Truth.FALSE),
        ("@Resource[K] StringEqualsIgnoreCase 'a'", ("A",), Truth.TRUE),
        ("@Resource[k] StringEquals {'a'}", ("a",), Truth.TRUE),
        ("@Resource[k] StringEquals 'a'", (), Truth.FALSE),
        ("@Resource[k] StringNotEquals 'a'", ("b",), Truth.TRUE),
        # What an absent attribute is to a negating operator is not documented.
        ("@Resource[k] StringNotEquals 'a'", (), Truth.UNKNOWN),
        ("@Resource[k] StringNotEqualsIgnoreCase 'a'", ("A",), Truth.FALSE),
        ("@Resource[k] StringStartsWith 'ab'", ("abc",), Truth.TRUE),
        ("@Resource[k] StringNotStartsWith 'ab'", ("abc",), Truth.FALSE),
        ("@Resource[k] StringStartsWithIgnoreCase 'AB'", ("abc",), Truth.TRUE),
        ("@Resource[k] StringLike 'a*/?'", ("a/b/c",), Truth.TRUE),
        (r"@Resource[k] StringLike 'a\*'", ("ab",), Truth.FALSE),
        (r"@Resource[k] StringLike 'a\*'", ("a*",), Truth.TRUE),
        (r"@Resource[k] StringEquals 'it\'s'", ("it's",), Truth.TRUE),
        ("@Resource[k] StringNotLike 'a*'", ("ab",), Truth.FALSE),
        ("@Resource[k] StringLikeIgnoreCase 'A*'", ("ab",), Truth.TRUE),
        (f"@Resource[k] GuidEquals {OWNER.upper()}", (OWNER,), Truth.TRUE),
        (f"@Resource[k] ForAnyOfAnyValues:GuidEquals{{{BARE}, {OWNER}}}", (OWNER.upper(),), Truth.TRUE),
        (f"@Resource[k] ForAnyOfAllValues:GuidNotEquals{{{BARE}}}", (OWNER,), Truth.FALSE),
        ("@Resource[k] GuidEquals 'x'", ("x",), Truth.UNKNOWN),
        ("@Resource[k] BoolEquals true", ("True",), Truth.TRUE),
        ("@Resource[k] BoolNotEquals false", ("true",), Truth.TRUE),
        ("@Resource[k] BoolEquals 'maybe'", ("true",), Truth.UNKNOWN),
        ("@Resource[k] NumericLessThan 5", ("4.5",), Truth.TRUE),
        ("@Resource[k] NumericGreaterThanEquals '5'", ("4.5",), Truth.FALSE),
        ("@Resource[k] NumericEquals 'many'", ("5",), Truth.UNKNOWN),
        ("@Environment[UtcNow] DateTimeLessThan '2027-01-01T00:00:00Z'", None, Truth.FALSE),
        ("@Resource[k] DateTimeLessThan '2027-01-01T00:00:00Z'", ("2026-01-01T00:00:00Z",), Truth.TRUE),
        ("@Resource[k] ForAnyOfAnyValues:StringEquals {'a', 'b'}", ("x", "b"), Truth.TRUE),
        ("@Resource[k] ForAllOfAnyValues:StringEquals {'a', 'b'}", ("x", "b"), Truth.FALSE),
        ("@Resource[k] ForAllOfAnyValues:StringEquals {'a', 'b'}", ("a", "b"), Truth.TRUE),
        ("@Resource[k] ForAllOfAnyValues:StringEquals {'a', 'b'}", (), Truth.UNKNOWN),
        ("@Resource[k] ForAnyOfAllValues:StringNotEquals {'a', 'b'}", ("a", "c"), Truth.TRUE),
        ("@Resource[k] ForAllOfAllValues:StringNotEquals {'a', 'b'}", ("a", "c"), Truth.FALSE),
        ("Exists @Resource[k]", ("a",), Truth.TRUE),
        ("NOT Exists @Resource[k]", ("a",), Truth.FALSE),
        ("!(Exists @Resource[k]) || @Resource[k] StringEquals 'a'", ("a",), Truth.TRUE),
        ("@Resource[k] StringEquals 'a' && Exists @Resource[k]", ("a",), Truth.TRUE),
        ("@Resource[k] StringEquals @Resource[k]", ("a",), Truth.TRUE),
        ("@Resource[k] StringNotEqualsIgnoreCase @Resource[k]", ("a",), Truth.FALSE),
        ("@Resource[k] StringLike @Resource[k]", ("a",), Truth.UNKNOWN),
        # Not understood.
        ("@Resource[k] StringEquals {'a', 'b'}", ("a",), Truth.UNKNOWN),
        ("@Resource[k] SoundsLike 'a'", ("a",), Truth.UNKNOWN),
        (r"@Resource[k] StringLike 'x\*'", ("x*",), Truth.TRUE),
        (r"@Resource[k] StringLike 'x\*'", ("xy",), Truth.FALSE),
        (r"@Resource[k] StringEquals 'x\*'", ("x*",), Truth.UNKNOWN),
        (r"@Resource[k] StringEquals 'x\*'", (r"x\*",), Truth.UNKNOWN),
        (r"@Resource[k] StringNotStartsWith 'x\*'", ("y",), Truth.UNKNOWN),
        (r"{'x', 'x\*'} ForAnyOfAllValues:StringEqualsIgnoreCase 'x*'", ("a",), Truth.UNKNOWN),
        (r"{'x\*'} ForAnyOfAnyValues:StringLike 'x*'", ("a",), Truth.UNKNOWN),
        ("@Resource[k] ForSome:StringEquals {'a'}", ("a",), Truth.UNKNOWN),
        ("{'a', 'b'} StringEquals 'a'", ("a",), Truth.UNKNOWN),
        ("{'x', 10} ForAnyOfAnyValues:NumericLessThan {20}", ("a",), Truth.UNKNOWN),
        ("'a' StringLike @Resource[k]", ("a",), Truth.UNKNOWN),
        ("@Resource[k] GuidEquals @Resource[k]", ("a",), Truth.UNKNOWN),
    ],
)
def test_operators(text, values, expected):
    context = {} if values is None else {"k": values}
    assert expected == holds(text, **context)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # The examples of the vendor's page.
        ("{'red', 'blue'} ForAnyOfAnyValues:StringEquals {'blue', 'green'}", True),
        ("{'red', 'blue'} ForAnyOfAnyValues:StringEquals {'orange', 'green'}", False),
        ("{'red', 'blue'} ForAllOfAnyValues:StringEquals {'orange', 'red', 'blue'}", True),
        ("{'red', 'blue'} ForAllOfAnyValues:StringEquals {'red', 'green'}", False),
        ("{10, 20} ForAnyOfAllValues:NumericLessThan {15, 18}", True),
        ("{10, 20} ForAllOfAllValues:NumericLessThan {5, 15, 18}", False),
        ("{10, 20} ForAllOfAllValues:NumericLessThan {25, 30}", True),
        ("{10, 20} ForAllOfAllValues:NumericLessThan {15, 25, 30}", False),
        ("'abcd' StringLike 'a*c?'", True),
        ("'abcd' StringLike 'A*C?'", False),
        ("'abcd' StringLike 'a*c'", False),
        ("'a' StringNotEquals 'a'", False),
        ("{'a', 'b'} ForAnyOfAnyValues:StringNotEquals {'a', 'b'}", True),
        ("{'a'} ForAnyOfAllValues:StringNotEquals {'a', 'b'}", False),
        ("'2022-06-01T00:00:00.0000000Z' DateTimeEquals '2022-06-01T00:00:00.0Z'", True),
        (f"{OWNER} GuidEquals {BARE.upper()}", True),
    ],
)
def test_comparisons_of_literals_are_decided(text, expected):
    assert Truth.of(expected) == holds(text)
    assert [] == list(opaques(lower(text)))


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("'a' StringEquals @Resource[k]", ("a",), Truth.TRUE),
        ("'a' StringEquals @Resource[k]", ("b",), Truth.FALSE),
        ("'a' StringNotEquals @Resource[k]", ("b",), Truth.TRUE),
        ("5 NumericLessThan @Resource[k]", ("6",), Truth.TRUE),
        ("5 NumericLessThan @Resource[k]", ("5",), Truth.FALSE),
        ("5 NumericGreaterThanEquals @Resource[k]", ("5",), Truth.TRUE),
        ("'2026-01-01' DateTimeLessThan @Resource[k]", ("2026-02-01",), Truth.TRUE),
        ("'abc' StringStartsWith @Resource[k]", ("ab",), Truth.TRUE),
        ("'abc' StringStartsWith @Resource[k]", ("b",), Truth.FALSE),
        ("'abc' StringNotStartsWithIgnoreCase @Resource[k]", ("AB",), Truth.FALSE),
        ("{'a', 'b'} ForAnyOfAnyValues:StringEquals @Resource[k]", ("x", "b"), Truth.TRUE),
        ("{'a', 'b'} ForAllOfAnyValues:StringEquals @Resource[k]", ("x", "b"), Truth.FALSE),
        ("{'a', 'b'} ForAllOfAnyValues:StringEquals @Resource[k]", ("a", "b", "c"), Truth.TRUE),
        ("{'a', 'b'} ForAnyOfAllValues:StringEquals @Resource[k]", ("b", "b"), Truth.TRUE),
        ("{'a', 'b'} ForAllOfAllValues:StringEquals @Resource[k]", ("b", "b"), Truth.FALSE),
        ("'a' StringEquals @Resource[k]", (), Truth.FALSE),
        ("'a' StringNotEquals @Resource[k]", (), Truth.UNKNOWN),
    ],
)
def test_an_attribute_may_stand_at_the_right(text, values, expected):
    assert expected == holds(text, k=values)


@pytest.mark.parametrize(
    ("operator", "left", "right", "expected"),
    [
        ("StringEquals", ("a",), ("a",), Truth.TRUE),
        ("StringEquals", ("a",), ("A",), Truth.FALSE),
        ("StringEqualsIgnoreCase", ("a",), ("A",), Truth.TRUE),
        ("ForAnyOfAnyValues:StringEquals", ("x", "a"), ("a",), Truth.TRUE),
        ("ForAllOfAnyValues:StringEquals", ("x", "a"), ("a",), Truth.FALSE),
        ("StringStartsWith", ("abc",), ("ab",), Truth.TRUE),
        ("StringNotStartsWith", ("abc",), ("ab",), Truth.FALSE),
        ("StringNotEquals", ("a",), ("b",), Truth.TRUE),
        ("StringNotEquals", ("a",), (), Truth.UNKNOWN),
        ("StringEquals", ("a",), (), Truth.FALSE),
        ("StringEquals", ("a",), ("a", "b"), Truth.UNKNOWN),
    ],
)
def test_two_attributes(operator, left, right, expected):
    text = f"@Principal[a] {operator} @Resource[b]"
    assert expected == holds(text, **{"@principal[a]": left, "@resource[b]": right})


def test_the_conditions_of_built_in_roles_are_read_whole(shared):
    path = shared / "data" / "azure_builtin_role_conditions.json"
    if not path.is_file():
        pytest.skip("the conditions of the built-in roles are not there")
    conditions = [entry["condition"] for entry in json.loads(path.read_text(encoding="utf-8"))]
    assert 31 == len(conditions)
    assert [] == [text for text in conditions if opaques(lower(text, "2.0"))]


@pytest.mark.parametrize(
    ("sub_operation", "value", "expected"),
    [
        ((), "false", Truth.FALSE),
        ((), "true", Truth.TRUE),
        (("Blob.List",), "false", Truth.TRUE),
        (("blob.list",), "false", Truth.TRUE),
    ],
)
def test_sub_operations(sub_operation, value, expected):
    context = {"@request[suboperation]": sub_operation} if sub_operation else {}
    assert expected == holds(NO_LIST, x=(value,), **context)


@pytest.mark.parametrize(
    "text",
    [
        "(",
        "()",
        "a b c",
        "@Resource[k]",
        "@Resource[k] StringEquals",
        "@Resource[k] StringEquals 'a",
        "@Resource[k] StringEquals {}",
        "@Resource[k] StringEquals {@Resource[j]}",
        "@Resource[k] StringEquals 'a' extra",
        "Exists 'a'",
        "ActionMatches 'a'",
        "Exists @Resource[a] AND Exists @Resource[b] OR Exists @Resource[c]",
        "(" * 100 + "Exists @Resource[a]" + ")" * 100,
        "x" * 30_000,
        "§",
    ],
)
def test_a_condition_that_cannot_be_read_is_one_symbol(text):
    found = lower(text)
    assert isinstance(found, Opaque)
    assert text == found.text


def test_versions():
    text = "Exists @Resource[k]"
    assert lower(text, "2.0") == lower(text)
    assert isinstance(lower(text, "1.0"), Opaque)
    assert ALWAYS == lower(None)
    assert ALWAYS == lower(" ")


def test_the_case_of_tag_names_is_kept():
    mark = "<$key_case_sensitive$>"
    assert Truth.TRUE == holds(
        f"@Resource[tags:Project{mark}] StringEquals 'a'", **{f"@resource[tags:Project{mark}]": ("a",)}
    )
    assert Truth.FALSE == holds(
        f"@Resource[tags:Project{mark}] StringEquals 'a'", **{f"@resource[tags:project{mark}]": ("a",)}
    )


def test_attributes_of_a_question_may_be_spelled_in_any_case(lab):
    condition = f"!(ActionMatches{{'{BLOB}/read'}}) OR @Resource[{NAME}] StringEquals 'logs'"
    role = "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1"
    estate = lab.estate([lab.assignment(role, lab.sub, condition=condition, conditionVersion="2.0")])
    ask = lambda **query: lab.can(estate, f"{BLOB}/read", lab.sub, **query)  # noqa: E731
    assert "allow" == ask(context={f"@Resource[{NAME}]": ("logs",)})
    assert "implicit-deny" == ask(context={f"@RESOURCE[{NAME}]": ("other",)})
    assert "conditional" == ask(closed=False)
    assert "allow" == lab.can(estate, f"{BLOB.removesuffix('/blobs')}/read", lab.sub)


@pytest.mark.parametrize(
    ("attribute", "test", "expected"),
    [
        (NAME, "StringEquals 'logs'", "allow"),
        (NAME, "StringEquals 'other'", "implicit-deny"),
        (NAME, "StringNotEquals 'logs'", "implicit-deny"),
        ("Microsoft.Storage/storageAccounts:name", "StringEquals 'sa1'", "allow"),
        (f"{BLOB}:path", "StringLike '2026/*'", "allow"),
        # A path keeps its case; the names have none.
        (f"{BLOB}:path", "StringEquals '2026/A.txt'", "allow"),
        (f"{BLOB}:path", "StringEquals '2026/a.txt'", "implicit-deny"),
    ],
)
@pytest.mark.parametrize("closed", [True, False])
def test_the_id_of_a_blob_states_its_names(lab, attribute, test, expected, *, closed):
    condition = f"!(ActionMatches{{'{BLOB}/read'}}) OR @Resource[{attribute}] {test}"
    role = "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1"
    estate = lab.estate([lab.assignment(role, lab.sub, condition=condition, conditionVersion="2.0")])
    account = f"{lab.sub}/resourceGroups/rg1/providers/Microsoft.Storage/storageAccounts/SA1"
    blob = f"{account}/blobServices/default/containers/Logs/blobs/2026/A.txt"
    assert expected == lab.can(estate, f"{BLOB}/read", blob, closed=closed)
    # What the id does not state stays open, and what the question states wins.
    open_ids = (lab.sub, f"{account.removesuffix('SA1')}*/blobServices/default/containers/*/blobs/*")
    assert ["conditional"] * 2 == [lab.can(estate, f"{BLOB}/read", name, closed=False) for name in open_ids]
    elsewhere = lab.can(estate, f"{BLOB}/read", blob, context={f"@Resource[{attribute}]": ("elsewhere",)})
    assert ("allow" if "Not" in test else "implicit-deny") == elsewhere


@pytest.mark.parametrize(
    ("resource", "expected"),
    [
        ("storageAccounts/sa1/queueServices/default/queues/Jobs/messages/1", ["sa1", "jobs"]),
        ("storageAccounts/sa1/queueServices/default/queues/jobs", ["sa1", "jobs"]),
        ("storageAccounts/sa1/blobServices/default/containers/logs/", ["sa1", "logs"]),
        ("storageAccounts/sa1", ["sa1"]),
        ("storageAccounts/sa1/somethingElse/x", []),
    ],
)
def test_what_ids_of_storage_state(resource, expected):
    found = stated_by(f"/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/{resource}")
    assert expected == [value for values in found.values() for value in values]


def test_the_sub_operation_key_is_published():
    assert "@request[suboperation]" == _conditions.SUBOPERATION
