"""Registering nodes. Sources: KIP-631, KIP-858, KIP-919, KIP-1262, controller reference §9."""

from __future__ import annotations

import pytest

from kraftpy.controller.config import QuorumFacts
from kraftpy.controller.requests import (
    Listener,
    RegisterBroker,
    RegisterController,
    UnregisterBroker,
    UnregisterController,
)
from kraftpy.controller.result import ControllerResult
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.pb.v1 import admin_pb2, node_pb2
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import (
    FeatureLevelRecord,
    PartitionChangeRecord,
    RegisterBrokerRecord,
    RegisterControllerRecord,
    RemoveControllerRegistrationRecord,
    UnregisterBrokerRecord,
    UnregisterControllerRecord,
)
from kraftpy.transport.grpc import writes
from kraftpy.transport.kafka.control import members
from tests.unit.controller.worlds import (
    CLUSTER,
    World,
    beat,
    level_record,
    range_of,
    register,
    register_controller,
    topic_records,
    uuid,
)


def refused(world, request):
    before = world.controller.image
    with pytest.raises(ApiError) as caught:
        world.controller.decide(world.now_ms, request)
    assert world.controller.image is before
    return caught.value


def test_a_new_broker_starts_fenced_with_the_next_offset_as_epoch():
    """A new incarnation gets epoch = next write offset and is fenced (§9.2)."""
    world = World()
    expected = world.offset + 1
    (record,), response = world.do(register())
    assert response.broker_epoch == expected == record.broker_epoch == world.offset
    assert record.fenced
    assert not record.in_controlled_shutdown


@pytest.mark.parametrize("given", [None, "", "another-cluster"])
def test_the_cluster_id_must_be_exactly_ours(given):
    """A registration with another cluster id, or none, is refused (§9.2 check 1, K1262-24)."""
    error = refused(World(), register(cluster_id=given))
    assert error.code is ErrorCode.INCONSISTENT_CLUSTER_ID
    assert f"but got cluster ID {given}" in error.message


def test_below_40_the_local_id_is_checked():
    """Below level 40 the id that brokers must bring is the one in this node's meta.properties (K1262-28)."""
    world = World(level=30)
    assert refused(world, register(cluster_id="x")).code is ErrorCode.INCONSISTENT_CLUSTER_ID
    assert world.register() > 0


def test_a_live_broker_keeps_its_id():
    """Another incarnation is refused while the session of an unfenced broker is valid (§9.2 check 2)."""
    world = World()
    world.alive()
    world.now_ms = 8_999
    error = refused(world, register(incarnation_id=uuid(77)))
    assert error.code is ErrorCode.DUPLICATE_BROKER_REGISTRATION


def test_a_silent_broker_is_replaced():
    """After the session timeout another incarnation registers, under a higher epoch (§9.2, F-9)."""
    world = World()
    epoch = world.alive()
    world.now_ms = 9_000
    assert world.register(incarnation_id=uuid(77)) > epoch


def test_a_fenced_broker_is_replaced_at_once():
    """A fenced broker never has a valid session (§9.2)."""
    world = World()
    epoch = world.register()
    assert world.register(incarnation_id=uuid(77)) > epoch


def test_the_same_incarnation_keeps_epoch_and_flags():
    """Registering again amends: epoch, fenced and shutdown flags stay (§9.2)."""
    world = World()
    epoch = world.alive()
    (record,), response = world.do(register(rack="r2"))
    assert response.broker_epoch == epoch == record.broker_epoch
    assert not record.fenced
    assert world.broker().rack == "r2"


def test_the_same_registration_again_writes_nothing():
    """A repeated registration changes nothing, and so it writes nothing."""
    world = World()
    epoch = world.alive()
    records, response = world.do(register())
    assert records == []
    assert response.broker_epoch == epoch


@pytest.mark.parametrize(
    ("dirs", "text"),
    [
        ((), "No directories"),
        ((bytes(16),), "Reserved directory"),
        ((uuid(9), uuid(9)), "Duplicate directory"),
        ((uuid(502),), "Broker 2 is already registered"),
    ],
)
def test_directories_are_checked_from_17_on(dirs, text):
    """At least one directory, none reserved, none twice, none of another broker (§9.2 check 4)."""
    world = World()
    world.register(2)
    error = refused(world, register(log_dirs=dirs))
    assert error.code is ErrorCode.INVALID_REGISTRATION
    assert text in error.message


def test_directories_are_not_asked_for_below_17():
    """Below metadata.version 17 directories are neither asked for nor written (§9.1)."""
    world = World(level=16)
    (record,), _ = world.do(register(log_dirs=(uuid(3),)))
    assert record.log_dirs == []


@pytest.mark.parametrize(
    ("listeners", "text"),
    [
        ((Listener("A", "h", 1, 9),), "security protocol 9"),
        ((Listener("A", "h", 1), Listener("A", "h", 2)), "more than once"),
        ((Listener("A", "h", 70_000),), "port 70000"),
        ((Listener("A", "h" * 32_768, 1),), "32768 bytes"),
    ],
)
def test_listeners_are_checked(listeners, text):
    """A listener that a record cannot hold, or of an unknown protocol, is INVALID_REGISTRATION (§9.2 check 5)."""
    error = refused(World(), register(listeners=listeners))
    assert error.code is ErrorCode.INVALID_REGISTRATION
    assert text in error.message


