"""Which files a list of paths stands for."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from idtrans.documents._found import STDIN, Candidate, Skipped, shown_path, unreadable
from idtrans.documents._limits import LIMITS, Limits
from idtrans.documents._manifest import MANIFEST, merged, parse_manifest
from idtrans.model.documents import Hints
from idtrans.model.errors import DocumentError
from idtrans.model.spans import Place, Source

Found: TypeAlias = Candidate | Skipped | DocumentError
"""What one step of looking for files brings up: a file, something left out, or something wrong."""


def discover(
    paths: Sequence[str | os.PathLike[str]],
    *,
    hints: Hints | None = None,
    limits: Limits = LIMITS,
    stdin: bytes | None = None,
) -> Iterator[Found]:
    """Yield what the paths stand for, in a fixed order: files, folders (walked by name), and `-` for `stdin`.

    `hints` hold for every file, except where an `estate.yaml` says otherwise. What is left out (hidden folders, links
    to folders or out of the root, things that are not files) is yielded as `Skipped`; a missing file or a folder that
    cannot be listed as a `DocumentError`, so that it never hides the rest.

    Raises:
        DataError: an `estate.yaml` breaks its schema.
    """
    found = _all(paths, hints or Hints(), limits, stdin)
    count = 0
    for item in found:
        count += isinstance(item, Candidate)
        if count > limits.max_files:
            message = f"more files than the limit of {limits.max_files} (`max_files`)"
            path = item.path if isinstance(item, Candidate) else STDIN
            yield DocumentError(message, source=Source(Place(path)), advice=limits.advice("max_files"))
            return
        yield item


def _all(paths: Sequence[str | os.PathLike[str]], hints: Hints, limits: Limits, stdin: bytes | None) -> Iterator[Found]:
    for given in paths:
        name = os.fspath(given)
        if name == STDIN:
            yield Candidate(STDIN, None, hints, stdin=stdin)
            continue
        file = Path(os.path.normpath(name))
        try:
            is_folder = file.is_dir()
        except OSError as error:
            yield unreadable(shown_path(file), error)
            continue
        if is_folder:
            yield from _Walk(file, hints, limits).run()
        else:
            yield _named(file, hints)


def _named(file: Path, hints: Hints) -> Found:
    if file.exists():
        return Candidate(shown_path(file), file, hints)
    return DocumentError("no such file or folder", source=Source(Place(shown_path(file))))


class _Walk:
    """One folder that a user named, with everything below it."""

    def __init__(self, root: Path, hints: Hints, limits: Limits) -> None:
        self._root = root
        self._real_root = Path(os.path.realpath(root))
        self._hints = hints
        self._limits = limits
        self._listed: dict[str, tuple[Hints, ...]] = {}
        """Hints by path relative to the root. A manifest further down replaces what one above says."""
        self._stated_in: dict[str, str] = {}
        self._met: set[str] = set()

    def run(self) -> Iterator[Found]:
        # A stack and not recursion: folders may be nested as deeply as the system allows.
        pending = [self._root]
        while pending:
            path = pending.pop()
            try:
                if self._is_folder(path):
                    pending += sorted(self._enter(path), reverse=True)
                else:
                    yield from self._leaf(path)
            except OSError as error:
                yield unreadable(self._name(path), error)
        yield from self._missing()

    def _is_folder(self, path: Path) -> bool:
        if path == self._root:
            return True
        return path.is_dir() and not path.is_symlink() and not path.name.startswith(".")

    def _enter(self, folder: Path) -> list[Path]:
        children = [Path(entry.path) for entry in os.scandir(folder)]
        for child in children:
            if child.name == MANIFEST and child.is_file() and self._stays_inside(child):
                self._read_manifest(child)
        return children

    def _read_manifest(self, file: Path) -> None:
        path = self._name(file)
        below = path.removesuffix(MANIFEST)
        for name, hints in parse_manifest(Candidate(path, file), self._limits).items():
            self._listed[below + name] = hints
            self._stated_in[below + name] = path

    def _leaf(self, path: Path) -> Iterator[Found]:
        name = self._name(path)
        reason = self._reason_to_skip(path)
        if reason is not None:
            yield Skipped(name, reason)
            return
        if path.name == MANIFEST:
            return
        self._met.add(name)
        for hints in self._listed.get(name, (Hints(),)):
            yield Candidate(name, path, merged(hints, self._hints), explicit=False)

    def _reason_to_skip(self, path: Path) -> str | None:
        if path.is_symlink() and not self._stays_inside(path):
            return "a link that leaves the folder"
        if path.is_dir():
            return "a link to a folder, which is read by its own name" if path.is_symlink() else "a hidden folder"
        if path.is_symlink() and not path.exists():
            return "a link to nothing"
        return None if path.is_file() else "not a regular file"

    def _stays_inside(self, path: Path) -> bool:
        return Path(os.path.realpath(path)).is_relative_to(self._real_root)

    def _missing(self) -> Iterator[Found]:
        for name in sorted(set(self._listed) - self._met):
            message = f"listed in `{self._stated_in[name]}`, and there is no such file to read"
            yield DocumentError(message, source=Source(Place(name)))

    def _name(self, path: Path) -> str:
        return shown_path(path.relative_to(self._root))
