"""Creating, growing and deleting topics: every check, in Kafka's order, with Kafka's codes and texts."""

from __future__ import annotations

import pytest

from kraftpy.controller.config import ControllerConfig, supported_features
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.topic_configs import EffectiveConfig, EffectiveSource, effective_configs
from kraftpy.controller.topic_requests import (
    ConfigLayers,
    CreatableTopic,
    CreatePartitions,
    CreatePartitionsTopic,
    CreateTopics,
    DeleteTopics,
    PlacementOptions,
    TopicRef,
)
from kraftpy.image.image import MetadataImage
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.ids import DIRECTORY_MIGRATING, DIRECTORY_UNASSIGNED
from kraftpy.records.metadata import (
    ClearElrRecord,
    ConfigRecord,
    FeatureLevelRecord,
    PartitionRecord,
    RemoveTopicRecord,
    TopicRecord,
)
from tests.unit.controller.worlds import World, beat, uuid

MIN_ISR = "min.insync.replicas"


def config(**changes):
    return ControllerConfig(features=supported_features(unstable=True), allow_unstable=True, **changes)


def world(brokers=3, *, fenced=(), level=40, racks=None, **changes) -> World:
    """Return a controller with brokers 1, 2 ...; those that are fenced never asked to be unfenced."""
    made = World(config=config(**changes), level=level)
    for broker_id in range(1, brokers + 1):
        rack = None if racks is None else racks[broker_id]
        add = made.register if broker_id in fenced else made.alive
        add(broker_id, rack=rack)
    return made


def create(made: World, *topics: CreatableTopic, **changes):
    return made.do(CreateTopics(tuple(topics), **changes))


def created(made: World, name="a", partitions=2, factor=2, **changes):
    records, response = create(made, CreatableTopic(name, partitions, factor, **changes))
    assert response.topics[0].error is ErrorCode.NONE, response.topics[0].message
    return records, response.topics[0]


def refusals(response) -> list[tuple[int, str | None]]:
    return [(one.error, one.message) for one in response.topics]


def image(made: World) -> MetadataImage:
    return made.controller.image


def test_a_topic_is_one_record_its_configs_and_its_partitions() -> None:
    """Records are missing, in another order, or say what was not asked."""
    made = world()
    records, result = created(made, configs=(("retention.ms", "5"), ("retention.ms", "6")))
    assert [type(record) for record in records] == [TopicRecord, ConfigRecord, PartitionRecord, PartitionRecord]
    assert (result.partitions, result.replication_factor, result.configs) == (2, 2, {"retention.ms": "6"})
    topic = image(made).topics.named("a")
    assert topic is not None
    assert topic.id == result.topic_id
    for number in (0, 1):
        partition = topic.partitions[number]
        assert len(set(partition.replicas)) == 2
        assert partition.isr == partition.replicas
        assert partition.leader == partition.replicas[0]
        assert (partition.leader_epoch, partition.partition_epoch) == (0, 0)
        assert partition.directories == tuple(uuid(500 + broker) for broker in partition.replicas)


@pytest.mark.parametrize(
    ("hours", "retention_ms", "source"),
    [("2", "7200000", 3), (" -1 ", "-1", 3), ("x", "604800000", 5), ("", "604800000", 5), ("1e3", "604800000", 5)],
)
def test_a_brokers_value_holds_for_a_topic_in_its_own_unit(hours, retention_ms, source) -> None:
    """A text that is no number, which a log of Kafka may hold, is passed over."""
    found = effective_configs({}, ConfigLayers(cluster={"log.retention.hours": hours}))
    assert [(one.value, one.source) for one in found if one.name == "retention.ms"] == [(retention_ms, source)]


def test_defaults_are_the_controllers_own() -> None:
    """A topic without counts gets other ones than the configuration says."""
    made = world(num_partitions=4, default_replication_factor=3)
    _, result = created(made, partitions=-1, factor=-1)
    assert (result.partitions, result.replication_factor) == (4, 3)


