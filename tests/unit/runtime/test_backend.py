"""The node as the public API sees it: reads of what is published and committed, waits that leave nothing behind."""

from __future__ import annotations

import asyncio

import pytest

from kraftpy.controller.requests import FeatureUpdate, Listener, UpdateFeatures
from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ApiError, BusyError, CorruptLogError, ErrorCode, StorageError, UnreadableError
from kraftpy.model.offsets import ORIGIN, OffsetAndEpoch
from kraftpy.model.replica_status import LogQuarantine, ReplicaStatus
from kraftpy.records.batch import split_batches
from kraftpy.records.codec import uvarint
from kraftpy.records.metadata import ConfigRecord, FeatureLevelRecord, encode_for_level
from kraftpy.runtime import backend as module
from kraftpy.runtime import inbox as inbox_module
from kraftpy.runtime.backend import NodeBackend
from kraftpy.runtime.snapshotter import QuorumAt
from kraftpy.runtime.state_machine import Halted
from kraftpy.transport.node_api import AS_IT_IS, Committed, OffsetGone, ReadAt, WriteRequest
from tests.unit.controller.worlds import register_controller
from tests.unit.runtime.parts import LoneController, opened, snapshot_bytes, written
from tests.unit.runtime.test_controller_host import write
from tests.unit.storage.logs import T0, batch, disk

FEATURES = (("metadata.version", 7, 42),)
CONFIG = encode_for_level(ConfigRecord(4, "", "log.cleaner.threads", "1"), 40)
LEVEL = encode_for_level(FeatureLevelRecord("metadata.version", 30), 30)
UNKNOWN = b"\x01" + uvarint(4_000) + b"\x00?"


class World:
    """A lone controller behind the public face."""

    def __init__(self, *, is_controller=True, voters=(1,), fs=None):
        self.node = LoneController(voters=voters, fs=fs)
        self.failures = []
        self.backend = NodeBackend(
            driver=self.node.driver,
            state_machine=self.node.state_machine,
            controller=self.node.host if is_controller else None,
            reads=self.node.reads,
            quorum_at=lambda _: QuorumAt(None, 0),
            supported_features=FEATURES,
            on_failed=self.failures.append,
        )
        node = self.node
        node.state_machine.install([node.host, self.backend, node.state_machine._publishers[-1]])

    def ready(self):
        self.node.settle()
        return self

    async def write(self, *values):
        submitted = asyncio.create_task(self.backend.submit_many([write(str(value)) for value in values]))
        await asyncio.sleep(0)
        self.node.settle()
        return await submitted

    async def confirmed(self, reading):
        """Let the turn come in which the leadership is confirmed for a linearizable read."""
        task = asyncio.create_task(reading)
        await asyncio.sleep(0)
        self.node.turn()
        return await task

    @property
    def high_watermark(self):
        return self.node.replica.high_watermark


async def test_writes_come_back_in_order():
    """A group of writes comes back as one outcome each, in order, and its effect can be read at once."""
    world = World().ready()
    outcomes = await world.write(1, 2)
    assert [type(one) for one in outcomes] == [Committed, Committed]
    view = world.backend.view()
    assert view.offset == outcomes[1].offset
    assert view.image.configs.of(4, "")["log.cleaner.threads"] == "2"
    assert (view.cluster_id, view.supported_features) == ("the-cluster", FEATURES)
    assert await world.backend.submit_many([]) == []


async def test_a_refusal_that_waits_keeps_no_frames():
    """The refusals of a group wait for its last write; with their tracebacks each kept its whole decision."""
    world = World().ready()
    unknown = WriteRequest(UpdateFeatures(updates=(FeatureUpdate("unknown.version", 1),)))
    submitted = asyncio.create_task(world.backend.submit_many([unknown, write("1")]))
    await asyncio.sleep(0)
    world.node.settle()
    refused, done = await submitted
    assert (type(refused), type(done)) == (ApiError, Committed)
    assert (refused.__traceback__, refused.__context__, refused.__cause__) == (None, None, None)


