"""Refusals on the public API: which gRPC status, and the detail that travels with it.

``errors.proto`` has the table for users. The detail goes into ``grpc-status-details-bin`` in the form of
google.rpc.Status, which grpcurl and other clients unpack by themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NoReturn

import grpc

from kraftpy.controller.dedupe import OutcomeForgottenError
from kraftpy.model.errors import ApiError, BusyError, ErrorCode
from kraftpy.pb.v1 import common_pb2, errors_pb2
from kraftpy.tracing.spans import CURRENT_SPAN
from kraftpy.transport.node_api import LeaderHint, OutcomeUnknownError

DETAILS_KEY: Final = "grpc-status-details-bin"

_STATUSES: Final = {
    grpc.StatusCode.UNAVAILABLE: (
        ErrorCode.NOT_CONTROLLER, ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.LEADER_NOT_AVAILABLE,
        ErrorCode.BROKER_NOT_AVAILABLE, ErrorCode.NETWORK_EXCEPTION, ErrorCode.OFFSET_NOT_AVAILABLE,
    ),
    grpc.StatusCode.DEADLINE_EXCEEDED: (ErrorCode.REQUEST_TIMED_OUT,),
    grpc.StatusCode.ABORTED: (ErrorCode.FENCED_LEADER_EPOCH,),
    grpc.StatusCode.RESOURCE_EXHAUSTED: (
        ErrorCode.THROTTLING_QUOTA_EXCEEDED, ErrorCode.MESSAGE_TOO_LARGE, ErrorCode.RECORD_LIST_TOO_LARGE,
    ),
    grpc.StatusCode.INVALID_ARGUMENT: (
        ErrorCode.INVALID_REQUEST, ErrorCode.INVALID_CONFIG, ErrorCode.INVALID_REGISTRATION,
        ErrorCode.INVALID_TOPIC_EXCEPTION, ErrorCode.POLICY_VIOLATION, ErrorCode.MISMATCHED_ENDPOINT_TYPE,
    ),
    grpc.StatusCode.NOT_FOUND: (
        ErrorCode.BROKER_ID_NOT_REGISTERED, ErrorCode.CONTROLLER_ID_NOT_REGISTERED,
        ErrorCode.RESOURCE_NOT_FOUND, ErrorCode.UNKNOWN_CONTROLLER_ID,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.UNKNOWN_TOPIC_ID, ErrorCode.SNAPSHOT_NOT_FOUND,
    ),
    grpc.StatusCode.ALREADY_EXISTS: (ErrorCode.DUPLICATE_BROKER_REGISTRATION, ErrorCode.DUPLICATE_RESOURCE),
    grpc.StatusCode.OUT_OF_RANGE: (ErrorCode.OFFSET_OUT_OF_RANGE, ErrorCode.POSITION_OUT_OF_RANGE),
    grpc.StatusCode.PERMISSION_DENIED: (
        ErrorCode.CLUSTER_AUTHORIZATION_FAILED,
        ErrorCode.TOPIC_AUTHORIZATION_FAILED,
        ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED,
        ErrorCode.DELEGATION_TOKEN_AUTHORIZATION_FAILED,
        ErrorCode.DELEGATION_TOKEN_OWNER_MISMATCH,
    ),
    grpc.StatusCode.UNAUTHENTICATED: (
        ErrorCode.SASL_AUTHENTICATION_FAILED, ErrorCode.UNSUPPORTED_SASL_MECHANISM, ErrorCode.ILLEGAL_SASL_STATE,
    ),
    grpc.StatusCode.INTERNAL: (ErrorCode.UNKNOWN_SERVER_ERROR, ErrorCode.KAFKA_STORAGE_ERROR),
}  # fmt: skip
_STATUS_BY_CODE: Final[Mapping[int, grpc.StatusCode]] = {
    code: status for status, codes in _STATUSES.items() for code in codes
}

_NAMES_LEADER: Final = {ErrorCode.NOT_CONTROLLER, ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.FENCED_LEADER_EPOCH}


def status_of(detail: errors_pb2.ErrorDetail) -> grpc.StatusCode:
    """Choose the gRPC status; what has no better one is a state that does not allow the request."""
    if detail.outcome_unknown and detail.code != ErrorCode.REQUEST_TIMED_OUT:
        return grpc.StatusCode.UNKNOWN
    return _STATUS_BY_CODE.get(detail.code, grpc.StatusCode.FAILED_PRECONDITION)


def detail_of(error: Exception, leader: LeaderHint | None, *, is_write: bool = False) -> errors_pb2.ErrorDetail:
    """Describe an exception of the backend.

    Args:
        error: what was raised, or returned in place of a result.
        leader: sent with NOT_CONTROLLER and FENCED_LEADER_EPOCH.
        is_write: whether something may have been written when the error does not state it.
    """
    match error:
        case ApiError():
            detail = _detail(error.code, error.message)
            detail.outcome_unknown = isinstance(error, OutcomeUnknownError | OutcomeForgottenError)
            if isinstance(error, OutcomeForgottenError) and error.settled_offset is not None:
                detail.settled_offset = error.settled_offset
            if error.code in _NAMES_LEADER and leader is not None:
                detail.leader.CopyFrom(leader_to_pb(leader))
        case BusyError():
            detail = _detail(ErrorCode.THROTTLING_QUOTA_EXCEEDED, str(error))
        case TimeoutError():
            detail = _detail(ErrorCode.REQUEST_TIMED_OUT, "the deadline passed before the request was answered")
            detail.outcome_unknown = is_write
        case _:
            detail = _detail(ErrorCode.UNKNOWN_SERVER_ERROR, "a defect of the server; its log has the details")
            detail.outcome_unknown = is_write
    return detail


def _detail(code: ErrorCode, message: str) -> errors_pb2.ErrorDetail:
    return errors_pb2.ErrorDetail(code=code, name=code.name, message=message)


def leader_to_pb(leader: LeaderHint) -> errors_pb2.LeaderHint:
    """Say where the active controller is."""
    hint = errors_pb2.LeaderHint(node_id=leader.node_id, epoch=leader.epoch)
    if leader.endpoint is not None:
        endpoint = leader.endpoint
        hint.endpoint.CopyFrom(common_pb2.Endpoint(name=endpoint.name, host=endpoint.host, port=endpoint.port))
    return hint


def detail_in(status: bytes) -> errors_pb2.ErrorDetail:
    """Return the detail of a status that :func:`abort` made."""
    detail = errors_pb2.ErrorDetail()
    errors_pb2.Status.FromString(status).details[0].Unpack(detail)
    return detail


async def abort(context: grpc.aio.ServicerContext[Any, Any], detail: errors_pb2.ErrorDetail) -> NoReturn:
    """End a call with the status that goes with a detail."""
    span = CURRENT_SPAN.get()
    if span is not None:
        span.fail(detail.name, detail.code)
    status = status_of(detail)
    envelope = errors_pb2.Status(code=status.value[0], message=detail.message)
    envelope.details.add().Pack(detail)
    text = f"{detail.name}: {detail.message}"
    await context.abort(status, text, ((DETAILS_KEY, envelope.SerializeToString()),))
    raise AssertionError("abort returned")  # it raises; this line is for the type checker