ALL_FENCED = (
    "All brokers specified in the manual partition assignment for partition {} are fenced or in controlled shutdown."
)
FACTORS_DIFFER = (
    "The manual partition assignment includes a partition with 1 replica(s), but this is not consistent with previous "
    "partitions, which have 2 replica(s)."
)

REFUSED = [
    pytest.param(CreatableTopic("", 1, 1), 17, "Topic name is invalid: the empty string is not allowed", id="empty"),
    pytest.param(CreatableTopic("..", 1, 1), 17, "Topic name is invalid: '..' is not allowed", id="dots"),
    pytest.param(
        CreatableTopic("n" * 250, 1, 1),
        17,
        f"Topic name is invalid: the length of '{'n' * 250}' is longer than the max allowed length 249",
        id="long",
    ),
    pytest.param(
        CreatableTopic("a b", 1, 1),
        17,
        "Topic name is invalid: 'a b' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'",
        id="letters",
    ),
    pytest.param(CreatableTopic("a_b", 1, 1), 17, "Topic 'a_b' collides with existing topic: a.b", id="collides"),
    pytest.param(
        CreatableTopic("a.b", 0, 0, (), (("x", None),)), 36, "Topic 'a.b' already exists.", id="exists before all else"
    ),
    pytest.param(
        CreatableTopic("__cluster_metadata", 1, 1),
        42,
        "Creation of internal topic __cluster_metadata is prohibited.",
        id="internal",
    ),
    pytest.param(
        CreatableTopic("t", 0, 0, (), (("x", None), ("y", None))),
        40,
        "Null value not supported for topic configs: x,y",
        id="null config before counts",
    ),
    pytest.param(
        CreatableTopic("t", 0, 0, (), (("x", "1"),)), 40, "Unknown topic config name: x", id="config before counts"
    ),
    pytest.param(
        CreatableTopic("t", 1, 1, ((0, (9,)),)),
        42,
        "A manual partition assignment was specified, but replication factor was not set to -1.",
        id="assignment and factor",
    ),
    pytest.param(
        CreatableTopic("t", 1, -1, ((0, (9,)),)),
        42,
        "A manual partition assignment was specified, but numPartitions was not set to -1.",
        id="assignment and count",
    ),
    pytest.param(
        CreatableTopic("t", -1, -1, ((0, (1,)), (0, (9,)))),
        39,
        "Found multiple manual partition assignments for partition 0",
        id="partition twice",
    ),
    pytest.param(
        CreatableTopic("t", -1, -1, ((0, ()),)),
        39,
        "The manual partition assignment includes an empty replica list.",
        id="no replicas",
    ),
    pytest.param(
        CreatableTopic("t", -1, -1, ((0, (9, 9)),)),
        39,
        "The manual partition assignment includes broker 9, but no such broker is registered.",
        id="unknown broker",
    ),
    pytest.param(
        CreatableTopic("t", -1, -1, ((0, (2, 1, 2)),)),
        39,
        "The manual partition assignment includes the broker 2 more than once.",
        id="broker twice",
    ),
    pytest.param(
        CreatableTopic("t", -1, -1, ((0, (1, 2)), (1, (1,)))),
        39,
        FACTORS_DIFFER,
        id="factors differ",
    ),
    pytest.param(
        CreatableTopic("t", -1, -1, ((0, (3,)),)),
        39,
        ALL_FENCED.format(0),
        id="all fenced",
    ),
    pytest.param(
        CreatableTopic("t", -1, -1, ((1, (1,)),)),
        39,
        "partitions should be a consecutive 0-based integer sequence",
        id="not from 0",
    ),
    pytest.param(
        CreatableTopic("t", 0, 0),
        38,
        "Replication factor must be larger than 0, or -1 to use the default value.",
        id="factor before count",
    ),
    pytest.param(
        CreatableTopic("t", -2, 9), 37, "Number of partitions was set to an invalid non-positive value.", id="count"
    ),
    pytest.param(
        CreatableTopic("t", 1, 4),
        38,
        "Unable to replicate the partition 4 time(s): The target replication factor of 4 cannot be reached because "
        "only 3 broker(s) are registered or some brokers have all their log directories cordoned.",
        id="too few brokers",
    ),
]


