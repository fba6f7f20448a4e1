"""Carry out a roll: wait until the next node may be stopped, run the operator's command, wait until the node is back.

What is next is decided by :mod:`kraftpy.quorum_tools.rolling` from the cluster alone, so a roll that ended anywhere
goes on with the same command. What the runner touches is behind ``RollPort``, so that tests script it.
"""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from kraftpy.cli import connection
from kraftpy.cli.cluster_port import ClusterClient, Read
from kraftpy.cli.doctor_reading import CONTROLLERS_MAX, grpc_addresses
from kraftpy.cli.errors import CommandError, UnreachableError
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.restart_command import RestartCommand, run_words, shown
from kraftpy.cli.waiting import SILENT_S, waiting_for
from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.ids import NodeId
from kraftpy.quorum_tools import rolling
from kraftpy.runtime.clock import SystemClock

if TYPE_CHECKING:
    import asyncio
    from types import FrameType

PAUSE_S: Final = 0.5
"""How long the cluster is left alone between two looks, at least; at most as long as a look takes."""

FETCHED_S: Final = 1.5
"""A time in which every node that runs fetches: three times as long as a leader lets a fetch wait."""

GIVE_UP_S: Final = 30.0
"""How long something may be wrong that no restart explains, at most half of a step's time: an election ends in it."""

PASSING: Final = frozenset(
    {
        ErrorCode.REQUEST_TIMED_OUT,
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.NOT_CONTROLLER,
        ErrorCode.LEADER_NOT_AVAILABLE,
    }
)
"""Errors of a cluster whose leadership moves."""

_NUMBERS: Final = re.compile(r"\d+ (ms ago|records)")


class RollPort(Protocol):
    """What a roll needs of the world."""

    def look(self) -> rolling.RollView:
        """Read the cluster."""

    def hand_over(self, to: NodeId) -> None:
        """Let this voter lead, and return when it does."""

    def restart(self, words: tuple[str, ...], timeout_s: float) -> int:
        """Run a command, and return its exit code."""

    def now_s(self) -> float:
        """Return a time in seconds that only grows."""

    def pause(self) -> None:
        """Let some time pass before the next look."""

    @property
    def interrupted_by(self) -> ExitCode | None:
        """With which code to end, if it is to end."""


@dataclass(slots=True)
class RollRun:
    """What a run did.

    Attributes:
        restarted: the nodes that came back, in their order.
        ending: the exit code.
        interruption: which signal ended it and how far it was; ``None`` where none did.
    """

    restarted: list[NodeId] = field(default_factory=list)
    ending: ExitCode = ExitCode.OK
    interruption: str | None = None


