"""The client against real servers with a fake node behind them."""

from __future__ import annotations

import asyncio
import threading
from contextlib import aclosing

import grpc
import pytest

from kraftpy.client import AsyncClient, Client, UnavailableError, UnknownOutcomeError
from kraftpy.client import values as v
from kraftpy.client.nodes import Nodes
from kraftpy.controller.dedupe import Stamp
from kraftpy.model.errors import ApiError, BusyError, ConfigError, ErrorCode, TooLargeError
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.model.registrations import BrokerHeartbeat, Listener, RegisterBroker, RegisterController, SupportedFeature
from kraftpy.model.voters import Endpoint
from kraftpy.pb.v1 import quorum_pb2
from kraftpy.records.batch import split_batches
from kraftpy.transport.node_api import LeaderHint, OutcomeUnknownError
from tests.unit.client.proxy import Proxy
from tests.unit.transport.fake_backend import FakeBackend, serving

PATIENCE = 10
UUID = bytes(range(16))
HEARTBEAT = BrokerHeartbeat(
    broker_id=1, broker_epoch=2, metadata_offset=3, cordoned_log_dirs=(), saturated_log_dirs=(UUID,)
)
REGISTRATION = RegisterBroker(
    broker_id=1, cluster_id="c", incarnation_id=UUID, listeners=(Listener("P", "h", 1),),
    features=(SupportedFeature("metadata.version", 7, 42),), rack="r", log_dirs=(UUID,),
    saturated_log_dirs=(), previous_broker_epoch=7,
)  # fmt: skip
CONTROLLER = RegisterController(controller_id=1, incarnation_id=UUID, listeners=(), features=())


def client_of(*ports, **options):
    options.setdefault("timeout_s", PATIENCE)
    return AsyncClient([f"127.0.0.1:{port}" for port in ports], draw=lambda: 0.0, **options)


@pytest.fixture
async def backend():
    return FakeBackend()


@pytest.fixture
async def server(backend):
    async with serving(backend) as server:
        yield server


@pytest.fixture
async def client(server):
    async with client_of(server.port) as client:
        yield client


@pytest.mark.parametrize("timeout_s", [1e12, float("inf")])
async def test_a_time_without_end_is_no_error(server, backend, timeout_s):
    """The client waits as long as requested; the node gets the longest time that the message can hold."""
    async with client_of(server.port, timeout_s=timeout_s) as client:
        assert (await client.describe_cluster()).cluster_id == "cluster"
        await client.unregister_broker(9)
    assert 4_294_967_000 - 60_000 < backend.groups[-1][0].timeout_ms <= 4_294_967_000


async def test_every_call(client, backend):
    """Every method makes its call and gives typed results."""
    assert (await client.register_broker(REGISTRATION)).broker_epoch == 11
    assert backend.groups[0][0].request == REGISTRATION
    assert (await client.broker_heartbeat(HEARTBEAT)).should_shut_down
    assert backend.groups[1][0].request == HEARTBEAT
    assert await client.register_controller(CONTROLLER) == v.Position(2, 3)
    assert await client.unregister_broker(9) == v.Position(3, 3)
    assert await client.update_features([v.FeatureChange("metadata.version", 41)]) == v.Position(4, 3)
    good, bad = v.Resource(v.ResourceType.TOPIC, "good"), v.Resource(v.ResourceType.BROKER, "bad")
    changes = {good: [v.ConfigChange("k", "v"), v.ConfigChange("d", None, v.ConfigOp.DELETE)], bad: []}
    altered = await client.incremental_alter_configs(changes, validate_only=True)
    assert altered.outcomes == (v.ConfigOutcome(good), v.ConfigOutcome(bad, ErrorCode.INVALID_CONFIG, "bad"))
    assert backend.groups[-1][0].request.validate_only
    assert len(backend.groups[-1][0].request_id) == 16
    cluster = await client.describe_cluster()
    assert (cluster.cluster_id, cluster.controller_id, cluster.freshness) == ("cluster", 1, v.Freshness(99, 3, 5))
    assert (await client.describe_features()).features == (v.FeatureDescription("metadata.version", 0, 7, 42),)
    assert (await client.describe_configs([good])).resources == {good: {}}
    quorum = await client.describe_quorum()
    assert (quorum.leader_id, quorum.voters[0].log_end_offset, quorum.voters[0].last_fetch_ms) == (1, 7, None)
    image = await client.get_image()
    assert (image.end_offset, len(split_batches(image.records))) == (100, 3)


