"""Remarks on what policies give, each with a stable code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from idtrans.clouds.aws._operators import Family, Sense, read_operator

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from idtrans.clouds.aws._compile import Rule
    from idtrans.model.entities import ConditionTest

_SIGNED_TOKENS: Final = "sts:GetWebIdentityToken"
_AUDIENCE: Final = "sts:identitytokenaudience"


def grant_notes(allows: Iterable[Rule]) -> Iterator[str]:
    """Yield the codes of remarks on the allow statements of a policy.

    `TOKEN_FOR_ANY_AUDIENCE`: the holder has AWS sign tokens about itself for whatever audience. Only a statement that
    names the token service says so; that everything may be done is a remark of its own.
    https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_providers_outbound.html
    """
    for rule in allows:
        names_service = any(text.lower().startswith("sts:") for text in rule.statement.actions or ())
        if names_service and rule.actions.matches(_SIGNED_TOKENS) and not any(map(_fixes, rule.statement.conditions)):
            yield "TOKEN_FOR_ANY_AUDIENCE"
            return


def _fixes(test: ConditionTest) -> bool:
    """Tell whether a test fixes the audiences. The key is always there, so a set operator is right for it."""
    applied = read_operator(test.operator)
    if test.key.lower() != _AUDIENCE or applied is None:
        return False
    positive = applied.operator.family is Family.STRING and applied.operator.sense is Sense.POSITIVE
    return positive and not any(set(value) <= {"*"} for value in test.values)
