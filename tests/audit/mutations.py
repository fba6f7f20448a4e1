"""Every way in which a healthy world is broken, and what must then be found: exactly one rule, at these offsets.

A mutation takes a healthy world, breaks it, and returns the offsets that prove it (``None`` where no record does).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from struct import pack, pack_into
from typing import Any

from crc32c import crc32c

from kraftpy.model.election import ElectionState
from kraftpy.model.ids import DIRECTORY_LOST, uuid_to_text
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.records import metadata as m
from kraftpy.records.batch import restamp, split_batches
from kraftpy.records.checkpoints import render_leader_epochs, render_partition_metadata
from kraftpy.records.control import LeaderChangeMessage, voter_set_to_record
from kraftpy.records.file_names import segment_file_name
from kraftpy.records.metadata import encode_record
from kraftpy.records.quorum_state import render_quorum_state
from tests.audit.worlds import (
    BROKERS,
    CLUSTER_ID,
    LOGS,
    ORDERS,
    Node,
    World,
    acl,
    broker,
    broker_change,
    change,
    controller,
    directories,
    leader_change,
    partition,
    uuid,
    voter_set,
)

Offsets = list[int | None]


@dataclass(frozen=True)
class Mutation:
    rule: str
    name: str
    number: int
    apply: Callable[[World], Offsets]


MUTATIONS: list[Mutation] = []


def breaks(rule: str) -> Callable[[Callable[[World], Offsets]], Callable[[World], Offsets]]:
    """Register a mutation under the rule that must find it."""

    def register(apply: Callable[[World], Offsets]) -> Callable[[World], Offsets]:
        MUTATIONS.append(Mutation(rule, apply.__name__, len(MUTATIONS) + 1, apply))
        return apply

    return register


def batches(node: Node) -> list[Any]:
    return split_batches(b"".join(node.log), verify_crc=False)


def resealed(data: bytearray) -> bytes:
    """Give a changed batch the checksum of what it holds now."""
    pack_into(">I", data, 17, crc32c(bytes(data[21:])))
    return bytes(data)


def flipped(data: bytes, at: int, bit: int = 1) -> bytes:
    changed = bytearray(data)
    changed[at] ^= bit
    return bytes(changed)


# Files and batches


@breaks("batch-checksum")
def a_bit_flips_in_a_record(world: World) -> Offsets:
    node = world.nodes[2]
    node.log[4] = flipped(node.log[4], 70)
    return [batches(node)[4].base_offset]


@breaks("batch-checksum")
def the_checksum_itself_flips(world: World) -> Offsets:
    node = world.nodes[3]
    node.log[-1] = flipped(node.log[-1], 18)
    return [batches(node)[-1].base_offset]


@breaks("batch-checksum")
def a_bit_flips_in_a_snapshot(world: World) -> Offsets:
    node = world.nodes[2]
    (snapshot_id,) = node.snapshots
    node.snapshots[snapshot_id] = flipped(node.snapshots[snapshot_id], 400)
    return [split_batches(node.snapshots[snapshot_id], verify_crc=False)[1].base_offset]


@breaks("batch-malformed")
def a_batch_has_another_magic(world: World) -> Offsets:
    node = world.nodes[2]
    node.log[-1] = flipped(node.log[-1], 16)
    return [None]


@breaks("batch-malformed")
def a_batch_claims_to_be_compressed(world: World) -> Offsets:
    node = world.nodes[2]
    node.log[-1] = resealed(bytearray(flipped(node.log[-1], 22)))
    return [batches(world.nodes[1])[-1].base_offset]


@breaks("batch-malformed")
def a_record_has_a_key(world: World) -> Offsets:
    node = world.nodes[2]
    data = bytearray(node.log[-1])
    data[65] = 0
    node.log[-1] = resealed(data)
    return [batches(world.nodes[1])[-1].base_offset]


@breaks("batch-cut-off")
def a_segment_before_the_last_is_cut(world: World) -> Offsets:
    node = world.nodes[2]
    base = batches(node)[-1].base_offset
    node.segments = {0: node.log[:-1], base: node.log[-1:]}
    node.segments[0][-1] = node.segments[0][-1][:-20]
    return [None]


def _longer(data: bytes, bit: int = 1 << 22) -> bytes:
    """Give a batch a length that reaches past the end of any file here."""
    return flipped(data, 8 + (3 - (bit.bit_length() - 1) // 8), 1 << (bit.bit_length() - 1) % 8)


@breaks("bytes-unaccounted")
def a_batch_claims_the_rest_of_the_log(world: World) -> Offsets:
    node = world.nodes[2]
    node.log[3] = _longer(node.log[3])
    return [None]


@breaks("bytes-unaccounted")
def the_last_batch_claims_more_than_there_is(world: World) -> Offsets:
    node = world.nodes[2]
    node.log[-1] = _longer(node.log[-1])
    return [None]


@breaks("bytes-unaccounted")
def the_first_batch_of_a_snapshot_claims_the_rest(world: World) -> Offsets:
    return _longer_in_snapshot(world, 0)


@breaks("bytes-unaccounted")
def the_records_of_a_snapshot_claim_the_rest(world: World) -> Offsets:
    return _longer_in_snapshot(world, 1)


def _longer_in_snapshot(world: World, index: int) -> Offsets:
    node = world.nodes[2]
    ((snapshot_id, data),) = node.snapshots.items()
    found = [batch.data for batch in split_batches(data)]
    found[index] = _longer(found[index])
    node.snapshots[snapshot_id] = b"".join(found)
    return [None]


@breaks("log-torn-tail")
def the_last_batch_is_cut(world: World) -> Offsets:
    node = world.nodes[2]
    node.log[-1] = node.log[-1][:-20]
    return [None]


@breaks("log-torn-tail")
def the_last_header_is_cut(world: World) -> Offsets:
    node = world.nodes[2]
    node.log[-1] = node.log[-1][:30]
    return [None]


@breaks("file-unreadable")
def the_log_vanishes_while_files_are_read(world: World) -> Offsets:
    """The test removes it after the first file of the fleet was read."""
    node = world.nodes[2]
    node.vanishing = segment_file_name(0)
    return [None]


@breaks("batch-duplicated")
def a_batch_is_there_twice_in_a_row(world: World) -> Offsets:
    node = world.nodes[2]
    node.log.insert(6, node.log[5])
    return [batches(node)[5].base_offset]


@breaks("batch-duplicated")
def an_old_batch_is_at_the_end_again(world: World) -> Offsets:
    node = world.nodes[2]
    node.log.append(node.log[5])
    return [batches(node)[5].base_offset]


@breaks("batch-duplicated")
def a_batch_is_there_twice_in_every_log(world: World) -> Offsets:
    for node in world.nodes.values():
        node.log.append(node.log[-1])
    return [batches(world.nodes[1])[-1].base_offset] * 3


@breaks("offset-gap")
def a_batch_is_missing(world: World) -> Offsets:
    node = world.nodes[2]
    del node.log[5]
    return [batches(node)[5].base_offset]


@breaks("offset-gap")
def a_segment_is_missing(world: World) -> Offsets:
    node = world.nodes[2]
    found = batches(node)
    node.segments = {0: node.log[:4], found[6].base_offset: node.log[6:]}
    return [found[6].base_offset]


@breaks("offset-gap")
def a_snapshot_lacks_a_batch(world: World) -> Offsets:
    node = world.nodes[2]
    ((snapshot_id, data),) = node.snapshots.items()
    found = split_batches(data)
    node.snapshots[snapshot_id] = found[0].data + found[2].data
    return [found[2].base_offset]


@breaks("offset-overlap")
def another_batch_claims_taken_offsets(world: World) -> Offsets:
    node = world.nodes[2]
    base = batches(node)[-2].base_offset
    node.log.append(restamp(node.log[-1], base, world.epoch))
    return [base]


@breaks("epoch-back")
def an_older_leader_appends(world: World) -> Offsets:
    world.epoch = 1
    return [world.append(m.NoOpRecord())] * 3


@breaks("epoch-back")
def a_snapshot_has_two_epochs(world: World) -> Offsets:
    node = world.nodes[2]
    ((snapshot_id, data),) = node.snapshots.items()
    found = split_batches(data)
    last = restamp(found[-1].data, found[-1].base_offset, 0)
    node.snapshots[snapshot_id] = b"".join(batch.data for batch in found[:-1]) + last
    return [found[-1].base_offset]


@breaks("epoch-back")
def the_last_batch_of_a_snapshot_has_a_later_epoch(world: World) -> Offsets:
    node = world.nodes[2]
    ((snapshot_id, data),) = node.snapshots.items()
    found = split_batches(data)
    last = restamp(found[-1].data, found[-1].base_offset, 9)
    node.snapshots[snapshot_id] = b"".join(batch.data for batch in found[:-1]) + last
    return [found[-1].base_offset]


@breaks("segment-name")
def a_segment_is_renamed(world: World) -> Offsets:
    node = world.nodes[2]
    base = batches(node)[5].base_offset
    node.segments = {0: node.log[:5], base + 1: node.log[5:]}
    return [base]


@breaks("log-beginning-missing")
def the_first_segment_and_the_snapshot_are_gone(world: World) -> Offsets:
    node = world.nodes[2]
    base = batches(node)[5].base_offset
    node.segments = {base: node.log[5:]}
    node.snapshots = {}
    return [base]


@breaks("log-beginning-missing")
def the_snapshot_ends_before_the_log_starts(world: World) -> Offsets:
    node = world.nodes[2]
    base = batches(node)[-1].base_offset
    node.segments = {base: node.log[-1:]}
    return [base]


@breaks("snapshot-incomplete")
def a_snapshot_has_no_footer(world: World) -> Offsets:
    node = world.nodes[2]
    ((snapshot_id, data),) = node.snapshots.items()
    node.snapshots[snapshot_id] = data[: -split_batches(data)[-1].size]
    return [None]


@breaks("snapshot-incomplete")
def a_snapshot_is_cut_inside_a_batch(world: World) -> Offsets:
    node = world.nodes[2]
    ((snapshot_id, data),) = node.snapshots.items()
    node.snapshots[snapshot_id] = data[:-100]
    return [None]


@breaks("snapshot-incomplete")
def a_snapshot_is_empty(world: World) -> Offsets:
    node = world.nodes[2]
    (snapshot_id,) = node.snapshots
    node.snapshots[snapshot_id] = b""
    return [None]


# The files beside a log

_VOTE = render_quorum_state(ElectionState(epoch=9), version=1).encode()


def sidecar_files(node: Node) -> dict[str, bytes]:
    """The files that Kafka and kraftpy keep beside a log, as they are for this one."""
    found = batches(node)
    epochs: list[tuple[int, int]] = []
    positions = [0]
    for batch in found:
        if not epochs or batch.epoch != epochs[-1][0]:
            epochs.append((batch.epoch, batch.base_offset))
        positions.append(positions[-1] + batch.size)
    entries = [pack(">ii", batch.last_offset, at) for batch, at in zip(found, positions, strict=False) if at > 512]
    return {
        "leader-epoch-checkpoint": render_leader_epochs(epochs).encode(),
        "quorum-state": render_quorum_state(ElectionState(epoch=epochs[-1][0]), version=1).encode(),
        "partition.metadata": render_partition_metadata().encode(),
        "00000000000000000000.index": b"".join(entries) + bytes(80),
        f"{found[-1].next_offset:020d}.snapshot": b"",
    }


def _beside(world: World, *names: str) -> Node:
    """Give node 2 some of these files."""
    node = world.nodes[2]
    node.beside = {name: data for name, data in sidecar_files(node).items() if name.endswith(names)}
    return node


@breaks("log-missing")
def the_log_is_gone_and_its_index_is_not(world: World) -> Offsets:
    _beside(world, ".index").segments = {}
    return [None]


@breaks("log-missing")
def the_log_is_gone_and_its_epochs_are_not(world: World) -> Offsets:
    _beside(world, "checkpoint").segments = {}
    return [None]


@breaks("log-missing")
def the_log_is_gone_and_the_vote_is_not(world: World) -> Offsets:
    _beside(world, "quorum-state").segments = {}
    return [None]


@breaks("log-missing")
def the_last_segment_is_gone_and_its_index_is_not(world: World) -> Offsets:
    node = world.nodes[2]
    base = batches(node)[-1].base_offset
    node.segments = {0: node.log[:-1]}
    node.beside = {f"{base:020d}.timeindex": b""}
    return [base]


@breaks("vote-missing")
def a_vote_is_gone(world: World) -> Offsets:
    _beside(world, "leader-epoch-checkpoint")
    return [None]


@breaks("state-missing")
def nodes_were_formatted_and_never_started(world: World) -> Offsets:
    for node in world.nodes.values():
        node.segments, node.snapshots = {}, {}
    return [None] * 3


@breaks("log-cut")
def a_log_ends_before_its_snapshot(world: World) -> Offsets:
    node = world.nodes[2]
    node.segments = {0: node.log[:4]}
    return [batches(node)[-1].next_offset]


@breaks("log-cut")
def a_log_ends_before_its_last_epoch(world: World) -> Offsets:
    node = world.nodes[2]
    second = next(each.base_offset for each in batches(node) if each.epoch == 2)
    epochs = [(1, 0), (2, second), (3, world.next_offset + 3)]
    node.beside = sidecar_files(node) | {"leader-epoch-checkpoint": render_leader_epochs(epochs).encode()}
    return [world.next_offset]


@breaks("log-cut")
def a_log_ends_before_its_index(world: World) -> Offsets:
    node = _beside(world, ".index")
    node.segments = {0: node.log[:-1]}
    return [batches(node)[-1].next_offset]


@breaks("log-cut")
def a_log_ends_before_the_producers_snapshot(world: World) -> Offsets:
    node = _beside(world, ".snapshot")
    node.segments = {0: node.log[:-1]}
    return [batches(node)[-1].next_offset]


@breaks("log-cut")
def a_log_ends_before_its_recovery_point(world: World) -> Offsets:
    text = f"0\n1\n__cluster_metadata 0 {world.next_offset + 1}\n"
    world.nodes[2].beside = {"recovery-point-offset-checkpoint": text.encode()}
    return [world.next_offset]


@breaks("epochs-differ")
def a_batch_has_an_epoch_that_was_not_noted(world: World) -> Offsets:
    node = _beside(world, "leader-epoch-checkpoint")
    node.beside["quorum-state"] = _VOTE
    base = batches(node)[-1].base_offset
    node.log[-1] = restamp(node.log[-1], base, world.epoch + 4)
    world.nodes = {2: node}
    return [base]


@breaks("epochs-differ")
def a_batch_has_an_epoch_that_was_never_voted_in(world: World) -> Offsets:
    node = _beside(world, "quorum-state")
    base = batches(node)[-1].base_offset
    node.log[-1] = restamp(node.log[-1], base, world.epoch + 4)
    world.nodes = {2: node}
    return [base]


def _small(name: str, file: str, data: bytes) -> None:
    def apply(world: World) -> Offsets:
        world.nodes[2].beside = {file: data}
        return [None]

    apply.__name__ = name
    breaks("small-file-broken")(apply)


_small("a_vote_is_empty", "quorum-state", b"")
_small("a_vote_is_cut", "quorum-state", b'{"leaderId":1,"leaderEpoch":2')
_small("a_vote_has_another_checksum", "quorum-state", _VOTE + b"\ncrc32c=00000000\n")
_small("epochs_are_cut", "leader-epoch-checkpoint", b"0\n2\n1 0\n")
_small("a_directory_of_another_topic", "partition.metadata", render_partition_metadata(uuid(77)).encode())


@breaks("log-diverges")
def a_log_has_another_history_from_the_beginning(world: World) -> Offsets:
    """The cluster was formatted twice under the same id; node 3 is of the first time."""
    other = World(world.now_ms % 1000 + 5000)
    other.epoch = 3
    other.control(leader_change(3, 1, 2, 3))
    for _ in range(4):
        other.append(m.NoOpRecord())
    node = world.nodes[3]
    node.segments, node.snapshots = other.nodes[3].segments, {}
    return [0, 0]


@breaks("log-diverges")
def a_log_differs_below_a_snapshot(world: World) -> Offsets:
    """What a snapshot holds was committed, so it is no tail that a dead leader left."""
    node = world.nodes[2]
    found = batches(node)
    at = 6
    offset = found[at].base_offset
    node.log[at:] = [restamp(each.data, each.base_offset, each.epoch + 4) for each in found[at:]]
    node.snapshots = {}
    return [offset, offset]


@breaks("snapshot-epoch")
def a_snapshots_name_has_another_epoch_than_its_batches(world: World) -> Offsets:
    node = world.nodes[2]
    ((snapshot_id, data),) = node.snapshots.items()
    found = split_batches(data)
    node.snapshots[snapshot_id] = b"".join(restamp(batch.data, batch.base_offset, 7) for batch in found)
    return [0]


@breaks("snapshot-epoch")
def a_snapshot_has_another_epoch_than_the_log(world: World) -> Offsets:
    node = world.nodes[2]
    ((snapshot_id, data),) = node.snapshots.items()
    found = split_batches(data)
    moved = b"".join(restamp(batch.data, batch.base_offset, 7) for batch in found)
    node.snapshots = {OffsetAndEpoch(epoch=7, offset=snapshot_id.offset): moved}
    return [snapshot_id.offset - 1]


def _with_snapshot_of(world: World, node_id: int, *records: Any) -> World:
    """Give one node the snapshot of a log that has more records than its own."""
    other = world.copy()
    other.next_offset = 0
    cut = len([b for b in batches(world.nodes[1]) if b.base_offset < next(iter(world.nodes[1].snapshots)).offset])
    for node in other.nodes.values():
        node.segments = {0: node.log[:cut]}
    other.next_offset, other.epoch = batches(other.nodes[1])[-1].next_offset, 1
    other.append(*records)
    taken = other.snapshot()
    (snapshot_id,) = world.nodes[node_id].snapshots
    world.nodes[node_id].snapshots[snapshot_id] = other.nodes[1].snapshots[taken]
    return world


@breaks("snapshot-differs")
def a_snapshot_has_another_value(world: World) -> Offsets:
    _with_snapshot_of(world, 2, m.ConfigRecord(2, "orders", "min.insync.replicas", "3"))
    return [_offset_of(world, m.ConfigRecord)]


@breaks("snapshot-differs")
def a_snapshot_lacks_an_entity(world: World) -> Offsets:
    _with_snapshot_of(world, 2, m.RemoveAccessControlEntryRecord(uuid(500)))
    return [_offset_of(world, m.AccessControlEntryRecord)]


@breaks("snapshot-differs")
def a_snapshot_has_an_entity_too_many(world: World) -> Offsets:
    _with_snapshot_of(world, 2, m.FeatureLevelRecord("share.version", 1))
    (snapshot_id,) = world.nodes[2].snapshots
    return [snapshot_id.offset]


@breaks("snapshot-differs")
def a_snapshot_has_another_partition(world: World) -> Offsets:
    _with_snapshot_of(world, 2, change(ORDERS, 1, isr=[5, 6]))
    return [_offset_of(world, m.PartitionRecord, lambda r: r.topic_id == ORDERS and r.partition_id == 1)]


@breaks("snapshot-differs")
def a_snapshot_has_another_voter(world: World) -> Offsets:
    node = world.nodes[2]
    world.voters = voter_set(1, 2, 3, changed={3: uuid(9)})
    other = world.copy()
    cut = len([b for b in batches(world.nodes[1]) if b.base_offset < next(iter(node.snapshots)).offset])
    for each in other.nodes.values():
        each.segments = {0: each.log[:cut]}
    other.next_offset, other.epoch = batches(other.nodes[1])[-1].next_offset, 1
    taken = other.snapshot()
    node.snapshots[taken] = other.nodes[1].snapshots[taken]
    return [2]


def _offset_of(world: World, kind: type, fits: Callable[[Any], bool] = lambda _: True) -> int:
    """Return the offset of the first record of a kind."""
    from kraftpy.model.features import SchemaSet

    for batch in batches(world.nodes[1]):
        if not batch.is_control:
            for offset, value in enumerate(batch.values(), batch.base_offset):
                record = m.decode_record(value, SchemaSet.KRAFTPY)
                if isinstance(record, kind) and fits(record):
                    return offset
    raise AssertionError(kind)


# Records


@breaks("record-malformed")
def a_record_ends_too_early(world: World) -> Offsets:
    return [world.values(encode_record(m.TopicRecord("cut", uuid(1)), 0)[:-5])]


@breaks("record-malformed")
def a_record_has_a_frame_of_old(world: World) -> Offsets:
    return [world.values(b"\0\2\0\0")]


@breaks("record-unknown")
def a_record_has_an_unknown_type(world: World) -> Offsets:
    return [world.values(b"\x01\x63\0\0")]


@breaks("record-unknown")
def a_record_has_an_unknown_version(world: World) -> Offsets:
    return [world.values(b"\x01\x02\x09\0")]


@breaks("record-unknown-tag")
def a_record_has_an_unknown_tag(world: World) -> Offsets:
    return [world.append(m.NoOpRecord(unknown_tags=((77, b"x"),)))]


@breaks("record-illegal")
def a_record_of_a_level_that_is_not_in_force(world: World) -> Offsets:
    world.append(m.FeatureLevelRecord("metadata.version", 41))
    record = broker_change(4, world.broker_epochs[4], saturated_log_dirs=directories(4)[1:])
    cleared = broker_change(4, world.broker_epochs[4], saturated_log_dirs=[])
    offsets = [world.values(encode_record(one, 3)) for one in (record, cleared)]
    world.append(broker(4, world.broker_epochs[4], fenced=False), level=41)
    return offsets


@breaks("record-illegal")
def a_version_of_a_level_that_is_not_in_force(world: World) -> Offsets:
    world.append(m.FeatureLevelRecord("metadata.version", 22))
    return [world.values(encode_record(change(ORDERS, 0, isr=[4, 5, 6]), 2))]


@breaks("record-illegal")
def a_type_of_another_line_of_levels(world: World) -> Offsets:
    world.append(controller(9))
    return [world.values(encode_record(m.UnregisterControllerRecord(9), 0))]


@breaks("record-illegal")
def a_host_below_its_level(world: World) -> Offsets:
    world.append(m.FeatureLevelRecord("metadata.version", 40))
    return [world.values(encode_record(m.BrokerHostRecord("host-4", 4), 0))]


REFUSED: dict[str, Callable[[World], Any]] = {
    "a_partition_of_no_topic": lambda _: partition(uuid(77), 0, (4, 5, 6)),
    "a_change_of_no_partition": lambda _: change(ORDERS, 9, isr=[4]),
    "a_change_of_no_topic": lambda _: change(uuid(77), 0, isr=[4]),
    "a_removal_of_no_topic": lambda _: m.RemoveTopicRecord(uuid(77)),
    "a_change_of_no_broker": lambda _: broker_change(9, 1, fenced=-1),
    "a_change_for_an_earlier_registration": lambda world: broker_change(4, world.broker_epochs[4] - 1, fenced=1),
    "a_removal_of_no_broker": lambda _: m.UnregisterBrokerRecord(9, 1),
    "a_removal_of_no_controller": lambda _: m.RemoveControllerRegistrationRecord(9),
    "a_fence_of_no_broker": lambda _: m.FenceBrokerRecord(9, 1),
    "a_removal_of_no_acl": lambda _: m.RemoveAccessControlEntryRecord(uuid(77)),
    "a_removal_of_no_credential": lambda _: m.RemoveUserScramCredentialRecord("bob", 1),
    "a_removal_of_no_host": lambda _: m.BrokerHostRecord("host-9", -1),
    "a_quota_of_nobody": lambda _: m.ClientQuotaRecord([], "producer_byte_rate", 1.0, remove=False),
    "directories_that_are_not_as_many_as_replicas": lambda _: change(ORDERS, 0, directories=[uuid(1)]),
    "a_recovery_state_that_is_unknown": lambda _: change(ORDERS, 0, leader_recovery_state=5),
    "a_fencing_that_is_unknown": lambda world: broker_change(4, world.broker_epochs[4], fenced=3),
}


def _refused(name: str, make: Callable[[World], Any]) -> None:
    def apply(world: World) -> Offsets:
        return [world.append(make(world))]

    apply.__name__ = name
    breaks("record-refused")(apply)


for _name, _make in REFUSED.items():
    _refused(_name, _make)


@breaks("transaction-broken")
def a_transaction_begins_inside_another(world: World) -> Offsets:
    first = world.append(m.BeginTransactionRecord("a"), m.BeginTransactionRecord("b"), m.EndTransactionRecord())
    return [first + 1]


@breaks("transaction-broken")
def a_transaction_ends_that_never_began(world: World) -> Offsets:
    return [world.append(m.EndTransactionRecord())]


@breaks("transaction-broken")
def an_abort_without_a_transaction(world: World) -> Offsets:
    return [world.append(m.AbortTransactionRecord("why"))]


@breaks("transaction-open")
def a_transaction_never_ends(world: World) -> Offsets:
    return [world.append(m.BeginTransactionRecord("large"), m.TopicRecord("half", uuid(105)))]


# Agreement, ids and the quorum


@breaks("log-diverges")
def one_node_has_other_bytes(world: World) -> Offsets:
    other = world.copy()
    offset = world.append(m.ConfigRecord(2, "orders", "retention.ms", "1"))
    other.append(m.ConfigRecord(2, "orders", "retention.ms", "2"))
    world.nodes[3] = other.nodes[3]
    return [offset, offset]


@breaks("log-diverges")
def one_node_has_other_times(world: World) -> Offsets:
    node = world.nodes[3]
    index = world.batch_at(next(iter(node.snapshots)).offset - 1)
    data = bytearray(node.log[index])
    data[34] ^= 1
    data[42] ^= 1
    node.log[index] = resealed(data)
    return [batches(node)[index].base_offset] * 2


@breaks("log-tail-diverges")
def a_dead_leaders_tail_was_never_committed(world: World) -> Offsets:
    other = world.copy()
    offset = world.control(leader_change(1, 1, 2, 3), epoch=3)
    other.append(m.NoOpRecord())
    world.nodes[2] = other.nodes[2]
    return [offset, offset]


@breaks("cluster-id-several")
def the_log_names_another_cluster(world: World) -> Offsets:
    return [world.append(m.ClusterIdRecord("another"))]


@breaks("cluster-id-missing")
def the_log_names_no_cluster(world: World) -> Offsets:
    _only(world, keep=lambda record: not isinstance(record, m.ClusterIdRecord))
    return [_offset_of(world, m.FeatureLevelRecord)]


def _only(world: World, keep: Callable[[Any], bool], level: int = 42) -> None:
    """Write the world's log again without some records, and without snapshots."""
    from kraftpy.model.features import SchemaSet

    log = batches(world.nodes[1])
    for node in world.nodes.values():
        node.segments, node.snapshots = {0: []}, {}
    world.next_offset, old_epochs = 0, dict(world.broker_epochs)
    for batch in log:
        world.epoch = batch.epoch
        if batch.is_control:
            world.control(*batch.control_records())
            continue
        records = [m.decode_record(value, SchemaSet.KRAFTPY) for value in batch.values()]
        kept = [record for record in records if keep(record)]
        if kept:
            world.append(*kept, level=level)
    world.broker_epochs = old_epochs


