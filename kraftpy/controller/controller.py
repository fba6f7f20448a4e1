"""The active controller as a value machine: requests in, results out, appended records replayed.

The shell calls, in this order and without anything in between: ``activate``, then for the result and every later one
``encode`` → (propose to the quorum) → ``appended``; and ``committed`` whenever the loader made a new image. ``decide``
and ``tick`` look at the newest speculative image and change no hard state, so a result whose append failed may simply
be dropped. A large result is appended part by part (``ControllerResult.parts``), over several turns. Until its last
part is appended nothing else may be; what was decided before it would not hold any more.

Source: Kafka ``QuorumController``; controller reference §1-§7; DESIGN D4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from kraftpy.controller.account_requests import AllocateProducerIds, AlterClientQuotas, AlterUserScramCredentials
from kraftpy.controller.acl_index import AclIndex
from kraftpy.controller.acl_requests import CreateAcls, DeleteAcls
from kraftpy.controller.acls import create_acls, delete_acls
from kraftpy.controller.activation import ActivationContext, activation_records
from kraftpy.controller.alter_partition import alter_partition
from kraftpy.controller.broker_id_requests import AlterBrokerHost, AssignBrokerId
from kraftpy.controller.broker_id_reservations import BrokerIdReservations
from kraftpy.controller.broker_ids import alter_broker_host, assign_broker_id
from kraftpy.controller.client_quotas import alter_client_quotas
from kraftpy.controller.config import UNCOMMITTED_RESULTS_MAX, ControllerConfig, QuorumFacts, UuidSource
from kraftpy.controller.configs import alter_configs, replace_configs
from kraftpy.controller.create_partitions import create_partitions
from kraftpy.controller.create_topics import create_topics
from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.delegation_token_index import DelegationTokenIndex
from kraftpy.controller.delegation_token_requests import (
    CreateDelegationToken,
    ExpireDelegationToken,
    RenewDelegationToken,
)
from kraftpy.controller.delegation_tokens import (
    TokenExpiry,
    create_delegation_token,
    expire_delegation_token,
    renew_delegation_token,
)
from kraftpy.controller.delete_topics import delete_topics
from kraftpy.controller.elections import elect_leaders
from kraftpy.controller.features import update_features
from kraftpy.controller.fencing import fence_one_stale, heartbeat, next_session_end
from kraftpy.controller.heartbeats import HeartbeatTracker
from kraftpy.controller.limits import check_record_count
from kraftpy.controller.partition_requests import (
    AlterPartition,
    AlterPartitionReassignments,
    AssignReplicasToDirs,
    ElectLeaders,
    ListPartitionReassignments,
)
from kraftpy.controller.periodic_elections import PeriodicElections
from kraftpy.controller.policies import NO_POLICIES, Policies
from kraftpy.controller.producer_ids import allocate_producer_ids
from kraftpy.controller.reassignments import alter_partition_reassignments, list_partition_reassignments
from kraftpy.controller.registration import (
    register_broker,
    register_controller,
    unregister_broker,
    unregister_controller,
)
from kraftpy.controller.replica_directories import assign_replicas_to_dirs
from kraftpy.controller.replica_index import ReplicaIndex
from kraftpy.controller.requests import (
    BrokerHeartbeat,
    ControllerRequest,
    IncrementalAlterConfigs,
    RegisterBroker,
    RegisterController,
    ReplaceConfigs,
    UnregisterBroker,
    UnregisterController,
    UpdateFeatures,
)
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.scram import alter_scram_credentials
from kraftpy.controller.slices import Slices, begun, finished
from kraftpy.controller.topic_requests import CreatePartitions, CreateTopics, DeleteTopics
from kraftpy.controller.topic_rules import UNCLEAN_ELECTION
from kraftpy.controller.uncommitted_state import UncommittedState
from kraftpy.image.image import MetadataImage
from kraftpy.model.errors import ApiError, BusyError, ErrorCode
from kraftpy.model.features import METADATA_VERSION, TRANSACTIONS_LEVEL
from kraftpy.model.ids import NodeId
from kraftpy.model.invariant import invariant
from kraftpy.model.offsets import Epoch, Offset
from kraftpy.quotas.mutations import MutationQuotas
from kraftpy.records.codec import Record
from kraftpy.records.metadata import (
    AbortTransactionRecord,
    AccessControlEntryRecord,
    BrokerRegistrationChangeRecord,
    ConfigRecord,
    DelegationTokenRecord,
    FeatureLevelRecord,
    NoOpRecord,
    RegisterBrokerRecord,
    RemoveAccessControlEntryRecord,
    RemoveDelegationTokenRecord,
    UnregisterBrokerRecord,
    encode_all_for_level,
    encode_for_level,
)

DECIDERS: Final[dict[type, Callable[[DecisionContext, Any], ControllerResult | Slices[ControllerResult]]]] = {
    RegisterBroker: register_broker,
    BrokerHeartbeat: heartbeat,
    UnregisterBroker: unregister_broker,
    UnregisterController: unregister_controller,
    RegisterController: register_controller,
    UpdateFeatures: update_features,
    IncrementalAlterConfigs: alter_configs,
    ReplaceConfigs: replace_configs,
    AlterPartition: alter_partition,
    ElectLeaders: elect_leaders,
    AlterPartitionReassignments: alter_partition_reassignments,
    ListPartitionReassignments: list_partition_reassignments,
    AlterClientQuotas: alter_client_quotas,
    AlterUserScramCredentials: alter_scram_credentials,
    AllocateProducerIds: allocate_producer_ids,
    CreateAcls: create_acls,
    DeleteAcls: delete_acls,
    AssignReplicasToDirs: assign_replicas_to_dirs,
    CreateTopics: create_topics,
    DeleteTopics: delete_topics,
    CreatePartitions: create_partitions,
    AssignBrokerId: assign_broker_id,
    AlterBrokerHost: alter_broker_host,
    CreateDelegationToken: create_delegation_token,
    RenewDelegationToken: renew_delegation_token,
    ExpireDelegationToken: expire_delegation_token,
}
"""What decides each type of request: all of them, and nothing else does."""

NOTED: Final = frozenset(
    {
        RegisterBrokerRecord,
        UnregisterBrokerRecord,
        BrokerRegistrationChangeRecord,
        AccessControlEntryRecord,
        RemoveAccessControlEntryRecord,
        DelegationTokenRecord,
        RemoveDelegationTokenRecord,
        ConfigRecord,
    }
)
"""Records that a controller keeps soft state by, beside the index of replicas."""

TICK: Final = "ControllerTick"
"""What the controller's own decisions are called: in the name of a transaction, and where errors are counted."""


