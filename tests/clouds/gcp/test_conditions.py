"""The condition language of IAM, asked through bindings: dates, zones, tags, extract, delegated grants, addresses."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given as assume
from hypothesis import strategies as st

from idtrans.clouds.gcp import CLOUD
from idtrans.clouds.gcp._clock import clock_value
from tests.clouds.gcp.worlds import BUCKET, asset, binding, bucket, estate, outcome, project

ANA = "user:ana@example.com"
GET = "storage.objects.get"
OBJECT = f"{BUCKET}b/objects/logs/2026/x"


def asked(condition, *, resource=OBJECT, closed=True, **context):
    world = estate([bucket("b", binding("roles/storage.objectViewer", ANA, condition=condition))])
    return outcome(world, ANA, GET, resource, closed=closed, **context)


SUMMER = "2026-07-06T22:30:00+00:00"  # a Monday; Tuesday already in Berlin
TIMES = [
    ("request.time.getFullYear() == 2026", "allow"),
    ("request.time.getMonth() == 6", "allow"),
    ("request.time.getDate() == 6", "allow"),
    ("request.time.getDayOfMonth() == 5", "allow"),
    ("request.time.getDayOfWeek() == 1", "allow"),
    ("request.time.getDayOfYear() == 186", "allow"),
    ("request.time.getHours() == 22", "allow"),
    ("request.time.getMinutes() == 30", "allow"),
    ("request.time.getSeconds() == 0", "allow"),
    ("request.time.getMilliseconds() == 0", "allow"),
    ("request.time.getHours('Europe/Berlin') == 0", "allow"),
    ("request.time.getDayOfWeek('Europe/Berlin') == 2", "allow"),
    ("request.time.getDate('Europe/Berlin') != 6", "allow"),
    ("request.time.getHours('-08:00') == 14", "allow"),
    ("request.time.getHours('+05:30') >= 4 && request.time.getMinutes('+05:30') < 1", "allow"),
    ("request.time.getHours('UTC') > 21", "allow"),
    ("request.time.getHours() < 22", "implicit-deny"),
    ("request.time.getHours() <= 22 && request.time.getHours() >= 22", "allow"),
    ("9 <= request.time.getHours()", "allow"),
    ("request.time.getDayOfWeek('Europe/Berlin') in [1, 2]", "allow"),
    ("!(request.time.getDayOfWeek('Europe/Berlin') in [0, 6])", "allow"),
    ("request.time.getDayOfWeek() in []", "implicit-deny"),
    # A zone that does not exist is an error, which never allows, whichever way round it is asked.
    ("request.time.getHours('Europe/Atlantis') < 24", "implicit-deny"),
    ("!(request.time.getHours('Europe/Atlantis') < 24)", "implicit-deny"),
    ("request.time.getHours('99:00') < 24", "implicit-deny"),
    ("request.time.getHours(resource.name) < 24", "unknown"),
    ("request.time.getHours('UTC', 'x') < 24", "unknown"),
    ("request.time.getHours() < 'x'", "unknown"),
    ("request.time.getHours() in [1, 'x']", "unknown"),
    ("request.time.getCentury() == 21", "unknown"),
    ("request.time < timestamp('2026-07-06T22:30:01Z')", "allow"),
    ("request.time < timestamp('2026-07-07T00:30:00+02:00')", "implicit-deny"),
    ("request.time == timestamp('2026-07-07T00:30:00+02:00')", "allow"),
    ("request.time != timestamp('2026-07-07T00:30:00+02:00')", "implicit-deny"),
    ("request.time >= date('2026-07-06')", "allow"),
    ("request.time >= date('2026-07-07')", "implicit-deny"),
    ("request.time < timestamp('2026-07-06T22:00:00Z') + duration('1h')", "allow"),
    ("request.time < timestamp('2026-07-06T22:00:00Z') + duration('1h') - duration('45m')", "implicit-deny"),
    ("request.time - duration('1h30m') > timestamp('2026-07-06T20:59:59Z')", "allow"),
    ("request.time - timestamp('2026-07-06T22:00:00Z') <= duration('1800s')", "allow"),
    ("duration('1800s') > request.time - timestamp('2026-07-06T22:00:00Z')", "implicit-deny"),
    ("timestamp('2026-07-06T23:00:00Z') - request.time >= duration('1800s')", "allow"),
    ("timestamp('2026-07-06T23:00:00Z') - request.time > duration('1800s')", "implicit-deny"),
    # RFC 3339 needs a time; "if the timestamp is not valid, the condition never allows".
    ("request.time > timestamp('2026-07-06')", "implicit-deny"),
    ("request.time > timestamp('2026-02-31T00:00:00Z')", "implicit-deny"),
    ("request.time > date('2026-7-6')", "implicit-deny"),
    ("request.time > timestamp('2026-07-06T22:00:00Z') + duration('long')", "implicit-deny"),
    ("request.time > timestamp('9999-12-31T00:00:00Z') + duration('999999999h')", "unknown"),
    ("request.time + request.time > timestamp('2026-07-06T22:00:00Z')", "unknown"),
    ("duration('1h') - request.time > duration('1h')", "unknown"),
    ("request.time > duration('1h')", "unknown"),
    ("request.time > resource.time + duration('1h')", "unknown"),
    ("timestamp('2026-07-06T22:00:00Z') < timestamp('2026-07-07T22:00:00Z')", "unknown"),
    # What cannot be evaluated does not matter where the rest decides.
    ("request.time < timestamp('never') || resource.service == 'storage.googleapis.com'", "allow"),
    ("resource.somethingNew == 'x' && false", "implicit-deny"),
]


@pytest.mark.parametrize(("condition", "expected"), TIMES)
def test_time(condition, expected):
    assert expected == asked(condition, **{"request.time": SUMMER})


def test_a_time_that_is_not_given_leaves_its_parts_open():
    condition = "request.time.getHours('Europe/Berlin') < 8"
    assert "conditional" == asked(condition, closed=False)
    assert "allow" == asked(condition, closed=False, **{"request.time.getHours('Europe/Berlin')": "7"})
    # The estate's own time stands in when everything that is not given is absent: 13 o'clock in Berlin.
    assert "implicit-deny" == asked(condition)


@assume(moment=st.datetimes(timezones=st.just(UTC)), hours=st.integers(-14, 14))
def test_parts_of_the_time_agree_with_the_calendar(moment, hours):
    if not timedelta(days=1) < moment - datetime.min.replace(tzinfo=UTC) < timedelta(days=3_000_000):
        return
    local = moment + timedelta(hours=hours)
    zone = f"{'-' if hours < 0 else '+'}{abs(hours):02}:00"
    got = [
        clock_value(f"request.time.{name}('{zone}')", moment.isoformat())
        for name in ("getHours", "getDate", "getMonth")
    ]
    assert [str(local.hour), str(local.day), str(local.month - 1)] == got


def test_clock_values_of_what_is_no_time():
    assert clock_value("request.time.getHours()", "noon") is None
    assert clock_value("request.time.getCentury()", SUMMER) is None
    assert clock_value("request.time.getHours('Nowhere')", SUMMER) is None


TAG = "resource.tag:123/env"
TAGS = [
    ("resource.matchTag('123/env', 'prod')", {TAG: "prod"}, "allow"),
    ("resource.matchTag('123/env', 'prod')", {TAG: "dev"}, "implicit-deny"),
    ("resource.matchTag('123/env', 'prod')", {}, "implicit-deny"),
    ("!resource.matchTag('123/env', 'prod')", {}, "allow"),
    ("!resource.matchTag('123/env', 'prod')", {TAG: "dev"}, "allow"),
    ("resource.hasTagKey('123/env')", {TAG: "dev"}, "allow"),
    ("!resource.hasTagKey('123/env')", {TAG: "dev"}, "implicit-deny"),
    ("resource.hasTagKeyId('tagKeys/1')", {"resource.tag:tagKeys/1": "tagValues/2"}, "allow"),
    ("resource.matchTagId('tagKeys/1', 'tagValues/2')", {"resource.tag:tagKeys/1": "tagValues/2"}, "allow"),
    ("resource.matchTagId('tagKeys/1', 'tagValues/3')", {"resource.tag:tagKeys/1": "tagValues/2"}, "implicit-deny"),
    ("resource.matchTag('123/env')", {TAG: "prod"}, "unknown"),
    ("resource.matchTag('123/env', resource.name)", {TAG: "prod"}, "unknown"),
    ("resource.hasTagKey(resource.name)", {TAG: "prod"}, "unknown"),
    ("request.matchTag('123/env', 'prod')", {TAG: "prod"}, "unknown"),
]


@pytest.mark.parametrize(("condition", "context", "expected"), TAGS)
def test_tags(condition, context, expected):
    assert expected == asked(condition, **context)


def test_tags_that_are_not_given_leave_it_open():
    assert "conditional" == asked("resource.matchTag('123/env', 'prod')", closed=False)


EXTRACTS = [
    ("resource.name.extract('/buckets/{b}/') == 'b'", "allow"),
    ("resource.name.extract('/buckets/{b}/') == 'c'", "implicit-deny"),
    ("resource.name.extract('/buckets/{b}/') != 'c'", "allow"),
    ("resource.name.extract('/objects/{o}') == 'logs/2026/x'", "allow"),
    ("resource.name.extract('/objects/logs/{year}/') == '2026'", "allow"),
    ("resource.name.extract('/objects/logs/{year}/').startsWith('20')", "allow"),
    ("resource.name.extract('/objects/logs/{year}/').startsWith('21')", "implicit-deny"),
    ("resource.name.extract('/objects/logs/{year}/') in ['2025', '2026']", "allow"),
    ("resource.name.extract('/objects/data/{year}/') in ['2025', '2026']", "implicit-deny"),
    ("resource.name.extract('/objects/{o}') == '2026/x'", "implicit-deny"),
    # A value with the end mark inside can never be extracted; that is left open, as are other patterns.
    ("resource.name.extract('/objects/{a}/') == 'logs/2026'", "unknown"),
    ("resource.name.extract('/objects/{a}/').endsWith('s')", "unknown"),
    # Nothing is extracted where the name does not fit, and where nothing stands between.
    ("resource.name.extract('/objects/{a}/') == ''", "implicit-deny"),
    ("resource.name.extract('/objects/{a}/') != ''", "allow"),
    ("resource.name.extract('/zones/{a}') == ''", "allow"),
    ("resource.name.extract('/zones/{a}') != ''", "implicit-deny"),
    ("resource.name.extract('/objects/{a}/none') == ''", "allow"),
    ("resource.name.extract('/objects/{a}/') in ['', 'logs']", "allow"),
    ("resource.name.extract('/objects/{a}/') in ['', 'data']", "implicit-deny"),
    ("resource.name.extract('/2026/x{a}') == ''", "unknown"),
    # Without a mark in front, what is extracted starts where the name does.
    ("resource.name.extract('{a}/x') == 'y'", "implicit-deny"),
    ("resource.name.extract('{a}/objects/') == 'projects/_/buckets/b'", "allow"),
    ("resource.name.extract('{a}/objects/') == 'projects/_/buckets/c'", "implicit-deny"),
    ("resource.name.extract('{a}/objects/').startsWith('projects/_')", "allow"),
    ("resource.name.extract('{a}logs') != ''", "allow"),
    ("resource.name.extract('{a}databricks') != ''", "implicit-deny"),
    ("resource.name.extract('{a}projects') != ''", "implicit-deny"),
    ("resource.name.extract('{a}projects') == ''", "allow"),
    ("resource.name.extract('{a}') == 'projects/_/buckets/b/objects/logs/2026/x'", "allow"),
    ("resource.name.extract('{a}') != ''", "allow"),
    ("resource.name.extract('{a}').startsWith('projects/_/buckets/c')", "implicit-deny"),
    ("resource.name.extract('none') == 'y'", "unknown"),
    ("resource.name.extract('/{a}/{b}/') == 'y'", "unknown"),
    ("resource.type.extract('/{a}') == 'y'", "unknown"),
]


@pytest.mark.parametrize(("condition", "expected"), EXTRACTS)
def test_extract(condition, expected):
    assert expected == asked(condition)


def test_what_stands_before_may_occur_twice():
    condition = "resource.name.extract('/a/{x}/') == '1'"
    found = [asked(condition, resource=f"{BUCKET}b/objects/{name}") for name in ("d/a/1/z", "d/a/2/a/1/z", "d/a/2/z")]
    assert ["allow", "unknown", "implicit-deny"] == found


GRANTS = "api.getAttribute('iam.googleapis.com/modifiedGrantsByRole', []).hasOnly({})".format
KEY = "iam.googleapis.com/modifiedGrantsByRole"
SET = "resourcemanager.projects.setIamPolicy"


def delegated(condition, *roles):
    world = estate([project("1", binding("roles/resourcemanager.projectIamAdmin", ANA, condition=condition))])
    from idtrans.algebra import decide
    from idtrans.ports import Query

    request = CLOUD.request(Query(ANA, SET, "projects/1", {KEY: roles} if roles else {}, closed=True), world)
    return decide(CLOUD.access(ANA, world), request).outcome.value


@pytest.mark.parametrize(
    ("condition", "roles", "expected"),
    [
        # The vendor's example: a limited administrator may grant two roles and no other.
        (GRANTS("['roles/pubsub.editor', 'roles/pubsub.publisher']"), ["roles/pubsub.editor"], "allow"),
        (
            GRANTS("['roles/pubsub.editor', 'roles/pubsub.publisher']"),
            ["roles/pubsub.editor", "roles/owner"],
            "implicit-deny",
        ),
        (GRANTS("['roles/pubsub.editor']"), ["roles/owner"], "implicit-deny"),
        (GRANTS("['roles/pubsub.editor']"), [], "allow"),
        ("!" + GRANTS("['roles/pubsub.editor']"), [], "implicit-deny"),
        ("!" + GRANTS("['roles/pubsub.editor']"), ["roles/owner"], "allow"),
        (GRANTS("['roles/a']") + " || " + GRANTS("['roles/b']"), ["roles/b"], "allow"),
        (GRANTS("resource.name"), ["roles/a"], "unknown"),
        ("api.getAttribute('x', ['y']).hasOnly(['y'])", ["roles/a"], "unknown"),
        ("resource.hasOnly(['y'])", ["roles/a"], "unknown"),
    ],
)
def test_delegated_role_grants(condition, roles, expected):
    assert expected == delegated(condition, *roles)


OTHERS = [
    ("api.getAttribute('storage.googleapis.com/objectListPrefix', '').startsWith('logs/')", {}, "implicit-deny"),
    (
        "api.getAttribute('storage.googleapis.com/objectListPrefix', '').startsWith('logs/')",
        {"storage.googleapis.com/objectListPrefix": "logs/x"},
        "allow",
    ),
    ("api.getAttribute('x', 'none') == 'none'", {}, "allow"),
    ("api.getAttribute('x', 'none') == 'none'", {"x": "some"}, "implicit-deny"),
    ("destination.ip == '10.0.0.1'", {"destination.ip": "10.0.0.1"}, "allow"),
    ("destination.ip != '10.0.0.1'", {"destination.ip": "10.0.0.1"}, "implicit-deny"),
    ("destination.ip == '10.0.0.1'", {}, "implicit-deny"),
    ("destination.ip == 'here'", {"destination.ip": "10.0.0.1"}, "unknown"),
    ("destination.port == 22", {"destination.port": "22"}, "allow"),
    ("destination.port != 22", {"destination.port": "22"}, "implicit-deny"),
    ("destination.port >= 1024 && destination.port < 2000", {"destination.port": "1500"}, "allow"),
    ("destination.port > 1024 || destination.port <= 22", {"destination.port": "80"}, "implicit-deny"),
    ("destination.port in [22]", {"destination.port": "22"}, "unknown"),
    ("inIpRange(origin.ip, ['10.0.0.0/8', '192.0.2.1/32'])", {"origin.ip": "10.1.2.3"}, "allow"),
    ("inIpRange(origin.ip, ['10.0.0.0/8'])", {"origin.ip": "11.1.2.3"}, "implicit-deny"),
    ("inIpRange(origin.ip, ['ten'])", {"origin.ip": "11.1.2.3"}, "unknown"),
    ("inIpRange(origin.name, ['10.0.0.0/8'])", {"origin.ip": "11.1.2.3"}, "unknown"),
    ("inIpRange(origin.ip)", {"origin.ip": "11.1.2.3"}, "unknown"),
    (
        "'accessPolicies/1/accessLevels/L' in request.auth.access_levels",
        {"request.auth.access_levels": "accessPolicies/1/accessLevels/L"},
        "allow",
    ),
    (
        "'accessPolicies/1/accessLevels/L' in request.auth.access_levels",
        {"request.auth.access_levels": "accessPolicies/1/accessLevels/l"},
        "implicit-deny",
    ),
    ("request.path.startsWith('/admin')", {"request.path": "/admin/x"}, "allow"),
    ("request.host == 'a.example'", {"request.host": "b.example"}, "implicit-deny"),
    ("compute.isForwardingRuleCreationOperation()", {"compute.isForwardingRuleCreationOperation": "true"}, "allow"),
    ("!compute.isForwardingRuleCreationOperation()", {}, "allow"),
    ("compute.matchLoadBalancingSchemes(['INTERNAL'])", {"compute.loadBalancingScheme": "INTERNAL"}, "allow"),
    ("compute.matchLoadBalancingSchemes('INTERNAL')", {"compute.loadBalancingScheme": "INTERNAL"}, "unknown"),
    ("other.isForwardingRuleCreationOperation()", {}, "unknown"),
    ("aiplatform.futureThing(1)", {}, "unknown"),
    ("resource.name.startsWith('x') ? true : resource.service == 'storage.googleapis.com'", {}, "allow"),
]


@pytest.mark.parametrize(("condition", "context", "expected"), OTHERS)
def test_other_attributes(condition, context, expected):
    assert expected == asked(condition, **context)


@pytest.mark.parametrize(
    ("name", "wanted", "expected"),
    [
        ("//secretmanager.googleapis.com/projects/1/secrets/s", "secretmanager.googleapis.com/Secret", "allow"),
        (
            "//secretmanager.googleapis.com/projects/1/secrets/s/versions/1",
            "secretmanager.googleapis.com/Secret",
            "implicit-deny",
        ),
        (
            "//secretmanager.googleapis.com/projects/1/secrets/s/versions/1",
            "secretmanager.googleapis.com/SecretVersion",
            "allow",
        ),
        ("//secretmanager.googleapis.com/projects/1/secrets/s", "cloudkms.googleapis.com/CryptoKey", "implicit-deny"),
    ],
)
def test_types_of_resources(name, wanted, expected):
    condition = f"resource.type == '{wanted}'"
    role = "roles/secretmanager.secretAccessor"
    world = estate(
        [
            asset(
                "//cloudresourcemanager.googleapis.com/projects/1",
                binding(role, ANA, condition=condition),
                kind="cloudresourcemanager.googleapis.com/Project",
            )
        ]
    )
    assert expected == outcome(world, ANA, "secretmanager.versions.access", name)