@breaks("cluster-id-in-file")
def a_directory_belongs_to_another_cluster(world: World) -> Offsets:
    world.nodes[2].properties["cluster.id"] = "another"
    return [_offset_of(world, m.ClusterIdRecord)]


@breaks("cluster-id-files-differ")
def two_directories_of_one_log_name_two_clusters(world: World) -> Offsets:
    _at_level_30(world)
    world.nodes[2].properties["cluster.id"] = "another"
    return [None]


def _at_level_30(world: World) -> None:
    """Write the world's log again as a cluster of Kafka 4.3's."""
    from kraftpy.model.features import SchemaSet

    log = batches(world.nodes[1])
    for node in world.nodes.values():
        node.segments, node.snapshots = {0: []}, {}
    world.next_offset = 0
    for batch in log:
        world.epoch = batch.epoch
        if batch.is_control:
            world.control(*batch.control_records())
            continue
        records = [m.decode_record(value, SchemaSet.KRAFTPY) for value in batch.values()]
        kept = [record for record in records if not isinstance(record, m.ClusterIdRecord | m.BrokerHostRecord)]
        for record in kept:
            if isinstance(record, m.FeatureLevelRecord) and record.name == "metadata.version":
                record.feature_level = 30
        world.append(*kept, level=30)


@breaks("meta-properties-broken")
def meta_properties_is_no_text(world: World) -> Offsets:
    world.nodes[2].raw_properties = "version=2\nnode.id=\\u12\n"
    return [None]


