"""The id between nodes: K1262-19 to -24, -28, -29."""

from __future__ import annotations

import asyncio
import signal

import pytest
import structlog
from click.testing import CliRunner

from kraftpy.broker.lifecycle import BrokerLifecycle, LifecycleConfig
from kraftpy.broker.outputs import GiveUp, SendRegistration
from kraftpy.cli.root import cli
from kraftpy.controller.requests import FeatureUpdate, FeatureUpdateKind, UpdateFeatures
from kraftpy.local_cluster.child_processes import ChildProcesses
from kraftpy.local_cluster.cluster import open_local_cluster
from kraftpy.model.errors import ApiError, ConfigError, ErrorCode
from kraftpy.model.invariant import InvariantViolation
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft import messages as m
from kraftpy.raft.ready import Reply, RequestReceived, Role
from kraftpy.records.metadata import ClusterIdRecord
from kraftpy.runtime.cluster_id import ClusterIdPublisher
from tests.fakes.raft_cluster import Cluster
from tests.requirements.nodes import DEADLINE_S, file_of, free_ports, lab, until
from tests.requirements.test_kip1262_files import DISCOVERY, ID
from tests.unit.controller.worlds import World, level_record, range_of, register, uuid

OTHER = "another cluster"
X, Y = "cluster-x", "cluster-y"


class NoJitter:
    def below(self, bound):
        return 0


def lifecycle(**changes):
    fields = {"broker_id": 9, "incarnation_id": uuid(9), "listeners": (), "features": (range_of(),)}
    return BrokerLifecycle(config=LifecycleConfig(**{**fields, **changes}), jitter=NoJitter())


def registrations(outputs):
    return [one.request for one in outputs if isinstance(one, SendRegistration)]


def format_old(path, cluster_id=ID):
    words = ["storage", "format", "--config", str(path), "--cluster-id", cluster_id, "--release-version", "4.3"]
    done = CliRunner().invoke(cli, words, prog_name="kraftpy")
    assert done.exit_code == 0, done.stderr


def upgrade(level):
    return UpdateFeatures(updates=(FeatureUpdate("metadata.version", level, FeatureUpdateKind.UPGRADE),))


# ---------------- K1262-19: who may wait


async def test_k1262_19_readers_wait_until_the_id_is_known():
    """A reader that asks before the discovery gets the id at the discovery, and one that asks later gets it at once."""
    publisher = ClusterIdPublisher(
        known=None, expected=None, persist=lambda _, then: then(), on_discovered=lambda *_: None
    )
    waiting = asyncio.ensure_future(publisher.wait())
    await asyncio.sleep(0)
    assert not waiting.done()
    publisher.on_metadata_update(DISCOVERY.delta, DISCOVERY.image, DISCOVERY.manifest)
    assert await waiting == ID
    assert await publisher.wait() == ID


async def test_k1262_19_a_node_is_not_ready_before_it_knows(tmp_path):
    """A broker whose quorum cannot be reached runs, knows no id, registers nothing and says that it is not ready."""
    async with lab(tmp_path) as bench:
        voters = bench.quorum(1)
        broker = bench.start(bench.broker(voters))
        await until(lambda: broker.node.broker.lifecycle.state.name == "STARTING", "the broker starts")
        assert broker.node.not_ready_because() is not None
        assert broker.cluster_id is None
        bench.start(bench.controller(voters))
        await until(lambda: broker.cluster_id is not None, "the broker discovers the id from the quorum")


def test_k1262_19_raft_and_the_controller_work_with_an_unset_id():
    """A quorum without any id elects and commits, and a controller without one becomes active and makes it."""
    cluster = Cluster((1, 2, 3), cluster_id=None)
    cluster.elect()
    cluster.propose(b"value")
    cluster.settle()
    assert {node.alive.cluster_id for node in cluster.running()} == {None}
    world = World(active=False)
    world.activate(cluster_id=None)
    assert world.controller.active
    assert world.controller.cluster_id is not None


# ---------------- K1262-20: the check in raft


