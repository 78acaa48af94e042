"""Values that a maker makes are those that the constructor makes."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest

from idtrans.model.entities import Resource, RoleBinding
from idtrans.model.making import maker
from idtrans.model.spans import Place, Source

HERE = Source(Place("x"), "/0")


def test_a_made_value_is_the_constructed_one():
    made = maker(RoleBinding)("gcp", "id", "role", ("a",), "scope", HERE, doubts=("why",))
    constructed = RoleBinding("gcp", "id", "role", ("a",), "scope", HERE, doubts=("why",))
    assert constructed == made
    assert hash(constructed) == hash(made)
    assert RoleBinding is type(made)
    assert replace(constructed, role="other") == replace(made, role="other")


def test_a_made_value_is_frozen():
    made = maker(RoleBinding)("gcp", "id", "role", ("a",), "scope", HERE)
    with pytest.raises(FrozenInstanceError):
        made.role = "other"  # type: ignore[misc] # what is tested


def test_defaults_that_are_made_anew_are_not_shared():
    make = maker(Resource)
    first, second = (make("gcp", name, "bucket", HERE) for name in ("a", "b"))
    assert {} == first.settings
    assert first.settings is not second.settings


def test_arguments_are_asked_for():
    with pytest.raises(TypeError):
        maker(RoleBinding)("gcp", "id")  # type: ignore[call-arg] # what is tested
