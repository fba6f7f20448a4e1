"""Up to where each node's records are known, and why no further.

Replay stops at the first damage or gap and says nothing more. Whoever asks about a state or a life has to be told that
there is more than was read: this is the account behind such an answer. The torn end of a last segment is not counted,
because no record in it was ever acknowledged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from kraftpy.audit.reading.columns import Column, Columns
from kraftpy.audit.reading.filesystem import base_name
from kraftpy.audit.reading.rows import LOG, SNAPSHOT, FileSummary
from kraftpy.audit.reading.witnesses import CUT, MISSING
from kraftpy.records.file_names import parse_snapshot_file_name


class Unread(NamedTuple):
    """Something that was not read.

    Attributes:
        log_offset: records before it are read, later ones may be missing; ``None`` where the beginning is missing.
        detail: what is in the way.
    """

    cluster: str
    node: str
    file: str
    log_offset: int | None
    detail: str

    @property
    def text(self) -> str:
        """Say up to where an answer is known."""
        known = "" if self.log_offset is None else f"records before offset {self.log_offset} were read; "
        return f"cluster {self.cluster or '-'}, node {self.node}: {known}{self.detail}"


UNREAD_COLUMNS: Columns = (
    Column("cluster", "string", ""),
    Column("node", "string", ""),
    Column("file", "string", "where it is"),
    Column(
        "log_offset", "long", "up to where records were read; NULL where the log's beginning is missing", nullable=True
    ),
    Column("detail", "string", "why no further"),
)


def unread_of(spans: Iterable[FileSummary], witnesses: Iterable[Sequence[Any]]) -> list[Unread]:
    """Return what was not read of any node.

    Args:
        spans: what the first pass says of each file.
        witnesses: rows of ``reading.witnesses``.
    """
    by_node: dict[tuple[str, str], list[FileSummary]] = defaultdict(list)
    for span in spans:
        if span.kind in {LOG, SNAPSHOT}:
            by_node[span.cluster, span.node].append(span)
    found = [each for _, of_node in sorted(by_node.items()) for each in _of_node(of_node)]
    found += [Unread(row[0], row[1], row[2], row[4], row[5]) for row in witnesses if row[3] in {MISSING, CUT}]
    return found


def _of_node(spans: Sequence[FileSummary]) -> list[Unread]:
    found: list[Unread] = []
    start: int | None = None
    end = 0
    logs = sorted((span for span in spans if span.kind == LOG), key=lambda span: span.file)
    for span in logs:
        name = base_name(span.file)
        if span.first_offset >= 0:
            if start is not None and span.first_offset != end:
                detail = f"{name} starts with offset {span.first_offset}, and what is between is missing"
                found.append(Unread(span.cluster, span.node, span.file, end, detail))
                break
            start = span.first_offset if start is None else start
            end = span.end_offset
        if span.problems and not (span.is_torn and span is logs[-1]):
            found.append(
                Unread(span.cluster, span.node, span.file, end, f"from there on {name} is damaged: {span.stopped}")
            )
            break
    return [*_beginning(spans, start), *found]


def _beginning(spans: Sequence[FileSummary], start: int | None) -> list[Unread]:
    """Say what is missing before the log's first record, or where there is no log and no sound snapshot."""
    snapshots = [(parse_snapshot_file_name(base_name(span.file)), span) for span in spans if span.kind == SNAPSHOT]
    sound = [name.offset for name, span in snapshots if name is not None and not span.problems]
    if start == 0 or any(start is None or offset >= start for offset in sound):
        return []
    damaged = next((span for _, span in snapshots if span.problems), None)
    first = damaged or spans[0]
    if damaged is None and start is None:
        return []
    where = "no log is there" if start is None else f"the log starts at offset {start}"
    why = "no snapshot reaches it" if damaged is None else f"{base_name(damaged.file)} is damaged: {damaged.stopped}"
    return [Unread(first.cluster, first.node, first.file, None, f"{where}, and {why}")]


def told_of(unread: Iterable[Unread], cluster: str, node: str, as_of: int | None) -> list[Unread]:
    """Return what matters to an answer about one node.

    Args:
        unread: of all nodes.
        cluster: the node's cluster.
        node: the node whose records the answer is made of.
        as_of: the answer is about the state before this offset; ``None`` for all there is.
    """
    return [
        each
        for each in unread
        if (each.cluster, each.node) == (cluster, node)
        and (as_of is None or each.log_offset is None or each.log_offset < as_of)
    ]
