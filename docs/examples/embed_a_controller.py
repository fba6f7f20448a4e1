"""Test a program of yours against a controller of its own.

    python docs/examples/embed_a_controller.py
    python -m pytest docs/examples/embed_a_controller.py

Copy the fixture into your conftest.py. The controller is a process with free ports and a directory that pytest made for
it; nothing of it is left after the tests.
"""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kraftpy.client import Client, ConfigChange, ErrorCode, Resource, ResourceType

STOP_TIMEOUT_S = 60.0


@pytest.fixture(scope="session")
def controller(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run one controller; return the address of its public API."""
    process = start(tmp_path_factory.mktemp("kraftpy"))
    try:
        yield wait_until_ready(process)
    finally:
        # SIGTERM makes `quickstart` stop its nodes; SIGKILL would leave them running.
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=STOP_TIMEOUT_S)


def start(directory: Path) -> subprocess.Popen[str]:
    """Start a cluster of one controller and no broker."""
    command = ["quickstart", "--dir", str(directory), "--controllers", "1", "--brokers", "0"]
    return subprocess.Popen([sys.executable, "-m", "kraftpy", *command], stdout=subprocess.PIPE, text=True)


def wait_until_ready(process: subprocess.Popen[str]) -> str:
    """Read up to the line that has READY and the addresses; `quickstart` ends when it is not ready after 60 s."""
    assert process.stdout
    for line in process.stdout:
        if line.startswith("READY") and (found := re.search(r"controllers=(\S+)", line)):
            return found[1]
    raise RuntimeError("the controller did not start: its last lines are on stderr")


def test_a_config_is_read_back(controller: str) -> None:
    """Replace this by a test of your program, which gets the address."""
    group = Resource(ResourceType.GROUP, "my-group")
    with Client([controller]) as client:
        altered = client.incremental_alter_configs({group: [ConfigChange("consumer.session.timeout.ms", "50000")]})
        assert [one.error for one in altered.outcomes] == [ErrorCode.NONE]
        configs = client.describe_configs([group], min_offset=altered.position.offset)
    assert configs.resources == {group: {"consumer.session.timeout.ms": "50000"}}


if __name__ == "__main__":
    sys.exit(pytest.main([__file__, "-v"]))
