"""When a cluster rests, and when it is back."""

from __future__ import annotations

import dataclasses
import re

import pytest

from kraftpy.disaster_recovery.cluster_shutdown import (
    ClusterShutdown,
    QuorumProgress,
    check_directories,
    read_shutdown,
    why_not_complete,
    why_not_stoppable,
)
from kraftpy.model.errors import LocalError
from tests.unit.disaster_recovery.quorums import CLUSTER, directory_of, survey, three

NODES = (1, 2, 7)


def seen(offset=30, *, epoch=4, leader_id=1, **ends):
    found = dict.fromkeys(NODES, offset) | {int(name[1:]): end for name, end in ends.items()}
    return QuorumProgress(leader_id=leader_id, epoch=epoch, high_watermark=offset, ends=found)


SHUTDOWN = ClusterShutdown(cluster_id=CLUSTER, offset=30, epoch=4, leader_id=1, node_ids=NODES)


@pytest.mark.parametrize(
    ("now", "before", "reason"),
    [
        (seen(), seen(), None),
        (seen(), None, "checked only once"),
        (seen(), seen(29), "from 29 to 30"),
        (seen(), seen(epoch=3), "from 3 to 4: there was an election"),
        (seen(n7=29), seen(), "node 7 is at offset 29, not 30"),
        (seen(n7=31), seen(), "node 7 is at offset 31, not 30"),
        (seen(n2=None), seen(), "node 2 is at offset unknown"),
        (seen(leader_id=None), seen(), "no leader"),
        (seen(None), seen(None), "no leader"),
    ],
)
def test_a_cluster_rests_when_all_hold_the_same_twice(now, before, reason):
    """One that lags, one that has more than is committed, one that is silent, and a writer keep it awake."""
    found = why_not_stoppable(now, NODES, before)
    assert found is None if reason is None else reason in found


@pytest.mark.parametrize(
    ("now", "reason"),
    [
        (seen(32, epoch=5, n7=30), None),
        (seen(29), "only offsets below 29 are committed; at the shutdown, below 30"),
        (seen(32, n2=29), "node 2 is at offset 29, below 30"),
        (seen(32, n2=None), "node 2 is at offset unknown"),
        (seen(leader_id=None), "no leader"),
    ],
)
def test_a_cluster_is_back_when_every_node_has_what_it_had(now, reason):
    """More may be there by now; less may not."""
    found = why_not_complete(now, SHUTDOWN)
    assert found is None if reason is None else reason in found


def test_the_record_is_read_as_it_was_written():
    """And nothing else passes for one."""
    text = SHUTDOWN.render()
    assert read_shutdown(text.encode(), "rest.json") == SHUTDOWN
    for wrong, stated in (
        ("", "rest.json is no kraftpy cluster shutdown: at line 1, column 1 it is not JSON"),
        ("[" * 100_000, "too large to read"),
        ("{}", "it has kind None, format None"),
        ("[1]", "it holds no JSON object"),
        (text.replace("cluster shutdown", "backup"), "it has kind 'kraftpy backup', format 1"),
        (text.replace('"epoch"', '"epoxy"'), "it has no 'epoch'"),
        (text.replace('"offset": 30', '"offset": "30"'), "its 'offset' is '30'"),
        (text.replace("[1, 2, 7]", "[1, true]"), "not all of its 'nodes' are numbers"),
    ):
        with pytest.raises(LocalError, match=re.escape(stated)) as raised:
            read_shutdown(wrong.encode(), "rest.json")
        assert "name the file that `kraftpy cluster stop` wrote" in str(raised.value)


def test_a_directory_that_was_replaced_meanwhile_is_found():
    """One that lost records, one of another cluster, one that is corrupt."""
    fs = three({1: [(1, 29)], 2: [(1, 29)], 7: [(1, 29), (2, 3)]})
    check_directories(survey(fs, *NODES), SHUTDOWN)
    shorter = three({1: [(1, 29)], 2: [(1, 12)], 7: [(1, 29)]})
    with pytest.raises(LocalError, match="only below offset 13, but at the shutdown all were equal below 30"):
        check_directories(survey(shorter, *NODES), SHUTDOWN)
    with pytest.raises(LocalError, match="is of cluster"):
        check_directories(survey(fs, *NODES), dataclasses.replace(SHUTDOWN, cluster_id="another"))
    fs.flip_bit(f"{directory_of(2)}/__cluster_metadata-0/00000000000000000000.log", 200)
    with pytest.raises(LocalError, match="is corrupt"):
        check_directories(survey(fs, *NODES), SHUTDOWN)
