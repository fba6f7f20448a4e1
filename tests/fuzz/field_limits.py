"""Every field of every write of Kafka's protocol, one at a time at its limits, in an otherwise valid request.

Fields come from the schemas, and writes from the table that a listener offers: a new field is covered by itself, a new
write needs a valid request in :data:`VALID`. A request goes the whole way: the real codec, the real table, the decision
of a controller with state, its records, replay, and the answer.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, TypeAlias

from kraftpy.controller.account_requests import AlterUserScramCredentials, ScramUpsertion, ScramUser
from kraftpy.controller.delegation_token_requests import CreateDelegationToken
from kraftpy.controller.limits import records_max
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.topic_requests import CreatableTopic, CreateTopics
from kraftpy.model.errors import LocalError
from kraftpy.model.features import DIRECTORIES_LEVEL, LATEST_LEVEL
from kraftpy.model.ids import Uuid
from kraftpy.model.registrations import Listener
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import PartitionChangeRecord
from kraftpy.records.rpc import decode_response, encode_request
from kraftpy.records.schema import Field, Struct, load
from kraftpy.transport.kafka.control.calls import WRITES
from kraftpy.transport.kafka.framing import FrameSplitter, frame
from kraftpy.transport.kafka.listener import PeerConnection
from tests.fuzz.targets.controller_requests import ACL, ALICE, Decided, listener_of
from tests.fuzz.targets.hostile import INT_ENDS
from tests.fuzz.targets.stub_loop import StubTransport, stub_loop
from tests.unit.controller.worlds import CLUSTER, UNSTABLE, World, register_controller, set_configs, uuid

LEVEL: Final = LATEST_LEVEL

FORWARDED: Final = frozenset(
    {rpc.CreateDelegationTokenRequest, rpc.RenewDelegationTokenRequest, rpc.ExpireDelegationTokenRequest}
)
"""What an anonymous caller may not ask for; a broker forwards it for a user."""

DIRECTORIES_VERSION: Final = 2
"""From this version on a broker registers its directories."""

BROKERS: Final = (3, 7, 8)
NEW_BROKER, OLD_CONTROLLER = 9, 5
CORRELATION_ID: Final = 5
FIRST_UUID: Final = 5_000
NOW_MS: Final = 10_000
"""When all requests are made: a new controller assigns broker ids from now on."""

TOPICS: Final = ("orders", "users")

TEXTS: Final = ("", "a", "a" * 249, "a" * 250, "a" * 32_767, "\0", "a\r\nb", "\x7f", "\U0001f600", "\uffff")
BYTES: Final = (b"", b"\0", b"\xff" * 32_767)
FLOATS: Final = (-math.inf, -1.0, 0.0, 5e-324, 1.7976931348623157e308, math.inf, math.nan)
UUIDS: Final = (bytes(16), bytes(15) + b"\1", b"\xff" * 16)

Path = tuple[str, ...]
"""The attributes that lead from a message to a field; of a list in between, the first item."""


@dataclass(frozen=True, slots=True)
class Case:
    """One field of one valid request at one of its limits.

    Attributes:
        base: which of the valid requests.
    """

    request: type[Message]
    base: int
    version: int
    path: Path
    value: Any

    def __str__(self) -> str:
        value = repr(self.value)
        shown = value if len(value) < 60 else f"{value[:40]}... ({len(value)} characters)"
        return f"{self.request.__name__} {self.base} v{self.version} {'.'.join(self.path)}={shown}"


# ---------------------------------------------------------------- the controller


def level_of(request: type[Message], version: int) -> int:
    """Return a metadata.version at which a version of a request is accepted; the highest as a rule."""
    if request is rpc.BrokerRegistrationRequest and version < DIRECTORIES_VERSION:
        return DIRECTORIES_LEVEL - 1
    return LEVEL


class Limited(Decided):
    """A controller that begins with a state, and keeps what it decides.

    Attributes:
        values: what was appended, encoded.
    """

    def __init__(self, state: World) -> None:
        World.__init__(self, config=state.config, image=state.controller.image)
        self.uuids.given = FIRST_UUID
        self.now_ms = NOW_MS
        self.hmac = state.hmac

    def take(self, result: ControllerResult) -> None:
        """Rehearse, encode and take in a result that is no larger than a request may make it."""
        assert len(result.records) <= records_max(self.controller.image.level)
        try:
            values = [value for part in result.parts() for value in self.controller.encode(part)]
        except LocalError as error:
            raise AssertionError(f"a request is accepted whose records cannot be written: {error}") from error
        self.values += values
        super().take(result)


@cache
def state_of(level: int) -> World:
    """Return a controller with brokers, topics, configs, an access control entry, a credential, a token, a quota."""
    config = replace(UNSTABLE, acls_enabled=True, token_secret_key="key")
    world = World(config=config, level=level, records=(ACL,))
    for node_id in (1, OLD_CONTROLLER):
        listener = Listener("CONTROLLER", f"host-{node_id}", 9093)
        world.do(register_controller(node_id, listeners=(listener,), features=config.features))
    for broker_id in BROKERS:
        host = f"host-{broker_id}"
        world.alive(broker_id, host=host, listeners=(Listener("PLAINTEXT", host, 9092),), features=config.features)
    assigned = ((0, (7, 3)), (1, (3, 7)), (2, (8, 7)))
    world.do(CreateTopics(tuple(CreatableTopic(name, assignments=assigned) for name in TOPICS)))
    # The election of the preferred replica has something to do.
    change = PartitionChangeRecord(partition_id=1, topic_id=_topic_id(world), leader=7)
    world.append(ControllerResult((change,), None))
    world.do(set_configs(2, "orders", ("retention.ms", "5")))
    world.do(set_configs(4, "", ("log.cleaner.threads", "2")))
    credential = ScramUpsertion(user=ScramUser(1, "bob"), iterations=4096, salt=b"s", salted_password=b"p" * 32)
    world.do(AlterUserScramCredentials(upsertions=(credential,)))
    world.hmac = world.do(CreateDelegationToken(requester="User:alice"))[1].hmac
    world.commit()
    return world


def ask(world: Limited, message: Message, version: int) -> Message:
    """Send a request to a controller's listener and return the answer.

    Raises:
        LocalError: when the codec cannot write the request.
        AssertionError: when there is not exactly one whole answer that is coded as that version has it.
    """
    sent, sent_version = message, version
    if type(message) in FORWARDED:
        sent, sent_version = (
            rpc.EnvelopeRequest(encode_request("c", CORRELATION_ID, message, version), ALICE, bytes(4)),
            0,
        )
    data = encode_request("c", CORRELATION_ID, sent, sent_version)
    with stub_loop():
        listener = listener_of(world)
        connection, transport = PeerConnection(listener), StubTransport()
        connection.connection_made(transport)
        connection.data_received(frame(data))
        listener.flush()
        answers = FrameSplitter()
        payloads = answers.feed(bytes(transport.written))
        assert answers.is_clean, "half an answer was sent"
        assert not transport.is_closed, "the connection ended"
        assert len(payloads) == 1, "there is not one answer"
        connection.connection_lost(None)
    answer = _decoded(sent, sent_version, payloads[0])
    if type(message) in FORWARDED:
        assert isinstance(answer, rpc.EnvelopeResponse)
        assert answer.error_code == 0, "the envelope is refused"
        answer = _decoded(message, version, answer.response_data)
    return answer


def _decoded(request: Message, version: int, payload: bytes) -> Message:
    correlation_id, answer = decode_response(request.API_KEY, version, payload)
    assert correlation_id == CORRELATION_ID
    return answer


def errors_of(answer: Any) -> list[int]:
    """Return all error codes of an answer that are one."""
    codes = []
    for name in answer.__dataclass_fields__:
        value = getattr(answer, name)
        if name == "error_code" and value:
            codes.append(value)
        for item in value if isinstance(value, list) else ():
            if hasattr(item, "__dataclass_fields__"):
                codes += errors_of(item)
    return codes


# ---------------------------------------------------------------- the fields


def schema_of(request: type[Message]) -> Struct:
    """Return the fields of a request."""
    return next(message.root for message in load("rpc") if message.name == request.NAME)


def fields_of(struct: Struct, version: int, path: Path = ()) -> Iterator[tuple[Path, Field]]:
    """Iterate over all fields that a version has, with those of the structs in it."""
    for field in struct.fields_in(version):
        here = (*path, field.attribute)
        yield here, field
        if field.struct is not None:
            yield from fields_of(field.struct, version, here)


def limits_of(field: Field, value: Any) -> Iterator[Any]:
    """Iterate over the values at the limits of a field, which has a valid value."""
    if field.is_nullable:
        yield None
    if not field.is_array:
        yield from _ends_of(field.kind)
        return
    yield []
    if value:
        yield [value[0], copy.deepcopy(value[0])]
    if field.struct is None:
        for end in _ends_of(field.kind):
            yield [end]


def _ends_of(kind: str) -> tuple[Any, ...]:
    if kind in INT_ENDS:
        low, high = INT_ENDS[kind]
        return tuple(dict.fromkeys((low, max(low, -1), 0, 1, high)))
    return {"bool": (False, True), "string": TEXTS, "bytes": BYTES, "float64": FLOATS, "uuid": UUIDS}.get(kind, ())


def fitted(message: Any, struct: Struct, version: int) -> Any:
    """Give the fields that a version lacks their defaults."""
    plain = type(message)()
    for field in struct.fields:
        value = getattr(message, field.attribute)
        if version not in field.versions:
            setattr(message, field.attribute, getattr(plain, field.attribute))
        elif field.struct is not None and value is not None:
            for item in value if field.is_array else [value]:
                fitted(item, field.struct, version)
    return message


def valid(request: type[Message], base: int, version: int, world: Limited) -> Any:
    """Make one of the valid requests."""
    return fitted(VALID[request][base](world), schema_of(request), version)


def changed(case: Case, world: Limited) -> Message:
    """Make a valid request, with the field at its limit."""
    message = valid(case.request, case.base, case.version, world)
    place = message
    for name in case.path[:-1]:
        place = getattr(place, name)
        place = place[0] if isinstance(place, list) else place
    setattr(place, case.path[-1], case.value)
    return message


def versions_of(request: type[Message]) -> range:
    """Return the versions that the table offers."""
    return range(request.MIN_VERSION, request.MAX_VERSION + 1)


def cases_of(request: type[Message], version: int) -> Iterator[Case]:
    """Iterate over all cases of a version of a request; of fields in lists that a valid request leaves empty, none."""
    world = Limited(state_of(level_of(request, version)))
    for base in range(len(VALID[request])):
        message = valid(request, base, version, world)
        for path, field in fields_of(schema_of(request), version):
            places = _values_at(message, path)
            for value in limits_of(field, places[0]) if places else ():
                yield Case(request, base, version, path, value)


def _values_at(message: Any, path: Path) -> list[Any]:
    """Return the value at a path, as the only item; none where a list in between is empty."""
    place = message
    for name in path[:-1]:
        place = getattr(place, name)
        if isinstance(place, list):
            if not place:
                return []
            place = place[0]
    return [] if place is None else [getattr(place, path[-1])]


def uncovered(request: type[Message], version: int) -> list[Path]:
    """Return the fields that no valid request reaches."""
    reached = {case.path for case in cases_of(request, version)}
    return [path for path, _ in fields_of(schema_of(request), version) if path not in reached]


# ---------------------------------------------------------------- valid requests

Make: TypeAlias = Callable[[Limited], Message]
APPEND: Final = 2


def _epoch(world: Limited, broker_id: int) -> int:
    return world.broker(broker_id).broker_epoch


def _topic_id(world: World) -> Uuid:
    topic = world.controller.image.topics.named("orders")
    assert topic is not None
    return topic.id


def _controller_registration(_: Limited) -> rpc.ControllerRegistrationRequest:
    return rpc.ControllerRegistrationRequest(
        6,
        uuid(600),
        listeners=[rpc.ControllerRegistrationRequestListener("CONTROLLER", "host-6", 9093, 0)],
        features=[rpc.ControllerRegistrationRequestFeature("metadata.version", 7, LEVEL)],
    )


def _broker_registration(_: Limited) -> rpc.BrokerRegistrationRequest:
    return rpc.BrokerRegistrationRequest(
        NEW_BROKER,
        CLUSTER,
        uuid(700),
        listeners=[rpc.BrokerRegistrationRequestListener("PLAINTEXT", "host-9", 9092, 0)],
        features=[rpc.BrokerRegistrationRequestFeature("metadata.version", 7, LEVEL)],
        rack="r",
        log_dirs=[uuid(701), uuid(702)],
        saturated_log_dirs=[uuid(702)],
        host="host-9",
    )


def _broker_amendment(world: Limited) -> rpc.BrokerRegistrationRequest:
    message = _broker_registration(world)
    message.broker_id, message.incarnation_id, message.host = 7, uuid(7), "host-7"
    message.log_dirs = [*world.broker(7).log_dirs, uuid(702)]
    return message


def _heartbeat(world: Limited) -> rpc.BrokerHeartbeatRequest:
    directory = world.broker(7).log_dirs[0]
    return rpc.BrokerHeartbeatRequest(
        7, _epoch(world, 7), world.offset, offline_log_dirs=[directory], cordoned_log_dirs=[directory],
        saturated_log_dirs=[directory],
    )  # fmt: skip


def _departure(world: Limited) -> rpc.BrokerHeartbeatRequest:
    return rpc.BrokerHeartbeatRequest(7, _epoch(world, 7), world.offset, want_shut_down=True)


def _feature(name: str, level: int) -> Make:
    update = rpc.UpdateFeaturesRequestFeatureUpdateKey
    return lambda _: rpc.UpdateFeaturesRequest(feature_updates=[update(name, level)])


def _altered_config(kind: int, resource: str, key: str, value: str, operation: int = 0) -> Make:
    config, row = (
        rpc.IncrementalAlterConfigsRequestAlterableConfig,
        rpc.IncrementalAlterConfigsRequestAlterConfigsResource,
    )
    return lambda _: rpc.IncrementalAlterConfigsRequest([row(kind, resource, [config(key, operation, value)])])


def _replaced_config(kind: int, resource: str, key: str, value: str) -> Make:
    config, row = rpc.AlterConfigsRequestAlterableConfig, rpc.AlterConfigsRequestAlterConfigsResource
    return lambda _: rpc.AlterConfigsRequest([row(kind, resource, [config(key, value)])])


def _isr(world: Limited) -> rpc.AlterPartitionRequest:
    partition = world.controller.image.topics.partition(_topic_id(world), 0)
    assert partition is not None
    row = rpc.AlterPartitionRequestPartitionData(
        0, partition.leader_epoch, [7], [rpc.AlterPartitionRequestBrokerState(7, _epoch(world, 7))],
        partition_epoch=partition.partition_epoch,
    )  # fmt: skip
    topic = rpc.AlterPartitionRequestTopicData(_topic_id(world), [row])
    return rpc.AlterPartitionRequest(7, _epoch(world, 7), [topic])


def _directories(world: Limited) -> rpc.AssignReplicasToDirsRequest:
    partition = rpc.AssignReplicasToDirsRequestPartitionData(0)
    topic = rpc.AssignReplicasToDirsRequestTopicData(_topic_id(world), [partition])
    directory = rpc.AssignReplicasToDirsRequestDirectoryData(world.broker(7).log_dirs[0], [topic])
    return rpc.AssignReplicasToDirsRequest(7, _epoch(world, 7), [directory])


def _election(_: Limited) -> rpc.ElectLeadersRequest:
    return rpc.ElectLeadersRequest(0, [rpc.ElectLeadersRequestTopicPartitions("orders", [1])])


def _reassignment(_: Limited) -> rpc.AlterPartitionReassignmentsRequest:
    partition = rpc.AlterPartitionReassignmentsRequestReassignablePartition(0, [8, 7])
    topic = rpc.AlterPartitionReassignmentsRequestReassignableTopic("orders", [partition])
    return rpc.AlterPartitionReassignmentsRequest(topics=[topic])


def _placed_topic(_: Limited) -> rpc.CreateTopicsRequest:
    configs = [rpc.CreateTopicsRequestCreatableTopicConfig("retention.ms", "7")]
    return rpc.CreateTopicsRequest([rpc.CreateTopicsRequestCreatableTopic("new", 2, 2, configs=configs)])


def _assigned_topic(_: Limited) -> rpc.CreateTopicsRequest:
    assignments = [rpc.CreateTopicsRequestCreatableReplicaAssignment(0, [7, 8])]
    return rpc.CreateTopicsRequest([rpc.CreateTopicsRequestCreatableTopic("new", -1, -1, assignments)])


def _deleted_by_name(_: Limited) -> rpc.DeleteTopicsRequest:
    return rpc.DeleteTopicsRequest([rpc.DeleteTopicsRequestDeleteTopicState("orders")], ["orders"])


def _deleted_by_id(world: Limited) -> rpc.DeleteTopicsRequest:
    return rpc.DeleteTopicsRequest([rpc.DeleteTopicsRequestDeleteTopicState(None, _topic_id(world))], ["orders"])


def _partitions(_: Limited) -> rpc.CreatePartitionsRequest:
    assignments = [rpc.CreatePartitionsRequestCreatePartitionsAssignment([8, 3])]
    return rpc.CreatePartitionsRequest([rpc.CreatePartitionsRequestCreatePartitionsTopic("orders", 4, assignments)])


def _placed_partitions(_: Limited) -> rpc.CreatePartitionsRequest:
    return rpc.CreatePartitionsRequest([rpc.CreatePartitionsRequestCreatePartitionsTopic("orders", 4, None)])


def _reassignments(_: Limited) -> rpc.ListPartitionReassignmentsRequest:
    topic = rpc.ListPartitionReassignmentsRequestListPartitionReassignmentsTopics("orders", [0])
    return rpc.ListPartitionReassignmentsRequest(topics=[topic])


def _quota(kind: str, name: str | None, key: str) -> Make:
    entity, operation = rpc.AlterClientQuotasRequestEntityData, rpc.AlterClientQuotasRequestOpData
    entry = rpc.AlterClientQuotasRequestEntryData
    return lambda _: rpc.AlterClientQuotasRequest([entry([entity(kind, name)], [operation(key, 5.0)])])


def _credentials(_: Limited) -> rpc.AlterUserScramCredentialsRequest:
    return rpc.AlterUserScramCredentialsRequest(
        [rpc.AlterUserScramCredentialsRequestScramCredentialDeletion("bob", 1)],
        [rpc.AlterUserScramCredentialsRequestScramCredentialUpsertion("alice", 1, 4096, b"s", b"p" * 32)],
    )


def _stronger_credential(_: Limited) -> rpc.AlterUserScramCredentialsRequest:
    row = rpc.AlterUserScramCredentialsRequestScramCredentialUpsertion
    return rpc.AlterUserScramCredentialsRequest(upsertions=[row("bob", 2, 16_384, b"s", b"p" * 64)])


def _new_acl(_: Limited) -> rpc.CreateAclsRequest:
    return rpc.CreateAclsRequest([rpc.CreateAclsRequestAclCreation(2, "topic", 3, "User:bob", "*", 3, 3)])


def _acl_filter(_: Limited) -> rpc.DeleteAclsRequest:
    row = rpc.DeleteAclsRequestDeleteAclsFilter(2, "topic", ACL.pattern_type, "User:alice", "*", 3, 3)
    return rpc.DeleteAclsRequest([row])


def _new_token(_: Limited) -> rpc.CreateDelegationTokenRequest:
    renewers = [rpc.CreateDelegationTokenRequestCreatableRenewers("User", "bob")]
    return rpc.CreateDelegationTokenRequest("User", "alice", renewers, 1_000)


VALID: Final[dict[type[Message], tuple[Make, ...]]] = {
    rpc.ControllerRegistrationRequest: (_controller_registration,),
    rpc.BrokerRegistrationRequest: (_broker_registration, _broker_amendment),
    rpc.BrokerHeartbeatRequest: (_heartbeat, _departure),
    rpc.AssignBrokerIdRequest: (lambda _: rpc.AssignBrokerIdRequest("host-10", uuid(900)),),
    rpc.UnregisterBrokerRequest: (lambda _: rpc.UnregisterBrokerRequest(8),),
    rpc.UnregisterControllerRequest: (lambda _: rpc.UnregisterControllerRequest(OLD_CONTROLLER),),
    rpc.UpdateFeaturesRequest: (
        _feature("metadata.version", LEVEL),
        _feature("group.version", 1),
        _feature("eligible.leader.replicas.version", 1),
        _feature("kraft.version", 0),
    ),
    rpc.IncrementalAlterConfigsRequest: (
        _altered_config(2, "orders", "retention.ms", "7"),
        _altered_config(2, "orders", "cleanup.policy", "compact", APPEND),
        _altered_config(4, "", "min.insync.replicas", "2"),
        _altered_config(4, "7", "log.cleaner.threads", "2"),
        _altered_config(16, "m", "match", "client_id=a"),
        _altered_config(32, "g", "consumer.session.timeout.ms", "45001"),
    ),
    rpc.AlterConfigsRequest: (
        _replaced_config(2, "orders", "retention.ms", "7"),
        _replaced_config(4, "", "log.cleaner.threads", "2"),
        _replaced_config(16, "m", "interval.ms", "5000"),
    ),
    rpc.AlterPartitionRequest: (_isr,),
    rpc.AssignReplicasToDirsRequest: (_directories,),
    rpc.ElectLeadersRequest: (_election,),
    rpc.AlterPartitionReassignmentsRequest: (_reassignment,),
    rpc.CreateTopicsRequest: (_placed_topic, _assigned_topic),
    rpc.DeleteTopicsRequest: (_deleted_by_name, _deleted_by_id),
    rpc.CreatePartitionsRequest: (_partitions, _placed_partitions),
    rpc.ListPartitionReassignmentsRequest: (_reassignments,),
    rpc.AlterClientQuotasRequest: (
        _quota("user", "alice", "producer_byte_rate"),
        _quota("client-id", None, "controller_mutation_rate"),
        _quota("ip", "192.0.2.1", "connection_creation_rate"),
    ),
    rpc.AlterUserScramCredentialsRequest: (_credentials, _stronger_credential),
    rpc.AllocateProducerIdsRequest: (lambda world: rpc.AllocateProducerIdsRequest(7, _epoch(world, 7)),),
    rpc.CreateAclsRequest: (_new_acl,),
    rpc.DeleteAclsRequest: (_acl_filter,),
    rpc.CreateDelegationTokenRequest: (_new_token,),
    rpc.RenewDelegationTokenRequest: (lambda world: rpc.RenewDelegationTokenRequest(world.hmac, 1_000),),
    rpc.ExpireDelegationTokenRequest: (lambda world: rpc.ExpireDelegationTokenRequest(world.hmac, 1_000),),
}
"""Requests that the controller accepts, of every write."""

REQUESTS: Final = tuple(write.request for write in WRITES)