class Controller:
    """Decides while it is active; keeps nothing but the committed image while it is not.

    Attributes:
        active: whether this node leads and may decide.
        epoch: of the present or the last leadership; -1 before the first.
    """

    def __init__(
        self, *, config: ControllerConfig, node_id: NodeId, uuids: UuidSource, policies: Policies = NO_POLICIES
    ) -> None:
        self._config = config
        self._policies = policies
        self._node_id = node_id
        self._uuids = uuids
        self._speculation = UncommittedState()
        self._quorum = QuorumFacts()
        self._local_cluster_id: str | None = None
        self._heartbeats = HeartbeatTracker(session_timeout_ms=config.session_timeout_ms)
        self._replicas = ReplicaIndex()
        self._builds_before = 0
        self._unended: list[Record] = []
        self._cuts_own_decisions = False
        self._acls = AclIndex()
        self._tokens = DelegationTokenIndex(config.token_secret_key)
        self._reservations = BrokerIdReservations(session_timeout_ms=config.session_timeout_ms)
        self._elections = PeriodicElections(config, 0)
        self._token_expiry = TokenExpiry(config, 0)
        self._mutations = self._no_mutations()
        self._next_offset: Offset = 0
        self._now_ms = 0
        self._last_write_ms = 0
        self.active = False
        self.epoch: Epoch = -1

    @property
    def image(self) -> MetadataImage:
        """The state that decisions are made from: everything appended, committed or not."""
        return self._speculation.latest

    @property
    def cluster_id(self) -> str | None:
        """The id of the cluster: from the log, else from this node's file."""
        return self._speculation.latest.cluster_id.value or self._local_cluster_id

    @property
    def next_offset(self) -> Offset:
        """An offset that no record has yet; the next one has this offset or a later one."""
        return self._next_offset

    def broker_silences_ms(self, now_ms: int) -> dict[NodeId, int]:
        """Return for how long each registered broker was not heard; nothing while this controller is not active."""
        return dict(self._heartbeats.silences_ms(now_ms))

    def quorum_changed(self, facts: QuorumFacts) -> None:
        """Take note of the voters and the kraft.version, which the quorum knows and the metadata does not say."""
        self._quorum = facts

    def activate(
        self,
        *,
        now_ms: int,
        epoch: Epoch,
        image: MetadataImage,
        next_offset: Offset,
        cluster_id: str | None,
        bootstrap: tuple[Record, ...] | None,
        open_transaction: bool,
    ) -> ControllerResult:
        """Begin to decide, as the leader of an epoch.

        Args:
            now_ms: every registered broker counts as heard of at this time.
            epoch: of the leadership.
            image: committed, up to the start of the epoch; without the records of an open transaction.
            next_offset: the log end offset.
            cluster_id: from this node's meta.properties.
            bootstrap: what ``storage format`` prepared; its records are used as they are.
            open_transaction: whether the log ends inside a metadata transaction.

        Returns:
            What to append before anything else; often nothing.

        Raises:
            ApiError: this node cannot serve this log; the controller stays inactive.
        """
        invariant(not self.active, "a controller is activated once per leader epoch", self.epoch, epoch)
        invariant(epoch > self.epoch, "epochs grow", self.epoch, epoch)
        found = ActivationContext(
            node_id=self._node_id,
            image=image,
            cluster_id=cluster_id,
            bootstrap=bootstrap,
            open_transaction=open_transaction,
        )
        result = activation_records(found, self._config, self._uuids)
        self._speculation.reset(image)
        self._begin_soft_state(image, now_ms)
        self._local_cluster_id, self._next_offset = cluster_id, next_offset
        self._now_ms = self._last_write_ms = now_ms
        self.active, self.epoch = True, epoch
        return result

    def _begin_soft_state(self, image: MetadataImage, now_ms: int) -> None:
        """Begin with what only an active controller knows; every registered broker was heard just now."""
        self._heartbeats = HeartbeatTracker(session_timeout_ms=self._config.session_timeout_ms)
        for broker_id in sorted(image.cluster.brokers):
            self._heartbeats.touch(broker_id, now_ms)
        self._replicas = ReplicaIndex()
        self._acls = AclIndex()
        self._tokens = DelegationTokenIndex(self._config.token_secret_key)
        self._reservations = self._no_reservations(image, now_ms)
        self._elections = PeriodicElections(self._config, now_ms)
        self._token_expiry = TokenExpiry(self._config, now_ms)
        self._mutations = self._no_mutations()
        self._unended.clear()
        self._cuts_own_decisions = False

    def _no_reservations(self, image: MetadataImage, now_ms: int) -> BrokerIdReservations:
        """Begin without reservations; only in a new cluster is it certain that no other controller made any."""
        is_new = METADATA_VERSION not in image.features.levels
        timeout_ms = self._config.session_timeout_ms
        return BrokerIdReservations(
            session_timeout_ms=timeout_ms, assigns_from_ms=now_ms if is_new else now_ms + timeout_ms
        )

    def _no_mutations(self) -> MutationQuotas:
        return MutationQuotas(self._config.mutation_quota_samples, self._config.mutation_quota_window_s)

    @property
    def mutations(self) -> MutationQuotas:
        """What clients used of their mutation quotas since this controller became active."""
        return self._mutations

    def decide(self, now_ms: int, request: ControllerRequest) -> ControllerResult:
        """Decide one request against the newest state.

        Raises:
            ApiError: the request is refused, or this controller is not active.
            BusyError: too many results wait for their commit.
        """
        decided = self.begin(now_ms, request)
        return decided if isinstance(decided, ControllerResult) else finished(decided)

    def begin(self, now_ms: int, request: ControllerRequest) -> ControllerResult | Slices[ControllerResult]:
        """Begin to decide as :meth:`decide` does; return what is left when a slice of a few milliseconds is not enough.

        Nothing may be appended before the rest is done, or given up.
        """
        decided = self._begun(now_ms, request)
        if isinstance(decided, ControllerResult):
            return self._permitted(request, decided)
        return self._go_on(request, decided)

    def _go_on(self, request: ControllerRequest, rest: Slices[ControllerResult]) -> Slices[ControllerResult]:
        result = yield from rest
        return self._permitted(request, result)

    def _begun(self, now_ms: int, request: ControllerRequest) -> ControllerResult | Slices[ControllerResult]:
        if not self.active:
            self._check_active()
        self._now_ms = max(self._now_ms, now_ms)
        decide = DECIDERS.get(type(request))
        if decide is None:
            raise ApiError(ErrorCode.INVALID_REQUEST, f"{type(request).__name__} is not a request to a controller")
        decided = decide(self._view(), request)
        return decided if isinstance(decided, ControllerResult) else begun(decided)

    def _permitted(self, request: ControllerRequest, result: ControllerResult) -> ControllerResult:
        """Return what of a result may be appended: nothing of a request that only asks."""
        size, level = len(result.records), self.image.level
        if result.atomic:
            check_record_count(size, level)
        if request.validate_only:
            return ControllerResult((), result.response, kraft_version=result.kraft_version)
        if size:
            self._check_room()
            self._last_write_ms = self._now_ms
            if not isinstance(request, UpdateFeatures):
                # Levels change between two batches only.
                return self._in_transaction(result, type(request).__name__)
        return result

    def _in_transaction(self, result: ControllerResult, name: str) -> ControllerResult:
        """Let a result that needs several batches take effect as a whole, if it is to, and the level allows it."""
        size, level = len(result.records), self.image.level
        if size <= self._config.records_per_part or level < TRANSACTIONS_LEVEL:
            return result
        is_whole = result.atomic or (result.prefers_transaction and size <= self._config.transaction_records_max)
        return result._replace(transaction=name) if is_whole else result

    @property
    def records_per_part(self) -> int:
        """How many records of a large result are appended in one turn."""
        return self._config.records_per_part

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction that this controller began did not end yet."""
        return self._speculation.in_transaction

    def abort(self, reason: str) -> ControllerResult:
        """Return what ends the open transaction without an effect."""
        return ControllerResult((AbortTransactionRecord(reason=reason),), None)

    def _check_active(self) -> None:
        if not self.active:
            raise ApiError(
                ErrorCode.NOT_CONTROLLER,
                f"Node {self._node_id} is not the active controller. Find the leader of the quorum and ask there.",
            )

    def _check_room(self) -> None:
        if len(self._speculation) >= UNCOMMITTED_RESULTS_MAX:
            raise BusyError(
                f"{UNCOMMITTED_RESULTS_MAX} results wait for their commit at controller {self._node_id}; "
                "try again later"
            )

    def _view(self) -> DecisionContext:
        return DecisionContext(
            now_ms=self._now_ms,
            image=self._speculation.latest,
            next_offset=self._next_offset,
            cluster_id=self.cluster_id,
            node_id=self._node_id,
            config=self._config,
            uuids=self._uuids,
            quorum=self._quorum,
            heartbeats=self._heartbeats,
            replicas=self._replicas,
            acls=self._acls,
            tokens=self._tokens,
            reservations=self._reservations,
            policies=self._policies,
            published_quotas=self._speculation.committed.client_quotas,
            mutations=self._mutations,
        )

    def encode(self, result: ControllerResult) -> Sequence[bytes]:
        """Write a result's records as framed values, each at the level in force at its offset.

        A FeatureLevelRecord changes the level for those behind it. In a log without a level, the first one's rules the
        records before it as well (the begin of the bootstrap transaction).

        Raises:
            LocalError: when a record cannot be written at that level.
        """
        image = self._speculation.latest
        level = self._speculation.level
        if FeatureLevelRecord not in set(map(type, result.records)):
            return encode_all_for_level(result.records, level)
        if METADATA_VERSION not in image.features.levels and not self._speculation.in_transaction:
            level = next((new for new in map(_new_level, result.records) if new is not None), level)
        values = []
        for record in result.records:
            values.append(encode_for_level(record, level))
            if type(record) is FeatureLevelRecord and record.name == METADATA_VERSION:
                level = record.feature_level
        return values

    def validate_replay(self, result: ControllerResult) -> None:
        """Replay a result, or a part of one, on the side, before it is appended.

        Raises:
            ReplayError: when one of its records does not replay: it must not be appended.
        """
        self._speculation.validate_replay(result.records)

    def appended(self, result: ControllerResult, last_offset: Offset, epoch: Epoch) -> None:
        """Replay what the quorum took in.

        Args:
            result: a result, or a part of one, with records.
            last_offset: of its last record.
            epoch: in which it was appended.

        Raises:
            InvariantViolation: when a record does not replay, or this controller is not active in that epoch.
        """
        invariant(self.active and epoch == self.epoch, "only the reigning controller appends", epoch, self.epoch)
        size = len(result.records)
        invariant(size > 0, "what is appended has records")
        invariant(last_offset - size + 1 >= self._next_offset, "appends do not overlap", last_offset, self._next_offset)
        before, was_open = self._speculation.latest, self._speculation.in_transaction
        self._replicas.observe(result.records, before)
        self._speculation.append(result.records, last_offset, epoch)
        self._keep_index(was_open=was_open)
        self._note(result.records, last_offset, before, was_open=was_open)
        self._next_offset = last_offset + 1
        if result.enters_shutdown is not None:
            self._heartbeats.begin_shutdown(result.enters_shutdown, last_offset)

    def _keep_index(self, *, was_open: bool) -> None:
        """Drop an index that was built while a transaction was open: it lacks what that transaction had changed."""
        is_open = self._speculation.in_transaction
        if is_open and not was_open:
            self._builds_before = self._replicas.builds
        elif was_open and not is_open and self._replicas.builds != self._builds_before:
            self._replicas = ReplicaIndex()

    def _note(self, records: Sequence[Record], last_offset: Offset, before: MetadataImage, *, was_open: bool) -> None:
        """Keep the soft state in step with records; those of a transaction count when it ends, or not at all."""
        is_open = self._speculation.in_transaction
        if not (was_open or is_open):
            for record in records:
                if type(record) in NOTED:
                    self._observe(record, last_offset, before)
            return
        for record in records:
            if type(record) in NOTED:
                self._unended.append(record)
            elif type(record) is AbortTransactionRecord:
                self._unended.clear()
        if not is_open:
            for record in self._unended:
                self._observe(record, last_offset, before)
            self._unended.clear()

    def _observe(self, record: Record, last_offset: Offset, before: MetadataImage) -> None:
        """Follow a record that counts from ``last_offset`` on; ``before`` is the state that it changed."""
        kind = type(record)
        self._acls.observe(record, before.acls)
        self._tokens.observe(record)
        if kind is RegisterBrokerRecord:
            assert isinstance(record, RegisterBrokerRecord)
            known = before.cluster.brokers.get(record.broker_id)
            again = known is None or known.incarnation_id != record.incarnation_id
            self._heartbeats.register(record.broker_id, self._now_ms, registered_at=last_offset, again=again)
            self._reservations.registered(record.broker_id, record.incarnation_id)
        elif kind is UnregisterBrokerRecord:
            assert isinstance(record, UnregisterBrokerRecord)
            self._heartbeats.forget(record.broker_id)
        elif kind is BrokerRegistrationChangeRecord:
            assert isinstance(record, BrokerRegistrationChangeRecord)
            if record.fenced == 1:
                self._heartbeats.end_shutdown(record.broker_id)
        elif isinstance(record, ConfigRecord) and record.name == UNCLEAN_ELECTION and record.value != "false":
            self._elections.hurry(self._now_ms)

    def committed(self, up_to_offset: Offset, image: MetadataImage) -> None:
        """Continue from a newer committed image, which holds everything up to and including ``up_to_offset``."""
        self._speculation.commit(up_to_offset, image)

    def tick(self, now_ms: int) -> ControllerResult | None:
        """Decide work that is due: fence a stale broker, elect, remove expired tokens, write a NoOpRecord.

        Call it again after its result was appended, until it returns ``None``.
        """
        return finished(self.tick_in_slices(now_ms))

    def tick_in_slices(self, now_ms: int) -> Slices[ControllerResult | None]:
        """Decide as :meth:`tick` does, a few milliseconds at a time; nothing may be appended until it is done."""
        if not self.active:
            return None
        self._now_ms = max(self._now_ms, now_ms)
        view = self._view()
        result = (yield from fence_one_stale(view)) or (yield from self._elections.step(view))
        result = result or self._token_expiry.step(view)
        if result is None and self._is_idle():
            result = ControllerResult((NoOpRecord(),), None)
        if result is None:
            return None
        self._last_write_ms = self._now_ms
        return result if self._cuts_own_decisions else self._in_transaction(result, TICK)

    def cut_own_decisions(self) -> None:
        """Append own decisions in parts that count one by one, for as long as this controller leads.

        A transaction of one was aborted. The next attempt would write all of its parts again, and abort again; parts
        that count are progress.
        """
        self._cuts_own_decisions = True

    def _is_idle(self) -> bool:
        interval_ms = self._config.max_idle_interval_ms
        return interval_ms > 0 and self._now_ms >= self._last_write_ms + interval_ms

    def next_deadline_ms(self) -> int | None:
        """Say when the next ``tick`` may have work (ms); ``None`` when nothing is due as things are."""
        if not self.active:
            return None
        session_end = next_session_end(self._view())
        deadlines = [] if session_end is None else [session_end[1]]
        for periodic in (self._elections, self._token_expiry):
            due_ms = periodic.due_ms(self._speculation.latest)
            deadlines += [] if due_ms is None else [due_ms]
        if self._config.max_idle_interval_ms > 0:
            deadlines.append(self._last_write_ms + self._config.max_idle_interval_ms)
        return min(deadlines, default=None)

    def resign(self) -> None:
        """End the leadership: what was not committed is discarded. Harmless when not active."""
        self._speculation.revert()
        self._unended.clear()
        self._replicas = ReplicaIndex()
        self._acls = AclIndex()
        self._tokens = DelegationTokenIndex(self._config.token_secret_key)
        self._heartbeats = HeartbeatTracker(session_timeout_ms=self._config.session_timeout_ms)
        self._mutations = self._no_mutations()
        self.active = False


def _new_level(record: Record) -> int | None:
    """Return the metadata.version that a record sets, if it does."""
    if isinstance(record, FeatureLevelRecord) and record.name == METADATA_VERSION:
        return record.feature_level
    return None