@breaks("meta-properties-broken")
def meta_properties_has_an_unknown_version(world: World) -> Offsets:
    world.nodes[2].properties["version"] = "3"
    return [None]


@breaks("meta-properties-broken")
def meta_properties_has_no_node(world: World) -> Offsets:
    del world.nodes[2].properties["node.id"]
    return [None]


@breaks("meta-properties-broken")
def version_1_has_no_cluster(world: World) -> Offsets:
    world.nodes[2].properties["version"] = "1"
    del world.nodes[2].properties["cluster.id"]
    return [None]


def _meta(name: str, text: str) -> None:
    def apply(world: World) -> Offsets:
        world.nodes[3].raw_properties = text
        return [None]

    apply.__name__ = name
    breaks("meta-properties-broken")(apply)


_meta("meta_properties_is_empty", "")
_meta("meta_properties_has_comments_only", "#\n#Sun Nov 22 19:00:00 UTC 2026\n")
_meta("meta_properties_is_zeros", "\0" * 80)
_meta("meta_properties_ends_within_a_line", f"version=1\nnode.id=3\ncluster.id={CLUSTER_ID[:9]}")
_meta("meta_properties_lost_its_first_line", f"node.id=3\ncluster.id={CLUSTER_ID}\n")
_meta("meta_properties_has_another_checksum", f"#crc32c=00000000\nversion=2\nnode.id=3\ncluster.id={CLUSTER_ID}\n")