async def test_concurrent_calls_share_messages(client, backend):
    """Two thousand concurrent calls leave in a handful of messages and are decided in as many groups."""
    await client.describe_cluster()
    before = client._session.messages_sent
    answers = await asyncio.gather(*(client.broker_heartbeat(HEARTBEAT) for _ in range(2000)))
    assert len(answers) == 2000
    assert len({answer.position.offset for answer in answers}) == 2000
    assert client._session.messages_sent - before <= 5
    assert len(backend.groups) == client._session.messages_sent - before


async def test_whether_the_leadership_could_be_handed_over_can_be_asked(client, server):
    """`validate_only` reaches the node, over a session and as a plain call, and the answer is who leads now."""
    assert await client.transfer_leadership(2) == LeaderAndEpoch(2, 4)
    assert await client.transfer_leadership(2, validate_only=True) == LeaderAndEpoch(1, 3)
    with pytest.raises(ApiError, match="node 9 is not a voter"):
        await client.transfer_leadership(9, validate_only=True)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        call = channel.unary_unary(
            "/kraftpy.v1.QuorumService/TransferLeadership",
            request_serializer=quorum_pb2.TransferLeadershipRequest.SerializeToString,
            response_deserializer=quorum_pb2.TransferLeadershipResponse.FromString,
        )
        answer = await call(quorum_pb2.TransferLeadershipRequest(node_id=2, validate_only=True), timeout=PATIENCE)
    assert (answer.leader_id, answer.leader_epoch) == (1, 3)


async def test_one_call_is_not_kept_waiting(client, backend):
    """Calls made one after another go one to a message: nothing lingers for company."""
    for _ in range(3):
        await client.broker_heartbeat(HEARTBEAT)
    assert [len(group) for group in backend.groups] == [1, 1, 1]


async def test_the_leader_is_found(backend):
    """A node that does not lead names the leader, and the client goes there and stays."""
    follower = FakeBackend()
    async with serving(follower) as other, serving(backend) as leader:
        follower.error = ApiError(ErrorCode.NOT_CONTROLLER, "not me")
        follower.leader = LeaderHint(2, 3, Endpoint("API", "127.0.0.1", leader.port))
        async with client_of(other.port) as client:
            answers = await asyncio.gather(*(client.unregister_broker(n) for n in range(50)))
            assert len(answers) == 50
            await client.unregister_broker(99)
        assert sum(len(group) for group in backend.groups) == 51
        assert sum(len(group) for group in follower.groups) <= 50  # those that left before the first refusal came


async def test_a_read_goes_on_at_a_node_that_has_loaded_its_state(backend):
    """A node whose state is not loaded is UNAVAILABLE, with the reason; the client asks the next one."""
    starting = FakeBackend()
    starting.error = ApiError(ErrorCode.OFFSET_NOT_AVAILABLE, "this node has not loaded its state: it is at offset 3")
    async with serving(starting) as first, serving(backend) as second:
        async with client_of(first.port, second.port) as client:
            assert (await client.describe_cluster()).cluster_id == "cluster"
            assert (await client.get_image()).end_offset == 100
        async with client_of(first.port, timeout_s=0.5) as client:
            with pytest.raises(UnavailableError, match="it is at offset 3"):
                await client.describe_configs()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{first.port}") as channel:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await channel.unary_unary("/kraftpy.v1.ClusterService/DescribeCluster")(b"")
            assert caught.value.code() is grpc.StatusCode.UNAVAILABLE


class Deposed(FakeBackend):
    """Refuses every write, and knows who leads next when the third one comes."""

    def __init__(self, next_leader):
        super().__init__()
        self.error = ApiError(ErrorCode.NOT_CONTROLLER, "not me")
        self._next = next_leader

    def leader_hint(self):
        return self._next if len(self.groups) >= 3 else LeaderHint(3, 3, None)


