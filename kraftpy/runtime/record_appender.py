"""Append what the controller decided: rehearsed, encoded and proposed, then replayed by the controller.

Each step may reject the records, and none has an effect before the proposal. After it the log has them, so the
controller must take them in, or the node stops.

Must not depend on: who waits for the result (``controller_loop``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import structlog

from kraftpy.controller.broker_events import BrokerEvent
from kraftpy.controller.controller import Controller
from kraftpy.controller.result import ControllerResult
from kraftpy.image import ReplayError
from kraftpy.model.errors import ApiError, BusyError, ErrorCode, LocalError, NotLeaderError, TooLargeError
from kraftpy.model.invariant import InvariantViolation
from kraftpy.model.offsets import Epoch, Offset
from kraftpy.raft.replica import Replica
from kraftpy.records.authors import with_author

_log = structlog.get_logger("kraftpy.controller")


class RecordAppender:
    """The way from a controller's decision into the log.

    Args:
        controller: whose decisions these are.
        replica: of this node, which must lead.
        note_defect: logs and counts an unexpected error under the kind of request that caused it.
        on_not_leader: called when the replica turns out not to lead.
        on_broker_event: called with what happens to a broker, and the offset of the last record of that.

    Attributes:
        last_appended: the offset of the last record that was appended; -1 before the first.
    """

    __slots__ = ("_controller", "_note_defect", "_on_broker_event", "_on_not_leader", "_replica", "last_appended")

    def __init__(
        self,
        controller: Controller,
        replica: Replica,
        note_defect: Callable[[str, Exception], None],
        on_not_leader: Callable[[], None],
        on_broker_event: Callable[[BrokerEvent, Offset], None],
    ) -> None:
        self._controller = controller
        self._replica = replica
        self._note_defect = note_defect
        self._on_not_leader = on_not_leader
        self._on_broker_event = on_broker_event
        self.last_appended: Offset = -1

    def append(self, result: ControllerResult, now_ms: int, request: str, author: bytes = b"") -> Offset:
        """Propose a result, part by part, and let the controller replay what the log accepted.

        A rejection of a later part of a non-atomic result leaves the earlier parts in the log; each is valid by itself.

        Args:
            result: what was decided.
            now_ms: the time.
            request: what its errors are counted as.
            author: who asked for it, encoded (``records.authors``); empty for none.
        """
        offset = self.last_appended
        for part in result.parts():
            self.rehearse(part, request)
            values = with_author(part.records, self.encoded(part, request), author)
            try:
                offset = self.propose(part, values, now_ms)
            except BusyError as error:
                raise ApiError(ErrorCode.THROTTLING_QUOTA_EXCEEDED, str(error)) from error
        return offset

    def propose(self, part: ControllerResult, values: Sequence[bytes], now_ms: int) -> Offset:
        """Append a part that was rehearsed and encoded; return the offset of its last record.

        Raises:
            BusyError: the log takes nothing at the moment.
            ApiError: it does not take this, or this node no longer leads.
        """
        epoch: Epoch = self._controller.epoch
        try:
            offset = self._replica.propose(now_ms, epoch, values)
        except NotLeaderError as error:
            self._on_not_leader()
            raise ApiError(ErrorCode.NOT_CONTROLLER, str(error)) from error
        except TooLargeError as error:
            raise ApiError(ErrorCode.POLICY_VIOLATION, str(error)) from error
        except BusyError:
            raise
        except LocalError as error:
            raise ApiError(ErrorCode.INVALID_REQUEST, str(error)) from error
        self._replay(part, offset, epoch)
        self.last_appended = offset
        if part.broker_event is not None:
            self._on_broker_event(part.broker_event, offset)
        return offset

    def rehearse(self, part: ControllerResult, request: str) -> None:
        """Replay a part on the side: what can fail of it fails here, before it is in the log.

        Raises:
            ApiError: it cannot be replayed.
        """
        try:
            self._controller.validate_replay(part)
        except ReplayError as error:
            # A bug of ours, found while it can still do no harm: in the log, every node would stop at this record.
            _log.error("write_refused_by_rehearsal", reason=str(error))
            raise ApiError(
                ErrorCode.UNKNOWN_SERVER_ERROR, f"nothing was written, because no node could apply it: {error}"
            ) from error
        except Exception as error:
            raise self.refuse_unexpected(request, error) from error

    def encoded(self, part: ControllerResult, request: str) -> Sequence[bytes]:
        """Return the records of a part as bytes.

        Raises:
            ApiError: the present feature level cannot write one of them.
        """
        try:
            return self._controller.encode(part)
        except LocalError as error:
            # A record that the current feature level cannot encode: the request is rejected, the node continues.
            raise ApiError(ErrorCode.INVALID_REQUEST, str(error)) from error
        except Exception as error:
            raise self.refuse_unexpected(request, error) from error

    def _replay(self, part: ControllerResult, offset: Offset, epoch: Epoch) -> None:
        """Let the controller take in what the log took.

        Raises:
            InvariantViolation: it cannot. The log and what is decided from differ from here on, so the node must stop.
        """
        try:
            self._controller.appended(part, offset, epoch)
        except Exception as error:
            raise InvariantViolation(f"what was rehearsed and proposed is taken in [{offset}, {error!r}]") from error

    def upgrade_kraft_version(self, level: int, now_ms: int, *, validate_only: bool) -> Offset:
        """Let the quorum go to a kraft.version; return the offset to wait for."""
        try:
            offset = self._replica.upgrade_kraft_version(
                now_ms, self._controller.epoch, level, validate_only=validate_only
            )
        except NotLeaderError as error:
            raise ApiError(ErrorCode.NOT_CONTROLLER, str(error)) from error
        except LocalError as error:
            raise ApiError(ErrorCode.INVALID_UPDATE_VERSION, f"Invalid kraft.version {level}: {error}") from error
        if offset is not None:
            self.last_appended = offset
        return self.last_appended

    def refuse_unexpected(self, request: str, error: Exception) -> ApiError:
        """Log an unexpected error, and return it as the rejection of the request that caused it.

        Deciding, rehearsing and encoding change only state that the next request relies on as well (images that were
        built, times of heartbeats), and all of them precede the proposal. So nothing has to be undone.
        """
        self._note_defect(request, error)
        return ApiError(
            ErrorCode.UNKNOWN_SERVER_ERROR,
            f"nothing was written: a defect of the controller ({type(error).__name__}); its log has the details",
        )
