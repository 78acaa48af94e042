"""From a request that shows a difference to one that people would rather read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from idtrans.algebra._condition import PRINCIPAL, RESOURCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from idtrans.algebra._search_domain import Domain
    from idtrans.model.decisions import Request


def plainer(request: Request, domain: Domain, shows: Callable[[Request], bool]) -> Request:
    """Return a request with values that look like what the cloud has, as far as it shows the same."""
    if domain.plain is None:
        return request
    single = [key for key, values in request.context.items() if len(values) == 1]
    for key in (PRINCIPAL, RESOURCE, *single):
        tried = [_with(request, key, better, domain) for better in domain.plain(key, request)]
        request = next(filter(shows, tried), request)
    return request


def _with(request: Request, key: str, value: str, domain: Domain) -> Request:
    if key == RESOURCE:
        return replace(request, resource=value)
    if key != PRINCIPAL:
        return replace(request, context={**request.context, key: (value,)})
    kept = {name: values for name, values in request.context.items() if name not in domain.derived}
    follows = domain.derive(value) if domain.derive is not None else {}
    return replace(request, principal=value, context={**kept, **follows})