async def test_a_broker_takes_no_writes():
    """A node that is no controller refuses every write of a group with NOT_CONTROLLER."""
    outcomes = await World(is_controller=False).backend.submit_many([write(), write()])
    assert [one.code for one in outcomes] == [ErrorCode.NOT_CONTROLLER] * 2


async def test_a_caller_that_goes_away_abandons_what_is_not_decided():
    """A cancelled call leaves no write that is decided later on."""
    world = World().ready()
    submitted = asyncio.create_task(world.backend.submit_many([write("5")]))
    await asyncio.sleep(0)
    submitted.cancel()
    with pytest.raises(asyncio.CancelledError):
        await submitted
    world.node.settle()
    assert len(world.backend.view().image.configs) == 0


async def test_committed_records_can_be_read():
    """Whole batches below the high watermark are read, from the one that holds the offset; nothing at its end."""
    world = World().ready()
    await world.write(1)
    data = await world.backend.read_committed(0, 10**6)
    assert split_batches(data)[-1].next_offset == world.high_watermark
    assert await world.backend.read_committed(world.high_watermark, 10**6) == b""
    with pytest.raises(ApiError, match="beyond the high watermark") as caught:
        await world.backend.read_committed(world.high_watermark + 1, 1)
    assert caught.value.code is ErrorCode.OFFSET_OUT_OF_RANGE


async def test_a_fenced_node_answers_no_question_about_the_state():
    """No read, no watch, no snapshot: the client is sent to another node, with the reason."""
    world = World().ready()
    await world.write(1)
    world.backend.fence("its state is wrong")
    backend = world.backend
    for ask in (lambda: backend.open_snapshot(0), backend.open_image, lambda: backend.read_committed(0, 1)):
        with pytest.raises(ApiError, match="its state is wrong") as caught:
            await ask()
        assert caught.value.code is ErrorCode.BROKER_NOT_AVAILABLE
    with pytest.raises(ApiError, match="ask another node"):
        world.backend.view()


async def test_a_node_whose_log_holds_what_it_does_not_know_returns_no_whole_state():
    """One without that would be wrong; each part that it knows can be read."""
    fs = disk()
    directory = opened(fs)
    directory.log.append([batch(0, values=(LEVEL, CONFIG, UNKNOWN))], T0)
    directory.log.sync()
    directory.log.note_durable(3)
    directory.close()
    world = World(fs=fs).ready()
    with pytest.raises(ApiError, match=r"log holds \(apiKey 4000 version 0\).*ask a node of a newer version") as caught:
        await world.backend.open_image()
    assert caught.value.code is ErrorCode.UNSUPPORTED_VERSION
    assert world.backend.view().image.unknown.count == 1


async def test_uncommitted_records_cannot_be_read():
    """Records that are appended and not committed are never served, however many bytes are asked for."""
    world = World().ready()
    before = world.high_watermark
    world.node.lane.slow = True
    world.node.submit(write("9"))
    world.node.turn()
    assert world.node.directory.log.end_offset > before
    assert await world.backend.read_committed(before, 10**6) == b""
    assert split_batches(await world.backend.read_committed(0, 10**6))[-1].next_offset == before


async def test_nothing_is_read_before_anything_is_known_to_be_committed():
    """A node that knows no high watermark yet serves nothing."""
    world = World(voters=(1, 2, 3))
    assert await world.backend.read_committed(0, 100) == b""
    assert world.backend.leader_hint() is None


async def test_a_log_that_was_cut_names_its_snapshot():
    """An offset that the log no longer has is answered with the snapshot to go on from."""
    world = World().ready()
    await world.write(*range(5))
    snapshot = OffsetAndEpoch(epoch=1, offset=4)
    written(world.node.directory, snapshot).freeze()
    world.node.directory.log.advance_start(4)
    assert await world.backend.read_committed(3, 100) == OffsetGone(snapshot)
    assert isinstance(await world.backend.read_committed(4, 100), bytes)


