"""A TCP proxy that a test can cut."""

from __future__ import annotations

import asyncio
from contextlib import suppress


class Proxy:
    """Forwards connections to a port until it is cut; counts them. While it is mute, answers are lost in it."""

    def __init__(self, port):
        self.target = port
        self.writers = []
        self.pumps = set()
        self.accepted = 0
        self.bytes_until_cut = None
        self.is_mute = False

    async def __aenter__(self):
        self.server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *error):
        self.server.close()
        self.cut()
        for pump in tuple(self.pumps):
            await asyncio.wait({pump})
        for writer in self.writers:
            with suppress(OSError):
                await writer.wait_closed()

    async def _accept(self, reader, writer):
        self.accepted += 1
        self.writers.append(writer)
        try:
            server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        self.writers.append(server_writer)
        for source, sink, counted in ((reader, server_writer, False), (server_reader, writer, True)):
            pump = asyncio.ensure_future(self._pump(source, sink, counted=counted))
            self.pumps.add(pump)
            pump.add_done_callback(self.pumps.discard)

    async def _pump(self, source, sink, *, counted):
        with suppress(OSError):
            while data := await source.read(1000):
                if counted and self.is_mute:
                    continue
                sink.write(data)
                await sink.drain()
                if counted and self.bytes_until_cut is not None:
                    self.bytes_until_cut -= len(data)
                    if self.bytes_until_cut <= 0:
                        self.bytes_until_cut = None
                        self.cut()
        sink.transport.abort()

    def cut(self):
        """Reset every connection; later ones are forwarded again."""
        for writer in self.writers:
            writer.transport.abort()
