"""Writes that take several turns: decided and appended in parts, whole or not at all, while heartbeats go on."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from kraftpy.controller import isr_changes
from kraftpy.controller.config import ControllerConfig
from kraftpy.controller.requests import BrokerHeartbeatResponse
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.topic_requests import CreatableTopic, CreateTopics
from kraftpy.image import MetadataLoader
from kraftpy.model.errors import ApiError, BusyError, ErrorCode, LocalError, NotLeaderError
from kraftpy.raft.ready import Role
from kraftpy.records.authors import Author, BatchAuthors, encode_author
from kraftpy.records.batch import split_batches
from kraftpy.records.metadata import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    ConfigRecord,
    EndTransactionRecord,
    TopicRecord,
    decode_records,
)
from kraftpy.runtime import large_write
from kraftpy.runtime.backend import NodeBackend
from kraftpy.runtime.controller_loop import DECIDING_MS, TICK_ERROR_RETRY_MS, TICK_RETRY_MS
from kraftpy.runtime.large_write import fitting
from kraftpy.runtime.snapshotter import QuorumAt
from kraftpy.transport.node_api import Committed, OutcomeUnknownError, WriteRequest
from kraftpy.transport.request_errors import RequestErrors
from tests.fakes.slices import in_one_slice
from tests.unit.controller.worlds import beat, register, set_configs
from tests.unit.runtime.parts import LoneController
from tests.unit.runtime.trio import LINEARIZABLE, Trio

KIND_BROKER = 4
SMALL = ControllerConfig(records_per_part=2)
KEYS = [f"key-{number}" for number in range(7)]
MARKS = (BeginTransactionRecord, EndTransactionRecord, AbortTransactionRecord)

large = set_configs(KIND_BROKER, "", *((key, "v") for key in KEYS))
"""Seven records: with the marks of the transaction, five parts of two."""

PARTS = 5


def small(value="1"):
    return WriteRequest(set_configs(KIND_BROKER, "", ("log.cleaner.threads", value)))


def lone(**parts):
    node = LoneController(decides=SMALL, **parts).settle()
    assert node.host.controller.active
    return node


def log_of(node):
    """Every metadata record of a node's log, with the offsets."""
    log = node.directory.log
    batches = split_batches(log.read(log.start_offset, 10**9, log.end_offset), verify_crc=False)
    schema = node.state_machine.image.schema
    return [
        (batch.base_offset + number, record)
        for batch in batches
        if not batch.is_control
        for number, record in enumerate(decode_records(batch.values(), schema))
    ]


def marks_of(node, *, after):
    """The kinds of marks in a node's log from an offset on."""
    return [type(record) for offset, record in log_of(node) if offset >= after and isinstance(record, MARKS)]


def shown(node):
    """Which of the keys a node's published image has."""
    return sorted(set(node.state_machine.image.configs.of(KIND_BROKER, "")) & set(KEYS))


def brokers(node, count=1):
    """Register brokers and have them unfenced; return their epochs."""
    epochs = []
    for broker_id in range(1, count + 1):
        (answer,) = settled(node, WriteRequest(register(broker_id, cluster_id="the-cluster")))
        epochs.append(answer.response.broker_epoch)
        settled(node, WriteRequest(beat(broker_id, epochs[-1])))
    return epochs


def settled(node, *submissions):
    answers = node.submit(*submissions)
    node.settle()
    return answers


def test_a_large_atomic_write_is_one_transaction_of_several_batches():
    """It is one huge batch that holds the turn, or batches that take effect one by one."""
    node = lone()
    start = node.replica.log_end_offset
    answers = node.submit(WriteRequest(large))
    seen = []
    while not answers:
        node.turn()
        seen.append((node.replica.log_end_offset - start, len(shown(node))))
    assert [appended for appended, _ in seen] == [0, 2, 4, 6, 8, 9]
    assert {keys for appended, keys in seen if appended < 9} == {0}
    assert (answers[0].offset, shown(node)) == (start + 8, KEYS)
    assert marks_of(node, after=start) == [BeginTransactionRecord, EndTransactionRecord]


def test_what_fits_one_part_has_no_transaction():
    """Every write pays for two marks more."""
    node = lone()
    start = node.replica.log_end_offset
    settled(node, WriteRequest(set_configs(KIND_BROKER, "", ("key-0", "v"), ("key-1", "v"))))
    assert (shown(node), marks_of(node, after=start)) == (KEYS[:2], [])