@pytest.mark.parametrize("features", [(range_of(high=30),), (range_of(low=41),)])
def test_a_broker_must_understand_the_metadata_version(features):
    """A range without the finalized level is refused (§9.2 checks 6, 7)."""
    error = refused(World(), register(features=features))
    assert error.code is ErrorCode.UNSUPPORTED_VERSION
    assert "finalized version 40 of metadata.version" in error.message


def test_a_broker_must_declare_the_metadata_version():
    """No range of it is INVALID_REGISTRATION, once the ranges that are declared are judged."""
    assert refused(World(), register(features=())).code is ErrorCode.INVALID_REGISTRATION
    unknown = range_of("group.version", 1, 3)
    assert refused(World(), register(features=(unknown,))).code is ErrorCode.UNSUPPORTED_VERSION


def test_a_broker_from_zookeeper_is_refused():
    """With Kafka's code, after the cluster id was judged and before the directories are."""
    error = refused(World(), register(is_migrating_zk_broker=True, log_dirs=()))
    assert error.code is ErrorCode.BROKER_ID_NOT_REGISTERED
    error = refused(World(), register(is_migrating_zk_broker=True, cluster_id="another"))
    assert error.code is ErrorCode.INCONSISTENT_CLUSTER_ID


def test_a_broker_must_understand_every_finalized_feature():
    """A finalized feature that the broker does not declare counts as supported at 0 only (§9.2 check 8)."""
    world = World(bootstrap=(level_record(40), FeatureLevelRecord(name="group.version", feature_level=1)))
    assert "1 of group.version" in refused(world, register()).message
    assert world.register(features=(range_of(), range_of("group.version", 0, 1))) > 0


def test_kraft_version_counts_as_finalized():
    """kraft.version, which the quorum knows, is checked like a finalized feature (§9.2)."""
    world = World()
    world.controller.quorum_changed(QuorumFacts(frozenset({1}), 1))
    assert "1 of kraft.version" in refused(world, register()).message


def test_a_new_incarnation_leaves_leadership_before_it_is_registered():
    """A replaced broker leads nothing when its new incarnation is registered as fenced (§21.7)."""
    world = World(records=topic_records(([1, 2], [1, 2], 1)))
    world.alive(1)
    world.alive(2)
    world.now_ms = 9_000
    world.do(beat(2, world.broker(2).broker_epoch, world.offset))
    records, _ = world.do(register(incarnation_id=uuid(77)))
    assert [type(record) for record in records] == [PartitionChangeRecord, RegisterBrokerRecord]
    assert world.partition().leader == 2
    assert world.partition().isr == (2,)


def test_unregistering_forgets_even_a_live_broker():
    """Being unfenced does not protect a broker from being unregistered (§9.3)."""
    world = World()
    epoch = world.alive()
    records, _ = world.do(UnregisterBroker(broker_id=1))
    assert records == [UnregisterBrokerRecord(broker_id=1, broker_epoch=epoch)]
    assert 1 not in world.controller.image.cluster.brokers
    assert refused(world, beat(1, epoch)).code is ErrorCode.STALE_BROKER_EPOCH
    assert refused(world, UnregisterBroker(broker_id=1)).code is ErrorCode.BROKER_ID_NOT_REGISTERED


@pytest.mark.parametrize("asked", [register(incarnation_id=uuid(77)), UnregisterBroker(broker_id=1)])
def test_a_broker_of_any_number_of_partitions_is_replaced_and_forgotten(asked):
    """Its changes are more than one append takes; the record of the broker itself is the last one."""
    world = World()
    world.alive(1)
    world.now_ms = 9_000
    world.alive(2)
    world.append(ControllerResult(topic_records(*[([1, 2], [1, 2], 1)] * 10_001), None, atomic=False))
    records, _ = world.do(asked)
    assert len(records) == 10_002
    assert type(records[-1]) in {RegisterBrokerRecord, UnregisterBrokerRecord}
    assert world.partition(10_000).isr == (2,)


@pytest.mark.parametrize(
    ("level", "record"),
    [
        (33, UnregisterControllerRecord),
        (34, UnregisterControllerRecord),
        (40, RemoveControllerRegistrationRecord),
        (42, RemoveControllerRegistrationRecord),
    ],
)
def test_a_controller_that_is_no_voter_can_be_unregistered(level, record):
    """The checks in Kafka's order, then one record; a process that still runs registers again (KIP-1312)."""
    world = World(level=level)
    world.do(register_controller(3))
    world.controller.quorum_changed(QuorumFacts(frozenset({1, 2}), 1))
    for controller_id in (1, 2):
        assert refused(world, UnregisterController(controller_id=controller_id)).code is ErrorCode.INVALID_REQUEST
    assert refused(world, UnregisterController(controller_id=4)).code is ErrorCode.CONTROLLER_ID_NOT_REGISTERED
    records, _ = world.do(UnregisterController(controller_id=3))
    assert records == [record(controller_id=3)]
    assert 3 not in world.controller.image.cluster.controllers
    assert refused(world, UnregisterController(controller_id=3)).code is ErrorCode.CONTROLLER_ID_NOT_REGISTERED
    assert len(world.do(register_controller(3))[0]) == 1


