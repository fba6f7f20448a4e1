"""The rows that one controller listener offers besides Raft's, and how their answers come about."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

from kraftpy.authorizer.actions import AclResource
from kraftpy.controller.requests import ConfigResource, ControllerRequest
from kraftpy.model.acls import AclOperation
from kraftpy.model.errors import ApiError, BusyError, ErrorCode
from kraftpy.model.ids import NodeId
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from kraftpy.transport.authorization import configured
from kraftpy.transport.client_quotas import charged_to, client_of, throttle_ms
from kraftpy.transport.kafka.apis import Api, WireRequest
from kraftpy.transport.kafka.control import (
    accounts,
    acls,
    broker_ids,
    delegation_tokens,
    features,
    members,
    partitions,
    topics,
)
from kraftpy.transport.kafka.control.alter_configs import (
    alter_from_wire,
    alter_to_wire,
    replace_from_wire,
    replace_to_wire,
)
from kraftpy.transport.kafka.control.broker_apis import BrokerApis
from kraftpy.transport.kafka.control.describe_configs import configs_refused, describe_configs
from kraftpy.transport.kafka.control.envelope import Envelopes
from kraftpy.transport.kafka.items import ITEMS_MAX, count_items
from kraftpy.transport.kafka.listener import KafkaListener
from kraftpy.transport.node_api import MetadataView, Outcome, WriteRequest
from kraftpy.transport.request_checks import RequestChecks

WRITE_TIMEOUT_MS: Final = 30_000
"""How long a write may wait until it is decided, where Kafka's request has no field for it."""

BROKER_ITEMS_MAX: Final = 120_000
"""How many items the partitions of one AlterPartition request may hold: 30,000 partitions with three in-sync replicas.

A broker sends all that it has in one request, and the same request again until it is answered. Kafka has no limit but
the bytes of a request; here a request is decided in one turn, at about 25 us for a partition.
"""

ITEM_BYTES: Final = 128
"""What an item of such a report counts for among the bytes of the writes that wait."""

Submit: TypeAlias = Callable[[WriteRequest, Callable[[Outcome], None]], None]
"""Queues one write, and calls back with what became of it; raises BusyError when it is not taken."""


@dataclass(frozen=True, slots=True)
class KafkaWrite:
    """One kind of write.

    Attributes:
        from_wire: makes the controller's request of the message and its version; raises ApiError.
        to_wire: makes the answer of the outcome and the message.
        timeout_ms: how long a message says that it may wait until it is decided; ``None`` as long as it takes.
        items_max: how many items the lists of a message may hold.
        names_leader: whether a refusal says where the active controller listens.
        newer_fields: fields of the answer that older versions lack, with the first version that has each and what
            they are without it.
        strict_from: from which version on clients know THROTTLING_QUOTA_EXCEEDED; ``None`` for a write that no mutation
            quota applies to.
    """

    request: type[Message]
    from_wire: Callable[[Any, int], ControllerRequest]
    to_wire: Callable[[Outcome, Any], Message]
    timeout_ms: Callable[[Any], int | None] = lambda _: WRITE_TIMEOUT_MS
    items_max: int = ITEMS_MAX
    names_leader: bool = False
    newer_fields: tuple[tuple[str, int, str | int], ...] = ()
    strict_from: int | None = None