async def test_a_new_leader_is_followed_without_a_pause(backend, monkeypatch):
    """However often a call was refused before: who names the leader of a newer epoch is believed at once."""
    failures, pause_s = [], Nodes.pause_s
    monkeypatch.setattr(Nodes, "pause_s", lambda nodes, failed: failures.append(failed) or pause_s(nodes, failed))
    async with serving(backend) as leader:
        deposed = Deposed(LeaderHint(1, 4, Endpoint("API", "127.0.0.1", leader.port)))
        async with serving(deposed) as other, client_of(other.port) as client:
            assert await client.unregister_broker(1) == v.Position(0, 3)
    assert (len(deposed.groups), failures) == (3, [1, 2])


async def test_other_bootstrap_servers_are_tried(server):
    """A node that is not there, and one that names no leader, are skipped."""
    lost = FakeBackend()
    lost.leader = None
    lost.error = ApiError(ErrorCode.NOT_CONTROLLER, "no idea")
    async with serving(lost) as clueless, Proxy(1) as gone:
        gone.server.close()
        async with client_of(gone.port, clueless.port, server.port) as client:
            assert await client.unregister_broker(1) == v.Position(0, 3)


async def test_busy_is_tried_again(client, backend):
    """A full queue did nothing, so the call is repeated with the same request id."""
    backend.errors = [BusyError("full"), None]
    assert await client.unregister_broker(1) == v.Position(0, 3)
    first, second = backend.groups
    assert first[0].request_id == second[0].request_id


async def test_a_busy_leader_is_not_left(backend):
    """A leader whose queue is full is asked again in the same session, and no other node is."""
    other = FakeBackend()
    async with (
        serving(backend) as leader,
        serving(other) as follower,
        client_of(leader.port, follower.port) as client,
    ):
        await client.describe_cluster()
        session = client._session
        backend.errors = [BusyError("full"), BusyError("still full"), None]
        assert await client.unregister_broker(1) == v.Position(0, 3)
        assert client._session is session
        assert session.is_open
    assert (len(backend.groups), other.groups) == (3, [])


async def test_a_refusal_after_an_unknown_outcome_leaves_it_unknown(client, backend):
    """A write of unknown outcome that is rejected when it is repeated stays unknown; the rejection is reported."""
    refusal = ApiError(ErrorCode.BROKER_ID_NOT_REGISTERED, "broker 1 is not registered")
    backend.errors = [OutcomeUnknownError("leadership lost"), refusal]
    with pytest.raises(UnknownOutcomeError, match="broker 1 is not registered") as raised:
        await client.unregister_broker(1, retry_unknown=True)
    assert raised.value.request_id == backend.groups[0][0].request_id
    backend.errors = [BusyError("full"), refusal]
    with pytest.raises(ApiError, match="broker 1 is not registered"):
        await client.unregister_broker(1, retry_unknown=True)


async def test_a_client_closed_after_an_unknown_outcome_leaves_it_unknown(client, backend, monkeypatch):
    """Closing the client between two attempts does not make the first one undone."""
    backend.errors = [OutcomeUnknownError("leadership lost")]
    move_on = client._move_on

    async def closed(*args):
        await move_on(*args)
        client._tasks = None

    with monkeypatch.context() as patched:
        patched.setattr(client, "_move_on", closed)
        with pytest.raises(UnknownOutcomeError, match="the client is closed"):
            await client.unregister_broker(1, retry_unknown=True)


async def test_a_call_that_no_node_takes_is_not_sent(client, backend):
    """A call over the limit of a message is refused here: sent, it would end the session of all other calls."""
    resource, value = v.Resource(v.ResourceType.GROUP, "g"), "x" * (16 << 20)
    with pytest.raises(TooLargeError, match="split it"):
        await client.incremental_alter_configs({resource: [v.ConfigChange("k", value)]})
    assert backend.groups == []
    assert await client.unregister_broker(9) == v.Position(0, 3), "the session still serves"


async def test_refusals_for_good_are_raised(client):
    """A refusal that is no other node's business is raised as it is, once."""
    with pytest.raises(ApiError, match="broker 404 is not registered") as raised:
        await client.unregister_broker(404)
    assert raised.value.code is ErrorCode.BROKER_ID_NOT_REGISTERED


