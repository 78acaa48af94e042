"""Grants of KMS keys: what tells them from key policies, and the actions that their operations are.

https://docs.aws.amazon.com/kms/latest/developerguide/grants.html
"""

from __future__ import annotations

from typing import Final

GRANT_MARK: Final = "#resource/grant/"
"""What the id of the policy that stands for a grant holds, after the ARN of the key."""
CREATE_GRANT: Final = "kms:CreateGrant"
RETIRE_GRANT: Final = "kms:RetireGrant"
WITH_CONTEXT: Final = frozenset(
    {
        "Decrypt",
        "Encrypt",
        "GenerateDataKey",
        "GenerateDataKeyPair",
        "GenerateDataKeyPairWithoutPlaintext",
        "GenerateDataKeyWithoutPlaintext",
        "ReEncryptFrom",
        "ReEncryptTo",
    }
)
"""Operations that take an encryption context, the only ones that constraints on it hold for.

https://docs.aws.amazon.com/kms/latest/APIReference/API_GrantConstraints.html
"""
OPERATIONS: Final = WITH_CONTEXT | {
    "CreateGrant",
    "DeriveSharedSecret",
    "DescribeKey",
    "GenerateMac",
    "GetPublicKey",
    "RetireGrant",
    "Sign",
    "Verify",
    "VerifyMac",
}
"""Operations that a grant can allow; each is the action of the same name.

https://docs.aws.amazon.com/kms/latest/developerguide/grants.html#terms-grant-operations
"""


def is_grant(policy: str) -> bool:
    """Tell whether the id of a policy is that of a grant.

    A grant is enough by itself, in other accounts too: service-linked roles use keys of other accounts by grants, and
    none of their policies names KMS. It also leaves the key policy as it is.
    https://docs.aws.amazon.com/autoscaling/ec2/userguide/key-policy-requirements-EBS-encryption.html
    """
    return GRANT_MARK in policy
