"""When the controller asks the operator's policies, and what. Sources: KIP-108, KIP-133, KAFKA-14195."""

from __future__ import annotations

import pytest

from kraftpy.controller.policies import Policies
from kraftpy.controller.requests import (
    AlterOp,
    ConfigAlteration,
    ConfigResource,
    IncrementalAlterConfigs,
    ReplaceConfigs,
)
from kraftpy.controller.topic_requests import CreatableTopic, CreatePartitions, CreatePartitionsTopic, CreateTopics
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.records.metadata import ConfigRecord, PartitionRecord, TopicRecord
from tests.unit.controller.worlds import World, set_configs, topic_records

TOPIC, BROKER, METRICS, GROUP = 2, 4, 16, 32
REFUSAL = ApiError(ErrorCode.POLICY_VIOLATION, "not here")


class Recorder:
    """A policy that keeps its arguments, and refuses what is named ``bad``."""

    def __init__(self):
        self.seen = []

    def __call__(self, request):
        self.seen.append(request)
        return REFUSAL if "bad" in (getattr(request, "topic", ""), getattr(request, "resource_name", "")) else None

    def configs(self):
        """The changes of configs that it was asked about; it forgets them."""
        seen, self.seen = self.seen, []
        return [(int(one.resource_type), one.resource_name, dict(one.configs)) for one in seen]


@pytest.fixture
def topics():
    return Recorder()


@pytest.fixture
def configs():
    return Recorder()


@pytest.fixture
def world(topics, configs):
    """Three brokers; both policies."""
    made = World(policies=Policies(topics, configs))
    for broker_id in (1, 2, 3):
        made.alive(broker_id)
    return made


def create(made, *asked, **changes):
    records, response = made.do(CreateTopics(asked, **changes))
    return records, [(one.error, one.message or "") for one in response.topics]


def alter(made, *asked, validate_only=False):
    resources = tuple((ConfigResource(*resource), tuple(alterations)) for resource, alterations in asked)
    records, response = made.do(IncrementalAlterConfigs(resources, validate_only))
    return records, [(one.error, one.message) for one in response.results]


def setting(key, value):
    return ConfigAlteration(key, AlterOp.DELETE if value is None else AlterOp.SET, value)


def test_a_placed_topic_is_passed_with_counts(world, topics, configs):
    """Those of the request, or the defaults; without an assignment, and without any defaults of configs."""
    create(world, CreatableTopic("a", 4, 3, configs=(("retention.ms", "5"),)), CreatableTopic("b", -1, -1))
    one, other = topics.seen
    assert (one.topic, one.num_partitions, one.replication_factor, one.replica_assignments) == ("a", 4, 3, None)
    assert dict(one.configs) == {"retention.ms": "5"}
    assert (other.num_partitions, other.replication_factor, dict(other.configs)) == (1, 1, {})
    assert configs.configs() == [(TOPIC, "a", {"retention.ms": "5"})], "a topic without configs is not asked about"


def test_an_assigned_topic_is_passed_with_its_assignment(world, topics):
    create(world, CreatableTopic("a", -1, -1, assignments=((1, (2, 3)), (0, (3, 1)))))
    (one,) = topics.seen
    assert (one.num_partitions, one.replication_factor) == (None, None)
    assert dict(one.replica_assignments) == {0: (3, 1), 1: (2, 3)}


def test_a_refused_topic_leaves_the_others_alone(world):
    """Its text is the policy's, and nothing of it is written, its configs included."""
    bad = CreatableTopic("bad", 1, 1, configs=(("retention.ms", "5"),))
    records, results = create(world, CreatableTopic("a", 1, 1), bad, CreatableTopic("b", 1, 1))
    assert results == [(ErrorCode.NONE, ""), (ErrorCode.POLICY_VIOLATION, "not here"), (ErrorCode.NONE, "")]
    assert [record.name for record in records if isinstance(record, TopicRecord)] == ["a", "b"]
    assert not any(isinstance(record, ConfigRecord) for record in records)
    assert sum(isinstance(record, PartitionRecord) for record in records) == 2


def test_the_policy_of_configs_comes_first(world, topics):
    """As in Kafka: the configs of a new topic are judged before its partitions are placed."""
    bad = CreatableTopic("bad", 1, 1, configs=(("retention.ms", "5"),))
    assert create(world, bad)[1] == [(ErrorCode.POLICY_VIOLATION, "not here")]
    assert topics.seen == []


