"""One run: a seed, a cluster, a phase of faults, a phase of peace, a verdict."""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

from kraftpy.model.election import ElectionState
from kraftpy.model.features import CLUSTER_ID_LEVEL, SATURATED_DIRECTORIES_LEVEL
from kraftpy.model.ids import NodeId, uuid_from_random
from kraftpy.model.invariant import InvariantViolation
from kraftpy.model.offsets import Epoch
from kraftpy.model.voters import ReplicaKey, Voter, VoterSet
from kraftpy.raft.config import RaftConfig
from kraftpy.raft.messages import AddRaftVoterRequest, RemoveRaftVoterRequest
from kraftpy.raft.pending_voter_change import VoterChangeKind
from kraftpy.raft.ready import Role
from kraftpy.raft.roles import Leader
from kraftpy.storage.format import FormatRequest, format_directories
from tests.fakes.raft_cluster import endpoint_of
from tests.simulator.checkers import BeyondKnowing, Checkers, CheckFailed, Refused
from tests.simulator.checkers.acknowledged import AcknowledgedChecker
from tests.simulator.checkers.balancer import BalancerChecker
from tests.simulator.checkers.cluster_ids import ClusterIdsChecker
from tests.simulator.checkers.committed import CommittedChecker
from tests.simulator.checkers.corruption import CorruptionChecker
from tests.simulator.checkers.digests import DigestsChecker
from tests.simulator.checkers.directories import DirectoriesChecker
from tests.simulator.checkers.durable import DurableChecker
from tests.simulator.checkers.epochs import EpochsChecker
from tests.simulator.checkers.floods import FloodsChecker
from tests.simulator.checkers.hosts import HostsChecker
from tests.simulator.checkers.identity import IdentityChecker
from tests.simulator.checkers.leaders import LeadersChecker
from tests.simulator.checkers.linearizable import LinearizableChecker
from tests.simulator.checkers.logs import LogsChecker
from tests.simulator.checkers.partitions import PartitionsChecker
from tests.simulator.checkers.promises import PromisesChecker
from tests.simulator.checkers.publishers import PublishersChecker
from tests.simulator.checkers.replay import ReplayChecker
from tests.simulator.checkers.strangers import StrangersChecker
from tests.simulator.checkers.voters import VotersChecker
from tests.simulator.checkers.votes import VotesChecker
from tests.simulator.faults import Faults
from tests.simulator.network import Network
from tests.simulator.node import SimulatedNode
from tests.simulator.readers import Readers, Watchers
from tests.simulator.registers import Registers
from tests.simulator.swarm import Options, options_of
from tests.simulator.topics import Topics
from tests.simulator.unnamed_brokers import UnnamedBrokers
from tests.simulator.workload import Acknowledgement, Moments, Workload
from tests.simulator.world import World

PROGRESS_MS = 60_000
"""After the faults end, so long (simulated) may a majority take to commit a new write; and then all, to catch up."""

BALANCED_MS = 20_000
"""Where all brokers serve, so long may it take until leaders are back: several runs, and, where each step holds one
election, a pause for each of the twelve partitions that there may be."""

REFUSAL_PROBATIONS = 2
REFUSAL_ROUNDS = 20
"""A cluster that elects no leader is watched for this many probations and election timeouts: every voter that may count
again does so by then, and has been asked."""

POLL_MS = 10
CLEANING_INTERVAL_MS = 400

DUPLICATE_IDS = 100
"""A second process with voter N's id has the address of node 100 + N."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of a run.

    Attributes:
        faults: how often each kind of fault happened.
        happened: the names of the faults that may be left out, in order.
        refused: the cluster said that it cannot go on, and why.
        limit: what was lost that no node could know of, where the history ends; ``None`` as a rule.
        failed: the checker's sentence and what it saw, ``None`` when all held.
        rule: the sentence alone.
    """

    seed: int
    digest: str
    events: int
    simulated_ms: int
    acknowledged: int
    committed: int
    incarnations: int
    faults: Mapping[str, int] = field(default_factory=dict)
    happened: tuple[str, ...] = ()
    refused: bool = False
    limit: str | None = None
    failed: str | None = None
    rule: str | None = None
    recent: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        """One line of numbers."""
        return (
            f"events={self.events} simulated_ms={self.simulated_ms} committed={self.committed} "
            f"acknowledged={self.acknowledged} starts={self.incarnations}"
        )


