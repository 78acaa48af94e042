from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idtrans.algebra import ALWAYS, ANY_TEXT, NEVER, AnyOf, Box, Opaque, describe, evaluate, opaques
from idtrans.clouds.gcp._cel import (
    MAX_LENGTH,
    Call,
    CelError,
    ListOf,
    Literal,
    Operation,
    Other,
    Path,
    parse_cel,
    quote,
)
from idtrans.clouds.gcp._conditions import TokenVocabulary, condition_of, mapped, request_condition
from idtrans.clouds.gcp._regex import patterns_of
from idtrans.clouds.gcp._request_terms import RequestVocabulary
from idtrans.clouds.gcp._terms import Claim, Concatenation, Constant, Missing, language_of
from idtrans.model.decisions import Knowledge, Request
from idtrans.model.values import Effect
from tests.clouds.gcp.worlds import NOW

MAPPING = {
    "google.subject": "assertion.sub",
    "attribute.repository": "assertion.repository",
    "attribute.key": "assertion.repository_id + '/' + assertion.ref",
    "attribute.fixed": "'yes'",
    "attribute.odd": "assertion.sub.extract('{x}/')",
    "google.groups": "assertion.groups",
    "attribute.broken": "assertion.",
}


def holds(condition, resource="", **claims):
    """Return whether a condition holds for a token with these claims and no others: yes, no or unknown."""
    context = {key.replace("__", "."): value if isinstance(value, tuple) else (value,) for key, value in claims.items()}
    request = Request("p", "a", resource, context, Knowledge.CLOSED)
    access = Box(Effect.ALLOW, "l", ANY_TEXT, ANY_TEXT, ANY_TEXT, condition)
    return {"TRUE": "yes", "FALSE": "no", "UNKNOWN": "unknown"}[evaluate(AnyOf((access,)), request).truth.name]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("assertion.sub", Path(("assertion", "sub"))),
        ("assertion['a b']", Path(("assertion", "a b"))),
        ("a.b.c", Path(("a", "b", "c"))),
        ("true", Literal(value=True)),
        ("null", Literal(None)),
        ("0x1F", Literal(31)),
        ("7u", Literal(7)),
        ("1.5", Literal(1.5)),
        (r"'it\'s \x41\u00e9\101\n'", Literal("it's A\u00e9A\n")),
        (r"'\U00110000'", Literal("\ufffd")),
        (r'r"a\d"', Literal(r"a\d")),
        ("['a', 1,]", ListOf((Literal("a"), Literal(1)))),
        ("(((a)))", Path(("a",))),
        ("!!a", Path(("a",))),
        ("!!!a", Operation("!", (Path(("a",)),))),
        ("index == inner", Operation("==", (Path(("index",)), Path(("inner",))))),
        ("'a' in b", Operation("in", (Literal("a"), Path(("b",))))),
        ("a && b && c // d", Operation("&&", (Path(("a",)), Path(("b",)), Path(("c",))))),
        ("a ? b : c", Operation("?:", (Path(("a",)), Path(("b",)), Path(("c",))))),
        ("a + 'b'", Operation("+", (Path(("a",)), Literal("b")))),
        ("has(a.b)", Call("has", None, (Path(("a", "b")),))),
        ("a.startsWith('x')", Call("startsWith", Path(("a",)), (Literal("x"),))),
    ],
)
def test_expressions_are_read(text, expected):
    assert expected == parse_cel(text)


@pytest.mark.parametrize("text", ["a * b", "-a", "f(a).b", "a[0]", "f()[0]", "9" * 50, "a['x'][b]"])
def test_what_is_valid_and_not_looked_into_keeps_its_text(text):
    assert Other(text) == parse_cel(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a ==",
        "a == b == c",
        "'open",
        "{}",
        "a b",
        "(" * 100 + "a" + ")" * 100,
        "a" * (MAX_LENGTH + 1),
        "a?b:" * 100 + "c",
        # Brackets in quoted text close nothing.
        "(')' == " * 500 + "a" + ")" * 500,
        "(" * 5000 + "a" + ")" * 5000,
        "f(" * 5000 + "a" + ")" * 5000,
    ],
)
def test_what_is_not_an_expression_is_refused(text):
    with pytest.raises(CelError):
        parse_cel(text)


