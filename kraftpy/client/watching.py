"""Watching over broken connections: every offset once, in order, for as long as the caller likes.

The next offset is the only state. When a stream breaks, the next one asks for it; what comes below it has been seen and
is dropped, and a hole is an error of the server, never passed over. A stream that breaks inside a snapshot begins the
snapshot anew, which its SnapshotBegins says. A node that lags behind what was seen already is not asked a second time
in a row.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any, Final

import grpc

from kraftpy.client.errors import refusal_of
from kraftpy.client.nodes import Nodes
from kraftpy.client.session import SessionLostError, connect
from kraftpy.client.values import SnapshotBegins, SnapshotEnds, SnapshotPart, WatchedBatch, WatchEvent
from kraftpy.client.wire import WatchReader
from kraftpy.model.errors import ErrorCode, MalformedError
from kraftpy.model.offsets import Offset
from kraftpy.pb.v1 import cluster_pb2

WATCH_PATH: Final = "/kraftpy.v1.ClusterService/Watch"


class Watcher:
    """Iterates over the events of the committed log from an offset on; see :meth:`AsyncClient.watch`."""

    def __init__(
        self, nodes: Nodes, credentials: grpc.ChannelCredentials | None, from_offset: Offset, *, include_json: bool
    ) -> None:
        self._nodes = nodes
        self._credentials = credentials
        self._include_json = include_json
        self._first_offset = from_offset
        self._is_at_start = True
        self.next_offset = from_offset

    async def events(self) -> AsyncGenerator[WatchEvent, None]:
        """Iterate for ever, over as many connections as it takes.

        Raises:
            ApiError: when the cluster refuses to be watched from that offset.
            MalformedError: when the server leaves offsets out.
        """
        failures = 0
        while True:
            channel: Any = None
            try:
                channel = await connect(self._nodes.current, self._credentials)
                request = cluster_pb2.WatchRequest(from_offset=self.next_offset, include_json=self._include_json)
                stream = channel.unary_stream(
                    WATCH_PATH,
                    request_serializer=cluster_pb2.WatchRequest.SerializeToString,
                    response_deserializer=cluster_pb2.WatchResponse.FromString,
                )(request)
                reader = WatchReader()
                async for message in stream:
                    failures = 0
                    for event in reader.events(message):
                        if self._is_news(event):
                            yield event
            except SessionLostError:
                pass  # the pause below is what follows from it
            except grpc.aio.AioRpcError as error:
                self._raise_if_final(error)
            finally:
                if channel is not None:
                    await channel.close()
            failures += 1
            self._nodes.rotate()
            await asyncio.sleep(self._nodes.pause_s(failures))

    def _is_news(self, event: WatchEvent) -> bool:
        """Say whether an event is to be handed out, and move on past it."""
        match event:
            case SnapshotBegins() | SnapshotPart():
                return True
            case SnapshotEnds(end_offset):
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

    def _raise_if_final(self, error: grpc.aio.AioRpcError) -> None:
        refusal = refusal_of(error)
        if refusal is None or refusal.was_not_taken:
            return
        lags = refusal.code == ErrorCode.OFFSET_OUT_OF_RANGE and not self._is_at_start
        if not lags:
            raise refusal
