"""What a checker hears."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kraftpy.controller.controller import Controller
from kraftpy.controller.result import ControllerResult
from kraftpy.image import Manifest, MetadataDelta, MetadataImage
from kraftpy.model.errors import StorageError
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.messages import RaftRequest, RaftResponse
from kraftpy.raft.ready import Event, Send

if TYPE_CHECKING:
    from tests.simulator.node import PublisherProbe, SimulatedNode
    from tests.simulator.replica import Facts
    from tests.simulator.simulation import Simulation
    from tests.simulator.workload import Acknowledgement


class CheckFailed(Exception):  # noqa: N818 - it says what happened
    """A guarantee is broken.

    Attributes:
        rule: which one, as a sentence.
    """

    def __init__(self, rule: str, seen: str) -> None:
        super().__init__(f"{rule}: {seen}")
        self.rule = rule


class Refused(Exception):  # noqa: N818 - it is no error
    """The cluster cannot go on, and said so: the history ends here, well."""


class BeyondKnowing(Exception):  # noqa: N818 - it is no error
    """A disk did what no node can know of, and the cluster goes on without a word: a limit, by its name."""


class Checker:
    """Hears everything, by default without a word."""

    name = "checker"

    def __init__(self, sim: Simulation) -> None:
        self.sim = sim

    def require(self, condition: bool, rule: str, *seen: object) -> None:
        """Raise CheckFailed unless the condition holds."""
        if not condition:
            raise CheckFailed(f"{self.name}: {rule}", " ".join(str(each) for each in seen))

    def on_start(self, node: SimulatedNode) -> None:
        """A process runs."""

    def on_end(self, node: SimulatedNode) -> None:
        """A process is gone."""

    def on_wipe(self, node: SimulatedNode) -> None:
        """A node's disk is lost, and its process with it."""

    def on_vote_lost(self, node: SimulatedNode) -> None:
        """A node that is down lost its quorum-state, and kept its log."""

    def on_corruption(self, node: SimulatedNode, error: StorageError) -> None:
        """A process whose disk returns what was never written there has stopped, or not started."""

    def on_repair(self, node: SimulatedNode, text: str) -> None:
        """A process that starts sets a corrupt log aside, and is going to fetch another from its peers."""

    def on_voters_changed(self, node: SimulatedNode, key: ReplicaKey, *, is_voter: bool) -> None:
        """A change of the voter set is reported as done."""

    def on_send(self, node: SimulatedNode, message: Send) -> None:
        """A request leaves."""

    def on_reply(self, node: SimulatedNode, request: RaftRequest, response: RaftResponse) -> None:
        """An answer leaves."""

    def on_forged(self, node: SimulatedNode, request: RaftRequest, before: Facts, after: Facts) -> None:
        """A replica has taken what a stranger sent in another node's name."""

    def on_flood(self, node: SimulatedNode) -> None:
        """Strangers ask a node many things at once."""

    def on_event(self, node: SimulatedNode, event: Event) -> None:
        """A replica says a fact."""

    def on_published(
        self,
        node: SimulatedNode,
        probe: PublisherProbe,
        delta: MetadataDelta,
        image: MetadataImage,
        manifest: Manifest,
    ) -> None:
        """A publisher is called."""

    def on_cluster_id(self, node: SimulatedNode) -> None:
        """A node has the cluster id in memory."""

    def on_own_decision(
        self, node: SimulatedNode, controller: Controller, now_ms: int, result: ControllerResult
    ) -> None:
        """A controller decides what no request asked for; nothing of it is appended yet."""

    def on_acknowledged(self, node: SimulatedNode, reported: Acknowledgement) -> None:
        """A write is acknowledged to its client as committed."""

    def on_jump(self, node: SimulatedNode, ahead_ms: int) -> None:
        """The clock of a node that runs has jumped ahead."""

    def after_turn(self, node: SimulatedNode) -> None:
        """A node has taken a turn."""

    def at_end(self) -> None:
        """All is quiet, and every node is up."""


HOOKS = (
    "on_start",
    "on_end",
    "on_wipe",
    "on_vote_lost",
    "on_corruption",
    "on_repair",
    "on_voters_changed",
    "on_send",
    "on_reply",
    "on_forged",
    "on_flood",
    "on_event",
    "on_published",
    "on_cluster_id",
    "on_own_decision",
    "on_acknowledged",
    "on_jump",
    "after_turn",
    "at_end",
)


class Checkers:
    """All checkers; each hook calls those that listen to it, in order."""

    def __init__(self, checkers: list[Checker]) -> None:
        self._listening: dict[str, list[Any]] = {
            hook: [getattr(each, hook) for each in checkers if getattr(type(each), hook) is not getattr(Checker, hook)]
            for hook in HOOKS
        }

    def __getattr__(self, hook: str) -> Any:
        listening = self._listening[hook]

        def call(*what: object, **more: object) -> None:
            for listener in listening:
                listener(*what, **more)

        setattr(self, hook, call)
        return call