@breaks("directory-id-twice")
def a_directory_was_copied(world: World) -> Offsets:
    world.nodes[9] = Node(
        {0: list(world.nodes[1].log)},
        dict(world.nodes[1].snapshots),
        {**world.nodes[3].properties, "node.id": "4"},
    )
    return [None]


@breaks("node-id-twice")
def two_nodes_claim_one_id(world: World) -> Offsets:
    world.nodes[9] = Node(
        {0: list(world.nodes[1].log)},
        dict(world.nodes[1].snapshots),
        {**world.nodes[3].properties, "directory.id": uuid_to_text(uuid(9))},
    )
    return [None]


@breaks("node-unknown")
def a_node_never_registered(world: World) -> Offsets:
    world.nodes[9] = Node(
        {0: list(world.nodes[1].log)},
        dict(world.nodes[1].snapshots),
        {**world.nodes[3].properties, "node.id": "9", "directory.id": uuid_to_text(uuid(9))},
    )
    return [None]


@breaks("voter-directory")
def a_voter_lost_its_disk(world: World) -> Offsets:
    world.nodes[2].properties["directory.id"] = uuid_to_text(uuid(9))
    return [2]


@breaks("voter-unregistered")
def a_voter_never_ran(world: World) -> Offsets:
    return [world.control(voter_set_to_record(voter_set(1, 2, 3, 7)))]