class RollRunner:
    """Takes one step after another.

    Args:
        plan: which nodes are restarted.
        command: what restarts one.
        port: the world.
        report: takes a line about the progress.
        wait_s: how long a step may take.
    """

    def __init__(
        self,
        plan: rolling.RollPlan,
        command: RestartCommand,
        port: RollPort,
        report: Callable[[str], None],
        wait_s: float,
    ) -> None:
        self._plan = plan
        self._command = command
        self._port = port
        self._report = report
        self._patience = _StepPatience(port, report, wait_s)
        self._wait_s = wait_s
        self._in_flight: rolling.RollNode | None = None
        self._ordered_s = 0.0
        self._done = 0
        self._handing = ""
        self._handed_over: rolling.RollNode | None = None
        self.result = RollRun()

    def run(self) -> RollRun:
        """Restart every node that has not restarted since the plan was made.

        Raises:
            UnreachableError: no controller responds at the start.
            CommandError: something is in the way, a command failed, or a node did not come back in time.
        """
        view: rolling.RollView | None = self._port.look()
        while (ending := self._port.interrupted_by) is None:
            if view is not None and self._step(view):
                return self.result
            view = self._look() if self._port.interrupted_by is None else view
        where = "" if self._in_flight is None else f"; node {self._in_flight.node_id} was restarted and is not back yet"
        self.result.interruption = f"{ending.meaning}: {self._so_far}{where}. The same command goes on from here"
        self.result.ending = ending
        return self.result

    @property
    def _so_far(self) -> str:
        return f"{self._done} of {len(self._plan.nodes)} nodes have restarted"

    def _step(self, view: rolling.RollView) -> bool:
        """Take the next step; return whether it was the last one."""
        self._done = sum(rolling.has_restarted(node, view) for node in self._plan.nodes)
        node = self._in_flight
        if node is not None and rolling.progress_of(node, view) is rolling.NodeProgress.RESTARTED:
            self._note_back(node)
        in_flight = None if self._in_flight is None else self._in_flight.node_id
        before = self._patience.first_look(view)
        match rolling.next_roll_step(self._plan, view, before, in_flight=in_flight):
            case rolling.RollFinished():
                self._report(f"Finished: {self._so_far}, and the cluster is steady.")
                return True
            case rolling.RollBlocked(reason):
                raise CommandError(reason, ExitCode.FINDINGS)
            case rolling.RollWait(problems):
                self._patience.wait(problems, self._so_far)
            case rolling.HandOverLeadership(node, to):
                self._hand_over(node, to)
            case rolling.RestartNode(node):
                self._restart(node)
        return False

    def _look(self) -> rolling.RollView | None:
        """Look at the cluster; ``None`` while that is not possible, as when its only controller is restarted."""
        try:
            return self._port.look()
        except (UnreachableError, ApiError) as error:
            if isinstance(error, ApiError) and error.code not in PASSING:
                raise
            is_expected = self._in_flight is not None and self._in_flight.controller is not None
            problem = rolling.RollProblem(None, f"the cluster cannot be read: {error}", is_expected=is_expected)
            self._patience.wait((problem,), self._so_far)
            return None

    def _hand_over(self, node: rolling.RollNode, to: NodeId) -> None:
        text = f"Handing the leadership from {node.node_id} to {to}, before {node.node_id} is restarted."
        if text != self._handing:
            self._report(text)
            self._handing = text
        try:
            self._port.hand_over(to)
        except UnreachableError as error:
            self._not_handed_over(node, str(error))
        except ApiError as error:
            self._not_handed_over(node, f"{error.message} ({error.code.name})")
        else:
            # A leadership that keeps coming back takes the time of one step.
            if self._handed_over != node:
                self._handed_over = node
                self._patience.begin()

    def _not_handed_over(self, node: rolling.RollNode, reason: str) -> None:
        problem = rolling.RollProblem(node.node_id, f"the leadership was not handed over: {reason}", is_expected=True)
        self._patience.wait((problem,), self._so_far)

    def _restart(self, node: rolling.RollNode) -> None:
        words = self._command.for_node(node)
        self._report(f"[{self._done + 1}/{len(self._plan.nodes)}] Restarting {node_text(node)}: {shown(words)}")
        self._in_flight, self._ordered_s = node, self._port.now_s()
        try:
            code = self._port.restart(words, self._wait_s)
        except CommandError as error:
            raise CommandError(f"node {node.node_id}: {error}; {self._way_out}") from error
        if code:
            what = f"ended with exit code {code}" if code > 0 else f"was ended by signal {-code}"
            raise CommandError(f"node {node.node_id}: {shown(words)} {what}; {self._way_out}")
        self._patience.begin()

    @property
    def _way_out(self) -> str:
        return f"{self._so_far}. Let that node run, then the same command goes on from here"

    def _note_back(self, node: rolling.RollNode) -> None:
        took_s = self._port.now_s() - self._ordered_s
        self._report(f"Node {node.node_id} is back and caught up, {took_s:.0f} s after its restart began.")
        self.result.restarted.append(node.node_id)
        self._in_flight = None
        self._patience.begin()


class _StepPatience:
    """How long the present step is waited for, and what for."""

    def __init__(self, port: RollPort, report: Callable[[str], None], wait_s: float) -> None:
        self._port = port
        self._report = report
        self._wait_s = wait_s
        self._give_up_s = min(GIVE_UP_S, wait_s / 2)
        self.begin()

    def begin(self) -> None:
        """Start the time of the next step."""
        self._since_s = self._port.now_s()
        self._wrong_since_s: float | None = None
        self._first_look: rolling.RollView | None = None
        self._reported = ""

    def first_look(self, view: rolling.RollView) -> rolling.RollView:
        """Return the first look in this step, or since the leadership moved; this one when there was none."""
        first = self._first_look
        if first is None or first.quorum.leader_epoch != view.quorum.leader_epoch:
            first = self._first_look = view
        return first

    def wait(self, problems: Sequence[rolling.RollProblem], so_far: str) -> None:
        """Pause; report what for, unless only numbers in it have changed.

        Raises:
            CommandError: the step has taken its time, or something was wrong for long that no restart explains.
        """
        text = "; ".join(problem.what for problem in problems)
        without_numbers = _NUMBERS.sub("", text)
        now_s = self._port.now_s()
        if without_numbers != self._reported and now_s - self._since_s >= SILENT_S:
            self._report(f"Waiting: {text}.")
            self._reported = without_numbers
        unexpected = [problem.what for problem in problems if not problem.is_expected]
        if not unexpected:
            self._wrong_since_s = None
        elif self._wrong_since_s is None:
            self._wrong_since_s = now_s
        elif now_s - self._wrong_since_s > self._give_up_s:
            raise CommandError(
                f"no node is restarted while {'; '.join(unexpected)}; {so_far}. See to it (kraftpy doctor), then the "
                "same command goes on from here",
                ExitCode.FINDINGS,
            )
        if now_s - self._since_s > self._wait_s:
            raise CommandError(
                f"after {self._wait_s:g} s still: {text}; {so_far}. The same command goes on from here (--wait waits "
                "longer)"
            )
        self._port.pause()


