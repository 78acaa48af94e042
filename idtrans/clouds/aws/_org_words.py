"""Words that the reader of Organizations and the engine share: kinds of levels, and what is known of them.

https://docs.aws.amazon.com/organizations/latest/userguide/orgs_getting-started_concepts.html
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from idtrans.clouds.aws._arns import is_account
from idtrans.model.documents import Json
from idtrans.model.values import Layer

ACCOUNT: Final = "account"
UNIT: Final = "organizational-unit"
ROOT: Final = "root"

ORGANIZATION: Final = "organization"
"""Attribute of a level: the id of its organisation."""
MANAGEMENT: Final = "management_account"
"""Attribute of an organisation: its management account."""
ALL_ACCOUNTS: Final = "all_accounts"
"""Attribute of an organisation of which every account was listed."""

POLICY_TYPES: Final = {"SERVICE_CONTROL_POLICY": Layer.SCP, "RESOURCE_CONTROL_POLICY": Layer.RCP}
"""Kinds of policies that decide access; there are others, such as tag policies."""
POLICY_RESOURCE: Final = "organization-policy"
"""Kind of the resource that stands for a policy of an organisation in a listing."""
ALL_POLICIES: Final = "AllPolicies"
"""Setting of a policy that stood in a complete list of its kind."""
ALL_TARGETS: Final = "AllTargets"
"""Setting of a policy of which all targets were listed."""


def status(layer: Layer) -> str:
    """Return the attribute that says whether a kind of policy is turned on: `enabled` or `disabled`."""
    return f"{layer.value}_status"


def all_listed(layer: Layer) -> str:
    """Return the attribute of a level of which all policies of a kind were listed."""
    return f"{layer.value}_listed"


def level_kind(text: str) -> str:
    """Return the kind of a level by the form of its id."""
    if is_account(text):
        return ACCOUNT
    if text.startswith("o-"):
        return "organization"
    return ROOT if text.startswith("r-") else UNIT


def policy_key(text: str) -> str:
    """Return the id of a policy, such as `p-FullAWSAccess`, from its ARN or the id itself."""
    return text.rpartition("/")[2]


def listed(value: Json) -> Sequence[Json]:
    """Return the items of a list; nothing for any other value, which is reported elsewhere."""
    return value if isinstance(value, list) else ()
