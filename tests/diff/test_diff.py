"""`diff` over a fake cloud."""

from __future__ import annotations

import pytest

from idtrans.algebra import Opaque, decide
from idtrans.diff import diff
from idtrans.model.decisions import Outcome
from idtrans.model.diffs import DiffVerdict
from idtrans.model.documents import Unsupported
from tests.fakes import FakeCloud, box, estate_of, only, source


def test_equal_access_in_another_order_is_no_difference() -> None:
    cloud, old, new = FakeCloud(), estate_of("ana"), estate_of("ana")
    cloud.give(old, "ana", box("get", "a/*", name="1"), box("get", "b/*", name="2"))
    cloud.give(new, "ana", box("get", "b/*", name="3"), box("get", "a/*", name="4"), box("get", "a/x", name="5"))
    report = diff(old, new, only(cloud))
    assert (report.verdict, report.new, report.removed) == (DiffVerdict.NO_NEW_ACCESS, (), ())


def test_new_access_has_a_witness_that_replays() -> None:
    cloud, old, new = FakeCloud(), estate_of("ana"), estate_of("ana", "ben")
    cloud.give(old, "ana", box("get", "a/*"))
    cloud.give(new, "ana", box("get", "*"))
    cloud.give(new, "ben", box("get", "*"))
    report = diff(old, new, only(cloud))
    assert report.verdict is DiffVerdict.NEW_ACCESS
    (change,) = report.new
    assert change.also == ("ben",)
    assert decide(cloud.access("ana", new), change.witness).outcome is Outcome.ALLOW
    assert decide(cloud.access("ana", old), change.witness).outcome is Outcome.IMPLICIT_DENY


def test_lost_access_is_reported_and_is_not_new() -> None:
    cloud, old, new = FakeCloud(), estate_of("ana"), estate_of("ana")
    cloud.give(old, "ana", box("get", "*"))
    cloud.give(new, "ana", box("get", "*"), box("get", "secret", deny=True, name="d"))
    report = diff(old, new, only(cloud))
    assert report.verdict is DiffVerdict.NO_NEW_ACCESS
    assert [change.witness.resource for change in report.removed] == ["secret"]


def test_a_lifted_deny_is_new_access() -> None:
    cloud, old, new = FakeCloud(), estate_of("ana"), estate_of("ana")
    cloud.give(old, "ana", box("get", "*"), box("get", "secret", deny=True, name="d"))
    cloud.give(new, "ana", box("get", "*"))
    assert diff(old, new, only(cloud)).verdict is DiffVerdict.NEW_ACCESS


def test_an_opaque_condition_that_stays_raises_no_alarm_and_a_new_one_is_unknown() -> None:
    cloud, old, new, other = FakeCloud(), estate_of("ana"), estate_of("ana"), estate_of("ana")
    cloud.give(old, "ana", box("get", "*", when=Opaque("weird")))
    cloud.give(new, "ana", box("get", "*", when=Opaque("weird"), name="t"))
    cloud.give(other, "ana", box("get", "*", when=Opaque("strange")))
    assert diff(old, new, only(cloud)).verdict is DiffVerdict.NO_NEW_ACCESS
    assert diff(old, other, only(cloud)).verdict is DiffVerdict.UNKNOWN


def test_a_document_that_only_new_holds_and_nobody_understood_is_never_clean() -> None:
    strange = Unsupported("unknown element `Foo`", source("f.json", "/0"))
    cloud, old, new = FakeCloud(), estate_of("ana"), estate_of("ana", unsupported=(strange,))
    report = diff(old, new, only(cloud))
    assert report.verdict is DiffVerdict.UNKNOWN
    assert [entry.reason for entry in report.not_evaluated] == ["unknown element `Foo`"]
    assert diff(new, new, only(cloud)).verdict is DiffVerdict.NO_NEW_ACCESS


def test_equal_access_is_recognised_without_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    cloud, old, new = FakeCloud(), estate_of("ana"), estate_of("ana")
    boxes = [box("get", f"r{number}/*", name=str(number)) for number in range(3_000)]
    cloud.give(old, "ana", *boxes)
    cloud.give(new, "ana", *(box("get", f"r{number}/*", name=f"n{number}") for number in reversed(range(3_000))))
    monkeypatch.setattr("idtrans.diff._diff.differences", None)
    assert diff(old, new, only(cloud)).verdict is DiffVerdict.NO_NEW_ACCESS
    cloud.give(new, "ana", *boxes[1:])
    with pytest.raises(TypeError):
        diff(old, new, only(cloud))