class Simulation:
    """Everything of one run, by name.

    Attributes:
        left_out: the names of faults that do not happen.
        refused: the cluster refused to elect, or its only voter to start, and said why.
        limit: what was lost that no node could know of.
    """

    def __init__(
        self,
        seed: int,
        options: Options | None = None,
        *,
        left_out: Collection[str] = (),
        verbose: bool = False,
    ) -> None:
        self.seed = seed
        self.left_out = frozenset(left_out)
        self.options = options or options_of(seed)
        self.world = World(verbose=verbose)
        has_full_directories = self.options.topics and random.Random(f"{seed}/level").random() < 0.5
        self.level = SATURATED_DIRECTORIES_LEVEL if has_full_directories else CLUSTER_ID_LEVEL
        self.cleaning_interval_ms = CLEANING_INTERVAL_MS
        self.network = Network(self.world, random.Random(f"{seed}/network"), self.options)
        self.acknowledged: list[Acknowledgement] = []
        self.explained_ms = -1
        self.refused = False
        self.limit: str | None = None
        self.moments = Moments()
        self.workload = Workload(self, self.moments, self.options.clients, self.options.write_interval_ms)
        self.registers = Registers(self, self.moments, self.options.register_clients, self.options.write_interval_ms)
        self.readers = Readers(self, self.moments, self.options.readers, self.options.write_interval_ms)
        watching = self.options.watchers, self.options.write_interval_ms, self.options.watchers_restarted
        self.watchers = Watchers(self, *watching)
        self.topics = Topics(self)
        self.unnamed = UnnamedBrokers(self)
        self.faults = Faults(self)
        committed = CommittedChecker(self)
        self.durable = DurableChecker(self)
        self.voters = VotersChecker(self)
        self.corruption = CorruptionChecker(self)
        self.promises = PromisesChecker(self)
        self.directories = DirectoriesChecker(self)
        self.ledger = committed.ledger
        self.digests = DigestsChecker(self)
        self.epochs = EpochsChecker(self)
        self.partitions = PartitionsChecker(self)
        self.balancer = BalancerChecker(self)
        self.checkers = Checkers(
            [
                LeadersChecker(self),
                self.epochs,
                VotesChecker(self),
                self.voters,
                ClusterIdsChecker(self),
                IdentityChecker(self),
                PublishersChecker(self),
                HostsChecker(self),
                self.directories,
                committed,
                self.durable,
                self.promises,
                AcknowledgedChecker(self),
                LinearizableChecker(self),
                LogsChecker(self),
                ReplayChecker(self),
                self.corruption,
                self.digests,
                StrangersChecker(self),
                *([self.partitions, self.balancer] if self.options.topics else []),
                *([FloodsChecker(self)] if self.options.flood_interval_ms else []),
            ]
        )
        self._rng = random.Random(f"{seed}/simulation")
        self._build()

    # ---------------------------------------------------------------- the cluster

    def _build(self) -> None:
        options = self.options
        voter_ids = list(range(1, options.voters + 1))
        controllers, nodes = options.voters + options.spares, options.voters + options.spares + options.observers
        slow = set(self._rng.sample(voter_ids, min(options.slow_syncs, len(voter_ids))))
        directory_ids = {node_id: uuid_from_random(self._rng.randbytes) for node_id in voter_ids}
        voters = VoterSet.of(
            Voter(
                ReplicaKey(node_id, directory_ids[node_id] if options.dynamic else None),
                (endpoint_of(node_id),),
                0,
                1,
            )
            for node_id in voter_ids
        )
        self.first_voters = voters
        for node_id in range(1, nodes + 1):
            is_controller = node_id <= controllers
            config = self._raft_config(node_id, voters, is_controller=is_controller)
            node = SimulatedNode(self, node_id, config, is_controller=is_controller, slow=node_id in slow)
            self.network.nodes[node_id] = node
            if options.dynamic and node_id in directory_ids:
                self._format(node, voters)
        if options.duplicate:
            self._add_duplicate(voters)

    def _add_duplicate(self, voters: VoterSet) -> None:
        """Make a second process with a voter's id; its address is in no node's configuration."""
        stage_id = DUPLICATE_IDS + self.options.duplicate
        config = replace(
            self._raft_config(self.options.duplicate, voters, is_controller=True),
            own_endpoints=(endpoint_of(stage_id),),
        )
        node = SimulatedNode(
            self, stage_id, config, is_controller=True, slow=False, duplicate_of=self.options.duplicate
        )
        node.retired = True
        self.network.nodes[stage_id] = node

    def _raft_config(self, node_id: NodeId, voters: VoterSet, *, is_controller: bool) -> RaftConfig:
        options = self.options
        bootstrap = tuple(endpoint_of(voter_id) for voter_id in voters.ids)
        return RaftConfig(
            election_timeout_ms=options.election_timeout_ms,
            fetch_timeout_ms=options.fetch_timeout_ms,
            election_backoff_max_ms=options.election_timeout_ms,
            request_timeout_ms=options.request_timeout_ms,
            fetch_max_wait_ms=options.fetch_max_wait_ms,
            fetch_max_bytes=options.fetch_max_bytes,
            high_watermark_delay_ms=options.high_watermark_delay_ms,
            static_voters=VoterSet() if options.dynamic else voters,
            bootstrap_servers=bootstrap if options.dynamic or not is_controller else (),
            can_vote=is_controller,
            auto_join=options.auto_join and is_controller,
            compares_state=options.digest_interval_ms > 0,
            own_endpoints=(endpoint_of(node_id),) if is_controller else (),
        )

    def _format(self, node: SimulatedNode, voters: VoterSet) -> None:
        request = FormatRequest(
            node_id=node.id,
            directories=node.disk.directories,
            metadata_directory=node.disk.directories[0],
            metadata_version=self.level,
            features={"kraft.version": 1},
            initial_voters=voters,
            allow_unstable=True,
        )
        format_directories(node.disk.fs, request, node.uuids.draw)

    def all_nodes(self) -> list[SimulatedNode]:
        """Return all nodes, ascending; one with a duplicate id comes last, while it exists."""
        return [node for node in self.network.nodes.values() if not node.retired]

    def controllers(self) -> list[SimulatedNode]:
        """Return those that can vote, ascending, without a duplicate id; the voter set decides which of them do."""
        return [node for node in self.all_nodes() if node.is_controller and node.duplicate_of is None]

    def up(self) -> list[SimulatedNode]:
        """Return those that run, ascending."""
        return [node for node in self.all_nodes() if node.is_up]

    def leader(self) -> SimulatedNode | None:
        """Return the leader of the highest epoch."""
        leaders = [node for node in self.up() if node.running.replica.role is Role.LEADER]
        return max(leaders, key=lambda node: node.running.replica.epoch, default=None)

    # ---------------------------------------------------------------- the run

    def run(self) -> Verdict:
        """Run to the end, or to the first broken guarantee."""
        try:
            self._disturbed()
            self._at_peace()
        except Refused as refused:
            self.world.note("world", "refused", str(refused))
            self.refused = True
        except BeyondKnowing as limit:
            self.world.note("world", "limit", str(limit))
            self.limit = str(limit)
        except CheckFailed as broken:
            self.world.note("checker", "FAILED", broken.rule)
            return self._verdict(failed=str(broken), rule=broken.rule)
        except InvariantViolation as broken:
            rule = "invariant: " + str(broken).partition(" [")[0]
            self.world.note("checker", "FAILED", rule)
            return self._verdict(failed=str(broken), rule=rule)
        except Exception as broken:  # noqa: BLE001 - one history must not end the search; it counts as a failed one
            where = traceback.format_exc(limit=-3)
            return self._verdict(failed=where, rule=f"the simulator, or what it calls, fails: {type(broken).__name__}")
        return self._verdict()

    def _disturbed(self) -> None:
        for node in self.all_nodes():
            self.world.later(self._rng.randint(0, 300), lambda node=node: node.is_up or node.start())
        self.workload.start()
        self.registers.start()
        self.readers.start()
        self.watchers.start()
        self.topics.start()
        self.unnamed.start()
        self.faults.start()
        self.faults.plan_duplicates()
        self.world.run(self.options.duration_ms, lambda: self.world.events >= self.options.events_max)

    def _at_peace(self) -> None:
        self.faults.retire_duplicates()
        self.world.note("world", "peace")
        sets = self.voters.known_sets()
        # Whose disk rotted, or whose memory did (its snapshots may be wrong), may set its log aside at its next start.
        counting = {
            node.id
            for node in self.controllers()
            if node.disk.counts and not node.disk.rotten and not node.memory_harmed
        }
        elects = all(_has_majority(counting, voters) for voters in sets) or self._may_be_first_start()
        held_down = self._minority(sets + self._sets_to_come(sets), counting)
        self.faults.stop(held_down=held_down)
        before = len(self.acknowledged)
        invoked = len(self.workload.history)

        def progressed() -> bool:
            new = (reported.operation for reported in self.acknowledged[before:])
            return any(one.number >= invoked and not one.may_change_nothing for one in new)

        if not elects and not self._goes_on(progressed):
            return
        self._demand(progressed, "a healed majority commits a new write", unless=self._a_voter_lost_its_identity)
        self.faults.release()
        if self.options.memory_interval_ms:
            self._demand(self.digests.all_are_right, "who has a wrong state is fenced")
        self.workload.stop()
        self.registers.stop()
        self.readers.stop()
        self.topics.stop()
        self.unnamed.stop()
        if self.options.topics:
            self._demand(self.unnamed.settled, "all brokers without an id get one, and register")
            self._demand(self.topics.settled, "a partition with a live replica in sync has a leader")
            self._demand(self.topics.balanced, "leaders are back at preferred replicas", within_ms=BALANCED_MS)
        self._demand(self._caught_up, "all nodes catch up, and brokers serve", unless=self._an_epoch_was_lost)
        self.checkers.at_end()

    def _may_be_first_start(self) -> bool:
        """Return whether no voter holds anything and all will report so: one that quarantined its log never does.

        Nor does one that learns that it leads an epoch that is not on its disk, where the voter set names no
        directory: the one that led may be another, on a disk that holds all.
        """
        if any(node.disk.holds_records or node.disk.harmed for node in self.controllers()):
            return False
        # What a slow disk has not taken yet is in the log of the process all the same.
        if any(node.is_up and node.running.replica.log_end_offset > 0 for node in self.controllers()):
            return False
        if self.options.dynamic:
            return True
        remembers = any(node.disk.abstains or self._remembers_more(node) for node in self.all_nodes())
        return not remembers and not self._are_forgotten(self.network.claims())

    def _remembers_more(self, node: SimulatedNode) -> bool:
        """Return whether a node names a leader whose own disk no longer knows that it led, or may name one.

        A process may know of a leader before its slow disk does.
        """
        if node.disk.rotten:
            return True
        named = {(state.leader_id, state.epoch) for state in node.disk.possible_elections()}
        if node.is_up:
            leader = node.running.replica.leader
            named.add((leader.leader_id, leader.epoch))
        return self._are_forgotten(named)

    def _are_forgotten(self, named: set[tuple[NodeId | None, int]]) -> bool:
        """Return whether a leader is named whose own disk does not know that it led.

        A disk may also name its own node as leader because other nodes said so; then its vote does not count.
        """
        return any(
            each.id == leader_id
            and (
                not each.disk.counts
                or all(_never_led(state, each.id, epoch) for state in each.disk.possible_elections())
            )
            for each in self.controllers()
            for leader_id, epoch in named
        )

    def _sets_to_come(self, sets: list[VoterSet]) -> list[VoterSet]:
        """Return the sets that changes may make of those in force which were asked for, and are not appended yet."""
        comes, goes = set[ReplicaKey](), set[ReplicaKey]()
        for request in self.network.asked():
            if isinstance(request, AddRaftVoterRequest):
                comes.add(request.voter)
            elif isinstance(request, RemoveRaftVoterRequest):
                goes.add(request.voter)
        for node in self.up():
            role = node.running.replica.state.role
            if isinstance(role, Leader) and role.change is not None and role.change.kind is VoterChangeKind.ADD:
                comes.add(role.change.key)
        return [
            changed
            for voters in sets
            for changed in (
                *(_without(voters, key) for key in sorted(goes, key=str)),
                *(_with(voters, key) for key in sorted(comes, key=str) if voters.by_id(key.node_id) is None),
            )
            if len(changed)
        ]

    def _minority(self, sets: list[VoterSet], counting: set[NodeId]) -> set[NodeId]:
        """Draw who stays down: of every set that may be in force a majority remains, of such as count."""
        candidates = [node.id for node in self.controllers()]
        held_down: set[NodeId] = set()
        for node_id in self._rng.sample(candidates, self._rng.randint(0, len(candidates))):
            if all(_has_majority(counting - held_down - {node_id}, voters) for voters in sets):
                held_down.add(node_id)
        return held_down

    def _goes_on(self, progressed: Callable[[], bool]) -> bool:
        """Return whether there is a leader although most voters lost their disks.

        If not, an event must have stated the reason.
        """
        began_ms = self.world.now_ms
        if self.world.run(began_ms + self._refusal_ms(), progressed):
            return True
        election_blocked_reason = any(
            node.running.replica.state.election_blocked_reason is not None for node in self.up()
        )
        if self.explained_ms < began_ms and not election_blocked_reason:
            raise CheckFailed("progress: a refused election is explained", self.describe())
        self.workload.stop()
        self.registers.stop()
        self.world.note("world", "refused")
        self.refused = True
        return False

    def _refusal_ms(self) -> int:
        probations = [node.running.replica.state.probation_ms for node in self.up() if node.is_controller]
        return REFUSAL_PROBATIONS * max(probations, default=0) + REFUSAL_ROUNDS * self.options.election_timeout_ms

    def _demand(
        self,
        condition: object,
        what: str,
        unless: Callable[[], str | None] = lambda: None,
        *,
        within_ms: int = PROGRESS_MS,
    ) -> None:
        deadline_ms = self.world.now_ms + within_ms
        while not condition():
            if self.world.now_ms >= deadline_ms:
                limit = unless()
                if limit is not None:
                    raise BeyondKnowing(limit)
                raise CheckFailed(f"progress: {what} within {within_ms} ms", self.describe())
            self.world.run(self.world.now_ms + POLL_MS)

    def _caught_up(self) -> bool:
        return len(self.up()) == len(self.all_nodes()) and not self._behind()

    def _behind(self) -> list[SimulatedNode]:
        """Return the nodes that run and do not hold, and show, all that is committed."""
        end = self.ledger.end
        behind = []
        for node in self.up():
            process = node.running
            holds = process.replica.high_watermark == end and process.replica.log_end_offset == end
            shows = process.state_machine.image.provenance.offset == end - 1 and process.replica.cluster_id is not None
            if not (holds and shows and (process.broker is None or process.broker.serves)):
                behind.append(node)
        return behind

    def _a_voter_lost_its_identity(self) -> str | None:
        """Name the voters whose disk put the whole ``meta.properties`` of another directory in the place of theirs.

        Its checksum is right, so the process believes it, and is no voter where the voter set names directories.
        """
        lost = [node.id for node in self.controllers() if self.directories.is_mistaken(node)]
        return f"voters {lost} are taken for another of their directories" if lost and self.options.dynamic else None

    def _an_epoch_was_lost(self) -> str | None:
        """Return which nodes wait for an epoch that no voter knows; ``None`` when it is not that.

        Lost disks knew it, or controllers that are no voters any more.

        A follower must not go back below an epoch that it learned of, for it may have had a leader; and a leader
        must not resign because of a claim by a non-voter, or any process could depose it.
        """
        leader = self.leader()
        if leader is None:
            return None
        epoch, end = leader.running.replica.epoch, leader.running.replica.log_end_offset
        # Who has the whole log shows it in a moment: the last record may have been written just now.
        behind = [one for one in self._behind() if one.running.replica.log_end_offset < end]
        voters = leader.running.replica.state.voters.ids
        outside = [one for one in self.controllers() if one.id not in voters]
        stored = [state.epoch for one in outside for state in one.disk.possible_elections()]
        known = max([self.epochs.lost, *stored])
        for node in behind:
            if node.id in voters or not epoch < node.running.replica.epoch <= known:
                return None
        if not behind or len(self.up()) < len(self.all_nodes()):
            return None
        return (
            f"{[node.id for node in behind]} heard of an epoch that no voter knows (up to {known}), and leader "
            f"{leader.id} leads epoch {epoch}: they follow from the next election on"
        )

    def describe(self) -> str:
        """Show every node in a few words."""
        parts = [f"ledger={self.ledger.end}"]
        for node in self.all_nodes():
            if not node.is_up:
                parts.append(f"{node.id}:down")
                continue
            replica = node.running.replica
            parts.append(
                f"{node.id}:{replica.role.value}/{replica.epoch} leader={replica.leader.leader_id} "
                f"end={replica.log_end_offset} hw={replica.high_watermark} "
                f"shown={node.running.state_machine.image.provenance.offset}"
            )
        return "; ".join(parts)

    def _verdict(self, *, failed: str | None = None, rule: str | None = None) -> Verdict:
        return Verdict(
            seed=self.seed,
            digest=self.world.digest(),
            events=self.world.events,
            simulated_ms=self.world.now_ms,
            acknowledged=len(self.acknowledged),
            committed=self.ledger.end,
            incarnations=sum(node.incarnation for node in self.all_nodes()),
            faults=dict(sorted(self.world.counts.items())),
            happened=tuple(self.faults.happened),
            refused=self.refused,
            limit=self.limit,
            failed=failed,
            rule=rule,
            recent=tuple(self.world.recent),
        )


def _with(voters: VoterSet, key: ReplicaKey) -> VoterSet:
    return VoterSet.of((*voters, Voter(key, (endpoint_of(key.node_id),), 0, 1)))


def _without(voters: VoterSet, key: ReplicaKey) -> VoterSet:
    return VoterSet.of(voter for voter in voters if voter.key != key)


def _has_majority(nodes: set[NodeId], voters: VoterSet) -> bool:
    return len(nodes & set(voters.ids)) >= voters.majority


def _never_led(state: ElectionState, node_id: NodeId, epoch: Epoch) -> bool:
    """Return whether a disk with this election state cannot know that its node leads an epoch: it holds no vote for it.

    A candidate stores the vote for itself before anyone counts it.
    """
    if state.epoch == epoch:
        voted = state.voted_key
        return state.leader_id != node_id and (voted is None or voted.node_id != node_id)
    return state.epoch < epoch
