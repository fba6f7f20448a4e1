"""A context of Spark's in this process: items are in partitions, and tasks are pickled and run one by one."""

from __future__ import annotations

import pickle


class Context:
    """As much of a ``SparkContext`` as compaction uses.

    Args:
        cores: the number of tasks that input is divided among, at least.
    """

    def __init__(self, cores=4):
        self.defaultParallelism = cores

    def parallelize(self, items, _count):
        return Rdd([[item] for item in items])

    def union(self, rdds):
        return Rdd([part for rdd in rdds for part in rdd.partitions])

    def emptyRDD(self):  # noqa: N802 - Spark's name
        return Rdd([])


class Rdd:
    def __init__(self, partitions):
        self.partitions = partitions

    def mapPartitionsWithIndex(self, task):  # noqa: N802 - Spark's name
        return Rdd([list(_copy(task)(number, iter(_copy(part)))) for number, part in enumerate(self.partitions)])

    def mapPartitions(self, task):  # noqa: N802 - Spark's name
        return Rdd([list(_copy(task)(iter(_copy(part)))) for part in self.partitions])

    def flatMap(self, task):  # noqa: N802 - Spark's name
        return Rdd([[row for item in _copy(part) for row in _copy(task)(item)] for part in self.partitions])

    def map(self, task):
        return Rdd([[_copy(task)(item) for item in _copy(part)] for part in self.partitions])

    def filter(self, task):
        return Rdd([[item for item in part if _copy(task)(item)] for part in self.partitions])

    def keyBy(self, key):  # noqa: N802 - Spark's name
        return self.map(key)._zipped(self)

    def partitionBy(self, count, number_of):  # noqa: N802 - Spark's name
        parts = [[] for _ in range(count)]
        # What arrives first is what Spark happens to fetch first.
        for part in reversed(self.partitions):
            for pair in part:
                parts[number_of(pair[0]) % count].append(pair)
        return Rdd(parts)

    def collect(self):
        return [item for part in self.partitions for item in _copy(part)]

    def toLocalIterator(self, prefetchPartitions):  # noqa: N802, N803 - Spark's names
        assert prefetchPartitions
        return (item for part in self.partitions for item in _copy(part))

    def persist(self, _level):
        return self

    def unpersist(self):
        return self

    def _zipped(self, other):
        return Rdd([list(zip(*parts, strict=True)) for parts in zip(self.partitions, other.partitions, strict=True)])


def _copy(value):
    """What a worker receives."""
    return pickle.loads(pickle.dumps(value))