WRITES: Final = (
    KafkaWrite(rpc.ControllerRegistrationRequest, members.controller_from_wire, members.controller_to_wire),
    KafkaWrite(rpc.BrokerRegistrationRequest, members.broker_from_wire, members.broker_to_wire),
    KafkaWrite(rpc.BrokerHeartbeatRequest, members.heartbeat_from_wire, members.heartbeat_to_wire),
    KafkaWrite(
        rpc.AssignBrokerIdRequest,
        broker_ids.assignment_from_wire,
        broker_ids.assignment_to_wire,
        names_leader=True,
    ),
    KafkaWrite(rpc.UnregisterBrokerRequest, members.unregister_from_wire, members.unregister_to_wire),
    KafkaWrite(
        rpc.UnregisterControllerRequest, members.controller_removal_from_wire, members.controller_removal_to_wire
    ),
    KafkaWrite(
        rpc.UpdateFeaturesRequest, features.update_from_wire, features.update_to_wire, lambda asked: asked.timeout_ms
    ),
    KafkaWrite(rpc.IncrementalAlterConfigsRequest, alter_from_wire, alter_to_wire, lambda _: None),
    KafkaWrite(rpc.AlterConfigsRequest, replace_from_wire, replace_to_wire),
    KafkaWrite(
        rpc.AlterPartitionRequest,
        partitions.alteration_from_wire,
        partitions.alteration_to_wire,
        items_max=BROKER_ITEMS_MAX,
    ),
    KafkaWrite(
        rpc.AssignReplicasToDirsRequest,
        partitions.directories_from_wire,
        partitions.directories_to_wire,
    ),
    KafkaWrite(
        rpc.ElectLeadersRequest,
        partitions.election_from_wire,
        partitions.election_to_wire,
        lambda asked: asked.timeout_ms,
        newer_fields=(("error_code", 1, 0),),
    ),
    KafkaWrite(
        rpc.AlterPartitionReassignmentsRequest,
        partitions.reassignment_from_wire,
        partitions.reassignment_to_wire,
        lambda asked: asked.timeout_ms,
    ),
    KafkaWrite(
        rpc.CreateTopicsRequest,
        topics.create_from_wire,
        topics.create_to_wire,
        lambda asked: asked.timeout_ms,
        items_max=topics.REPLICA_ITEMS_MAX,
        strict_from=6,
    ),
    KafkaWrite(
        rpc.DeleteTopicsRequest,
        topics.delete_from_wire,
        topics.delete_to_wire,
        lambda asked: asked.timeout_ms,
        strict_from=5,
    ),
    KafkaWrite(
        rpc.CreatePartitionsRequest,
        topics.grow_from_wire,
        topics.grow_to_wire,
        lambda asked: asked.timeout_ms,
        items_max=topics.REPLICA_ITEMS_MAX,
        strict_from=3,
    ),
    KafkaWrite(
        rpc.ListPartitionReassignmentsRequest,
        partitions.list_from_wire,
        partitions.list_to_wire,
        lambda asked: asked.timeout_ms,
    ),
    KafkaWrite(rpc.AlterClientQuotasRequest, accounts.quotas_from_wire, accounts.quotas_to_wire),
    KafkaWrite(rpc.AlterUserScramCredentialsRequest, accounts.scram_from_wire, accounts.scram_to_wire),
    KafkaWrite(rpc.AllocateProducerIdsRequest, accounts.producer_ids_from_wire, accounts.producer_ids_to_wire),
    KafkaWrite(rpc.CreateAclsRequest, acls.create_from_wire, acls.create_to_wire),
    KafkaWrite(rpc.DeleteAclsRequest, acls.delete_from_wire, acls.delete_to_wire),
    KafkaWrite(
        rpc.CreateDelegationTokenRequest,
        delegation_tokens.create_from_wire,
        delegation_tokens.create_to_wire,
        newer_fields=(("token_requester_principal_type", 3, ""), ("token_requester_principal_name", 3, "")),
    ),
    KafkaWrite(rpc.RenewDelegationTokenRequest, delegation_tokens.renew_from_wire, delegation_tokens.renew_to_wire),
    KafkaWrite(rpc.ExpireDelegationTokenRequest, delegation_tokens.expire_from_wire, delegation_tokens.expire_to_wire),
)


