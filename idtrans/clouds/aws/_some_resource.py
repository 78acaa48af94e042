"""Requests for `*`: the star itself for actions that take nothing else, and some resource for all others.

https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from idtrans.algebra import (
    ANY_TEXT,
    RESOURCE,
    Language,
    Template,
    Test,
    arn_glob,
    boxes,
    containing,
    decide,
    leaves,
    union,
)
from idtrans.catalog import aws_action
from idtrans.clouds.aws._arns import account_of, read_arn
from idtrans.model.decisions import Outcome
from idtrans.model.errors import BudgetExceededError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from idtrans.algebra import Access, Box
    from idtrans.model.decisions import Request

STAR: Final = "*"
_MOST: Final = 256
"""Regions of resources that are told apart; statements beyond are tried one by one."""
_BEST: Final = (Outcome.ALLOW, Outcome.CONDITIONAL, Outcome.UNKNOWN, Outcome.IMPLICIT_DENY, Outcome.EXPLICIT_DENY)
_ACCOUNT: Final = "?" * 12
_OWNERS: Final = {"iam": (_ACCOUNT, "aws")}
"""Accounts in ARNs of services that have resources of AWS itself."""
_REGION: Final = "us-east-1"
"""What an example says for any region."""


def stands_for_some(action: str) -> bool:
    """Tell whether `*` as the resource of a request for an action stands for some resource."""
    known = aws_action(action)
    return known is not None and bool(known.resources)


def some_resource(access: Access, asked: Request, of: Callable[[str], Request]) -> Request:
    """Return the request for the resource on which the answer is best for the caller.

    Resources that no statement tells apart have the same answer, so one of each kind is tried. `of` gives the request
    for a resource, with the keys that follow from it.
    """
    best, rank = None, len(_BEST)
    for resource in _examples(access, asked):
        request = of(resource)
        found = _BEST.index(decide(access, request).outcome)
        if found < rank:
            best, rank = request, found
        if rank == 0:
            break
    return replace(best, asked=STAR) if best is not None else asked


def _examples(access: Access, asked: Request) -> Iterator[str]:
    fitting, readable = _fitting(asked)
    for region in _regions(fitting, _told_apart(access, asked)):
        for wanted in (region & readable, region):
            example = _witness(wanted)
            if example is not None:
                yield example
                break


def _regions(fitting: Language, sets: Iterable[Language]) -> list[Language]:
    """Return the parts into which some sets divide the resources that fit."""
    regions, rest = [fitting], []
    for each in sets:
        if len(regions) >= _MOST:
            rest.append(fitting & each)
            continue
        regions = [part for region in regions for part in _split(region, each)]
    return [*regions, *rest]


def _split(region: Language, values: Language) -> list[Language]:
    parts = (region & values, region - values)
    try:
        return [part for part in parts if not part.is_empty()]
    except BudgetExceededError:
        return [region, parts[0]]


def _witness(language: Language) -> str | None:
    try:
        return language.witness()
    except BudgetExceededError:
        return None


def _told_apart(access: Access, asked: Request) -> Iterable[Language]:
    """Return the sets of resources that the statements about the action of a request speak of."""
    found: dict[Language, None] = {}
    for box in boxes(access):
        if box.actions.matches(asked.action) and box.principals.matches(asked.principal):
            found.update(dict.fromkeys(_sets(box, asked)))
    return [each for each in found if each != ANY_TEXT]


def _sets(box: Box, asked: Request) -> Iterator[Language]:
    tests = (part for part in leaves(box.condition) if isinstance(part, Test) and part.key == RESOURCE)
    listed = box.resources if isinstance(box.resources, tuple) else (box.resources,)
    for values in (*listed, *(test.values for test in tests)):
        if isinstance(values, Template):
            given = {key: value[0] if value else None for key, value in asked.context.items() if len(value) <= 1}
            bound = values.bind(given)
            yield bound if isinstance(bound, Language) else bound.widest()
        elif isinstance(values, Language):
            yield values


def _fitting(asked: Request) -> tuple[Language, Language]:
    """Return the resources that an action can be about, and those among them that make good examples."""
    caller = read_arn(asked.principal)
    partition = caller.partition if caller is not None else "aws"
    account = next(iter(asked.context.get("aws:resourceaccount", ())), None) or account_of(asked.principal)
    known = aws_action(asked.action)
    patterns = [text.split(":", 5) for text in (known.resources if known is not None else ())]
    every, good = [], []
    for _, _, service, region, owner, resource in patterns:
        owners = _OWNERS.get(service, (_ACCOUNT,)) if owner == STAR else (owner,)
        every += [_language(partition, service, region, each, resource) for each in owners]
        named = account if owner == STAR and account is not None else owner
        good.append(_language(partition, service, _REGION if region == STAR else region, named, resource))
    return union(every), union(good)


def _language(*fields: str) -> Language:
    found = arn_glob(":".join(("arn", *fields)).replace("*", "?*"))
    # The name of a bucket has no slash: what has one is an object.
    return found - containing("/") if fields[1] == "s3" and "/" not in fields[-1] else found
