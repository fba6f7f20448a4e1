"""Which tests go to the same worker of pytest-xdist: those that share what is dear to make."""

from __future__ import annotations

from typing import Any, Final

TOGETHER: Final = {"tests/spark/": "spark", "tests/integration/test_compiled_wheel.py": "compiled wheel"}
"""Beginnings of node ids to the name of a group: one Spark session, one build of the wheels."""


def group_of(nodeid: str) -> str:
    """Name what is sent to a worker as a whole: a group, or the test alone."""
    return next((group for start, group in TOGETHER.items() if nodeid.startswith(start)), nodeid)


def make_scheduler(config: Any, log: Any) -> Any:
    """Return what hands out tests by :func:`group_of`.

    pytest-xdist's own ``loadgroup`` passes the mark ``xdist_group`` on within node ids, which pytest 9.2 does not let
    it change any more (pytest-xdist issue 1386): then it groups nothing, and says nothing. Nor does it come to an end
    when a worker crashes: the worker that takes its place is given one test, and waits for another one to begin it.
    """
    from xdist.scheduler import LoadGroupScheduling

    class ByGroup(LoadGroupScheduling):
        """Hands out groups as wholes, the largest first."""

        def _split_scope(self, nodeid: str) -> str:
            return group_of(nodeid)

        def remove_node(self, node: Any) -> str | None:
            """Take back what a worker was given, but for the test that it crashed in: that failed, and is returned."""
            workload = self.assigned_work.pop(node)
            left = [(scope, one) for scope, unit in workload.items() for one, is_done in unit.items() if not is_done]
            if not left:
                return None
            (scope, crashed), *others = left
            workload[scope][crashed] = True
            self.workqueue.update((scope, workload[scope]) for scope, _ in others)
            for other in self.assigned_work:
                self._reschedule(other)
            return crashed

        def _reschedule(self, node: Any) -> None:
            super()._reschedule(node)
            # A worker begins a test when it knows what comes behind it: another one, or the end.
            if not node.shutting_down and self._pending_of(self.assigned_work[node]) < 2:
                super()._reschedule(node)

    return ByGroup(config, log)
