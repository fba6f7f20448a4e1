"""``--again``: once more what failed, but only behind a run that came to its end.

``.ci/run`` gives tests that watch real processes a second chance. Without this a run that was cut short (a file that
could not be imported, a worker too many that crashed, an interrupt) would be repeated in the few tests that had failed
by then, or in those of a run before it, and those that never ran would pass for good ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pytest

ENDED: Final = "kraftpy/ended"
"""Where pytest's cache has it whether every test of the last run was run, and some failed."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--again",
        action="store_true",
        default=False,
        help="run what failed in the last run, and fail if that did not come to its end",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Before the cache's own: ``--again`` is ``--last-failed``, and nothing to run is a failure."""
    if config.getoption("again"):
        config.option.lf = True
        config.option.last_failed_no_failures = "none"
    if not hasattr(config, "workerinput") and config.pluginmanager.hasplugin("cacheprovider"):
        config.pluginmanager.register(Ended())


class Ended:
    """Notes how a run ends; in the process that hands out the tests, if there are several."""

    def __init__(self) -> None:
        self._collected: set[str] = set()
        self._run: set[str] = set()

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        cache = session.config.cache
        if session.config.getoption("again") and not cache.get(ENDED, default=False):
            raise pytest.UsageError("the last run did not come to its end: what failed in it says nothing of the rest")
        cache.set(ENDED, value=False)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._collected.update(item.nodeid for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        self._collected.update(ids)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._run.add(report.nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        all_ran = self._collected <= self._run
        session.config.cache.set(ENDED, value=exitstatus == pytest.ExitCode.TESTS_FAILED and all_ran)
