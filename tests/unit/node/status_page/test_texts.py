"""Values as text."""

from __future__ import annotations

import pytest

from kraftpy.node.status_page.texts import Form, text_of


@pytest.mark.parametrize(
    ("form", "value", "text"),
    [
        (Form.COUNT, 0, "0"),
        (Form.COUNT, 1_234_567, "1,234,567"),
        (Form.COUNT, -1, "-1"),
        (Form.ID, 1_234_567, "1234567"),
        (Form.BYTES, 1_023, "1023 bytes"),
        (Form.BYTES, 1_024, "1.0 KiB"),
        (Form.BYTES, 1_024 * 1_024 - 1, "1023.9 KiB"),
        (Form.BYTES, 5_000_000, "4.7 MiB"),
        (Form.BYTES, 2**63, "8.0 EiB"),
        (Form.DURATION, 999, "999 ms"),
        (Form.DURATION, 1_999, "1 s"),
        (Form.DURATION, 61_000, "1 min 1 s"),
        (Form.DURATION, 3_659_999, "1 h 0 min"),
        (Form.DURATION, 90_061_000, "1 d 1 h"),
        (Form.TIME, 1_795_768_413_637, "2026-11-27 08:33:33 UTC"),
        (Form.LIST, [1, 2], "1, 2"),
        (Form.LIST, [], "none"),
        (Form.YES_NO, False, "no"),
        (Form.YES_NO, True, "yes"),
        (Form.WORD, "underMinIsr", "under min isr"),
        (Form.WORD, "controlled_shutdown", "controlled shutdown"),
        (Form.TEXT, "a_B", "a_B"),
        (Form.COUNT, None, "unknown"),
    ],
)
def test_texts(form, value, text):
    assert text_of(value, form, "unknown") == text


def test_every_form_has_a_text():
    assert {form for form in Form if text_of(None, form, "-") == "-"} == set(Form)
