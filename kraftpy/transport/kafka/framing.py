"""Frames: an int32 size, then that many bytes. Bytes in, whole frames out; no socket here.

The size is checked before anything is kept for it: four bytes of garbage must not cost a gigabyte. A stream whose next
size is wrong has no next frame either, so the splitter stops for good, keeps the reason in ``fault``, and the
connection is to be closed. What was whole before the fault is still handed out.

One ``feed`` takes everything a read brought, in one pass: parse passes and writes per loop turn, not per message, are
what makes this wire fast (``measurements`` B).

Source: Kafka protocol §Network; Kafka ``socket.request.max.bytes`` (name and default).
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from kraftpy.transport.protocol_names import HTTP, HTTP2, TLS, protocol_of

SIZE: Final = Struct(">i")
SIZE_BYTES: Final = 4

REQUEST_BYTES_MAX: Final = 104_857_600
"""Kafka's default of ``socket.request.max.bytes``: no frame is longer."""

_WAYS_OUT: Final = {
    HTTP2: "gRPC is served at the port of grpc.listener",
    HTTP: "metrics and health are served at the port of metrics.listener",
    TLS: "this connection is not one of TLS (listener.security.protocol.map)",
}
"""By the protocol of a peer that took the wrong port, or the wrong protection."""


def frame(payload: bytes) -> bytes:
    """Put the size before a payload."""
    return SIZE.pack(len(payload)) + payload


class FrameSplitter:
    """Cuts a byte stream into the payloads of its frames.

    Attributes:
        fault: why nothing more will come; ``None`` while the stream is sound.
    """

    __slots__ = ("_bytes_max", "_bytes_min", "_held", "_held_bytes", "_wanted_bytes", "fault")

    def __init__(self, bytes_max: int = REQUEST_BYTES_MAX, *, bytes_min: int = 0) -> None:
        self._bytes_max = bytes_max
        self._bytes_min = bytes_min
        self._held: list[bytes] = []
        self._held_bytes = 0
        self._wanted_bytes = SIZE_BYTES
        self.fault: str | None = None

    @property
    def is_clean(self) -> bool:
        """Return whether the stream could end here without cutting a frame."""
        return self._held_bytes == 0

    @property
    def held_bytes(self) -> int:
        """How many bytes are kept of a frame that is not whole."""
        return self._held_bytes

    def limit(self, bytes_min: int, bytes_max: int) -> None:
        """Set how long the frames may be whose size is not read yet."""
        self._bytes_min, self._bytes_max = bytes_min, bytes_max

    def feed(self, data: bytes) -> list[bytes]:
        """Take the next bytes of the stream; return the payloads they complete, in order."""
        if self.fault is not None:
            return []
        if self._held_bytes:
            self._held.append(data)
            self._held_bytes += len(data)
            if self._held_bytes < self._wanted_bytes:
                return []
            data = b"".join(self._held)
            self._held.clear()
            self._held_bytes = 0
        return self._split(data)

    def _split(self, data: bytes) -> list[bytes]:
        payloads: list[bytes] = []
        at, end, wanted = 0, len(data), SIZE_BYTES
        while end - at >= SIZE_BYTES:
            (size,) = SIZE.unpack_from(data, at)
            if not self._bytes_min <= size <= self._bytes_max:
                self.fault = self._fault_of(size, data[at : at + SIZE_BYTES])
                return payloads
            wanted = SIZE_BYTES + size
            if end - at < wanted:
                break
            payloads.append(data[at + SIZE_BYTES : at + wanted])
            at += wanted
            wanted = SIZE_BYTES
        if at < end:
            self._held.append(data[at:])
            self._held_bytes = end - at
        self._wanted_bytes = wanted
        return payloads

    def _fault_of(self, size: int, start: bytes) -> str:
        """Say what a size that cannot be one is: it may be the first bytes of another protocol."""
        protocol = protocol_of(start)
        if protocol is None:
            return (
                f"a frame claims {size} bytes; between {self._bytes_min} and {self._bytes_max} are allowed "
                "(socket.request.max.bytes), or this is not Kafka's protocol"
            )
        way_out = f": {_WAYS_OUT[protocol]}" if protocol in _WAYS_OUT else ""
        return f"the peer does not speak Kafka's protocol but {protocol}{way_out}"
