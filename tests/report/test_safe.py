from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idtrans.report import safe


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain `name` ${x} é 漢", "plain `name` ${x} é 漢"),
        ("", ""),
        ("a\nb\rc\td", "a\\nb\\rc\\td"),
        ("\x1b[2Jgone", "\\x1b[2Jgone"),
        ("\x9b31m", "\\x9b31m"),
        ("\u202eevil", "\\u202eevil"),
        ("a\u2028b", "a\\u2028b"),
        ("\ud800", "\\ud800"),
        ("\U000e0001", "\\U000e0001"),
    ],
)
def test_what_steers_a_terminal_is_written_out(text, shown):
    assert shown == safe(text)


@given(st.text(st.characters()))
def test_a_safe_text_is_one_printable_line(text):
    assert safe(text).isprintable()
