"""Snapshots and images, and with whom they are shared: attributes and not policies.

https://docs.aws.amazon.com/ebs/latest/userguide/ebs-modifying-snapshot-permissions.html
https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_DBSnapshotAttribute.html
https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/sharing-amis.html
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from idtrans.clouds.aws._arns import is_account, read_arn
from idtrans.clouds.aws._parse_pages import page_faults, pages_of
from idtrans.clouds.aws._parse_state import CLOUD, Parsed, Parsing, account_id, unsupported
from idtrans.clouds.aws._parse_values import name_of, shown
from idtrans.model.documents import Json
from idtrans.model.entities import Resource
from idtrans.model.spans import NOWHERE, Source

SHARED_WITH: Final = "SharedWith"
"""Setting of a resource: whom its attribute names, between spaces: `all`, accounts, ARNs of organisations and units."""
SHARED_BY: Final = "SharedBy"
"""Setting of a resource: the attribute that names them."""
EVERYBODY: Final = "all"


@dataclass(frozen=True, slots=True)
class _Form:
    """How one command prints a sharing attribute."""

    kind: str
    name: str
    """Key of the id of what is shared."""
    list: str
    """Key of the list of those it is shared with."""
    attribute: str
    wrapper: str | None = None


_FORMS: Final = (
    _Form("snapshot", "SnapshotId", "CreateVolumePermissions", "createVolumePermission"),
    _Form("image", "ImageId", "LaunchPermissions", "launchPermission"),
    _Form("snapshot", "DBSnapshotIdentifier", "DBSnapshotAttributes", "restore", "DBSnapshotAttributesResult"),
    _Form(
        "snapshot",
        "DBClusterSnapshotIdentifier",
        "DBClusterSnapshotAttributes",
        "restore",
        "DBClusterSnapshotAttributesResult",
    ),
)
SHARING_SIGNS: Final = frozenset(form.wrapper or form.list for form in _FORMS)
"""Keys, one of which every sharing attribute has."""
_GRANTEES: Final = ("UserId", "Group", "OrganizationArn", "OrganizationalUnitArn")


@dataclass(frozen=True, slots=True)
class _Shared:
    """One reply, found to be of a form."""

    form: _Form
    raw: dict[str, Json]
    source: Source


def parse_sharing(parsing: Parsing) -> Parsed:
    """Yield snapshots and images, with whom they are shared."""
    yield from parsing.hinted_account()
    for page in pages_of(parsing):
        shared = _read(page.raw, page.source)
        if shared is None:
            yield unsupported(f"{shown(page.raw)} is no sharing attribute", page.source)
        else:
            yield from _resource(parsing, shared)
    yield from page_faults(parsing, ())


def is_sharing(page: dict[str, Json]) -> bool:
    """Tell whether an object is the sharing attribute of a snapshot or an image."""
    return _read(page, None) is not None


def _read(page: dict[str, Json], source: Source | None) -> _Shared | None:
    place = source or NOWHERE
    for form in _FORMS:
        inner = page.get(form.wrapper) if form.wrapper is not None else page
        if isinstance(inner, dict) and form.list in inner and form.name in inner:
            return _Shared(form, inner, place.at(form.wrapper) if form.wrapper is not None else place)
    return None


def _resource(parsing: Parsing, shared: _Shared) -> Parsed:
    form, raw, source = shared.form, shared.raw, shared.source
    hinted = parsing.hints.resource
    name = name_of(raw.get(form.name))
    subject = hinted if hinted is not None and read_arn(hinted) is not None else name
    listed = raw[form.list]
    if subject is None or not isinstance(listed, list):
        yield unsupported(f"{form.kind} {shown(raw)} has no `{form.name}`, or no list `{form.list}`", source)
        return
    account = account_id(subject) or account_id(parsing.hints.account)
    found: list[str] = []
    for text, place, item in _NAMERS[form.attribute == "restore"](listed, source.at(form.list)):
        if text is None or not _is_grantee(text):
            yield unsupported(f"{shown(item)} in `{form.list}` names nobody that is known", place, subject)
        else:
            found.append(text)
    settings = {SHARED_WITH: " ".join(dict.fromkeys(found)), SHARED_BY: form.attribute}
    yield Resource(CLOUD, subject, form.kind, source, account, name, settings)
    yield from parsing.account(subject, source)


def _is_grantee(text: str) -> bool:
    return text == EVERYBODY or is_account(text) or read_arn(text) is not None


_Named = Iterator[tuple[str | None, Source, Json]]


def _entries(listed: list[Json], source: Source) -> _Named:
    """Yield whom the permissions of EC2 name, one an entry."""
    for number, item in enumerate(listed):
        values = [item[key] for key in _GRANTEES if key in item] if isinstance(item, dict) else []
        text = values[0] if len(values) == 1 and isinstance(values[0], str) else None
        yield text, source.at(number), item


def _attributes(listed: list[Json], source: Source) -> _Named:
    """Yield whom the attribute `restore` of RDS names."""
    for number, item in enumerate(listed):
        place = source.at(number)
        if isinstance(item, dict) and isinstance(item.get("AttributeName"), str):
            values = item.get("AttributeValues", [])
            if item["AttributeName"] != "restore":
                continue
            for value in values if isinstance(values, list) else [values]:
                yield (value if isinstance(value, str) else None), place, value
        else:
            yield None, place, item


_NAMERS: Final[dict[bool, Callable[[list[Json], Source], _Named]]] = {False: _entries, True: _attributes}
