"""How the parts are made that every node has: from the configuration to their limits."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from kraftpy.config.values import FILE_KEYS, default_value
from kraftpy.node.replica_parts import make_cleaner, retention_policy, snapshot_policy
from kraftpy.runtime.cleaner import RetentionPolicy
from kraftpy.runtime.snapshotter import SnapshotPolicy

VALUES = {key.name: default_value(key) for key in FILE_KEYS.values()}


@pytest.mark.parametrize("limits", [(-1, -1), (0, 0), (5, 7)])
def test_without_a_limit_nothing_is_cleaned(limits):
    """Where the configuration says -1 there is none, which is something else than one of 0."""
    values = VALUES | dict(zip(("metadata.max.retention.bytes", "metadata.max.retention.ms"), limits, strict=True))
    cleaner = make_cleaner(
        SimpleNamespace(values=values), SimpleNamespace(directory=None), SimpleNamespace(replica=None, lane=None)
    )
    assert cleaner._policy == RetentionPolicy(retention_bytes=limits[0], retention_ms=limits[1])
    other = VALUES | {"metadata.max.retention.bytes": 3, "metadata.max.retention.ms": 4}
    cleaner.follow(retention_policy(other))
    assert cleaner._policy == RetentionPolicy(retention_bytes=3, retention_ms=4)


def test_snapshots_are_made_by_the_keys_of_the_file():
    values = VALUES | {
        "metadata.log.max.record.bytes.between.snapshots": 3,
        "metadata.log.max.snapshot.interval.ms": 0,
    }
    assert snapshot_policy(values) == SnapshotPolicy(bytes_between=3, interval_ms=0)
