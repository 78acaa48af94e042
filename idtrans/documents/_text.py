"""Bytes to text: byte order marks, encodings, files that are not text."""

from __future__ import annotations

import codecs
import re
from urllib.parse import unquote

from idtrans.documents._faults import Fault, NotTextError, document_error
from idtrans.documents._limits import Limits
from idtrans.model.errors import DocumentError
from idtrans.model.spans import Place, Source

# The UTF-32 little-endian mark begins with the UTF-16 one, so it is asked for first.
_UTF32_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_ADVICE = "save the file as UTF-8"
_ENCODED_OBJECT = re.compile(r"\s*%7[Bb]")


def decode_text(data: bytes, path: str, limits: Limits) -> str:
    """Return the text of a file: UTF-8 with or without a byte order mark, or UTF-16 with one.

    Raises:
        DocumentError: the file is larger than the limit, is in another encoding, or is not text.
    """
    if len(data) > limits.max_bytes:
        raise too_large(path, limits)
    if data.startswith(_UTF32_MARKS):
        raise NotTextError("UTF-32 text is not read", source=Source(Place(path)), advice=_ADVICE)
    encoding, body = _encoding(data)
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        before = body[: error.start].decode(encoding, errors="replace")
        reason = f"not {encoding.upper()} text: byte `0x{body[error.start]:02x}`"
        raise document_error(Fault(reason, len(before), advice=_ADVICE), path, before, kind=NotTextError) from error
    nul = text.find("\0")
    if nul >= 0:
        advice = "UTF-16 text needs a byte order mark" if encoding == "utf-8" else None
        raise document_error(Fault("binary data: a NUL character", nul, advice=advice), path, text, kind=NotTextError)
    return text


def url_decoded(text: str, source: Source) -> str:
    """Return JSON that IAM hands out URL-encoded as JSON; any other text comes back as it is.

    It is decoded once, and told by its first character, an encoded brace: a `%7B` inside of JSON stays.
    https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetRolePolicy.html

    Raises:
        DocumentError: what is decoded is not UTF-8.
    """
    if not _ENCODED_OBJECT.match(text):
        return text
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError as error:
        raise DocumentError("the URL-encoded document is not UTF-8", source=source) from error


def too_large(path: str, limits: Limits) -> DocumentError:
    """Return the error for a file over the size limit."""
    message = f"the file is larger than the limit of {limits.max_bytes} bytes (`max_bytes`)"
    return DocumentError(message, source=Source(Place(path)), advice=limits.advice("max_bytes"))


def _encoding(data: bytes) -> tuple[str, bytes]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding, data[len(mark) :]
    return "utf-8", data
