"""JSON documents that other documents carry as text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from idtrans.documents._decode import duplicate_problems
from idtrans.documents._faults import Fault, shown, spot
from idtrans.documents._json_text import JsonValues, parse_one
from idtrans.documents._limits import LIMITS, Limits
from idtrans.documents._pointers import value_at
from idtrans.documents._text import url_decoded
from idtrans.model.documents import Document, Format, Json, Unsupported
from idtrans.model.errors import DocumentError
from idtrans.model.spans import Origin, Source


class Decoding(Enum):
    """Whether the place that carries a document may have URL-encoded it."""

    BY_SHAPE = "by-shape"
    """IAM documents: URL-encoded in raw API output, plain JSON where a client decoded them.

    https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetRolePolicy.html
    """
    PLAIN = "plain"
    """Resource policies and everything else: JSON text, in which `%zz` is just three characters."""


@dataclass(frozen=True, slots=True, eq=False)
class CarriedOrigin:
    """Origin of values inside a carried text: they all stand on the line of the text that carries them."""

    carrier: Origin
    pointer: str
    """Pointer of the carrying text; pointers of values inside begin with it."""

    @property
    def path(self) -> str:
        """Path of the carrying document."""
        return self.carrier.path

    def line(self, pointer: str) -> int | None:
        """Return the line of the carrying text."""
        inside = not pointer or pointer == self.pointer or pointer.startswith(self.pointer + "/")
        return self.carrier.line(self.pointer if inside else pointer)


def embedded(document: Document, pointer: str, *, url_encoded: Decoding, limits: Limits = LIMITS) -> Document:
    """Return the document that a value of `document` carries.

    A value that is already decoded is returned as it stands. A text is decoded once: by `Decoding.BY_SHAPE` a text
    that begins with `%7B` is URL-encoded JSON and any other is JSON; by `Decoding.PLAIN` every text is JSON. Sources
    inside the result have the carrying pointer followed by the inner one, and the line of the carrying text.

    Raises:
        DocumentError: there is no such value, or its text is not one JSON value within the limits.
    """
    carrier = Source(document.origin, document.pointer + pointer)
    try:
        value = value_at(document.content, pointer)
    except LookupError:
        raise DocumentError(f"no value at {shown(pointer)}", source=document.source) from None
    if not isinstance(value, str):
        return replace(document, content=value, problems=_inside(document, carrier), pointer=carrier.pointer)
    text = url_decoded(value, carrier) if url_encoded is Decoding.BY_SHAPE else value
    parsed = _parse(text, carrier, limits)
    origin = CarriedOrigin(carrier.origin, carrier.pointer)
    content: Json = parsed.values[0]
    problems = tuple(
        Unsupported(reason, Source(origin, carrier.pointer + inner))
        for inner, reason in duplicate_problems(content, parsed.doubled)
    )
    return Document(origin, Format.JSON, content, document.hints, problems, document.explicit, pointer=carrier.pointer)


def _inside(document: Document, carrier: Source) -> tuple[Unsupported, ...]:
    below = carrier.pointer + "/"
    return tuple(problem for problem in document.problems if problem.source.pointer.startswith(below))


def _parse(text: str, carrier: Source, limits: Limits) -> JsonValues:
    try:
        return parse_one(text, limits)
    except Fault as fault:
        place = spot(carrier.path, text, fault.index)
        where = f"at line {place.at_line}, column {place.column} of the text at {shown(carrier.pointer)}"
        raise DocumentError(f"{fault.reason}, {where}", source=carrier, advice=fault.advice) from fault
