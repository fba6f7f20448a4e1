"""The port through which both wires reach the node, in values of neither.

The runtime satisfies :class:`NodeApi` structurally; tests have a fake. A method is async where the response may have to
wait for the log, and plain where it returns a fact of this moment. A refusal is an
:class:`~kraftpy.model.errors.ApiError`; a full queue a :class:`~kraftpy.model.errors.BusyError`; a write with an
unknown outcome an :class:`OutcomeUnknownError`.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol, TypeAlias

from kraftpy.broker.log_dirs import LogDirStatus
from kraftpy.controller.dedupe import NO_STAMP, Stamp
from kraftpy.controller.requests import ControllerRequest, ControllerResponse
from kraftpy.image.image import MetadataImage
from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.ids import NO_NODE, NodeId
from kraftpy.model.offsets import Epoch, LeaderAndEpoch, Offset, OffsetAndEpoch
from kraftpy.model.voters import Endpoint
from kraftpy.raft.messages import DescribeQuorumResponse
from kraftpy.tracing.write_trace import WriteTrace
from kraftpy.transport.request_errors import RequestErrors
from kraftpy.transport.work_meter import WorkMeter


class OutcomeUnknownError(ApiError):
    """The write was appended, and leadership was lost before the commit was known."""

    def __init__(self, message: str) -> None:
        super().__init__(ErrorCode.NOT_CONTROLLER, message)


class WriteRequest(NamedTuple):
    """One write on its way to the controller.

    A tuple, because one is made for every request.

    Attributes:
        request_id: 16 bytes, or empty when the client will not repeat it.
        stamp: the client's numbers of its attempts.
        timeout_ms: how long the caller waits from now on; ``None`` for no limit of its own.
        size: how many bytes the request took on the wire; 0 for the node's own.
        meter: measures the work on the request, if that is needed.
        noted: takes the outcome as soon as it is known, whether the caller waits for it or not.
        trace: notes when the write passes what it has to pass, if its call is traced.
        author: who asks, for the records that it appends (``records.authors``); empty for none.
    """

    request: ControllerRequest
    request_id: bytes = b""
    timeout_ms: int | None = None
    stamp: Stamp = NO_STAMP
    size: int = 0
    meter: WorkMeter | None = None
    noted: Callable[[Outcome], None] | None = None
    trace: WriteTrace | None = None
    author: bytes = b""


class Committed(NamedTuple):
    """A write that is durable on a majority, and published on the answering node.

    A tuple, because one is made for every request.

    Attributes:
        offset: of its last record; of the state it was decided on, when it wrote nothing.
        epoch: the leader epoch it was committed in.
        sequence: how many answers to writes with a request id that epoch had given when this one was decided.
    """

    response: ControllerResponse
    offset: Offset
    epoch: Epoch
    sequence: int = 0


Outcome: TypeAlias = Committed | ApiError
"""The outcome of one write of a group; errors are returned, because each write has its own."""


@dataclass(frozen=True, slots=True)
class ReadAt:
    """What a read asks of the state that it is answered from; see ``ReadOptions`` of the API.

    Attributes:
        min_offset: what the state has to contain; ``None`` for nothing in particular.
        wait_ms: how long to wait at most; ``None`` for as long as the node allows.
    """

    consistency: Consistency = Consistency.COMMITTED
    min_offset: Offset | None = None
    wait_ms: int | None = None

    @property
    def waits(self) -> bool:
        """Whether it may have to wait at all."""
        return self.consistency is not Consistency.COMMITTED or self.min_offset is not None


AS_IT_IS: Final = ReadAt()
"""A read of whatever is committed here."""


@dataclass(frozen=True, slots=True)
class MetadataView:
    """A state that reads are answered from; see ``ReadPosition`` of the API for the meaning of the numbers.

    Attributes:
        offset: the last offset contained in ``image``; -1 for none.
        cluster_id: as this node knows it, from the log or from its files.
        supported_features: name, lowest and highest level of this node's software.
        kraft_version: the level of kraft.version in force, from the quorum's own records.
        consistency: what it may be relied on for.
        acls_enabled: whether an authorizer enforces access control entries.
        node_id: of this node.
        topic_settings: what this node's file sets of the brokers' keys that topics take values from.
        file_settings: what it sets of all the keys that this node describes.
    """

    offset: Offset
    epoch: Epoch
    age_ms: int
    image: MetadataImage
    cluster_id: str | None = None
    supported_features: tuple[tuple[str, int, int], ...] = ()
    kraft_version: int = 0
    consistency: Consistency = Consistency.COMMITTED
    acls_enabled: bool = False
    node_id: NodeId = NO_NODE
    topic_settings: Mapping[str, str] = field(default_factory=dict)
    file_settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LeaderHint:
    """Who the active controller is.

    Attributes:
        endpoint: where it serves this API; ``None`` when that is not known.
        sequence: if it is this node: how many answers to writes with a request id it has given in that epoch.
    """

    node_id: NodeId
    epoch: Epoch
    endpoint: Endpoint | None = None
    sequence: int | None = None


@dataclass(frozen=True, slots=True)
class OffsetGone:
    """The log no longer reaches back that far; ``snapshot_id`` is where its snapshot goes on from."""

    snapshot_id: OffsetAndEpoch


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot to be streamed.

    Attributes:
        snapshot_id: exclusive end offset, and the epoch of the last offset contained.
        chunks: whole record batches, a bounded number of bytes at a time; closed by the consumer.
    """

    snapshot_id: OffsetAndEpoch
    chunks: AsyncGenerator[bytes, None]