# Waiting for commits.


async def test_waiting_ends_with_the_commit():
    """A wait for an offset ends when the high watermark is above it, and at once if it is already."""
    world = World().ready()
    await world.backend.wait_committed(world.high_watermark - 1)
    waiting = [asyncio.create_task(world.backend.wait_committed(world.high_watermark + n)) for n in (0, 0, 1)]
    await asyncio.sleep(0)
    await world.write(1)
    await asyncio.gather(*waiting[:2])
    assert not waiting[2].done()
    await world.write(2)
    await waiting[2]


async def test_a_client_that_leaves_leaves_nothing():
    """A cancelled wait is forgotten, though an idle cluster commits nothing that would clear it up."""
    world = World().ready()
    for _ in range(5):
        waiting = asyncio.create_task(world.backend.wait_committed(10**6))
        await asyncio.sleep(0)
        assert len(world.backend._commit_waiters) == 1
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    assert len(world.backend._commit_waiters) == 0


async def test_the_end_lets_waiters_go():
    """When the node stops no waiter for a commit is left."""
    world = World().ready()
    waiting = [asyncio.create_task(world.backend.wait_committed(10**6 + n)) for n in range(3)]
    await asyncio.sleep(0)
    world.backend.close()
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(one) for one in results] == [asyncio.CancelledError] * 3
    assert len(world.backend._commit_waiters) == 0


# Snapshots.


async def content(snapshot):
    return [chunk async for chunk in snapshot.chunks]


async def test_a_snapshot_on_disk_is_streamed_between_batches(monkeypatch):
    """The newest snapshot is streamed in pieces that hold whole batches, byte for byte."""
    monkeypatch.setattr(module, "SNAPSHOT_CHUNK_BYTES", 100)
    world = World().ready()
    groups = [[b"\x01\x14\x00\x00" * 20] for _ in range(20)]
    snapshot_id = OffsetAndEpoch(epoch=1, offset=2)
    written(world.node.directory, snapshot_id, groups).freeze()
    snapshot = await world.backend.open_snapshot(0)
    assert snapshot.snapshot_id == snapshot_id
    chunks = await content(snapshot)
    assert len(chunks) > 1
    assert all(split_batches(chunk) for chunk in chunks)
    assert b"".join(chunks) == snapshot_bytes(snapshot_id, groups)


@pytest.mark.parametrize("before", [0, 1])
async def test_a_snapshot_that_is_deleted_meanwhile_is_streamed_to_its_end(before, monkeypatch):
    """Cleaning takes no snapshot away from a client that is reading it, or was just promised it."""
    monkeypatch.setattr(module, "SNAPSHOT_CHUNK_BYTES", 100)
    world = World().ready()
    groups = [[b"\x01\x14\x00\x00" * 20] for _ in range(20)]
    older = OffsetAndEpoch(epoch=1, offset=2)
    written(world.node.directory, older, groups).freeze()
    snapshot = await world.backend.open_snapshot(0)
    first = b"".join([await anext(snapshot.chunks) for _ in range(before)])
    written(world.node.directory, OffsetAndEpoch(epoch=1, offset=3)).freeze()
    world.node.directory.snapshots.mark_deleted([older])
    world.node.directory.snapshots.purge()
    assert first + b"".join(await content(snapshot)) == snapshot_bytes(older, groups)


