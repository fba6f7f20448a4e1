"""Every record type that a level allows is written by a decision, but for those that no controller writes any more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from kraftpy.controller.account_requests import (
    AllocateProducerIds,
    AlterClientQuotas,
    AlterUserScramCredentials,
    QuotaAlteration,
    ScramUpsertion,
)
from kraftpy.controller.acl_requests import AclFilter, CreateAcls, DeleteAcls
from kraftpy.controller.delegation_token_requests import CreateDelegationToken, ExpireDelegationToken
from kraftpy.controller.partition_requests import AlterPartitionReassignments, Reassignment
from kraftpy.controller.requests import FeatureUpdate, UnregisterBroker, UnregisterController, UpdateFeatures
from kraftpy.controller.topic_requests import CreatableTopic, CreateTopics, DeleteTopics, TopicRef
from kraftpy.image.acls import AccessControlEntry
from kraftpy.image.scram import ScramUser
from kraftpy.model.features import BROKER_HOSTS_LEVEL, UNREGISTER_CONTROLLER_LEVEL, SchemaSet
from kraftpy.records.codec import Record
from kraftpy.records.generated.metadata_levels import LEVELS, SCHEMA_SETS
from kraftpy.records.metadata import (
    METADATA_RECORDS,
    FenceBrokerRecord,
    UnfenceBrokerRecord,
    ZkMigrationStateRecord,
    decode_record,
)
from tests.unit.controller.worlds import (
    UNSTABLE,
    World,
    range_of,
    register,
    register_controller,
    set_configs,
    uuid,
)

NEVER_WRITTEN = {
    FenceBrokerRecord: "only below metadata.version 6; since then a broker is fenced by a "
    "BrokerRegistrationChangeRecord, and 7 is the lowest level that is led",
    UnfenceBrokerRecord: "as FenceBrokerRecord",
    ZkMigrationStateRecord: "ZooKeeper and the migration from it are gone since Kafka 4.0",
}
"""What is read and not written, with the reason. Kafka 4.3's controller constructs none of them either."""

CONFIG = replace(UNSTABLE, acls_enabled=True, token_secret_key="key", max_idle_interval_ms=500)
ELR = "eligible.leader.replicas.version"
TOPIC, TOPICS = 2, ("orders",)
ACL = AccessControlEntry(2, "orders", 3, "User:alice", "*", 3, 3)
ALICE = ScramUser(1, "alice")


def allowed(level: int) -> set[type[Record]]:
    """The record types that may be written at a level."""
    table = SchemaSet.for_level(level)
    return {kind for kind in METADATA_RECORDS if LEVELS[kind][0] <= level and SCHEMA_SETS.get(kind, table) is table}


def decisions(world: World, level: int) -> Iterator[object]:
    """What is asked of a new cluster; each request is decided in the state that the ones before it left."""
    host = "host" if level >= BROKER_HOSTS_LEVEL else None
    features = (range_of(), range_of(ELR, 0, 1))
    for broker_id in (1, 2):
        epoch = world.alive(broker_id, features=features, host=host)
    yield register_controller(1, features=features)
    yield register_controller(9, features=features)
    if level >= UNREGISTER_CONTROLLER_LEVEL:
        yield UnregisterController(controller_id=9)
    yield UpdateFeatures(updates=(FeatureUpdate(ELR, 1),))
    yield CreateTopics((CreatableTopic("orders", 2, 1),))
    yield set_configs(TOPIC, "orders", ("min.insync.replicas", "1"))
    replicas = world.controller.image.topics.named("orders").partitions[0].replicas
    moved = (Reassignment(0, (3 - replicas[0],)),)
    yield AlterPartitionReassignments(topics=(("orders", moved),))
    yield AlterClientQuotas(entries=(QuotaAlteration((("user", "alice"),), (("producer_byte_rate", 1.0),)),))
    yield AlterUserScramCredentials(
        upsertions=(ScramUpsertion(user=ALICE, iterations=4096, salt=b"salt", salted_password=bytes(32)),)
    )
    yield AlterUserScramCredentials(deletions=(ALICE,))
    yield AllocateProducerIds(broker_id=2, broker_epoch=epoch)
    yield CreateAcls(entries=(ACL,))
    yield DeleteAcls(filters=(AclFilter(2, "orders", 3, None, None, 1, 1),))
    yield DeleteTopics((TopicRef(name="orders"),))
    yield UnregisterBroker(broker_id=2)
    yield register(3, incarnation_id=uuid(33), features=features)


def lived(level: int) -> World:
    """A cluster of a level, from its first record on, that has been asked for all of it."""
    world = World(config=CONFIG, level=level)
    for request in decisions(world, level):
        world.do(request)
    token = world.do(CreateDelegationToken(requester="User:alice"))[1]
    world.do(ExpireDelegationToken(hmac=token.hmac, requester="User:alice"))
    world.now_ms += CONFIG.session_timeout_ms - 1
    world.append(world.controller.tick(world.now_ms))
    world.commit()
    # The next controller finds a transaction that was not ended.
    world.controller.resign()
    world.activate(open_transaction=True)
    return world


@pytest.mark.parametrize("level", [30, 34, 40, 42])
def test_every_record_type_that_a_level_allows_is_written(level):
    """A decision writes no record any more, or one of a type that its level does not have."""
    world = lived(level)
    written = {type(decode_record(value, SchemaSet.for_level(level))) for value in world.values}
    assert written == {type(record) for record in world.log}
    assert written == allowed(level) - NEVER_WRITTEN.keys()


def test_together_they_are_all_30_types_but_three():
    """A type is allowed at no level that is looked at above."""
    together = allowed(30) | allowed(34) | allowed(42)
    assert together == set(METADATA_RECORDS) == set(LEVELS)
    assert (len(together), {kind.API_KEY for kind in NEVER_WRITTEN}) == (30, {7, 8, 21})
    assert len(allowed(42) - NEVER_WRITTEN.keys()) == 26