@breaks("election-voters")
def a_leader_is_elected_by_others(world: World) -> Offsets:
    return [world.control(leader_change(1, 1, 2), epoch=3)]


@breaks("election-voters")
def a_leader_is_no_voter(world: World) -> Offsets:
    record: LeaderChangeMessage = leader_change(8, 1, 2, 3)
    return [world.control(record, epoch=3)]


@breaks("election-voters")
def a_leader_is_elected_by_neither_set(world: World) -> Offsets:
    return [world.control(leader_change(1, 1, 2), voter_set_to_record(voter_set(1, 2, 3)), epoch=3)]


@breaks("election-voters")
def a_leader_is_elected_by_a_set_on_the_way(world: World) -> Offsets:
    steps = (voter_set_to_record(voter_set(1, 3)), voter_set_to_record(voter_set(1, 2, 3)))
    return [world.control(leader_change(1, 1, 3), *steps, epoch=3)]


@breaks("election-voters")
def a_leader_is_elected_by_a_set_of_a_later_batch(world: World) -> Offsets:
    offset = world.control(leader_change(1, 1, 2), epoch=3)
    world.control(voter_set_to_record(voter_set(1, 2)))
    world.control(leader_change(1, 1, 2), epoch=4)
    world.control(voter_set_to_record(world.voters))
    return [offset]