def test_quoting_is_undone_by_reading():
    text = "it's a \\ \n\r\t 'x' \u00e9"
    assert Literal(text) == parse_cel(quote(text))


TOKEN_CASES = [
    ("assertion.sub == 'a'", {"sub": "a"}, "yes"),
    ("assertion.sub == 'a'", {"sub": "A"}, "no"),
    ("'a' == assertion.sub", {"sub": "a"}, "yes"),
    ("assertion.sub != 'a'", {"sub": "b"}, "yes"),
    # A claim that is missing is an error, and an error is never a yes.
    ("assertion.sub != 'a'", {}, "no"),
    ("!(assertion.sub == 'a')", {}, "no"),
    ("!(assertion.sub == 'a')", {"sub": "b"}, "yes"),
    ("!(assertion.sub == 'a' && assertion.ref == 'm')", {"sub": "b"}, "yes"),
    ("!(assertion.sub == 'a' && assertion.ref == 'm')", {"sub": "a"}, "no"),
    ("assertion.sub == 'a' || assertion.ref == 'm'", {"ref": "m"}, "yes"),
    ("assertion.sub in ['a', 'b']", {"sub": "b"}, "yes"),
    ("!(assertion.sub in ['a', 'b'])", {"sub": "b"}, "no"),
    ("assertion.sub in ['a', 1]", {"sub": "1"}, "no"),
    ("assertion.sub.startsWith('repo:acme/')", {"sub": "repo:acme/app"}, "yes"),
    ("assertion.sub.startsWith('repo:acme/')", {"sub": "repo:acmevil/app"}, "no"),
    ("assertion.sub.endsWith('/app')", {"sub": "x/app"}, "yes"),
    ("assertion.sub.contains('acme')", {"sub": "x-acme-y"}, "yes"),
    # `matches` finds its expression anywhere unless it is anchored.
    ("assertion.sub.matches('acme/app')", {"sub": "evil-acme/app-2"}, "yes"),
    ("assertion.sub.matches('^acme/app$')", {"sub": "evil-acme/app-2"}, "no"),
    ("assertion.sub.matches('^acme/(app|api)$')", {"sub": "acme/api"}, "yes"),
    ("assertion.sub.matches('[a-z]+')", {"sub": "abc"}, "unknown"),
    # A text is never equal to a number.
    ("assertion.repository_owner_id == 1342004", {"repository_owner_id": "1342004"}, "no"),
    ("assertion.repository_owner_id != 1342004", {"repository_owner_id": "1"}, "unknown"),
    ("assertion.exp == 5", {"exp": "5"}, "unknown"),
    ("assertion.email_verified == true", {"email_verified": "true"}, "unknown"),
    ("assertion.sub == null", {"sub": "x"}, "unknown"),
    ("has(assertion.environment)", {"environment": "prod"}, "yes"),
    ("!has(assertion.environment)", {}, "yes"),
    ("'environment' in assertion", {"environment": "prod"}, "yes"),
    ("!('environment' in assertion)", {"environment": "prod"}, "no"),
    ("has(attribute.unmapped)", {}, "no"),
    ("'admins' in assertion.groups", {"groups": ("admins", "x")}, "yes"),
    ("'admins' in google.groups", {"groups": ("x",)}, "no"),
    ("!('admins' in assertion.groups)", {"groups": ("x",)}, "unknown"),
    ("'a' in attribute.key", {}, "unknown"),
    ("1 in assertion.groups", {}, "unknown"),
    ("assertion.a == assertion.b", {"a": "x", "b": "x"}, "unknown"),
    ("assertion.a == assertion.a", {"a": "x"}, "yes"),
    ("assertion.a == assertion['a']", {"a": "x"}, "yes"),
    ("assertion.a == assertion.a", {}, "no"),
    ("assertion.a != assertion.a", {"a": "x"}, "no"),
    ("assertion.a != assertion.a", {}, "no"),
    ("!(assertion.a == assertion.a)", {}, "no"),
    ("assertion.a.lowerAscii() == assertion.a.lowerAscii()", {"a": "X"}, "yes"),
    ("assertion.a.lowerAscii() == assertion.a", {"a": "X"}, "unknown"),
    ("assertion.b == 'y' || assertion.a == assertion.a", {"a": "x"}, "yes"),
    ("attribute.repository == 'acme/app'", {"repository": "acme/app"}, "yes"),
    ("google.subject == 'a'", {"sub": "a"}, "yes"),
    ("attribute.unmapped == 'a'", {"unmapped": "a"}, "no"),
    ("attribute.unmapped != 'a'", {"unmapped": "b"}, "no"),
    ("attribute.unmapped + 'b' == 'ab'", {"unmapped": "a"}, "no"),
    ("attribute.key == '12/refs/heads/main'", {"repository_id": "12", "ref": "refs/heads/main"}, "yes"),
    ("attribute.key == '12/refs/heads/main'", {"repository_id": "12/refs", "ref": "heads/main"}, "yes"),
    ("attribute.key != '12/refs/heads/main'", {"repository_id": "13", "ref": "refs/heads/main"}, "yes"),
    ("attribute.key != '12/refs/heads/main'", {"repository_id": "13"}, "no"),
    ("attribute.key + '!' == '1/2!'", {"repository_id": "1", "ref": "2"}, "yes"),
    (f"'{'x' * 900}' == assertion.a + 'y'", {"a": "x"}, "no"),
    (f"'{'x' * 900}' == assertion.a + assertion.b", {"a": "x", "b": "x"}, "unknown"),
    (f"'x' == assertion.a{' + assertion.a' * 3000}", {"a": "x"}, "unknown"),
    ("attribute.key.startsWith('12/')", {"repository_id": "12", "ref": "x"}, "unknown"),
    (f"attribute.key == '{'/' * 80}'", {"repository_id": "12", "ref": "x"}, "unknown"),
    ("attribute.fixed == 'yes'", {}, "yes"),
    ("attribute.fixed != 'yes'", {}, "no"),
    ("attribute.odd == 'x'", {"sub": "x/"}, "unknown"),
    ("attribute.odd + 'b' == 'x'", {"sub": "x/"}, "unknown"),
    ("attribute.broken == 'x'", {"sub": "x/"}, "unknown"),
    ("string(assertion.sub) == 'a'", {"sub": "a"}, "yes"),
    ("assertion.a.b == 'x'", {"a": "x"}, "no"),
    ("assertion.a.b == 'x'", {"a.b": "x"}, "yes"),
    ("other.sub == 'x'", {"sub": "x"}, "unknown"),
    ("assertion.sub < 'x'", {"sub": "a"}, "unknown"),
    ("assertion.sub.size() > 3", {"sub": "abcd"}, "unknown"),
    ("assertion.sub.startsWith(assertion.repo)", {"sub": "abcd"}, "unknown"),
    ("assertion.sub.lowerAscii() == 'a'", {"sub": "A"}, "yes"),
    ("assertion.sub.lowerAscii() == 'A'", {"sub": "A"}, "no"),
    ("assertion.sub.lowerAscii() != 'a'", {"sub": "b"}, "yes"),
    ("assertion.sub.lowerAscii() == 'a'", {}, "no"),
    ("assertion.sub.upperAscii().startsWith('AB')", {"sub": "abc"}, "yes"),
    ("assertion.sub.lowerAscii().matches('^a[bc]$')", {"sub": "AB"}, "unknown"),
    ("assertion.sub.lowerAscii().replace('a', 'b') == 'b'", {"sub": "a"}, "unknown"),
    ("(assertion.sub == 'a' ? assertion.ref : 'x') == 'm'", {"sub": "a", "ref": "m"}, "yes"),
    ("(assertion.sub == 'a' ? assertion.ref : 'x') == 'm'", {"sub": "b", "ref": "m"}, "no"),
    ("(assertion.sub == 'a' ? assertion.ref : 'x') == 'x'", {"sub": "b"}, "yes"),
    ("(assertion.sub == 'a' ? assertion.ref : 'x') == 'x'", {"ref": "x"}, "no"),
    ("assertion.flag", {"flag": "true"}, "unknown"),
    ("size(assertion.sub)", {"sub": "abcd"}, "unknown"),
    ("true", {}, "yes"),
    ("false || assertion.x == 'y'", {"x": "y"}, "yes"),
    ("'a' == 'a'", {}, "yes"),
    ("1 == true", {}, "no"),
    # The forms that only look like a restriction.
    ("assertion.repository_owner == 'acme' || true", {}, "yes"),
    ("assertion.sub != ''", {"sub": "anything"}, "yes"),
    ("assertion.sub == 'a' ? assertion.ref == 'm' : true", {"sub": "b"}, "yes"),
    ("assertion.sub == 'a' ? assertion.ref == 'm' : true", {"sub": "a", "ref": "x"}, "no"),
    ("assertion.sub == 'a' ? assertion.ref == 'm' : true", {}, "no"),
    # What is not understood stays unknown only where it matters.
    ("assertion.sub == 'a' && assertion.sub.size() > 3", {"sub": "b"}, "no"),
    ("assertion.sub == 'a' || assertion.sub.size() > 3", {"sub": "a"}, "yes"),
    ("not an expression", {}, "unknown"),
]


