"""Bugs that are planted on purpose, to show that the checkers find what they are for.

Each is a small change to the real code, made for the length of a ``with`` block. The budget is how many seeds the
search may take; a bug that is not found within it means that the simulator has become blind. Several were real: the
simulator found them unplanted, and they stay here so that it always does.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import pytest

import kraftpy.controller.alter_partition as alter_partition_module
import kraftpy.controller.configs as configs_module
import kraftpy.controller.controller as controller_module
import kraftpy.controller.fencing as fencing_module
import kraftpy.controller.isr_changes as isr_changes_module
import kraftpy.controller.partition_change as partition_change_module
import kraftpy.controller.periodic_elections as periodic_elections_module
import kraftpy.controller.registration as registration_module
import kraftpy.controller.topic_rules as topic_rules_module
import kraftpy.image.loader as loader_module
import kraftpy.raft.election as election_module
import kraftpy.raft.follower_fetch as fetching_module
import kraftpy.raft.guards as guards_module
import kraftpy.raft.guards.state_digests as digests_module
import kraftpy.raft.leader_replication as replication_module
import kraftpy.raft.leadership as leadership_module
import kraftpy.raft.timers as timers_module
import kraftpy.raft.voter_changes as membership_module
import kraftpy.runtime.inbox as inbox_module
import kraftpy.runtime.peer_requests as peer_requests_module
import kraftpy.runtime.snapshotter as snapshotter_module
import kraftpy.storage.directory as directory_module
import kraftpy.storage.log_open as opening_module
import kraftpy.storage.meta_properties as meta_properties_module
import kraftpy.storage.quorum_state as quorum_state_module
import kraftpy.storage.recovery as recovery_module
import kraftpy.storage.replica_status as replica_status_module
import kraftpy.transport.identity as identity_module
import tests.simulator.topics as topics_module
import tests.simulator.unnamed_brokers as unnamed_brokers_module
from kraftpy.controller.broker_id_reservations import BrokerIdReservations
from kraftpy.controller.config import ELECTIONS_PER_STEP_MAX
from kraftpy.controller.dedupe import CompletedRequests
from kraftpy.controller.heartbeats import HeartbeatTracker
from kraftpy.controller.periodic_elections import PeriodicElections
from kraftpy.controller.replica_index import ReplicaIndex
from kraftpy.image.configs import ConfigsDelta
from kraftpy.image.partitions import PartitionRegistration
from kraftpy.image.topics import TopicsDelta
from kraftpy.model.digests import NO_DIGEST
from kraftpy.model.errors import ErrorCode, StorageError
from kraftpy.raft.digest_tracker import ReportedDigests
from kraftpy.raft.epoch_limit import EpochLimit
from kraftpy.raft.ready import Ready, StateDigestVerified
from kraftpy.raft.replica import Replica
from kraftpy.raft.replica_state import ReplicaState
from kraftpy.raft.roles import Leader, Prospective, Unattached
from kraftpy.raft.view import ReplicaView
from kraftpy.raft.voter_set_history import VoterSetHistory
from kraftpy.runtime.application import NodeApplication
from kraftpy.runtime.backend import NodeBackend
from kraftpy.runtime.cluster_id import ClusterIdPublisher
from kraftpy.runtime.controller_loop import ControllerLoop
from kraftpy.runtime.driver import Driver
from kraftpy.runtime.reads import Reads
from kraftpy.runtime.snapshotter import QuorumAt
from kraftpy.runtime.state_machine import StateMachine
from kraftpy.runtime.waiters import Committing
from kraftpy.storage.atomic_file import TEMPORARY_SUFFIX
from kraftpy.storage.identity import ClusterIdStore
from kraftpy.storage.log import MetadataLog
from kraftpy.storage.snapshots import SnapshotWriter
from tests.fakes.slices import in_one_slice
from tests.simulator.swarm import Options, options_of, with_duplicate

Plant = Callable[[pytest.MonkeyPatch], None]

RECENT = 100
UNBOUNDED = 10**9

PLAIN_CLIENTS = {"register_clients": 0, "readers": 0, "watchers": 0, "cut_with_clients": 0, "forged_interval_ms": 0}
"""What is looked for in requests and reads asks for those clients; the other bugs are found without them."""

WITHOUT = PLAIN_CLIENTS | {
    "vote_loss_interval_ms": 0,
    "watchers_restarted": 0,
    "one_way_interval_ms": 0,
    "identity": False,
    "topics": False,
    "rebalance": True,
    "election_interval_ms": 1_000,
    "imbalance_percentage": 10,
    "elections_per_step": ELECTIONS_PER_STEP_MAX,
    "elr": False,
    "flood_interval_ms": 0,
    "item_cost_us": 0,
    "large_writes": 0,
    "cut_fencing": False,
}
"""What happens only in the search for a bug that asks for it."""

SEEDS_MAX = 200
"""How many seeds the search for a planted bug takes at most.