def test_heartbeats_are_answered_meanwhile_and_other_writes_wait():
    """A broker is fenced because a large write took its time, or another write becomes a part of the transaction."""
    node = lone()
    (epoch,) = brokers(node)
    answers = node.submit(WriteRequest(large))
    node.turn()
    node.turn()
    assert node.host.controller.in_transaction
    beats = node.submit(WriteRequest(beat(1, epoch)))
    others = node.submit(small())
    node.turn()
    assert node.host.controller.in_transaction
    assert isinstance(beats[0].response, BrokerHeartbeatResponse)
    assert (answers, others) == ([], [])
    node.settle()
    assert isinstance(others[0], Committed)
    assert others[0].offset > answers[0].offset
    assert node.host.waiting == 0


def test_a_heartbeat_that_changes_something_waits():
    """Its records become a part of the transaction, and fall with it."""
    node = lone()
    settled(node, WriteRequest(register(1, cluster_id="the-cluster")))
    broker = node.host.controller.image.cluster.brokers[1]
    answers = node.submit(WriteRequest(large))
    node.turn()
    node.turn()
    beats = node.submit(WriteRequest(beat(1, broker.broker_epoch)))
    node.turn()
    assert (node.host.controller.in_transaction, beats) == (True, [])
    node.settle()
    assert not beats[0].response.is_fenced
    assert beats[0].offset > answers[0].offset


def test_reads_are_answered_from_the_state_before_it():
    """Linearizable reads wait for seconds, or show a part of the transaction."""
    node = lone()
    node.submit(WriteRequest(large))
    node.turn()
    node.turn()
    answers = []
    node.reads.ask(LINEARIZABLE, node.clock.now_ms(), answers.append)
    node.turn()
    assert node.host.controller.in_transaction
    assert (answers, shown(node)) == ([None], [])


def test_a_silent_broker_is_fenced_after_it_and_before_the_next_one():
    """Large writes one after the other keep a dead broker in the ISRs for ever."""
    node = lone()
    brokers(node)
    both = node.submit(WriteRequest(large), WriteRequest(large, b"r" * 16))
    node.turn()
    node.clock.value += 10**6
    fenced_at = None
    for _ in range(100):
        node.turn()
        if fenced_at is None and node.state_machine.image.cluster.brokers[1].fenced:
            fenced_at = len(marks_of(node, after=0))
    node.settle()
    assert len(both) == 2
    assert fenced_at == 4, "after the bootstrap's transaction and the first one of the two"


def test_a_silent_broker_loses_its_partitions_at_once():
    """Between two batches some of its partitions have a new leader, and some have one that is not there."""
    node = lone()
    epochs = brokers(node, 2)
    settled(node, WriteRequest(CreateTopics((CreatableTopic("t", 6, 2),))))
    seen = []

    def leaders():
        image = node.state_machine.image
        partitions = image.topics.named("t").partitions.values()
        return image.cluster.brokers[1].fenced, sum(one.leader == 1 for one in partitions)

    assert leaders() == (False, 3)
    node.clock.value += SMALL.session_timeout_ms - 1
    settled(node, WriteRequest(beat(2, epochs[1])))
    start = node.replica.log_end_offset
    node.clock.value += 1
    for _ in range(20):
        node.turn()
        seen.append((node.replica.log_end_offset - start, *leaders()))
    appended = [each for each, *_ in seen]
    assert {2, 4, 6, 8, 9} <= set(appended), "six changes, the fencing and two marks, by two"
    assert {(fenced, led) for each, fenced, led in seen if each < 9} == {(False, 3)}
    assert seen[-1] == (9, True, 0)


def test_an_own_decision_that_cannot_be_written_as_a_whole_is_written_in_parts_later():
    """The log grows by an aborted transaction every 20 ms, and no partition of the broker has a leader for ever."""
    node = lone()
    epochs = brokers(node, 2)
    settled(node, WriteRequest(CreateTopics((CreatableTopic("t", 6, 2),))))
    node.clock.value += SMALL.session_timeout_ms - 1
    settled(node, WriteRequest(beat(2, epochs[1])))
    start, honest, refused = node.replica.log_end_offset, node.host.controller.encode, []

    def encode(result):
        if not refused and any(isinstance(record, EndTransactionRecord) for record in result.records):
            refused.append(result)
            raise LocalError("no such field")
        return honest(result)

    node.host.controller.encode = encode
    node.clock.value += 1
    with capture_logs():
        for _ in range(10):
            node.turn()
    assert marks_of(node, after=start) == [BeginTransactionRecord, AbortTransactionRecord]
    assert node.host.next_deadline_ms() == node.clock.now_ms() + TICK_ERROR_RETRY_MS
    node.clock.value += TICK_ERROR_RETRY_MS
    for _ in range(10):
        node.turn()
    node.settle()
    assert node.state_machine.image.cluster.brokers[1].fenced
    assert marks_of(node, after=start) == [BeginTransactionRecord, AbortTransactionRecord]


