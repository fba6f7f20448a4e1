"""What is checked of a request and its caller before the controller decides it; for both wires.

In this order: whether the certificate may speak for the node that the request is about (``identity``), who asks for a
delegation token, and what the authorizer allows (``authorization``).

A client with a delegation token acts as its owner, so only an authenticated caller gets one: one with a certificate or
one that SASL authenticated, or one that a broker authenticated and names in an Envelope. A caller that authenticated
itself with a token gets no other. For another owner the caller needs CREATE_TOKENS on that user.

The outcome of an administrative change is followed, for the log (``administrative_changes``), and its records name who
asked for it (:mod:`kraftpy.records.authors`).

A request that alters configs is marked when a broker forwards it: that broker has judged what only it knows.

Source: Kafka ``ControllerApis.allowTokenRequests``; KIP-48, KIP-373, KIP-1066.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from kraftpy.authorizer.actions import AclResource, Caller
from kraftpy.controller.delegation_token_requests import (
    CreateDelegationToken,
    ExpireDelegationToken,
    RenewDelegationToken,
)
from kraftpy.controller.requests import ControllerRequest, IncrementalAlterConfigs, ReplaceConfigs
from kraftpy.model.acls import AclOperation, AclResourceType
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.identity import ANONYMOUS_NAME, Principal
from kraftpy.records.authors import Author, encode_author
from kraftpy.transport.administrative_changes import NO_IDS, AdministrativeChanges, RequestIds, is_change
from kraftpy.transport.authorization import Admitted, Authorization, principal_name
from kraftpy.transport.identity import NodeIdentity

TokenRequestT = TypeVar("TokenRequestT", CreateDelegationToken, RenewDelegationToken, ExpireDelegationToken)


class RequestChecks:
    """Checks requests.

    Args:
        identity: compares requests with the certificates of those who make them, if given.
        authorization: decides which requests a caller may make, if given.
        changes: the log of administrative changes, if given.
    """

    def __init__(
        self,
        identity: NodeIdentity | None = None,
        authorization: Authorization | None = None,
        changes: AdministrativeChanges | None = None,
    ) -> None:
        self._identity = identity
        self._authorization = authorization
        self._changes = changes

    def admit(
        self, request: ControllerRequest, principal: Principal, caller: Caller, ids: RequestIds = NO_IDS
    ) -> Admitted:
        """Return what of a request its caller may do.

        Args:
            request: what is asked.
            principal: of the connection's certificate.
            caller: who asks, and from where.
            ids: how its client finds it.

        Raises:
            ApiError: CLUSTER_AUTHORIZATION_FAILED, DELEGATION_TOKEN_REQUEST_NOT_ALLOWED,
                DELEGATION_TOKEN_AUTHORIZATION_FAILED, OFFSET_NOT_AVAILABLE.
        """
        admitted = self._admitted(request, principal, caller)
        if self._changes is None or not is_change(request):
            return admitted
        name = principal_name(caller, self._authorization)
        noted = self._changes.follow(request, caller, name, ids, admitted.outcome)
        author = b""
        if self._changes.names_authors:
            author = encode_author(Author(name, ids.client_id, ids.request_id, ids.correlation_id))
        return Admitted(admitted.request, admitted.complete, noted, author)

    def _admitted(self, request: ControllerRequest, principal: Principal, caller: Caller) -> Admitted:
        if self._identity is not None:
            self._identity.check(request, principal)
        match request:
            case CreateDelegationToken():
                asked = self._by(request, caller)
                self._check_owner(asked, caller)
                return Admitted(asked)
            # The HMAC and the principal are the permission to change a token.
            case RenewDelegationToken():
                return Admitted(self._by(request, caller))
            case ExpireDelegationToken():
                return Admitted(self._by(request, caller))
            case IncrementalAlterConfigs() | ReplaceConfigs():
                request = request._replace(judged_by_broker=_is_by_broker(caller))
        return Admitted(request) if self._authorization is None else self._authorization.admit(request, caller)

    def _by(self, request: TokenRequestT, caller: Caller) -> TokenRequestT:
        """Return the request with the name of who asks."""
        name = caller.principal if self._authorization is None else self._authorization.name_of(caller)
        if caller.is_token_authenticated or name is None or _is_stranger(name, caller):
            raise ApiError(
                ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED,
                "Only a client with a certificate, or one that SASL or a broker authenticated without a delegation "
                "token, may create, renew or expire delegation tokens.",
            )
        return replace(request, requester=name)

    def _check_owner(self, request: CreateDelegationToken, caller: Caller) -> None:
        if self._authorization is None or request.owner is None or request.owner == request.requester:
            return
        owner = AclResource(AclResourceType.USER, request.owner)
        if self._authorization.denial(caller, AclOperation.CREATE_TOKENS, owner) is not None:
            raise ApiError(
                ErrorCode.DELEGATION_TOKEN_AUTHORIZATION_FAILED,
                f"{request.requester} may not create delegation tokens for {request.owner[:200]}: it needs "
                "CREATE_TOKENS on that USER.",
            )


def _is_stranger(name: str, caller: Caller) -> bool:
    return name == ANONYMOUS_NAME and not (_is_by_broker(caller) or caller.is_by_sasl)


def _is_by_broker(caller: Caller) -> bool:
    return caller.is_forwarded and not caller.is_by_node
