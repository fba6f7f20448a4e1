"""TransferLeadership, for unary calls and sessions alike; each transfer is logged as an administrative change."""

from __future__ import annotations

import asyncio

from kraftpy.authorizer.actions import Caller
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.pb.v1 import quorum_pb2
from kraftpy.transport.administrative_changes import NO_IDS, UNKNOWN, AdministrativeChanges, RequestIds
from kraftpy.transport.authorization import Authorization, principal_name
from kraftpy.transport.change_kinds import TransferLeadership
from kraftpy.transport.node_api import NodeApi


class LeadershipTransfers:
    """Hands the leadership over.

    Args:
        backend: the node.
        changes: the log of administrative changes.
        authorization: names callers, if given.
    """

    def __init__(self, backend: NodeApi, changes: AdministrativeChanges, authorization: Authorization | None) -> None:
        self._backend = backend
        self._changes = changes
        self._authorization = authorization

    async def transfer(
        self, request: quorum_pb2.TransferLeadershipRequest, caller: Caller, ids: RequestIds = NO_IDS
    ) -> LeaderAndEpoch:
        """Hand the leadership to a voter, and return who leads then; or only check whether that is possible.

        Raises:
            ApiError: see :meth:`NodeApi.transfer_leadership`.
        """
        if request.validate_only:
            return await self._backend.transfer_leadership(request.node_id, validate_only=True)
        try:
            leader = await self._backend.transfer_leadership(request.node_id)
        except ApiError as error:
            if error.code is not ErrorCode.NOT_CONTROLLER:
                self._note(request, caller, ids, error.code.name)
            raise
        except asyncio.CancelledError:
            # The client has left, or its time is over; a transfer that has begun goes on.
            self._note(request, caller, ids, UNKNOWN)
            raise
        self._note(request, caller, ids, leader)
        return leader

    def _note(
        self,
        request: quorum_pb2.TransferLeadershipRequest,
        caller: Caller,
        ids: RequestIds,
        end: LeaderAndEpoch | str,
    ) -> None:
        asked = TransferLeadership(request.node_id)
        self._changes.transferred(asked, caller, principal_name(caller, self._authorization), end, ids)
