"""Where a policy applies: the resources that lie in its scope, and those that do perhaps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from idtrans.algebra import ALWAYS, ANY_TEXT, Condition, Language, Opaque
from idtrans.clouds.gcp._index import Index


@dataclass(frozen=True, slots=True)
class Part:
    """What a binding or a rule says about anybody it names: the actions and resources that share a condition."""

    actions: Language
    resources: Language
    condition: Condition

    def meets(self, action: str, resource: str) -> bool:
        """Tell whether the part is about an action and a resource."""
        return self.actions.matches(action) and self.resources.matches(resource)


def places(scope: object, index: Index) -> Iterator[tuple[Language, Condition]]:
    """Yield the resources that lie in a scope for sure, then those that do perhaps, with the condition."""
    if not isinstance(scope, str):
        yield ANY_TEXT, Opaque("the policy belongs to something that holds the resource", "its scope was not stated")
        return
    for covered, where in ((index.covered(scope), ALWAYS), (index.maybe_covered(scope), _lies_in(scope))):
        if covered is not None:
            yield covered, where


def _lies_in(scope: str) -> Opaque:
    return Opaque(f"the resource lies in {scope}", "what is above the resource was not supplied")
