"""Whether the files contain a state that was requested by its offset.

Replay ends where the log ends. A state before offset 999 of a log that ends at 120 does not exist, and the state at 120
must not be shown for it.
"""

from __future__ import annotations

from kraftpy.audit.engines.protocol import AsOf, Engine
from kraftpy.model.errors import LocalError


def check_reached(engine: Engine, as_of: AsOf) -> None:
    """Check the states that an engine has replayed.

    Raises:
        LocalError: when a cluster's log ends before the offset; the text contains its end.
    """
    if as_of.offset is None:
        return
    states = "SELECT cluster, node, until_offset FROM states WHERE is_primary"
    for row in engine.sql(f"{states} ORDER BY cluster").to_pylist():
        check_end(row["cluster"], row["node"], row["until_offset"], as_of)


def check_end(cluster: str, node: str, until: int, as_of: AsOf) -> None:
    """Check the state of one cluster, replayed up to ``until``.

    Raises:
        LocalError: when that is before the requested offset.
    """
    if as_of.offset is not None and until < as_of.offset:
        raise LocalError(
            f"cluster {cluster or '-'}, node {node}: the log can be read up to offset {until} and no further, asked "
            f"for was {as_of.offset}: name an offset up to {until}"
        )
