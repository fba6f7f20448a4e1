"""What every test against a real Kafka needs: its jars, or a skip that says why there are none."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import NoReturn, TypeVar

import pytest

from tests.interop.browser import NoBrowserError, find_browser
from tests.interop.client_cluster import KRAFTPY
from tests.interop.cluster import archive_classes
from tests.interop.clustertest.suites import fetch_tests
from tests.interop.helm.programs import Helm, NoHelmError
from tests.interop.helm.programs import fetch as fetch_helm
from tests.interop.jars import Jars, NoKafkaError, fetch
from tests.interop.prometheus import NoPrometheusError, Prometheus
from tests.interop.prometheus import fetch as fetch_prometheus
from tests.kafka_faults.world import World

T = TypeVar("T")

SWITCH = "KRAFTPY_INTEROP"
"""``make interop`` sets it: "wanted" skips where there is no Kafka to be had, "required" fails there."""


@pytest.fixture(scope="session")
def jars() -> Jars:
    found = wanted(fetch)
    archive_classes(found)
    return found


@pytest.fixture(scope="session")
def test_jars() -> Jars:
    """Kafka's jars with those of its own tests."""
    return wanted(fetch_tests)


@pytest.fixture(scope="session")
def prometheus() -> Prometheus:
    """A real Prometheus and its tool."""
    return wanted(fetch_prometheus, "Prometheus", NoPrometheusError)


@pytest.fixture(scope="session")
def helm() -> Helm:
    """A real Helm, and a strict decoder of manifests."""
    return wanted(fetch_helm, "Helm", NoHelmError)


@pytest.fixture(scope="session")
def browser() -> str:
    """The path of a browser, also where no Kafka is wanted: the tests with it take seconds."""
    try:
        return find_browser()
    except NoBrowserError as error:
        lacking("a browser", error)


@pytest.fixture(scope="module")
def world(jars: Jars, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[World]:
    """Three stock brokers on our controllers; ``CONTROLLERS=kafka`` in the environment has Kafka's in their place."""
    root = tmp_path_factory.mktemp(request.module.__name__.rpartition(".")[2])
    print(f"directories and logs: {root}")
    with World(jars, root, ours=os.environ.get("CONTROLLERS", KRAFTPY) == KRAFTPY) as made:
        made.start_nodes()
        made.wait_for_brokers()
        yield made


def wanted(fetched: Callable[[], T], what: str = "Kafka", missing: type[Exception] = NoKafkaError) -> T:
    if not os.environ.get(SWITCH):
        pytest.skip(f"real {what}: these tests take minutes and run through `make interop`")
    try:
        return fetched()
    except missing as error:
        lacking(f"real {what}", error)


def lacking(what: str, error: Exception) -> NoReturn:
    """Skip a test because this machine lacks something; fail it where Kafka is required."""
    wish = os.environ.get(SWITCH)
    if wish == "required":
        pytest.fail(f"{what} is required here ({SWITCH}={wish}): {error}")
    pytest.skip(f"{what}: {error}")


def installed(name: str, how: str = "pip install kraftpy[clients]") -> ModuleType:
    """Import a package of other authors; without it the module's tests skip, or fail where Kafka is required."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        if os.environ.get(SWITCH) == "required":
            raise
        pytest.skip(f"{name} is not installed: {how} ({error})", allow_module_level=True)


@pytest.fixture
def root(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A directory for a cluster; its logs stay where pytest keeps directories of failed tests."""
    yield tmp_path
    print(f"directories and logs of {request.node.name}: {tmp_path}")
