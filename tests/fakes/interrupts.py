"""Children that get SIGINT, also where the tests run as a background job, which has it ignored."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def children_get_sigint() -> Iterator[None]:
    """Let processes that are started within have the signal's default; one that is ignored would be inherited."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
