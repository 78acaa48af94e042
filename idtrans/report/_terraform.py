"""Terraform blocks as text: every string is escaped here and nowhere else.

https://developer.hashicorp.com/terraform/language/expressions/strings
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from idtrans.model.artifacts import JsonEncode, NestedBlock, Reference, TerraformBlock, TerraformValue
from idtrans.model.documents import Json
from idtrans.model.errors import InternalError
from idtrans.report._safe import safe

_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*", re.ASCII)
_REFERENCE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z_][A-Za-z0-9_-]*|\[[0-9]{1,6}\])*", re.ASCII)
_MARKER: Final = re.compile(r"([$%]*)([$%])\{")
_QUOTED: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_BASIC_PLANE: Final = 0xFFFF
_INDENT: Final = "  "


def terraform(blocks: Iterable[TerraformBlock]) -> str:
    """Return the text of some blocks in the style of `terraform fmt`.

    Raises:
        InternalError: a block type, label, argument name or reference is no identifier. Such names are never built
            from input, so this is a bug in an emitter.
    """
    return "\n".join(_block(block) for block in blocks)


def quoted(text: str) -> str:
    """Return a string literal that stands for exactly this text; nothing in it is interpolated."""
    escaped = "".join(_character(char) for char in text)
    return f'"{_MARKER.sub(_literal_marker, escaped)}"'


def _literal_marker(found: re.Match[str]) -> str:
    """Double the sign before a brace; signs in front of it are spelled out, so that none of them pairs up anew."""
    before = "".join(f"\\u{ord(sign):04x}" for sign in found[1])
    return f"{before}{found[2] * 2}{{"


def _character(char: str) -> str:
    if char in _QUOTED:
        return _QUOTED[char]
    if char.isprintable():
        return char
    code = ord(char)
    if "\ud800" <= char <= "\udfff":
        return "\ufffd"
    return f"\\u{code:04x}" if code <= _BASIC_PLANE else f"\\U{code:08x}"


def _block(block: TerraformBlock) -> str:
    labels = "".join(f' "{_identifier(label)}"' for label in block.labels)
    return "\n".join([f"{_identifier(block.type)}{labels} {{", *_body(block.body, _INDENT), "}", ""])


def _body(body: Mapping[str, TerraformValue], indent: str) -> list[str]:
    """Return the lines of a body: arguments first, as written, then the blocks inside it."""
    arguments = [(_identifier(name), _value(value, indent)) for name, value in body.items() if not _is_nested(value)]
    nested = [(_identifier(name), value) for name, value in body.items() if _is_nested(value)]
    lines = _assignments(arguments, indent)
    for name, value in nested:
        for inner in value if isinstance(value, tuple) else (value,):
            if isinstance(inner, NestedBlock):
                lines += [*([""] if lines else []), f"{indent}{name} {{"]
                lines += [*_body(inner.body, indent + _INDENT), f"{indent}}}"]
    return lines


def _is_nested(value: TerraformValue) -> bool:
    if isinstance(value, tuple):
        return bool(value) and all(isinstance(inner, NestedBlock) for inner in value)
    return isinstance(value, NestedBlock)


def _assignments(arguments: Sequence[tuple[str, str]], indent: str) -> list[str]:
    """Return `name = value` lines; neighbours that fit on one line have their signs below each other."""
    lines: list[str] = []
    run: list[tuple[str, str]] = []
    for name, value in arguments:
        if "\n" in value:
            lines += _aligned(run, indent)
            run = []
            lines.append(f"{indent}{name} = {value}")
        else:
            run.append((name, value))
    return lines + _aligned(run, indent)


def _aligned(run: Sequence[tuple[str, str]], indent: str) -> list[str]:
    width = max((len(name) for name, _ in run), default=0)
    return [f"{indent}{name:<{width}} = {value}" for name, value in run]


def _value(value: TerraformValue | Json, indent: str) -> str:
    if isinstance(value, str):
        return quoted(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    return _compound(value, indent)


def _compound(value: TerraformValue | Json, indent: str) -> str:
    if isinstance(value, Reference):
        return _reference(value)
    if isinstance(value, JsonEncode):
        return f"jsonencode({_value(value.content, indent)})"
    if isinstance(value, Mapping):
        return _object(value, indent)
    if isinstance(value, list | tuple):
        return _list(value, indent)
    raise InternalError(f"a `{type(value).__name__}` cannot stand in a Terraform argument")


def _object(value: Mapping[str, TerraformValue], indent: str) -> str:
    if not value:
        return "{}"
    inner = indent + _INDENT
    entries = [(_key(name), _value(item, inner)) for name, item in value.items()]
    return "\n".join(["{", *_assignments(entries, inner), f"{indent}}}"])


def _list(value: Sequence[TerraformValue], indent: str) -> str:
    if len(value) <= 1:
        return f"[{''.join(_value(item, indent) for item in value)}]"
    inner = indent + _INDENT
    return "\n".join(["[", *(f"{inner}{_value(item, inner)}," for item in value), f"{indent}]"])


def _key(name: str) -> str:
    """Return an object key; one that is no plain identifier is a quoted string."""
    return name if _IDENTIFIER.fullmatch(name) and name not in {"null", "true", "false", "for"} else quoted(name)


def _identifier(name: str) -> str:
    if not _IDENTIFIER.fullmatch(name):
        raise InternalError(f"`{safe(name)}` is not a Terraform identifier")
    return name


def _reference(reference: Reference) -> str:
    if not _REFERENCE.fullmatch(reference.path):
        raise InternalError(f"`{safe(reference.path)}` is not a Terraform reference")
    return reference.path
