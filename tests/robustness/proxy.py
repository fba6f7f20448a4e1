"""The network between controllers, with faults: one listening proxy in front of each node.

Every node advertises its proxy's address and is configured with the others' proxies, so all of the quorum's traffic
passes here. The caller is read from the first frame of a connection: the client id of Kafka's request header; where
that is encrypted, the system says whose connection it is (:func:`owner_of`). A directed pair can be cut (bytes vanish,
the connection stays: as a network that drops packets) or delayed; a cut of one direction only is an asymmetric
partition: requests arrive and answers do not, or the other way round.
"""

from __future__ import annotations

import asyncio
import contextlib
import struct
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

HOST = "127.0.0.1"
CHUNK = 1 << 16
POLL_S = 0.02
CLIENT_ID_AT = 4 + 2 + 2 + 4
"""In the first frame: length, api key, version, correlation id, and then the client id."""

UNKNOWN = -1
TLS_HANDSHAKE = 0x16
"""The first byte of a connection with TLS; in Kafka's protocol it would be a length of 369 million."""

SOCKETS = Path("/proc/net/tcp")


class Network:
    """All proxies, and what is wrong between whom.

    Attributes:
        cut: directed pairs whose bytes vanish.
        delay_s: directed pair to how long its bytes take.
        dropped: how many bytes vanished.
        processes: node ids by process; asked where a caller's name is encrypted.
    """

    def __init__(self, processes: Callable[[], Mapping[int, int]] = dict) -> None:
        self.processes = processes
        self.cut: set[tuple[int, int]] = set()
        self.delay_s: dict[tuple[int, int], float] = {}
        self.dropped = 0
        self._servers: dict[int, tuple[asyncio.Server, int, int]] = {}
        """By node: what listens, its port, and the node's own."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._opening: dict[int, asyncio.Task[None]] = {}
        self._connections: dict[tuple[int, int], set[asyncio.StreamWriter]] = {}

    async def open(self, node_id: int, port: int, target_port: int) -> None:
        """Listen on ``port`` in front of a node that listens on ``target_port``."""

        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await self._serve(node_id, target_port, reader, writer)

        self._servers[node_id] = await asyncio.start_server(accept, HOST, port), port, target_port

    def refuse(self, node_id: int) -> None:
        """Refuse connections to a node, as the system does where a process has ended; its connections stay."""
        if (opening := self._opening.pop(node_id, None)) is not None:
            opening.cancel()
        if node_id in self._servers:
            self._servers[node_id][0].close()

    def accept(self, node_id: int) -> None:
        """Take connections to a node that is being started, once it listens."""
        if node_id in self._servers and node_id not in self._opening and not self._servers[node_id][0].is_serving():
            self._opening[node_id] = asyncio.ensure_future(self._open_with(node_id, *self._servers[node_id][1:]))

    async def _open_with(self, node_id: int, port: int, target_port: int) -> None:
        while True:
            try:
                _, writer = await asyncio.open_connection(HOST, target_port)
            except OSError:
                await asyncio.sleep(POLL_S)
            else:
                writer.close()
                break
        await self.open(node_id, port, target_port)
        del self._opening[node_id]

    async def close(self) -> None:
        """Close everything."""
        for server, *_ in self._servers.values():
            server.close()
        for task in (*self._tasks, *self._opening.values()):
            task.cancel()
        for writers in self._connections.values():
            for writer in writers:
                writer.close()

    def partition(self, one: Iterable[int], other: Iterable[int], *, both: bool = True) -> None:
        """Cut every link from ``one`` side to the ``other``, and back unless it is one-way."""
        for left in one:
            for right in other:
                self.cut.add((left, right))
                if both:
                    self.cut.add((right, left))

    def heal(self) -> None:
        """Let everything through again. Connections that lost bytes are cut: their streams have holes."""
        for pair in self.cut:
            for both in (pair, pair[::-1]):
                for writer in self._connections.pop(both, set()):
                    writer.transport.abort()
        self.cut.clear()
        self.delay_s.clear()

    async def _serve(self, node_id: int, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readexactly(CLIENT_ID_AT + 2)
            name = b""
            if head[0] == TLS_HANDSHAKE:
                caller = owner_of(writer.get_extra_info("peername")[1], self.processes())
            else:
                size = struct.unpack_from(">h", head, CLIENT_ID_AT)[0]
                name = await reader.readexactly(max(size, 0))
                caller = _node_id(name.decode(errors="replace"))
            inner_reader, inner_writer = await asyncio.open_connection(HOST, port)
        except (OSError, asyncio.IncompleteReadError):
            writer.transport.abort()
            return
        writers = self._connections.setdefault((caller, node_id), set())
        writers |= {writer, inner_writer}
        there = asyncio.ensure_future(self._pump((caller, node_id), reader, inner_writer, head + name))
        back = asyncio.ensure_future(self._pump((node_id, caller), inner_reader, writer, b""))
        self._tasks |= {there, back}
        try:
            await asyncio.wait({there, back}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (there, back):
                task.cancel()
                self._tasks.discard(task)
            writers -= {writer, inner_writer}
            for end in (writer, inner_writer):
                # A process that was killed resets its connections, and the other side must see a reset, too.
                end.transport.abort()

    async def _pump(
        self, pair: tuple[int, int], reader: asyncio.StreamReader, writer: asyncio.StreamWriter, first: bytes
    ) -> None:
        data = first
        with contextlib.suppress(OSError):
            while data or not reader.at_eof():
                data = data or await reader.read(CHUNK)
                if pair in self.delay_s:
                    await asyncio.sleep(self.delay_s[pair])
                if pair in self.cut:
                    self.dropped += len(data)
                else:
                    writer.write(data)
                    await writer.drain()
                data = b""


def owner_of(port: int, processes: Mapping[int, int]) -> int:
    """Return the node whose process has a connection from a local port, ``UNKNOWN`` if none has; only Linux says it."""
    inodes = {
        words[9]
        for words in (line.split() for line in SOCKETS.read_text(encoding="ascii").splitlines()[1:])
        if int(words[1].rpartition(":")[2], 16) == port
    }
    wanted = {f"socket:[{inode}]" for inode in inodes}
    for process, node_id in processes.items():
        # It may end meanwhile, or close a file.
        with contextlib.suppress(OSError):
            for file in Path(f"/proc/{process}/fd").iterdir():
                with contextlib.suppress(OSError):
                    if str(file.readlink()) in wanted:
                        return node_id
    return UNKNOWN


def _node_id(client_id: str) -> int:
    """Return the node that a client id names: ``raft-client-2`` and ``2``, and of Kafka ``broker-101-fetcher-0``."""
    prefix, *words = client_id.split("-")
    digits = words[0] if prefix == "broker" and len(words) > 1 else client_id.rpartition("-")[2]
    return int(digits) if digits.isdigit() else UNKNOWN
