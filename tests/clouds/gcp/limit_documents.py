"""One document of every shape that limits access or tells who is in a group, as the vendor's tools print them."""

from __future__ import annotations

DENY = {
    "createTime": "2026-01-01T00:00:00Z",
    "displayName": "limit",
    "etag": "x",
    "kind": "DenyPolicy",
    "name": "policies/cloudresourcemanager.googleapis.com%2Fprojects%2F253519172624/denypolicies/limit",
    "rules": [
        {
            "denyRule": {
                "deniedPrincipals": ["principalSet://goog/public:all"],
                "exceptionPrincipals": ["principalSet://goog/group/g@example.com"],
                "deniedPermissions": ["cloudresourcemanager.googleapis.com/projects.delete"],
                "exceptionPermissions": [],
                "denialCondition": {"title": "t", "expression": "!resource.matchTag('1/env', 'test')"},
            }
        }
    ],
}
BOUNDARY = {
    "name": "organizations/0/locations/global/principalAccessBoundaryPolicies/p",
    "details": {
        "rules": [{"resources": ["//cloudresourcemanager.googleapis.com/organizations/0"], "effect": "ALLOW"}],
        "enforcementVersion": "1",
    },
}
BINDING = {
    "name": "organizations/0/locations/global/policyBindings/b",
    "target": {"principalSet": "//cloudresourcemanager.googleapis.com/organizations/0"},
    "policyKind": "PRINCIPAL_ACCESS_BOUNDARY",
    "policy": "organizations/0/locations/global/principalAccessBoundaryPolicies/p",
    "condition": {"expression": "principal.type == 'iam.googleapis.com/ServiceAccount'"},
}
ACCESS = {
    "name": "projects/1/locations/global/accessPolicies/a",
    "details": {
        "rules": [
            {
                "effect": "DENY",
                "principals": ["principal://goog/subject/ana@example.com"],
                "excludedPrincipals": [],
                "operation": {
                    "permissions": ["eventarc.googleapis.com/messageBuses.publish"],
                    "excludedPermissions": [],
                },
                "conditions": {"eventarc.googleapis.com": {"expression": "true"}},
            }
        ]
    },
}
PERIMETER = {
    "name": "accessPolicies/1/servicePerimeters/p",
    "title": "p",
    "status": {
        "resources": ["projects/179891054368"],
        "restrictedServices": ["storage.googleapis.com"],
        "egressPolicies": [
            {"egressTo": {"resources": ["*"], "operations": [{"serviceName": "storage.googleapis.com"}]}}
        ],
    },
}
LEVEL = {"name": "accessPolicies/1/accessLevels/l", "title": "l", "basic": {"conditions": []}}
ORG_POLICY = {
    "name": "projects/123/policies/iam.managed.disableServiceAccountKeyCreation",
    "spec": {"rules": [{"enforce": True}]},
}
OLD_ORG_POLICY = {"constraint": "constraints/storage.publicAccessPrevention", "booleanPolicy": {"enforced": True}}
MEMBERSHIP = {
    "name": "groups/01/memberships/02",
    "preferredMemberKey": {"id": "Ana@example.com"},
    "roles": [{"name": "MEMBER"}],
    "type": "USER",
}
TRANSITIVE = {
    "member": "groups/03",
    "preferredMemberKey": [{"id": "ana@example.com"}],
    "name": "groups/01/memberships/04",
    "roles": [],
    "relationType": "DIRECT",
}
DIRECTORY = {
    "kind": "admin#directory#member",
    "email": "bob@example.com",
    "role": "MEMBER",
    "type": "USER",
    "status": "ACTIVE",
}
GROUP = {"groupKey": {"id": "g@example.com"}, "displayName": "G", "memberships": [MEMBERSHIP]}
ANCESTORS = [{"id": "acme", "type": "project"}, {"id": "2", "type": "folder"}, {"id": "9", "type": "organization"}]

EFFECTIVE_TAG = {
    "namespacedTagKey": "123/env",
    "namespacedTagValue": "123/env/prod",
    "tagKey": "tagKeys/1",
    "tagValue": "tagValues/2",
    "inherited": True,
}
TAG_BINDING = {
    "name": "tagBindings/%2F%2Fcloudresourcemanager.googleapis.com%2Fprojects%2F1/tagValues/2",
    "parent": "//cloudresourcemanager.googleapis.com/projects/1",
    "tagValue": "tagValues/2",
    "tagValueNamespacedName": "123/env/prod",
}

ALL = [
    ([TAG_BINDING], "gcp.tags"),
    ([DENY], "gcp.deny-policies"),
    ([BOUNDARY], "gcp.principal-access-boundaries"),
    ([BINDING], "gcp.policy-bindings"),
    ([ACCESS], "gcp.access-policies"),
    ([PERIMETER], "gcp.service-perimeters"),
    ([LEVEL], "gcp.access-levels"),
    ([ORG_POLICY, OLD_ORG_POLICY], "gcp.organization-policies"),
    ([GROUP], "gcp.group-memberships"),
    (ANCESTORS, "gcp.ancestors"),
]
"""Documents with their shapes."""
