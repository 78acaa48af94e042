"""Names that the catalogue does not list: actions that AWS has retired, told from slips of the pen."""

from __future__ import annotations

import warnings
from difflib import get_close_matches
from functools import lru_cache

from idtrans.catalog._aws_actions import aws_action, aws_service_actions, aws_services


@lru_cache(maxsize=1024)
def action_remark(name: str) -> str | None:
    """Return what is odd about an AWS action name, in any case, `None` when the catalogue lists it.

    The table of `policyuniverse` reaches back to actions that the service authorization reference no longer has: a
    name that stands there alone is retired, a name that stands nowhere is newer than the catalogue or misspelt.
    """
    if aws_action(name) is not None:
        return None
    if _was_listed(name):
        return f"`{name}` is an action that AWS has retired"
    service = name.partition(":")[0].lower()
    if service not in aws_services():
        return f"`{name}` is of no service that the catalogue lists: it is newer, or misspelt"
    actions = {action.lower(): action for action in aws_service_actions(service)}
    near = get_close_matches(name.lower(), actions, n=1, cutoff=0.8)
    meant = f"; did you mean `{actions[near[0]]}`?" if near else ""
    return f"`{name}` is no action that the catalogue lists: it is newer, or misspelt{meant}"


def _was_listed(name: str) -> bool:
    # Reading the table takes a tenth of a second, which only odd names are worth; the package leaves its file open.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        from policyuniverse.expander_minimizer import all_permissions

    return name.lower() in all_permissions