def every_request(cluster_id):
    key, end = ReplicaKey(2, bytes([2]) * 16), OffsetAndEpoch(epoch=90, offset=900)
    return [
        m.VoteRequest(cluster_id=cluster_id, voter=None, candidate=key, epoch=90, last=end),
        m.VoteRequest(cluster_id=cluster_id, voter=None, candidate=key, epoch=90, last=end, pre_vote=True),
        m.BeginQuorumEpochRequest(cluster_id=cluster_id, voter=None, leader_id=2, epoch=90),
        m.EndQuorumEpochRequest(cluster_id=cluster_id, leader_id=2, epoch=90),
        m.FetchRequest(cluster_id=cluster_id, replica=key, epoch=90, fetch_offset=0, last_fetched_epoch=0,
                       max_wait_ms=0, max_bytes=1),
        m.FetchSnapshotRequest(cluster_id=cluster_id, replica=key, epoch=90, snapshot_id=end, position=0, max_bytes=1),
        m.UpdateRaftVoterRequest(cluster_id=cluster_id, epoch=90, voter=key, endpoints=(), kraft_version_min=0,
                                 kraft_version_max=1),
        m.AddRaftVoterRequest(cluster_id=cluster_id, voter=key, endpoints=(), timeout_ms=1),
        m.RemoveRaftVoterRequest(cluster_id=cluster_id, voter=key),
    ]  # fmt: skip


def answer(request, own):
    """Ask one replica of a fresh quorum; return its answer and what changed in it."""
    cluster = Cluster((1, 2, 3), cluster_id=own)
    replies = []
    cluster.on_ready = lambda _, ready: replies.extend(
        one for one in (*ready.early, *ready.messages) if isinstance(one, Reply)
    )
    replica = cluster.replica(1)
    before = (replica.epoch, replica.leader, replica.role, replica.log_end_offset)
    cluster.inject(1, RequestReceived(7, request))
    (reply,) = replies
    return reply.response, before != (replica.epoch, replica.leader, replica.role, replica.log_end_offset)


@pytest.mark.parametrize("index", range(9))
def test_k1262_20_a_request_of_another_cluster_is_refused_and_changes_nothing(index):
    """Every kind of request with another id gets INCONSISTENT_CLUSTER_ID; epoch, leader, role and log stay."""
    response, changed = answer(every_request(Y)[index], X)
    assert response.error is ErrorCode.INCONSISTENT_CLUSTER_ID
    assert not changed


@pytest.mark.parametrize(("asked", "own"), [(None, X), (X, None), (None, None), (X, X)])
@pytest.mark.parametrize("index", range(6))
def test_k1262_20_an_absent_id_is_accepted_on_either_side(index, asked, own):
    """A request without an id is served where its sender may not know it; a replica whose id is unset serves any."""
    request = every_request(asked)[index]
    response, changed = answer(request, own)
    leads = isinstance(request, (m.BeginQuorumEpochRequest, m.EndQuorumEpochRequest))
    if leads and asked is None and own is not None:
        assert response.error is ErrorCode.INCONSISTENT_CLUSTER_ID
        assert not changed
    else:
        assert response.error is ErrorCode.NONE


# ---------------- K1262-21, -22: at the wrong cluster


def test_k1262_21_a_replica_of_x_never_gets_a_byte_of_y():
    """An observer with id X at a quorum of Y: a minute of asking leaves its log empty and its epoch at zero."""
    cluster = Cluster((1, 2, 3), cluster_id=Y)
    cluster.elect()
    cluster.propose(b"secret of y")
    cluster.add_node(8, cluster_id=X)
    cluster.add_node(9, cluster_id=Y)
    cluster.run(60_000)
    assert cluster.replica(9).log_end_offset == cluster.leader().alive.log_end_offset, "the right one follows"
    stranger = cluster.replica(8)
    assert (stranger.log_end_offset, stranger.high_watermark, stranger.cluster_id) == (0, None, X)


def test_k1262_21_an_id_that_is_set_cannot_be_replaced():
    """Raft, publisher and broker each refuse a second id, so no path leads from X to Y."""
    replica = Cluster((1,), cluster_id=X).replica(1)
    replica.set_cluster_id(X)
    with pytest.raises(InvariantViolation, match="a cluster id never changes"):
        replica.set_cluster_id(Y)
    written = []
    publisher = ClusterIdPublisher(
        known=X, expected=None, persist=lambda *_: written.append(_), on_discovered=lambda *_: None
    )
    with pytest.raises(ConfigError, match=f"belongs to cluster '{X}'.*cluster '{ID}'"):
        publisher.on_metadata_update(DISCOVERY.delta, DISCOVERY.image, DISCOVERY.manifest)
    assert (publisher.value, written) == (X, [])
    machine = lifecycle()
    machine.start(0)
    machine.cluster_id_known(0, X)
    with pytest.raises(InvariantViolation, match="the cluster id never changes"):
        machine.cluster_id_known(0, Y)


