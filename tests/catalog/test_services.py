"""The second tier: what services of each cloud state, beside their data."""

from __future__ import annotations

import pytest

from idtrans.algebra import glob, one_of, union
from idtrans.catalog import (
    REST,
    _services,
    action_profile,
    held_names,
    service_tier,
    service_tiers,
    service_tiers_of,
)
from idtrans.model.errors import DataError
from idtrans.model.values import Plane, Use, rank


def test_nothing_but_what_is_stated_is_in_a_tier():
    for tier in service_tiers().values():
        for cloud in ("aws", "gcp"):
            for name in tier.column(cloud).permissions:
                profile = action_profile(cloud, name)
                assert Use.READ == profile.use
                assert rank(Plane.CONFIG) >= rank(profile.plane), name


def test_every_service_of_the_file_is_one_of_aws_and_has_actions():
    assert [] == [tier.id for tier in service_tiers().values() if not tier.column("aws").permissions]


def test_a_service_of_one_cloud_has_no_counterpart():
    tier = service_tier("service.aws-sqs")

    assert tier is not None
    assert ("sqs:GetQueueAttributes" in tier.column("aws").permissions, 2) == (True, tier.tier)
    assert "nothing there does the same" == tier.column("gcp").no_counterpart


@pytest.mark.parametrize("name", ["queue.list", "service.nothing", "service.aws-nothing"])
def test_other_names_are_no_tiers(name):
    assert service_tier(name) is None


def test_the_tiers_of_services():
    assert ["service.compute", "service.aws-ec2"] == [each.id for each in service_tiers_of("aws", ["ec2"])]
    assert ["service.messaging"] == [each.id for each in service_tiers_of("gcp", ["pubsub", "nothing"])]
    assert len(service_tiers()) == len(service_tiers_of("azure", [REST]))


def test_a_broken_file_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(_services, "rules_dir", lambda: tmp_path)
    broken = {"[x": "cannot be read", '[x]\naws = ["s3"]': "lacks a title", "[x]\ny = 1": "unknown key `y`"}
    for text, message in broken.items():
        _services._services.cache_clear()
        (tmp_path / "services.toml").write_text(text, encoding="utf-8")
        with pytest.raises(DataError, match=message):
            _services._services()
    _services._services.cache_clear()


@pytest.mark.parametrize(
    "language",
    [
        glob("sqs:Get*", fold=True),
        union([glob("s3:*acl", fold=True), one_of(["SQS:listqueues", "x:y"], fold=True)]),
        ~glob("*e*", fold=True),
        glob("*:List?ueues", fold=True),
    ],
)
def test_names_are_found_as_one_by_one(language):
    every = held_names("aws", glob("*"))

    assert every is not None
    assert [name for name in every if language.matches(name)] == list(held_names("aws", language) or ())
    assert held_names("gcp", language) is None
