"""Small questions, each with the answer that the vendor's pages give."""

from __future__ import annotations

import pytest

from tests.clouds.gcp.worlds import BUCKET, POOL, binding, bucket, estate, outcome, project

A = "user:ana@example.com"
SA = "serviceAccount:app@acme-prod.iam.gserviceaccount.com"
WP = f"principal://iam.googleapis.com/{POOL}/subject/s"
PS = f"principalSet://iam.googleapis.com/{POOL}"
OWN = "serviceAccount:1-compute@developer.gserviceaccount.com"
READ, GET = "storage.objects.get", "resourcemanager.projects.get"
ROLE = {"name": "organizations/9/roles/r", "title": "r", "includedPermissions": [READ, GET]}
OBJECT = f"{BUCKET}b/objects/logs/x.txt"
NOW = {"request.time": "2026-11-02T12:00:00+00:00"}

CONDITIONS = [
    ("allow", "resource.name.startsWith('projects/_/buckets/b/objects/logs/')"),
    ("implicit-deny", "resource.name.startsWith('projects/_/buckets/b/objects/data/')"),
    ("implicit-deny", "resource.name.startsWith('b/objects/logs')"),
    ("allow", "resource.name.endsWith('.txt')"),
    ("implicit-deny", "resource.name.endsWith('.TXT')"),
    ("allow", "resource.name == 'projects/_/buckets/b/objects/logs/x.txt'"),
    ("implicit-deny", "resource.name != 'projects/_/buckets/b/objects/logs/x.txt'"),
    ("allow", "!resource.name.startsWith('projects/_/buckets/b/objects/data/')"),
    ("allow", "resource.type == 'storage.googleapis.com/Object'"),
    ("implicit-deny", "resource.type == 'storage.googleapis.com/Bucket'"),
    ("allow", "resource.type != 'storage.googleapis.com/Bucket' || resource.name == 'x'"),
    ("allow", "resource.service == 'storage.googleapis.com'"),
    ("implicit-deny", "resource.service == 'compute.googleapis.com'"),
    ("allow", "resource.service != 'compute.googleapis.com'"),
    ("allow", "resource.type in ['storage.googleapis.com/Object', 'storage.googleapis.com/Bucket']"),
    ("allow", "resource.name.extract('/objects/{folder}/') == 'logs'"),
    ("implicit-deny", "resource.name.extract('/objects/{folder}/') == 'data'"),
    ("implicit-deny", "resource.name.extract('/nothing/{folder}/') == 'x'"),
    ("allow", "resource.name.extract('/nothing/{folder}/') == ''"),
    ("allow", "resource.name.extract('/objects/{rest}') == 'logs/x.txt'"),
    ("allow", "resource.name.extract('/objects/{rest}').startsWith('logs/')"),
    ("allow", "resource.name.extract('{before}/objects/') == 'projects/_/buckets/b'"),
    ("allow", "resource.name.extract('projects/{p}/buckets') == '_'"),
    ("allow", "request.time < timestamp('2027-01-01T00:00:00Z')"),
    ("implicit-deny", "request.time > timestamp('2027-01-01T00:00:00Z')"),
    ("implicit-deny", "request.time < timestamp('2026-11-02T12:00:00+01:00')"),
    ("allow", "request.time < timestamp('2026-11-02T12:00:00-01:00')"),
    ("allow", "request.time == timestamp('2026-11-02T12:00:00Z')"),
    ("implicit-deny", "request.time < timestamp('2027-02-30T00:00:00Z')"),
    ("implicit-deny", "request.time < timestamp('2027-01-01')"),
    ("allow", "request.time >= date('2026-11-02')"),
    ("allow", "request.time.getHours() == 12"),
    ("allow", "request.time.getHours('Europe/Berlin') == 13"),
    ("allow", "request.time.getHours('America/Los_Angeles') < 12"),
    ("allow", "request.time.getDayOfWeek() == 1"),
    ("allow", "request.time.getDayOfWeek('Asia/Tokyo') == 1 && request.time.getHours('Asia/Tokyo') == 21"),
    ("allow", "request.time.getDate() == 2"),
    ("allow", "request.time.getDayOfMonth() == 1"),
    ("allow", "request.time.getMonth() == 10"),
    ("allow", "request.time.getFullYear() == 2026"),
    ("allow", "request.time.getDayOfYear() == 305"),
    ("allow", "request.time.getHours('+02:00') == 14"),
    ("allow", "request.time.getHours('-02:00') == 10"),
    ("allow", "request.time.getHours('02:00') == 14"),
    ("implicit-deny", "request.time.getHours('Mars/Base') == 14"),
    ("allow", "request.time.getMinutes() == 0 && request.time.getSeconds() == 0"),
    ("allow", "request.time - timestamp('2026-11-02T11:00:00Z') == duration('3600s')"),
    ("allow", "request.time < timestamp('2026-11-01T00:00:00Z') + duration('72h')"),
    ("allow", "date('2026-11-02') <= request.time && request.time < date('2026-11-03')"),
    ("allow", "request.time.getDayOfWeek() in [1,2,3,4,5]"),
    ("allow", "request.time.getDayOfWeek() >= 1 && request.time.getDayOfWeek() <= 5"),
    ("allow", "!(request.time.getHours() < 9 || request.time.getHours() > 17)"),
    ("allow", "timestamp('2027-01-01T00:00:00.000Z') > request.time"),
]


