"""Tags that documents state: of the resource itself, of what holds it, by name and by id."""

from __future__ import annotations

import pytest

from idtrans.clouds.gcp import CLOUD
from tests.clouds.gcp import limit_documents as documents
from tests.clouds.gcp.worlds import BUCKET, binding, bucket, document, estate, outcome, read

ANA = "user:ana@example.com"
BY_NAME, BY_ID = "resource.matchTag('123/env', 'prod')", "resource.matchTagId('tagKeys/1', 'tagValues/2')"
ASSET_TAGS = {
    "attachedResource": "//cloudresourcemanager.googleapis.com/folders/2",
    "effectiveTags": [
        {"tagKey": "123/env", "tagKeyId": "tagKeys/1", "tagValue": "123/env/prod", "tagValueId": "tagValues/2"}
    ],
}


def asked(*more, condition=BY_NAME, asset=None, **context):
    held = bucket("b", binding("roles/storage.objectViewer", ANA, condition=condition))
    world = estate([{**held, **(asset or {})}], *more)
    return outcome(world, ANA, "storage.objects.get", f"{BUCKET}b/objects/x", **context)


@pytest.mark.parametrize("condition", [BY_NAME, BY_ID])
def test_tags_are_inherited_from_what_holds_the_resource(condition):
    on_project = ([documents.EFFECTIVE_TAG], {"resource": "projects/1"})
    on_bucket = ([documents.EFFECTIVE_TAG], {"resource": "gs://b"})
    elsewhere = ([documents.EFFECTIVE_TAG], {"resource": "projects/7"})
    found = [asked(each, condition=condition) for each in (on_project, on_bucket, elsewhere)]
    assert ["allow", "allow", "implicit-deny"] == found
    assert "allow" == asked(condition=condition, asset={"effectiveTags": [ASSET_TAGS]})


def test_a_binding_of_a_tag_states_the_name_of_its_value():
    assert "allow" == asked([documents.TAG_BINDING])
    assert "allow" == asked({"tagBindings": [documents.TAG_BINDING]})


def test_the_nearest_tag_and_what_the_question_says_win():
    nearer = {**documents.EFFECTIVE_TAG, "namespacedTagValue": "123/env/dev"}
    both = (([documents.EFFECTIVE_TAG], {"resource": "organizations/9"}), ([nearer], {"resource": "gs://b"}))
    assert "implicit-deny" == asked(*both)
    assert "allow" == asked(*both, **{"resource.tag:123/env": "prod"})


def test_tags_of_nothing_are_reported():
    assert 1 == len(read([documents.EFFECTIVE_TAG])[1])
    assert 1 == len(read([{**documents.TAG_BINDING, "tagValueNamespacedName": None, "tagValue": None}])[1])
    assert 1 == len(read([{**bucket("b"), "effectiveTags": [{"effectiveTags": []}]}])[1])
    assert 1 == len(read([{**documents.TAG_BINDING, "tagValueNamespacedName": "prod", "tagValue": None}])[1])


def test_effective_tags_are_recognised():
    assert "gcp.tags" == CLOUD.recognise(document([documents.EFFECTIVE_TAG]))
