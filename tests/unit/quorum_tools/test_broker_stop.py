"""What stopping a broker would do to partitions: a table of partitions, brokers and answers."""

from __future__ import annotations

import pytest

from kraftpy.client.values import PartitionInfo, TopicInfo
from kraftpy.quorum_tools.broker_stop import broker_stop

LIVE = {1, 2, 3}


def partition(number, leader, replicas, isr):
    return PartitionInfo(
        partition=number,
        leader=leader,
        leader_epoch=0,
        partition_epoch=0,
        replicas=replicas,
        isr=isr,
        elr=(),
        last_known_elr=(),
        adding_replicas=(),
        removing_replicas=(),
        directories=(),
        recovering=False,
    )


def topic(*partitions, min_isr=2):
    return TopicInfo(
        name="t",
        topic_id=b"\1" * 16,
        partition_count=len(partitions),
        replication_factor=3,
        configs={},
        min_insync_replicas=min_isr,
        partitions=partitions,
    )


def names(found):
    return [str(each) for each in found]


@pytest.mark.parametrize(
    ("leader", "replicas", "isr", "min_isr", "offline", "under"),
    [
        # Two of three are left, as many as the minimum.
        (1, (1, 2, 3), (1, 2, 3), 2, [], []),
        (2, (1, 2, 3), (1, 2, 3), 2, [], []),
        # One is left, and two are needed; or one is enough.
        (2, (1, 2, 3), (1, 2), 2, [], ["t-0"]),
        (2, (1, 2, 3), (1, 2), 1, [], []),
        # No more than there are replicas: of two, both are needed.
        (1, (1, 2), (1, 2), 3, [], ["t-0"]),
        # The last member of the ISR.
        (1, (1, 2, 3), (1,), 1, ["t-0"], []),
        (1, (1,), (1,), 1, ["t-0"], []),
        # Not in the ISR: it takes nothing away.
        (2, (1, 2, 3), (2,), 2, [], []),
        # Below the minimum already, without it and with it.
        (2, (1, 2, 3), (1, 2), 3, [], []),
        # A member of the ISR that is fenced cannot take over.
        (1, (1, 4), (1, 4), 1, ["t-0"], []),
    ],
)
def test_each_partition_is_judged_by_who_is_left(leader, replicas, isr, min_isr, offline, under):
    found = broker_stop(1, [topic(partition(0, leader, replicas, isr), min_isr=min_isr)], LIVE)
    assert (names(found.would_be_offline), names(found.would_be_under_min_isr)) == (offline, under)
    assert found.ok == (not offline and not under)


def test_what_is_offline_already_is_counted_and_does_not_forbid_a_stop():
    lost = partition(0, None, (1, 2), (1,))
    fenced = partition(1, 4, (4, 1), (4,))
    led = partition(2, 1, (1, 2, 3), (1, 2, 3))
    elsewhere = partition(3, 2, (2, 3), (2, 3))
    found = broker_stop(1, [topic(lost, fenced, led, elsewhere)], LIVE)
    assert (found.ok, found.replicas, found.leads) == (True, 3, 1)
    assert names(found.offline) == ["t-0", "t-1"]