@pytest.mark.parametrize(("text", "claims", "expected"), TOKEN_CASES)
def test_provider_conditions(text, claims, expected):
    assert expected == holds(condition_of(text, TokenVocabulary(MAPPING)), **claims)


REQUEST_CASES = [
    ("request.time < timestamp('2027-01-01T00:00:00Z')", {"time": "2026-01-01T00:00:00Z"}, "yes"),
    ("timestamp('2027-01-01T00:00:00Z') > request.time", {"time": "2026-01-01T00:00:00Z"}, "yes"),
    ("request.time >= timestamp('2027-01-01T00:00:00Z')", {"time": "2026-01-01T00:00:00Z"}, "no"),
    ("request.time != timestamp('2027-01-01T00:00:00Z')", {"time": "2026-01-01T00:00:00Z"}, "yes"),
    # "If the timestamp is not valid, the condition never allows", whichever way round it is asked.
    ("request.time < timestamp('tomorrow')", {"time": "2026-01-01T00:00:00Z"}, "no"),
    ("!(request.time < timestamp('tomorrow'))", {"time": "2026-01-01T00:00:00Z"}, "no"),
    ("request.time < timestamp(1)", {"time": "2026-01-01T00:00:00Z"}, "unknown"),
    ("request.time < timestamp('a', 'b')", {"time": "2026-01-01T00:00:00Z"}, "unknown"),
    ("request.time < resource.time", {"time": "2026-01-01T00:00:00Z"}, "unknown"),
    ("resource.name.startsWith('projects/_/buckets/b/objects/a')", {"resource": "b/objects/a1"}, "yes"),
    ("resource.name.startsWith('projects/_/buckets/b/objects/a')", {"resource": "b/objects/b"}, "no"),
    ("!resource.name.startsWith('projects/_/buckets/b/objects/a')", {"resource": "b/objects/b"}, "yes"),
    ("resource.name == 'projects/_/buckets/b'", {"resource": "b"}, "yes"),
    ("resource.name.endsWith('.txt')", {"resource": "b/objects/x.txt"}, "yes"),
    ("resource.type == 'storage.googleapis.com/Object'", {"resource": "b/objects/a"}, "yes"),
    ("resource.type == 'storage.googleapis.com/Object'", {"resource": "b"}, "no"),
    ("resource.type != 'storage.googleapis.com/Object'", {"resource": "b"}, "yes"),
    ("resource.type == 'storage.googleapis.com/Bucket'", {"resource": "b"}, "yes"),
    ("resource.type == 'other.googleapis.com/Thing'", {"resource": "b"}, "unknown"),
    ("resource.service == 'storage.googleapis.com'", {"resource": "b"}, "yes"),
    ("resource.service == 'iam.googleapis.com'", {"resource": "b"}, "no"),
]