async def test_lost_leadership_is_an_unknown_outcome(client, backend):
    """A write that the leader lost track of is not repeated, unless repeating is safe or vouched for."""
    backend.errors = [OutcomeUnknownError("leadership lost")]
    with pytest.raises(UnknownOutcomeError, match="leadership lost") as raised:
        await client.unregister_broker(1)
    assert raised.value.request_id == backend.groups[0][0].request_id
    backend.errors = [OutcomeUnknownError("leadership lost"), None]
    assert await client.unregister_broker(1, retry_unknown=True) == v.Position(0, 3)
    assert backend.groups[1][0].request_id == backend.groups[2][0].request_id
    backend.errors = [OutcomeUnknownError("leadership lost"), None]
    assert (await client.broker_heartbeat(HEARTBEAT)).is_caught_up


async def broken_in_flight(backend, server, work):
    """Start a call through a proxy, cut the connection while it is being decided, let it be decided."""
    async with Proxy(server.port) as proxy, client_of(proxy.port) as client:
        await client.describe_cluster()
        backend.gate.clear()
        call = asyncio.ensure_future(work(client))
        async with asyncio.timeout(PATIENCE):
            await backend.arrived.wait()
            proxy.cut()
            backend.gate.set()
            return await call


async def test_a_broken_connection_is_got_over_within_a_leader_epoch(backend, server):
    """A write that was sent and not answered is repeated as a retry, with the epoch of its first attempt."""
    answer = await broken_in_flight(backend, server, lambda client: client.unregister_broker(1))
    assert answer == v.Position(0, 3)
    (first,), (second,) = backend.groups
    assert first.request_id == second.request_id
    assert (first.stamp, second.stamp) == (Stamp(3), Stamp(3, is_retry=True))
    assert backend.end == 1, "it was done once"


async def test_a_broken_connection_is_an_unknown_outcome_in_another_leader_epoch(backend, server):
    """A retry in a later leader epoch is not decided; the error names where to look, and what to assume meanwhile."""

    class Deposed(dict):
        def __setitem__(self, key, value):
            backend.leader = LeaderHint(1, 4)

    backend.applied = Deposed()
    with pytest.raises(UnknownOutcomeError, match=r"sent in epoch 3; this is epoch 4, .*ask under a new id") as why:
        await broken_in_flight(backend, server, lambda client: client.unregister_broker(1))
    (first,), (second,) = backend.groups
    assert (first.stamp, second.stamp) == (Stamp(3), Stamp(3, is_retry=True))
    assert (why.value.request_id, why.value.first_sent_epoch) == (first.request_id, 3)
    assert (why.value.settled_offset, backend.end) == (1, 1)


async def test_a_call_resumes_a_write_of_unknown_outcome(client, backend):
    """What the error names makes a later call a retry: the answer of the first, or the rejection of a later leader."""
    backend.gate.clear()
    with pytest.raises(UnknownOutcomeError) as raised:
        await client.unregister_broker(1, timeout_s=0.2)
    backend.gate.set()
    error = raised.value
    names = {"request_id": error.request_id, "first_sent_epoch": error.first_sent_epoch}
    assert await client.unregister_broker(1, **names) == v.Position(0, 3)
    assert backend.groups[-1][0].stamp == Stamp(3, is_retry=True, first_sent_sequence=0)
    backend.applied.clear()
    backend.leader = LeaderHint(1, 4)
    with pytest.raises(UnknownOutcomeError, match="this is epoch 4") as final:
        await client.unregister_broker(1, **names)
    assert final.value.settled_offset == 1


async def test_a_write_states_how_many_answers_its_client_knew_of(client, backend):
    """The newest that came with the epoch: it goes up within an epoch, restarts in the next, and may be missing."""
    reported = [
        LeaderHint(1, 3, None, 5),
        LeaderHint(1, 3, None, 9),
        LeaderHint(1, 3, None, 7),
        LeaderHint(1, 4, None, 0),
    ]
    for number, backend.leader in enumerate([*reported, LeaderHint(1, 5)]):
        await client.describe_features()
        await client.unregister_broker(number)
    stamps = [group[0].stamp for group in backend.groups]
    assert [(stamp.first_sent_epoch, stamp.first_sent_sequence) for stamp in stamps] == [
        (3, 5), (3, 9), (3, 9), (4, 0), (5, None),
    ]  # fmt: skip


