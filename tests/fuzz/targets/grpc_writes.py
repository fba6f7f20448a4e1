"""The public API's writes: a byte that chooses, then a request, through the server's own decoder to a submission."""

from __future__ import annotations

from kraftpy.model.errors import ApiError
from kraftpy.pb.v1 import admin_pb2, common_pb2, node_pb2
from kraftpy.transport.grpc.elements import _fields, decoder, holds_at_most
from kraftpy.transport.grpc.errors import detail_of
from kraftpy.transport.grpc.writes import WRITES
from tests.fuzz.target import Target
from tests.fuzz.targets.parts import UUID

DECODERS = tuple(decoder(write.request.DESCRIPTOR, write.request.FromString) for write in WRITES)
FIELDS = tuple(_fields(write.request.DESCRIPTOR, {}) for write in WRITES)
ELEMENTS = 16


def run(data: bytes) -> None:
    """Make a submission of it, or a refusal that can be sent."""
    number = data[0] % len(WRITES) if data else 0
    holds_at_most(data[1:], FIELDS[number], ELEMENTS)
    message = DECODERS[number](data[1:])
    try:
        if isinstance(message, ApiError):
            raise message
        submission = WRITES[number].submission(message, 5)
        hash(submission.request)
    except ApiError as refusal:
        detail_of(refusal, None, is_write=True).SerializeToString()
        raise


def samples():
    options = common_pb2.WriteOptions(request_id=UUID, first_sent_epoch=3, is_retry=True, validate_only=True)
    listener = common_pb2.Listener(name="PLAINTEXT", host="h", port=9092, security_protocol=0)
    feature = common_pb2.SupportedFeature(name="metadata.version", min_level=7, max_level=42)
    messages = {
        "register_broker": node_pb2.RegisterBrokerRequest(
            options=options, broker_id=7, cluster_id="c", incarnation_id=UUID, listeners=[listener], features=[feature],
            rack="r", log_dirs=[UUID], previous_broker_epoch=3,
        ),
        "broker_heartbeat": node_pb2.BrokerHeartbeatRequest(
            options=options, broker_id=7, broker_epoch=3, metadata_offset=9, want_fence=True, offline_log_dirs=[UUID]
        ),
        "register_controller": node_pb2.RegisterControllerRequest(
            options=options, controller_id=7, incarnation_id=UUID, listeners=[listener], features=[feature]
        ),
        "unregister_broker": admin_pb2.UnregisterBrokerRequest(options=options, broker_id=7),
        "unregister_controller": admin_pb2.UnregisterControllerRequest(options=options, controller_id=7),
        "alter_broker_host": admin_pb2.AlterBrokerHostRequest(options=options, host="h", broker_id=7),
        "update_features": admin_pb2.UpdateFeaturesRequest(
            options=options, updates=[admin_pb2.FeatureUpdate(name="metadata.version", level=40, kind=1)]
        ),
        "incremental_alter_configs": alter_configs(options),
        "alter_partition": node_pb2.AlterPartitionRequest(
            options=options, broker_id=7, broker_epoch=3,
            topics=[
                node_pb2.TopicInSyncReplicas(
                    topic_id=UUID,
                    partitions=[
                        node_pb2.PartitionInSyncReplicas(
                            partition=1, leader_epoch=2, partition_epoch=3, recovering=True,
                            isr=[node_pb2.InSyncReplica(broker_id=7, broker_epoch=3)],
                        )
                    ],
                )
            ],
        ),
        "assign_replicas_to_dirs": node_pb2.AssignReplicasToDirsRequest(
            options=options, broker_id=7, broker_epoch=3,
            directories=[
                node_pb2.DirectoryReplicas(
                    directory_id=UUID, topics=[node_pb2.TopicReplicas(topic_id=UUID, partitions=[0, 1])]
                )
            ],
        ),
        "allocate_producer_ids": node_pb2.AllocateProducerIdsRequest(options=options, broker_id=7, broker_epoch=3),
        "assign_broker_id": node_pb2.AssignBrokerIdRequest(options=options, host="h", incarnation_id=UUID),
    }  # fmt: skip
    for number, write in enumerate(WRITES):
        yield write.name, bytes([number]) + messages.get(write.name, write.request(options=options)).SerializeToString()


def alter_configs(options) -> admin_pb2.IncrementalAlterConfigsRequest:
    """Two keys of one resource."""
    request = admin_pb2.IncrementalAlterConfigsRequest(options=options)
    one = request.resources.add()
    one.resource.type = 4
    one.resource.name = "1"
    one.alterations.add(name="log.retention.ms", op=0, value="5")
    one.alterations.add(name="log.cleaner.threads", op=1)
    return request


TARGET = Target(name="grpc_writes", run=run, refusals=(ApiError,), samples=samples)
