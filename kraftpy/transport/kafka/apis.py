"""Which APIs a listener offers, and who handles each: a table, open to more.

Raft's APIs are filled in by the listener itself. Control calls over Kafka's protocol register their own row: api key,
versions, and a function from the decoded request to its response, or to ``None`` when the response comes later through
:meth:`KafkaListener.answer`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from kraftpy.model.errors import ErrorCode
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import API_VERSIONS

API_VERSIONS_KEY: Final = 18
ZERO_MINIMUM_VERSION: Final = 4
"""From this version on, ApiVersions can say that a feature's lowest level is 0 (KAFKA-17011)."""


@dataclass(frozen=True, slots=True)
class WireRequest:
    """A decoded request. ``token`` is what its response is to be answered with."""

    token: int
    api_key: int
    version: int
    client_id: str | None
    message: Message


Handler: TypeAlias = Callable[[WireRequest], Message | None]


@dataclass(frozen=True, slots=True)
class Api:
    """One row: an api, the versions offered, and who handles it."""

    api_key: int
    min_version: int
    max_version: int
    handle: Handler


@dataclass(frozen=True, slots=True)
class OfferedFeatures:
    """What ApiVersions tells of features: supported ranges, finalized levels, and the offset these are as of.

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
        self._rows: dict[int, Api] = {}

    def add(self, api: Api) -> None:
        """Add a row.

        Raises:
            ValueError: when the api has a handler already, or no codec for these versions.
        """
        known = API_VERSIONS.get(api.api_key)
        if known is None or not known.min_version <= api.min_version <= api.max_version <= known.max_version:
            raise ValueError(f"api {api.api_key} versions {api.min_version} to {api.max_version} have no codec")
        if api.api_key in self._rows:
            raise ValueError(f"api {api.api_key} ({known.name}) has a handler already")
        self._rows[api.api_key] = api

    def __iter__(self) -> Iterator[Api]:
        return iter(sorted(self._rows.values(), key=lambda api: api.api_key))

    def find(self, api_key: int, version: int) -> Api | None:
        """Return the row that handles this version of the api."""
        api = self._rows.get(api_key)
        return api if api is not None and api.min_version <= version <= api.max_version else None

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