@pytest.mark.parametrize(("text", "given_", "expected"), REQUEST_CASES)
def test_binding_conditions(text, given_, expected):
    resource = f"organizations/9/projects/1//storage.googleapis.com/projects/_/buckets/{given_.get('resource', 'b')}"
    time = {"request__time": given_["time"]} if "time" in given_ else {}
    assert expected == holds(condition_of(text, RequestVocabulary()), resource, **time)


def test_names_never_hold_where_the_service_has_none_and_are_open_where_that_is_not_known():
    condition = request_condition("resource.name.endsWith('x')")
    negated = request_condition("!resource.name.endsWith('x')")
    on = "organizations/9/projects/1//{}.googleapis.com/projects/1/things/x".format
    assert ["no", "yes", "unknown"] == [holds(condition, on(host)) for host in ("iam", "cloudkms", "pubsub")]
    assert ["no", "no", "unknown"] == [holds(negated, on(host)) for host in ("iam", "cloudkms", "pubsub")]


def test_a_binding_without_a_condition_always_holds():
    assert ALWAYS == request_condition(None)


def presence(term):
    assert term is not None
    return term.present()


def test_presence_follows_from_the_mapping():
    vocabulary = RequestVocabulary()
    assert ALWAYS == presence(vocabulary.term(Path(("resource", "service"))))
    assert ALWAYS == presence(vocabulary.term(Path(("resource", "type"))))
    assert "yes" == holds(presence(vocabulary.term(Path(("resource", "name")))), "a//storage.googleapis.com/x")
    assert NEVER == Missing().present()
    assert ALWAYS == Constant("x").present()
    assert "no" == holds(presence(mapped("attribute.key", MAPPING)), repository_id="1")
    assert "yes" == holds(presence(mapped("attribute.key", MAPPING)), repository_id="1", ref="x")
    assert "repository is present" == describe(presence(mapped("attribute.repository", MAPPING)))
    assert isinstance(mapped("attribute.key", MAPPING), Concatenation)
    assert Claim("sub") == mapped("google.subject", MAPPING)


