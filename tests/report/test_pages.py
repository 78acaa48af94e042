"""Pages for people: what is side by side, and that nothing from outside becomes markup."""

from __future__ import annotations

from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from idtrans import api
from idtrans.model.answers import TranslatedTrust, TranslationsAnswer
from idtrans.model.artifacts import ArtifactFormat, Emission, Loss, LossEffect, Native
from idtrans.model.documents import Unsupported
from idtrans.model.spans import NOWHERE
from idtrans.model.translations import (
    CapabilityVerdict,
    Extra,
    Residue,
    TargetGrant,
    Translation,
    TranslationSource,
)
from idtrans.model.values import UNKNOWN, Plane, Reach, Verdict
from idtrans.report import html, markdown, translations_page
from idtrans.report._page import Bullets, Code, Facts, Heading, Name, Table

HOSTILE = [
    "<script>alert(1)</script>",
    "a | b",
    "`tick",
    "two ``ticks``",
    "[link](https://evil.example)",
    "![image](https://evil.example/x.png)",
    "https://evil.example/?q=1",
    "www.evil.example",
    "a@evil.example",
    "line\nbreak",
    "<!-- hidden",
    "# title",
    "- item",
    "1. item",
    "**bold** _slanted_ ~~gone~~",
    '" onmouseover="x',
    "&lt;b&gt;",
    "\u202etxt",
    "",
    " ",
]
NOW = datetime(2026, 11, 1, tzinfo=UTC)


class Seen(HTMLParser):
    """The elements and the text of a page."""

    def __init__(self):
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.text.append(data)


def seen(text):
    found = Seen()
    found.feed(text)
    found.close()
    return found


def rendered(text):
    return MarkdownIt("commonmark").enable("table").enable("strikethrough").render(text)


def everywhere(text):
    """Return a page with one text in every place that takes one."""
    return (
        Heading(1, text),
        Facts((("Label", (text, Name(text))),)),
        Bullets(((text,), (Name(text),))),
        Table(("Head", text), (((text, Name(text)), (Name(text),)),)),
        Code("json", text),
    )


PLAIN = seen(rendered(markdown(everywhere("x"))))
PLAIN_HTML = seen(html(everywhere("x")))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_text(text):
    page = seen(html(everywhere(text)))
    assert (PLAIN_HTML.tags, PLAIN_HTML.attributes) == (page.tags, page.attributes)
    found = seen(rendered(markdown(everywhere(text))))
    assert [tag for tag in PLAIN.tags if tag != "br"] == [tag for tag in found.tags if tag != "br"]
    assert set() == found.attributes - {"class"}


@given(st.text(max_size=60))
def test_any_text_is_text(text):
    page = seen(html(everywhere(text)))
    # Words in backticks are names.
    assert [tag for tag in PLAIN_HTML.tags if tag != "code"] == [tag for tag in page.tags if tag != "code"]
    found = seen(rendered(markdown(everywhere(text))))
    assert not {"a", "img", "script", "h2", "ol", "em", "strong"} & set(found.tags) - {"strong"}
    assert (PLAIN.tags.count("td"), PLAIN.tags.count("tr")) == (found.tags.count("td"), found.tags.count("tr"))


def test_words_in_backticks_are_names():
    assert "the role <code>roles/x</code> is there" in html((Bullets((("the role `roles/x` is there",),)),))
    assert "* the role `roles/x_y` is there" in markdown((Bullets((("the role `roles/x_y` is there",),)),))


def test_nothing_is_loaded_and_nothing_runs():
    text = html(everywhere("x"))
    assert "default-src 'none'" in text
    assert not {"script", "img", "link", "iframe", "a"} & set(seen(text).tags)


def answer():
    extra = (Extra("storage.folders.get", Plane.METADATA), Extra("strange.get", UNKNOWN))
    held = CapabilityVerdict("objstore.object.read", "arn:aws:s3:::b/*", Verdict.BROADER, "mfa", ("tags",), extra)
    grant = TargetGrant("user:a@b.example", "roles/storage.objectViewer", "//b", None, ("objstore.object.read",))
    entry = Translation(
        source=TranslationSource("aws", "policy.json"),
        principal="arn:aws:iam::111122223333:role/app",
        target="gcp",
        verdict=Verdict.BROADER,
        reasons=("`x` comes along",),
        grants=(grant, TargetGrant("user:a@b.example", None, "//other", "when")),
        capabilities=(held,),
        residue=(Residue("iam", ("iam:PassRole",)),),
        emission=Emission((Native("gcp.iam-policy", "iam-bindings", [{"a": 1}]),)),
        placeholders=("<GCP_PROJECT>",),
        losses=(Loss("condition", LossEffect.NARROW, "no such key"),),
    )
    trust = TranslatedTrust(
        TranslationSource("aws", "t.json"), "role", "https://i", "gcp", Verdict.EXACT, Reach.PROJECT
    )
    refused = TranslatedTrust(TranslationSource("aws", "t.json"), "role", "", "gcp", Verdict.REFUSED)
    return TranslationsAnswer(
        (entry,), (Unsupported("no idea", NOWHERE),), form=ArtifactFormat.NATIVE, trusts=(trust, refused)
    )


def test_what_is_held_stands_beside_what_says_it():
    tables = [block for block in translations_page(answer()) if isinstance(block, Table)]
    assert ("Held in aws", "Said in gcp") == tables[0].head[:2]
    [(held, said, verdict, missing, extra)] = tables[0].rows
    assert (Name("objstore.object.read"), Name("arn:aws:s3:::b/*"), "when mfa") == held
    assert (Name("roles/storage.objectViewer"), Name("//b")) == said
    assert (("broader",), (Name("tags"),)) == (verdict, missing)
    assert (Name("storage.folders.get (metadata)"), Name("strange.get (unknown)")) == extra


def test_everything_that_an_answer_says_is_on_the_page():
    for text in (html(translations_page(answer())), markdown(translations_page(answer()))):
        for part in ("PassRole", "no such key", "GCP_PROJECT", "no idea", "project", "an issuer that is not known"):
            assert part in text.replace("\\", "")


def test_a_real_translation(tmp_path):
    estate = api.load(["fixtures/acme/translate/aws-identity-policy.json"], now=NOW)
    for form in ArtifactFormat:
        page = translations_page(api.translate(estate, "gcp", form=form))
        assert [Code] == [type(block) for block in page if isinstance(block, Code)]
        assert "roles/storage.objectViewer" in markdown(page)
        assert "roles/storage.objectViewer" in html(page)
