"""One Spark session for all tests here: it costs more to start than the tests cost to run.

All tests of this directory go to the same worker of pytest-xdist (``tests.workers``), so that there is one session and
not one per worker; a second one fails.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.fakes.s3 import S3_ENVIRONMENT
from tests.unit.audit import histories as audit_histories

SLOW_MACHINE_S = 600
"""A JVM and two generations of Python processes start in some 20 s, and in minutes beside others."""


def pytest_collection_modifyitems(items):
    """Give a slow machine its time."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(SLOW_MACHINE_S))


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    from kraftpy.audit.spark import session, short_run

    claim_only_session(tmp_path_factory.getbasetemp(), os.environ.get("PYTEST_XDIST_TESTRUNUID", "alone"))
    settings = {
        **short_run(),
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.memory": "1g",
        # Compiling a query costs more than running it over a few rows.
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    }
    with pytest.MonkeyPatch.context() as environment:
        # Workers have the environment in which the JVM started, and a test gives them a bucket.
        for name, value in S3_ENVIRONMENT.items():
            environment.setenv(name, value)
        spark = session("local[2]", settings=settings)
    yield spark
    spark.stop()


def claim_only_session(base: Path, run: str) -> None:
    """Fail when another worker of this run has made a session already."""
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    worker = os.environ.get("PYTEST_XDIST_WORKER", "this process")
    claim = shared / f"spark-session-of-{run}"
    try:
        with claim.open("x", encoding="utf-8") as file:
            file.write(worker)
    except FileExistsError:
        pytest.fail(
            f"{worker} would start a second JVM, {claim.read_text(encoding='utf-8')} has one: "
            "pytest-xdist keeps these tests together with --dist loadgroup"
        )


@pytest.fixture(scope="session")
def histories():
    return audit_histories
