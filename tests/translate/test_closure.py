"""What a set of permissions gives: the same for a list as for the patterns that hold it."""

from __future__ import annotations

from random import Random

import pytest

from idtrans.algebra import glob, one_of, union
from idtrans.catalog import capabilities
from idtrans.model.intents import Scope
from idtrans.translate._closure import closure
from idtrans.translate._levels import stands_at

SCOPES = [Scope("account", "x"), Scope("object-store", "x"), Scope("resource", "x"), Scope("secret", "x")]


@pytest.mark.parametrize("cloud", ["aws", "gcp", "azure"])
@pytest.mark.parametrize("kind", range(len(SCOPES)))
def test_a_list_and_its_patterns_give_the_same(cloud, kind):
    random, scope = Random(kind), SCOPES[kind]
    names = sorted({name for each in capabilities() for name in each.column(cloud).permissions})
    for _ in range(20):
        some = random.sample(names, random.randint(0, len(names)))
        expected = [
            each.id
            for each in capabilities()
            if each.column(cloud).permissions
            and stands_at(each, cloud, scope)
            and set(each.column(cloud).permissions) <= set(some)
        ]

        for permissions in (one_of(some), one_of(some, fold=True), union(glob(name, fold=True) for name in some)):
            assert expected == [each.id for each in closure(permissions, cloud, scope)]


def test_case_counts_where_it_does_for_the_list():
    scope = SCOPES[0]

    assert closure(one_of(["S3:GETOBJECT"], fold=True), "aws", scope)
    assert not closure(one_of(["STORAGE.OBJECTS.GET"]), "gcp", scope)