@breaks("election-twice")
def an_epoch_has_two_leaders(world: World) -> Offsets:
    return [world.control(leader_change(3, 1, 2, 3), epoch=2)]


@breaks("metadata-version-unknown")
def the_level_is_not_known(world: World) -> Offsets:
    return [world.append(m.FeatureLevelRecord("metadata.version", 99))]


@breaks("metadata-version-missing")
def the_log_states_no_level(world: World) -> Offsets:
    _only(world, keep=lambda record: not isinstance(record, m.FeatureLevelRecord))
    return [_offset_of(world, m.BrokerRegistrationChangeRecord)]


# Nodes


@breaks("broker-epoch-back")
def a_broker_registers_with_an_earlier_epoch(world: World) -> Offsets:
    return [world.append(broker(4, world.broker_epochs[4] - 1, fenced=False))]


@breaks("producer-ids-back")
def producer_ids_are_given_out_twice(world: World) -> Offsets:
    return [world.append(m.ProducerIdsRecord(5, world.broker_epochs[5], 1500))]


@breaks("producer-ids-back")
def the_same_block_is_given_out_again(world: World) -> Offsets:
    return [world.append(m.ProducerIdsRecord(5, world.broker_epochs[5], 2000))]


@breaks("broker-missing")
def a_broker_with_replicas_is_unregistered(world: World) -> Offsets:
    _leave(world, 4)
    return [
        world.append(
            m.UnregisterBrokerRecord(4, world.broker_epochs[4]), m.ConfigRecord(4, "4", "num.io.threads", None)
        )
    ]


def _leave(world: World, node: int) -> int:
    """Take a broker out of all in-sync sets, as a controller does that fences it, and give its partitions away."""
    from_sets = {
        (ORDERS, 0): [4, 5, 6],
        (ORDERS, 1): [5, 6, 4],
        (ORDERS, 2): [6, 4, 5],
        (LOGS, 0): [4, 5],
        (LOGS, 1): [5, 6],
    }
    records = []
    for (topic, number), replicas in from_sets.items():
        if node in replicas:
            isr = [each for each in replicas if each != node]
            leads = {"leader": isr[0]} if replicas[0] == node else {}
            rest = [*isr, node]
            places = [directories(each)[0] for each in rest]
            records.append(change(topic, number, isr=isr, replicas=rest, directories=places, **leads))
    return world.append(*records)


@breaks("replica-fenced")
def a_broker_is_fenced(world: World) -> Offsets:
    _leave(world, 4)
    return [world.append(broker_change(4, world.broker_epochs[4], fenced=1))]


@breaks("endpoint-twice")
def two_brokers_listen_at_one_address(world: World) -> Offsets:
    offset = world.next_offset
    points = [m.RegisterBrokerRecordBrokerEndpoint("PLAINTEXT", "host-4", 9092, 0)]
    record = broker(7, offset, end_points=points, log_dirs=[uuid(7007)], fenced=False)
    return [world.append(record)]


@breaks("host-two-ids")
def another_broker_runs_on_a_host(world: World) -> Offsets:
    points = [m.RegisterBrokerRecordBrokerEndpoint("PLAINTEXT", "host-x", 9092, 0)]
    world.append(broker(7, world.next_offset, end_points=points, log_dirs=[uuid(7007)], fenced=False))
    return [world.append(m.BrokerHostRecord("host-x", 8))]


@breaks("host-stale")
def an_id_is_remembered_for_two_hosts(world: World) -> Offsets:
    return [world.append(m.BrokerHostRecord("host-x", 4))]


@breaks("directory-shared")
def two_brokers_name_one_directory(world: World) -> Offsets:
    points = [m.RegisterBrokerRecordBrokerEndpoint("PLAINTEXT", "host-7", 9092, 0)]
    world.append(broker(7, world.next_offset, end_points=points, log_dirs=directories(6)[1:], fenced=False))
    return [_offset_of(world, m.BrokerRegistrationChangeRecord, lambda record: record.broker_id == 6)]


@breaks("directory-saturated")
def a_directory_is_full(world: World) -> Offsets:
    return [world.append(broker_change(4, world.broker_epochs[4], saturated_log_dirs=directories(4)[1:]))]


@breaks("directory-unknown")
def a_replica_is_in_no_known_directory(world: World) -> Offsets:
    return [world.append(change(LOGS, 0, directories=[uuid(9), directories(5)[0]]))]


@breaks("directory-unknown")
def a_replica_is_in_another_brokers_directory(world: World) -> Offsets:
    return [world.append(change(LOGS, 0, directories=[directories(6)[0], directories(5)[0]]))]


@breaks("directory-offline")
def a_directory_goes_offline(world: World) -> Offsets:
    offset = world.append(change(LOGS, 0, directories=[directories(4)[1], directories(5)[0]]))
    world.append(broker_change(4, world.broker_epochs[4], log_dirs=directories(4)[:1]))
    return [offset]


