"""Bytes to a document: which notation it is, told by its content."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from idtrans.documents._csv_text import CsvOrigin, parse_csv, repeated_columns
from idtrans.documents._faults import Fault, NotTextError, document_error, shown
from idtrans.documents._hcl_text import hcl_origin, is_hcl
from idtrans.documents._json_origin import JsonOrigin
from idtrans.documents._json_text import Doubled, duplicate_pointers, parse_json
from idtrans.documents._limits import LIMITS, Limits
from idtrans.documents._pointers import pointer_of
from idtrans.documents._text import decode_text, url_decoded
from idtrans.model.documents import Document, Format, Hints, Json, Unsupported
from idtrans.model.errors import DocumentError
from idtrans.model.pausing import paused_gc
from idtrans.model.spans import Origin, Place, Source

_SUFFIXES = {
    ".json": Format.JSON,
    ".jsonl": Format.NDJSON,
    ".ndjson": Format.NDJSON,
    ".yaml": Format.YAML,
    ".yml": Format.YAML,
    ".csv": Format.CSV,
}
_JSON_FAMILY = frozenset({Format.JSON, Format.NDJSON})
# Brackets, then something that can only follow them in JSON (or in YAML that is JSON).
_LIKE_JSON = re.compile(
    r'[ \t\n\r]*(?:(?:\[[ \t\n\r]*)*+\{[ \t\n\r]*["}]'
    r'|(?:\[[ \t\n\r]*)++(?:["\d\]-]|true|false|null|NaN|Infinity))'
)
_JSON_SCALAR = re.compile(r'["\d-]|(?:true|false|null)\b')
_CSV_HEAD = re.compile(r"(?P<head>[A-Za-z_]\w*(?:,[A-Za-z_]\w*)+)\r?\n(?P<row>[^\r\n]+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Decoded:
    content: Json
    format: Format
    origin: Origin
    problems: tuple[tuple[str, str], ...] = ()
    """Pointer and reason of each oddity."""


def decode(
    data: bytes, path: str, *, hints: Hints | None = None, explicit: bool = True, limits: Limits = LIMITS
) -> Document:
    """Return the document that the bytes of a file hold.

    The notation is told by the content; the suffix of `path` only decides between notations that both fit. An empty
    file is a document with content `None` and a problem.

    Raises:
        DocumentError: not text, broken JSON, YAML or CSV (with line and column), or a limit exceeded.
    """
    text = url_decoded(decode_text(data, path, limits), Source(Place(path)))
    suffix = _SUFFIXES.get(PurePosixPath(path).suffix.lower())
    with paused_gc():
        decoded = _decode_text(text, path, suffix, limits) if text and not text.isspace() else _empty(path, suffix)
    problems = tuple(Unsupported(reason, Source(decoded.origin, pointer)) for pointer, reason in decoded.problems)
    return Document(decoded.origin, decoded.format, decoded.content, hints or Hints(), problems, explicit)


def is_data_name(path: str) -> bool:
    """Tell whether a file calls itself JSON, YAML or CSV."""
    return PurePosixPath(path).suffix.lower() in _SUFFIXES


def duplicate_problems(root: Json, doubled: Doubled) -> list[tuple[str, str]]:
    """Return pointer and reason for each repeated key of a decoded value."""
    if not doubled:
        return []
    reason = "key {} is written more than once; only its last value is read"
    return [(pointer_of(*path, key), reason.format(shown(key))) for path, key in duplicate_pointers(root, doubled)]


def _empty(path: str, suffix: Format | None) -> _Decoded:
    return _Decoded(None, suffix or Format.JSON, JsonOrigin(path, ""), (("", "the file is empty"),))


def _decode_text(text: str, path: str, suffix: Format | None, limits: Limits) -> _Decoded:
    attempts = _attempts(text, suffix)
    faults: dict[Format, Fault] = {}
    for notation in attempts:
        try:
            return _PARSERS[notation](text, path, suffix, limits)
        except Fault as fault:
            faults[notation] = fault
    named = Format.JSON if suffix in _JSON_FAMILY else suffix
    chosen = faults[named if named in faults else attempts[-1]]
    # Only limits come with advice: a file past a limit was understood so far, and is not something else.
    undecided = suffix is None and attempts[0] is Format.YAML and chosen.advice is None
    raise document_error(chosen, path, text, kind=NotTextError if undecided else DocumentError) from chosen


def _attempts(text: str, suffix: Format | None) -> tuple[Format, ...]:
    """Return the notations that a text may be in, likeliest first."""
    start = text.lstrip()
    if _LIKE_JSON.match(text):
        return (Format.JSON, Format.YAML) if suffix is Format.YAML else (Format.JSON,)
    if start[0] in "[{":
        return (Format.JSON,) if suffix in _JSON_FAMILY else (Format.YAML, Format.JSON)
    if is_hcl(text):
        return (Format.HCL,)
    if _is_csv(start, suffix):
        return (Format.CSV,)
    if suffix in _JSON_FAMILY or _JSON_SCALAR.match(start):
        return (Format.JSON, Format.YAML)
    return (Format.YAML,)


def _is_csv(start: str, suffix: Format | None) -> bool:
    if suffix is Format.CSV:
        return "," in start.partition("\n")[0]
    match = _CSV_HEAD.match(start)
    return match is not None and match["head"].count(",") == match["row"].count(",")


def _json(text: str, path: str, suffix: Format | None, limits: Limits) -> _Decoded:
    parsed = parse_json(text, limits)
    if len(parsed.values) > 1 or suffix is Format.NDJSON:
        problems = duplicate_problems(parsed.values, parsed.doubled)
        return _Decoded(parsed.values, Format.NDJSON, JsonOrigin(path, text, parsed.starts), tuple(problems))
    problems = duplicate_problems(parsed.values[0], parsed.doubled)
    return _Decoded(parsed.values[0], Format.JSON, JsonOrigin(path, text), tuple(problems))


def _yaml(text: str, path: str, suffix: Format | None, limits: Limits) -> _Decoded:
    # PyYAML is loaded for YAML only.
    from idtrans.documents._yaml_origin import YamlOrigin
    from idtrans.documents._yaml_text import parse_yaml

    parsed = parse_yaml(text, limits)
    origin = YamlOrigin(path, text, limits)
    if not parsed.values:
        return _Decoded(None, Format.YAML, origin, (("", "the file holds no value"),))
    single = len(parsed.values) == 1
    content = parsed.values[0] if single else parsed.values
    if suffix in _JSON_FAMILY and not isinstance(content, dict | list):
        raise Fault("broken JSON: neither an object nor a list", 0)
    problems = [(pointer.removeprefix("/0") if single else pointer, reason) for pointer, reason in parsed.problems]
    return _Decoded(content, Format.YAML, origin, tuple(problems))


def _csv(text: str, path: str, suffix: Format | None, limits: Limits) -> _Decoded:
    del suffix
    parsed = parse_csv(text, limits)
    reasons = (
        f"column {shown(name)} stands more than once; its last value is read"
        for name in repeated_columns(parsed.header)
    )
    return _Decoded(parsed.rows, Format.CSV, CsvOrigin(path, parsed.lines), tuple(("", reason) for reason in reasons))


def _hcl(text: str, path: str, suffix: Format | None, limits: Limits) -> _Decoded:
    del suffix, limits
    return _Decoded(text, Format.HCL, hcl_origin(path, text))


_PARSERS: dict[Format, Callable[[str, str, Format | None, Limits], _Decoded]] = {
    Format.JSON: _json,
    Format.YAML: _yaml,
    Format.CSV: _csv,
    Format.HCL: _hcl,
}