class NodeApi(Protocol):
    """A node, as its clients see it.

    Attributes:
        request_errors: where unexpected errors are counted.
    """

    request_errors: RequestErrors

    def now_ms(self) -> int:
        """Return the time by the clock of decisions (ms)."""
        ...

    async def submit_many(self, submissions: Sequence[WriteRequest]) -> Sequence[Outcome]:
        """Decide these writes in order, commit them together, and return one outcome for each, in order.

        Submissions are queued before the first wait, so calls made one after another are decided in that order.
        Cancelling abandons the wait, not the writes.

        Raises:
            BusyError: the queue is full; none of the writes was taken.
        """
        ...

    def view(self) -> MetadataView:
        """Return the newest published state.

        Raises:
            ApiError: OFFSET_NOT_AVAILABLE, when it is older than what this node had before it started, or not loaded.
        """
        ...

    async def describe_log_dirs(self) -> tuple[NodeId, Sequence[LogDirStatus]]:
        """Return this node's id and its log directories, ascending by path; none if it is no broker."""
        ...

    def newest_view(self) -> MetadataView:
        """Return the newest state there is, loaded or not: for requests about the node itself and the quorum."""
        ...

    async def view_at(self, at: ReadAt) -> MetadataView:
        """Return the published state once it is what a read asks for.

        Cancelling forgets the read.

        Raises:
            ApiError: NOT_CONTROLLER, for a linearizable read of a node that does not lead; REQUEST_TIMED_OUT.
            BusyError: too many reads wait already.
        """
        ...

    async def describe_quorum(self) -> DescribeQuorumResponse:
        """Ask the replica. An ``error`` or ``partition_error`` in the answer is a refusal."""
        ...

    async def transfer_leadership(self, successor: NodeId, *, validate_only: bool = False) -> LeaderAndEpoch:
        """Hand the leadership to a voter, and return who leads once it does; with ``validate_only``, who leads now.

        Raises:
            ApiError: this node does not lead, the voter cannot take over, or did not in time.
        """
        ...

    def committed_end(self) -> Offset | None:
        """Return up to where :meth:`read_committed` can read now; ``None`` while nothing can be read.

        Raises:
            ApiError: as :meth:`read_committed`, when this node's state must not be read.
        """
        ...

    async def read_committed(self, from_offset: Offset, max_bytes: int) -> bytes | OffsetGone:
        """Read whole batches below the high watermark, starting with the one that contains ``from_offset``.

        Returns at least one batch if there is one, whatever its size, and ``b""`` at the high watermark, or while
        nothing can be read because a snapshot is replacing the log: :meth:`wait_committed` waits for the end of that.

        Raises:
            ApiError: OFFSET_OUT_OF_RANGE, when ``from_offset`` is beyond the high watermark.
        """
        ...

    async def wait_committed(self, offset: Offset) -> None:
        """Wait until the high watermark is above ``offset``."""
        ...

    async def open_snapshot(self, after: Offset) -> Snapshot:
        """Open the latest snapshot on disk, or one made of the newest published state when there is none.

        Its end is above ``after``.

        Raises:
            ApiError: BROKER_NOT_AVAILABLE, when there is nothing that ends above ``after``.
        """
        ...

    async def open_image(self) -> Snapshot:
        """Turn the newest published state into snapshot records."""
        ...

    def leader_hint(self) -> LeaderHint | None:
        """Return the active controller, or ``None`` while none is known."""
        ...