@breaks("directory-offline")
def a_replica_is_lost(world: World) -> Offsets:
    return [world.append(change(LOGS, 0, directories=[DIRECTORY_LOST, directories(5)[0]]))]


# Topics and partitions


@breaks("topic-id-reused")
def a_topic_id_is_given_to_another_name(world: World) -> Offsets:
    return [world.append(m.TopicRecord("other", ORDERS))]


@breaks("topic-name-twice")
def two_topics_have_one_name(world: World) -> Offsets:
    return [world.append(m.TopicRecord("logs", uuid(106)), partition(uuid(106), 0, (4, 5)))]


@breaks("topic-partitions")
def a_topic_has_no_partitions(world: World) -> Offsets:
    return [world.append(m.TopicRecord("empty", uuid(106)))]


@breaks("topic-partitions")
def a_partition_number_is_missing(world: World) -> Offsets:
    return [
        world.append(m.TopicRecord("hole", uuid(106)), partition(uuid(106), 0, (4, 5)), partition(uuid(106), 2, (5, 6)))
    ]


@breaks("isr-not-replica")
def a_stranger_is_in_sync(world: World) -> Offsets:
    return [world.append(change(LOGS, 0, isr=[4, 5, 6]))]


@breaks("leader-not-in-isr")
def a_leader_is_not_in_sync(world: World) -> Offsets:
    return [world.append(change(ORDERS, 0, isr=[5, 6]))]


@breaks("leader-fenced")
def a_leader_never_registered(world: World) -> Offsets:
    places = [uuid(9), directories(4)[0], directories(5)[0]]
    return [world.append(change(ORDERS, 0, replicas=[9, 4, 5], directories=places, isr=[9, 4, 5], leader=9))]


@breaks("leader-fenced")
def a_leader_is_fenced(world: World) -> Offsets:
    _leave(world, 4)
    places = [directories(4)[0], directories(5)[0]]
    offset = world.append(change(LOGS, 0, replicas=[4, 5], isr=[4, 5], directories=places, leader=4))
    world.append(broker_change(4, world.broker_epochs[4], fenced=1))
    return [offset]


@breaks("isr-fenced")
def a_follower_in_sync_is_fenced(world: World) -> Offsets:
    _leave(world, 4)
    offset = world.append(change(LOGS, 0, isr=[5, 4]))
    world.append(broker_change(4, world.broker_epochs[4], fenced=1))
    return [offset]


@breaks("elr-invalid")
def an_eligible_leader_is_in_sync(world: World) -> Offsets:
    return [world.append(change(ORDERS, 0, eligible_leader_replicas=[5]))]


@breaks("elr-invalid")
def an_eligible_leader_is_no_replica(world: World) -> Offsets:
    return [world.append(change(LOGS, 0, eligible_leader_replicas=[6]))]


@breaks("reassignment-not-replica")
def a_replica_to_add_is_no_replica(world: World) -> Offsets:
    return [world.append(change(LOGS, 0, adding_replicas=[6]))]


@breaks("reassignment-not-replica")
def a_replica_to_remove_is_no_replica(world: World) -> Offsets:
    return [world.append(change(LOGS, 0, removing_replicas=[6]))]


@breaks("replica-twice")
def a_broker_is_two_replicas(world: World) -> Offsets:
    places = [directories(4)[0], directories(5)[0], directories(5)[0]]
    return [world.append(change(ORDERS, 0, replicas=[4, 5, 5], isr=[4, 5], directories=places))]


@breaks("replica-twice")
def a_partition_has_no_replicas(world: World) -> Offsets:
    return [world.append(m.TopicRecord("none", uuid(106)), partition(uuid(106), 0, ())) + 1]


@breaks("replica-unregistered")
def a_replica_is_on_no_broker(world: World) -> Offsets:
    places = [directories(4)[0], directories(5)[0], uuid(9)]
    return [world.append(change(ORDERS, 0, replicas=[4, 5, 9], directories=places, isr=[4, 5]))]


@breaks("partition-offline")
def a_partition_has_no_leader(world: World) -> Offsets:
    return [world.append(change(LOGS, 0, leader=-1))]


@breaks("partition-under-min-isr")
def too_few_are_in_sync(world: World) -> Offsets:
    return [world.append(change(ORDERS, 0, isr=[4]))]


@breaks("partition-under-min-isr")
def the_cluster_wide_minimum_counts(world: World) -> Offsets:
    offset = world.append(change(LOGS, 0, isr=[4]))
    world.append(m.ConfigRecord(4, "", "min.insync.replicas", "2"))
    return [offset]


@breaks("min-isr-impossible")
def a_topic_asks_for_more_than_it_has(world: World) -> Offsets:
    world.append(m.ConfigRecord(2, "logs", "min.insync.replicas", "3"))
    return [world.next_offset - 2]


@breaks("partition-under-replicated")
def a_replica_lags(world: World) -> Offsets:
    return [world.append(change(ORDERS, 0, isr=[4, 6]))]


@breaks("replication-single")
def a_topic_has_one_replica(world: World) -> Offsets:
    return [world.append(m.TopicRecord("single", uuid(106)), partition(uuid(106), 0, (4,))) + 1]


@breaks("replication-uneven")
def partitions_have_different_numbers_of_replicas(world: World) -> Offsets:
    places = [directories(node)[0] for node in BROKERS]
    return [world.append(change(LOGS, 0, replicas=[4, 5, 6], isr=[4, 5, 6], directories=places)) + 0]


@breaks("rack-spread")
def replicas_share_a_rack(world: World) -> Offsets:
    points = [m.RegisterBrokerRecordBrokerEndpoint("PLAINTEXT", "host-7", 9092, 0)]
    world.append(
        broker(7, world.next_offset, rack="rack-4", end_points=points, log_dirs=[uuid(7007)], fenced=False),
    )
    places = [directories(4)[0], uuid(7007)]
    return [world.append(change(LOGS, 0, replicas=[4, 7], isr=[4, 7], directories=places))]


def _moved(topic: bytes, number: int, *replicas: int) -> Any:
    """A change that gives a partition other replicas, all in sync; broker 7 has one directory."""
    places = [uuid(7007) if each == 7 else directories(each)[0] for each in replicas]
    return change(topic, number, replicas=list(replicas), isr=list(replicas), directories=places)