@pytest.mark.parametrize(("expected", "condition"), CONDITIONS)
def test_conditions(expected, condition):
    world = estate([bucket("b", binding(ROLE["name"], A, condition=condition))], [ROLE])
    assert expected == outcome(world, A, READ, OBJECT, **NOW)


PRINCIPALS = [
    ("allow", "allUsers", A),
    ("allow", "allUsers", WP),
    ("allow", "allAuthenticatedUsers", A),
    ("implicit-deny", "allAuthenticatedUsers", WP),
    ("implicit-deny", "allAuthenticatedUsers", "allUsers"),
    ("allow", "allUsers", "allAuthenticatedUsers"),
    ("allow", "domain:example.com", A),
    ("implicit-deny", "domain:example.com", "user:x@sub.example.com"),
    ("allow", "domain:EXAMPLE.com", "user:Ana@Example.com"),
    ("implicit-deny", "domain:example.com", SA),
    ("unknown", "group:g@example.com", A),
    ("allow", "user:Ana@Example.COM", A),
    ("implicit-deny", "deleted:user:ana@example.com?uid=123", A),
    ("implicit-deny", "deleted:serviceAccount:app@acme-prod.iam.gserviceaccount.com?uid=1", SA),
    ("implicit-deny", "user:app@acme-prod.iam.gserviceaccount.com", SA),
    ("allow", f"{PS}/*", WP),
    ("unknown", f"{PS}/attribute.repository/a/b", WP),
    ("unknown", f"{PS}/group/g", WP),
    ("implicit-deny", PS.replace("/ci", "/cd") + "/*", WP),
    ("implicit-deny", f"principal://iam.googleapis.com/{POOL}/subject/S", WP),
    ("implicit-deny", f"{PS}/*", A),
    ("allow", "principalSet://cloudresourcemanager.googleapis.com/projects/1/type/ServiceAccount", OWN),
    ("implicit-deny", "principalSet://cloudresourcemanager.googleapis.com/projects/1/type/ServiceAccount", A),
    ("allow", "principalSet://cloudresourcemanager.googleapis.com/folders/2/type/ServiceAccount", OWN),
    (
        "allow",
        "principalSet://cloudresourcemanager.googleapis.com/organizations/9/type/ServiceAgent",
        "serviceAccount:service-1@gcp-sa-pubsub.iam.gserviceaccount.com",
    ),
    (
        "allow",
        "principalSet://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p.svc.id.goog/namespace/n",
        "serviceAccount:p.svc.id.goog[n/k]",
    ),
    (
        "implicit-deny",
        "principalSet://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p.svc.id.goog/namespace/m",
        "serviceAccount:p.svc.id.goog[n/k]",
    ),
    (
        "unknown",
        "principalSet://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p.svc.id.goog/kubernetes.cluster/https://container.googleapis.com/v1/x",
        "serviceAccount:p.svc.id.goog[n/k]",
    ),
    (
        "allow",
        "principalSet://iam.googleapis.com/locations/global/workforcePools/w/*",
        "principal://iam.googleapis.com/locations/global/workforcePools/w/subject/u",
    ),
]


@pytest.mark.parametrize(("expected", "named", "who"), PRINCIPALS)
def test_principals(expected, named, who):
    world = estate([project("1", binding(ROLE["name"], named))], [ROLE])
    assert expected == outcome(world, who, GET, "projects/1")


ROLES = [
    ("implicit-deny", "roles/owner", "iam.serviceAccounts.getAccessToken"),
    ("allow", "roles/editor", "iam.serviceAccounts.actAs"),
    ("allow", "roles/editor", "iam.serviceAccountKeys.create"),
    ("implicit-deny", "roles/viewer", "iam.serviceAccounts.actAs"),
    ("allow", "roles/iam.workloadIdentityUser", "iam.serviceAccounts.getAccessToken"),
    ("implicit-deny", "roles/iam.workloadIdentityUser", "iam.serviceAccounts.signJwt"),
    ("implicit-deny", "roles/iam.workloadIdentityUser", "iam.serviceAccounts.actAs"),
    ("allow", "roles/iam.serviceAccountTokenCreator", "iam.serviceAccounts.signJwt"),
    ("implicit-deny", "roles/iam.serviceAccountUser", "iam.serviceAccounts.getAccessToken"),
    ("allow", "roles/iam.serviceAccountUser", "iam.serviceAccounts.actAs"),
]


@pytest.mark.parametrize(("expected", "role", "permission"), ROLES)
def test_roles_on_service_accounts(expected, role, permission):
    world = estate([project("1", binding(role, A))])
    target = f"//iam.googleapis.com/projects/1/serviceAccounts/{OWN.partition(':')[2]}"
    assert expected == outcome(world, A, permission, target)