async def test_a_write_is_not_sent_without_a_stamp(client, backend):
    """A node that knows of no leader is asked for no write; a registration, which may be repeated, goes to it."""
    backend.leader = None
    with pytest.raises(UnavailableError, match="knows of no leader"):
        await client.unregister_broker(1, timeout_s=0.3)
    assert backend.groups == []
    await client.unregister_broker(1, retry_unknown=True)
    backend.leader = LeaderHint(1, 4)
    await client.unregister_broker(2)
    assert [group[0].stamp for group in backend.groups] == [Stamp(), Stamp(4)]


async def test_a_write_that_had_no_stamp_is_resumed_without_one(client, backend):
    """Its outcome is not settled by any refusal: an attempt on its way may be done in whichever epoch it arrives."""
    names = {"request_id": b"r" * 16, "first_sent_epoch": 0}
    with pytest.raises(UnknownOutcomeError, match="an epoch that is not known") as raised:
        await client.unregister_broker(1, **names)
    assert backend.groups[-1][0].stamp == Stamp(is_retry=True)
    assert raised.value.settled_offset is None


async def test_a_retry_keeps_the_number_of_its_first_attempt(backend, server):
    backend.leader = LeaderHint(1, 3, None, 5)

    async def write(client):
        return await client.unregister_broker(1)

    await broken_in_flight(backend, server, write)
    (first,), (second,) = backend.groups
    assert first.stamp == Stamp(3, first_sent_sequence=5)
    assert second.stamp == Stamp(3, is_retry=True, first_sent_sequence=5)


async def test_a_first_attempt_that_met_a_new_leader_epoch_is_stamped_again(client, backend):
    """Nothing was done, so the same session sends it again at once, with the epoch that it was sent."""
    await client.unregister_broker(1)
    session = client._session
    backend.leader = LeaderHint(1, 7)
    assert await client.unregister_broker(2) == v.Position(1, 3)
    assert [group[0].stamp for group in backend.groups] == [Stamp(3), Stamp(3), Stamp(7)]
    assert client._session is session
    assert session.is_open


async def test_what_may_be_repeated_anyway_has_no_stamp(client, backend):
    """Heartbeats, and calls marked repeatable by the caller, are decided in whatever leader epoch they come to."""
    await client.broker_heartbeat(HEARTBEAT)
    await client.unregister_broker(1, retry_unknown=True)
    assert [group[0].stamp for group in backend.groups] == [Stamp(), Stamp()]


async def test_a_broken_connection_repeats_what_is_safe(backend, server):
    """A registration and a read survive a broken connection; the write is repeated with its request id."""
    answer = await broken_in_flight(backend, server, lambda client: client.register_broker(REGISTRATION))
    assert answer.broker_epoch == 11
    first, second = backend.groups
    assert first[0].request_id == second[0].request_id


async def test_deadlines(client, backend):
    """A write that is not answered in time has an unknown outcome; a read is merely unavailable."""
    backend.gate.clear()
    backend.quorum_gate.clear()
    with pytest.raises(UnknownOutcomeError):
        await client.unregister_broker(1, timeout_s=0.1)
    with pytest.raises(UnavailableError, match="before the deadline"):
        await client.describe_quorum(timeout_s=0.1)
    backend.gate.set()
    assert (await client.broker_heartbeat(HEARTBEAT)).is_caught_up


async def test_a_write_sent_to_a_named_leader_and_not_answered_is_unknown(backend):
    """A write that was rejected once, sent again and not answered in time is not reported as not done."""
    follower = FakeBackend()
    async with serving(follower) as other, serving(backend) as leader:
        follower.error = ApiError(ErrorCode.NOT_CONTROLLER, "not me")
        follower.leader = LeaderHint(2, 3, Endpoint("API", "127.0.0.1", leader.port))
        backend.gate.clear()
        async with client_of(other.port) as client:
            with pytest.raises(UnknownOutcomeError):
                await client.unregister_broker(1, timeout_s=1.0)
        assert [len(group) for group in backend.groups] == [1]
        backend.gate.set()