def test_a_topic_is_decided_in_slices(monkeypatch):
    """A topic of many partitions holds the turn while it is placed."""
    monkeypatch.setattr("kraftpy.controller.new_partitions.PARTITIONS_PER_SLICE", 1)
    node = lone()
    (epoch,) = brokers(node)
    spent = iter(range(0, 10**9, 10))
    monkeypatch.setattr(node.host, "_clock_ms", lambda: next(spent))
    end = node.replica.log_end_offset
    answers = node.submit(WriteRequest(CreateTopics((CreatableTopic("t", 10, 1),))))
    beats = []
    while node.replica.log_end_offset == end:
        beats.append(node.submit(WriteRequest(beat(1, epoch))))
        node.turn()
    assert len(beats) > 5
    assert all(isinstance(answer, Committed) for answers in beats[:-2] for answer in answers or [None])
    node.settle()
    topic = node.state_machine.image.topics.named("t")
    assert (answers[0].response.topics[0].error, len(topic.partitions)) == (ErrorCode.NONE, 10)


def goes_slowly(node, monkeypatch):
    """Let each slice look at one partition, and take a whole turn."""
    for module in ("isr_changes", "replica_index", "alter_partition"):
        name = "PARTITIONS_PER_SLICE" if module == "alter_partition" else "LOOKS_PER_SLICE"
        monkeypatch.setattr(f"kraftpy.controller.{module}.{name}", 1)
    spent = iter(range(0, 10**9, DECIDING_MS))
    monkeypatch.setattr(node.host, "_clock_ms", lambda: next(spent))


def led_by_one(node):
    """Two brokers, of which the first leads half of six partitions; return their epochs."""
    epochs = brokers(node, 2)
    settled(node, WriteRequest(CreateTopics((CreatableTopic("t", 6, 2),))))
    return epochs


def test_the_fencing_of_a_silent_broker_is_decided_in_slices(monkeypatch):
    """A broker of 100,000 partitions holds the turn, and the quorum takes its leader for dead."""
    node = lone()
    epochs = led_by_one(node)
    node.clock.value += SMALL.session_timeout_ms - 1
    settled(node, WriteRequest(beat(2, epochs[1])))
    goes_slowly(node, monkeypatch)
    node.clock.value += 1
    end, turns = node.replica.log_end_offset, 0
    while node.replica.log_end_offset == end:
        node.turn()
        turns += 1
        beats = node.submit(WriteRequest(beat(2, epochs[1])))
        node.turn()
        assert node.replica.log_end_offset > end or isinstance(beats[0], Committed)
    assert turns > 3
    node.settle()
    assert node.state_machine.image.cluster.brokers[1].fenced
    assert not node.state_machine.image.cluster.brokers[2].fenced


def test_a_broker_that_is_heard_while_its_fencing_is_decided_stays(monkeypatch):
    """It is fenced by a decision that was outdated before it was appended."""
    node = lone()
    epochs = led_by_one(node)
    node.clock.value += SMALL.session_timeout_ms - 1
    settled(node, WriteRequest(beat(2, epochs[1])))
    goes_slowly(node, monkeypatch)
    node.clock.value += 1
    end = node.replica.log_end_offset
    node.turn()
    beats = node.submit(WriteRequest(beat(1, epochs[0])))
    node.settle()
    assert not beats[0].response.is_fenced
    assert not node.state_machine.image.cluster.brokers[1].fenced
    assert node.replica.log_end_offset == end
    assert node.host.waiting == 0


def test_own_decisions_one_after_the_other_leave_room_for_writes():
    """A run of elections shuts all writes out until it is over, for there is always a next step."""
    node = lone()
    result = ControllerResult(tuple(ConfigRecord(KIND_BROKER, "", key, "v") for key in KEYS), None, atomic=False)
    node.host.controller.tick_in_slices = in_one_slice(lambda _now_ms: result)
    node.turn()
    answers = node.submit(small())
    for _ in range(12):
        node.turn()
    assert isinstance(answers[0], Committed)