def test_an_unread_condition_is_named_by_its_text():
    assert Opaque("a b") == condition_of("a b", RequestVocabulary())
    assert NOW.tzinfo is not None


@pytest.mark.parametrize(
    ("expression", "inside", "outside"),
    [
        ("^a.*b$", ["ab", "axb"], ["xab", "abx"]),
        ("a.+b", ["xaxbx"], ["ab"]),
        ("a.b", ["axb"], ["ab", "axxb"]),
        (r"^repo:acme\/app:.*$", ["repo:acme/app:x"], ["repo:acme/app"]),
        ("^(a|b(c|d))e?$", ["a", "ae", "bc", "bde"], ["b", "be"]),
        ("^a$|^b$", ["a", "b"], ["ab"]),
        ("(?:x)?y", ["xy", "y", "zy"], ["x"]),
        ("a.*?b", ["ab", "axb"], ["a"]),
        ("", ["", "anything"], []),
    ],
)
def test_simple_regular_expressions_are_patterns(expression, inside, outside):
    patterns = patterns_of(expression)
    assert patterns is not None
    language = language_of(patterns)
    assert [] == [text for text in inside if not language.matches(text)]
    assert [] == [text for text in outside if language.matches(text)]


@pytest.mark.parametrize(
    "expression",
    [
        r"\d+",
        "[a-z]",
        "a+",
        "a*",
        "a{2}",
        "(a",
        "a)",
        "(?i)a",
        "a^b",
        "a$b",
        "\\",
        "(a|b|c|d)" * 4,
        "(" * 30 + ")" * 30,
        "*",
    ],
)
def test_other_regular_expressions_are_left_alone(expression):
    assert None is patterns_of(expression)


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="abx.=!&|()[]'\", \\<>?:+-*0123", max_size=40))
def test_any_text_is_read_or_refused(text):
    condition = condition_of(text, TokenVocabulary(MAPPING))
    assert isinstance(opaques(condition), tuple)
