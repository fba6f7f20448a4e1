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


def unread_of(summaries: Iterable[FileSummary], witnesses: Iterable[Sequence[Any]]) -> list[Unread]:
    """Return what was not read of any node.

    Args:
        summaries: what the first pass says of each file.
        witnesses: rows of ``reading.witnesses``.
    """
    by_node: dict[tuple[str, str], list[FileSummary]] = defaultdict(list)
    for summary in summaries:
        if summary.kind in {LOG, SNAPSHOT}:
            by_node[summary.cluster, summary.node].append(summary)
    found = [each for _, of_node in sorted(by_node.items()) for each in _of_node(of_node)]
    found += [Unread(row[0], row[1], row[2], row[4], row[5]) for row in witnesses if row[3] in {MISSING, CUT}]
    return found


def _of_node(summaries: Sequence[FileSummary]) -> list[Unread]:
    found: list[Unread] = []
    start: int | None = None
    end = 0
    logs = sorted((summary for summary in summaries if summary.kind == LOG), key=lambda summary: summary.file)
    for summary in logs:
        name = base_name(summary.file)
        if summary.first_offset >= 0:
            if start is not None and summary.first_offset != end:
                detail = f"{name} starts with offset {summary.first_offset}, and what is between is missing"
                found.append(Unread(summary.cluster, summary.node, summary.file, end, detail))
                break
            start = summary.first_offset if start is None else start
            end = summary.end_offset
        if summary.problems and not (summary.is_torn and summary is logs[-1]):
            found.append(
                Unread(
                    summary.cluster,
                    summary.node,
                    summary.file,
                    end,
                    f"from there on {name} is damaged: {summary.stopped}",
                )
            )
            break
    return [*_beginning(summaries, start), *found]


def _beginning(summaries: Sequence[FileSummary], start: int | None) -> list[Unread]:
    """Say what is missing before the log's first record, or where there is no log and no sound snapshot."""
    snapshots = [
        (parse_snapshot_file_name(base_name(summary.file)), summary)
        for summary in summaries
        if summary.kind == SNAPSHOT
    ]
    sound = [name.offset for name, summary in snapshots if name is not None and not summary.problems]
    if start == 0 or any(start is None or offset >= start for offset in sound):
        return []
    damaged = next((summary for _, summary in snapshots if summary.problems), None)
    first = damaged or summaries[0]
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
