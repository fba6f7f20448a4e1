"""One Spark session for all tests here: it costs more to start than the tests cost to run.

All tests of this directory go to the same worker of pytest-xdist, so that there is one session and not one per worker.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.audit import histories as audit_histories

SLOW_MACHINE_S = 600
"""A JVM and two generations of Python processes start in some 20 s, and in minutes beside others."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark them before pytest-xdist looks at marks; two groups would be two sessions."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("spark"))
            if item.get_closest_marker("timeout") is None:
                item.add_marker(pytest.mark.timeout(SLOW_MACHINE_S))


@pytest.fixture(scope="session")
def spark():
    from kraftpy.audit.spark import session

    settings = {
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.memory": "1g",
        # Nothing here runs long enough for the second compiler to pay.
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        # Compiling a query costs more than running it over a few rows.
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    }
    spark = session("local[2]", settings=settings)
    yield spark
    spark.stop()


@pytest.fixture(scope="session")
def histories():
    return audit_histories
