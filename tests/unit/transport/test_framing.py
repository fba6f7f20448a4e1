"""Frames, byte by byte."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kraftpy.transport.kafka.framing import REQUEST_BYTES_MAX, FrameSplitter, frame


def test_default_limit_is_kafkas():
    """The default limit is the one of socket.request.max.bytes."""
    assert REQUEST_BYTES_MAX == 104_857_600


def test_frame_puts_the_size_first():
    """A frame is an int32 size, big-endian, and the payload."""
    assert frame(b"abc") == b"\0\0\0\x03abc"


def test_one_byte_at_a_time():
    """A frame comes out with its last byte and not before."""
    splitter = FrameSplitter()
    stream = frame(b"first") + frame(b"") + frame(b"second")
    got = [(at, payload) for at in range(len(stream)) for payload in splitter.feed(stream[at : at + 1])]
    assert got == [(8, b"first"), (12, b""), (22, b"second")]
    assert splitter.is_clean


@given(st.lists(st.binary(max_size=40), max_size=12), st.lists(st.integers(0, 600), max_size=12))
def test_any_cut_of_the_stream_gives_the_same_frames(payloads, cuts):
    """However the network cuts the stream, the same payloads come out in the same order."""
    stream = b"".join(map(frame, payloads))
    places = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    splitter = FrameSplitter(64)
    got = [each for low, high in pairwise(places) for each in splitter.feed(stream[low:high])]
    assert got == payloads
    assert splitter.fault is None
    assert splitter.is_clean


def test_size_over_the_limit_is_refused_from_its_four_bytes_alone():
    """A size over the limit is a fault before one byte of the frame is kept."""
    splitter = FrameSplitter(10)
    assert splitter.feed((11).to_bytes(4, "big")) == []
    assert splitter.fault is not None
    assert "claims 11 bytes" in splitter.fault


@pytest.mark.parametrize(
    ("start", "stated"),
    [
        (b"PRI * HTTP/2.0", "but HTTP/2, as gRPC does: gRPC is served at the port of grpc.listener"),
        (b"GET /metrics HTTP/1.1", "but HTTP: metrics and health are served at the port of metrics.listener"),
        (b"OPTIONS / HTTP/1.1", "but HTTP: metrics"),
        (b"HTTP/1.1 400 Bad Request", "but HTTP: metrics"),
        (b"\x16\x03\x01\x02\x00", "but TLS: this connection is not one of TLS (listener.security.protocol.map)"),
        (b"SSH-2.0-OpenSSH_9.6", "but SSH"),
    ],
)
def test_another_protocol_is_named(start: bytes, stated: str):
    """A client that took the wrong port finds its protocol in the log, and not an odd number of bytes."""
    splitter = FrameSplitter(2_097_152, bytes_min=8)
    assert splitter.feed(start) == []
    assert splitter.fault is not None
    assert splitter.fault.startswith(f"the peer does not speak Kafka's protocol {stated}")


def test_a_size_that_is_no_other_protocol_is_shown():
    """As a number."""
    splitter = FrameSplitter(100)
    splitter.feed(b"EHLO mail")
    assert splitter.fault == (
        "a frame claims 1162366031 bytes; between 0 and 100 are allowed (socket.request.max.bytes), "
        "or this is not Kafka's protocol"
    )


def test_largest_frame_passes():
    """A frame of exactly the limit passes."""
    splitter = FrameSplitter(10)
    assert splitter.feed(frame(b"0123456789")) == [b"0123456789"]


def test_negative_size_is_refused():
    """A negative size is a fault."""
    splitter = FrameSplitter()
    splitter.feed(b"\xff\xff\xff\xff")
    assert "claims -1 bytes" in (splitter.fault or "")


def test_size_below_the_minimum_is_refused():
    """A size below the shortest message is a fault."""
    splitter = FrameSplitter(10, bytes_min=4)
    splitter.feed(frame(b"abc"))
    assert "claims 3 bytes" in (splitter.fault or "")


def test_frames_before_the_fault_are_kept_and_nothing_after():
    """What was whole before a fault is handed out; a stream with a fault gives nothing more."""
    splitter = FrameSplitter(10)
    assert splitter.feed(frame(b"good") + b"GET / HTTP/1.1\r\n\r\n") == [b"good"]
    assert splitter.feed(frame(b"late")) == []


def test_half_a_frame_is_not_clean():
    """A stream that ends inside a frame is distinguished from one that ends between two."""
    splitter = FrameSplitter()
    splitter.feed(frame(b"abc")[:-1])
    assert not splitter.is_clean
