"""Jobs of Spark on Python objects: a task for each item, counted when it is done, and what is kept between jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from kraftpy.audit.engines.protocol import ProgressReport
from kraftpy.audit.engines.work_done import Amount, counted
from kraftpy.audit.optional_dependencies import extra


class SparkJobs:
    """Runs tasks on a Spark context, which outlives it.

    Attributes:
        progress: receives what tasks have counted.
        kept: what :meth:`release` lets go of.
    """

    def __init__(self, context: Any, progress: ProgressReport | None, start: Callable[[], Any] | None = None) -> None:
        """Begin.

        Args:
            context: the caller's.
            progress: see the attribute.
            start: starts Spark when it is needed, and returns its context; the caller has none then.
        """
        self._context = context
        self._start = start
        self.progress = progress
        self.kept: list[Any] = []

    @property
    def is_started(self) -> bool:
        """Whether Spark runs, as far as this object knows."""
        return self._start is None

    @property
    def context(self) -> Any:
        """Spark's context; Spark is started if it does not run."""
        if self._start is not None:
            self._context = self._start()
            self._start = None
        return self._context

    @property
    def session(self) -> Any:
        """The session, which starts Spark's SQL engine: some seconds of CPU time."""
        _ = self.context  # started with our settings
        return extra("pyspark.sql").SparkSession.builder.getOrCreate()

    @property
    def cores(self) -> int:
        """How many tasks run at a time, as far as Spark knows; a user's ``spark.default.parallelism`` may be 0."""
        return max(int(self.context.defaultParallelism), 1)

    def over(
        self,
        items: Sequence[Any],
        task: Callable[[Any], Iterable[Any]],
        count: Callable[[Amount], None] | None = None,
        amount_of: Callable[[Any], Amount] | None = None,
    ) -> Any:
        """Run a task over items, one of Spark's tasks for each, and count those that are done."""
        if count is not None and amount_of is not None:
            task = partial(counted, task=task, count=count, amount_of=amount_of)
        return self.context.parallelize(items, max(len(items), 1)).flatMap(task)

    def persisted(self, rdd: Any) -> Any:
        """Keep what an RDD holds, on disk if there is no memory left."""
        self.kept.append(rdd.persist(extra("pyspark").StorageLevel.MEMORY_AND_DISK))
        return rdd

    def release(self) -> None:
        """Let go of what is kept."""
        for each in self.kept:
            each.unpersist()
        self.kept = []
