"""Worlds of the reference evaluator as documents, read and asked the way that users of `idtrans` do it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from idtrans.access import can
from idtrans.clouds.aws import CLOUD
from idtrans.model.documents import Document, Format, Hints, Unsupported
from idtrans.model.entities import Container, Entity, Resource
from idtrans.model.estate import Estate
from idtrans.model.spans import Place, Source
from idtrans.model.values import Layer
from idtrans.ports import Query
from tests.reference.aws import read_principal

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]

_HERE = Source(Place("facts"))
_FACTS = ("session", "resource_account", "management_account", "organization", "service_linked_role")
_LISTS = {"user": ("UserDetailList", "UserPolicyList"), "role": ("RoleDetailList", "RolePolicyList")}


def ask(world: Json) -> str:
    """Return the answer of the compiled engine to the request of a world."""
    request = world["request"]
    context = {
        key: (values,) if isinstance(values, str) else tuple(values) for key, values in request["context"].items()
    }
    facts = {name: request[name] for name in _FACTS if name in request}
    query = Query(request["principal"], request["action"], request["resource"], context, closed=True, facts=facts)
    estate = estate_of(world)
    if world.get("closed"):
        (estate,) = CLOUD.worlds(estate, [query])
    return can(CLOUD, estate, query).outcome.value


def estate_of(world: Json) -> Estate:
    """Return the estate that the documents of a world state."""
    entities: list[Entity] = []
    for document in _documents(world):
        shape = CLOUD.recognise(document)
        assert shape is not None
        entities += (found for found in CLOUD.parse(document, shape) if not isinstance(found, Unsupported))
    for child, parent in world["parents"].items():
        kind = "account" if child.isdecimal() else "unit"
        entities.append(Container("aws", child, kind, _HERE, parent))
    for bucket, account in world["accounts"].items():
        entities.append(Resource("aws", bucket, "bucket", _HERE, account))
    return Estate(tuple(entities), datetime.fromisoformat(world["now"]))


def _documents(world: Json) -> Iterator[Document]:
    yield Document(Place("account.json"), Format.JSON, _account(world))
    for number, policy in enumerate(world["policies"]):
        layer, owner, level = policy["layer"], policy["owner"], policy["level"]
        if layer in {"identity", "boundary"} or (layer == "trust" and owner in world["principals"]):
            continue
        hints = Hints(
            layer=Layer(layer),
            principal=owner if layer == "session" else None,
            resource=owner if layer in {"resource", "trust", "endpoint"} else None,
            scope=level,
            account=world["accounts"].get(owner),
        )
        yield Document(Place(f"{layer}-{number}.json"), Format.JSON, policy["document"], hints=hints)


def _account(world: Json) -> Json:
    """Return the identities as an account dump: first policies inline, others managed, one boundary each."""
    dump: Json = {"UserDetailList": [], "RoleDetailList": [], "GroupDetailList": [], "Policies": []}
    groups: dict[str, Json] = {}
    for arn, facts in world["principals"].items():
        section, inline = _LISTS[read_principal(arn).kind]
        tags = [{"Key": key, "Value": value} for key, value in facts["tags"].items()]
        identity = {"Arn": arn, "Tags": tags, **_carried(arn, inline, world, dump)}
        if section == "RoleDetailList":
            trusts = [each["document"] for each in world["policies"] if _is(each, "trust", arn)]
            identity["AssumeRolePolicyDocument"] = trusts[0] if trusts else {"Statement": []}
        else:
            identity["GroupList"] = [group.rpartition("/")[2] for group in facts["groups"]]
        dump[section].append(identity)
        for group in facts["groups"]:
            if group not in groups:
                groups[group] = {"Arn": group, "GroupName": group.rpartition("/")[2]}
                groups[group] |= _carried(group, "GroupPolicyList", world, dump)
    dump["GroupDetailList"] += groups.values()
    return dump


def _is(policy: Json, layer: str, owner: str) -> bool:
    return bool(policy["layer"] == layer and policy["owner"] == owner)


def _carried(owner: str, inline: str, world: Json, dump: Json) -> Json:
    documents = [policy["document"] for policy in world["policies"] if _is(policy, "identity", owner)]
    found: Json = {
        inline: [{"PolicyName": "first", "PolicyDocument": document} for document in documents[:1]],
        "AttachedManagedPolicies": [{"PolicyArn": _managed(document, dump)} for document in documents[1:]],
    }
    for policy in world["policies"]:
        if _is(policy, "boundary", owner):
            found["PermissionsBoundary"] = {"PermissionsBoundaryArn": _managed(policy["document"], dump)}
    return found


def _managed(document: Json, dump: Json) -> str:
    arn = f"arn:aws:iam::111122223333:policy/p{len(dump['Policies'])}"
    version = {"VersionId": "v1", "IsDefaultVersion": True, "Document": document}
    dump["Policies"].append({"Arn": arn, "PolicyVersionList": [version]})
    return arn