async def test_a_snapshot_without_a_majority_is_given_to_no_watcher(monkeypatch):
    """The newest that others may have is given, also where the log is gone; without one, the state as it is now."""
    world = World().ready()
    await world.write(*range(5))
    older, newer = OffsetAndEpoch(epoch=1, offset=2), OffsetAndEpoch(epoch=1, offset=4)
    written(world.node.directory, older).freeze()
    written(world.node.directory, newer).freeze()
    replica = world.node.replica
    monkeypatch.setattr(type(replica), "is_servable", lambda _self, snapshot_id: snapshot_id == older)
    assert (await world.backend.open_snapshot(0)).snapshot_id == older
    monkeypatch.setattr(type(replica), "is_servable", lambda _self, _snapshot_id: True)
    assert (await world.backend.open_snapshot(0)).snapshot_id == newer
    monkeypatch.setattr(type(replica), "is_servable", lambda _self, snapshot_id: snapshot_id == older)
    world.node.directory.log.advance_start(2)
    assert await world.backend.read_committed(1, 100) == OffsetGone(older)
    monkeypatch.setattr(type(replica), "is_servable", lambda _self, _snapshot_id: False)
    snapshot = await world.backend.open_snapshot(0)
    assert snapshot.snapshot_id == world.backend.view().image.provenance.snapshot_id


async def test_without_a_snapshot_the_image_is_streamed():
    """A node without a snapshot makes one of what is published; one that has loaded nothing says so."""
    world = World()
    with pytest.raises(ApiError) as caught:
        await world.backend.open_snapshot(0)
    assert caught.value.code is ErrorCode.OFFSET_NOT_AVAILABLE
    world.ready()
    await world.write(3)
    written(world.node.directory, ORIGIN).freeze()
    snapshot = await world.backend.open_snapshot(0)
    assert snapshot.snapshot_id == world.backend.view().image.provenance.snapshot_id, "what was formatted is no state"
    assert sum(len(split_batches(chunk)) for chunk in await content(snapshot)) >= 3, "header, records, footer"


# Who leads, and how old an answer is.


async def register(world):
    """Let the controller register, with a public API."""
    listeners = (Listener("CONTROLLER", "h", 9001, 0), Listener("GRPC", "api", 9002, 0))
    submitted = asyncio.create_task(
        world.backend.submit_many([WriteRequest(register_controller(1, listeners=listeners))])
    )
    await asyncio.sleep(0)
    world.node.settle()
    assert isinstance((await submitted)[0], Committed)


async def test_the_leader_hint_names_the_api_once_it_is_registered():
    """The hint names the leader, and its public API as soon as its registration is in the image."""
    world = World().ready()
    hint = world.backend.leader_hint()
    assert (hint.node_id, hint.epoch, hint.endpoint) == (1, 1, None)
    await register(world)
    endpoint = world.backend.leader_hint().endpoint
    assert (endpoint.host, endpoint.port) == ("api", 9002)


async def test_a_dead_leader_is_not_pointed_at(monkeypatch):
    """A node that lost its leader still reports its epoch, and sends no client to where that leader was."""
    world = World().ready()
    await register(world)
    monkeypatch.setattr(type(world.node.replica), "leader_is_lost", property(lambda _: True))
    hint = world.backend.leader_hint()
    assert (hint.node_id, hint.epoch, hint.endpoint) == (1, 1, None)


async def test_a_node_that_has_not_loaded_its_state_answers_no_read(monkeypatch):
    """Neither from nothing, nor from before what its directory held when it started; it says where it is."""
    fs = disk()
    directory = opened(fs)
    directory.log.append([batch(offset, values=(CONFIG,)) for offset in range(30)], T0)
    directory.log.sync()
    directory.log.note_durable(30)
    directory.close()
    world = World(voters=(1, 2, 3), fs=fs)
    for high_watermark, at, why in (
        (None, 0, "held committed records up to offset 30 when it started, and no leader has reported yet"),
        (20, 20, "held committed records up to offset 30 when it started, and records are committed up to offset 20"),
    ):
        monkeypatch.setattr(type(world.node.replica), "high_watermark", high_watermark)
        world.node.settle()
        text = f"not loaded its state: it is at offset {at}, its directory {why}"
        with pytest.raises(ApiError, match=text) as caught:
            world.backend.view()
        assert caught.value.code is ErrorCode.OFFSET_NOT_AVAILABLE
        with pytest.raises(ApiError, match=text):
            await world.backend.open_image()
        assert world.backend.newest_view().offset == at - 1, "what it says of itself is told all the same"
    monkeypatch.setattr(type(world.node.replica), "high_watermark", 30)
    world.node.settle()
    assert world.backend.view().offset == 29


