"""What a watcher hands out, whatever a server sends."""

from __future__ import annotations

import pytest

from kraftpy.client import values as v
from kraftpy.client.connection import Access
from kraftpy.client.nodes import Nodes
from kraftpy.client.watching import Watcher
from kraftpy.model.errors import MalformedError
from kraftpy.pb.v1 import cluster_pb2


def batch(base, last):
    return v.WatchedBatch(base_offset=base, last_offset=last, epoch=1, is_control=False, records=b"")


def watcher(from_offset):
    return Watcher(Nodes(["a:1"], lambda: 0.0), Access(), from_offset, wanted=cluster_pb2.WatchRequest())


def test_what_was_seen_is_dropped():
    """A batch that was handed out already is not handed out again."""
    watching = watcher(0)
    assert [watching._is_new(each) for each in (batch(0, 4), batch(0, 4), batch(5, 5))] == [True, False, True]
    assert watching.next_offset == 6


def test_the_first_batch_may_begin_earlier():
    """A batch in whose middle the watch begins is handed out whole."""
    watching = watcher(3)
    assert watching._is_new(batch(0, 4))
    assert watching.next_offset == 5


def test_holes_are_errors():
    """A server that leaves offsets out is caught."""
    watching = watcher(0)
    watching._is_new(batch(0, 4))
    with pytest.raises(MalformedError, match="went on at offset 7 where 5 was due"):
        watching._is_new(batch(7, 8))


@pytest.mark.parametrize("missing", [1, 2, 1_000])
def test_not_one_offset_may_be_missing(missing):
    """A hole of a single offset is found: at the start, behind a batch, and behind a snapshot; no hole is none."""
    for before, due in ([], 3), ([batch(3, 6)], 7), ([v.SnapshotBegins(9, 1), v.SnapshotEnds(9)], 9):
        watching = watcher(3)
        for event in before:
            watching._is_new(event)
        with pytest.raises(MalformedError, match=f"went on at offset {due + missing} where {due} was due"):
            watching._is_new(batch(due + missing, due + missing + 5))
        assert watching.next_offset == due
        assert watching._is_new(batch(due, due))


@pytest.mark.parametrize("end", [0, 4, 5])
def test_a_snapshot_that_ends_before_what_was_seen_is_refused(end):
    """A snapshot never takes a watcher back, nor does it keep it where it is: it would be sent for ever."""
    for event in v.SnapshotBegins(end, 1), v.SnapshotEnds(end):
        watching = watcher(0)
        watching._is_new(batch(0, 4))
        with pytest.raises(MalformedError, match=f"a snapshot that ends at offset {end} where 5 was due"):
            watching._is_new(event)
        assert watching.next_offset == 5
    watching._is_new(v.SnapshotBegins(6, 1))
    assert watching._is_new(v.SnapshotEnds(6))


def test_a_snapshot_moves_the_watcher_when_it_is_complete():
    """Only the end of a snapshot moves the offset, so that a broken one is sent again."""
    watching = watcher(3)
    assert watching._is_new(v.SnapshotBegins(10, 1))
    assert watching._is_new(v.SnapshotPart(b""))
    assert watching.next_offset == 3
    assert watching._is_new(v.SnapshotEnds(10))
    assert watching.next_offset == 10
