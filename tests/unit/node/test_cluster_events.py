"""What happens to brokers and partitions is in the log of every node, once and in one line for each kind."""

from __future__ import annotations

from structlog.testing import capture_logs

from kraftpy.controller.result import ControllerResult
from kraftpy.controller.slices import finished
from kraftpy.image import EMPTY, MetadataDelta
from kraftpy.node import cluster_events
from kraftpy.node.cluster_events import LISTED_MAX, ClusterEventLog
from kraftpy.records.metadata import PartitionChangeRecord, RegisterBrokerRecord
from tests.unit.controller.worlds import TOPIC_ID, World, beat, image_of, topic_records

SESSION_MS = 20_000


class Logged:
    """A controller, and the lines that a node logs of what it commits."""

    def __init__(self) -> None:
        self.world = World()
        self.world.commit()
        self.seen = self.world.committed_image
        self.log = ClusterEventLog()

    def lines(self) -> dict[str, dict]:
        """Commit; return the new lines by event."""
        self.world.commit()
        image = self.world.committed_image
        lines = updated(self.seen, image)
        self.seen = image
        return lines


def updated(before, after) -> dict[str, dict]:
    with capture_logs() as lines:
        finished(ClusterEventLog().update_in_slices(MetadataDelta.between(before, after), after))
    assert len({line["event"] for line in lines}) == len(lines)
    return {line.pop("event"): line for line in lines}


def test_a_broker_that_comes():
    logged = Logged()
    epoch = logged.world.register(1)
    assert logged.lines() == {}
    logged.world.do(beat(1, epoch))
    assert logged.lines() == {
        "brokers_unfenced": {"log_level": "info", "count": 1, "brokers": [1]},
        "live_brokers_changed": {"log_level": "info", "count": 1, "brokers": [1]},
    }


def test_a_broker_that_fails_is_a_warning():
    logged = Logged()
    epochs = {broker: logged.world.alive(broker) for broker in (1, 2)}
    logged.lines()
    logged.world.now_ms += SESSION_MS
    logged.world.do(beat(1, epochs[1]))
    logged.world.ticks()
    lines = logged.lines()
    assert lines["brokers_failed"] == {"log_level": "warning", "count": 1, "brokers": [2]}
    assert lines["live_brokers_changed"]["brokers"] == [1]
    assert set(lines) == {"brokers_failed", "live_brokers_changed"}


def test_a_broker_that_is_shut_down_did_not_fail():
    logged = Logged()
    epochs = {broker: logged.world.alive(broker) for broker in (1, 2)}
    logged.world.append(_result(*topic_records(([2, 1], [2, 1], 2))))
    logged.lines()
    logged.world.do(beat(2, epochs[2], want_shutdown=True))
    assert set(logged.lines()) == {"brokers_shutting_down"}
    logged.world.do(beat(1, epochs[1]))
    logged.world.do(beat(2, epochs[2], want_shutdown=True))
    lines = logged.lines()
    assert set(lines) == {"brokers_stopped", "live_brokers_changed"}
    assert lines["brokers_stopped"]["brokers"] == [2]


def test_partitions_that_lose_and_find_leaders():
    image = image_of(*topic_records(([1, 2], [1], 1), ([2, 1], [2, 1], 2)))
    without = _changed(image, {"isr": [1], "leader": -1})
    assert updated(image, without) == {
        "partitions_offline": {"log_level": "warning", "count": 1, "partitions": ["orders-0"]}
    }
    clean = _changed(without, {"leader": 1})
    assert updated(without, clean) == {
        "partitions_online": {"log_level": "info", "count": 1, "partitions": ["orders-0"]}
    }
    unclean = _changed(without, {"leader": 2, "isr": [2]})
    assert updated(without, unclean)["unclean_leaders_elected"] == {
        "log_level": "warning",
        "count": 1,
        "partitions": ["orders-0"],
    }


def test_the_first_state_is_one_line():
    image = image_of(*topic_records(([1, 2], [1], -1)))
    assert updated(EMPTY, image) == {"cluster_loaded": {"log_level": "info", "brokers": 0, "topics": 1}}


def test_a_line_lists_a_limited_number():
    partitions = [([1, 2], [1, 2], 1)] * (LISTED_MAX + 1)
    brokers = [RegisterBrokerRecord(broker_id=one, fenced=False) for one in range(LISTED_MAX + 1)]
    none = [RegisterBrokerRecord(broker_id=one, fenced=True) for one in range(LISTED_MAX + 1)]
    image = image_of(*brokers, *topic_records(*partitions))
    failed = [
        PartitionChangeRecord(partition_id=number, topic_id=TOPIC_ID, leader=-1) for number in range(len(partitions))
    ]
    lines = updated(image, image_of(*none, *failed, base=image))
    assert lines["brokers_failed"] == {
        "log_level": "warning",
        "count": LISTED_MAX + 1,
        "brokers": list(range(LISTED_MAX)),
    }
    assert lines["partitions_offline"]["count"] == LISTED_MAX + 1
    assert len(lines["partitions_offline"]["partitions"]) == LISTED_MAX


def test_partitions_are_looked_at_in_slices(monkeypatch):
    """Each kind has one line all the same, once the last slice was looked at."""
    monkeypatch.setattr(cluster_events, "PARTITIONS_PER_SLICE", 2)
    image = image_of(*topic_records(*[([1, 2], [1, 2], 1)] * 5))
    failed = [PartitionChangeRecord(partition_id=number, topic_id=TOPIC_ID, leader=-1) for number in range(5)]
    after = image_of(*failed, base=image)
    with capture_logs() as lines:
        slices = ClusterEventLog().update_in_slices(MetadataDelta.between(image, after), after)
        assert [len(lines) for _ in slices] == [0, 0]
    (line,) = lines
    assert (line["event"], line["count"]) == ("partitions_offline", 5)


def test_new_partitions_are_looked_at_in_slices_too(monkeypatch):
    """A node that lagged gets them by the hundred thousand, with a snapshot."""
    monkeypatch.setattr(cluster_events, "PARTITIONS_PER_SLICE", 2)
    image = image_of()
    after = image_of(*topic_records(*[([1, 2], [1, 2], 1)] * 5), base=image)
    slices = ClusterEventLog().update_in_slices(MetadataDelta.between(image, after), after)
    assert len(list(slices)) == 2


def _changed(image, fields):
    return image_of(PartitionChangeRecord(partition_id=0, topic_id=TOPIC_ID, **fields), base=image)


def _result(*records):
    return ControllerResult(tuple(records), None)