@pytest.mark.parametrize(("topic", "code", "text"), REFUSED)
def test_a_topic_is_refused_by_the_first_check_it_fails(topic, code, text) -> None:
    """A check is missing, comes in another order, or has other words; or another topic of the request suffers."""
    made = world(fenced={3})
    created(made, "a.b", 1, 1)
    records, response = create(made, topic, CreatableTopic("other", 1, 1))
    assert refusals(response) == [(code, text), (0, None)]
    assert [type(record) for record in records] == [TopicRecord, PartitionRecord]


def test_a_name_that_is_there_twice_is_refused_twice() -> None:
    """One of two equal names is created."""
    made = world()
    records, response = create(made, CreatableTopic("a", 1, 1), CreatableTopic("b", 1, 1), CreatableTopic("a", 2, 1))
    assert refusals(response) == [(42, "Duplicate topic name."), (0, None), (42, "Duplicate topic name.")]
    assert len(records) == 2


@pytest.mark.parametrize("name", ["x.y_z", "a.b_c.d_e.f_g.h_i"])
def test_names_that_collide_within_a_request_are_not_both_created(name) -> None:
    """Two new topics would share the names of their metrics."""
    made = world()
    _, response = create(made, CreatableTopic(name, 1, 1), CreatableTopic(name.replace("_", "."), 1, 1))
    assert [one.error for one in response.topics] == [0, 17]
    _, response = create(made, CreatableTopic(name.replace(".", "_"), 1, 1))
    assert refusals(response) == [(17, f"Topic '{name.replace('.', '_')}' collides with existing topic: {name}")]


def test_fenced_brokers_are_replicas_and_not_in_the_isr() -> None:
    """A fenced broker leads, or is in an ISR."""
    made = world(fenced={2})
    created(made, factor=3, partitions=5)
    for partition in image(made).topics.named("a").partitions.values():
        assert set(partition.replicas) == {1, 2, 3}
        assert partition.isr == tuple(broker for broker in partition.replicas if broker != 2)
        assert partition.leader in {1, 3}


def test_without_an_unfenced_broker_nothing_is_created() -> None:
    """A topic is created whose partitions no broker can lead."""
    made = world(fenced={1, 2, 3})
    _, response = create(made, CreatableTopic("t", 1, 1))
    assert refusals(response) == [
        (
            38,
            (
                "Unable to replicate the partition 1 time(s): All brokers are currently fenced, or have all their log "
                "directories cordoned."
            ),
        )
    ]


def test_too_many_partitions_refuse_the_whole_request() -> None:
    """A topic of too many partitions is created in part, or two that are too many together are."""
    made = world()
    for counts in ([100_001], [50_001, 50_000]):
        with pytest.raises(ApiError, match="Excessively large number of partitions per request") as refused:
            create(made, *(CreatableTopic(f"t{number}", count, 1) for number, count in enumerate(counts)))
        assert refused.value.code is ErrorCode.POLICY_VIOLATION
    assert not image(made).topics.by_id


def test_without_transactions_a_request_is_one_batch() -> None:
    """At a metadata.version that has none, more is decided than one batch holds."""
    made = world(level=12)
    with pytest.raises(ApiError, match="Excessively large number of partitions per request"):
        create(made, CreatableTopic("t", 10_001, 1))
    with pytest.raises(ApiError, match="takes 10001 records and 10000 are allowed"):
        create(made, CreatableTopic("t", 10_000, 1))
    assert not image(made).topics.by_id
    assert len(created(made, partitions=9_999, factor=1)[0]) == 10_000


