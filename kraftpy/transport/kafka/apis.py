"""Which APIs a listener offers, and who handles each: a table, open to more.

Raft's APIs are filled in by the listener itself. Control calls over Kafka's protocol register their own row: api key,
versions, and a function from the decoded request to its response, or to ``None`` when the response comes later through
:meth:`WireRequest.answer`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

from kraftpy.authorizer.actions import Caller
from kraftpy.model.errors import ErrorCode
from kraftpy.model.identity import Principal
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import API_VERSIONS, body_decoder
from kraftpy.transport.administrative_changes import RequestIds
from kraftpy.transport.authorization import host_of
from kraftpy.transport.kafka.items import ITEMS_MAX
from kraftpy.transport.work_meter import WorkMeter

API_VERSIONS_KEY: Final = 18
ZERO_MINIMUM_VERSION: Final = 4
"""From this version on, ApiVersions can say that a feature's lowest level is 0 (KAFKA-17011)."""


class Row(Protocol):
    """Where requests of one connection wait for their answers, in order.

    Attributes:
        principal: who made the connection.
        address: the IP address of the connection's other end.
        software: name and version of the other end's software, as its ApiVersions request says; empty for none.
    """

    principal: Principal
    address: str
    software: str

    def complete(self, request: WireRequest, message: Message) -> None:
        """Take a request's answer."""
        ...

    def break_off(self, request: WireRequest, error: Exception) -> None:
        """Close the connection because handling the request raised an unexpected error, and record that."""
        ...

    def fail(self, reason: str) -> None:
        """End the connection."""
        ...


class WireRequest:
    """A decoded request, and its place in its connection's row.

    Attributes:
        row: the connection that it came by.
        message: the decoded body.
        token: names a request of Raft's to the core; 0 in all others.
        size: how many bytes its frame had.
        payload: the encoded answer, once there is one.
        forwarded_caller: who made the request, when a broker forwards it in an Envelope.
        client_id: from the request's header, of requests that a quota may apply to; it is no longer than the frame.
        meter: measures the work on the request; ``None`` when that is not needed.
        entered_s: when it was decoded, by the event loop's clock (s).
    """

    __slots__ = (
        "api_key", "client_id", "correlation_id", "entered_s", "forwarded_caller", "message", "meter", "payload", "row",
        "size", "token", "version",
    )  # fmt: skip

    def __init__(
        self,
        row: Row,
        api_key: int,
        version: int,
        correlation_id: int,
        message: Any,
        size: int = 0,
        forwarded_caller: Caller | None = None,
        client_id: str = "",
        meter: WorkMeter | None = None,
        entered_s: float = 0.0,
    ) -> None:
        self.row = row
        self.api_key = api_key
        self.version = version
        self.correlation_id = correlation_id
        self.message = message
        self.size = size
        self.token = 0
        self.payload: bytes | None = None
        self.forwarded_caller = forwarded_caller
        self.client_id = client_id
        self.meter = meter
        self.entered_s = entered_s

    @property
    def principal(self) -> Principal:
        """Who made the connection that it came by."""
        return self.row.principal

    @property
    def caller(self) -> Caller:
        """Who made the request, and from where, as an authorizer is asked."""
        if self.forwarded_caller is not None:
            return self.forwarded_caller
        principal = self.row.principal
        return Caller(
            principal.name,
            host_of(self.row.address),
            is_token_authenticated=principal.by_token,
            is_by_sasl=principal.by_sasl,
        )

    @property
    def ids(self) -> RequestIds:
        """How its client finds it."""
        return RequestIds(correlation_id=self.correlation_id, client_id=self.client_id)

    def answer(self, message: Message) -> None:
        """Answer, now or later, once; without effect when the connection is gone."""
        self.row.complete(self, message)

    def answer_made(self, make: Callable[[], Message]) -> None:
        """Answer with what ``make`` returns; when it raises, the connection ends and nothing else does.

        Answers are made in callbacks of the node's driver, where an exception would end the process.
        """
        if self.meter is None:
            self._make_answer(make)
        else:
            with self.meter:
                self._make_answer(make)

    def _make_answer(self, make: Callable[[], Message]) -> None:
        try:
            message = make()
        except Exception as error:  # noqa: BLE001 - no request ends the process
            self.break_off(error)
        else:
            self.answer(message)

    def break_off(self, error: Exception) -> None:
        """Close the connection because handling the request raised an unexpected error, and record that."""
        self.row.break_off(self, error)

    def drop(self, reason: str) -> None:
        """End the connection: there will be no answer."""
        self.row.fail(reason)


