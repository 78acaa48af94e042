"""Files that hold an IAM document as the raw API gives it: URL-encoded JSON."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from idtrans.documents import decode
from idtrans.model.documents import Format
from idtrans.model.errors import DocumentError

POLICY = '{"Statement": [{"Effect": "Allow", "Resource": "a%7Bb%25"}]}'


@pytest.mark.parametrize("lead", ["", "\n ", "\ufeff"])
def test_an_encoded_file_is_decoded_once(lead):
    document = decode((lead + quote(POLICY)).encode(), "policy.json")
    assert (Format.JSON, "a%7Bb%25") == (document.format, document.content["Statement"][0]["Resource"])


def test_a_plain_file_keeps_its_percent_signs():
    assert "a%7Bb%25" == decode(POLICY.encode(), "policy.json").content["Statement"][0]["Resource"]


def test_what_is_not_text_once_decoded_is_an_error():
    with pytest.raises(DocumentError, match="not UTF-8"):
        decode(b"%7B%22a%22:%22%ff%22%7D", "policy.json")


def test_broken_json_is_told_after_decoding():
    with pytest.raises(DocumentError, match="line 1"):
        decode(quote('{"a": }').encode(), "policy.json")