Every change of what the nodes write or send makes other histories of the same seeds. The rarest bug is found by about
3 seeds in 100, so that 200 seeds miss it in one change of 400.
"""


@dataclass(frozen=True, slots=True)
class Bug:
    """What is done wrong, in a sentence, and the change that does it.

    Attributes:
        focus: options that make the moment likely in which the bug matters.
    """

    name: str
    plant: Plant
    focus: Mapping[str, int] = field(default_factory=dict)

    def options(self, seed: int) -> Options:
        """Return what a seed means in the search for this bug."""
        options = replace(options_of(seed), **(WITHOUT | dict(self.focus)))
        return with_duplicate(options, options.duplicate) if options.duplicate else options


def _vote_not_synced(patch: pytest.MonkeyPatch) -> None:
    def replace_file(fs, path, content):
        file = fs.open(path + TEMPORARY_SUFFIX, write=True, create=True)
        file.pwrite(content, 0)
        file.close()
        fs.rename(path + TEMPORARY_SUFFIX, path)

    patch.setattr(quorum_state_module, "replace_file", replace_file)


def _does_not_abort(patch: pytest.MonkeyPatch) -> None:
    honest = controller_module.activation_records

    def without_abort(found, config, uuids):
        return honest(replace(found, open_transaction=False), config, uuids)

    patch.setattr(controller_module, "activation_records", without_abort)


def _log_not_synced(patch: pytest.MonkeyPatch) -> None:
    def sync(self):
        self.flushed_offset = self.end_offset

    patch.setattr(MetadataLog, "sync", sync)


def _failed_sync_forgiven(patch: pytest.MonkeyPatch) -> None:
    honest = MetadataLog.sync

    def sync(self):
        try:
            honest(self)
        except StorageError:
            self._refuses = None
            self.flushed_offset = self.end_offset

    patch.setattr(MetadataLog, "sync", sync)


def _promises_before_sync(patch: pytest.MonkeyPatch) -> None:
    honest_append, honest_dispatch = Driver._append, Driver._dispatch

    def append(self, ready: Ready) -> None:
        ahead[0] = ready.messages
        honest_append(self, ready)

    def dispatch(self, messages) -> None:
        # The first words of a Ready take its last ones with them.
        due, ahead[0] = ahead[0], None
        if due is not None:
            reported[:] = [*reported[-RECENT:], due]
            honest_dispatch(self, (*messages, *due))
        elif not any(messages is one for one in reported):
            honest_dispatch(self, messages)

    ahead: list = [None]
    reported: list = []
    patch.setattr(Driver, "_append", append)
    patch.setattr(Driver, "_dispatch", dispatch)


def _vote_before_stored(patch: pytest.MonkeyPatch) -> None:
    def proceed(self, result=None) -> None:
        if self._steps is None:
            return
        try:
            step = self._steps.send(None)
        except StopIteration:
            ready, self._preparing, self._steps = self._preparing, None, None
            self._append(ready)
        else:
            # Put, and not waited for.
            self.lane.put(step.job, lambda _: None)
            proceed(self)

    patch.setattr(Driver, "_proceed", proceed)


def _old_words_count(patch: pytest.MonkeyPatch) -> None:
    honest = Replica.step

    def step(self, now_ms, inbound):
        # Only a tick looks at the deadlines; what waits in the inbox is heard before.
        with pytest.MonkeyPatch.context() as deaf:
            deaf.setattr(timers_module, "expire", lambda *_, **__: None)
            honest(self, now_ms, inbound)

    patch.setattr(Replica, "step", step)


def _flush_covers_too_much(patch: pytest.MonkeyPatch) -> None:
    honest = MetadataLog.begin_flush

    def begin_flush(self):
        flush = honest(self)

        def done() -> None:
            flush.done()
            self.flushed_offset = self.end_offset

        return replace(flush, done=done)

    patch.setattr(MetadataLog, "begin_flush", begin_flush)


def _counts(*, own_end: str, any_epoch: bool) -> Plant:
    def plant(patch: pytest.MonkeyPatch) -> None:
        def maybe_advance(state, leader: Leader) -> bool:
            reached = leader.progress.majority_end_offset(state.node_id, getattr(state.log, own_end))
            if reached is None or (reached <= leader.epoch_start_offset and not any_epoch):
                return False
            if leader.high_watermark is not None and reached <= leader.high_watermark:
                return False
            leader.high_watermark = reached
            state.fetch_purgatory.wake()
            return replication_module.raise_high_watermark(state, reached)

        patch.setattr(replication_module, "maybe_advance_high_watermark", maybe_advance)

    return plant


def _forgets_vote(patch: pytest.MonkeyPatch) -> None:
    honest = directory_module.read_quorum_state
    patch.setattr(directory_module, "read_quorum_state", lambda *where: replace(honest(*where), voted_key=None))


def _votes_again(patch: pytest.MonkeyPatch) -> None:
    honest = election_module._decide

    def decide(state, request) -> bool:
        role = state.role
        if not request.pre_vote and isinstance(role, Unattached | Prospective) and role.voted_key is not None:
            return bool(request.last >= state.log.end)
        return honest(state, request)

    patch.setattr(election_module, "_decide", decide)


def _votes_for_stale_logs(patch: pytest.MonkeyPatch) -> None:
    honest = election_module._decide
    patch.setattr(
        election_module,
        "_decide",
        lambda state, request: honest(state, replace(request, last=max(request.last, state.log.end))),
    )


def _start_drops_last_batch(patch: pytest.MonkeyPatch) -> None:
    honest = opening_module.open_metadata_log

    def open_log(*where, **more):
        log = honest(*where, **more)
        if log.end_offset - 1 >= max(log.start_offset, log.recovery_point) and log.end_offset > log.start_offset:
            log.truncate_to(log.end_offset - 1)
        return log

    patch.setattr(directory_module, "open_metadata_log", open_log)


def _start_syncs_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(recovery_module, "sync_names", lambda _fs, _directory: None)


def _memory_before_files(patch: pytest.MonkeyPatch) -> None:
    def on_metadata_update(self, delta, image, manifest):
        found = image.cluster_id.value
        if found is not None and found != self._value:
            self._value = found
            self._on_discovered(found)
            self._persist(found, lambda: None)

    patch.setattr(ClusterIdPublisher, "on_metadata_update", on_metadata_update)


def _start_leaves_cluster_id(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ClusterIdStore, "complete", lambda self: None)


def _publisher_skips(patch: pytest.MonkeyPatch) -> None:
    def publish(self, publication):
        self._published = publication.image
        skipped = publication.image.provenance.offset % 7 == 6
        for publisher in self._publishers:
            if not (skipped and publisher.name == "last probe"):
                publisher.on_metadata_update(publication.delta, publication.image, publication.manifest)

    patch.setattr(StateMachine, "_publish", publish)


def _answers_before_commit(patch: pytest.MonkeyPatch) -> None:
    honest = ControllerLoop._decide

    def decide(self, pending, now_ms, ends_ms):
        is_begun = honest(self, pending, now_ms, ends_ms)
        waiting = self._waiters.committing
        while waiting and waiting[-1].write is pending:
            pending.settle(waiting.pop().committed)
        return is_begun

    patch.setattr(ControllerLoop, "_decide", decide)


def _snapshot_forgets(patch: pytest.MonkeyPatch) -> None:
    honest = snapshotter_module.snapshot_groups

    def groups(image, *more):
        every = list(honest(image, *more))
        yield from every[:-1] if image.provenance.offset > 20 else every

    patch.setattr(snapshotter_module, "snapshot_groups", groups)


def _forgets_requests(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(CompletedRequests, "find", lambda _self, _request_id: None)


def _decides_retries_again(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(CompletedRequests, "may_decide", lambda _self, _stamp, _epoch: True)


def _counts_any_directory(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(guards_module, "check_duplicate", lambda *_: ErrorCode.NONE)
    patch.setattr(guards_module, "register_directory", lambda *_: None)


def _empty_directories_count(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(replica_status_module, "_holds_nothing", lambda *_: False)
    patch.setattr(replica_status_module, "_holds_vote", lambda *_: True)


def _lost_votes_are_new(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(replica_status_module, "_holds_vote", lambda *_: True)


def _replays_wrongly(patch: pytest.MonkeyPatch) -> None:
    honest, done = ConfigsDelta.replay_config, []
    replay_values, loading = loader_module._Fold._replay_values, []

    def replay_batch(self, batch) -> None:
        loading.append(batch)
        replay_values(self, batch)
        loading.pop()

    def replay_config(self, record) -> None:
        # One node, once; and what is committed, for what a controller rehearses is gone when it is committed.
        wrong = loading and not done and record.value is not None and self.base.by_type
        if wrong:
            done.append(record)
        honest(self, replace(record, value="another") if wrong else record)

    patch.setattr(loader_module._Fold, "_replay_values", replay_batch)
    patch.setattr(ConfigsDelta, "replay_config", replay_config)


def _diverged_is_right(patch: pytest.MonkeyPatch) -> None:
    def judge_own(state, judge, own, agreed) -> None:
        state.digests.judged(own)
        state.digests.agree(own)
        state.out.events.append(StateDigestVerified(own))

    patch.setattr(digests_module, "_judge_own", judge_own)


def _other_offsets_are_compared(patch: pytest.MonkeyPatch) -> None:
    honest = digests_module._judge_own

    def handle_agreed(state, leader_id, agreed) -> None:
        newest = max(state.digests.made.values(), key=lambda one: one.end_offset, default=None)
        if agreed.value != NO_DIGEST and newest is not None:
            honest(state, leader_id, newest, agreed)

    patch.setattr(guards_module, "handle_agreed", handle_agreed)


def _minority_is_right(patch: pytest.MonkeyPatch) -> None:
    def majority(self, voters):
        stated = Counter(self.of_voters(voters).values()).most_common()
        return stated[-1][0] if sum(count for _, count in stated) >= voters.majority else None

    patch.setattr(ReportedDigests, "majority", majority)


def _diverged_leader_leads_on(patch: pytest.MonkeyPatch) -> None:
    for module in (leadership_module, replication_module):
        patch.setattr(module, "resign_with_wrong_state", lambda *_: None)


def _diverged_goes_on(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(NodeApplication, "_on_digests", lambda _self, _event: None)


def _first_word_counts(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ReportedDigests, "majority", lambda self, _voters: next(iter(self.by.values()), None))


def _corruption_is_cut(patch: pytest.MonkeyPatch) -> None:
    honest = recovery_module.judge

    def judge(*where, **more):
        verdict = honest(*where, **more)
        return None if verdict is None else replace(verdict, torn=True)

    patch.setattr(recovery_module, "judge", judge)
    patch.setattr(recovery_module, "check_length", lambda *_: None)
    patch.setattr(opening_module, "check_length", lambda *_: None)


def _lost_recovery_point_is_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(opening_module, "_unknown_end", lambda *_: None)


def _identity_is_believed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(meta_properties_module, "check_checksum", lambda _content: None)


def _snapshot_not_synced(patch: pytest.MonkeyPatch) -> None:
    def freeze_file(self) -> None:
        file, self._file = self._open_file(), None
        file.close()
        self._store.publish(file.path, self.snapshot_id)

    patch.setattr(SnapshotWriter, "freeze_file", freeze_file)
    patch.setattr(SnapshotWriter, "sync", lambda self: None)


def _stale_voters(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(VoterSetHistory, "truncate_to", lambda _self, _end_offset: False)


def _snapshot_without_voters(patch: pytest.MonkeyPatch) -> None:
    honest = snapshotter_module.snapshot_pieces

    def pieces(image, quorum, *more):
        return (yield from honest(image, QuorumAt(None, quorum.kraft_version), *more))

    patch.setattr(snapshotter_module, "snapshot_pieces", pieces)


def _changes_overlap(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(membership_module, "_obstacle", lambda _state, _leader: None)


def _removed_leader_gives_up(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ReplicaState, "is_electable", property(lambda self: self.is_voter))


def _bootstrap_servers_only(patch: pytest.MonkeyPatch) -> None:
    honest = fetching_module.discovery_peers

    def peers(state):
        every = honest(state)
        return every if state.is_voter else [each for each in every if each[0] < 0] or every

    patch.setattr(fetching_module, "discovery_peers", peers)


def _activates_while_handing_over(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ReplicaView, "hands_over", property(lambda _self: False))


def _does_not_cut(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(fetching_module, "_cut_to_divergence", lambda _state, _diverging: None)


def _epoch_not_stored(patch: pytest.MonkeyPatch) -> None:
    honest = Driver._before_append

    def before_append(self, ready: Ready):
        state = ready.election_state
        only_epoch = state is not None and state.voted_key is None and state.leader_id is None
        return (yield from honest(self, replace(ready, election_state=None) if only_epoch else ready))

    patch.setattr(Driver, "_before_append", before_append)


def _all_of_a_host(patch: pytest.MonkeyPatch) -> None:
    honest = registration_module._broker_record

    def record(view, request, *, epoch):
        return replace(
            honest(view, request, epoch=epoch), broker_id=min([request.broker_id, *view.image.cluster.brokers])
        )

    patch.setattr(registration_module, "_broker_record", record)


def _full_disk_is_forgiven(patch: pytest.MonkeyPatch) -> None:
    honest = MetadataLog._write

    def write(self, active, data) -> None:
        with contextlib.suppress(StorageError):
            honest(self, active, data)

    patch.setattr(MetadataLog, "_write", write)


def _no_record_answered_at_once(patch: pytest.MonkeyPatch) -> None:
    def confirm_shared(self, now_ms) -> None:
        del now_ms
        sharing, waiting = self._waiters.sharing, self._waiters.committing
        while sharing:
            one = sharing.popleft()
            offset = one.committed.offset
            if offset <= self._state_machine.image.provenance.offset:
                one.write.settle(one.committed)
            else:
                place = max(offset, waiting[-1].offset) if waiting else offset
                waiting.append(Committing(place, one.write, one.committed, 0))

    patch.setattr(ControllerLoop, "_confirm_shared", confirm_shared)


def _reads_without_a_round(patch: pytest.MonkeyPatch) -> None:
    honest = Reads._ask_for_gathered

    def ask_for_gathered(self, now_ms) -> None:
        honest(self, now_ms)
        for waiting in self._unconfirmed.values():
            waiting.ticket = 0

    patch.setattr(Reads, "_ask_for_gathered", ask_for_gathered)


def _deciding_ends_the_process(patch: pytest.MonkeyPatch) -> None:
    def pattern_fault(element: str) -> str | None:
        selector, _, pattern = element.partition("=")
        try:
            re.compile(pattern)
        except re.error as error:
            return f"{selector}: {error}"
        return None

    patch.setattr(configs_module, "pattern_fault", pattern_fault)


def _epochs_without_bound(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(EpochLimit, "may_rise", lambda *_: True)


def _read_before_loaded(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(NodeBackend, "_check_loaded", lambda _: None)


def _watch_goes_back(patch: pytest.MonkeyPatch) -> None:
    honest = NodeBackend._snapshot_to_give

    def committed_end(self):
        high_watermark = self._driver.replica.high_watermark
        return None if high_watermark is None else min(high_watermark, self._driver.directory.log.end_offset)

    patch.setattr(NodeBackend, "_snapshot_to_give", lambda self, _after: honest(self, 0))
    patch.setattr(NodeBackend, "_readable_end", committed_end)
    patch.setattr(NodeBackend, "_committed_end", committed_end)


def _turn_takes_everything(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(inbox_module, "ITEMS_PER_TURN_MAX", UNBOUNDED)
    patch.setattr(inbox_module, "TURN_MS", UNBOUNDED)


def _everybody_overtakes(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(peer_requests_module, "URGENT_PER_VOTER_MAX", UNBOUNDED)


def _everybody_is_believed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(identity_module, "why_not", lambda *_: None)


SHORT_HISTORIES = {"crash_interval_ms": 150, "powered_off": 200, "duration_ms": 6_000}


def _any_broker_may_lead(patch: pytest.MonkeyPatch) -> None:
    for module in (topic_rules_module, isr_changes_module):
        patch.setattr(module, "online_replicas", lambda image: lambda broker_id, directory: True)


def _outdated_isr_is_accepted(patch: pytest.MonkeyPatch) -> None:
    honest = alter_partition_module._fault

    def fault(members, broker_id, partition, asked, isr):
        asked = asked._replace(partition_epoch=partition.partition_epoch)
        return honest(members, broker_id, partition, asked, isr)

    patch.setattr(alter_partition_module, "_fault", fault)


def _new_leader_assigns_ids_at_once(patch: pytest.MonkeyPatch) -> None:
    honest = BrokerIdReservations.__init__

    def begin(self, *, session_timeout_ms, assigns_from_ms=0):
        del assigns_from_ms
        honest(self, session_timeout_ms=session_timeout_ms)

    patch.setattr(BrokerIdReservations, "__init__", begin)
    # The brokers of this history lose their disks often, and register late.
    for name, value in {"DIES": 0.15, "LOSES_DISK": 1.0, "RETURNS": 0.8, "REGISTERS": 0.2}.items():
        patch.setattr(unnamed_brokers_module, name, value)


def _assigned_ids_not_reserved(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(BrokerIdReservations, "assign", lambda *_: None)


def _ids_in_use_taken(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(HeartbeatTracker, "has_valid_session", lambda *_: False)


def _anyone_joins_the_isr(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(alter_partition_module._Members, "are_eligible", lambda self, partition, isr: True)


def _departs_partly(patch: pytest.MonkeyPatch) -> None:
    honest = isr_changes_module._changes

    def changes(*what):
        return (yield from honest(*what))[:1]

    patch.setattr(isr_changes_module, "_changes", changes)


def _full_directory_joins_the_isr(patch: pytest.MonkeyPatch) -> None:
    def are_eligible(self, partition, isr):
        return all(self._active(member) is not None for member in isr)

    patch.setattr(alter_partition_module._Members, "are_eligible", are_eligible)
    # The leaders of this history ask for what they may not have.
    patch.setattr(topics_module, "_is_full", lambda *_: False)


def _full_directory_keeps_its_replicas(patch: pytest.MonkeyPatch) -> None:
    honest = fencing_module.directory_changes
    patch.setattr(fencing_module, "directory_changes", lambda *what: replace(honest(*what), impaired=frozenset()))


def _leads_before_its_directory_has_space(patch: pytest.MonkeyPatch) -> None:
    honest = fencing_module._records

    def records(*what):
        made = yield from honest(*what)
        return sorted(made, key=lambda one: getattr(one, "saturated_log_dirs", None) is not None)

    patch.setattr(fencing_module, "_records", records)


def _fences_without_departure(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(fencing_module, "departures", in_one_slice(lambda view, broker_id, **how: []))


def _returns_without_arrival(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(fencing_module, "arrivals", in_one_slice(lambda view, broker_id, **how: []))


def _merges_without(epoch: str) -> Plant:
    def plant(patch: pytest.MonkeyPatch) -> None:
        honest = PartitionRegistration.merge
        patch.setattr(
            PartitionRegistration,
            "merge",
            lambda self, record: honest(self, record)._replace(**{epoch: getattr(self, epoch)}),
        )

    return plant


def _reassigns_at_once(patch: pytest.MonkeyPatch) -> None:
    honest = partition_change_module._complete_reassignment

    def complete(draft):
        isr = draft.isr
        draft.isr = tuple({*isr, *draft.adding})
        honest(draft)
        draft.isr = tuple(one for one in isr if one in draft.replicas)

    patch.setattr(partition_change_module, "_complete_reassignment", complete)


def _removed_replica_stays_in_sync(patch: pytest.MonkeyPatch) -> None:
    honest = partition_change_module._complete_reassignment

    def complete(draft):
        isr = draft.isr
        honest(draft)
        draft.isr = isr

    patch.setattr(partition_change_module, "_complete_reassignment", complete)


def _index_misses_records(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ReplicaIndex, "observe", lambda self, record, image: None)


def _deleted_topic_stays(patch: pytest.MonkeyPatch) -> None:
    def remove(self, record):
        return self._topic(record, record.topic_id).base.name

    patch.setattr(TopicsDelta, "replay_remove_topic", remove)


def _never_balances(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(PeriodicElections, "_is_imbalanced", lambda *_: False)


def _balances_to_who_is_not_in_sync(patch: pytest.MonkeyPatch) -> None:
    honest = periodic_elections_module.partition_change

    def change(topic_id, partition_id, partition, target, rules):
        return honest(topic_id, partition_id, partition._replace(isr=partition.replicas), target, rules)

    patch.setattr(periodic_elections_module, "partition_change", change)


def _balances_to_who_is_fenced(patch: pytest.MonkeyPatch) -> None:
    honest = periodic_elections_module.TopicRules
    patch.setattr(periodic_elections_module, "TopicRules", lambda view, _acceptable=None: honest(view, lambda *_: True))
    patch.setattr(periodic_elections_module, "_is_healthy", lambda *_: True)


def _balances_without_pause(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(periodic_elections_module, "PAUSE_MS", 0)


def _balances_at_any_percentage(patch: pytest.MonkeyPatch) -> None:
    honest = PeriodicElections.__init__

    def begin(self, config, now_ms):
        honest(self, replace(config, leader_imbalance_percentage=0), now_ms)

    patch.setattr(PeriodicElections, "__init__", begin)


def _unclean_restart_stays_eligible(patch: pytest.MonkeyPatch) -> None:
    honest = registration_module.departures

    def departures(view, broker_id, *, directories=None, unclean=False):
        del unclean
        return (yield from honest(view, broker_id, directories=directories))

    patch.setattr(registration_module, "departures", departures)


def _eligible(chosen: Callable[[object], tuple]) -> Plant:
    """Let other replicas than the eligible ones count where no replica is in sync."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        honest = partition_change_module._chosen_leader

        def chosen_leader(draft, target, rules):
            return honest(draft if draft.isr else replace(draft, elr=chosen(draft)), target, rules)

        patch.setattr(partition_change_module, "_chosen_leader", chosen_leader)
        # Most brokers of this history stop cleanly.
        patch.setattr(topics_module, "DIES", 0.0)
        patch.setattr(topics_module, "STOPS", 0.2)

    return plant


