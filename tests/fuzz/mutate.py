"""Mutations: bytes that are almost what an encoder writes. The same seed gives the same inputs."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tests.fuzz.target import INPUT_BYTES_MAX

STACKED_MAX = 5
"""How many mutations one input gets at most."""

MUTATED_BYTES_MAX = 16 * 1024
"""Longer inputs of the corpus are replayed, but nothing is made of them: they take the time of hundreds."""

NUMBERS = (
    *(bytes([value]) for value in (0, 1, 2, 0x7F, 0x80, 0x81, 0xFE, 0xFF)),
    b"\x7f\xff", b"\x80\x00", b"\xff\xff", b"\x00\x00", b"\x7f\xff\xff\xff", b"\x80\x00\x00\x00", b"\xff\xff\xff\xff",
    b"\x00\x10\x00\x00", b"\x7f\xff\xff\xff\xff\xff\xff\xff", b"\x80\x00\x00\x00\x00\x00\x00\x00", b"\xff" * 8,
    b"\xff\xff\xff\xff\x0f", b"\xff\xff\xff\xff\x07", b"\xfe\xff\xff\xff\x0f",
    b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", b"\x80" * 9 + b"\x01", b"\x00\x00\x00\x00\x00\x00\x00\x01",
    b"\xc0\x80", b"\xed\xa0\x80", b"9" * 5000,
)  # fmt: skip
"""Numbers at the ends of their ranges, varints too long, text that is no text, and a number that is very long."""

_Mutation = Callable[[random.Random, bytearray], None]


class Mutator:
    """Makes inputs out of a corpus."""

    def __init__(self, corpus: Sequence[bytes], words: Sequence[bytes], seed: int | str) -> None:
        self._rng = random.Random(seed)
        self._corpus = [data for data in corpus if len(data) <= MUTATED_BYTES_MAX] or [b""]
        self._words = (*NUMBERS, *words)
        self._mutations: tuple[_Mutation, ...] = (
            _flip, _flip, _set_byte, _set_byte, self._word, self._word, _cut, _remove, _remove,
            _double, _insert, _repeat, self._splice,
        )  # fmt: skip

    def next(self) -> bytes:
        """Return the next input."""
        rng = self._rng
        data = bytearray(self._corpus[int(rng.random() * len(self._corpus))])
        for _ in range(1 + int(rng.random() ** 2 * STACKED_MAX)):
            self._mutations[int(rng.random() * len(self._mutations))](rng, data)
        return bytes(data[:INPUT_BYTES_MAX])

    def _word(self, rng: random.Random, data: bytearray) -> None:
        word = self._words[int(rng.random() * len(self._words))]
        at = _place(rng, data)
        if rng.random() < 0.7 and len(word) < 100:
            data[at : at + len(word)] = word
        else:
            data[at:at] = word

    def _splice(self, rng: random.Random, data: bytearray) -> None:
        other = self._corpus[int(rng.random() * len(self._corpus))]
        data[_place(rng, data) :] = other[_place(rng, other) :]


def _place(rng: random.Random, data: bytes | bytearray) -> int:
    """Return a place in the data: near its beginning more often, since the counts and lengths are there."""
    fraction = rng.random()
    return int((fraction * fraction if rng.random() < 0.5 else fraction) * (len(data) + 1))


def _flip(rng: random.Random, data: bytearray) -> None:
    if data:
        data[min(_place(rng, data), len(data) - 1)] ^= 1 << int(rng.random() * 8)


def _set_byte(rng: random.Random, data: bytearray) -> None:
    if data:
        data[min(_place(rng, data), len(data) - 1)] = int(rng.random() * 256)


def _cut(rng: random.Random, data: bytearray) -> None:
    del data[_place(rng, data) :]


def _remove(rng: random.Random, data: bytearray) -> None:
    at = _place(rng, data)
    del data[at : at + 1 + int(rng.random() ** 3 * 20)]


def _double(rng: random.Random, data: bytearray) -> None:
    at = _place(rng, data)
    piece = data[at : at + 1 + int(rng.random() ** 3 * 100)]
    data[at:at] = piece


def _insert(rng: random.Random, data: bytearray) -> None:
    at = _place(rng, data)
    data[at:at] = rng.randbytes(1 + int(rng.random() ** 3 * 8))


def _repeat(rng: random.Random, data: bytearray) -> None:
    """Repeat a short piece, rarely so often that the input is as long as it may be: what is quadratic shows there."""
    at = _place(rng, data)
    piece = data[at : at + 1 + int(rng.random() ** 3 * 40)]
    times = 2 + int(rng.random() ** 4 * 30)
    if rng.random() < 0.002:
        times = INPUT_BYTES_MAX // (len(piece) or 1)
    data[at:at] = piece * times
