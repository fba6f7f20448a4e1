"""How a call of the client fails.

::

    KraftError
    ├── ApiError                the cluster refused the request; nothing was done
    └── RemoteError
        ├── UnavailableError    no node could answer before the deadline; nothing was done
        └── UnknownOutcomeError the write may or may not have been committed

A write is repeated on its own only where that is safe: when it surely was not taken, when repeating it changes nothing,
or as a retry that the controller of the same leader epoch recognises. In all other cases the caller gets
:class:`UnknownOutcomeError` and decides.
"""

from __future__ import annotations

from typing import Any, Final

import grpc

from kraftpy.model.errors import ApiError, ErrorCode, RemoteError
from kraftpy.model.offsets import Epoch, Offset
from kraftpy.pb.v1 import errors_pb2

DETAILS_KEY: Final = "grpc-status-details-bin"


class UnavailableError(RemoteError):
    """No node answered before the deadline, and nothing changed."""


class UnknownOutcomeError(RemoteError):
    """The write was sent, and the client does not know whether it was committed.

    Attributes:
        request_id: repeat the call with it and with ``first_sent_epoch``, so that the controller recognises the write.
        first_sent_epoch: the leader epoch of the write's stamp; 0 when none was known.
        settled_offset: set when no controller can know the outcome and repeating is useless: a state that contains this
            offset contains the write, if it was ever applied. If it does not, make a new call. ``None`` when there was
            no response in time, and always for a write without a stamp (``retry_unknown=True``), of which an attempt
            may still be on its way: make that call again.
    """

    def __init__(
        self, message: str, request_id: bytes, first_sent_epoch: Epoch = 0, settled_offset: Offset | None = None
    ) -> None:
        super().__init__(message)
        self.request_id = request_id
        self.first_sent_epoch = first_sent_epoch
        self.settled_offset = settled_offset


class RejectedError(ApiError):
    """A refusal with all that came with it; callers see it as its base.

    Attributes:
        leader: ``host:port`` of the active controller, when the refusal named it.
        leader_epoch: the epoch of that, or of a leader that cannot be reached.
        outcome_unknown: whether the write may have been committed all the same.
        settled_offset: see :class:`UnknownOutcomeError`.
        node: ``host:port`` of the node that refused; empty where the caller knows it.
    """

    def __init__(self, detail: errors_pb2.ErrorDetail, node: str) -> None:
        super().__init__(_code(detail.code), detail.message)
        self.node = node
        self.outcome_unknown = detail.outcome_unknown
        self.settled_offset = detail.settled_offset if detail.HasField("settled_offset") else None
        self.leader_epoch = detail.leader.epoch if detail.HasField("leader") else None
        self.leader = target(detail.leader.endpoint.host, detail.leader.endpoint.port)

    @property
    def was_not_taken(self) -> bool:
        """Whether another node, or this one later, may do what was asked."""
        return not self.outcome_unknown and self.code in {
            ErrorCode.NOT_CONTROLLER,
            ErrorCode.NOT_LEADER_OR_FOLLOWER,
            ErrorCode.LEADER_NOT_AVAILABLE,
            ErrorCode.BROKER_NOT_AVAILABLE,
            ErrorCode.OFFSET_NOT_AVAILABLE,
            ErrorCode.THROTTLING_QUOTA_EXCEEDED,
            ErrorCode.FENCED_LEADER_EPOCH,
        }

    @property
    def is_final(self) -> bool:
        """Whether no node would do what was asked, now or later. What versions support is in ``read_outcome``."""
        return not self.outcome_unknown and not self.was_not_taken

    @property
    def is_busy(self) -> bool:
        """Whether this very node may do what was asked, a little later: it is the right one, and has much to do."""
        return not self.outcome_unknown and self.code is ErrorCode.THROTTLING_QUOTA_EXCEEDED

    @property
    def is_fenced(self) -> bool:
        """Whether this node may execute the request once it is stamped with the epoch that its session reports."""
        return self.code is ErrorCode.FENCED_LEADER_EPOCH


def target(host: str, port: int) -> str | None:
    """Write an address the way gRPC takes it; ``None`` when there is none."""
    if not host or not port:
        return None
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def refusal_of(error: grpc.aio.AioRpcError, node: str = "") -> RejectedError | None:
    """Unpack the detail of a call that failed; ``None`` when a node did not answer, and the connection failed."""
    pairs: Any = error.trailing_metadata() or ()
    for key, value in pairs:
        if key == DETAILS_KEY:
            detail = errors_pb2.ErrorDetail()
            raw = value if isinstance(value, bytes) else value.encode()
            status = errors_pb2.Status.FromString(raw)
            if status.details and status.details[0].Unpack(detail):
                return RejectedError(detail, node)
    return None


def _code(number: int) -> ErrorCode:
    try:
        return ErrorCode(number)
    except ValueError:
        return ErrorCode.UNKNOWN_SERVER_ERROR