def _eligible_beside_one_in_sync(patch: pytest.MonkeyPatch) -> None:
    honest = partition_change_module._chosen_leader

    def chosen_leader(draft, target, rules):
        return honest(replace(draft, isr=(*draft.isr, *draft.elr)) if draft.isr else draft, target, rules)

    patch.setattr(partition_change_module, "_chosen_leader", chosen_leader)


ALONE = {"wipe_interval_ms": 0, "memory_interval_ms": 0, "membership_interval_ms": 0, "spares": 0, "duplicate": 0}
BIT_ROT = ALONE | {"voters": 3, "observers": 1, "duration_ms": 4_000, "write_interval_ms": 10}
MEMORY = ALONE | {
    "voters": 3,
    "dynamic": False,
    "memory_interval_ms": 300,
    "digest_interval_ms": 50,
    "duration_ms": 4_000,
    "write_interval_ms": 10,
}
COMPARED = MEMORY | {"memory_interval_ms": 0}
DEPOSED = ALONE | {
    "voters": 3,
    "observers": 0,
    "duration_ms": 6_000,
    "clients": 2,
    "register_clients": 3,
    "readers": 3,
    "write_interval_ms": 60,
    "delay_ms": 3,
    "sync_ms": 1,
    "fetch_timeout_ms": 1_500,
    "election_timeout_ms": 300,
    "partition_interval_ms": 2_000,
    "cut_with_clients": 1_000,
    "crash_interval_ms": 0,
    "crash_after_vote": 0,
    "jump_interval_ms": 0,
    "flip_interval_ms": 0,
    "misdirected_interval_ms": 0,
    "lost_write_interval_ms": 0,
    "sync_failure_interval_ms": 0,
    "disk_full_interval_ms": 0,
    "transfer_interval_ms": 0,
    "idle_interval_ms": 0,
}
LEFT_BEHIND = DEPOSED | {
    "observers": 1,
    "clients": 4,
    "register_clients": 0,
    "readers": 0,
    "watchers": 8,
    "watchers_restarted": 200,
    "write_interval_ms": 10,
    "partition_interval_ms": 600,
    "cut_with_clients": 0,
    "snapshot_interval_ms": 0,
    "digest_interval_ms": 50,
    "snapshot_bytes": 2_000,
    "retention_bytes": 500,
    "segment_bytes": 400,
    "slow_syncs": 1,
    "sync_ms": 150,
    "lost": 0,
}
"""A voter with a slow disk is cut off until the others have cut their logs; some watchers are behind all of them."""

