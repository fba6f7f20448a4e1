"""The time zone of this process, for a test."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

HALF_HOUR_EAST = "IST-5:30"
HALF_HOUR_WEST = "NST3:30"
"""In POSIX's form, which needs no database of zones: what is added to local time for UTC."""


@contextmanager
def local_zone(name: str) -> Iterator[None]:
    """Let local times be of a zone; ``name`` is a value of ``TZ``."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", name)
        time.tzset()
        try:
            yield
        finally:
            patch.undo()
            time.tzset()
