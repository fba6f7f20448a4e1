"""What all tests share: command line options, and that two workers never choose the same ports."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from kraftpy.local_cluster.cluster import PORTS, PORTS_KEY
from tests.compiled import check_form, header, leaves_out, skip_what_cannot_run
from tests.workers import make_scheduler

# How long one example takes is no property: a machine that has other things to do fails none. Where CI is set, this
# is based on Hypothesis' own profile for that, which draws the same examples each time.
settings.register_profile("patient", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

pytest_plugins = ["tests.again"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite",
        action="store_true",
        default=False,
        help="write what the scenarios print now into their files; then read the diff",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Let processes keep their bytecode, and give each worker its own part of the ports.

    A node that is down for a moment must find its port again.
    """
    check_form()
    # Hundreds of processes start in these tests: as an installed package's, their modules are compiled once.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    count = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    share = len(PORTS) // count
    first = PORTS[0] + int(worker) * share
    os.environ[PORTS_KEY] = f"{first}-{first + share - 1}"


def pytest_unconfigure() -> None:
    """Undo what a node does for its speed when it has loaded much: at its end, Python collects nothing that is frozen.

    duckdb's binding then takes all of itself for leaked, and lists it.
    """
    gc.unfreeze()


def pytest_report_header() -> list[str]:
    """Say which form of kraftpy is tested."""
    return header()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Keep together what belongs together, where that is asked for."""
    return make_scheduler(config, log) if config.getvalue("dist") == "loadgroup" else None


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Pass over the files that do not run on compiled modules, if that is what is tested."""
    return leaves_out(collection_path, config.rootpath) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what does not run on compiled modules, if that is what is tested."""
    skip_what_cannot_run(items, config.rootpath)
