"""How the parts are made that every node has: from the configuration to their limits."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from kraftpy.node.replica_parts import make_cleaner
from kraftpy.runtime.cleaner import RetentionPolicy


@pytest.mark.parametrize(("configured", "kept"), [((None, None), (-1, -1)), ((0, 0), (0, 0)), ((5, 7), (5, 7))])
def test_without_a_limit_nothing_is_cleaned(configured, kept):
    """Where the configuration says -1 there is none, which is something else than one of 0."""
    retention_bytes, retention_ms = configured
    log = SimpleNamespace(retention_bytes=retention_bytes, retention_ms=retention_ms)
    cleaner = make_cleaner(
        SimpleNamespace(log=log), SimpleNamespace(directory=None), SimpleNamespace(replica=None, lane=None)
    )
    assert cleaner._policy == RetentionPolicy(retention_bytes=kept[0], retention_ms=kept[1])