async def test_no_server_there():
    """Without any node, a write fails as unavailable: surely nothing was done."""
    async with Proxy(1) as gone:
        gone.server.close()
        async with client_of(gone.port) as client:
            with pytest.raises(UnavailableError, match="cannot be reached"):
                await client.unregister_broker(1, timeout_s=0.2)


async def test_closed_clients_report_it(server):
    """A call on a closed client fails at once and says why."""
    client = client_of(server.port)
    with pytest.raises(UnavailableError, match="async with"):
        await client.describe_cluster()
    async with client:
        await client.describe_cluster()
    with pytest.raises(UnavailableError):
        await client.describe_cluster()


async def test_bootstrap_is_checked():
    """Addresses that are no host:port are refused when the client is made."""
    for wrong in ([], ["localhost"], [":9"], ["h:x"]):
        with pytest.raises(ConfigError):
            AsyncClient(wrong)


# Watching.


async def collect(client, upto, from_offset=0, **options):
    """Watch until an offset; return the offsets seen, and the other events."""
    seen, others = [], []
    async with asyncio.timeout(PATIENCE), aclosing(client.watch(from_offset, **options)) as events:
        async for event in events:
            if isinstance(event, v.WatchedBatch):
                seen += range(event.base_offset, event.last_offset + 1)
                if event.last_offset >= upto - 1:
                    return seen, others
            else:
                others.append(event)
    raise AssertionError("the watch ended")


async def test_watch_sees_each_offset_once_over_dropped_connections(backend, server):
    """However often the connection is cut, every offset is seen exactly once and in order."""
    for _ in range(300):
        backend.append(2, value=b"\x01\x00\x00" + b"x" * 20_000)
    async with Proxy(server.port) as proxy, client_of(proxy.port) as client:
        seen = []
        async with asyncio.timeout(PATIENCE), aclosing(client.watch(0)) as events:
            async for event in events:
                seen += range(event.base_offset, event.last_offset + 1)
                if event.base_offset % 100 == 0:
                    proxy.cut()
                if event.last_offset == 599:
                    break
        assert seen == list(range(600))
        assert proxy.accepted > 2


async def until(holds):
    while True:
        if holds():
            return
        await asyncio.sleep(0.01)


async def test_watch_reports_once_that_no_node_answers_and_when_it_is_back(backend, server):
    """However often it tries meanwhile; also when the log has nothing new, which is when a watcher would wonder."""
    backend.append(2)
    reported = []
    async with (
        Proxy(server.port) as proxy,
        client_of(proxy.port) as client,
        asyncio.timeout(PATIENCE),
        aclosing(client.watch(0, report=reported.append)) as events,
    ):
        assert (await anext(events)).last_offset == 1
        waiting = asyncio.ensure_future(anext(events))
        proxy.cut()
        await until(lambda: proxy.accepted >= 2)
        assert reported == [], "a stream that is taken up at once is not worth a word"
        proxy.target = 1
        proxy.cut()
        await until(lambda: reported)
        seen = proxy.accepted
        await until(lambda: proxy.accepted >= seen + 2)
        assert len(reported) == 1
        proxy.target = server.port
        await until(lambda: len(reported) == 2)
        assert not waiting.done()
        backend.append(1)
        assert (await waiting).base_offset == 2
    assert reported[0].startswith("no node serves the watch (")
    assert reported[0].endswith("); asking on for offset 2")
    assert reported[1] == f"127.0.0.1:{proxy.port} answers; going on at offset 2"


async def test_watch_begins_a_cut_snapshot_again(backend, server):
    """A connection that breaks inside a snapshot leads to the snapshot from its beginning, then the log."""
    for _ in range(4):
        backend.append(5)
    backend.log_start = 10
    async with Proxy(server.port) as proxy, client_of(proxy.port) as client:
        events = client.watch(3)
        async with asyncio.timeout(PATIENCE):
            assert await anext(events) == v.SnapshotBegins(10, 1)
            proxy.cut()
            kinds = []
            while not kinds or kinds[-1] != "WatchedBatch":
                kinds.append(type(await anext(events)).__name__)
        tail = kinds[-5:]
        assert tail == ["SnapshotPart", "SnapshotPart", "SnapshotPart", "SnapshotEnds", "WatchedBatch"]
        await events.aclose()


