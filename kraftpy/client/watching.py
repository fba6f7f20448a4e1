"""Watch the log across broken connections: every offset once, in order, until the caller stops.

The next offset is the only state. When a stream breaks, the next one requests it; lower offsets were delivered already
and are dropped, and a gap is a server error, never skipped. So is a snapshot that ends at or below what was delivered:
state never goes back. A stream that breaks inside a snapshot restarts the snapshot, marked by another SnapshotBegins. A
node that lags what was delivered already is not contacted twice in a row. A watcher that finds no node reports that
once, and reports when it is connected again: an idle log looks like a dead cluster.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Final

import grpc

from kraftpy.client.connection import Access, NodeConnection, open_connection
from kraftpy.client.errors import RejectedError
from kraftpy.client.nodes import Nodes
from kraftpy.client.read_outcome import UnsupportedNodes
from kraftpy.client.session import SessionLostError
from kraftpy.client.values import SnapshotBegins, SnapshotEnds, SnapshotPart, WatchedBatch, WatchEvent
from kraftpy.client.wire import WatchReader
from kraftpy.model.errors import ErrorCode, MalformedError
from kraftpy.model.offsets import Offset
from kraftpy.pb.v1 import cluster_pb2

WATCH_PATH: Final = "/kraftpy.v1.ClusterService/Watch"

FAILURES_REPORTED_FROM: Final = 2
"""How many attempts in a row fail before anything is said: a stream that breaks once is most often taken up at once."""


class Watcher:
    """Iterates over the events of the committed log from an offset on; see :meth:`AsyncClient.watch`."""

    def __init__(
        self,
        nodes: Nodes,
        access: Access,
        from_offset: Offset,
        *,
        wanted: cluster_pb2.WatchRequest,
        report: Callable[[str], None] | None = None,
    ) -> None:
        self._nodes = nodes
        self._access = access
        self._wanted = wanted
        self._first_offset = from_offset
        self._is_at_start = True
        self._report = report
        self._is_away = False
        self._unsupported = UnsupportedNodes(nodes.bootstrap)
        self.next_offset = from_offset

    async def events(self) -> AsyncGenerator[WatchEvent, None]:
        """Iterate for ever, over as many connections as it takes.

        Raises:
            ApiError: when the cluster refuses to be watched from that offset; UNSUPPORTED_VERSION when all nodes do.
            MalformedError: when the server leaves offsets out, or sends a snapshot of what was handed out already.
        """
        failures = 0
        while True:
            connection: NodeConnection | None = None
            try:
                connection = await open_connection(self._nodes, self._access)
                request = cluster_pb2.WatchRequest(from_offset=self.next_offset)
                request.MergeFrom(self._wanted)
                stream = connection.channel.unary_stream(
                    WATCH_PATH,
                    request_serializer=cluster_pb2.WatchRequest.SerializeToString,
                    response_deserializer=cluster_pb2.WatchResponse.FromString,
                )(request, metadata=connection.metadata)
                reader = WatchReader()
                await stream.initial_metadata()
                if not stream.done():
                    self._came_back()
                async for message in stream:
                    failures = 0
                    self._unsupported.clear()
                    for event in reader.events(message):
                        if self._is_new(event):
                            yield event
                reason = f"{self._nodes.current} ended the stream"
            except SessionLostError as error:
                reason = str(error)
            except RejectedError as error:
                self._raise_if_final(error)
                reason = f"{self._nodes.current}: {error}"
            except grpc.aio.AioRpcError as error:
                refusal = self._access.refusal_of(error, self._nodes.current)
                if refusal is not None:
                    self._raise_if_final(refusal)
                reason = f"{self._nodes.current}: {error.details()}"
            finally:
                if connection is not None:
                    await connection.close()
            failures += 1
            if failures >= FAILURES_REPORTED_FROM:
                self._went_away(reason)
            self._nodes.rotate()
            await asyncio.sleep(self._nodes.pause_s(failures))

    def _went_away(self, reason: str) -> None:
        if self._report is not None and not self._is_away:
            self._report(f"no node serves the watch ({reason}); asking on for offset {self.next_offset}")
        self._is_away = True

    def _came_back(self) -> None:
        if self._report is not None and self._is_away:
            self._report(f"{self._nodes.current} answers; going on at offset {self.next_offset}")
        self._is_away = False

    def _is_new(self, event: WatchEvent) -> bool:
        """Return whether an event is to be handed out, and move on past it."""
        match event:
            case SnapshotBegins(end_offset):
                self._check_goes_on(end_offset)
                return True
            case SnapshotPart():
                return True
            case SnapshotEnds(end_offset):
                self._check_goes_on(end_offset)
                self.next_offset = end_offset
            case WatchedBatch():
                if event.last_offset < self.next_offset:
                    return False
                if event.base_offset > self.next_offset:
                    raise MalformedError(
                        f"{self._nodes.current} went on at offset {event.base_offset} where {self.next_offset} was due"
                    )
                self.next_offset = event.last_offset + 1
        self._is_at_start = False
        return True

    def _check_goes_on(self, end_offset: Offset) -> None:
        if end_offset <= self.next_offset:
            raise MalformedError(
                f"{self._nodes.current} sent a snapshot that ends at offset {end_offset} where {self.next_offset} was "
                "due: a watch never goes back. Watch another node, and upgrade that one"
            )

    def _raise_if_final(self, refusal: RejectedError) -> None:
        lags = refusal.code is ErrorCode.OFFSET_OUT_OF_RANGE and not self._is_at_start
        if refusal.was_not_taken or lags:
            return
        if refusal.code is not ErrorCode.UNSUPPORTED_VERSION:
            raise refusal
        self._unsupported.add(refusal)
