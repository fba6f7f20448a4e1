"""Ranges of bytes as Arrow arrays, without an object in Python for each."""

from __future__ import annotations

from typing import Any, TypeAlias

from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.batch_runs import Data

Array: TypeAlias = Any


def binaries(data: Data, starts: Array, stops: Array, *, as_text: bool = False) -> Any:
    """Return ranges of bytes as one ``pyarrow`` array of binary.

    Args:
        data: contains them.
        starts: of each range.
        stops: the place after its last byte.
        as_text: whether to return strings; the caller ensures that the bytes are text.
    """
    np, pa = extra("numpy"), extra("pyarrow")
    kind = pa.string() if as_text else pa.binary()
    if not len(starts) or (starts[1:] < stops[:-1]).any():
        ranges = zip(starts.tolist(), stops.tolist(), strict=True)
        return pa.array([bytes(data[start:stop]) for start, stop in ranges], pa.binary()).view(kind)
    # The ranges and the gaps between them, alternately; then every other one is taken.
    edges = np.stack([starts, stops], axis=1).ravel().astype(np.int32)
    both = pa.Array.from_buffers(kind, len(edges) - 1, [None, pa.py_buffer(edges), pa.py_buffer(data)])
    return both.take(pa.array(np.arange(0, len(edges) - 1, 2)))
