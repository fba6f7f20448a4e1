"""The settings that hold for each topic of one decision."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from kraftpy.controller.config import ControllerConfig
from kraftpy.controller.partition_change import Election
from kraftpy.controller.topic_rules import MIN_ISR, UNCLEAN_ELECTION, TopicRules
from kraftpy.image.configs import BROKER, TOPIC
from kraftpy.records.metadata import ConfigRecord, PartitionRecord, TopicRecord
from tests.unit.controller.worlds import image_of, uuid

NAMES = ("plain", "own", "other", "small")
REPLICAS = {"small": [1]}


def rules_of(*configs, config=None):
    """Return the ``min.insync.replicas`` and the election of each topic, all asked of one decision."""
    topics = [TopicRecord(name=name, topic_id=uuid(number)) for number, name in enumerate(NAMES)]
    partitions = [
        PartitionRecord(0, uuid(number), replicas, replicas, leader=1)
        for number, name in enumerate(NAMES)
        for replicas in [REPLICAS.get(name, [1, 2, 3])]
    ]
    image = image_of(*topics, *partitions, *(ConfigRecord(*one) for one in configs))
    rules = TopicRules(SimpleNamespace(image=image, config=config or ControllerConfig(), node_id=1))
    found = {name: rules.of(image.topics.named(name)) for name in NAMES}
    return {name: (one.min_isr, one.election) for name, one in found.items()}, found


@pytest.mark.parametrize(
    ("configs", "inherited"),
    [
        ([(BROKER, "", MIN_ISR, "2")], 2),
        ([(BROKER, "", MIN_ISR, "2"), (BROKER, "1", MIN_ISR, "3")], 3),
        ([(BROKER, "2", MIN_ISR, "3")], 1),
        ([(BROKER, "", MIN_ISR, "none")], 1),
    ],
)
def test_a_topic_inherits_what_it_does_not_set(configs, inherited):
    """One that sets a key inherits the other keys, and settings of one topic are none of the next."""
    own = [(TOPIC, "own", UNCLEAN_ELECTION, " TRUE "), (TOPIC, "other", MIN_ISR, "2"), (TOPIC, "plain", "a", "b")]
    found, _ = rules_of(*own, *configs)
    assert found == {
        "plain": (inherited, Election.ONLINE),
        "own": (inherited, Election.UNCLEAN),
        "other": (2, Election.ONLINE),
        "small": (1, Election.ONLINE),
    }


def test_the_controllers_own_file_comes_last():
    config = ControllerConfig(min_insync_replicas=3, unclean_leader_election=True)
    found, _ = rules_of((BROKER, "", UNCLEAN_ELECTION, "false"), config=config)
    assert found["plain"] == (3, Election.ONLINE)
    found, _ = rules_of((TOPIC, "own", UNCLEAN_ELECTION, "false"), config=config)
    assert (found["plain"], found["own"]) == ((3, Election.UNCLEAN), (3, Election.ONLINE))


def test_no_more_replicas_must_be_in_sync_than_the_first_partition_has():
    found, _ = rules_of((BROKER, "", MIN_ISR, "2"))
    assert found["plain"][0] == 2
    assert found["small"][0] == 1


def test_topics_whose_settings_are_equal_share_their_rules():
    _, found = rules_of((TOPIC, "own", MIN_ISR, "1"), (TOPIC, "other", MIN_ISR, "2"))
    assert found["plain"] is found["own"] is found["small"]
    assert found["plain"] is not found["other"]
