"""Read-only tables: actions and planes, roles, capabilities, issuers; loaded when first asked for."""

from idtrans.catalog._aws_actions import AwsAction, aws_action, aws_actions, aws_service_actions, aws_services
from idtrans.catalog._profiles import UNPROFILED, ActionProfile, action_profile
from idtrans.catalog._roles import builtin_role, builtin_roles

__all__ = [
    "UNPROFILED",
    "ActionProfile",
    "AwsAction",
    "action_profile",
    "aws_action",
    "aws_actions",
    "aws_service_actions",
    "aws_services",
    "builtin_role",
    "builtin_roles",
]
