"""Snapshots, images and documents, and with whom they are shared: attributes and not policies.

https://docs.aws.amazon.com/ebs/latest/userguide/ebs-modifying-snapshot-permissions.html
https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_DBSnapshotAttribute.html
https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/sharing-amis.html
https://docs.aws.amazon.com/systems-manager/latest/userguide/documents-ssm-sharing.html
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from idtrans.clouds.aws._arns import is_account, read_arn
from idtrans.clouds.aws._parse_pages import page_faults, pages_of, section_items
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
_RESTORE: Final = "restore"
_SHARE: Final = "share"
_IMAGES: Final = "Images"
"""List of `aws ec2 describe-images`, which tells of each image whether everybody can launch it, and no more."""


@dataclass(frozen=True, slots=True)
class _Form:
    """How one command prints a sharing attribute."""

    kind: str
    name: str | None
    """Key of the id of what is shared; `None` when the reply does not have it."""
    list: str
    """Key of the list of those it is shared with."""
    attribute: str
    wrapper: str | None = None
    """Key of the object that holds both."""


_FORMS: Final = (
    _Form("snapshot", "SnapshotId", "CreateVolumePermissions", "createVolumePermission"),
    _Form("image", "ImageId", "LaunchPermissions", "launchPermission"),
    _Form("document", None, "AccountIds", _SHARE),
    _Form("snapshot", "DBSnapshotIdentifier", "DBSnapshotAttributes", _RESTORE, "DBSnapshotAttributesResult"),
    _Form(
        "snapshot",
        "DBClusterSnapshotIdentifier",
        "DBClusterSnapshotAttributes",
        _RESTORE,
        "DBClusterSnapshotAttributesResult",
    ),
)
SHARING_SIGNS: Final = frozenset({_IMAGES, *(form.wrapper or form.list for form in _FORMS)})
"""Keys, one of which every sharing attribute has."""
_FORM_KEYS: Final = frozenset({"AccountIds", "AccountSharingInfoList", "NextToken"})
"""Keys of `aws ssm describe-document-permission`, which does not name the document."""
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
        if _IMAGES in page.raw:
            for source, item in section_items(page, _IMAGES):
                yield from _image(parsing, item, source)
        elif shared is None:
            yield unsupported(f"{shown(page.raw)} is no sharing attribute", page.source)
        else:
            yield from _resource(parsing, shared)
    yield from page_faults(parsing, (_IMAGES,))


def is_sharing(page: dict[str, Json]) -> bool:
    """Tell whether an object is the sharing attribute of a snapshot or an image."""
    images = page.get(_IMAGES)
    if isinstance(images, list):
        return any(isinstance(item, dict) and "ImageId" in item and "Public" in item for item in images)
    return _read(page, None) is not None


def _read(page: dict[str, Json], source: Source | None) -> _Shared | None:
    place = source or NOWHERE
    for form in _FORMS:
        inner = page.get(form.wrapper) if form.wrapper is not None else page
        if isinstance(inner, dict) and form.list in inner and _is_named(form, inner):
            return _Shared(form, inner, place.at(form.wrapper) if form.wrapper is not None else place)
    return None


def _is_named(form: _Form, raw: dict[str, Json]) -> bool:
    return form.name in raw if form.name is not None else _FORM_KEYS.issuperset(raw)


def _image(parsing: Parsing, raw: Json, source: Source) -> Parsed:
    """Yield an image of a list, open to everybody or not known to be open to anybody."""
    name = name_of(raw.get("ImageId")) if isinstance(raw, dict) else None
    public = raw.get("Public") if isinstance(raw, dict) else None
    if name is None or not isinstance(raw, dict) or not isinstance(public, bool):
        yield unsupported(f"image {shown(raw)} has no `ImageId`, or does not say whether it is `Public`", source)
        return
    account = account_id(name_of(raw.get("OwnerId"))) or account_id(parsing.hints.account)
    settings = {SHARED_WITH: EVERYBODY if public else "", SHARED_BY: "launchPermission"}
    yield Resource(CLOUD, name, "image", source, account, name_of(raw.get("Name")) or name, settings)
    yield from parsing.account(account, source)


def _resource(parsing: Parsing, shared: _Shared) -> Parsed:
    form, raw, source = shared.form, shared.raw, shared.source
    hinted = parsing.hints.resource
    name = name_of(raw.get(form.name)) if form.name is not None else hinted
    subject = hinted if hinted is not None and read_arn(hinted) is not None else name
    listed = raw[form.list]
    if subject is None and form.name is None:
        yield unsupported(f"accounts that a {form.kind} is shared with, and it is not known which one that is", source)
        return
    if subject is None or not isinstance(listed, list):
        yield unsupported(f"{form.kind} {shown(raw)} has no `{form.name}`, or no list `{form.list}`", source)
        return
    account = account_id(subject) or account_id(parsing.hints.account)
    found: list[str] = []
    for text, place, item in _NAMERS.get(form.attribute, _entries)(listed, source.at(form.list)):
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
            if item["AttributeName"] != _RESTORE:
                continue
            for value in values if isinstance(values, list) else [values]:
                yield (value if isinstance(value, str) else None), place, value
        else:
            yield None, place, item


def _texts(listed: list[Json], source: Source) -> _Named:
    """Yield the accounts of a list; `all` is also written `All`."""
    for number, item in enumerate(listed):
        text = item if isinstance(item, str) else None
        yield EVERYBODY if text == "All" else text, source.at(number), item


_NAMERS: Final[dict[str, Callable[[list[Json], Source], _Named]]] = {_RESTORE: _attributes, _SHARE: _texts}
"""Readers of lists, by the attribute; those of EC2 are alike."""
