"""Which configs limit the copying of replicas that move."""

from __future__ import annotations

from kraftpy.model.resource_types import ResourceType
from kraftpy.quorum_tools.replication_throttle import (
    ALL_REPLICAS,
    FOLLOWER_RATE,
    FOLLOWER_REPLICAS,
    LEADER_RATE,
    LEADER_REPLICAS,
    VALUE_BYTES_MAX,
    Move,
    throttles,
    without_throttles,
)


def test_the_sources_send_and_the_new_replicas_receive_slowly():
    """All present replicas are named as leaders, the added ones alone as followers; every broker gets the rate."""
    settings = throttles([Move("t", 0, [1, 2], [2, 3]), Move("t", 1, [2, 3], [3, 2]), Move("u", 7, [1], [4])], 1_000)
    assert settings == {
        (ResourceType.TOPIC, "t"): {LEADER_REPLICAS: "0:1,0:2,1:2,1:3", FOLLOWER_REPLICAS: "0:3"},
        (ResourceType.TOPIC, "u"): {LEADER_REPLICAS: "7:1", FOLLOWER_REPLICAS: "7:4"},
        **{(ResourceType.BROKER, str(each)): {LEADER_RATE: "1000", FOLLOWER_RATE: "1000"} for each in (1, 2, 3, 4)},
    }


def test_a_list_that_no_config_value_can_hold_names_all_replicas():
    moves = [Move("t", number, [1_000, 1_001, 1_002], [1_000, 1_001, 1_003]) for number in range(2_000)]
    settings = throttles(moves, 1)[ResourceType.TOPIC, "t"]
    assert settings[LEADER_REPLICAS] == ALL_REPLICAS
    assert len(settings[FOLLOWER_REPLICAS]) <= VALUE_BYTES_MAX
    assert settings[FOLLOWER_REPLICAS].count(",") == 1_999


def test_everything_that_was_set_is_deleted():
    """What limits moves is removed by the same brokers and topics, and nothing else is."""
    moves = [Move("t", 0, [1, 2], [2, 3])]
    deleted = without_throttles([3, 1, 2, 2], ["t"])
    assert {resource: set(keys) for resource, keys in throttles(moves, 5).items()} == {
        resource: set(keys) for resource, keys in deleted.items()
    }
    assert all(value is None for keys in deleted.values() for value in keys.values())
