"""What online commands ask of a cluster: the port between the command line and the client library.

Commands depend on these shapes alone, so that their layouts are tested without a network; the client's own values fit
them as they are. ``None`` is "not known" throughout.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kraftpy.cli.quorum_text import QuorumView


class PositionView(Protocol):
    """Which state an answer is from."""

    @property
    def offset(self) -> int: ...  # noqa: D102 - as it says


class FeatureView(Protocol):
    """A feature; supported levels are absent where the answering node does not know it."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def finalized_level(self) -> int: ...  # noqa: D102
    @property
    def min_supported_level(self) -> int | None: ...  # noqa: D102
    @property
    def max_supported_level(self) -> int | None: ...  # noqa: D102


class FeaturesView(Protocol):
    """All features, and the state they are from."""

    @property
    def position(self) -> PositionView: ...  # noqa: D102
    @property
    def features(self) -> Sequence[FeatureView]: ...  # noqa: D102


class ListenerView(Protocol):
    """A listener as a node registered it."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def host(self) -> str: ...  # noqa: D102
    @property
    def port(self) -> int: ...  # noqa: D102


class ControllerView(Protocol):
    """A registered controller."""

    @property
    def id(self) -> int: ...  # noqa: D102
    @property
    def incarnation_id(self) -> bytes: ...  # noqa: D102
    @property
    def listeners(self) -> Sequence[ListenerView]: ...  # noqa: D102


class BrokerView(ControllerView, Protocol):
    """A registered broker."""

    @property
    def epoch(self) -> int: ...  # noqa: D102
    @property
    def rack(self) -> str | None: ...  # noqa: D102
    @property
    def fenced(self) -> bool: ...  # noqa: D102
    @property
    def in_controlled_shutdown(self) -> bool: ...  # noqa: D102
    @property
    def log_dirs(self) -> Sequence[bytes]: ...  # noqa: D102


class ClusterView(Protocol):
    """Who is in the cluster."""

    @property
    def cluster_id(self) -> str | None: ...  # noqa: D102
    @property
    def controller_id(self) -> int | None: ...  # noqa: D102
    @property
    def brokers(self) -> Sequence[BrokerView]: ...  # noqa: D102
    @property
    def controllers(self) -> Sequence[ControllerView]: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class ResourceConfigs:
    """The keys that were set on one resource."""

    type: int
    name: str
    entries: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedRecord:
    """One record of the stream, or one control batch.

    Attributes:
        offset: where it stands in the log; ``None`` for a record of a snapshot.
        snapshot_end: the end offset of the snapshot it stands in; ``None`` for a record of the log.
        data: ``{"type": ..., "version": ..., "data": {...}}``; a control batch has its offsets as data.
    """

    offset: int | None
    snapshot_end: int | None = None
    epoch: int
    data: Mapping[str, Any]


class Cluster(Protocol):
    """A connection to a cluster. Calls raise ``ApiError`` when refused and end with code 4 when nobody answers."""

    def describe_quorum(self) -> QuorumView:
        """Ask the leader how far each replica is."""

    def describe_cluster(self) -> ClusterView:
        """List the members, fenced brokers too."""

    def describe_features(self) -> FeaturesView:
        """List the features."""

    def describe_configs(self, resources: Sequence[tuple[int, str]]) -> Sequence[ResourceConfigs]:
        """List the configs of these (type, name), or of all."""

    def update_features(self, levels: Mapping[str, int], kind: str, *, validate_only: bool) -> None:
        """Change levels, all or none; ``kind`` is UPGRADE, SAFE_DOWNGRADE or UNSAFE_DOWNGRADE."""

    def alter_configs(
        self, resource: tuple[int, str], values: Mapping[str, str | None], *, validate_only: bool
    ) -> str | None:
        """Set keys, and delete those whose value is ``None``; return why it was refused, if it was."""

    def unregister_broker(self, broker_id: int) -> None:
        """Forget a broker."""

    def watch(self, from_offset: int) -> Iterator[WatchedRecord]:
        """Follow the committed log, for ever."""
