"""Groups of clusters: what one task of Spark asks the rules of, in a database of its own.

A rule is about one cluster at a time, with named exceptions, so whole clusters can be asked anywhere. Small clusters
are asked together, because a query has a fixed cost; the memory of a task is that of the rows of one group, and so it
is bounded by a named limit and by the largest cluster.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Final

from kraftpy.audit.engines.asking import Wanted
from kraftpy.audit.engines.blobs import Blob, unpacked
from kraftpy.audit.engines.cluster_tasks import Part, answers
from kraftpy.audit.engines.driver_tables import DriverTables, task_settings
from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.columns import Columns, arrow_schema
from kraftpy.audit.reading.discovery import KraftFile
from kraftpy.audit.reading.rows import SNAPSHOT

GROUP_BYTES: Final = 512 * 1024 * 1024
"""The files of the clusters of a group have up to this many bytes; those of a snapshot count ``SNAPSHOT_COUNTS`` times.
A larger cluster is a group of its own. The rules' queries take half a second for each group, however small it is, as
much as the replay of some 40 MB of logs."""

GROUP_SNAPSHOT_BYTES: Final = 64 * 1024 * 1024
"""The snapshots of the clusters of a group have up to this many bytes: replay needs up to 13 times as much memory."""

ROUNDS_ADDED: Final = 10
"""Where groups are too heavy, there are more of them: a tenth, as often as it takes."""

SNAPSHOT_COUNTS: Final = 4
"""A byte of a snapshot takes as much time and memory as this many of a log. Measured (``bench/README.md``, the
auditor): one process audits 12 MB of a snapshot or 50 to 80 MB of logs in a second, and needs 13 times the size of a
snapshot in memory, 3 times that of a large log, and 1.3 times that of a fleet with logs of 4 MB."""

WHOLE_BYTES: Final = 512 * 1024 * 1024
"""A cluster whose nodes have files of up to this many bytes each is not cut: sending records to other tasks costs about
as much as replay. Those of a snapshot count ``SNAPSHOT_COUNTS`` times, so a task needs some 1.6 GiB for a node."""

WHOLE_NODES: Final = 3
"""How many nodes of that size a cluster may have that is not cut: its task holds the tables of all of them."""


def cluster_groups(files: Iterable[KraftFile], cores: int) -> dict[str, int]:
    """Return the number of each cluster's group, from 0; the heaviest group is the first.

    Tasks of the same size end at the same time, so there are as many groups as cores, or a multiple of that, and each
    cluster, the heaviest first, joins the group that is the lightest so far.

    Args:
        files: of all clusters.
        cores: how many tasks run at a time.
    """
    weights: dict[str, int] = defaultdict(int)
    snapshots: dict[str, int] = defaultdict(int)
    for file in files:
        weights[file.cluster] += weight(file)
        snapshots[file.cluster] += file.size if file.kind == SNAPSHOT else 0
    heaviest_first = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    rounds = max(-(-sum(weights.values()) // (GROUP_BYTES * cores)), 1)
    groups = _shared_out(heaviest_first, rounds * cores)
    while any(
        len(group) > 1 and (held > GROUP_BYTES or sum(snapshots[each] for each in group) > GROUP_SNAPSHOT_BYTES)
        for held, group in groups
    ):
        rounds += max(rounds // ROUNDS_ADDED, 1)
        groups = _shared_out(heaviest_first, rounds * cores)
    return {cluster: number for number, (_, group) in enumerate(groups) for cluster in group}


def files_in_groups(files: Sequence[KraftFile], cores: int) -> list[list[KraftFile]]:
    """Return the files of each of the groups of :func:`cluster_groups`, those of the heaviest first."""
    numbers = cluster_groups(files, cores)
    groups: list[list[KraftFile]] = [[] for _ in range(len(set(numbers.values())))]
    for file in files:
        groups[numbers[file.cluster]].append(file)
    return groups


def _shared_out(heaviest_first: Sequence[tuple[str, int]], count: int) -> list[tuple[int, list[str]]]:
    """Return the weight and the clusters of up to this many groups, the heaviest group first."""
    groups: list[list[str]] = [[] for _ in range(min(count, len(heaviest_first)))]
    lightest = [(0, number) for number in range(len(groups))]
    for cluster, own in heaviest_first:
        held, number = heapq.heappop(lightest)
        groups[number].append(cluster)
        heapq.heappush(lightest, (held + own, number))
    return [(held, groups[number]) for held, number in sorted(lightest, key=lambda each: (-each[0], each[1]))]


def weight(file: KraftFile) -> int:
    """Return the bytes of a file; those of a snapshot count ``SNAPSHOT_COUNTS`` times."""
    return file.size * (SNAPSHOT_COUNTS if file.kind == SNAPSHOT else 1)


def cut_clusters(files: Iterable[KraftFile], whole_bytes: int) -> set[str]:
    """Return the clusters that are too large for one task: by one of their nodes, or by all of them together.

    Args:
        files: of all clusters.
        whole_bytes: the most bytes of a node's files; those of a snapshot count ``SNAPSHOT_COUNTS`` times. All nodes of
            a cluster may have ``WHOLE_NODES`` times as many.
    """
    weights: dict[tuple[str, str], int] = defaultdict(int)
    totals: dict[str, int] = defaultdict(int)
    for file in files:
        weights[file.cluster, file.node] += weight(file)
        totals[file.cluster] += weight(file)
    by_node = {cluster for (cluster, _), own in weights.items() if own > whole_bytes}
    return by_node | {cluster for cluster, total in totals.items() if total > WHOLE_NODES * whole_bytes}


def group_count(groups: Mapping[str, int]) -> int:
    """Return how many groups there are."""
    return 1 + max(groups.values(), default=0)


@dataclass(frozen=True, slots=True)
class GroupAsking:
    """What every task needs in order to ask its group; it can be pickled.

    Attributes:
        wanted: is asked of each group.
        groups: see :func:`cluster_groups`; a cluster that is not there is not asked about.
        tables: small tables of all clusters, by name.
        columns: of the tables that come as blobs, by name.
    """

    wanted: Wanted
    groups: Mapping[str, int]
    tables: Mapping[str, Any]
    columns: Mapping[str, Columns]

    def parts(self, group: int, parts: Mapping[str, Sequence[Any]]) -> Iterator[Part]:
        """Ask one group, and yield what is found.

        Args:
            group: its number.
            parts: its rows of the tables that come as blobs, by name.
        """
        with task_settings() as settings, closing(DriverTables(settings)) as database:
            for name, table in self.tables.items():
                if name not in self.columns:
                    database.add(name, self._of_group(table, group))
            for name, columns in self.columns.items():
                own = [self._of_group(self.tables[name], group)] if name in self.tables else []
                database.add_parts(name, [arrow_schema(columns).empty_table(), *own, *parts.get(name, ())])
            yield from answers(self.wanted, database.sql)

    def _of_group(self, table: Any, group: int) -> Any:
        pa, pc = extra("pyarrow"), extra("pyarrow.compute")
        clusters = table["cluster"]
        mine = [each for each in pc.unique(clusters).to_pylist() if self.groups.get(each) == group]
        return table.filter(pc.is_in(clusters, value_set=pa.array(mine, clusters.type)))


def ask_task(group: int, blobs: Iterable[tuple[int, Blob]], asking: GroupAsking) -> Iterator[Part]:
    """Run in a worker: all blobs of one group in, its answers out."""
    parts: dict[str, list[Any]] = defaultdict(list)
    for _, blob in blobs:
        parts[blob.name].append(unpacked(blob.payload))
    return asking.parts(group, parts)
