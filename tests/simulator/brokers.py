"""A broker's life on an observer: the real machine, with actions of the world in the place of its agent's task."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from kraftpy.broker.lifecycle import BrokerLifecycle, LifecycleConfig
from kraftpy.broker.outputs import BrokerState, GiveUp, Output, SendHeartbeat, SendRegistration, StateChanged
from kraftpy.controller.config import supported_features
from kraftpy.image import Manifest, MetadataDelta, MetadataImage
from kraftpy.model.errors import BusyError, ErrorCode
from kraftpy.model.ids import Uuid
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.model.registrations import BrokerHeartbeatResponse, Listener, RegisterBrokerResponse
from kraftpy.transport.node_api import Committed, Outcome, WriteRequest
from tests.simulator.checkers import CheckFailed

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode

SESSION_TIMEOUT_MS = 1_500
HEARTBEAT_INTERVAL_MS = 300
NEVER_MS = 3_600_000


class SimulatedBroker:
    """Runs a broker's lifecycle; also the publisher that passes on what was published."""

    name = "broker"

    def __init__(self, node: SimulatedNode, log_dirs: tuple[Uuid, ...]) -> None:
        self._node = node
        self._incarnation = node.incarnation
        self._ticks = 0
        self._published_once = False
        self.lifecycle = BrokerLifecycle(
            config=LifecycleConfig(
                broker_id=node.id,
                incarnation_id=node.uuids.next(),
                listeners=(Listener("PLAINTEXT", f"node{node.id}", 9092, 0),),
                features=supported_features(unstable=True),
                host=f"node{node.id}",
                log_dirs=log_dirs,
                session_timeout_ms=SESSION_TIMEOUT_MS,
                heartbeat_interval_ms=HEARTBEAT_INTERVAL_MS,
                initial_registration_timeout_ms=NEVER_MS,
            ),
            jitter=node.uuids,
        )

    @property
    def serves(self) -> bool:
        """Whether the controller lets it serve."""
        return self.lifecycle.state is BrokerState.RUNNING

    def start(self, cluster_id: str | None) -> None:
        """Begin, and report the cluster id if it is stored in the files."""
        self._carry_out(self.lifecycle.start(self._node.clock.now_ms()))
        if cluster_id is not None:
            self.cluster_id_known(cluster_id)

    def cluster_id_known(self, cluster_id: str) -> None:
        """Let it register."""
        self._carry_out(self.lifecycle.cluster_id_known(self._node.clock.now_ms(), cluster_id))

    def log_dir_failed(self, directory_id: Uuid) -> None:
        """Report a failed directory to the controller."""
        self._carry_out(self.lifecycle.log_dir_failed(self._node.clock.now_ms(), directory_id))

    def on_metadata_update(self, delta: MetadataDelta, image: MetadataImage, manifest: Manifest) -> None:
        """Report progress, as ``runtime.registration_drivers`` does."""
        now_ms = self._node.clock.now_ms()
        self._carry_out(self.lifecycle.metadata_published(now_ms, image.provenance.offset, image))
        if not self._published_once:
            self._published_once = True
            self._carry_out(self.lifecycle.ready_to_unfence(now_ms))

    def on_controller_change(self, leader: LeaderAndEpoch) -> None:
        """Call the new leader soon, as ``runtime.registration_drivers`` does."""
        if leader.leader_id is not None:
            self._carry_out(self.lifecycle.leader_changed(self._node.clock.now_ms()))

    def close(self) -> None:
        """End."""
        self.lifecycle.close()

    # ---------------------------------------------------------------- time

    def _schedule(self) -> None:
        deadline_ms = self.lifecycle.next_deadline_ms()
        self._ticks += 1
        if deadline_ms is not None:
            node = self._node
            delay_ms = node.clock.world_delay_ms(max(1, deadline_ms - node.clock.now_ms()))
            node.beside_turns(delay_ms, partial(self._tick, self._ticks))

    def _tick(self, number: int) -> None:
        if number == self._ticks:
            self._carry_out(self.lifecycle.tick(self._node.clock.now_ms()))

    # ---------------------------------------------------------------- calls

    def _carry_out(self, outputs: tuple[Output, ...]) -> None:
        for output in outputs:
            match output:
                case SendRegistration() | SendHeartbeat():
                    self._call(output)
                case StateChanged(_, after):
                    self._node.sim.world.note(str(self._node.id), "broker", after.name)
                case GiveUp(reason):
                    raise CheckFailed("brokers: a broker of this cluster is not turned away", reason)
        self._schedule()

    def _call(self, output: SendRegistration | SendHeartbeat) -> None:
        node, sim = self._node, self._node.sim
        answered: list[Outcome] = []
        after = sim.moments.acknowledged_end
        leader_id = None if node.process is None else node.process.replica.leader.leader_id
        voters = sim.controllers()
        target = next((each for each in voters if each.id == leader_id), None) or node.rng.choice(voters)

        def hear(outcome: Outcome | None) -> None:
            if not answered:
                answered.append(outcome)
                self._hear(output, outcome)

        def answer(outcomes: list[Outcome]) -> None:
            (outcome,) = outcomes
            is_old = isinstance(outcome, Committed) and not sim.ledger.same_state(outcome.offset, after)
            if isinstance(outcome, Committed) and is_old:
                seen = f"broker {node.id} at {target.id}: {outcome.offset}, {after}"
                raise CheckFailed("brokers: an answer is of a state that has all that was acknowledged before", seen)
            if sim.network.passes(target.id, node.id) and node.incarnation == self._incarnation:
                node.beside_turns(sim.network.delay_ms(), partial(hear, outcomes[0]))

        def arrive() -> None:
            if not target.is_up or target.running.host is None:
                return
            submission = WriteRequest(output.request, timeout_ms=output.timeout_ms)
            try:
                target.running.host.submit([submission], target.clock.now_ms(), answer)
            except BusyError:
                return
            target.schedule_turn(0)

        if sim.network.passes(node.id, target.id):
            sim.world.later(sim.network.delay_ms(), arrive)
        node.beside_turns(node.clock.world_delay_ms(output.timeout_ms), partial(hear, None))

    def _hear(self, output: SendRegistration | SendHeartbeat, outcome: Outcome | None) -> None:
        machine, now_ms = self.lifecycle, self._node.clock.now_ms()
        if isinstance(outcome, Committed):
            response = outcome.response
            if isinstance(response, BrokerHeartbeatResponse):
                self._carry_out(machine.heartbeat_succeeded(now_ms, response))
            elif isinstance(response, RegisterBrokerResponse):
                self._node.sim.world.note(str(self._node.id), "registered", str(response.broker_epoch))
                self._carry_out(machine.registration_succeeded(now_ms, response))
            return
        code = ErrorCode.REQUEST_TIMED_OUT if outcome is None else outcome.code
        message = "no answer" if outcome is None else outcome.message
        failed = machine.heartbeat_failed if isinstance(output, SendHeartbeat) else machine.registration_failed
        self._carry_out(failed(now_ms, code, message))
