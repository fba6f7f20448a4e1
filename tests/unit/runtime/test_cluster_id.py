"""The publisher of the cluster id: the files first, the memory second, and never another id. Source: KIP-1262."""

from __future__ import annotations

import asyncio

import pytest

from kraftpy.image import EMPTY
from kraftpy.model.errors import ConfigError, StorageError
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.records.metadata import ClusterIdRecord
from kraftpy.runtime.cluster_id import ClusterIdPublisher
from tests.unit.controller.worlds import image_of, level_record


def publisher(journal, *, known=None, expected=None, persist=None):
    return ClusterIdPublisher(
        known=known,
        expected=expected,
        persist=lambda found, then: (persist or (lambda one: journal.append(("persist", one))))(found) or then(),
        on_discovered=lambda found: journal.append(("announce", found)),
    )


def found(cluster_id):
    return image_of(level_record(40), ClusterIdRecord(cluster_id=cluster_id)) if cluster_id else EMPTY


def publish(one, cluster_id):
    one.on_metadata_update(None, found(cluster_id), None)


def test_the_files_come_before_the_memory():
    """A discovered id is persisted, then known and announced; at the time of the write it is not known yet."""
    journal = []
    one = publisher(journal, persist=lambda found: journal.append(("persist", found, one.value)))
    publish(one, "abc")
    assert journal == [("persist", "abc", None), ("announce", "abc")]
    assert one.value == "abc"


def test_a_slow_disk_is_asked_once():
    """While the files are being written the id is not known, it is not written again, and no other one is taken."""
    journal, written = [], []
    one = ClusterIdPublisher(
        known=None, expected=None, persist=lambda _, then: written.append(then), on_discovered=journal.append
    )
    publish(one, "abc")
    publish(one, "abc")
    assert (one.value, journal, len(written)) == (None, [], 1)
    with pytest.raises(ConfigError, match="belongs to cluster 'abc'"):
        publish(one, "xyz")
    written[0]()
    assert (one.value, journal) == ("abc", ["abc"])


def test_it_is_discovered_once():
    """The same id in later images is neither written nor announced again."""
    journal = []
    one = publisher(journal)
    for cluster_id in (None, "abc", "abc"):
        publish(one, cluster_id)
    assert len(journal) == 2


def test_what_the_files_held_is_not_written_again():
    """A node that starts with an id writes nothing when the log names the same."""
    journal = []
    one = publisher(journal, known="abc")
    publish(one, "abc")
    assert journal == []
    assert one.value == "abc"


def test_an_id_that_is_not_durable_is_not_known():
    """When the write fails the id is not published, and its waiters go on waiting."""
    journal = []

    def refuse(_):
        raise StorageError("no room")

    one = publisher(journal, persist=refuse)
    with pytest.raises(StorageError):
        publish(one, "abc")
    assert (one.value, journal) == (None, [])


def test_the_pin_is_checked_before_anything_is_written():
    """A log of another cluster than the pinned one stops the node, names both ids, and writes nothing."""
    journal = []
    one = publisher(journal, expected="mine")
    with pytest.raises(ConfigError, match=r"'mine'.*'theirs'.*nothing was written"):
        publish(one, "theirs")
    assert (one.value, journal) == (None, [])
    publish(one, "mine")
    assert one.value == "mine"


def test_a_node_stays_in_its_cluster():
    """A node that belongs to one cluster stops when the log it follows is of another, and names both."""
    journal = []
    one = publisher(journal, known="mine")
    with pytest.raises(ConfigError, match=r"'mine'.*'theirs'"):
        publish(one, "theirs")
    assert (one.value, journal) == ("mine", [])


async def test_waiters_get_the_durable_id():
    """Present waiters get the id once it is durable; later ones get it at once."""
    journal = []
    one = publisher(journal)
    waiting = [asyncio.create_task(one.wait()) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    await asyncio.sleep(0)
    publish(one, "abc")
    assert [await task for task in waiting[1:]] == ["abc", "abc"]
    assert await one.wait() == "abc"


async def test_the_end_lets_waiters_go():
    """When the node stops no waiter for the id is left, whichever node leads."""
    one = publisher([])
    waiting = asyncio.create_task(one.wait())
    await asyncio.sleep(0)
    one.on_controller_change(LeaderAndEpoch(1, 1))
    one.close()
    with pytest.raises(asyncio.CancelledError):
        await waiting