def test_an_error_in_a_later_slice_of_an_own_decision_is_tried_again_later(monkeypatch):
    """It ends the process, or the decision is never made again."""
    node = lone(errors=RequestErrors())
    epochs = led_by_one(node)
    node.clock.value += SMALL.session_timeout_ms - 1
    settled(node, WriteRequest(beat(2, epochs[1])))
    goes_slowly(node, monkeypatch)
    node.clock.value += 1
    node.turn()
    with monkeypatch.context() as patch:

        def fail(*_):
            raise RecursionError

        patch.setattr("kraftpy.controller.isr_changes.partition_change", fail)
        for _ in range(30):
            node.turn()
    assert node.host.figures.defects == 1
    assert node.host.next_deadline_ms() == node.clock.now_ms() + TICK_ERROR_RETRY_MS
    node.clock.value += TICK_ERROR_RETRY_MS
    node.settle()
    assert node.state_machine.image.cluster.brokers[1].fenced


def test_a_heartbeat_that_concerns_partitions_waits_and_is_decided_once(monkeypatch):
    """While a large write goes on, each turn decides it all over again, or the whole of it in one turn."""
    node = lone()
    epochs = led_by_one(node)
    answers = node.submit(WriteRequest(large))
    node.turn()
    node.turn()
    goes_slowly(node, monkeypatch)
    worked_out = []
    honest = isr_changes.partition_change
    monkeypatch.setattr(
        "kraftpy.controller.isr_changes.partition_change", lambda *args: worked_out.append(args) or honest(*args)
    )
    beats = node.submit(WriteRequest(beat(1, epochs[0], want_shutdown=True)))
    node.turn()
    assert (node.host.controller.in_transaction, beats) == (True, [])
    node.settle()
    assert beats[0].response.in_controlled_shutdown
    assert beats[0].offset > answers[0].offset
    # The six partitions are of two kinds: either broker leads.
    assert len(worked_out) == 2


def test_a_repeated_large_write_is_done_once():
    """A retry that comes while the first attempt goes on is decided as well."""
    node = lone()
    request = WriteRequest(large, b"r" * 16)
    first = node.submit(request)
    node.turn()
    second = node.submit(request)
    node.settle()
    assert (first[0].offset, second[0].offset) == (first[0].offset,) * 2
    assert [type(record) for _, record in log_of(node)].count(BeginTransactionRecord) == 2


def test_a_full_disk_queue_delays_the_next_part():
    """A part that the log does not take at once is lost, or the loop spins on it."""
    node = lone()
    honest, refusals = node.replica.propose, [BusyError("later")] * 2
    answers = node.submit(WriteRequest(large))
    node.turn()
    node.turn()

    def propose(*args):
        if refusals:
            raise refusals.pop()
        return honest(*args)

    node.replica.propose = propose
    node.turn()
    assert node.host.next_deadline_ms() == node.clock.now_ms() + TICK_RETRY_MS
    for _ in range(2):
        node.clock.value += TICK_RETRY_MS
        node.turn()
    node.settle()
    assert isinstance(answers[0], Committed)
    assert shown(node) == KEYS


def test_a_part_that_cannot_be_written_aborts_the_transaction():
    """The log is left inside a transaction, so nothing that follows ever takes effect."""
    node = lone()
    start, honest = node.replica.log_end_offset, node.host.controller.encode

    def encode(result):
        if any(getattr(record, "name", "") == KEYS[3] for record in result.records):
            raise LocalError("no such field")
        return honest(result)

    node.host.controller.encode = encode
    with capture_logs() as logs:
        (refusal,) = settled(node, WriteRequest(large))
    assert refusal.code is ErrorCode.INVALID_REQUEST
    assert marks_of(node, after=start) == [BeginTransactionRecord, AbortTransactionRecord]
    assert [entry["event"] for entry in logs].count("transaction_aborted") == 1
    (taken,) = settled(node, small("9"))
    assert isinstance(taken, Committed)
    assert node.state_machine.image.configs.of(KIND_BROKER, "").get("log.cleaner.threads") == "9"
    assert shown(node) == []
    assert node.host.controller.image.same_content(node.state_machine.image)