@breaks("rack-spread")
def a_rack_has_no_replica(world: World) -> Offsets:
    """Two racks, three replicas, all of them in one."""
    for node, rack in ((5, "rack-4"), (6, "rack-4")):
        world.append(broker(node, world.next_offset, rack=rack, fenced=False))
    points = [m.RegisterBrokerRecordBrokerEndpoint("PLAINTEXT", "host-7", 9092, 0)]
    world.append(broker(7, world.next_offset, rack="rack-7", end_points=points, log_dirs=[uuid(7007)], fenced=False))
    offset = world.append(
        _moved(LOGS, 0, 4, 7),
        _moved(LOGS, 1, 5, 7),
        _moved(ORDERS, 1, 5, 6, 7),
        _moved(ORDERS, 2, 6, 4, 7),
        change(ORDERS, 0, isr=[4, 5, 6]),
    )  # fmt: skip
    return [offset + 4]


@breaks("rack-missing")
def a_broker_has_no_rack(world: World) -> Offsets:
    points = [m.RegisterBrokerRecordBrokerEndpoint("PLAINTEXT", "host-7", 9092, 0)]
    record = broker(7, world.next_offset, rack=None, end_points=points, log_dirs=[uuid(7007)], fenced=False)
    return [world.append(record)]


def _wide_topic(world: World, *replicas: tuple[int, ...]) -> int:
    topic = uuid(106)
    return world.append(
        m.TopicRecord("wide", topic), *(partition(topic, number, each) for number, each in enumerate(replicas))
    )


@breaks("leader-balance")
def one_broker_leads_too_much(world: World) -> Offsets:
    world.append(
        *(
            broker(
                node,
                world.next_offset,
                rack="rack-4",
                end_points=[m.RegisterBrokerRecordBrokerEndpoint("PLAINTEXT", f"host-{node}", 9092, 0)],
                log_dirs=directories(node),
                fenced=False,
            )
            for node in (7, 8)
        )
    )
    turns = [(4, 5), (4, 6)]
    others = [(5, 7), (6, 8), (5, 8), (6, 7)]
    _wide_topic(world, *(turns[number % 2] for number in range(36)), *(others[number % 4] for number in range(12)))
    return [_offset_of(world, m.BrokerRegistrationChangeRecord, lambda record: record.broker_id == 4)]


@breaks("leader-not-preferred")
def another_replica_leads(world: World) -> Offsets:
    return [world.append(change(ORDERS, 0, leader=5))]


@breaks("leader-epoch-back")
def a_partition_is_stated_with_an_earlier_leader_epoch(world: World) -> Offsets:
    world.append(change(LOGS, 0, leader=5), change(LOGS, 0, leader=4))
    return [world.append(partition(LOGS, 0, (4, 5), leader_epoch=1, partition_epoch=90))]


@breaks("partition-epoch-back")
def a_partition_is_stated_with_an_earlier_epoch(world: World) -> Offsets:
    return [world.append(partition(LOGS, 0, (4, 5), leader_epoch=5, partition_epoch=1))]


# Settings


@breaks("config-orphan")
def a_topic_with_a_config_does_not_exist(world: World) -> Offsets:
    return [world.append(m.ConfigRecord(2, "never", "retention.ms", "1"))]


@breaks("config-orphan")
def a_config_is_set_after_its_topic_went(world: World) -> Offsets:
    return [world.append(m.ConfigRecord(2, "gone", "retention.ms", "1"))]


@breaks("config-orphan")
def a_broker_with_a_config_does_not_exist(world: World) -> Offsets:
    return [world.append(m.ConfigRecord(4, "9", "num.io.threads", "1"))]


@breaks("quota-orphan")
def a_user_with_a_quota_is_not_known(world: World) -> Offsets:
    entity = [m.ClientQuotaRecordEntityData("user", "bob")]
    return [world.append(m.ClientQuotaRecord(entity, "producer_byte_rate", 1.0, remove=False))]


@breaks("acl-orphan")
def an_acl_names_no_topic(world: World) -> Offsets:
    return [world.append(acl(600, "never"))]


def _secret(name: str, resource_type: int, resource: str, key: str, value: str) -> None:
    def apply(world: World) -> Offsets:
        return [world.append(m.ConfigRecord(resource_type, resource, key, value))]

    apply.__name__ = name
    breaks("secret-in-clear")(apply)


_secret("a_password_is_a_config", 4, "4", "listener.name.external.ssl.keystore.password", "hunter2")
_secret("a_jaas_line_is_a_config", 4, "", "sasl.jaas.config", "org.apache.X required user=a;")
_secret("a_value_carries_a_password", 2, "orders", "some.url", "https://user:hunter2@host/")


@breaks("no-op-share")
def the_log_is_full_of_nothing(world: World) -> Offsets:
    world.append(*(m.NoOpRecord() for _ in range(1000)))
    return [None]


@breaks("replica-balance")
def one_broker_holds_too_much(world: World) -> Offsets:
    world.append(
        *(
            broker(
                node,
                world.next_offset,
                rack="rack-5",
                end_points=[m.RegisterBrokerRecordBrokerEndpoint("PLAINTEXT", f"host-{node}", 9092, 0)],
                log_dirs=directories(node),
                fenced=False,
            )
            for node in (7, 8, 9, 10)
        )
    )
    firsts = [5, 6, 7, 8, 9, 10]
    _wide_topic(world, *((firsts[number % 6], 4) for number in range(48)))
    return [_offset_of(world, m.BrokerRegistrationChangeRecord, lambda record: record.broker_id == 4)]


@breaks("rack-balance")
def one_rack_leads_too_much(world: World) -> Offsets:
    """Two of twelve brokers are in one rack and lead 26 of 36 partitions; neither alone is over the broker's limit."""
    racks = {7: "rack-4", **dict.fromkeys(range(8, 13), "rack-5"), **dict.fromkeys(range(13, 16), "rack-6")}
    world.append(
        *(
            broker(
                node,
                world.next_offset,
                rack=rack,
                end_points=[m.RegisterBrokerRecordBrokerEndpoint("PLAINTEXT", f"host-{node}", 9092, 0)],
                log_dirs=directories(node),
                fenced=False,
            )
            for node, rack in racks.items()
        )
    )
    leaders = [*([4] * 11), *([7] * 13), 8, 9, 10, 11, 12, 8, 9]
    followers = [13, 14, 15, 6]
    _wide_topic(world, *((leader, followers[number % 4]) for number, leader in enumerate(leaders)))
    return [None]
