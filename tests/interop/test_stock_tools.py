"""Kafka's tools on our controllers: every call comes to what it came to on Kafka's, or differs on purpose.

What the calls come to on Kafka's controllers is recorded; ``make kafka-tools`` records it again, and writes
docs/kafka-tools.md.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interop.jars import Jars
from tests.interop.stock_tools import results
from tests.interop.stock_tools.judging import compare


@pytest.mark.timeout(600)
def test_every_call_comes_to_what_was_recorded(jars: Jars, root: Path) -> None:
    """Exit code and output, call by call; a difference is the one that the page names."""
    _, recorded = results.load()
    found = list(compare(jars, root, [(one.call, one.theirs) for one in recorded]))
    assert len(found) == len(recorded)
    wrong = [
        f"{each}\n{each.verdict}, and recorded was {one.verdict}"
        for each, one in zip(found, recorded, strict=True)
        if each.verdict != one.verdict
    ]
    assert not wrong, "\n\n".join(wrong)
