"""Up to which offset each node's records are known, and why no further.

Replay stops at the first corruption or gap and reports nothing more. A command that shows a state or a history must
also report that records are missing from it: this module returns those reports. The torn end of a last segment is not
counted, because it contains no acknowledged record.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from kraftpy.audit.reading.columns import Column, Columns
from kraftpy.audit.reading.contradictions import CUT, MISSING
from kraftpy.audit.reading.filesystem import base_name
from kraftpy.audit.reading.rows import LOG, SNAPSHOT, FileSummary
from kraftpy.records.file_names import parse_snapshot_file_name


class Unread(NamedTuple):
    """Something that was not read.

    Attributes:
        log_offset: records below it were read, later ones may be missing; ``None`` if the beginning is missing.
        detail: the reason.
    """

    cluster: str
    node: str
    file: str
    log_offset: int | None
    detail: str

    @property
    def text(self) -> str:
        """Up to which offset an answer is known, and why."""
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


def unread_of(summaries: Iterable[FileSummary], contradictions: Iterable[Sequence[Any]]) -> list[Unread]:
    """Return what was not read of each node.

    Args:
        summaries: of each file.
        contradictions: rows of ``reading.contradictions``.
    """
    by_node: dict[tuple[str, str], list[FileSummary]] = defaultdict(list)
    for summary in summaries:
        if summary.kind in {LOG, SNAPSHOT}:
            by_node[summary.cluster, summary.node].append(summary)
    found = [each for _, of_node in sorted(by_node.items()) for each in _of_node(of_node)]
    found += [Unread(row[0], row[1], row[2], row[4], row[5]) for row in contradictions if row[3] in {MISSING, CUT}]
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
                detail = f"{name} starts with offset {summary.first_offset}, and the records in between are missing"
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
                    f"from there on {name} is corrupt: {summary.stopped}",
                )
            )
            break
    return [*_beginning(summaries, start), *found]


def _beginning(summaries: Sequence[FileSummary], start: int | None) -> list[Unread]:
    """Return what is missing before the log's first record, or if there is no log and no valid snapshot."""
    snapshots = [
        (parse_snapshot_file_name(base_name(summary.file)), summary)
        for summary in summaries
        if summary.kind == SNAPSHOT
    ]
    sound = [name.offset for name, summary in snapshots if name is not None and not summary.problems]
    if start == 0 or any(start is None or offset >= start for offset in sound):
        return []
    corrupt = next((summary for _, summary in snapshots if summary.problems), None)
    first = corrupt or summaries[0]
    if corrupt is None and start is None:
        return []
    where = "there is no log" if start is None else f"the log starts at offset {start}"
    why = "no snapshot reaches it" if corrupt is None else f"{base_name(corrupt.file)} is corrupt: {corrupt.stopped}"
    return [Unread(first.cluster, first.node, first.file, None, f"{where}, and {why}")]


def relevant_to(unread: Iterable[Unread], cluster: str, node: str, as_of: int | None) -> list[Unread]:
    """Return what matters to an answer about one node.

    Args:
        unread: of all nodes.
        cluster: the node's cluster.
        node: the node whose records the answer is made of.
        as_of: the answer is about the state before this offset; ``None`` for the latest.
    """
    return [
        each
        for each in unread
        if (each.cluster, each.node) == (cluster, node)
        and (as_of is None or each.log_offset is None or each.log_offset < as_of)
    ]