async def test_k1262_21_a_broker_of_x_at_cluster_y_ends_and_keeps_x(tmp_path):
    """It follows nothing, both sides log why, it ends when its registration time is over, and its files say X."""
    async with lab(tmp_path) as bench:
        voters = bench.quorum(1)
        leader = bench.start(bench.controller(voters))
        await until(lambda: leader.cluster_id is not None, "cluster Y has its id")
        path = bench.broker(voters, **{"initial.broker.registration.timeout.ms": "800"})
        for number, directory in enumerate(bench.directories(9, 2)):
            directory.mkdir(parents=True)
            (directory / "meta.properties").write_text(f"version=2\nnode.id=9\ncluster.id={X}\n#{number}\n")
        with structlog.testing.capture_logs() as logs:
            broker = bench.start(path)
            error = await broker.failure()
        assert isinstance(error, ConfigError)
        assert "unable to register with the controller quorum within 800 ms" in str(error)
        assert broker.node.replica.log_end_offset == 0
        assert (broker.cluster_id, broker.node.replica.cluster_id) == (X, X)
        assert {file_of(directory)["cluster.id"] for directory in bench.directories(9, 2)} == {X}
        refusals = [one["reason"] for one in logs if one["event"] == "peer_rejected"]
        assert any(X in reason and leader.cluster_id in reason for reason in refusals)


async def test_k1262_22_trust_on_first_use_is_logged_loudly(tmp_path):
    """A node without an id takes the one of the cluster it is pointed at, with a warning that names it and the pin."""
    async with lab(tmp_path) as bench:
        voters = bench.quorum(1)
        leader = bench.start(bench.controller(voters))
        await until(lambda: leader.cluster_id is not None, "the cluster has its id")
        with structlog.testing.capture_logs() as logs:
            broker = bench.start(bench.broker(voters))
            await until(lambda: broker.cluster_id is not None, "the broker adopts it")
        assert broker.cluster_id == leader.cluster_id
        (line,) = [one for one in logs if one["event"] == "cluster_id_trusted"]
        assert (line["log_level"], line["cluster_id"]) == ("warning", leader.cluster_id)
        assert "cluster.id.expected" in line["reason"]


async def test_k1262_22_the_pin_refuses_another_cluster_and_writes_nothing(tmp_path):
    """With cluster.id.expected a node without an id ends at another cluster: both ids named, no file has one."""
    async with lab(tmp_path) as bench:
        voters = bench.quorum(1)
        leader = bench.start(bench.controller(voters))
        await until(lambda: leader.cluster_id is not None, "the cluster has its id")
        broker = bench.start(bench.broker(voters, cluster_id_expected=OTHER))
        error = await broker.failure()
        assert isinstance(error, ConfigError)
        assert OTHER in str(error)
        assert leader.cluster_id in str(error)
        assert (broker.cluster_id, broker.node.replica.cluster_id) == (None, None)
        assert all("cluster.id" not in file_of(directory) for directory in bench.directories(9, 2))


async def test_k1262_22_the_pin_lets_its_own_cluster_in(tmp_path):
    """With the right pin the node joins, and nothing has to be trusted."""
    async with lab(tmp_path) as bench:
        voters = bench.quorum(1)
        path = bench.controller(voters)
        words = ["storage", "format", "--config", str(path), "--cluster-id", OTHER]
        assert CliRunner().invoke(cli, words, prog_name="kraftpy").exit_code == 0
        bench.start(path)
        with structlog.testing.capture_logs() as logs:
            broker = bench.start(bench.broker(voters, cluster_id_expected=OTHER))
            await until(lambda: broker.cluster_id == OTHER, "the broker joins")
        assert not [one for one in logs if one["event"] == "cluster_id_trusted"]


# ---------------- K1262-23: one quorum


