"""What is reported, and what is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kraftpy.node.status_page.warnings import SILENT_MS, warnings_of
from tests.fakes.page_states import healthy, replica

GOOD = healthy()


def warned(**changed):
    parts = {
        "node": GOOD.node,
        "trouble": None,
        "replicas": GOOD.replicas.rows,
        "brokers": GOOD.brokers,
        "partitions": GOOD.partitions,
        "directories": GOOD.disk.directories,
    }
    return list(warnings_of(**parts | changed))


def voters(*others):
    return (replica(1), *others)


def directory(**changed):
    return (replace(GOOD.disk.directories[0], **changed),)


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"node": replace(GOOD.node, not_ready_because="no leader is known")}, "not ready: no leader is known"),
        ({"trouble": "no snapshot can be made"}, "no snapshot can be made"),
        ({"replicas": voters(replica(2, last_fetch_age_ms=SILENT_MS + 1))}, "Voter 2 does not fetch"),
        ({"replicas": voters(replica(2, last_fetch_age_ms=None))}, "Voter 2 does not fetch"),
        ({"replicas": (replica(1, vote_counts=False),)}, "vote of this node, voter 1,"),
        ({"partitions": replace(GOOD.partitions, offline_count=1)}, "1 partition without a leader"),
        (
            {"partitions": replace(GOOD.partitions, under_min_isr_count=2_000)},
            "2,000 partitions below min.insync.replicas",
        ),
        ({"partitions": replace(GOOD.partitions, under_replicated_count=2)}, "2 partitions with a replica out of sync"),
        ({"brokers": replace(GOOD.brokers, fenced_count=1)}, "1 of 1 broker fenced"),
        ({"directories": directory(directory_state="offline")}, "/data is offline"),
        ({"directories": directory(free_bytes=9, total_bytes=100)}, "10th of the disk is free where /data is"),
    ],
)
def test_each_problem_has_one_warning(changed, text):
    (warning,) = warned(**changed)
    assert text in warning


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"replicas": voters(replica(2, last_fetch_age_ms=SILENT_MS))},
        {"replicas": voters(replica(9, replica_kind="observer", last_fetch_age_ms=None))},
        {
            "replicas": (
                replica(1, is_leader=False, last_fetch_age_ms=None),
                replica(2, is_leader=True, last_fetch_age_ms=None),
            )
        },
        {"directories": directory(free_bytes=10, total_bytes=100)},
        {"directories": directory(free_bytes=None, total_bytes=None, directory_state=None)},
    ],
)
def test_what_is_fine_or_unknown_has_none(changed):
    """A node that does not lead knows of no fetches."""
    assert warned(**changed) == []