def test_too_many_replicas_refuse_a_topic_alone() -> None:
    """One request makes the controller work out millions of replicas, or a refused topic refuses the next one."""
    made = world(brokers=11)
    topics = CreatableTopic("t", 27_000, 11), CreatableTopic("u", 1_000, 11), CreatableTopic("v", 1, 1_000)
    _, response = create(made, *topics, CreatableTopic("w", 1, 11), CreatableTopic("x", 80, 11))
    codes = [one.error for one in response.topics]
    none, too_many = ErrorCode.NONE, ErrorCode.POLICY_VIOLATION
    assert codes == [none, too_many, ErrorCode.INVALID_REPLICATION_FACTOR, none, none]
    assert "300000 are allowed" in response.topics[1].message


def test_replicas_of_a_refused_topic_count_for_nothing() -> None:
    """A factor that no cluster reaches has Kafka's error, however many replicas that would make."""
    made = world()
    _, response = create(made, CreatableTopic("t", 1_000, 1_000), CreatableTopic("u", 1, 1))
    assert [one.error for one in response.topics] == [ErrorCode.INVALID_REPLICATION_FACTOR, ErrorCode.NONE]


def test_validate_only_writes_nothing() -> None:
    """A dry run creates, deletes or grows a topic."""
    made = world()
    created(made)
    before = image(made)
    topic = before.topics.named("a")
    for request in (
        CreateTopics((CreatableTopic("b", 1, 1),), validate_only=True),
        DeleteTopics((TopicRef("a"),), validate_only=True),
        CreatePartitions((CreatePartitionsTopic("a", 5),), validate_only=True),
    ):
        records, response = made.do(request)
        assert not records
        assert response.topics[0].error is ErrorCode.NONE
    assert image(made) is before
    assert topic is not None


def test_min_isr_of_a_new_topic_clears_its_elrs() -> None:
    """With ELR, a topic that is created with min.insync.replicas lacks Kafka's ClearElrRecord."""
    made = world()
    with_min_isr = {"configs": ((MIN_ISR, "2"),)}
    assert ClearElrRecord not in {type(record) for record in created(made, "off", **with_min_isr)[0]}
    made.append(ControllerResult((FeatureLevelRecord(name="eligible.leader.replicas.version", feature_level=1),), None))
    records, _ = created(made, "on", **with_min_isr)
    assert [type(record) for record in records[:4]] == [TopicRecord, ConfigRecord, ClearElrRecord, PartitionRecord]
    assert records[2].topic_name == "on"


@pytest.mark.parametrize(
    ("level", "directories", "expected"),
    [(16, 1, DIRECTORY_MIGRATING), (40, 1, uuid(501)), (40, 2, DIRECTORY_UNASSIGNED)],
)
def test_directories_of_new_replicas(level, directories, expected) -> None:
    """A replica is recorded in a directory that was not chosen, or that the level cannot say."""
    made = World(config=config(), level=level)
    made.alive(1, log_dirs=tuple(uuid(501 + number) for number in range(directories)))
    created(made, partitions=1, factor=1)
    assert image(made).topics.named("a").partitions[0].directories == (expected,)


def test_a_broker_on_its_way_out_gets_no_replicas() -> None:
    """A new partition is placed on a broker in controlled shutdown."""
    made = world(brokers=2)
    created(made, "old", 4, 1)
    made.do(beat(1, made.broker(1).broker_epoch, made.offset, want_shutdown=True))
    assert made.broker(1).in_controlled_shutdown
    created(made, "new", 9, 1)
    assert {each.replicas for each in image(made).topics.named("new").partitions.values()} == {(2,)}


def test_a_broker_that_has_shut_down_gets_replicas_like_any_fenced_one() -> None:
    """While a broker is down, no topic can be created with as many replicas as there are brokers."""
    made = world(brokers=2)
    created(made, "old", 4, 1)
    for _ in range(2):
        made.do(beat(1, made.broker(1).broker_epoch, made.offset, want_shutdown=True))
        made.do(beat(2, made.broker(2).broker_epoch, made.offset))
    assert made.broker(1).fenced
    assert made.broker(1).in_controlled_shutdown
    created(made, "new", 1, 2)
    partition = image(made).topics.named("new").partitions[0]
    assert (partition.replicas, partition.isr, partition.leader) == ((2, 1), (2,), 2)


