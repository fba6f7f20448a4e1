"""The cluster id of this node: persisted to every meta.properties first, known in memory second (KIP-1262).

One publisher is the only writer, of the files and of the memory. The files are written in the storage lane, so on a
slow disk the memory follows some turns later. A crash between the two is harmless: the next start reads the files, or
discovers the id again. A node that holds an id never takes another: the raft layer refuses the
cluster's messages, and the store refuses the write.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from kraftpy.image import Manifest, MetadataDelta, MetadataImage, MetadataPublisher
from kraftpy.model.errors import ConfigError


class ClusterIdPublisher(MetadataPublisher):
    """Persist the discovered cluster id, then publish it.

    Args:
        known: the id in the files at the start, if any.
        expected: the configured id (``cluster.id.expected``), if any.
        persist: writes the id to every directory, durably, and then calls its callback.
        on_discovered: called once, after that, with the id that was discovered.
    """

    name = "cluster-id"

    def __init__(
        self,
        *,
        known: str | None,
        expected: str | None,
        persist: Callable[[str, Callable[[], None]], None],
        on_discovered: Callable[[str], None],
    ) -> None:
        self._value = known
        self._expected = expected
        self._persist = persist
        self._on_discovered = on_discovered
        self._waiters: list[asyncio.Future[str]] = []
        self._persisting: str | None = None

    @property
    def value(self) -> str | None:
        """The id, once it is durable."""
        return self._value

    async def wait(self) -> str:
        """Return the id as soon as it is durable on this node."""
        if self._value is not None:
            return self._value
        waiter: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        return await waiter

    def on_metadata_update(self, delta: MetadataDelta, image: MetadataImage, manifest: Manifest) -> None:
        """Discover the id in the image.

        Raises:
            ConfigError: the cluster is not the expected one, or not the one this node belongs to.
            StorageError: the id could not be persisted.
        """
        del delta, manifest
        found = image.cluster_id.value
        belongs_to = self._value or self._persisting
        if found is None or found == belongs_to:
            return
        if belongs_to is not None:
            raise ConfigError(
                f"this node belongs to cluster {belongs_to!r}, but the log it follows is of cluster {found!r}: check "
                "controller.quorum.voters and controller.quorum.bootstrap.servers, or give the node empty directories"
            )
        if self._expected is not None and found != self._expected:
            raise ConfigError(
                f"cluster.id.expected is {self._expected!r}, but the log this node follows is of cluster {found!r}: "
                "check controller.quorum.voters and controller.quorum.bootstrap.servers; nothing was written"
            )
        self._persisting = found
        self._persist(found, lambda: self._persisted(found))

    def _persisted(self, found: str) -> None:
        self._value = found
        self._on_discovered(found)
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(found)

    def close(self) -> None:
        """Let go of everyone who waits."""
        for waiter in self._waiters:
            waiter.cancel()