def test_an_abort_that_the_log_does_not_take_ends_the_leadership():
    """The next records of this controller would be part of the transaction."""
    node = lone()
    node.submit(WriteRequest(large))
    node.turn()
    node.turn()

    def refuse(*_):
        raise LocalError("no")

    node.replica.propose = refuse
    epoch = node.replica.epoch
    node.turn()
    assert not node.host.controller.active
    assert (node.replica.role, node.replica.epoch) != (Role.LEADER, epoch)


def test_lost_leadership_in_a_transaction_is_no_unknown_outcome():
    """A client has to find out by itself what cannot have been done."""
    node = lone()
    answers, others = node.submit(WriteRequest(large)), node.submit(small())
    node.turn()
    node.turn()

    def lost(*_):
        raise NotLeaderError("gone")

    node.replica.propose = lost
    node.turn()
    assert (answers[0].code, type(answers[0])) == (ErrorCode.NOT_CONTROLLER, ApiError)
    assert not node.host.controller.active
    node.turn()
    assert (others, node.host.waiting) == ([], 1), "it waits for the next controller"


def test_a_result_that_is_not_atomic_keeps_what_was_appended(monkeypatch):
    """Its parts are valid by themselves, so they are not in a transaction; who asked hears that a part may count."""
    node = lone()
    start, honest = node.replica.log_end_offset, node.host.controller.begin
    monkeypatch.setattr(
        node.host.controller, "begin", lambda *args: honest(*args)._replace(atomic=False, transaction="")
    )
    answers = node.submit(WriteRequest(large))
    for _ in range(3):
        node.turn()
    assert shown(node) == KEYS[:4]
    assert marks_of(node, after=start) == []
    node.host.halt()
    assert type(answers[0]) is OutcomeUnknownError


def test_own_decisions_are_appended_part_by_part():
    """Fencing a broker of many partitions holds the turn."""
    node = lone()
    result = ControllerResult(tuple(TopicRecord(name=key, topic_id=key.encode() + bytes(11)) for key in KEYS), None)
    due = [result._replace(atomic=False)]
    node.host.controller.tick_in_slices = in_one_slice(lambda _now_ms: due.pop() if due else None)
    counts = []
    for _ in range(6):
        node.turn()
        counts.append(len(node.state_machine.image.topics.by_id))
    assert counts == [0, 2, 4, 6, 7, 7]


def test_a_part_has_a_limited_number_of_bytes(monkeypatch):
    """Records of a megabyte each make a part that no batch holds."""
    monkeypatch.setattr("kraftpy.runtime.large_write.PART_BYTES_MAX", 10)
    assert [fitting([b"x" * size for size in sizes]) for sizes in ((4, 6, 1), (11, 1), (3,), (5, 6))] == [2, 1, 1, 1]
    node = lone()
    (answer,) = settled(node, WriteRequest(large))
    assert isinstance(answer, Committed)
    assert shown(node) == KEYS


async def test_watchers_are_sent_a_transaction_when_it_has_ended():
    """A watcher shows what is aborted later."""
    node = lone()
    backend = NodeBackend(
        driver=node.driver,
        state_machine=node.state_machine,
        controller=node.host,
        reads=node.reads,
        quorum_at=lambda _: QuorumAt(None, 0),
        supported_features=(),
        on_failed=lambda _: None,
    )
    start = node.replica.log_end_offset
    answers = node.submit(WriteRequest(large))
    while node.replica.high_watermark < start + 6:
        node.turn()
        assert await backend.read_committed(start, 10**6) == b""
    assert await backend.read_committed(start + 3, 10**6) == b""
    assert len(split_batches(await backend.read_committed(0, 10**6))) > 0
    node.settle()
    assert isinstance(answers[0], Committed)
    batches = split_batches(await backend.read_committed(start, 10**6))
    assert (batches[0].base_offset, batches[-1].next_offset) == (start, start + 9)


def test_what_a_large_write_makes_is_not_collected_again_and_again(monkeypatch):
    """A collection over the records of a hundred thousand partitions holds the turn."""
    calls = []
    collector = SimpleNamespace(collect=calls.append, freeze=lambda: calls.append("f"))
    monkeypatch.setattr("kraftpy.runtime.large_write.gc", collector)
    node = lone()
    settled(node, WriteRequest(large))
    assert calls == [], "a few records are not worth it"
    monkeypatch.setattr("kraftpy.runtime.large_write.SPARED_RECORDS_MIN", 9)
    settled(node, WriteRequest(large))
    assert calls == [1, "f"] * PARTS


