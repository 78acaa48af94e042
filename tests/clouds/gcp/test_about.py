"""What is about a request decides it as all that a principal holds does."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from idtrans.algebra import decide
from idtrans.clouds.gcp._adapter import Gcp
from idtrans.clouds.gcp._asked import asked_of
from idtrans.clouds.gcp._index import index_of
from idtrans.model.documents import Document, Format, Unsupported
from idtrans.model.entities import AccessRule, Membership, Principal, PrincipalKind, RoleBinding
from idtrans.model.estate import Estate
from idtrans.model.spans import NOWHERE, Place
from idtrans.model.values import Effect
from idtrans.ports import Narrowing, Query
from tests.fakes import NOW

BUCKET = "//storage.googleapis.com/projects/_/buckets/b-"
PLACES = (*(f"{BUCKET}{number}" for number in range(4)), "//cloudresourcemanager.googleapis.com/projects/7")
MEMBERS = ("user:a@x.org", "user:b@x.org", "group:g@x.org", "group:h@x.org", "domain:x.org", "allUsers")
IDS = [f"user:{name}@x.org" for name in "abc"]
ROLES = ("roles/storage.objectViewer", "roles/storage.admin", "organizations/1/roles/own")
CONDITIONS = (None, None, {"expression": f'resource.name.startsWith("{BUCKET[26:]}1")'}, {"expression": "odd()"})
ASKED = (f"{BUCKET}1/objects/x//y", f"{BUCKET}2", "projects/7", f"{BUCKET}unknown/objects/x")


def _estate(random: Random) -> Estate:
    assets = [
        {
            "name": place,
            "assetType": "storage.googleapis.com/Bucket" if "storage" in place else "x.googleapis.com/Project",
            "ancestors": ["projects/7", "organizations/1"],
            "iamPolicy": {"bindings": [_binding(random) for _ in range(3)]},
        }
        for place in PLACES
    ]
    found = Gcp().parse(Document(Place("a.json"), Format.JSON, assets), "gcp.asset-export")
    return Estate(tuple(entity for entity in found if not isinstance(entity, Unsupported)), NOW)


def _binding(random: Random) -> dict[str, object]:
    found = {"role": random.choice(ROLES), "members": random.sample(MEMBERS, 2), "condition": random.choice(CONDITIONS)}
    return {key: value for key, value in found.items() if value is not None}


def test_what_is_about_a_request_decides_it_as_the_whole_does() -> None:
    gcp, outcomes = Gcp(), set()
    assert isinstance(gcp, Narrowing)
    for seed in range(20):
        estate = _estate(Random(seed))
        for resource in ASKED:
            request = gcp.request(Query(MEMBERS[0], "storage.objects.get", resource), estate)
            for principal in gcp.principals(estate):
                asked = replace(request, principal=principal)
                whole = decide(gcp.access(principal, estate), asked)
                assert decide(gcp.about(asked, estate), asked) == whole
                outcomes.add(whole.outcome)
    assert len(outcomes) >= 3


def test_one_question_to_many_looks_once() -> None:
    estate = _estate(Random(0))
    request = Gcp().request(Query(MEMBERS[0], "storage.objects.get", ASKED[0]), estate)
    index = index_of(estate)
    assert asked_of(request, index) is asked_of(replace(request, principal=MEMBERS[1]), index)


def test_a_rule_that_is_not_understood_concerns_everybody() -> None:
    people = [Principal("gcp", each, PrincipalKind.USER, NOWHERE) for each in IDS]
    for doubts, expected in (((), ("user:a@x.org",)), (("odd",), tuple(each.id for each in people))):
        rule = AccessRule(
            "gcp",
            "r",
            Effect.ALLOW,
            "access policy",
            "projects/7",
            ("user:a@x.org",),
            ("storage.googleapis.com/objects.get",),
            NOWHERE,
            doubts=doubts,
        )
        estate = Estate((*people, rule), NOW)
        request = Gcp().request(Query("user:a@x.org", "storage.objects.get", "projects/7"), estate)
        assert expected == Gcp().concerned(request, estate)


def test_groups_concern_their_members_and_everybody_where_these_are_not_known() -> None:
    scope = "//storage.googleapis.com/projects/_/buckets/b"
    people = [Principal("gcp", each, PrincipalKind.USER, NOWHERE) for each in IDS]
    binding = RoleBinding("gcp", "b", "roles/storage.admin", ("group:g@x.org",), scope, NOWHERE)
    supplied = Principal("gcp", "group:g@x.org", PrincipalKind.GROUP, NOWHERE, attributes={"members": "supplied"})
    member = Membership("gcp", "user:b@x.org", "group:g@x.org", NOWHERE)
    known, unknown = Estate((*people, binding, supplied, member), NOW), Estate((*people, binding), NOW)
    for estate, expected in ((known, ["group:g@x.org", "user:b@x.org"]), (unknown, ["group:g@x.org", *IDS])):
        request = Gcp().request(Query("user:a@x.org", "storage.objects.get", f"{scope}/objects/x"), estate)
        assert expected == list(Gcp().concerned(request, estate))
