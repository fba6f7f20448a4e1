"""Which tests go to the same worker of pytest-xdist: those that share what is dear to make."""

from __future__ import annotations

from typing import Any, Final

TOGETHER: Final = {"tests/spark/": "spark"}
"""Beginnings of node ids to the name of a group: one Spark session, and not one for each worker."""


def group_of(nodeid: str) -> str:
    """Name what is sent to a worker as a whole: a group, or the test alone."""
    return next((group for start, group in TOGETHER.items() if nodeid.startswith(start)), nodeid)


def make_scheduler(config: Any, log: Any) -> Any:
    """Return what hands out tests by :func:`group_of`.

    pytest-xdist's own ``loadgroup`` passes the mark ``xdist_group`` on within node ids, which pytest 9.2 does not let
    it change any more (pytest-xdist issue 1386): then it groups nothing, and says nothing.
    """
    from xdist.scheduler import LoadGroupScheduling

    class ByGroup(LoadGroupScheduling):
        """Hands out groups as wholes, the largest first."""

        def _split_scope(self, nodeid: str) -> str:
            return group_of(nodeid)

    return ByGroup(config, log)