def test_a_seed_repeats_a_plan_and_states_why() -> None:
    """The same seed gives another plan, or the plan does not explain itself."""
    made = world(brokers=4, racks={1: "a", 2: "a", 3: "b", 4: "b"})
    options = PlacementOptions(seed=7, explains=True)
    plans = [create(made, CreatableTopic(name, 6, 2), placement=options)[1].topics[0].plan for name in ("x", "y")]
    assert plans[0].partitions == plans[1].partitions
    assert plans[0].seed == 7
    assert plans[0].placer == "striped"
    assert all(len(reasons) == 2 and "rack" in reasons[0] for reasons in plans[0].reasons)
    _, other = create(made, CreatableTopic("z", 6, 2), placement=PlacementOptions(explains=True))
    again = create(
        made, CreatableTopic("w", 6, 2), placement=PlacementOptions(seed=other.topics[0].plan.seed, explains=True)
    )
    assert again[1].topics[0].plan.partitions == other.topics[0].plan.partitions


def test_a_request_may_choose_the_placer() -> None:
    """The request's placer is ignored, or an unknown one is taken for the default."""
    made = world(placer="kip36")
    _, response = create(made, CreatableTopic("a", 1, 1), placement=PlacementOptions(explains=True))
    assert response.topics[0].plan.placer == "kip36"
    _, response = create(made, CreatableTopic("b", 1, 1), placement=PlacementOptions("striped", explains=True))
    assert response.topics[0].plan.placer == "striped"
    with pytest.raises(ApiError, match="no replica placer 'best'; there are striped, kip36"):
        create(made, CreatableTopic("c", 1, 1), placement=PlacementOptions("best"))


# Deleting.


def test_a_topic_is_deleted_by_name_or_by_id() -> None:
    """A deletion leaves a topic, its configs, or deletes another one."""
    made = world()
    _, first = created(made, "a", configs=(("retention.ms", "1"),))
    created(made, "b")
    records, response = made.do(DeleteTopics((TopicRef("b"), TopicRef(topic_id=first.topic_id))))
    assert [type(record) for record in records] == [RemoveTopicRecord] * 2
    assert [(one.name, one.error, one.topic_id is not None) for one in response.topics] == [
        ("b", 0, True),
        ("a", 0, True),
    ]
    assert not image(made).topics.by_id
    assert not image(made).configs.topic("a")


def test_refused_deletions() -> None:
    """A check of a deletion is missing, or has other words."""
    made = world()
    _, topic = created(made, "a")
    ghost = uuid(77)
    asked = (
        TopicRef(),
        TopicRef("a", topic.topic_id),
        TopicRef("twice"),
        TopicRef("twice"),
        TopicRef(topic_id=ghost),
        TopicRef("ghost"),
        TopicRef("a"),
        TopicRef(topic_id=topic.topic_id),
    )
    records, response = made.do(DeleteTopics(asked))
    assert not records
    assert [(one.error, one.message) for one in response.topics] == [
        (42, "Neither topic name nor id were specified."),
        (42, "You may not specify both topic name and topic id."),
        (42, "Duplicate topic name."),
        (42, "Duplicate topic name."),
        (100, "This server does not host this topic ID."),
        (3, "This server does not host this topic-partition."),
        (42, "The provided topic name maps to an ID that was already supplied."),
        (42, "The provided topic id is that of a topic whose name was supplied as well."),
    ]


@pytest.mark.parametrize(("knows", "code"), [(True, 73), (False, 42)])
def test_deletion_can_be_disabled(knows, code) -> None:
    """delete.topic.enable=false has no effect, or an old client gets an error it does not know."""
    made = world(delete_topic_enable=False)
    created(made)
    with pytest.raises(ApiError) as refused:
        made.do(DeleteTopics((TopicRef("a"),), knows_disabled=knows))
    assert refused.value.code == code