async def test_watch_passes_a_lagging_node(backend, server):
    """A watcher that comes to a node that has less than it has seen goes on to the next."""
    lagging = FakeBackend()
    backend.append(5)
    async with serving(lagging) as behind, Proxy(server.port) as proxy, client_of(proxy.port, behind.port) as client:
        events = client.watch(0)
        async with asyncio.timeout(PATIENCE):
            assert (await anext(events)).last_offset == 4
            proxy.cut()
            backend.append(3)
            assert (await anext(events)).base_offset == 5
        await events.aclose()


async def test_watch_of_an_impossible_offset_is_refused(client):
    """An offset beyond the log is refused when the watch begins."""
    with pytest.raises(ApiError) as raised:
        await anext(client.watch(77))
    assert raised.value.code is ErrorCode.OFFSET_OUT_OF_RANGE


# The sync face.


def test_a_sync_client_that_is_not_open_reports_it():
    """Not entered, or closed: each call raises at once instead of waiting for ever."""
    client = Client(["127.0.0.1:1"])
    with pytest.raises(UnavailableError, match="not entered with `with`"):
        client.describe_cluster()
    with client:
        pass
    with pytest.raises(UnavailableError, match="is closed"):
        next(client.watch(0))


async def test_sync_client(backend, server):
    """The same calls work without a loop, and the thread ends with the client."""
    backend.append(2)

    def work():
        with Client([f"127.0.0.1:{server.port}"], timeout_s=PATIENCE) as client:
            assert client.register_broker(REGISTRATION).broker_epoch == 11
            assert client.broker_heartbeat(HEARTBEAT).is_caught_up
            assert client.register_controller(CONTROLLER).epoch == 3
            assert client.update_features([v.FeatureChange("f", 1)], validate_only=True).epoch == 3
            assert client.incremental_alter_configs({}).outcomes == ()
            assert client.unregister_broker(1).epoch == 3
            assert client.describe_cluster().cluster_id == "cluster"
            assert client.describe_features().features[0].max_supported_level == 42
            assert client.describe_configs().resources == {}
            assert client.describe_quorum().leader_id == 1
            assert client.get_image().end_offset == 100
            with pytest.raises(ApiError):
                client.unregister_broker(404)
            events = client.watch(0)
            assert next(events).last_offset == 1
            events.close()
        client.close()
        return client._thread.is_alive()

    assert await asyncio.to_thread(work) is False


def test_an_interrupted_watch_closes_its_stream(monkeypatch):
    """Ctrl-C while the blocking client waits for an event is a KeyboardInterrupt, and the stream is closed."""
    started, closed = threading.Event(), threading.Event()

    async def no_events(*_, **__):
        try:
            started.set()
            await asyncio.Event().wait()
            yield
        finally:
            closed.set()

    with Client(["127.0.0.1:1"]) as client:
        monkeypatch.setattr(client._client, "watch", no_events)
        run, calls = client._run, []

        def interrupted(work):
            calls.append(work)
            if len(calls) > 1:
                return run(work)
            asyncio.run_coroutine_threadsafe(work, client._loop)
            assert started.wait(10)
            raise KeyboardInterrupt

        monkeypatch.setattr(client, "_run", interrupted)
        with pytest.raises(KeyboardInterrupt):
            next(client.watch(0))
        assert closed.wait(10)


async def test_log_directories_of_a_broker_arrive_whole(backend):
    """What is not known is None; the id of the node says whose they are."""
    async with serving(backend) as server, client_of(server.port) as client:
        found = await client.describe_log_dirs()
    full, gone = found.log_dirs
    assert (found.node_id, full.path, full.directory_id, full.state, full.reason) == (
        4,
        "/a",
        UUID,
        "saturated",
        "full",
    )
    assert (full.total_bytes, full.usable_bytes, full.reserve_bytes, full.cordoned) == (9, 0, 3, True)
    assert (gone.directory_id, gone.total_bytes, gone.usable_bytes, gone.cordoned) == (None, None, None, False)