# Three controllers.


def begun(parts):
    """Three controllers, and a leader that has appended that number of parts."""
    trio = Trio(decides=SMALL)
    leader = trio.nodes[trio.elect()]
    trio.run(lambda: all(node.state_machine.caught_up_once for node in trio.nodes.values()))
    trio.turns()
    start = leader.replica.log_end_offset
    answers = leader.submit(WriteRequest(large, b"r" * 16))
    wanted = min(2 * parts, len(KEYS) + 2)
    while leader.replica.log_end_offset - start < wanted:
        for node in trio.nodes.values():
            node.turn()
    return SimpleNamespace(trio=trio, leader=leader, start=start, answers=answers)


@pytest.mark.parametrize("replicated", [True, False])
@pytest.mark.parametrize("parts", range(1, PARTS + 1))
def test_a_leader_that_dies_in_the_middle_leaves_nothing_behind(parts, replicated):
    """A part of the write takes effect at some node, or the log never leaves the transaction."""
    found = begun(parts)
    trio, old = found.trio, found.leader.replica.key.node_id
    others = [one for one in trio.nodes if one != old]
    if replicated:
        # The others get what there is, but the leader appends nothing more.
        found.leader.host._large = None
        trio.turns()
        assert all(trio.nodes[one].replica.log_end_offset == found.leader.replica.log_end_offset for one in others)
    trio.cut.add(old)
    successor = trio.nodes[trio.elect(of=others)]
    trio.turns()
    is_complete = EndTransactionRecord in marks_of(successor, after=found.start)
    assert shown(successor) == (KEYS if is_complete else [])
    assert is_complete or parts < PARTS or not replicated
    if not is_complete and marks_of(successor, after=found.start):
        assert marks_of(successor, after=found.start) == [BeginTransactionRecord, AbortTransactionRecord]
    assert not successor.state_machine.in_transaction
    answers = successor.submit(small("8"))
    trio.run(lambda: bool(answers))
    assert isinstance(answers[0], Committed)
    trio.cut.clear()
    trio.run(lambda: len({node.state_machine.image.provenance.offset for node in trio.nodes.values()}) == 1)
    images = [node.state_machine.image for node in trio.nodes.values()]
    assert all(image.same_content(images[0]) for image in images)
    for node in trio.nodes.values():
        replayed = MetadataLoader()
        log = node.directory.log
        replayed.load_batches(split_batches(log.read(0, 10**9, log.end_offset), verify_crc=False))
        assert replayed.image.same_content(images[0])


def test_followers_show_nothing_before_the_end():
    """A node that follows publishes a part."""
    found = begun(2)
    shows = set()
    while not found.answers:
        for node in found.trio.nodes.values():
            node.turn()
            shows.add(len(shown(node)))
        found.trio.clock.value += 1
    found.trio.turns()
    assert shows <= {0, len(KEYS)}
    assert all(shown(node) == KEYS for node in found.trio.nodes.values())


def authors_of(node, *, after):
    """The author of every metadata record of a node's log from an offset on."""
    log = node.directory.log
    batches = split_batches(log.read(log.start_offset, 10**9, log.end_offset), verify_crc=False)
    found = []
    for batch in batches:
        authors = BatchAuthors()
        shown = [authors.of(value) for value in (() if batch.is_control else batch.values())]
        found += [each and each.principal for offset, each in enumerate(shown, batch.base_offset) if offset >= after]
    return found


def test_every_record_of_a_large_write_names_its_author():
    """A part has no author, or names one of more records than it has."""
    node = lone()
    start = node.replica.log_end_offset
    author = encode_author(Author("User:alice"))
    settled(node, WriteRequest(large, author=author), small())
    assert authors_of(node, after=start) == ["User:alice"] * 9 + [None]


def test_a_part_that_is_cut_for_its_bytes_names_its_own_records_alone(monkeypatch):
    """A part of fewer records than were encoded claims the records behind it."""
    monkeypatch.setattr(large_write, "PART_BYTES_MAX", 1)
    node = lone()
    start = node.replica.log_end_offset
    settled(node, WriteRequest(large, author=encode_author(Author("User:alice"))), small())
    assert authors_of(node, after=start) == ["User:alice"] * 9 + [None]
