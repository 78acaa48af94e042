"""Putting names in the place of placeholders in what was written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from idtrans.model.artifacts import Argv, Emission, JsonArgument, JsonEncode, Native, NestedBlock, TerraformBlock
from idtrans.model.intents import Names

if TYPE_CHECKING:
    from idtrans.model.intents import Scope

_FIELDS: Final[Mapping[type, str]] = {
    Argv: "words",
    JsonArgument: "content",
    JsonEncode: "content",
    Native: "content",
    NestedBlock: "body",
    TerraformBlock: "body",
}
"""Where the parts of an artifact hold what was written."""


def fill(emission: Emission, names: Names) -> Emission:
    """Return an emission with every placeholder replaced for which a name is given."""
    values = _values(names)
    if not values:
        return emission
    return replace(
        emission,
        natives=_filled(emission.natives, values),
        commands=_filled(emission.commands, values),
        terraform=_filled(emission.terraform, values),
        placeholders=tuple(name for name in emission.placeholders if name not in values),
    )


def fill_scope(scope: Scope, names: Names) -> Scope:
    """Return a scope with every placeholder replaced for which a name is given."""
    values = _values(names)
    return replace(scope, native=_filled(scope.native, values), parts=_filled(dict(scope.parts), values))


def filled_text(text: str, names: Names) -> str:
    """Return a text with every placeholder replaced for which a name is given."""
    return _text(text, _values(names))


def _values(names: Names) -> dict[str, str]:
    return {Names().get(key): value for key, value in names.values.items() if value}


def _filled(value: Any, values: Mapping[str, str]) -> Any:  # noqa: ANN401 - any part of an artifact, and the same kind back
    if isinstance(value, str):
        return _text(value, values)
    if isinstance(value, Argv) and value.stdin is not None:
        return replace(value, words=_filled(value.words, values), stdin=_filled(value.stdin, values))
    field = _FIELDS.get(type(value))
    if field is not None:
        return replace(value, **{field: _filled(getattr(value, field), values)})
    if isinstance(value, tuple | list):
        return type(value)(_filled(item, values) for item in value)
    if isinstance(value, Mapping):
        return {key: _filled(item, values) for key, item in value.items()}
    return value


def _text(text: str, values: Mapping[str, str]) -> str:
    for placeholder, value in values.items():
        text = text.replace(placeholder, value)
    return text