FLOODED = ALONE | {
    "voters": 3,
    "duration_ms": 8_000,
    "delay_ms": 3,
    "sync_ms": 1,
    "lost": 0,
    "reordered": 0,
    "election_timeout_ms": 300,
    "fetch_timeout_ms": 800,
    "partition_interval_ms": 0,
    "crash_interval_ms": 0,
    "crash_after_vote": 0,
    "jump_interval_ms": 0,
    "flip_interval_ms": 0,
    "misdirected_interval_ms": 0,
    "lost_write_interval_ms": 0,
    "sync_failure_interval_ms": 0,
    "disk_full_interval_ms": 0,
    "transfer_interval_ms": 0,
    "flood_interval_ms": 1_000,
    "flood_items": 2_000,
    "item_cost_us": 1_000,
}
"""Nothing but floods goes wrong."""

CHANGES = {
    "membership_interval_ms": 150,
    "dynamic": True,
    "duplicate": 0,
    "wipe_interval_ms": 0,
    "duration_ms": 4_000,
    "write_interval_ms": 10,
    "flip_interval_ms": 0,
    "misdirected_interval_ms": 0,
    "lost_write_interval_ms": 0,
    "memory_interval_ms": 0,
}

TOPICS = ALONE | {
    "topics": True,
    "voters": 3,
    "duration_ms": 8_000,
    "flip_interval_ms": 0,
    "misdirected_interval_ms": 0,
    "lost_write_interval_ms": 0,
}

