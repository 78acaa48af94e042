"""Accounts of which all identities of a kind were listed: one that is not in the list does not exist.

The command filters by kinds alone, so a list that has any identity of a kind has all.
https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetAccountAuthorizationDetails.html
"""

from __future__ import annotations

from typing import Final

LISTED: Final = {"user": "lists_users", "role": "lists_roles"}
"""Attributes of an account by the kind of which all identities were listed."""