Handler: TypeAlias = Callable[[WireRequest], Message | None]
BodyDecoder: TypeAlias = Callable[[bytes, int], Any]
"""Reads the message that starts at an offset of a frame, and ends with it; raises MalformedError."""


@dataclass(frozen=True, slots=True)
class Api:
    """One row: an api, the versions offered, what handles it, and how many items a request may hold."""

    api_key: int
    min_version: int
    max_version: int
    handle: Handler
    items_max: int = ITEMS_MAX


@dataclass(frozen=True, slots=True)
class Route:
    """What to do with one version of an api."""

    decode: BodyDecoder
    handle: Handler
    is_flexible: bool
    items_max: int = ITEMS_MAX


@dataclass(frozen=True, slots=True)
class OfferedFeatures:
    """The features in ApiVersions: supported ranges, finalized levels, and the offset these are as of.

    Attributes:
        supported: name to (lowest, highest) level of this node's software.
        finalized: name to level in force.
        epoch: the offset that the finalized levels are as of; -1 while unknown.
    """

    supported: Mapping[str, tuple[int, int]]
    finalized: Mapping[str, int]
    epoch: int = -1


NO_FEATURES: Final = OfferedFeatures({}, {})


class ApiTable:
    """The rows of one listener."""

    def __init__(self) -> None:
        self.rows: dict[int, Api] = {}
        self._routes: dict[tuple[int, int], Route] = {}

    def add(self, api: Api) -> None:
        """Add a row.

        Raises:
            ValueError: when the api has a handler already, or no codec for these versions.
        """
        known = API_VERSIONS.get(api.api_key)
        if known is None or not known.min_version <= api.min_version <= api.max_version <= known.max_version:
            raise ValueError(f"api {api.api_key} versions {api.min_version} to {api.max_version} have no codec")
        if api.api_key in self.rows:
            raise ValueError(f"api {api.api_key} ({known.name}) has a handler already")
        self.rows[api.api_key] = api

    def __iter__(self) -> Iterator[Api]:
        return iter(sorted(self.rows.values(), key=lambda api: api.api_key))

    def find(self, api_key: int, version: int) -> Route | None:
        """Return what handles this version of the api; codecs are not loaded before they are asked for."""
        route = self._routes.get((api_key, version))
        if route is None:
            api = self.rows.get(api_key)
            if api is not None and api.min_version <= version <= api.max_version:
                decode = body_decoder(api_key, version)
                is_flexible = version >= API_VERSIONS[api_key].flexible_from
                route = self._routes[api_key, version] = Route(decode, api.handle, is_flexible, api.items_max)
        return route

    def versions_response(self, version: int, features: OfferedFeatures) -> rpc.ApiVersionsResponse:
        """Answer ApiVersions."""
        return rpc.ApiVersionsResponse(
            api_keys=[rpc.ApiVersionsResponseApiVersion(api.api_key, api.min_version, api.max_version) for api in self],
            supported_features=[
                rpc.ApiVersionsResponseSupportedFeatureKey(name, low, high)
                for name, (low, high) in sorted(features.supported.items())
                if low > 0 or version >= ZERO_MINIMUM_VERSION
            ],
            finalized_features_epoch=features.epoch,
            finalized_features=[
                rpc.ApiVersionsResponseFinalizedFeatureKey(name, level, level)
                for name, level in sorted(features.finalized.items())
            ],
        )

    def unsupported_versions_response(self) -> rpc.ApiVersionsResponse:
        """Answer an ApiVersions request of a version to come: in version 0, with the versions that are known here.

        Source: KIP-511.
        """
        own = API_VERSIONS[API_VERSIONS_KEY]
        return rpc.ApiVersionsResponse(
            error_code=ErrorCode.UNSUPPORTED_VERSION,
            api_keys=[rpc.ApiVersionsResponseApiVersion(API_VERSIONS_KEY, own.min_version, own.max_version)],
        )
