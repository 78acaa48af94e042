"""Umbrella roles side by side."""

from __future__ import annotations

import json

import pytest

from idtrans import api
from idtrans.model.answers import Held
from idtrans.model.errors import UsageError
from idtrans.report import json_v1, text

NAMES = ["aws:ReadOnlyAccess", "gcp:roles/viewer", "azure:Reader"]


def held(names=NAMES):
    return {line.id: tuple(line.held.values()) for line in api.compare_capabilities(names).capabilities}


@pytest.mark.parametrize(
    ("capability", "expected"),
    [
        ("objstore.object.read", (Held.FULL, Held.NONE, Held.NONE)),
        ("secret.value.read", (Held.NONE, Held.NONE, Held.NONE)),
        ("registry.image.pull", (Held.FULL, Held.FULL, Held.FULL)),
        ("sql.export", (Held.NONE, Held.FULL, Held.NONE)),
        ("sql.connect", (Held.NONE, Held.UNKNOWN, Held.NO_COUNTERPART)),
    ],
)
def test_what_the_readers_of_everything_give(capability, expected):
    found = held()[capability]

    # What a role of which not all is known does not list is unknown, unless it is known not to hold it.
    assert all(one == other or Held.UNKNOWN in (one, other) for one, other in zip(expected, found, strict=True)), found


def test_the_answer_is_a_table_by_plane():
    said = text(api.compare_capabilities(NAMES))

    assert "data: in full, of" in said
    assert said.rstrip().endswith("are given alike")


def test_the_answer_in_json():
    content = json.loads(json_v1(api.compare_capabilities(NAMES)))

    assert ("idtrans/capabilities/v1", NAMES) == (content["schema"], content["compared"])
    assert set(NAMES) == set(content["capabilities"][0]["held"])


def test_a_policy_that_denies_gives_less():
    assert (Held.FULL, Held.FULL) == held(["aws:AdministratorAccess", "aws:PowerUserAccess"])["objstore.object.read"]
    assert (Held.FULL, Held.NONE) == held(["aws:AdministratorAccess", "aws:AWSDenyAll"])["objstore.object.read"]


@pytest.mark.parametrize(
    "names", [["gcp:roles/viewer"], ["viewer", "azure:Reader"], ["gcp:roles/nothing", "azure:Reader"], ["x:y", "x:z"]]
)
def test_what_cannot_be_compared_is_an_error(names):
    with pytest.raises(UsageError):
        api.compare_capabilities(names)
