"""The writes of a client that is a node: registrations and heartbeats, and what brokers report and ask for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kraftpy.client import broker_wire, wire
from kraftpy.client import values as v
from kraftpy.client.calls import ClusterCalls
from kraftpy.client.uuids import Uuid
from kraftpy.model.ids import NodeId
from kraftpy.model.registrations import BrokerHeartbeat, RegisterBroker, RegisterController
from kraftpy.pb.v1 import node_pb2


class NodeWrites(ClusterCalls):
    """What nodes report about themselves."""

    async def register_broker(self, request: RegisterBroker, *, timeout_s: float | None = None) -> v.BrokerRegistered:
        """Register a broker process; the result has the broker epoch of later calls."""
        options = self._options(validate_only=request.validate_only)
        answer = await self._write(
            "register_broker", wire.register_broker(request, options), timeout_s, may_repeat=True
        )
        return v.BrokerRegistered(wire.position(answer.position), answer.broker_epoch)

    async def broker_heartbeat(
        self, request: BrokerHeartbeat, *, timeout_s: float | None = None
    ) -> v.HeartbeatAnswered:
        """Report that a broker is alive."""
        options = self._options(validate_only=request.validate_only)
        message = wire.broker_heartbeat(request, options)
        return wire.heartbeat_answered(await self._write("broker_heartbeat", message, timeout_s, may_repeat=True))

    async def register_controller(self, request: RegisterController, *, timeout_s: float | None = None) -> v.Position:
        """Register a controller process."""
        options = self._options(validate_only=request.validate_only)
        message = wire.register_controller(request, options)
        answer = await self._write("register_controller", message, timeout_s, may_repeat=True)
        return wire.position(answer.position)

    async def alter_partition(
        self,
        broker_id: NodeId,
        broker_epoch: int,
        reports: Iterable[v.InSyncReplicas],
        *,
        validate_only: bool = False,
        timeout_s: float | None = None,
    ) -> v.InSyncAltered:
        """Report which replicas are in sync, of partitions that the broker leads; check every outcome.

        Repeating it is safe: what was altered by an earlier attempt is INVALID_UPDATE_VERSION then.
        """
        options = self._options(validate_only=validate_only)
        message = broker_wire.alter_partition(broker_id, broker_epoch, reports, options)
        return broker_wire.in_sync_altered(await self._write("alter_partition", message, timeout_s, may_repeat=True))

    async def assign_replicas_to_dirs(
        self,
        broker_id: NodeId,
        broker_epoch: int,
        directories: Mapping[tuple[Uuid, int], Uuid],
        *,
        validate_only: bool = False,
        timeout_s: float | None = None,
    ) -> v.ReplicasAssigned:
        """Report the directory of each replica, by topic id and partition; check every outcome."""
        options = self._options(validate_only=validate_only)
        message = broker_wire.assign_replicas_to_dirs(broker_id, broker_epoch, directories, options)
        answer = await self._write("assign_replicas_to_dirs", message, timeout_s, may_repeat=True)
        return broker_wire.replicas_assigned(answer)

    async def allocate_producer_ids(
        self,
        broker_id: NodeId,
        broker_epoch: int,
        *,
        validate_only: bool = False,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.ProducerIds:
        """Return a block of producer ids for the broker; another call returns another block.

        With ``retry_unknown`` an attempt whose outcome is not known is repeated: it may leave a block unused.
        """
        message = node_pb2.AllocateProducerIdsRequest(
            options=self._options(validate_only=validate_only), broker_id=broker_id, broker_epoch=broker_epoch
        )
        may_repeat = retry_unknown or validate_only
        answer = await self._write("allocate_producer_ids", message, timeout_s, may_repeat=may_repeat)
        return v.ProducerIds(wire.position(answer.position), answer.start, answer.length)

    async def assign_broker_id(
        self, host: str, incarnation_id: Uuid, *, validate_only: bool = False, timeout_s: float | None = None
    ) -> v.BrokerIdAssigned:
        """Return an id for a broker that has none; the same process gets the same id, however often it asks.

        Args:
            host: of the broker: its name, or what its configuration gives instead.
            incarnation_id: a random one (``Uuid.random()``), chosen when the process starts.
            validate_only: return the id without reserving it.
            timeout_s: how long to wait.
        """
        message = node_pb2.AssignBrokerIdRequest(
            options=self._options(validate_only=validate_only), host=host, incarnation_id=Uuid(incarnation_id)
        )
        answer = await self._write("assign_broker_id", message, timeout_s, may_repeat=True)
        return v.BrokerIdAssigned(wire.position(answer.position), answer.broker_id, v.BrokerIdOrigin(answer.source))