async def test_k1262_23_three_processes_from_empty_directories_agree(tmp_path):
    """Three controllers, each a process of its own on an empty directory, end with the same id in every file."""
    sandbox = open_local_cluster(tmp_path / "cluster", controllers=3, brokers=0)
    children = ChildProcesses(sandbox)
    files = [directory for node in sandbox.controllers for directory in node.log_dirs]
    await children.start_all()
    try:
        await until(
            lambda: children.ended() or all("cluster.id" in file_of(directory) for directory in files),
            "every meta.properties holds an id",
            2 * DEADLINE_S,
        )
        assert not [child.log_tail() for child in children.ended()]
    finally:
        for child in children.by_id.values():
            child.signal(signal.SIGKILL)
        await asyncio.gather(*(child.wait() for child in children.by_id.values()))
    found = [file_of(directory) for directory in files]
    assert len({one["cluster.id"] for one in found}) == 1
    assert len({one["directory.id"] for one in found}) == 3
    assert {one["version"] for one in found} == {"2"}


@pytest.mark.parametrize("seed", range(5))
def test_k1262_23_voters_with_different_ids_cannot_elect_each_other(seed):
    """Two first voters of two clusters never get a leader; when one's id is put right they do."""
    cluster = Cluster((1, 2), cluster_id=X, seed=seed)
    cluster.nodes[2].cluster_id = Y
    cluster.restart(2)
    cluster.run(120_000)
    assert cluster.leader() is None
    assert {node.alive.log_end_offset for node in cluster.running()} == {0}
    cluster.nodes[2].cluster_id = X
    cluster.restart(2)
    cluster.elect()


def test_k1262_23_a_majority_of_x_goes_on_without_the_one_of_y():
    """One voter of another cluster neither leads nor follows nor disturbs the two that agree."""
    cluster = Cluster((1, 2, 3), cluster_id=X)
    cluster.nodes[3].cluster_id = Y
    cluster.restart(3)
    leader = cluster.elect()
    assert leader.id in {1, 2}
    epoch = leader.alive.epoch
    cluster.propose(b"value of x")
    cluster.run(60_000)
    assert (cluster.leader().alive.epoch, cluster.replica(3).log_end_offset) == (epoch, 0)
    assert cluster.replica(3).role is not Role.LEADER


# ---------------- K1262-24, -28: registration


def test_k1262_24_a_broker_waits_for_the_id_and_then_registers_with_it():
    """No registration however long the id is unknown; the moment it is known, one that carries it."""
    machine = lifecycle()
    outputs = list(machine.start(0))
    for now_ms in range(0, 50_000, 1_000):
        outputs += machine.tick(now_ms)
    assert registrations(outputs) == []
    (request,) = registrations(machine.cluster_id_known(50_000, ID))
    assert request.cluster_id == ID


@pytest.mark.parametrize("cluster_id", [OTHER, None, ""])
def test_k1262_24_the_controller_refuses_a_registration_of_another_cluster(cluster_id):
    """A registration with another id, or none, is refused and writes nothing."""
    world = World(cluster_id=ID)
    before = list(world.log)
    with pytest.raises(ApiError) as refusal:
        world.do(register(9, cluster_id=cluster_id))
    assert refusal.value.code is ErrorCode.INCONSISTENT_CLUSTER_ID
    assert world.log == before
    world.do(register(9, cluster_id=ID))


def test_k1262_28_below_the_level_a_broker_without_the_id_gives_up_with_the_reason():
    """It never registers, and at the end of its time it says that the id was not discovered."""
    machine = lifecycle(initial_registration_timeout_ms=1_000)
    outputs = [*machine.start(0), *machine.tick(999), *machine.tick(1_000)]
    assert registrations(outputs) == []
    (reason,) = [one.reason for one in outputs if isinstance(one, GiveUp)]
    assert "the cluster id was not discovered within 1000 ms" in reason


async def test_k1262_28_a_cluster_at_4_3_takes_only_brokers_that_were_formatted(tmp_path):
    """Of two brokers at an old cluster the formatted one knows the id from its file; the other ends and says why."""
    async with lab(tmp_path) as bench:
        voters = bench.quorum(1)
        path = bench.controller(voters)
        format_old(path)
        leader = bench.start(path)
        await until(lambda: leader.leads, "the old cluster has a controller")
        formatted = bench.broker(voters, 8)
        format_old(formatted)
        first = bench.start(formatted)
        second = bench.start(bench.broker(voters, 9, **{"initial.broker.registration.timeout.ms": "2000"}))
        await until(lambda: second.node.published_image.level == 30, "the other broker follows the log")
        error = await second.failure()
        assert isinstance(error, ConfigError)
        assert "the cluster id was not discovered" in str(error)
        assert (first.cluster_id, second.cluster_id) == (ID, None)
        assert leader.cluster_ids_in_log() == []