BALANCED = TOPICS | {
    "rebalance": True,
    "election_interval_ms": 200,
    "imbalance_percentage": 0,
    "elections_per_step": 1,
}
ELIGIBLE = TOPICS | {"elr": True}

BUGS = (
    Bug("the vote is written without fsync", _vote_not_synced),
    Bug("the log is never fsynced", _log_not_synced),
    Bug("a failed fsync is forgiven", _failed_sync_forgiven, {"sync_failure_interval_ms": 1_000, "duration_ms": 6_000}),
    Bug("promises leave before the fsync", _promises_before_sync),
    Bug("a slow disk's vote is not waited for", _vote_before_stored, {"slow_syncs": 2, "sync_ms": 30, "delay_ms": 3}),
    Bug(
        "a slow flush covers what came after it",
        _flush_covers_too_much,
        {"slow_syncs": 5, "sync_ms": 30, "write_interval_ms": 10},
    ),
    Bug(
        "a leader that was suspended believes old answers",
        _old_words_count,
        {"jump_interval_ms": 200, "delay_ms": 1, "sync_ms": 150, "slow_syncs": 0, "crash_interval_ms": 0},
    ),
    Bug("the leader counts itself before its fsync", _counts(own_end="end_offset", any_epoch=False)),
    Bug("an older epoch's records are committed by counting", _counts(own_end="flushed_offset", any_epoch=True)),
    Bug(
        "a start forgets the vote",
        _forgets_vote,
        SHORT_HISTORIES | {"crash_after_vote": 500, "delay_ms": 40, "voters": 5},
    ),
    Bug("a voter votes again in the same epoch", _votes_again, {"delay_ms": 40, "voters": 5}),
    Bug("a vote is given to a stale log", _votes_for_stale_logs),
    Bug("a start drops the last batch", _start_drops_last_batch),
    Bug("a start acts on names that are not durable", _start_syncs_nothing, SHORT_HISTORIES | {"segment_bytes": 400}),
    Bug("the cluster id is in memory before the files", _memory_before_files),
    Bug(
        "a start leaves directories without the cluster id",
        _start_leaves_cluster_id,
        SHORT_HISTORIES | {"log_dirs": 3, "voters": 5},
    ),
    Bug("a publisher skips an offset", _publisher_skips),
    Bug("a write is answered before it is committed", _answers_before_commit),
    Bug("a snapshot forgets its last records", _snapshot_forgets),
    Bug("a repeated request is done twice", _forgets_requests),
    Bug("a retry is decided again by the next controller", _decides_retries_again, SHORT_HISTORIES),
    Bug(
        "an empty directory counts at once",
        _empty_directories_count,
        {"wipe_interval_ms": 1_000, "voters": 3, "dynamic": False, "duplicate": 0},
    ),
    Bug(
        "a lost quorum-state is a new one",
        _lost_votes_are_new,
        ALONE | {"vote_loss_interval_ms": 200, "delay_ms": 40, "voters": 5, "observers": 0},
    ),
    Bug(
        "any directory counts under a voter's id",
        _counts_any_directory,
        {"duplicate": 2, "voters": 3, "dynamic": False},
    ),
    Bug("corruption is cut like a torn write", _corruption_is_cut, BIT_ROT | {"flip_interval_ms": 200}),
    Bug(
        "a recovery point that cannot be read stops no node",
        _lost_recovery_point_is_nothing,
        ALONE | {"voters": 1, "misdirected_interval_ms": 100, "lost_write_interval_ms": 50, "write_interval_ms": 10},
    ),
    Bug(
        "meta.properties is believed whatever it says",
        _identity_is_believed,
        BIT_ROT | {"flip_interval_ms": 60, "log_dirs": 3},
    ),
    Bug("a snapshot is not synced", _snapshot_not_synced, SHORT_HISTORIES | {"snapshot_interval_ms": 100}),
    Bug("a voter set outlives its truncation", _stale_voters, CHANGES | {"partition_interval_ms": 300}),
    Bug("a snapshot forgets the voters", _snapshot_without_voters, CHANGES | {"snapshot_interval_ms": 100}),
    Bug("a change of voters does not wait for the one before", _changes_overlap, CHANGES | {"delay_ms": 40}),
    Bug(
        "a leader that crashed with its own removal uncommitted gives up",
        _removed_leader_gives_up,
        CHANGES
        | {"crash_interval_ms": 150, "partition_interval_ms": 300, "voters": 2, "spares": 0, "duration_ms": 8_000},
    ),
    Bug(
        "an observer asks bootstrap servers only",
        _bootstrap_servers_only,
        CHANGES | {"voters": 1, "spares": 4, "observers": 3, "duration_ms": 8_000},
    ),
    Bug(
        "a controller becomes active while it hands over",
        _activates_while_handing_over,
        {"transfer_interval_ms": 30, "voters": 5, "delay_ms": 40, "fetch_max_wait_ms": 300},
    ),
    Bug("a follower keeps what its leader does not have", _does_not_cut, {"partition_interval_ms": 300, "voters": 5}),
    Bug("an epoch is sent before it is stored", _epoch_not_stored),
    Bug("a broker is registered under another's id", _all_of_a_host, {"observers": 2}),
    Bug("a full disk is forgiven", _full_disk_is_forgiven, {"disk_full_interval_ms": 500, "write_interval_ms": 10}),
    Bug("a node replays a record wrongly", _replays_wrongly, {"digest_interval_ms": 50}),
    Bug("a wrong state is called right", _diverged_is_right, MEMORY),
    Bug("a right state is called wrong, by a digest of another offset", _other_offsets_are_compared, COMPARED),
    Bug("a right state is called wrong, by the word of a minority", _minority_is_right, MEMORY),
    Bug("a leader whose state is wrong leads on", _diverged_leader_leads_on, MEMORY),
    Bug("a node goes on whose state is wrong", _diverged_goes_on, MEMORY),
    Bug("the first digest of an offset is taken for the majority's", _first_word_counts, MEMORY),
    Bug(
        "an exception of deciding ends the process",
        _deciding_ends_the_process,
        {"register_clients": 4, "write_interval_ms": 10},
    ),
    Bug("a success without records is answered at once", _no_record_answered_at_once, DEPOSED),
    Bug("a linearizable read is answered without a round", _reads_without_a_round, DEPOSED),
    Bug("epochs rise without bound", _epochs_without_bound, {"forged_interval_ms": 300}),
    Bug("a read before the state is loaded is an empty success", _read_before_loaded, SHORT_HISTORIES | {"readers": 2}),
    Bug("a watch is given an older snapshot", _watch_goes_back, LEFT_BEHIND),
    Bug("a turn takes everything", _turn_takes_everything, FLOODED),
    Bug("who writes a voter's id overtakes without bound", _everybody_overtakes, FLOODED),
    Bug(
        "a new leader does not abort an open transaction",
        _does_not_abort,
        {"large_writes": 500, "crash_interval_ms": 300, "write_interval_ms": 10, "voters": 3},
    ),
    Bug("the identity of peers is not compared", _everybody_is_believed, {"identity": True, "forged_interval_ms": 200}),
    Bug("any broker may lead", _any_broker_may_lead, TOPICS),
    Bug("an ISR is changed from an outdated state", _outdated_isr_is_accepted, TOPICS),
    Bug("any replica joins an ISR", _anyone_joins_the_isr, TOPICS),
    Bug("a broker that goes leaves only its first partition", _departs_partly, TOPICS),
    Bug("a broker is fenced and keeps its partitions", _fences_without_departure, TOPICS),
    Bug("a broker that returns leads nothing", _returns_without_arrival, TOPICS),
    Bug("another leader gets the same epoch", _merges_without("leader_epoch"), TOPICS),
    Bug("a partition epoch does not grow", _merges_without("partition_epoch"), TOPICS),
    Bug("a reassignment ends at once", _reassigns_at_once, TOPICS),
    Bug("a replica that is removed stays in the ISR", _removed_replica_stays_in_sync, TOPICS),
    Bug("the index of replicas misses records", _index_misses_records, TOPICS),
    Bug("a deleted topic stays", _deleted_topic_stays, TOPICS),
    Bug("a replica in a full directory joins an ISR", _full_directory_joins_the_isr, TOPICS),
    Bug("a directory becomes full and keeps its replicas in sync", _full_directory_keeps_its_replicas, TOPICS),
    Bug(
        "a replica leads before its directory has space",
        _leads_before_its_directory_has_space,
        TOPICS | {"large_writes": True, "cut_fencing": True},
    ),
    Bug(
        "a new leader assigns broker ids at once",
        _new_leader_assigns_ids_at_once,
        TOPICS | {"crash_interval_ms": 900, "delay_ms": 1, "sync_ms": 1, "slow_syncs": 0, "jump_interval_ms": 0},
    ),
    Bug("an assigned broker id is not reserved", _assigned_ids_not_reserved, TOPICS),
    Bug("a broker id in use is assigned and registered", _ids_in_use_taken, TOPICS),
    Bug("leaders are not given back to preferred replicas", _never_balances, BALANCED),
    Bug("a leader is given back to a replica that is not in sync", _balances_to_who_is_not_in_sync, BALANCED),
    Bug("a leader is given back to a broker that is fenced", _balances_to_who_is_fenced, BALANCED),
    Bug("leaders are given back without a pause", _balances_without_pause, BALANCED),
    Bug(
        "leaders are given back at any percentage",
        _balances_at_any_percentage,
        BALANCED | {"imbalance_percentage": 50},
    ),
    Bug("a broker stays eligible after an unclean restart", _unclean_restart_stays_eligible, ELIGIBLE),
    Bug("any replica counts as eligible", _eligible(lambda draft: draft.replicas), ELIGIBLE),
    Bug(
        "an eligible replica leads beside one in sync",
        _eligible_beside_one_in_sync,
        ELIGIBLE | {"election_interval_ms": 200, "imbalance_percentage": 0},
    ),
    Bug("no replica counts as eligible", _eligible(lambda draft: ()), ELIGIBLE),
)