async def test_a_new_node_answers_no_read_before_anything_is_committed():
    """An empty success from a directory that holds nothing would look like a cluster that holds nothing."""
    world = World(voters=(1, 2, 3))
    with pytest.raises(ApiError, match=r"is at offset 0, .* no leader has reported yet"):
        world.backend.view()
    assert World().ready().backend.view().offset == 4


async def test_a_quarantined_log_counts_as_what_the_directory_held():
    """What was committed in it is what the node has to fetch before it answers."""
    world = World()
    quarantine = LogQuarantine("x", 50, is_finished=True)
    world.node.directory.status.write(ReplicaStatus().as_quarantined(quarantine))
    backend = World(fs=world.node.directory.quorum_state._fs).ready().backend
    with pytest.raises(ApiError, match="committed records up to offset 50 when"):
        backend.view()


async def test_a_record_that_cannot_be_applied_leaves_the_state_before_it_to_be_read(monkeypatch):
    """The node has loaded all that can be loaded."""
    world = World().ready()
    monkeypatch.setattr(world.backend, "_committed_at_start", 50)
    with pytest.raises(ApiError, match="records up to offset 50 when"):
        world.backend.view()
    world.node.state_machine.halted = Halted(1, 1, "bad")
    assert world.backend.view().offset == 4


async def test_age_is_how_long_the_node_may_have_missed_something():
    """A leader's answers are of this moment; a node without a leader counts the time since it was last in touch."""
    world = World().ready()
    world.node.clock.value += 50
    assert world.backend.view().age_ms == 0
    alone = World(voters=(1, 2, 3))
    alone.node.clock.value += 70
    assert alone.backend.newest_view().age_ms == 70
    assert (await world.confirmed(world.backend.describe_quorum())).leader.leader_id == 1


async def read_all(backend):
    """Read the log as a watcher does, to its end."""
    offset = 0
    while data := await backend.read_committed(offset, 1):
        offset = split_batches(data)[-1].next_offset


async def test_corruption_that_a_watcher_meets_ends_the_node():
    """Corruption that a watch reads ends the node; it was once reported to the watcher alone, and the node went on."""
    fs = disk()
    world = World(fs=fs).ready()
    await world.write(*range(30))
    log = world.node.directory.log
    assert not log._cache.holds(0), "the file is read"
    await read_all(world.backend)
    fs.flip_bit(log._segments[0].path, 100)
    with pytest.raises(ApiError, match="ask another node, this one stops") as refused:
        await read_all(world.backend)
    assert refused.value.code is ErrorCode.BROKER_NOT_AVAILABLE
    (failure,) = world.failures
    assert isinstance(failure, CorruptLogError)
    assert f"{log._segments[0].path} was whole when it was opened and is corrupt at byte" in str(failure)