# Growing.


def test_a_topic_grows() -> None:
    """New partitions have other ids or another replication factor, or old ones change."""
    made = world()
    created(made, "a", 2, 2)
    before = dict(image(made).topics.named("a").partitions)
    records, response = made.do(CreatePartitions((CreatePartitionsTopic("a", 4), CreatePartitionsTopic("ghost", 4))))
    assert [record.partition_id for record in records] == [2, 3]
    assert refusals(response) == [(0, None), (3, None)]
    after = image(made).topics.named("a").partitions
    assert {number: after[number] for number in before} == before
    assert [len(after[number].replicas) for number in (2, 3)] == [2, 2]


@pytest.mark.parametrize(
    ("count", "assignments", "code", "text"),
    [
        (2, None, 37, "Topic already has 2 partition(s)."),
        (1, None, 37, "The topic a currently has 2 partition(s); 1 would not be an increase."),
        (-1, None, 37, "The topic a currently has 2 partition(s); -1 would not be an increase."),
        (
            4,
            ((1, 2),),
            39,
            "Attempted to add 2 additional partition(s), but only 1 assignment(s) were specified.",
        ),
        (
            3,
            ((1,),),
            39,
            FACTORS_DIFFER,
        ),
        (3, ((1, 9),), 39, "The manual partition assignment includes broker 9, but no such broker is registered."),
        (
            3,
            ((3, 4),),
            39,
            ALL_FENCED.format(2),
        ),
    ],
)
def test_refused_increases(count, assignments, code, text) -> None:
    """A check of an increase is missing, or has other words."""
    made = world(brokers=4, fenced={3, 4})
    created(made, "a", 2, 2)
    records, response = made.do(CreatePartitions((CreatePartitionsTopic("a", count, assignments),)))
    assert not records
    assert refusals(response) == [(code, text)]


def test_an_increase_follows_its_assignment() -> None:
    """New partitions are not where they were asked to be."""
    made = world()
    created(made, "a", 1, 2)
    made.do(CreatePartitions((CreatePartitionsTopic("a", 3, ((3, 1), (2, 3))),)))
    partitions = image(made).topics.named("a").partitions
    assert [partitions[number].replicas for number in (1, 2)] == [(3, 1), (2, 3)]


def test_too_many_new_partitions_refuse_the_whole_request() -> None:
    """A huge count is worked out before it is refused, or a part of it is done."""
    made = world()
    created(made, "a", 1, 1)
    created(made, "b", 1, 1)
    for asked in ({"a": 2**31 - 1}, {"a": 60_000, "b": 60_000}):
        with pytest.raises(ApiError, match="excessively large batch") as refused:
            made.do(CreatePartitions(tuple(CreatePartitionsTopic(*each) for each in asked.items())))
        assert refused.value.code is ErrorCode.POLICY_VIOLATION
    assert len(image(made).topics.named("a").partitions) == 1


def test_the_kip36_placer_goes_on_where_the_topic_ended() -> None:
    """A topic that grows step by step has its leaders on fewer brokers than one made at once."""
    made = world(brokers=5, placer="kip36")
    created(made, "a", 2, 2)
    made.do(CreatePartitions((CreatePartitionsTopic("a", 5),)))
    partitions = image(made).topics.named("a").partitions
    assert {partition.leader for partition in partitions.values()} == {1, 2, 3, 4, 5}


def test_an_internal_config_is_listed_where_it_is_set():
    """As in Kafka's answer to CreateTopics."""
    name = "internal.segment.bytes"
    assert name not in [each.name for each in effective_configs({}, ConfigLayers())]
    assert EffectiveConfig(name, "1000", EffectiveSource.TOPIC) in effective_configs({name: "1000"}, ConfigLayers())
