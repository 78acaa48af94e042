"""The hierarchy: organizations, folders and projects, from `ancestors` lists and from listings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from idtrans.clouds.gcp._fields import CLOUD_NAME, Item, problem, shown
from idtrans.clouds.gcp._names import CONTAINER, PROJECTS_HOST, container_of, is_number
from idtrans.model.documents import Unsupported
from idtrans.model.entities import Container, Entity
from idtrans.model.spans import Source

Found = Iterator[Entity | Unsupported]


def container(id_: str, source: Source, *, parent: str | None = None, alias: str | None = None) -> Container:
    """Return a container by its canonical id."""
    aliases = (alias,) if alias is not None and alias != id_ else ()
    return Container(CLOUD_NAME, id_, id_.partition("/")[0].removesuffix("s"), source, parent=parent, aliases=aliases)


def chain(ancestors: Sequence[str], source: Source, scope: str = "") -> Found:
    """Yield the containers of an `ancestors` list, nearest first, each with its parent.

    A scope that is a container itself and is not named in the list stands below it.
    """
    names = [name for name in ancestors if CONTAINER.fullmatch(name)]
    for name in ancestors:
        if not CONTAINER.fullmatch(name):
            yield problem(f"{shown(name)} is not a project, folder or organization", source)
    if names and CONTAINER.fullmatch(scope) and scope not in names:
        names = _with_scope(names, scope)
        if scope.startswith("projects/") and scope not in names:
            yield container(names[0], source, alias=scope)
    for index, name in enumerate(names):
        yield container(name, source, parent=names[index + 1] if index + 1 < len(names) else None)


def _with_scope(names: list[str], scope: str) -> list[str]:
    """Put a scope below its ancestors, unless the list starts with the number of the same project."""
    same_project = names[0].startswith("projects/") and scope.startswith("projects/")
    return names if same_project else [scope, *names]


def named_alias(name: str, project: str | None, source: Source) -> Found:
    """Yield what a resource name teaches: it carries the project's id where the ancestors carry its number."""
    if "projects/" not in name:
        return
    stated = container_of(name.removeprefix(PROJECTS_HOST) if name.startswith(PROJECTS_HOST) else name)
    if stated is None or project is None or stated == project:
        return
    if (
        stated.startswith("projects/")
        and project.startswith("projects/")
        and is_number(project)
        and not is_number(stated)
    ):
        yield container(project, source, alias=stated)


def parse_container(item: Item) -> Found:
    """Read one project, folder or organization, from a listing or from the data of an asset."""
    project_id, number = item.text("projectId"), item.get("projectNumber")
    if project_id is not None:
        parent = _parent(item)
        name = (
            f"projects/{number}"
            if isinstance(number, str | int) and str(number).isdigit()
            else f"projects/{project_id}"
        )
        yield _named(container(name, item.source, parent=parent, alias=f"projects/{project_id}"), item)
        return
    name = item.text("name") or ""
    name = name.removeprefix(PROJECTS_HOST)
    if CONTAINER.fullmatch(name):
        yield _named(container(name, item.source, parent=_parent(item)), item)
    else:
        yield problem(f"{shown(name)} is not a project, folder or organization", item.source)


def _named(found: Container, item: Item) -> Container:
    name = item.text("displayName") or (item.text("name") if found.kind == "project" else None)
    return Container(found.cloud, found.id, found.kind, found.source, found.parent, name, found.aliases)


def _parent(item: Item) -> str | None:
    """Read `parent`, which is `folders/1` or `{type: folder, id: 1}`."""
    value = item.get("parent")
    if isinstance(value, dict):
        kind, number = value.get("type"), value.get("id")
        value = f"{kind}s/{number}" if isinstance(kind, str) and isinstance(number, str | int) else None
    if isinstance(value, str):
        value = value.removeprefix(PROJECTS_HOST)
        return value if CONTAINER.fullmatch(value) else None
    return None


def ancestors_of(items: Sequence[Item]) -> tuple[str, ...]:
    """Return the containers of a `get-ancestors` list, nearest first; what is none is left out."""
    found = []
    for item in items:
        kind, key = item.text("type") or "", item.get("id")
        name = f"{kind.lower()}s/{key}"
        if isinstance(key, str | int) and CONTAINER.fullmatch(name) and kind.lower() in _KINDS:
            found.append(name)
    return tuple(found)


_KINDS = ("project", "folder", "organization")