def node_text(node: rolling.RollNode) -> str:
    """Name a node with its role and host."""
    return f"{node.role} {node.node_id}{f' on {node.host}' if node.host else ''}"


# The world.


class ClusterReader:
    """Reads a cluster whose nodes come and go: any controller that has registered may answer.

    Args:
        runner: the one event loop of the command.
        bootstrap: where to begin.
        timeout: of one request, in seconds.
        with_topics: whether the topics are read, too.
    """

    def __init__(
        self, runner: asyncio.Runner, bootstrap: tuple[str, ...], timeout: float, *, with_topics: bool
    ) -> None:
        self._runner = runner
        self._bootstrap = self._endpoints = bootstrap
        self._timeout = timeout
        self._with_topics = with_topics

    def view(self, *, prints_waits: bool = True) -> rolling.RollView:
        """Read members, partitions and the quorum; in this order, a row of the quorum is of the process registered."""
        read = Read(Consistency.LINEARIZABLE)
        with self.connected(prints_waits=prints_waits) as client:
            cluster = client.describe_cluster(read)
            topics = client.describe_topics((), read).topics if self._with_topics else ()
            quorum = client.describe_quorum()
        known = [address for _, address in grpc_addresses(cluster)[:CONTROLLERS_MAX]]
        self._endpoints = tuple(dict.fromkeys((*self._bootstrap, *known)))
        return rolling.RollView(cluster=cluster, quorum=quorum, topics=topics)

    def two_views(self) -> tuple[rolling.RollView, rolling.RollView]:
        """Read twice, with a time between in which every node that runs fetches."""
        before = self.view()
        with waiting_for("the nodes to fetch, before the cluster is read again"):
            time.sleep(FETCHED_S)
            return before, self.view(prints_waits=False)

    @contextmanager
    def connected(self, *, prints_waits: bool) -> Iterator[ClusterClient]:
        """Give a connection to whichever controller answers."""
        with connection.connect(self._endpoints, self._timeout, self._runner, prints_waits=prints_waits) as client:
            yield client


class SystemRollPort:
    """The world: the cluster, processes, the clock and the signals that end the command."""

    def __init__(self, reader: ClusterReader, signals: Sequence[int]) -> None:
        self._reader = reader
        self._signals = signals
        self._clock = SystemClock()
        self._look_s = 0.0
        self._has_looked = False

    def look(self) -> rolling.RollView:
        """Read the cluster; after the first look the runner reports what it waits for."""
        began_s, prints_waits = self.now_s(), not self._has_looked
        self._has_looked = True
        try:
            return self._reader.view(prints_waits=prints_waits)
        finally:
            self._look_s = self.now_s() - began_s

    def hand_over(self, to: NodeId) -> None:
        """Let this voter lead, and return when it does."""
        with self._reader.connected(prints_waits=False) as client:
            client.transfer_leadership(to)

    def restart(self, words: tuple[str, ...], timeout_s: float) -> int:
        """Run a command; a second signal ends it halfway."""
        return run_words(words, timeout_s, hurry=lambda: len(self._signals) > 1)

    def now_s(self) -> float:
        """Return the time of the monotonic clock."""
        return self._clock.now_ms() / 1_000

    def pause(self) -> None:
        """Leave the cluster alone as long as the last look took, so that looks of a large one are half of its time."""
        time.sleep(max(PAUSE_S, self._look_s))

    @property
    def interrupted_by(self) -> ExitCode | None:
        """The code of the first signal."""
        if not self._signals:
            return None
        return ExitCode.INTERRUPTED if self._signals[0] == signal.SIGINT else ExitCode.TERMINATED


@contextmanager
def noted_signals() -> Iterator[list[int]]:
    """Note SIGINT and SIGTERM instead of ending at once; give the list of them."""
    received: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        del frame
        received.append(number)

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