@pytest.mark.parametrize("level", [15, 30, 32])
def test_controllers_are_unregistered_from_a_level_on(level):
    """No record up to 32 says it."""
    world = World(level=level)
    error = refused(world, UnregisterController(controller_id=3))
    assert error.code is ErrorCode.UNSUPPORTED_VERSION
    assert f"from metadata.version 33 on, and {level} is in force" in error.message
    assert "node.id" in error.message


def test_controllers_register_from_15_on():
    """A controller registers from metadata.version 15 on; the same registration again writes nothing (§9.3)."""
    assert refused(World(level=14), register_controller()).code is ErrorCode.UNSUPPORTED_VERSION
    world = World(level=15)
    records, _ = world.do(register_controller())
    assert [type(record) for record in records] == [RegisterControllerRecord]
    assert world.do(register_controller())[0] == []
    assert len(world.do(register_controller(incarnation_id=uuid(9)))[0]) == 1


def test_validate_only_decides_and_writes_nothing():
    """validate_only answers as usual and leaves no record."""
    world = World()
    result = world.controller.decide(0, register(validate_only=True))
    assert result.records == ()
    assert result.response.broker_epoch == world.offset + 1


def test_epochs_are_unique_although_control_records_take_offsets():
    """Broker epochs stay below the offset of their record and never repeat, whatever the quorum appends itself."""
    world = World()
    first = world.register(1)
    world.offset += 3
    second, third = world.register(2), world.register(3)
    assert first < second < third <= world.offset


def test_without_any_known_id_no_broker_registers():
    """No id on either side is not a match: a null cluster id is refused (K1262-24)."""
    world = World(level=30)
    world.controller._local_cluster_id = None
    assert refused(world, register(cluster_id=None)).code is ErrorCode.INCONSISTENT_CLUSTER_ID


def through_kafka(request):
    """The request as it comes over Kafka's wire."""
    if isinstance(request, RegisterBroker):
        message = rpc.BrokerRegistrationRequest(request.broker_id, CLUSTER, request.incarnation_id, log_dirs=[uuid(7)])
        return members.broker_from_wire(message, 4)
    if isinstance(request, RegisterController):
        message = rpc.ControllerRegistrationRequest(request.controller_id, request.incarnation_id)
        return members.controller_from_wire(message, 0)
    return members.unregister_from_wire(rpc.UnregisterBrokerRequest(request.broker_id), 0)


def through_grpc(request):
    """The request as it comes over gRPC."""
    if isinstance(request, RegisterBroker):
        fields = {"broker_id": request.broker_id, "cluster_id": CLUSTER, "incarnation_id": request.incarnation_id}
        message = node_pb2.RegisterBrokerRequest(**fields, log_dirs=[uuid(7)])
    elif isinstance(request, RegisterController):
        message = node_pb2.RegisterControllerRequest(
            controller_id=request.controller_id, incarnation_id=request.incarnation_id
        )
    else:
        message = admin_pb2.UnregisterBrokerRequest(broker_id=request.broker_id)
    return writes.BY_REQUEST[type(message)].submission(message, None).request


@pytest.mark.parametrize("wire", [through_kafka, through_grpc])
@pytest.mark.parametrize("node_id", [-1, -900])
@pytest.mark.parametrize(
    ("request_of", "code"),
    [
        (register, ErrorCode.INVALID_REGISTRATION),
        (register_controller, ErrorCode.INVALID_REGISTRATION),
        (lambda broker_id: UnregisterBroker(broker_id=broker_id), ErrorCode.BROKER_ID_NOT_REGISTERED),
    ],
    ids=["broker", "controller", "unregister"],
)
def test_unknown_ids_are_refused(wire, node_id, request_of, code):
    """A negative id, which means no node on the wire, is rejected; it was once registered and stayed in the log."""
    assert refused(World(), wire(request_of(node_id))).code is code


def test_heartbeats_of_unknown_brokers_are_refused():
    """As of every broker that is not registered."""
    assert refused(World(), beat(-1, 0)).code is ErrorCode.STALE_BROKER_EPOCH


def test_a_broker_of_an_old_log_whose_id_is_unused_can_be_forgotten():
    """An older release took such a registration: it can still be taken out."""
    record = RegisterBrokerRecord(broker_id=-1, incarnation_id=uuid(1), broker_epoch=3, fenced=True)
    world = World(records=[record])
    assert world.do(UnregisterBroker(broker_id=-1))[0] == [UnregisterBrokerRecord(broker_id=-1, broker_epoch=3)]