async def test_k1262_28_the_upgrade_sends_the_id_to_brokers_that_wait(tmp_path):
    """A broker without the id that waits at an old cluster discovers it when the cluster crosses the level."""
    async with lab(tmp_path) as bench:
        voters = bench.quorum(1)
        path = bench.controller(voters)
        format_old(path)
        leader = bench.start(path)
        await until(lambda: leader.leads, "the old cluster has a controller")
        broker = bench.start(bench.broker(voters))
        await until(lambda: broker.node.published_image.level == 30, "the broker follows the log")
        assert broker.cluster_id is None
        await leader.submit(upgrade(40))
        await until(lambda: broker.cluster_id == ID, "the upgrade tells the id")
        assert {file_of(directory)["cluster.id"] for directory in bench.directories(9, 2)} == {ID}


# ---------------- K1262-29: for ever


async def test_k1262_29_elections_restarts_and_upgrades_leave_the_id_alone(tmp_path):
    """The first leader dies, the next one upgrades, all restart: one ClusterIdRecord in the log, one id everywhere."""
    async with lab(tmp_path) as bench:
        voters = bench.quorum(1, 2, 3)
        ports = dict(zip((1, 2, 3), free_ports(3), strict=True))
        paths = {
            node_id: bench.controller(
                voters, node_id, grpc_listener=f"127.0.0.1:{port}", unstable_feature_versions_enable="true"
            )
            for node_id, port in ports.items()
        }
        nodes = {node_id: bench.start(path) for node_id, path in paths.items()}
        await until(lambda: all(one.cluster_id for one in nodes.values()), "all know the id")
        (first,) = {one.cluster_id for one in nodes.values()}
        leader_id = next(node_id for node_id, one in nodes.items() if one.leads)
        await nodes.pop(leader_id).stop()
        await until(lambda: any(one.leads for one in nodes.values()), "another controller takes over")
        nodes[leader_id] = bench.start(paths[leader_id])

        def all_registered():
            return all(len(one.node.published_image.cluster.controllers) == 3 for one in nodes.values())

        await until(all_registered, "every controller is registered")
        leader = next(one for one in nodes.values() if one.leads)
        await leader.submit(upgrade(42))
        for one in list(nodes.values()):
            await one.stop()
        nodes = {node_id: bench.start(path) for node_id, path in paths.items()}
        await until(lambda: any(one.leads for one in nodes.values()), "the restarted quorum has a controller")
        leader = next(one for one in nodes.values() if one.leads)
        assert leader.node.published_image.level == 42
        assert leader.cluster_ids_in_log() == [first]
        assert {one.node.replica.cluster_id for one in nodes.values()} == {first}
        assert {file_of(bench.directories(node_id)[0])["cluster.id"] for node_id in paths} == {first}


def test_k1262_29_no_later_write_of_a_controller_holds_an_id():
    """After the first, neither another leader nor any upgrade writes a ClusterIdRecord again."""
    world = World(level=40, cluster_id=ID)
    world.commit()
    for target in (41, 42):
        world.controller.resign()
        assert world.activate(cluster_id=ID).records == ()
        world.do(upgrade(target))
        world.commit()
    assert [one for one in world.log if isinstance(one, ClusterIdRecord)] == [ClusterIdRecord(ID)]
    assert [one for one in world.log if one == level_record(42)]


def test_k1262_29_only_the_first_racer_sets_the_id():
    """Two would-be first leaders each draw an id, but one log takes one of them: the other's is never committed."""
    worlds = [World(active=False), World(active=False)]
    worlds[1].controller._uuids.given = 500
    for world in worlds:
        world.activate(cluster_id=None)
    ids = [world.controller.image.cluster_id.value for world in worlds]
    assert ids[0] != ids[1]
    cluster = Cluster((1, 2, 3), cluster_id=None)
    cluster.elect(1)
    cluster.isolate(1)
    cluster.propose(*worlds[0].values, node_id=1)
    cluster.elect(2)
    cluster.propose(*worlds[1].values, node_id=2)
    cluster.heal()
    cluster.settle()
    for node in cluster.running():
        data = [value for batch in node.disk.batches if not batch.is_control for value in batch.values()]
        assert data == worlds[1].values