async def test_corruption_in_a_snapshot_that_a_watcher_meets_ends_the_node():
    """So does one that the device does not give back."""
    for error, at in ((None, 0), (UnreadableError("/m/x", "EIO"), 0), (UnreadableError("/m/x", "EIO"), 1)):
        world = World().ready()
        snapshot_id = OffsetAndEpoch(1, 1)
        store = world.node.directory.snapshots
        chunks = [b"\xff" * 200] if error is None else [b""] * at
        store.open_chunks = lambda *_, chunks=chunks, error=error: failing(chunks, error)
        world.backend._snapshot_to_give = lambda _, snapshot_id=snapshot_id: snapshot_id
        with pytest.raises(ApiError, match="this one stops"):
            async for _ in (await world.backend.open_snapshot(0)).chunks:
                pass
        (failure,) = world.failures
        assert isinstance(failure, CorruptLogError if error is None else UnreadableError)


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
async def test_a_bit_that_flipped_anywhere_in_a_snapshot_reaches_no_watcher(part):
    """Nothing behind a checksum that is wrong is given away: what is sent without secrets has a right one again."""
    fs = disk()
    world = World(fs=fs).ready()
    snapshot_id = OffsetAndEpoch(epoch=1, offset=2)
    groups = [[b"\x01\x14\x00\x00" * 20] for _ in range(20)]
    written(world.node.directory, snapshot_id, groups).freeze()
    path = world.node.directory.snapshots.path(snapshot_id)
    fs.flip_bit(path, int(len(snapshot_bytes(snapshot_id, groups)) * part))
    snapshot = await world.backend.open_snapshot(0)
    with pytest.raises(ApiError, match="this one stops"):
        await content(snapshot)
    (failure,) = world.failures
    assert isinstance(failure, CorruptLogError)
    assert f"{path} is corrupt: " in str(failure)


def failing(chunks, error):
    yield from chunks
    if error is not None:
        raise error


async def test_a_file_that_cannot_be_opened_just_now_ends_nothing():
    """A process out of file descriptors is no corruption, and watchers can bring it about."""
    world = World().ready()
    error = StorageError("Too many open files")
    world.node.directory.snapshots.open_chunks = lambda *_: failing([], error)
    world.backend._snapshot_to_give = lambda _: OffsetAndEpoch(1, 1)
    with pytest.raises(ApiError, match="or this one later: Too many open files"):
        await world.backend.open_snapshot(0)
    assert world.failures == []


async def test_a_linearizable_view_states_what_it_is_and_how_old_its_proof_is():
    """Its age counts from when the read came: each confirmation was requested after that."""
    world = World().ready()
    plain = await world.backend.view_at(AS_IT_IS)
    sure = await world.confirmed(world.backend.view_at(ReadAt(Consistency.LINEARIZABLE)))
    assert (plain.consistency, sure.consistency) == (Consistency.COMMITTED, Consistency.LINEARIZABLE)
    assert sure.age_ms == 0
    reading = asyncio.create_task(world.backend.view_at(ReadAt(min_offset=plain.offset + 1)))
    await asyncio.sleep(0)
    assert not reading.done()
    (done,) = await world.write(3)
    assert (await reading).offset >= done.offset


async def test_a_read_that_its_client_gives_up_is_forgotten():
    world = World().ready()
    reading = asyncio.create_task(world.backend.view_at(ReadAt(min_offset=10**6)))
    await asyncio.sleep(0)
    assert world.node.reads.waiting == 1
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    assert world.node.reads.waiting == 0


async def test_a_replica_that_does_not_lead_does_not_name_who_does():
    """A transfer requested of a follower is answered NOT_CONTROLLER without a leader, which it cannot confirm."""
    world = World(voters=(1, 2, 3))
    with pytest.raises(ApiError, match="does not lead") as raised:
        await world.backend.transfer_leadership(2)
    assert raised.value.code is ErrorCode.NOT_CONTROLLER
    with pytest.raises(ApiError, match="only the active controller") as raised:
        await world.backend.view_at(ReadAt(Consistency.LINEARIZABLE))
    assert raised.value.code is ErrorCode.NOT_CONTROLLER


async def test_a_handover_that_finds_no_room_leaves_nothing_behind(monkeypatch):
    """A call that the inbox rejects is rejected, and leaves no waiter for a leader."""
    world = World().ready()
    monkeypatch.setattr(inbox_module, "INBOX_ITEMS_MAX", 0)
    for _ in range(3):
        with pytest.raises(BusyError):
            await world.backend.transfer_leadership(2)
    assert world.backend._leader_waiters == {}