def test_the_controllers_own_checks_come_first(world, topics, configs):
    """A policy sees nothing that could not be created anyway."""
    wrong = (
        CreatableTopic("bad", 1, 4), CreatableTopic("bad/", 1, 1), CreatableTopic("b", 0, 1), CreatableTopic("c", 1, 0),
        CreatableTopic("d", -1, -1, assignments=((0, (9,)),)), CreatableTopic("e", 1, 1, configs=(("no.key", "5"),)),
    )  # fmt: skip
    _, results = create(world, *wrong)
    assert all(code is not ErrorCode.POLICY_VIOLATION and code for code, _ in results)
    assert (topics.seen, configs.seen) == ([], [])
    alter(
        world, ((TOPIC, "bad"), [setting("retention.ms", "5")]), ((TOPIC, "bad"), [setting("retention.ms", "x")]),
        ((BROKER, "99"), [setting("k", "v")]), ((BROKER, ""), [setting("cordoned.log.dirs", "/a")]),
        ((GROUP, "bad"), [setting("no.key", "v")]), ((7, "bad"), [setting("k", "v")]),
    )  # fmt: skip
    assert configs.seen == []


def test_a_dry_run_asks_too(world):
    assert create(world, CreatableTopic("bad", 1, 1), validate_only=True) == (
        [], [(ErrorCode.POLICY_VIOLATION, "not here")],
    )  # fmt: skip
    change = ((GROUP, "bad"), [setting("consumer.session.timeout.ms", "46000")])
    assert alter(world, change, validate_only=True)[1] == [(ErrorCode.POLICY_VIOLATION, "not here")]


def test_new_partitions_are_not_asked_about(world, topics):
    """Kafka's policy is about new topics only."""
    create(world, CreatableTopic("a", 1, 1))
    topics.seen.clear()
    world.do(CreatePartitions((CreatePartitionsTopic("a", 3),)))
    assert topics.seen == []


def test_altered_configs_are_passed_as_they_become(world, configs):
    """Of a broker every key, of all others those that change; a deleted key is None, an appended one the whole list."""
    create(world, CreatableTopic("t", 1, 1, configs=(("cleanup.policy", "compact"), ("retention.ms", "5"))))
    configs.seen.clear()
    appended = ConfigAlteration("cleanup.policy", AlterOp.APPEND, "delete")
    alter(world, ((TOPIC, "t"), [appended, setting("retention.ms", "5"), setting("segment.ms", None)]))
    assert configs.configs() == [(TOPIC, "t", {"cleanup.policy": "compact,delete"})]
    alter(world, ((BROKER, "1"), [setting("k", "v"), setting("gone", None)]))
    alter(world, ((BROKER, "1"), [setting("k", "v")]))
    alter(world, ((TOPIC, "t"), [setting("retention.ms", "5")]))
    assert configs.configs() == [(BROKER, "1", {"k": "v", "gone": None}), (BROKER, "1", {"k": "v"}), (TOPIC, "t", {})]
    alter(
        world,
        ((METRICS, "m"), [setting("interval.ms", "1000")]),
        ((GROUP, "g"), [setting("share.isolation.level", "read_committed")]),
    )
    assert [one[:2] for one in configs.configs()] == [(METRICS, "m"), (GROUP, "g")]


def test_a_refused_resource_leaves_the_others_alone(world):
    key = [setting("consumer.session.timeout.ms", "46000")]
    records, results = alter(world, ((GROUP, "a"), key), ((GROUP, "bad"), key), ((GROUP, "b"), key))
    assert results == [(ErrorCode.NONE, ""), (ErrorCode.POLICY_VIOLATION, "not here"), (ErrorCode.NONE, "")]
    assert [record.resource_name for record in records] == ["a", "b"]


def test_of_a_replacement_only_what_it_names_is_passed(world, configs):
    """AlterConfigs deletes the rest; its policies never heard of that in Kafka (KAFKA-14195)."""
    world.do(set_configs(BROKER, "", ("k", "v"), ("other", "w")))
    configs.seen.clear()
    records, _ = world.do(ReplaceConfigs(((ConfigResource(BROKER, ""), (("k", "x"), ("none", None))),)))
    assert ConfigRecord(BROKER, "", "other", None) in records
    assert configs.configs() == [(BROKER, "", {"k": "x", "none": None})]


def test_without_policies_nothing_is_asked():
    """And nothing is refused."""
    made = World(records=topic_records(([1], [1], 1)))
    assert alter(made, ((TOPIC, "orders"), [setting("retention.ms", "5")]))[1] == [(ErrorCode.NONE, "")]


def test_what_a_policy_receives_is_not_what_is_written(configs):
    """A policy that gets hold of the copy and changes it changes nothing of the decision."""

    def change(request):
        mapping = request.configs
        # The dict behind a read-only view is found by comparing the view with something that keeps its argument.
        stolen = []

        class Thief:
            def __eq__(self, other):
                stolen.append(other)
                return True

            __hash__ = None

        mapping == Thief()  # noqa: B015 - the comparison is the theft
        assert isinstance(stolen[0], dict)
        stolen[0]["k"] = "changed"
        stolen[0].clear()

    del configs
    made = World(policies=Policies(alter_config=change))
    records, _ = made.do(set_configs(BROKER, "", ("k", "v")))
    assert records == [ConfigRecord(BROKER, "", "k", "v")]