class ControlCalls:
    """Answers the control calls of one listener.

    Args:
        listener: where they come in.
        listener_name: the listener's name, under which the other controllers registered theirs.
        node_id: of this controller.
        submit: see :data:`Submit`.
        view: the newest published state.
        leader_id: the active controller, as far as it is known.
        now_ms: the clock of decisions.
    """

    def __init__(
        self,
        listener: KafkaListener,
        *,
        listener_name: str,
        node_id: NodeId,
        submit: Submit,
        view: Callable[[], MetadataView],
        leader_id: Callable[[], NodeId | None],
        now_ms: Callable[[], int] = lambda: 0,
    ) -> None:
        self._listener_name = listener_name
        self._node_id = node_id
        self._submit = submit
        self._view = view
        self._leader_id = leader_id
        self._now_ms = now_ms
        self._authorization = listener.authorization
        self._checks = RequestChecks(listener.identity, listener.authorization, listener.changes)
        self._broker_apis = BrokerApis(listener.apis)
        for write in WRITES:
            listener.apis.add(_offered(write.request, self._handler(write), items_max=write.items_max))
        listener.apis.add(_offered(rpc.DescribeClusterRequest, self._describe_cluster))
        listener.apis.add(_offered(rpc.DescribeConfigsRequest, self._describe_configs))
        listener.apis.add(_offered(rpc.DescribeAclsRequest, self._describe_acls))
        listener.apis.add(_offered(rpc.EnvelopeRequest, Envelopes(listener).handle))

    def _handler(self, write: KafkaWrite) -> Callable[[WireRequest], Message | None]:
        def handle(request: WireRequest) -> Message | None:
            message = request.message
            try:
                asked = write.from_wire(message, request.version)
                admitted = self._checks.admit(asked, request.principal, request.caller, request.ids)
                size = request.size
                if write.items_max > ITEMS_MAX:
                    size = max(size, ITEM_BYTES * count_items(message, write.items_max))
                submission = WriteRequest(
                    self._charged(write, admitted.request, request),
                    timeout_ms=write.timeout_ms(message),
                    size=size,
                    meter=request.meter,
                    noted=admitted.noted,
                    author=admitted.author,
                )
                self._submit(
                    submission,
                    lambda outcome: request.answer_made(
                        lambda: self._answer(write, admitted.outcome(outcome), request)
                    ),
                )
            except ApiError as refused:
                return self._answer(write, refused, request)
            except BusyError as busy:
                return write.to_wire(_throttled(busy), message)
            return None

        return handle

    def _charged(self, write: KafkaWrite, asked: ControllerRequest, request: WireRequest) -> ControllerRequest:
        """Let a request say whose mutation quota it is charged to."""
        if write.strict_from is None:
            return asked
        client = client_of(request.caller, request.client_id, self._authorization)
        return charged_to(asked, client, is_strict=request.version >= write.strict_from)

    def _answer(self, write: KafkaWrite, outcome: Outcome, request: WireRequest) -> Message:
        """Make the answer of an outcome."""
        response = write.to_wire(outcome, request.message)
        if write.strict_from is not None:
            setattr(response, "throttle_time_ms", throttle_ms(outcome, self._now_ms()))  # noqa: B010 - three classes
        if isinstance(response, rpc.CreateDelegationTokenResponse) and isinstance(outcome, ApiError):
            delegation_tokens.name_principals(response, request.caller.principal)
        for name, first_version, without in write.newer_fields:
            if request.version < first_version:
                setattr(response, name, without)
        if write.request is rpc.BrokerRegistrationRequest and not isinstance(outcome, ApiError):
            self._broker_apis.registered(request.message, request.row.software)
        if write.names_leader and isinstance(outcome, ApiError) and outcome.code is ErrorCode.NOT_CONTROLLER:
            with suppress(ApiError):
                # Without a state that can be read the response names no leader.
                broker_ids.name_leader(
                    cast("rpc.AssignBrokerIdResponse", response), self._view(), self._leader_id(), self._listener_name
                )
        return response

    def _describe_cluster(self, request: WireRequest) -> Message:
        try:
            self._require(request, AclOperation.ALTER)
            view = self._view()
        except ApiError as refused:
            return members.cluster_refused(refused, request.version)
        return members.describe_cluster(request.message, request.version, view, self._leader_id(), self._listener_name)

    def _describe_configs(self, request: WireRequest) -> Message:
        try:
            view = self._view()
            denied = self._denied_configs(request)
        except ApiError as refused:
            return configs_refused(request.message, refused)
        return describe_configs(request.message, view, self._node_id, denied)

    def _describe_acls(self, request: WireRequest) -> Message:
        try:
            self._require(request, AclOperation.DESCRIBE)
            view = self._view()
        except ApiError as refused:
            return acls.acls_refused(refused)
        return acls.describe_acls(request.message, view)

    def _require(self, request: WireRequest, operation: AclOperation) -> None:
        if self._authorization is not None:
            self._authorization.require(request.caller, operation)

    def _denied_configs(self, request: WireRequest) -> dict[tuple[int, str], ApiError]:
        """Return the errors of the resources whose configs the caller may not see; each is decided once."""
        if self._authorization is None:
            return {}
        decided: dict[AclResource, ApiError | None] = {}
        denied: dict[tuple[int, str], ApiError] = {}
        for each in request.message.resources:
            named = each.resource_type, each.resource_name
            resource = configured(ConfigResource(*named))
            if resource not in decided:
                decided[resource] = self._authorization.denial(
                    request.caller, AclOperation.DESCRIBE_CONFIGS, resource, earlier=len(denied)
                )
            error = decided[resource]
            if error is not None:
                denied[named] = error
        return denied


def _offered(
    request: type[Message],
    handle: Callable[[WireRequest], Message | None],
    *,
    items_max: int = ITEMS_MAX,
) -> Api:
    """Offer every version that there is a codec for."""
    return Api(request.API_KEY, request.MIN_VERSION, request.MAX_VERSION, handle, items_max)


def _throttled(busy: BusyError) -> ApiError:
    return ApiError(ErrorCode.THROTTLING_QUOTA_EXCEEDED, str(busy))
